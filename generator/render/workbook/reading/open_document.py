"""Reads an OpenDocument spreadsheet (.ods): its named areas as typed, and who made it.

Also here:

* The first sheet as texts, row by row, as a list has them.

Such a file counts repetitions instead of repeating, up to a million empty rows; nothing here is
expanded but the areas asked for.
"""

import datetime
import re
import zipfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.xml.functions import fromstring

Table = list[list[object]]
At = Callable[[int, int], object]  # the value of a cell by row and column
MOST_CELLS = 1_000_000  # of one area; a larger one is none of ours
MOST_TOGETHER = 3_000_000

_NAMES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
}
_TABLE, _TEXT = f"{{{_NAMES['table']}}}", f"{{{_NAMES['text']}}}"
_ROWS = {_TABLE + tail for tail in ("table-row-group", "table-header-rows", "table-rows")}
_CELLS = {_TABLE + tail for tail in ("table-cell", "covered-table-cell")}
_BREAKS = {_TEXT + "tab": "\t", _TEXT + "line-break": "\n"}
_TRUTHS = {"of:=TRUE()": True, "of:=FALSE()": False}  # how LibreOffice keeps those of an xlsx
_CORNER = r"(\$?[A-Z]+\$?\d+)"
_AREA = re.compile(rf"\$?(?:'((?:[^']|'')+)'|([^'!:]+?))[.!]{_CORNER}(?::(?:[^:!]*\.)?{_CORNER})?")
_TIME = re.compile(r"-?PT(\d+)H(\d+)M(\d+)")  # openpyxl's reader loses seconds with many decimals


class CellArea(NamedTuple):
    """Cells of a sheet, both corners included, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def size(self) -> int:
        """How many cells it has."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def table(self, at: At) -> Table:
        """The values `at(row, column)` of the area; no rows where it has too many cells."""
        if self.size > MOST_CELLS:
            return []
        columns = range(self.left, self.right + 1)
        return [[at(i, j) for j in columns] for i in range(self.top, self.bottom + 1)]


Place = tuple[str, CellArea | None]  # a sheet and cells of it


class CellRun(NamedTuple):
    """The same content from place `first` to before `end`: of cells a value, of rows runs."""

    first: int
    end: int
    content: Any


def read(archive: zipfile.ZipFile, mark: str) -> tuple[str, str | None, dict[str, Table]]:
    """The property that begins with `mark`, when the file was saved, the values of each name.

    The first two are "" and None where the file does not say. LibreOffice keeps an xlsx file's
    identifier as a property of its own.
    """
    meta = fromstring(archive.read("meta.xml"))
    texts = (element.text or "" for element in meta.iter())
    identifier = next((text for text in texts if text.startswith(mark)), "")
    changed = meta.findtext(".//dc:date", namespaces=_NAMES)
    content = fromstring(archive.read("content.xml"))
    sheets = {_get(sheet, "table:name"): _rows(sheet) for sheet in _all(content, "table:table")}
    places = {
        _get(named, "table:name"): area_of(_get(named, "table:cell-range-address"))
        for named in _all(content, "table:named-expressions/table:named-range")
    }
    return identifier, changed, tables(places, {k: partial(_at, v) for k, v in sheets.items()})


def tables(places: Mapping[str, Place], sheets: Mapping[str, At]) -> dict[str, Table]:
    """The values of each name, by its place; of each sheet what gives the value of a cell.

    Raises ValueError for so many cells that the file is none of ours.
    """
    areas = {name: (sheet, area) for name, (sheet, area) in places.items() if sheet in sheets}
    size = sum(min(area.size, MOST_CELLS) for _, area in areas.values() if area)
    if size > MOST_TOGETHER:
        raise ValueError(f"its names cover {size} cells, at most {MOST_TOGETHER} are read")
    return {name: area.table(sheets[sheet]) for name, (sheet, area) in areas.items() if area}


def _all(content: Any, path: str) -> Any:
    return content.iterfind(f"office:body/office:spreadsheet/{path}", _NAMES)


def _get(element: Any, name: str, default: str = "") -> str:
    prefix, _, tail = name.partition(":")
    value: str = element.get(f"{{{_NAMES[prefix]}}}{tail}", default)
    return value


def area_of(address: str) -> Place:
    """Sheet and area of `$'Head 1'.$B$4:.$E$9` or `'Head 1'!$B$4:$E$9`.

    No area where the cells are lost (`#REF!`) or whole columns.
    """
    match = _AREA.fullmatch(address)
    if not match:
        return "", None
    quoted, plain, first, last = match.groups()
    corners = (coordinate_to_tuple(corner.replace("$", "")) for corner in (first, last or first))
    return quoted.replace("''", "'") if quoted else plain, CellArea(*chain(*corners))


def shown_rows(archive: zipfile.ZipFile, most: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows of the first sheet that has any with something in them: number, texts as shown.

    ValueError for more cells than `most`, empty ones counted.
    """
    sheets = _all(fromstring(archive.read("content.xml")), "table:table")
    pages = (_runs(_row_elements(one), "rows", partial(_cells, value=_shown)) for one in sheets)
    for run in next(filter(None, pages), []):
        most -= (run.end - run.first) * run.content[-1].end
        if most < 0:
            raise ValueError("it has more cells than are read")
        row = tuple(_in(run.content, k) or "" for k in range(1, run.content[-1].end))
        yield from ((number, row) for number in range(run.first, run.end))


# Rows and cells ---------------------------------------------------------------------------------


def _runs(elements: Iterable[Any], what: str, content: Callable[[Any], Any]) -> list[CellRun]:
    """The rows, or the cells of a row, that hold something."""
    runs, first = [], 1
    for element in elements:
        end = first + int(_get(element, f"table:number-{what}-repeated", "1"))
        if (found := content(element)) is not None:
            runs.append(CellRun(first, end, found))
        first = end
    return runs


def _rows(sheet: Any) -> list[CellRun]:
    return _runs(_row_elements(sheet), "rows", _cells)


def _cells(row: Any, value: Callable[[Any], object] | None = None) -> list[CellRun] | None:
    return _runs((cell for cell in row if cell.tag in _CELLS), "columns", value or _value) or None


def _row_elements(parent: Any) -> Iterator[Any]:
    """The rows of a sheet, also grouped ones; not those of a table that stands in a cell."""
    for child in parent:
        if child.tag == _TABLE + "table-row":
            yield child
        elif child.tag in _ROWS:
            yield from _row_elements(child)


def _at(rows: list[CellRun], row: int, column: int) -> object:
    cells = _in(rows, row)
    return None if cells is None else _in(cells, column)


def _in(runs: list[CellRun], place: int) -> Any:
    k = bisect_right(runs, place, key=lambda run: run.first) - 1
    return None if k < 0 or place >= runs[k].end else runs[k].content


def _shown(cell: Any) -> str | None:
    """The text of a cell; of a number its digits, with noughts before them where it has these."""
    value = _value(cell)
    if not isinstance(value, float):
        return None if value is None else _text(cell) or str(value)
    plain, shown = f"{value:.0f}" if value == int(value) else repr(value), _text(cell) or ""
    return shown if shown.isdecimal() and shown.lstrip("0") == plain.lstrip("0") else plain


def _value(cell: Any) -> object:
    formula = _get(cell, "table:formula")
    if formula in _TRUTHS:
        return _TRUTHS[formula]
    match _get(cell, "office:value-type"):
        case "":
            return None
        case "float" | "percentage" | "currency":
            return float(_get(cell, "office:value"))
        case "boolean":
            return _get(cell, "office:boolean-value") == "true"
        case "date":
            return datetime.datetime.fromisoformat(_get(cell, "office:date-value"))
        case "time":
            return _duration(_get(cell, "office:time-value"))
        case _:
            return _text(cell)


def _text(cell: Any) -> str | None:
    lines = cell.iterfind("text:p", _NAMES)  # an annotation has its own, further down
    return "\n".join("".join(_spelled(line)) for line in lines) or None


def _duration(text: str) -> datetime.timedelta:
    if not (match := _TIME.match(text)):
        raise ValueError(f"found the time {text!r}, expected it like 'PT08H30M00S'")
    hours, minutes, seconds = map(int, match.groups())
    return datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds)


def _spelled(element: Any) -> Iterator[str]:
    """The text of a paragraph, in which runs of spaces, tabs and line breaks are elements."""
    yield element.text or ""
    for child in element:
        if child.tag == _TEXT + "s":
            yield " " * int(_get(child, "text:c", "1"))
        elif child.tag in _BREAKS:
            yield _BREAKS[child.tag]
        else:
            yield from _spelled(child)
        yield child.tail or ""
