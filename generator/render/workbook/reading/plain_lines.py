"""Reads the lines of a long table of ours back, see `plain_table`."""

import io
from zipfile import BadZipFile

from openpyxl import load_workbook

# What zipfile and openpyxl raise on files that somebody edited or that were damaged.
BROKEN = (BadZipFile, KeyError, ValueError, TypeError, IndexError, AttributeError, OSError)


def lines_of(content: bytes) -> list[tuple[object, ...]]:
    """The lines of all tabs below their headings; one of `BROKEN` for what is no such table."""
    book = load_workbook(io.BytesIO(content), read_only=True)
    return [line for page in book.worksheets for line in page.iter_rows(2, values_only=True)]
