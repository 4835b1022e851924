"""One token's attention, computed again from its scores with something done differently."""

from dataclasses import dataclass

import numpy as np

from generator.engine.ops.attention import Power, RowShare, RowSum
from generator.engine.ops.base import Op
from generator.engine.ops.linear import MatMul, Over
from generator.engine.trace import Trace


@dataclass(frozen=True)
class AttentionRow:
    """A row of attention: shares [m] and output [d_head] over the tokens that take part."""

    shares: np.ndarray
    output: np.ndarray


def row(
    trace: Trace, at: str, token: int, tokens: tuple[int, ...], divisor: float | None = None
) -> AttentionRow:
    """The shares and the output of a token that sees `tokens`, by the engine's own operations.

    `divisor` replaces √d_head. Rounded as the Trace's arithmetic rounds those steps.
    """
    chain = trace.scratch()
    columns = list(tokens)
    scores = chain.give(f"{at}.scores", trace[f"{at}.scores"].values[token : token + 1, columns])
    by = trace["scale"].values if divisor is None else np.array([[divisor]])
    scale = chain.give("scale", by.copy())
    value = chain.give(f"{at}.value", trace[f"{at}.value"].values[columns])
    scaled = chain.apply(f"{at}.scaled", Over(), scores, scale)
    power: Op = Power(trace.preset.softmax_base, masked=False)
    exp = chain.apply(f"{at}.exp", power, scaled)
    total = chain.apply(f"{at}.sum", RowSum(), exp)
    weights = chain.apply(f"{at}.weights", RowShare(), exp, total)
    output = chain.apply(f"{at}.output", MatMul(), weights, value)
    return AttentionRow(chain[weights].values[0], chain[output].values[0])
