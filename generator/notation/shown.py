"""How many decimals a step shows, and its numbers as shown."""

from decimal import Decimal
from functools import lru_cache
from math import isfinite

import numpy as np

from generator.engine.rounding import guarded, rounded_number
from generator.engine.trace import Step

MOST_DECIMALS = 10
MANY = 10_000  # numbers of one step; only models that others trained have as many


def shown_decimals(step: Step) -> int:
    """The decimals every number of the step is printed with.

    Computed steps show the decimals they are rounded to; given steps and copies show as many as
    their longest number has, so that nothing given is ever rounded.
    """
    if step.decimals is not None:
        return step.decimals
    if step.values.size > MANY:  # too many to be remembered by their bytes
        return _longest(step.values)
    return _needed(step.values.tobytes(), step.values.size)


def shown_value(step: Step, i: int, j: int) -> float:
    """The number in row i, column j as a reader sees it; −∞ for a masked cell."""
    value = float(step.values[i, j])
    if not isfinite(value):
        return value
    decimals = shown_decimals(step)
    # Mostly it is as short as that already, and seeing so is quicker than rounding it again.
    return value + 0.0 if round(value, decimals) == value else rounded_number(value, decimals)


def shown_values(step: Step) -> np.ndarray:
    """All numbers of the step as a reader sees them: [rows, columns]."""
    if step.values.size > MANY:
        decimals = shown_decimals(step)
        if decimals == MOST_DECIMALS:  # a copy of millions would differ in the eleventh decimal
            return step.values
        finite = np.isfinite(step.values)
        return np.where(finite, guarded(np.where(finite, step.values, 0.0), decimals), step.values)
    rows, columns = step.values.shape
    cells = [[shown_value(step, i, j) for j in range(columns)] for i in range(rows)]
    return np.array(cells, dtype=np.float64).reshape(rows, columns)


@lru_cache(maxsize=4096)
def _needed(raw: bytes, size: int) -> int:
    return _longest(np.frombuffer(raw, dtype=np.float64, count=size))


def _longest(values: np.ndarray) -> int:
    longest = 0
    for part in np.array_split(values.ravel(), max(1, values.size // MANY)):
        decimals_of = (_decimals(v) for v in part.tolist() if np.isfinite(v))
        for decimals in decimals_of:
            longest = max(longest, decimals)
            if longest == MOST_DECIMALS:
                return longest
    return longest


def _decimals(value: float) -> int:
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return min(MOST_DECIMALS, max(0, -int(exponent)))
