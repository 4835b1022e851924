"""A class list as CSV, as Excel and school administrations write it."""

import codecs
import csv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from generator.classroom.columns import known_columns
from generator.classroom.rows import SAVE, Broken, Row
from generator.errors import UserError

DELIMITERS = ";\t,"
CHUNK = 1 << 16
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
NEVER_CLOSED = (
    'a quotation mark (") opens a cell here and is not closed as it should be: close it before '
    "the next separator, or write it twice"
)

TOO_LONG = (
    f"a cell holds more than {csv.field_size_limit():,} characters; expected an id, a name or "
    "a sentence"
)


def csv_rows(path: Path) -> Iterator[Row | Broken]:
    """The rows of a CSV file, one after the other; a line that Excel puts first (sep=;) is obeyed.

    The heading decides the separator: semicolon, tab or comma, whichever yields most known
    columns. Raises `UserError` for text in an unknown encoding, before the first row.
    """
    encoding = _encoding(path)
    with path.open(encoding=encoding, newline="") as lines:
        skipped = 0
        declared = ""
        first = next(lines, "")
        while first and (not first.strip() or (not declared and _declared(first))):
            declared = declared or _declared(first)
            skipped += 1
            first = next(lines, "")
        delimiter = declared or _delimiter(first)
        yield from _parsed(chain([first], lines), delimiter, skipped)


def _parsed(lines: Iterator[str], delimiter: str, skipped: int) -> Iterator[Row | Broken]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = skipped + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Broken(line, TOO_LONG if "limit" in str(error) else NEVER_CLOSED)
            continue
        yield Row(line, tuple(cells))


def _declared(line: str) -> str:
    """The separator that a line such as sep=; states; "" for another line."""
    stripped = line.strip("\r\n").strip('"')
    if stripped[:4].casefold() == "sep=" and len(stripped) == 5:
        return stripped[4]
    return ""


def _delimiter(heading: str) -> str:
    def worth(delimiter: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([heading], delimiter=delimiter), [])
        except csv.Error:  # a cell is too long, which is told where the lines are read
            return 0, 0
        return known_columns(cells), len(cells)

    return max(DELIMITERS, key=worth)


def _encoding(path: Path) -> str:
    """UTF-8 or UTF-16 by mark, else UTF-8 where all of it is, else Windows-1252."""
    with path.open("rb") as file:
        start = file.read(3)
    marked = next((name for mark, name in MARKS.items() if start.startswith(mark)), "")
    for name in (marked,) if marked else ("utf-8", "cp1252"):
        if _decodes(path, name):
            return name
    known = "UTF-8, UTF-16 or Windows-1252"
    raise UserError(f"class list {path}: this is not text in {known}; {SAVE}")


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        try:
            while part := file.read(CHUNK):
                if "\0" in decoder.decode(part):
                    return False
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True
