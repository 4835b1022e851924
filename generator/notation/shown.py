"""How many decimals a step shows, and its numbers as shown."""

from decimal import Decimal
from functools import lru_cache

import numpy as np

from generator.engine.rounding import rounded_number
from generator.engine.trace import Step

MOST_DECIMALS = 10


def shown_decimals(step: Step) -> int:
    """The decimals every number of the step is printed with.

    Computed steps show the decimals they are rounded to; given steps and copies show as many as
    their longest number has, so that nothing given is ever rounded.
    """
    if step.decimals is not None:
        return step.decimals
    return _needed(step.values.tobytes(), step.values.size)


def shown_value(step: Step, i: int, j: int) -> float:
    """The number in row i, column j as a reader sees it; −∞ for a masked cell."""
    value = float(step.values[i, j])
    return value if not np.isfinite(value) else rounded_number(value, shown_decimals(step))


def shown_values(step: Step) -> np.ndarray:
    """All numbers of the step as a reader sees them, in its shape."""
    rows, columns = step.values.shape
    cells = [[shown_value(step, i, j) for j in range(columns)] for i in range(rows)]
    return np.array(cells, dtype=np.float64).reshape(rows, columns)


@lru_cache(maxsize=4096)
def _needed(raw: bytes, size: int) -> int:
    values = np.frombuffer(raw, dtype=np.float64, count=size)
    return max((_decimals(v) for v in values.tolist() if np.isfinite(v)), default=0)


def _decimals(value: float) -> int:
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return min(MOST_DECIMALS, max(0, -int(exponent)))
