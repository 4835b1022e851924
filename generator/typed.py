"""Numbers that somebody typed: read alike for the command, texts in TOML files and forms."""

import math
import re

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
