"""Softmax in the steps of paper arithmetic: (max, shifted,) exp, sum, shares."""

import math
from typing import NamedTuple

import numpy as np

from generator.engine.choices import Shift
from generator.engine.ops import MinusRow, Power, RowMax, RowShare, RowSum
from generator.engine.ops.attention import MASKED
from generator.engine.scope import Scope
from generator.engine.step import Labels

LARGEST_EXPONENT = 700.0


class Shifts:
    """For each softmax, whether the row's maximum is subtracted first.

    "never" and "always" say so; "auto" decides at the first computation, where exp would
    overflow or a row's rounded sum would be 0. `pinned` repeats those decisions, so that an
    edit never changes the structure.
    """

    def __init__(self, rule: Shift, decided: dict[str, bool] | None = None) -> None:
        self._rule = rule
        self._decided = decided or {}
        self._pinned = decided is not None

    def pinned(self) -> "Shifts":
        """These decisions, made."""
        return Shifts(self._rule, dict(self._decided))

    def needed(self, scope: Scope, x: str, rows: "Rows") -> bool:
        """Whether the softmax written at this place, over the step `x`, is shifted."""
        if self._rule != "auto":
            return self._rule == "always"
        later = scope.step_number > 1  # training keeps the structure of its first pass
        place = scope.at if later else scope.round + scope.at
        if place not in self._decided or not (self._pinned or later):
            self._decided[place] = _needs_shift(scope, x)
        return self._decided[place]


class Rows(NamedTuple):
    """The rows of a softmax: their labels, whether cells are masked, whether a row may be empty."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    masked: bool = False
    empty: bool = False


def softmax(scope: Scope, x: str, shares: str, rows: Rows, shifts: Shifts) -> str:
    """Write exp, sum and the shares of each row of the step `x`; gives the shares' name back.

    With a shift, `max` and `shifted` come first.
    """
    base, labels = scope.preset.softmax_base, Labels(rows=rows.rows, columns=rows.columns)
    if shifts.needed(scope, x, rows):
        largest = scope.apply("max", RowMax(), x, rows=rows.rows, columns=("max",))
        x = scope.apply("shifted", MinusRow(rows.masked), x, largest, **labels)
    power = scope.apply("exp", Power(base, rows.masked), x, **labels)  # [rows, columns]
    total = scope.apply("sum", RowSum(), power, rows=rows.rows, columns=("Σ",))  # [rows, 1]
    return scope.apply(shares, RowShare(rows.empty), power, total, **labels)


def _needs_shift(scope: Scope, x: str) -> bool:
    values = scope[x].values
    base = scope.preset.softmax_base
    scale = 1.0 if base is None else math.log(base)
    peaks = values.max(axis=1) * scale
    if peaks.max() > LARGEST_EXPONENT:
        return True
    visible = peaks != MASKED
    if peaks[visible].min(initial=LARGEST_EXPONENT) >= _enough(scope):
        return False
    powers = np.exp(np.where(values == MASKED, MASKED, values * scale))
    sums = scope.rounded_as("sum", scope.rounded_as("exp", powers).sum(axis=1))
    return bool((sums[visible] == 0.0).any())


def _enough(scope: Scope) -> float:
    """An exponent whose power surely survives the rounding of exp and of sum."""
    if scope.run.rounding == "exact":
        return -LARGEST_EXPONENT
    decimals = min(scope.decimals_of("exp"), scope.decimals_of("sum"))
    return -2.3 * decimals  # e^2.3 is a little less than 10
