"""A class list as a workbook: the first sheet, row by row."""

import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from generator.classroom.rows import SAVE, Row
from generator.errors import UserError

LARGEST = 500_000_000  # bytes, unpacked
DIGITS = re.compile("0+")  # the number format that shows 7 as 007
# What zipfile, the XML parsers and openpyxl raise on damaged files.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, SyntaxError, OSError, EOFError),
    *(KeyError, ValueError, TypeError, IndexError, AttributeError, ArithmeticError),
    *(NotImplementedError, RuntimeError),
)


def xlsx_rows(path: Path) -> Iterator[Row]:
    """The rows of the first sheet as texts, as cells show them: 7 is "7", with format 000 "007".

    Of a formula the value that was last saved. Raises `UserError` for a damaged file, which may
    show in its middle only.
    """
    # Rows without a value are passed by here: there may be a million of them above the last cell.
    filled = ((n, row) for n, row in enumerate(_cells(path), 1) if any(map(_holds, row)))
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of openpyxl, about looks that it drops
                numbered_row = next(filled, None)
        except _BROKEN as error:
            raise UserError(
                f"class list {path}: the workbook is damaged ({type(error).__name__}); open it in "
                f"the program that saved it and {SAVE}"
            ) from error
        if numbered_row is None:
            return
        yield Row(numbered_row[0], tuple(map(_text, numbered_row[1])))


def _holds(cell: Any) -> bool:
    return cell.value is not None


def _cells(path: Path) -> Iterator[tuple[Any, ...]]:
    with zipfile.ZipFile(path) as archive:
        if (size := sum(member.file_size for member in archive.infolist())) > LARGEST:
            raise ValueError(f"it unpacks to {size} bytes")
    with path.open("rb") as file:  # openpyxl would refuse a path by its ending
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        if not book.worksheets:
            raise UserError(f"class list {path}: the workbook has no sheet with cells; {SAVE}")
        page = book.worksheets[0]
        page.reset_dimensions()  # some programs state a wrong size
        yield from page.iter_rows()


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        plain = str(int(value)) if value == int(value) else repr(value)
        return plain.zfill(len(cell.number_format)) if _padded(cell, plain) else plain
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _padded(cell: Any, plain: str) -> bool:
    return plain.isdecimal() and DIGITS.fullmatch(cell.number_format or "") is not None
