"""How many decimals a step shows, and its numbers as shown.

Also here:

* Numbers as mathematics teachers print them: decimal comma or point, a true minus, no "−0,00".
* Tokens that a sentence has several times, told apart by their positions.
"""

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from math import isfinite

import numpy as np

from generator.engine.rounding import GUARD, guarded, guarded_number
from generator.engine.trace import Step
from generator.locales.locale import locale_of

MOST_DECIMALS = 10
SHORT = 1e5  # below it, 10 decimals are 15 digits
MANY = 10_000  # numbers of one step; only models that others trained have as many


def shown_decimals(step: Step) -> int:
    """The decimals every number of the step is printed with.

    Computed steps show the decimals they are rounded to; given steps and copies show as many as
    their longest number has, so that nothing given is ever rounded.
    """
    if step.decimals is not None:
        return step.decimals
    if step.values.size > MANY:  # too many to be remembered by their bytes
        return longest(step.values)
    return _needed(step.values.tobytes(), step.values.size)


def shown_value(step: Step, i: int, j: int) -> float:
    """The number in row i, column j as a reader sees it; −∞ for a masked cell."""
    value = float(step.values[i, j])
    if not isfinite(value):
        return value
    decimals = shown_decimals(step)
    # Mostly it is as short as that already, and seeing so is quicker than rounding it again.
    if abs(value) < SHORT and round(value, decimals) == value:
        return value + 0.0
    if abs(value) >= SHORT and too_long(value, decimals):
        return short(value)
    return guarded_number(value, decimals)


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
    return longest(np.frombuffer(raw, dtype=np.float64, count=size))


def longest(values: np.ndarray) -> int:
    """The decimals that all of these numbers need to be printed in full, up to 10."""
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


MINUS = "\N{MINUS SIGN}"
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
REMEMBERED = 1 << 14  # numbers on paper are short, and the same ones come again and again
DIGITS = 15
SURE = 12  # digits beside a power of ten: those behind them differ between programs
POWERS, INDICES = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
RAISED, LOWERED = (str.maketrans(*two) for two in (("0123456789", POWERS), (POWERS, "0123456789")))
INDEXED = str.maketrans("0123456789", INDICES)
TEN = re.compile(f" 10[{POWERS}]+$")
WIDE = Context(prec=400, rounding=ROUND_HALF_UP)  # 400 digits hold every float64 in full


@lru_cache(maxsize=REMEMBERED)
def number(value: float, decimals: int | None, language: str) -> str:
    """The number with that many decimals, `-1.1, 2, "de"` gives `−1,10`.

    `decimals=None` prints in full without rounding (shortest digits that read back as the same
    number). A number that has more than 15 digits with them is printed with a power of ten:
    `1,5 · 10²²`. Raises ValueError for what no sheet may print as a number: NaN, ±∞, decimals < 0.
    """
    if decimals is not None and too_long(value, decimals):
        return _by_power(Decimal(repr(short(value))), language)
    return _spell(_shown(value, decimals), language)


def grouped(value: float, language: str) -> str:
    """A whole number ≥ 0 in groups of three digits from 10 000 on: `124 439 808`, `124,439,808`."""
    return in_groups(number(value, 0, language), language)


def in_groups(text: str, language: str) -> str:
    """A printed number ≥ 0 with the digits before its decimal mark in such groups."""
    group = locale_of(language).numbers.group
    return re.sub(r"^\d{5,}", lambda found: re.sub(r"\B(?=(...)+$)", group, found[0]), text)


def constant(value: float, language: str) -> str:
    """A number of a formula itself, in full; a long whole one in groups: 10 000, 10,000."""
    whole = value >= 0 and float(value).is_integer()
    return grouped(value, language) if whole else number(value, None, language)


def in_brackets(text: str) -> str:
    """A printed number as it stands beside an operator: one with a sign or a power in brackets."""
    return f"({text})" if text.startswith(MINUS) or TEN.search(text) else text


def percent(value: float, decimals: int | None, language: str) -> str:
    """A fraction as per cent with that many decimals: 0.249, 1 gives `24,9 %` or `24.9%`."""
    if decimals is None:
        shown = WIDE.scaleb(_shown(value, None), 2)
    else:
        shown = _cut(WIDE.scaleb(_guarded(value, decimals + 2), 2), decimals)
    return _spell(shown, language) + locale_of(language).numbers.percent


def _shown(value: float, decimals: int | None) -> Decimal:
    if decimals is None:
        _require_finite(value)
        return Decimal(repr(float(value)).removesuffix(".0"))  # repr writes 3.0
    return _cut(_guarded(value, decimals), decimals)


def too_long(value: float, decimals: int) -> bool:
    """Whether it stands as a power of ten: that many decimals need more than 15 digits."""
    digits = _fifteen_digits(value)
    if digits.adjusted() + 1 + decimals <= DIGITS:
        return False
    return digits.adjusted() >= DIGITS or digits != Decimal(repr(float(value)))


def short(value: float) -> float:
    """The number as it stands beside a power of ten."""
    return float(f"{value:.{SURE - 1}e}")


def _by_power(value: Decimal, language: str) -> str:
    """The number as a power of ten with a factor from 1 to 10."""
    power = value.adjusted()
    factor = _spell(WIDE.normalize(WIDE.scaleb(value, -power)), language)
    return f"{factor} {locale_of(language).signs.times} 10{str(power).translate(RAISED)}"


def _guarded(value: float, decimals: int) -> Decimal:
    """The number's digits, rounded to 10 decimals where fewer than these are shown."""
    digits = _fifteen_digits(value)
    return _cut(digits, GUARD) if decimals < GUARD else digits


def _fifteen_digits(value: float) -> Decimal:
    _require_finite(value)
    return Decimal(format(float(value), f".{DIGITS}g"))


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


def with_position(tokens: Sequence[str], j: int) -> str:
    """A token; one that the sentence has several times with its position, as on sheet 3."""
    return tokens[j] + str(j).translate(SUBSCRIPTS) if tokens.count(tokens[j]) > 1 else tokens[j]
