"""Softmax in the steps of paper arithmetic: (max, shifted,) exp, sum, shares."""

import math
from typing import NamedTuple

import numpy as np

from generator.engine.ops import MinusRow, Power, RowMax, RowShare, RowSum
from generator.engine.ops.attention import MASKED
from generator.engine.trace import Labels, Trace

LARGEST_EXPONENT = 700.0


class Shifts:
    """For each softmax, whether the row's maximum is subtracted first.

    "never" and "always" say so; "auto" decides at the first computation, where exp would
    overflow or a row's rounded sum would be 0. `pinned` repeats those decisions, so that an
    edit never changes the structure.
    """

    def __init__(self, rule: str, decided: dict[str, bool] | None = None) -> None:
        self._rule = rule
        self._decided = decided or {}
        self._pinned = decided is not None

    def pinned(self) -> "Shifts":
        """These decisions, made."""
        return Shifts(self._rule, dict(self._decided))

    def needed(self, trace: Trace, x: str, at: str, rows: "Rows") -> bool:
        """Whether the softmax named `at` over the step `x` is shifted."""
        if self._rule != "auto":
            return self._rule == "always"
        place = trace.prefix + at
        if not self._pinned:
            self._decided[place] = _needs_shift(trace, x, at, rows)
        return self._decided[place]


class Rows(NamedTuple):
    """The rows of a softmax: their labels, whether cells are masked, whether a row may be empty."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    masked: bool = False
    empty: bool = False


def softmax(trace: Trace, x: str, at: str, shares: str, rows: Rows, shifts: Shifts) -> str:
    """Write exp, sum and the shares of each row of the step `x`; gives the shares' name back.

    With a shift, `max` and `shifted` come first. All names start with `at`.
    """
    base, labels = trace.preset.softmax_base, Labels(rows=rows.rows, columns=rows.columns)
    if shifts.needed(trace, x, at, rows):
        largest = trace.apply(f"{at}.max", RowMax(), x, rows=rows.rows, columns=("max",))
        x = trace.apply(f"{at}.shifted", MinusRow(rows.masked), x, largest, **labels)
    power = trace.apply(f"{at}.exp", Power(base, rows.masked), x, **labels)  # [rows, columns]
    total = trace.apply(f"{at}.sum", RowSum(), power, rows=rows.rows, columns=("Σ",))  # [rows, 1]
    return trace.apply(f"{at}.{shares}", RowShare(rows.empty), power, total, **labels)


def _needs_shift(trace: Trace, x: str, at: str, rows: Rows) -> bool:
    values = trace[x].values
    base = trace.preset.softmax_base
    scale = 1.0 if base is None else math.log(base)
    peaks = values.max(axis=1) * scale
    if peaks.max() > LARGEST_EXPONENT:
        return True
    visible = peaks != MASKED
    if peaks[visible].min(initial=LARGEST_EXPONENT) >= _enough(trace, at):
        return False
    powers = np.exp(np.where(values == MASKED, MASKED, values * scale))
    sums = trace.rounded_as(f"{at}.sum", trace.rounded_as(f"{at}.exp", powers).sum(axis=1))
    return bool((sums[visible] == 0.0).any())


def _enough(trace: Trace, at: str) -> float:
    """An exponent whose power surely survives the rounding of exp and of sum."""
    if trace.rounding == "exact":
        return -LARGEST_EXPONENT
    decimals = min(trace.decimals_of(f"{at}.exp"), trace.decimals_of(f"{at}.sum"))
    return -2.3 * decimals  # e^2.3 is a little less than 10
