"""Numbers that somebody typed: read alike for the command, texts in TOML files and forms.

Also here:

* What a pupil meant by an entry: whatever a person reads without doubt, by the rules of typed.toml.
"""

import math
import re
import unicodedata

from generator.resources import table

PLAINLY = "write it plainly: the digits 0 to 9, and a point before decimals"
_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def typed_number(text: str) -> float | None:
    """The finite number that a text says, None for any other text.

    Python alone would also read what is a slip of the hand or another convention: 1_000, digits
    of other scripts, spaces, nan.
    """
    number = float(text) if _PLAIN.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


def typed_count(text: str) -> int | None:
    """The whole number from 0 that a text of digits alone says, None for any other text."""
    return int(text) if re.fullmatch("[0-9]{1,19}", text) else None


def plainly(text: str) -> str:
    """A hint to add to a message about a text that is no plain number, "" where it has no digit."""
    is_near = any(sign.isnumeric() for sign in text) and not _PLAIN.fullmatch(text)
    return f"; {PLAINLY}" if is_near else ""


_AS_OURS = str.maketrans("‐‑‒–—−⁄٫", "------/,")
_SIGNS = re.compile("[¼-¾⅐-⅞]"), re.compile("[⁺⁻⁰¹²³⁴-⁹]+")  # 1¼, 10⁻³
_EQUALS = re.compile("[=≈~≃≅∼]")
_DECIMAL = re.compile(r"-?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:e[+-]?[0-9]+)?")
_FRACTION = re.compile(r"(-?)(?:([0-9]+) )?([0-9]{1,6}) ?/ ?([0-9]{1,6})")
_BELOW_ALL = ("-∞", "-unendlich", "-inf", "-infinity")
PERCENT = 100.0
ROUNDED = 0.75  # units, by which a number and the same one rounded, or cut off, differ


def meant_number(text: str) -> float | None:
    """The number that a pupil meant by a text, None where a person could only guess.

    Understands "0,86", "−1.5", "≈ 0,5", "0,5 !", "2⅔", "1/3 = 0,33", "50 %", "1.234,5", "−∞". Of
    two numbers with a sign between them the last is meant, if it is the first one rounded.
    """
    numbers = [_read(part) for part in _EQUALS.split(_one_line(text)) if part.strip()]
    first, number = [None, None, *numbers][-2:]
    if number is None or first is None:
        return number
    decimals = min(len(str(one).partition(".")[2]) for one in (number, first))
    return number if abs(number - first) <= ROUNDED * 10.0**-decimals else None


def is_fraction(text: str) -> bool:
    """Whether a text that is a number has a fraction in it, such as "1/3" or "2⅔"."""
    return "/" in _one_line(text)


def _one_line(text: str) -> str:
    """A text in small letters with one kind of space, minus, digits and fractions."""
    for sign, apart in zip(_SIGNS, " ^", strict=True):
        text = sign.sub(rf"{apart}\g<0>", text)
    plain = unicodedata.normalize("NFKC", text).translate(_AS_OURS).casefold()
    digits = (str(unicodedata.decimal(one)) if one.isdecimal() else one for one in plain)
    return " ".join("".join(digits).split())


def _read(text: str) -> float | None:
    """The number that a part without a sign of equality is."""
    for rule in table("typed.toml")["rules"]:
        text = re.sub(rule["find"], rule["put"], text)
    if text in _BELOW_ALL:
        return -math.inf
    share = text.removesuffix("%").rstrip()
    if match := _FRACTION.fullmatch(share):
        sign, whole, above, below = match.groups()
        number = (int(whole or 0) + int(above) / (int(below) or math.nan)) * (-1 if sign else 1)
    else:
        number = float(share.replace(",", ".")) if _DECIMAL.fullmatch(share) else math.nan
    return number / (1 if share == text else PERCENT) if math.isfinite(number) else None
