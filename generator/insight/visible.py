"""One token's sum and output over the tokens that it sees, so that no masked 0 is written out."""

import numpy as np

from generator.engine.ops import MatMul, RowSum
from generator.engine.trace import Step, Trace


def over_visible(
    trace: Trace, at: str, token: int, visible: tuple[int, ...], prefix: str
) -> tuple[Step, ...]:
    """The steps `<prefix>.sum` [1, 1] and `<prefix>.output` [1, d_head] and what they come from.

    The numbers are those of the Trace; only the masked tokens are left out.
    """
    chain = trace.scratch()
    names = {}
    for name in ("exp", "weights"):
        step = trace[f"{at}.{name}"]
        row = step.values[token : token + 1, list(visible)]
        names[name] = chain.give(f"{prefix}.{name}", row, decimals=step.decimals)
    value = trace[f"{at}.value"]
    rows = value.values[list(visible)]
    names["value"] = chain.give(f"{prefix}.value", rows, decimals=value.decimals)
    chain.apply(f"{prefix}.sum", RowSum(), names["exp"])
    chain.apply(f"{prefix}.output", MatMul(), names["weights"], names["value"])
    return chain.new


def key_sums(trace: Trace, at: str, visible: tuple[int, ...], name: str) -> Step:
    """The sum of each key column over the tokens seen, [1, d_head]: what the check needs."""
    chain = trace.scratch()
    key = trace[f"{at}.key"]
    ones = chain.give(f"{name}.once", np.ones((1, len(visible))))
    keys = chain.give(f"{name}.keys", key.values[list(visible)])
    total = chain.apply(name, MatMul(), ones, keys, rows=("Σ",), columns=key.columns)
    return chain[total]._replace(decimals=key.decimals)


def checked_sums(
    trace: Trace, at: str, token: int, visible: tuple[int, ...], prefix: str
) -> tuple[Step, ...]:
    """What a token's checks give: `<prefix>.scores` and `<prefix>.weights` [1, 1], the sums."""
    chain = trace.scratch()
    for name in ("scores", "weights"):
        step = trace[f"{at}.{name}"]
        row = step.values[token : token + 1, list(visible)]
        given = chain.give(f"{prefix}.{name}.row", row, decimals=step.decimals)
        chain.apply(f"{prefix}.{name}", RowSum(), given, decimals=step.decimals)
    return chain.new
