"""Rows of a CSV text, whichever program saved it."""

import codecs
import csv
import io

from generator.errors import UserError

DELIMITERS = ";\t,"
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
MOST_ROWS, MOST_COLUMNS = 20_000, 5_000


def rows_of(data: bytes) -> list[list[str]]:
    """The rows of a CSV; the first line decides the separator.

    Raises `UserError` for what is no text, is no table, or has absurdly many rows or columns.
    """
    text = _decoded(data)
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            rows.append(row)
            if len(rows) > MOST_ROWS or len(row) > MOST_COLUMNS:
                raise UserError(
                    f"it is a table of more than {MOST_ROWS} rows or {MOST_COLUMNS} columns"
                )
    except csv.Error as error:
        raise UserError(f"it is no CSV that can be read ({error})") from error
    return rows


def _decoded(data: bytes) -> str:
    marked = next((name for mark, name in MARKS.items() if data.startswith(mark)), "")
    for name in (marked,) if marked else ("utf-8", "cp1252"):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise UserError("it is neither a workbook, nor a PDF, nor text")
