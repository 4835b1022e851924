"""Numbers as mathematics teachers print them: decimal comma or point, a true minus, no "−0,00".

Arithmetic never happens here: the engine has rounded, this file only shows. What is shown is the
number's 15-digit decimal (the digits a spreadsheet shows), cut half away from zero.
"""

from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import isfinite

from generator.locales.locale import locale_of

MINUS = "\N{MINUS SIGN}"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
REMEMBERED = 1 << 14  # numbers on paper are short, and the same ones come again and again
WIDE = Context(prec=400, rounding=ROUND_HALF_UP)  # 400 digits hold every float64 in full


@lru_cache(maxsize=REMEMBERED)
def number(value: float, decimals: int | None, language: str) -> str:
    """The number with that many decimals, `-1.1, 2, "de"` gives `−1,10`.

    `decimals=None` prints in full without rounding (shortest digits that read back as the same
    number). Raises ValueError for what no sheet may print as a number: NaN, ±∞, decimals < 0.
    """
    return _spell(_shown(value, decimals), language)


def grouped(value: float, language: str) -> str:
    """A whole number ≥ 0 in groups of three digits from 10 000 on: `124 439 808`, `124,439,808`."""
    digits = number(value, 0, language)
    first = len(digits) % 3 or 3
    groups = [digits[:first], *(digits[k : k + 3] for k in range(first, len(digits), 3))]
    return digits if len(digits) < 5 else locale_of(language).numbers.group.join(groups)


def constant(value: float, language: str) -> str:
    """A number of a formula itself, in full; a long whole one in groups: 10 000, 10,000."""
    whole = value >= 0 and float(value).is_integer()
    return grouped(value, language) if whole else number(value, None, language)


def signed_in_brackets(value: float, decimals: int | None, language: str) -> str:
    """The number as it stands behind an operator: negative ones in brackets, `(−1,10)`."""
    text = number(value, decimals, language)
    return f"({text})" if text.startswith(MINUS) else text


def percent(value: float, decimals: int | None, language: str) -> str:
    """A fraction as per cent with that many decimals: 0.249, 1 gives `24,9 %` or `24.9%`."""
    if decimals is None:
        shown = WIDE.scaleb(_shown(value, None), 2)
    else:
        shown = _cut(WIDE.scaleb(_fifteen_digits(value), 2), decimals)
    return _spell(shown, language) + locale_of(language).numbers.percent


def _shown(value: float, decimals: int | None) -> Decimal:
    if decimals is None:
        _require_finite(value)
        return Decimal(repr(float(value)).removesuffix(".0"))  # repr writes 3.0
    return _cut(_fifteen_digits(value), decimals)


def _fifteen_digits(value: float) -> Decimal:
    _require_finite(value)
    return Decimal(format(float(value), ".15g"))


def _cut(value: Decimal, decimals: int) -> Decimal:
    if decimals < 0:
        raise ValueError(f"decimals must be 0 or more, found {decimals}")
    return value.quantize(Decimal(1).scaleb(-decimals), context=WIDE)


def _require_finite(value: float) -> None:
    if not isfinite(value):
        raise ValueError(f"{value} is not printed as a number: a sheet says 'masked' in words")


def _spell(value: Decimal, language: str) -> str:
    digits = format(value.copy_abs(), "f")
    sign = MINUS if value < 0 else ""
    return sign + digits.replace(".", locale_of(language).numbers.decimal)
