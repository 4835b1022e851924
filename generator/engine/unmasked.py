"""A head's attention as it would be without the mask, as further steps of a Trace."""

from typing import NamedTuple

from generator.engine.ops import MatMul
from generator.engine.softmax import Rows, Shifts, softmax
from generator.engine.trace import Step, Trace

PREFIX = "unmasked."
STEPS = ("max", "shifted", "exp", "sum", "weights", "output")  # that the mask changes


class Head(NamedTuple):
    """A head by its name, `free` where all tokens are seen: what its steps are called."""

    at: str
    free: bool = False

    def step(self, name: str) -> str:
        """The whole name of a step, known by the last part of it."""
        return f"{PREFIX if self.free and name in STEPS else ''}{self.at}.{name}"


def unmasked(trace: Trace, at: str) -> tuple[Step, ...]:
    """Powers, sums, shares and outputs of a head over all tokens, rounded as the head's own.

    `at` is the head's name; the steps are called `unmasked.<at>.exp` and so on, by the names in
    `STEPS`. What comes before the mask, down to the scaled scores, is the head's.
    """
    chain, tokens = trace.scratch().within(PREFIX + at), trace.tokens
    shifts = Shifts("always" if f"{at}.shifted" in trace else "never")
    weights = softmax(chain, f"{at}.scaled", "weights", Rows(tokens, tokens), shifts)
    names = trace[f"{at}.output"].columns
    chain.apply("output", MatMul(), weights, f"{at}.value", rows=tokens, columns=names)
    return chain.new
