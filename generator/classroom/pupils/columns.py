"""Which column of a class list is what, by its heading in any of the languages.

Also here:

* Texts in a CSV that a spreadsheet opens: a name that begins like a formula stays a name.
* A class list as CSV, as Excel and school administrations write it.
* A class list as a workbook: the first sheet, row by row.
* What every kind of class list is read as: rows of texts, each with its line; and which kind.
"""

import codecs
import csv
import io
import re
import unicodedata
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from openpyxl import load_workbook

from generator.errors import UserError, message, refused, require
from generator.files import LARGEST_LIST, require_file
from generator.locales.folders import languages
from generator.locales.locale import locale_of
from generator.render.workbook.reading.read_back import UNPACKED, require_tame

ID = ("id", "code", "personal", "running")  # what may stand for an id, the surest first
NAMES = ("name", "first", "last")
KNOWN = (*NAMES, "sentence", "preset", "level", "language", "group")


def synonyms() -> dict[str, list[str]]:
    """How each column may be headed in any language; where several match, the first is taken."""
    known = [locale_of(language).headings for language in languages()]
    headings = {
        kind: [one for table in known for one in getattr(table, kind)] for kind in ID + KNOWN
    }
    return {"id": [one for kind in ID for one in headings.pop(kind)], **headings}


class ListColumns(NamedTuple):
    """The headings of a list, and the number of the column of each known one."""

    headings: tuple[str, ...]
    places: Mapping[str, int]

    def heading(self, what: str) -> str:
        """How the list calls a known column."""
        return self.headings[self.places[what]]


def found_columns(cells: Sequence[str], source: Path) -> ListColumns:
    """The columns by the cells of the heading; `UserError` where none is for ids or for names."""
    headings = tuple(unicodedata.normalize("NFC", cell.strip()) for cell in cells)
    known = {name for names in synonyms().values() for name in names}
    plain = [_plain(heading) for heading in headings]
    for k, name in enumerate(plain):
        twice = name in known and name in plain[:k]
        require(not twice, "list.twice", source=source, heading=headings[k])
    headings, places = _numbered(headings), _places(cells)
    some = places.keys() & {"id", *NAMES}
    require(some, "list.columns", source=source, found=_shown(headings, places))
    return ListColumns(headings, places)


def _numbered(headings: tuple[str, ...]) -> tuple[str, ...]:
    """The headings; a further column of the same name is "seat (2)"."""
    counts = [headings[: k + 1].count(heading) for k, heading in enumerate(headings)]
    return tuple(
        f"{heading} ({count})" if heading and count > 1 else heading
        for heading, count in zip(headings, counts, strict=True)
    )


def _shown(headings: tuple[str, ...], places: Mapping[str, int]) -> str:
    """Headings are told only where they surely are: without any, a first line holds a name."""
    filled = [heading for heading in headings if heading]
    if places:
        return f"the columns {', '.join(filled)}"
    return f"{len(filled)} cell{'s' if len(filled) != 1 else ''} and no known heading at the top"


def _places(cells: Sequence[str]) -> dict[str, int]:
    plain = [_plain(cell) for cell in cells]
    found = {what: [n for n in names if n in plain] for what, names in synonyms().items()}
    return {what: plain.index(names[0]) for what, names in found.items() if names}


def _plain(heading: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFC", heading).casefold())


# A spreadsheet computes what begins so, and a formula may start programs; a number does no harm.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
SAFE = "'"


def cell(text: str) -> str:
    """The text as it is put into a cell: with an apostrophe before what looks like a formula."""
    return SAFE + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def written(rows: Iterable[Iterable[str]], delimiter: str) -> bytes:
    """Rows as a CSV that a spreadsheet opens as it is: with a mark, CRLF, and texts kept texts."""
    out = io.StringIO()
    table = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    table.writerows([cell(one) for one in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def text(cell: str) -> str:
    """The text that was put into a cell."""
    return cell[len(SAFE) :] if cell.startswith(SAFE) and _FORMULA.match(cell) else cell


def delimiter(language: str) -> str:
    """What stands between cells where spreadsheets are in this language: not its decimal sign."""
    return ";" if locale_of(language).numbers.decimal == "," else ","


DELIMITERS = ";\t,"
CHUNK = 1 << 16
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class ListRow(NamedTuple):
    """The texts of one row and the line where it begins, counted from 1."""

    line: int
    cells: tuple[str, ...]


class BrokenRow(NamedTuple):
    """A row that cannot be told apart from its neighbours."""

    line: int
    why: str


def csv_rows(path: Path) -> Iterator[ListRow | BrokenRow]:
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
        reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
        while True:
            line = skipped + reader.line_num + 1
            try:
                yield ListRow(line, tuple(next(reader)))
            except StopIteration:
                return
            except csv.Error as error:
                long = message("list.long", most=csv.field_size_limit())
                yield BrokenRow(line, long if "limit" in str(error) else message("list.open"))


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
        return len(_places(cells)), len(cells)

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
    try:
        with path.open(encoding=encoding, newline="") as file:
            return all("\0" not in part for part in iter(partial(file.read, CHUNK), ""))
    except UnicodeDecodeError:
        return False


MOST_CELLS = 10_000_000  # each row has those up to its last one, empty ones too
DIGITS = re.compile("0+")  # the number format that shows 7 as 007


SAVE = "save the list as CSV UTF-8 or as XLSX"
COPY = f"copy the filled rows into a new workbook without a password and {SAVE}"
# What zipfile, the XML parsers and openpyxl raise on damaged files.
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, SyntaxError, OSError, EOFError),
    *(KeyError, ValueError, TypeError, IndexError, AttributeError, ArithmeticError),
    *(NotImplementedError, RuntimeError),
)


def xlsx_rows(path: Path, largest: int = UNPACKED) -> Iterator[ListRow]:
    """The rows of the first sheet as texts, as cells show them: 7 is "7", with format 000 "007".

    Of a formula the value that was last saved. Raises `UserError` for a file that unpacks to more
    than `largest` bytes, and for a damaged one, which may show in its middle only.
    """
    # Rows without a value are passed by here: there may be a million of them above the last cell.
    rows = enumerate(_cells(path, largest), 1)
    filled = ((n, row) for n, row in rows if any(cell.value is not None for cell in row))
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of openpyxl, about looks that it drops
                numbered_row = next(filled, None)
        except _BROKEN as error:
            raise refused("list.workbook", path=path, error=error, save=SAVE) from error
        if numbered_row is None:
            return
        yield ListRow(numbered_row[0], tuple(map(_text, numbered_row[1])))


def _cells(path: Path, largest: int) -> Iterator[tuple[Any, ...]]:
    with zipfile.ZipFile(path) as archive:
        try:
            require_tame(archive, largest)
        except ValueError as error:
            raise UserError(f"class list {path}: {error}; {COPY}") from None
    with path.open("rb") as file:  # openpyxl would refuse a path by its ending
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        require(book.worksheets, "list.sheets", path=path, save=SAVE)
        page = book.worksheets[0]
        page.reset_dimensions()  # some programs state a wrong size
        cells = 0
        for row in page.iter_rows():
            cells += len(row)
            require(cells <= MOST_CELLS, "list.cells", path=path, most=MOST_CELLS, copy=COPY)
            yield row


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


# How files begin that are sometimes taken for a list.
SIGNATURES = {
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "a file of old Excel or Word versions (.xls, .doc), or has a password",
    b"{\\rtf": "a text document (RTF)",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\xff\xfe\x00\x00": "text in UTF-32",
    b"\x00\x00\xfe\xff": "text in UTF-32",
}
INSIDE = {
    "xl/workbook.xml": "",
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation",
    "content.xml": "an OpenDocument file",
    "xl/workbook.bin": "a binary workbook (.xlsb)",
}


def kind_of(path: Path) -> str:
    """Either "csv" or "xlsx", told from what is in the file, not from its name.

    Raises `UserError` for a file that is missing, a folder or closed to the reader, and for one
    that is no list; it says what it is.
    """
    start = _start(path)
    for signature, what in SIGNATURES.items():
        other = start.startswith(signature)
        require(not other, "list.kind", path=path, what=what, save=SAVE)
    return _kind_of_archive(path) if start.startswith(b"PK") else "csv"


def _start(path: Path) -> bytes:
    require_file(path, "class list", LARGEST_LIST)
    try:
        with path.open("rb") as file:
            return file.read(8)
    except FileNotFoundError:
        raise refused("list.missing", path=path) from None
    except IsADirectoryError:
        raise UserError(f"class list {path}: this is a folder; expected a file in it") from None
    except OSError as error:
        raise refused("file.unread", what="class list", path=path, error=error) from None


def _kind_of_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            inside = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise refused("list.damaged", path=path, save=SAVE) from None
    for member, what in INSIDE.items():
        if member in inside:
            require(not what, "list.kind", path=path, what=what, save=SAVE)
            return "xlsx"
    raise UserError(f"class list {path}: this is an archive without a workbook; {SAVE}")
