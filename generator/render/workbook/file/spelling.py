"""How the contents of cells are spelled in the XML of a sheet: exactly, and so that they stay."""

import math
import re
from collections.abc import Callable

LONGEST_TEXT = 32_767  # UTF-16 units, Excel's limit; openpyxl would cut silently
LONGEST_FORMULA = 8_192

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENCODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # Excel reads _x0041_ as the letter A


class Formula(str):
    """A formula with its leading `=`, and in `cached` the value that a reader sees uncomputed.

    A cached value is a finite number, a truth value or a text; where a step is minus infinity
    the caller gives the text that the formula itself yields.
    """

    __slots__ = ("cached",)
    cached: float | bool | str

    def __new__(cls, text: str, cached: float | bool | str) -> "Formula":
        """The formula `text` that remembers `cached`."""
        formula = super().__new__(cls, text)
        formula.cached = cached
        return formula


def _number(value: object) -> str:
    return f"><v>{_digits(value)}</v></c>"


def _truth(value: object) -> str:
    return f' t="b"><v>{int(bool(value))}</v></c>'


def _text(value: object) -> str:
    if type(value) is not str:
        raise TypeError(f"found {type(value).__name__}, expected a plain text")
    space = ' xml:space="preserve"' if value != value.strip() else ""
    return f' t="inlineStr"><is><t{space}>{_escaped(value)}</t></is></c>'


def _formula(value: object) -> str:
    if not isinstance(value, Formula):
        raise TypeError(f"found {value!r} without a cached value, expected put(cell, Formula(...))")
    if "_x" in value and _ENCODED.search(value):
        raise ValueError(f"found {value!r}: Excel decodes _xHHHH_; refer to a cell instead")
    content, cached = _marked(readable(value[1:])), value.cached
    match cached:
        case bool():  # before the numbers: True is an int
            return f' t="b"><f>{content}</f><v>{int(cached)}</v></c>'
        case str():
            return f' t="str"><f>{content}</f><v>{_escaped(cached)}</v></c>'
        case _:
            return f"><f>{content}</f><v>{_digits(cached)}</v></c>"


SPELLING: dict[str, Callable[[object], str]] = {
    "n": _number,
    "b": _truth,
    "s": _text,
    "f": _formula,
}


def spelled(kind: str, content: object) -> str:
    """The XML of a cell behind its address and look; `kind` is openpyxl's type of its content.

    Raises KeyError for an unknown kind, TypeError and ValueError for what a cell cannot hold.
    """
    return SPELLING[kind](content)


def _digits(value: object) -> str:
    """The number so that reading it gives the same float; never the minus of a minus zero."""
    if not isinstance(value, (int, float)):
        raise TypeError(f"found {type(value).__name__} {value!r}, expected int, float or bool")
    if not math.isfinite(value):
        raise ValueError(f"found the number {value}, expected a finite one, or a text in its place")
    return int.__repr__(value) if isinstance(value, int) else float.__repr__(value + 0.0)


def _escaped(text: str) -> str:
    readable(text)
    encoded = _ENCODED.sub("_x005F_", text) if "_x" in text else text
    return _marked(encoded).replace("\r", "&#13;")


def _marked(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def readable(text: str) -> str:
    """The same text; raises ValueError where a cell cannot hold it."""
    # Whatever is printable is not forbidden, and that is answered faster.
    if not text.isprintable() and (forbidden := _FORBIDDEN.search(text)):
        raise ValueError(
            f"found the character {forbidden[0]!r} in {text[:40]!r}: a workbook has none"
        )
    if len(text) * 2 > LONGEST_TEXT and len(text.encode("utf-16-le")) > 2 * LONGEST_TEXT:
        raise ValueError(f"found a text of {len(text)} characters, Excel takes {LONGEST_TEXT}")
    return text
