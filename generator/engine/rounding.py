"""The one rounding rule: ROUND(ROUND(x, 10), n), half away from zero, as the formulas round."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

import numpy as np

GUARD: Final = 10
_LARGE: Final = 1e5
_NO_DECIMALS: Final = 1e15  # 15 digits are used up before the decimal point
_NEAR_TIE: Final = 0.4999
_QUANTA: Final = [Decimal(1).scaleb(-d) for d in range(GUARD + 1)]


def rounded_number(x: float, decimals: int) -> float:
    """`x` rounded half away from zero as Excel's ROUND does: on its 15 significant digits."""
    if not abs(x) < _NO_DECIMALS:
        return x
    return float(Decimal(f"{x:.14e}").quantize(_QUANTA[decimals], ROUND_HALF_UP)) + 0.0


def guarded_number(x: float, decimals: int) -> float:
    """`x` rounded to `decimals` (0 to 10) after a first rounding to 10 decimals.

    The first rounding removes the noise of binary sums, which otherwise decides exact ties: the
    mean of 2.06, 2.55, 0.94, 1.26 is a tie on paper but not in floating point.
    """
    return rounded_number(rounded_number(x, GUARD), decimals)


def guarded(x: np.ndarray, decimals: int) -> np.ndarray:
    """`guarded_number` for every cell, in integers of 10⁻¹⁰; masked cells (−∞) stay as they are.

    Large values, infinities and values near a tie of the *first* rounding take the exact way.
    """
    size = np.abs(x)
    with np.errstate(over="ignore", invalid="ignore"):  # masked cells: ∞ − ∞
        scaled = size * 1e10
        whole = np.floor(scaled + 0.5)
        careful = ~((size < _LARGE) & (np.abs(whole - scaled) < _NEAR_TIE))
    step = 10.0 ** (GUARD - decimals)
    result: np.ndarray = np.floor((whole + step / 2) / step) if decimals < GUARD else whole
    result /= 10.0**decimals
    np.copysign(result, x, out=result)
    result += 0.0
    if careful.any():
        result[careful] = [guarded_number(v, decimals) for v in x[careful].tolist()]
    return result
