"""The attention shares as they would be without the mask, as further steps of a Trace."""

from generator.engine.ops import Power, RowShare, RowSum
from generator.engine.trace import Step, Trace

PREFIX = "unmasked."


def unmasked(trace: Trace, at: str) -> tuple[Step, ...]:
    """Powers, sums and shares of a head over all tokens, rounded as the head's own.

    `at` is the head's name; the steps are called `unmasked.<at>.exp`, `.sum` and `.weights`.
    """
    chain = trace.scratch()
    tokens, free = trace.tokens, PREFIX + at
    power = Power(trace.preset.softmax_base, masked=False)
    exp = chain.apply(f"{free}.exp", power, f"{at}.scaled", rows=tokens, columns=tokens)
    total = chain.apply(f"{free}.sum", RowSum(), exp, rows=tokens, columns=("Σ",))
    chain.apply(f"{free}.weights", RowShare(), exp, total, rows=tokens, columns=tokens)
    return chain.new
