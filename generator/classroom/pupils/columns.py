"""Which column of a class list is what, by its heading in any of the languages.

Also here:

* Texts in a CSV that a spreadsheet opens: a name that begins like a formula stays a name.
* A class list as CSV, as Excel and school administrations write it, in whichever table of signs.
* A class list as a workbook of Excel or LibreOffice: the first sheet, row by row.
* What every kind of class list is read as: rows of texts, each with its line; and which kind.
"""

import csv
import io
import re
import unicodedata
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from functools import partial
from itertools import chain, dropwhile, islice, pairwise, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from openpyxl import load_workbook

from generator.errors import UserError, message, refused, require
from generator.files import KINDS, LARGEST_LIST, begun, marked, packed, require_file
from generator.locales.folders import languages
from generator.locales.locale import locale_of
from generator.render.workbook.reading.open_document import shown_rows
from generator.render.workbook.reading.read_back import DAMAGED, UNPACKED, require_tame
from generator.resources import table

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
    places: dict[str, int]

    def id_of(self, cells: Sequence[str]) -> str:
        """What a row has for an id, before anything is found fault with."""
        place = self.places.get("id", len(cells))
        return bare(cells[place]) if place < len(cells) else ""

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


LONGEST_SHOWN = 40  # characters of a refused id, or of a line that holds no name, where it is told
ABOVE = 5  # filled rows that may stand above the heads: a title, a date


def head_row(rows: Sequence[Sequence[str]]) -> int | None:
    """Which of a list's first rows has its heads; None for a list without.

    Above the heads there may be titles. A row with one known head counts below single cells only,
    for a pupil's row may hold a word such as "no".
    """
    for k, cells in enumerate(rows):
        known = _places(cells).keys()
        alone = known & {*NAMES} and all(len(filled_of(row)) == 1 for row in rows[:k])
        if alone or (known & {"id", *NAMES} and (k == 0 or len(known) > 1)):
            return k
    return 0 if _places(rows[0]) else None


def bare_columns(rows: Sequence["ListRow | BrokenRow"], source: Path) -> tuple[int, ListColumns]:
    """The columns of a list without heads by its first rows, and how many of these are titles.

    Names are the first column of words, or the first two where that has single words; the second
    is the first name where a space stands before it, as after a comma. Numbers
    before them, or alone, that are all different are ids. `UserError` where neither is there, with
    the first line that holds no name.
    """
    pairs = enumerate(pairwise(filled_of(row.cells) for row in rows))
    titles = next((k for k, (row, after) in pairs if not _is_title(row, after)), 0)
    across = list(zip_longest(*(row.cells for row in rows[titles:]), fillvalue=""))
    filled = [[cell.strip() for cell in column if cell.strip()] for column in across]
    words = [k for k, cells in enumerate(filled) if cells and all(map(is_name, cells))]
    turned = len(words) > 1 and all(cell[:1] == " " for cell in across[words[1]] if cell)
    named = ("last", "first") if turned else ("first", "last")  # "Muster, Mia"
    places = dict(zip(named, words, strict=False))
    if places and (words[1:2] != [words[0] + 1] or all(" " in cell for cell in filled[words[0]])):
        places = {"name": words[0]}
    numbers = filled[0]
    if 0 not in words and all(map(str.isdecimal, numbers)) and len({*numbers}) == len(across[0]):
        places["id"] = 0
    known = places.keys() - {"id"} or len(across) == 1
    if not (places and known):
        found = _shown(rows[0].cells, {})
        for row in rows[titles:]:
            read = shortened(", ".join(map(bare, filled_of(row.cells))))
            told = {"line": row.line, "read": read, "found": found}
            require(any(map(is_name, row.cells)), "list.line", source=source, **told)
        raise refused("list.columns", source=source, found=found)
    return titles, ListColumns(tuple(f"column {k + 1}" for k in range(len(across))), places)


RULED = " \t\n\r\f\v\xa0-–—_=*|:."  # of rows that only part others, and of seats that are free


def filled_of(cells: Iterable[str]) -> list[str]:
    """The cells that hold something."""
    return [cell for cell in cells if bare(cell).strip(RULED)]


def bare(cell: str) -> str:
    """A text without spaces around it, and without signs of direction that a web page put there."""
    start, end = 0, len(cell)
    while start < end and _nothing(cell[start]):
        start += 1
    while start < end and _nothing(cell[end - 1]):
        end -= 1
    return cell[start:end]


def _nothing(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign) == "Cf"


def _is_title(row: Sequence[str], below: Sequence[str]) -> bool:
    """Whether a row stands above people without a head, such as "Class 8b"; a name never does."""
    return len(row) == 1 and not is_name(row[0]) and (len(below) > 1 or is_name("".join(below)))


def shortened(text: str) -> str:
    """As it is told in a message."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def is_name(text: str) -> bool:
    """Whether a text without a head can be somebody's name: some words, no figures."""
    letters = sum(map(str.isalpha, text))
    return letters > 1 and len(text.split()) < 7 and not re.search(r"[\d_@/\\:;<>|=]", text)


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
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([cell(one) for one in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def text(cell: str) -> str:
    """The text that was put into a cell."""
    return cell[len(SAFE) :] if cell.startswith(SAFE) and _FORMULA.match(cell) else cell


def delimiter(language: str) -> str:
    """What stands between cells where spreadsheets are in this language: not its decimal sign."""
    return ";" if locale_of(language).numbers.decimal == "," else ","


DELIMITERS = ";\t,|"
CHUNK = 1 << 16


class ListRow(NamedTuple):
    """The texts of one row and the line where it begins, counted from 1."""

    line: int
    cells: tuple[str, ...]


_COUNTED = re.compile(r"(?:\(?(\d{1,4})[.):]?\)?|[-–—•·*])\s+(\D+)")


class BrokenRow(NamedTuple):
    """A row that cannot be told apart from its neighbours, so that it has no cells."""

    line: int
    why: str
    cells: tuple[str, ...] = ()


def parted(row: ListRow | BrokenRow, *, counted: bool = True) -> ListRow | BrokenRow:
    """A row whose number and name stand in one cell, as of a list in a text: "3. Mia Muster".

    Or a dash and the name, or a number in a list that is not `counted`: the name.
    """
    found = _COUNTED.fullmatch(row.cells[0].strip()) if row.cells else None
    own = filter(None, found.groups()[not counted :]) if found else ()
    return ListRow(row.line, (*own, *row.cells[1:])) if found else row


def csv_rows(path: Path) -> Iterator[ListRow | BrokenRow]:
    """The rows of a CSV file, one after the other; a line that Excel puts first (sep=;) is obeyed.

    The first lines decide the separator: that of `DELIMITERS` which yields most known columns,
    else most cells. Raises `UserError` for what is no text, before the first row.
    """
    encoding = encoding_of(path)
    with path.open(encoding=encoding, newline="") as lines:
        skipped = 0
        declared = ""
        first = next(lines, "")
        while first and (not first.strip() or (not declared and _declared(first))):
            declared = declared or _declared(first)
            skipped += 1
            first = next(lines, "")
        top = [first, *islice(lines, ABOVE)]
        delimiter = declared or _delimiter(top)
        reader = csv.reader(chain(top, lines), delimiter=delimiter, strict=True)
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


def _delimiter(top: Sequence[str]) -> str:
    def worth(delimiter: str) -> tuple[int, int]:
        rows = [line.split(delimiter) for line in top if line.strip()]
        # "Muster, Mia" in some rows is no column; titles above all columns have none.
        below = list(dropwhile(lambda row: len(row) == 1, rows))
        known = max((len(_places(row)) for row in rows), default=0)
        sure = known or delimiter != "," or all(len(row) > 1 for row in below)
        return known, sum(map(len, rows)) if sure else 0

    return max(DELIMITERS, key=worth)


_TOLD = table("classroom/pupils/tables.toml")
TABLES: Mapping[str, str] = _TOLD["tables"]
TELLING = {sign: int(points) for points, signs in _TOLD["telling"].items() for sign in signs}
APART = [set(signs) for signs in _TOLD["apart"].values()]
ODD = re.compile("|".join(_TOLD["odd"].values()))
CYRILLIC = re.compile("[\u0401-\u045f\u0490\u0491]+")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")


def encoding_of(path: Path) -> str:
    """UTF-8 or UTF-16 by mark or content, else that of `TABLES` whose letters look most like names.

    Raises `UserError` where nothing of it looks like text.
    """
    with path.open("rb") as file:
        start = file.read(CHUNK)
    mark = marked(start)
    # In UTF-16 every other byte is mostly 0.
    ways = enumerate(("utf-16-be", "utf-16-le"))
    wide = [name for k, name in ways if 4 * start[k::2].count(0) > len(start)]
    for name in (mark,) if mark else ("utf-8", *wide):
        if _decodes(path, name):
            return name
    with path.open("rb") as file:
        words = {word for line in file for word in _WORD.findall(line)}
    worths = {name: sum(_worth(word.decode(name, "replace")) for word in words) for name in TABLES}
    best = max(worths, key=lambda name: worths[name])
    if not mark and worths[best] > 0 and _decodes(path, best):
        return best
    known = f"UTF-8, UTF-16, {', '.join(TABLES.values())}"
    raise refused("list.text", path=path, known=known, save=SAVE)


def _worth(word: str) -> int:
    """How much a word looks like one of a name, by its letters that not all tables have."""
    if CYRILLIC.fullmatch(word):  # no other table makes whole words of these
        told = 4 * len(word)
    else:
        told = sum(TELLING.get(sign, -4) for sign in word if not sign.isascii())
    told -= 4 * len(ODD.findall(word.lower()))
    torn = not word.isupper() and word[1:] != word[1:].lower()
    mixed = all(signs & {*word, *word.lower()} for signs in APART)
    return told - 4 * torn - 8 * mixed - word[0].islower()


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

Opened = Path | io.BytesIO  # a file, or its bytes


def xlsx_rows(path: Opened, largest: int = UNPACKED) -> Iterator[ListRow]:
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
        except DAMAGED as error:
            raise refused("list.workbook", path=path, error=error, save=SAVE) from error
        if numbered_row is None:
            return
        yield ListRow(numbered_row[0], tuple(map(_text, numbered_row[1])))


def ods_rows(path: Opened, largest: int = UNPACKED) -> Iterator[ListRow]:
    """The rows of the first sheet of an OpenDocument spreadsheet; all as `xlsx_rows`."""
    with zipfile.ZipFile(path) as archive:
        _require_tame(path, archive, largest)
        try:
            return iter([ListRow(*row) for row in shown_rows(archive, MOST_CELLS)])
        except DAMAGED as error:
            raise refused("list.workbook", path=path, error=error, save=SAVE) from error


def _require_tame(path: Opened, archive: zipfile.ZipFile, largest: int) -> None:
    try:
        require_tame(archive, largest)
    except ValueError as error:
        raise UserError(f"class list {path}: {error}; {COPY}") from None


def _cells(path: Opened, largest: int) -> Iterator[tuple[Any, ...]]:
    with zipfile.ZipFile(path) as archive:
        _require_tame(path, archive, largest)
    # openpyxl would refuse a path by its ending.
    with path if isinstance(path, io.BytesIO) else path.open("rb") as file:
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        require(book.worksheets, "list.sheets", path=path, save=SAVE)
        cells, filled = 0, False
        for page in book.worksheets:  # the first one that holds something
            page.reset_dimensions()  # some programs state a wrong size
            for row in () if filled else page.iter_rows():
                cells += len(row)
                require(cells <= MOST_CELLS, "list.cells", path=path, most=MOST_CELLS, copy=COPY)
                filled = filled or any(cell.value is not None for cell in row)
                yield row


def _text(cell: Any) -> str:
    value = cell.value
    if value is None or cell.data_type == "e":
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


# How further files begin that are sometimes taken for a list.
SIGNATURES = {
    b"%PDF": "a PDF",
    b"\xff\xfe\x00\x00": "text in UTF-32",
    b"\x00\x00\xfe\xff": "text in UTF-32",
}
OPEN_DOCUMENT = "an OpenDocument file without a sheet"
SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"
CALLED: Mapping[str, str] = KINDS["called"]


def kind_of(path: Path) -> str:
    """One of "csv", "xlsx" and "ods", told from what is in the file, not from its name.

    Raises `UserError` for a file that is missing, a folder or closed to the reader, and for one
    that is no list; it says what it is.
    """
    start = _start(path)
    own = (what for signature, what in SIGNATURES.items() if start.startswith(signature))
    what = CALLED.get(begun(start)) or next(own, "")
    require(not what, "list.kind", path=path, what=what, save=SAVE)
    return _kind_of_archive(path) if start.startswith(b"PK") else "csv"


def _start(path: Path) -> bytes:
    require_file(path, "class list", LARGEST_LIST)
    try:
        with path.open("rb") as file:
            return file.read(8)
    except FileNotFoundError:
        raise refused("list.missing", path=path) from None
    except IsADirectoryError:
        raise refused("list.folder", path=path) from None
    except OSError as error:
        raise refused("file.unread", what="class list", path=path, error=error) from None


def _kind_of_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            inside = archive.namelist()
            kind = archive.open("mimetype").read(99) if "mimetype" in inside else b""
    except DAMAGED:
        raise refused("list.damaged", path=path, save=SAVE) from None
    if kind == SPREADSHEET:
        return "ods"
    if "xl/workbook.xml" in inside:
        return "xlsx"
    what = CALLED.get(packed(inside)) or OPEN_DOCUMENT * ("content.xml" in inside)
    require(not what, "list.kind", path=path, what=what, save=SAVE)
    raise refused("list.archive", path=path, save=SAVE)
