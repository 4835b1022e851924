"""What the sheets about attention share: their head, who sees whom, which presets they can take."""

from typing import NamedTuple

import numpy as np

from generator.engine.trace import Trace
from generator.sheets.plan import demand, dot, seconds

AT = "block1.head1"
ROW = 3  # numbers for each token looked at: its score, its scaled score, its power


class Widest(NamedTuple):
    """The largest d_model and d_head that a sheet has room for."""

    model: int
    head: int


def require_attention(trace: Trace, sheet: str, widest: Widest, fitting: str) -> None:
    """Raise a `UserError` where there is no attention or it is too wide for a sheet.

    `fitting` names presets that the sheet takes, such as "'katze'".
    """
    about = {"sheet": sheet, "widest": widest, "fitting": fitting}
    demand(f"{AT}.scores" in trace, "sheet.attention", trace, **about)
    fits = trace.preset.d_model <= widest.model and trace.preset.d_head <= widest.head
    demand(fits, "sheet.wide", trace, **about)


def attended(trace: Trace) -> str:
    """The step whose rows are multiplied by W_Q, W_K and W_V: `input`, or its norm."""
    return trace[f"{AT}.query"].inputs[0]


def visible_to(trace: Trace, row: int) -> tuple[int, ...]:
    """The tokens that a token may look at."""
    if f"{AT}.mask" not in trace:
        return tuple(range(len(trace.tokens)))
    return tuple(np.flatnonzero(trace[f"{AT}.mask"].values[row] == 0.0).tolist())


def scores(trace: Trace) -> tuple[str, ...]:
    """The last names of the steps from a score to what its power is taken of."""
    return ("scores", "scaled", "masked") if f"{AT}.masked" in trace else ("scores", "scaled")


def row_seconds(width: int) -> float:
    """Seconds for the `ROW` numbers of one token looked at, from keys of that width."""
    return dot(width) + seconds()["scale"] + seconds()["exp"]


def share_seconds() -> float:
    """Seconds for one term of the sum and the share made of it."""
    return seconds()["sum"] + seconds()["share"]
