"""The one rounding rule: ROUND(ROUND(x, 10), n), half away from zero, as the formulas round."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

import numpy as np

GUARD: Final = 10
_LARGE: Final = 1e5
_NO_DECIMALS: Final = 1e15  # 15 digits are used up before the decimal point
_NEAR_TIE: Final = 0.4999
_DIGITS_LOST: Final = 6e-15  # at most, of a number: by its 15 digits, and by a product in binary
_QUANTA: Final = [Decimal(1).scaleb(-d) for d in range(GUARD + 1)]
_BARELY_MORE: Final = [float(np.nextafter(np.nextafter(10.0**-k, 1), 1)) for k in range(GUARD + 1)]


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
    if abs(x) >= _LARGE:  # the 15 digits end before the tenth decimal
        return rounded_number(x, decimals)
    return rounded_number(rounded_number(x, GUARD), decimals)


def guarded(x: np.ndarray, decimals: int) -> np.ndarray:
    """`guarded_number` for each cell of an array of any shape; masked cells (−∞) stay as they are.

    Large values, infinities and values near a tie of the *first* rounding take the exact way.
    """
    size = np.abs(x)
    if not np.maximum.reduce(size, axis=None, initial=0.0) < _LARGE:  # nor is NaN
        return _guarded_apart(x, ~(size < _LARGE), decimals)
    moved: np.ndarray = x * 1e10
    whole: np.ndarray = np.rint(moved)
    moved -= whole
    np.abs(moved, out=moved)
    _to_decimals(whole, decimals)
    if np.maximum.reduce(moved, axis=None, initial=0.0) >= _NEAR_TIE:
        careful = moved >= _NEAR_TIE
        whole[careful] = [guarded_number(v, decimals) for v in x[careful].tolist()]
    return whole


def _guarded_apart(x: np.ndarray, large: np.ndarray, decimals: int) -> np.ndarray:
    """`guarded`, the large numbers apart from the others."""
    rounded = np.where(large, x, guarded(np.where(large, 0.0, x), decimals))
    with_decimals = large & (np.abs(x) < _NO_DECIMALS)
    rounded[with_decimals] = _large_rounded(x[with_decimals], decimals)
    return rounded


def _large_rounded(x: np.ndarray, decimals: int) -> np.ndarray:
    """`guarded_number` of numbers [n] from 10⁵ to 10¹⁵, one by one where a tie may be near.

    As near as what a number loses by its 15 digits; above 8·10¹³ / 10^decimals these are all.
    """
    scale = 10.0**decimals
    units = np.abs(x) * scale
    whole: np.ndarray = np.copysign(np.rint(units) / scale, x)
    careful = ~(np.abs(units - np.floor(units) - 0.5) > units * _DIGITS_LOST)
    whole[careful] = [guarded_number(v, decimals) for v in x[careful].tolist()]
    return whole


def _to_decimals(whole: np.ndarray, decimals: int) -> None:
    """Round numbers of 10⁻¹⁰, half away from zero, to `decimals`, counted in ones, in place.

    A tie times a factor that is 2 to 5·10⁻¹⁶ too large is no tie any more, and what is not a tie
    lies 10⁻¹⁵ from it, for no number here has more than 15 digits.
    """
    if decimals < GUARD:
        whole *= _BARELY_MORE[GUARD - decimals]
        np.rint(whole, out=whole)
    whole /= 10.0**decimals
    whole += 0.0
