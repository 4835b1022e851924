"""Texts in a CSV that a spreadsheet opens: a name that begins like a formula stays a name."""

import re

from generator.locales.locale import locale_of

# A spreadsheet computes what begins so, and a formula may start programs; a number does no harm.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
SAFE = "'"


def cell(text: str) -> str:
    """The text as it is put into a cell: with an apostrophe before what looks like a formula."""
    return SAFE + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def text(cell: str) -> str:
    """The text that was put into a cell."""
    return cell[len(SAFE) :] if cell.startswith(SAFE) and _FORMULA.match(cell) else cell


def delimiter(language: str) -> str:
    """What stands between cells where spreadsheets are in this language: not its decimal sign."""
    return ";" if locale_of(language).numbers.decimal == "," else ","
