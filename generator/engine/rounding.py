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
    """`guarded_number` for each cell of an array of any shape; masked cells (−∞) stay as they are.

    Large values, infinities and values near a tie of the *first* rounding take the exact way.
    """
    size = np.abs(x)
    outside = careful = None
    if not size.max() < _LARGE:
        outside = ~(size < _LARGE)
        size[outside] = 0.0
    moved = size * 1e10
    whole: np.ndarray = np.rint(moved)
    moved -= whole
    np.abs(moved, out=moved)
    if moved.max() >= _NEAR_TIE:
        careful = moved >= _NEAR_TIE
    _to_decimals(whole, decimals)
    np.copysign(whole, x, out=whole)
    whole += 0.0
    if outside is not None:
        np.copyto(whole, x, where=outside)
        exact = outside & np.isfinite(x)
        careful = exact if careful is None else careful | exact
    if careful is not None:
        whole[careful] = [guarded_number(v, decimals) for v in x[careful].tolist()]
    return whole


def _to_decimals(whole: np.ndarray, decimals: int) -> None:
    """Round numbers of 10⁻¹⁰ half up to `decimals` and count them in ones again, in place."""
    if decimals < GUARD:
        step = 10.0 ** (GUARD - decimals)
        whole += step / 2
        whole /= step
        np.floor(whole, out=whole)
    whole /= 10.0**decimals
