"""The ways in which pupils write a right number, each as a person reads it without doubt."""

from collections.abc import Callable
from fractions import Fraction
from unicodedata import numeric

from tests.support.drawn_sheets import rounded

HALVES = {Fraction(numeric(c)).limit_denominator(8): c for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
WIDE = str.maketrans("0123456789,-.", "０１２３４５６７８９，－．")
ARABIC = str.maketrans("0123456789,", "٠١٢٣٤٥٦٧٨٩٫")

Style = Callable[[float, int], str | None]


def plain(value: float, decimals: int, minus: str = "-") -> str:
    """With a decimal comma and all decimals that the sheet asks for."""
    return f"{value:.{decimals}f}".replace(".", ",").replace("-", minus)


def _short(value: float, decimals: int) -> str | None:
    """The nought before the comma left out."""
    return plain(value, decimals).replace("0,", ",", 1) if 0 < abs(value) < 1 else None


def _negative(minus: str) -> Style:
    return lambda v, d: plain(v, d, minus) if v < 0 else None


def _around(before: str, after: str = "") -> Style:
    return lambda v, d: before + plain(v, d) + after


def _percent(value: float, decimals: int) -> str | None:
    """A share as per cent, with its sign; only where the box is one for shares."""
    return f"{plain(100 * value, decimals - 2)} %" if 0 < value < 1 and decimals == 3 else None


def _near(value: float, decimals: int) -> Fraction | None:
    """A fraction with a small denominator that rounds to this number."""
    small = Fraction(value).limit_denominator(12)
    near = rounded(float(small), decimals) == value
    return small if near and small.denominator > 1 else None


def _fraction(value: float, decimals: int) -> str | None:
    small = _near(value, decimals)
    return None if small is None else f"{small.numerator}/{small.denominator}"


def _mixed(value: float, decimals: int) -> str | None:
    small = _near(value, decimals)
    if small is None or abs(small) < 1:
        return None
    whole, rest = divmod(abs(small), 1)
    return f"{'-' * (value < 0)}{whole} {rest.numerator}/{rest.denominator}"


def _sign(value: float, decimals: int) -> str | None:
    """The fraction as one sign, such as ½ or 2⅔."""
    small = _near(value, decimals)
    if small is None or (part := abs(small) % 1) not in HALVES:
        return None
    return f"{'-' * (value < 0)}{int(abs(small)) or ''}{HALVES[part]}"


def _tenths(value: float, decimals: int) -> str | None:
    few = decimals <= 3 and 0 < abs(value) < 100
    return f"{round(value * 10**decimals)}/{10**decimals}" if few else None


def _scientific(value: float, decimals: int, form: str) -> str | None:
    if not value:
        return None
    mantissa, _, power = f"{value:.4e}".partition("e")
    if float(f"{mantissa}e{power}") != value:
        return None
    digits = mantissa.rstrip("0").rstrip(".").replace(".", ",")
    return form.format(digits, int(power), str(int(power)).translate(RAISED))


STYLES: dict[str, Style] = {
    "plain": plain,
    "point": lambda v, d: f"{v:.{d}f}",
    "true minus": _negative("−"),
    "en dash": _negative("–"),
    "minus and space": _negative("- "),
    "brackets": lambda v, d: f"({plain(v, d)})" if v < 0 else None,
    "plus": lambda v, d: "+" + plain(v, d) if v > 0 else None,
    ",5": _short,
    "0,50": lambda v, d: plain(v, d) + "0",
    "shortest": lambda v, d: plain(v, d).rstrip("0").rstrip(",") if "," in plain(v, d) else None,
    "spaces": _around("  ", " "),
    "space inside": lambda v, d: plain(v, d).replace(",", ", ") if d else None,
    "no-break space": _around("\u00a0", "\u202f"),
    "≈": _around("≈ "),
    "~": _around("~"),
    "ca.": _around("ca. "),
    "rund": _around("rund "),
    "=": _around("= "),
    "x =": _around("x = "),
    "!": _around("", " !"),
    "?": _around("", " ?"),
    "full stop": _around("", "."),
    "ticked": _around("", " ✓"),
    "unit": _around("", " cm"),
    "%": _percent,
    "1/3": _fraction,
    "1 1/2": _mixed,
    "½": _sign,
    "5/10": _tenths,
    "full width": lambda v, d: plain(v, d).translate(WIDE),
    "arabic": lambda v, d: plain(v, d).translate(ARABIC) if v >= 0 else None,
    "5·10⁻¹": lambda v, d: _scientific(v, d, "{0}·10{2}"),
    "5*10^-1": lambda v, d: _scientific(v, d, "{0}*10^{1}"),
    "5e-1": lambda v, d: _scientific(v, d, "{0}e{1}"),
    "5E-1": lambda v, d: _scientific(v, d, "{0}E{1}"),
}
