"""Saves an openpyxl workbook as bytes: formulas with their values, texts that stay texts.

openpyxl writes formulas without values, so previewers show empty cells and LibreOffice, which
does not recalculate on loading, would show nothing of ours. Here each formula carries its value.
The rows are spelled here and the rest is openpyxl's: written for openpyxl 3.1.x, whose internals
used are `WorksheetWriter.write_rows`, `.write_drawings`, `.rows`, `.xf`, `.out`, `._rels`,
`ExcelWriter.write_worksheet`, `._archive`, `SpreadsheetDrawing._chart_frame`, `Cell._value`,
`._style`, `._comment`, `Worksheet._cells` and `Workbook._cell_styles`.

Also here:

* A text, a number or a formula in a cell, in a style that it shares with others.
* How the contents of cells are spelled in the XML of a sheet: exactly, and so that they stay.
"""

import datetime
import io
import math
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from openpyxl.cell.cell import Cell
from openpyxl.chart._chart import ChartBase
from openpyxl.comments.comment_sheet import CommentRecord
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.styles.cell_style import StyleArray
from openpyxl.utils import get_column_letter
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter
from openpyxl.xml.functions import Element

from generator.output import still

STAMP = datetime.datetime(2000, 1, 1)
# What Excel marks with a green triangle though it is meant: a formula unlike its neighbours, a sum
# that leaves out the number beside it, a choice that can be overwritten, a token that is a digit.
MEANT = ("formula", "formulaRange", "unlockedFormula", "numberStoredAsText")
_ROWS = "rows"
_ROWS_PLACE = b"<sheetData>rows</sheetData>"


def describe(chart: ChartBase, title: str, text: str) -> None:
    """Gives a chart what a screen reader says of it: a short title and a text in its place.

    Raises ValueError where one of them is empty.
    """
    if not title.strip() or not text.strip():
        raise ValueError(f"found the title {title!r} and the text {text!r}, expected both")
    chart.described = readable(title), readable(text)


def to_bytes(workbook: Workbook) -> bytes:
    """The xlsx file; the same workbook gives the same bytes at any time and in any process.

    A long table is saved without keeping its cells, as a write-only workbook; all else has our
    spelling. Sets the workbook's created and modified dates to a fixed one. Raises TypeError or
    ValueError with sheet and cell for a content that has no spelling here: a formula without a
    cached value, a date, an error, rich text, a number that is not finite; and for a chart that is
    not described.
    """
    workbook.properties.created = workbook.properties.modified = STAMP
    out = io.BytesIO()
    with StillZip(out, "w") as archive:
        (ExcelWriter if workbook.write_only else _Writer)(workbook, archive).write_data()
    return out.getvalue()


class StillZip(zipfile.ZipFile):
    """A zip archive whose members have one date and one owner, whatever clock and system.

    It also takes members from files, as openpyxl's write-only sheets come.
    """

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        """Adds a member; `zinfo_or_arcname` is always a name here, and its stamp is ours."""
        super().writestr(still(zinfo_or_arcname), data, zipfile.ZIP_DEFLATED, 6)

    def write(self, filename: Any, arcname: Any = None, *_: Any) -> None:
        """Adds a file's content piece by piece; its date is not looked at."""
        with Path(filename).open("rb") as source, self.open(still(arcname), "w") as target:
            shutil.copyfileobj(source, target)


class _Writer(ExcelWriter):
    """openpyxl's writer of all parts, with our spelling of the sheets."""

    def write_worksheet(self, ws: Any) -> None:
        """Adds the member of one sheet and remembers what it is related to."""
        if not all(hasattr(chart, "described") for chart in ws._charts):
            raise ValueError(f"{ws.title}: found a chart without a description, expected describe")
        ws._drawing = _Drawing()
        ws._drawing.charts = ws._charts
        ws._drawing.images = ws._images
        writer = _SheetWriter(ws)
        self._archive.writestr(ws.path[1:], writer.xml())
        ws._rels = writer._rels
        self.manifest.append(ws)


class _Drawing(SpreadsheetDrawing):
    """openpyxl's drawing of one sheet, whose charts say in words what they show."""

    __elements__ = SpreadsheetDrawing.__elements__

    def _chart_frame(self, idx: int) -> Any:
        frame = super()._chart_frame(idx)
        names = frame.nvGraphicFramePr.cNvPr
        names.name, names.descr = self.charts[idx - 1].described
        names.title = names.name
        return frame


class _SheetWriter(WorksheetWriter):
    """openpyxl's writer of one sheet; where it would put the rows it leaves a place for ours."""

    ws: Worksheet
    out: io.BytesIO
    _rels: Any

    def __init__(self, ws: Worksheet) -> None:
        super().__init__(ws, io.BytesIO())
        self._looks: dict[bytes, str] = {}
        self._letters = [""] + [get_column_letter(i + 1) for i in range(ws.max_column)]

    def xml(self) -> bytes:
        """The sheet's XML."""
        try:
            self.write()
        except Exception:
            self.xf.close()  # else lxml 5 closes it some time later, when `out` is gone
            raise
        before, place, after = self.out.getvalue().partition(_ROWS_PLACE)
        if not place:
            raise RuntimeError("openpyxl wrote no place for the rows: this needs openpyxl 3.1.x")
        return b"".join((before, b"<sheetData>", self._body, b"</sheetData>", after))

    def write_rows(self) -> None:
        """Spells the rows and writes only a place for them."""
        # Spelled now, not later: the parts after the rows need the hyperlinks met on the way.
        rows = []
        for number, cells in self.rows():
            known = self.ws.row_dimensions.get(number)
            attributes = "".join(f' {key}="{value}"' for key, value in known) if known else ""
            row = "".join(self._cells(number, cells))
            rows.append(f'<row r="{number}"{attributes}>{row}</row>')
        self._body = "".join(rows).encode()
        stream: Any = self.xf.send(True)
        with stream.element("sheetData"):
            stream.write(_ROWS)
        self.xf.send(None)

    def write_drawings(self) -> None:
        """Before the drawings, as the schema has it: what is no error on this sheet."""
        cells = {"sqref": self.ws.calculate_dimension(), **dict.fromkeys(MEANT, "1")}
        errors = Element("ignoredErrors")
        errors.append(Element("ignoredError", cells))
        self.xf.send(errors)
        super().write_drawings()

    def _cells(self, row: int, cells: Iterable[Any]) -> Iterator[str]:
        letters, looks = self._letters, self._looks
        for cell in cells:
            if cell._comment is not None:
                self.ws._comments.append(CommentRecord.from_cell(cell))
            if cell.hyperlink is not None:
                self.ws._hyperlinks.append(cell.hyperlink)
            style, value = cell._style, cell._value
            look = "" if style is None else looks.get(style.tobytes())
            if look is None:
                look = self._look(style)
            if value is None or (cell.data_type == "s" and value == ""):
                yield f'<c r="{letters[cell.column]}{row}"{look}/>'
                continue
            try:
                content = spelled(cell.data_type, value)
            except (KeyError, TypeError, ValueError) as error:
                raise _named(error, cell) from error
            yield f'<c r="{letters[cell.column]}{row}"{look}{content}'

    def _look(self, style: Any) -> str:
        """The attribute for a cell's look; asking openpyxl once a look and not once a cell."""
        number = self.ws.parent._cell_styles.add(style) if any(style) else 0
        self._looks[style.tobytes()] = attribute = f' s="{number}"' if number else ""
        return attribute


def _named(error: Exception, cell: Any) -> Exception:
    """The same error, beginning with the sheet and the cell."""
    where = f"{cell.parent.title}!{cell.coordinate}"
    if isinstance(error, KeyError):
        known = "number, truth value, text or formula"
        return TypeError(f"{where}: found {cell._value!r} (type {error}), expected {known}")
    return type(error)(f"{where}: {error}")


LONGEST_TEXT = 32_767  # UTF-16 units, Excel's limit; openpyxl would cut silently
LONGEST_FORMULA = 8_192

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENCODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # Excel reads _x0041_ as the letter A


class CellFormula(str):
    """A formula with its leading `=`, and in `cached` the value that a reader sees uncomputed.

    A cached value is a finite number, a truth value or a text; where a step is minus infinity
    the caller gives the text that the formula itself yields.
    """

    __slots__ = ("cached",)
    cached: float | bool | str

    def __new__(cls, text: str, cached: float | bool | str) -> "CellFormula":
        """The formula `text` that remembers `cached`."""
        formula = super().__new__(cls, text)
        formula.cached = cached
        return formula


def spelled(kind: str, content: object) -> str:
    """The XML of a cell behind its address and look; `kind` is openpyxl's type of its content.

    Raises KeyError for an unknown kind, TypeError and ValueError for what a cell cannot hold.
    """
    match kind, content:
        case "n", _:
            return f"><v>{_digits(content)}</v></c>"
        case "b", _:
            return f' t="b"><v>{int(bool(content))}</v></c>'
        case "s", str() if type(content) is str:
            space = ' xml:space="preserve"' if content != content.strip() else ""
            return f' t="inlineStr"><is><t{space}>{_escaped(content)}</t></is></c>'
        case "s", _:
            raise TypeError(f"found {type(content).__name__}, expected a plain text")
        case "f", CellFormula():
            return _formula(content)
        case "f", _:
            raise TypeError(
                f"found {content!r} without a cached value, expected put(cell, Formula(...))"
            )
    raise KeyError(kind)


def _formula(value: CellFormula) -> str:
    if "_x" in value and _ENCODED.search(value):
        raise ValueError(f"found {value!r}: Excel decodes _xHHHH_; refer to a cell instead")
    content, cached = escape(readable(value[1:])), value.cached
    if isinstance(cached, bool):  # before the numbers: True is an int
        return f' t="b"><f>{content}</f><v>{int(cached)}</v></c>'
    if isinstance(cached, str):
        return f' t="str"><f>{content}</f><v>{_escaped(cached)}</v></c>'
    return f"><f>{content}</f><v>{_digits(cached)}</v></c>"


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
    return escape(encoded, {"\r": "&#13;"})


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


class SharedStyle(StyleArray):
    """The style of many cells at once: quicker and smaller than a copy a cell.

    Changing the font or anything else of one of these cells would change them all, so it raises
    TypeError; a copy can be changed again.
    """

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("found a style that cells share, expected one of the cell's own: copy it")


def cell_at(page: Worksheet, row: int, column: int, style: StyleArray | None = None) -> Cell:
    """The page's cell there, made if need be, with this style if one is given; not copied.

    As `page.cell`, in half the time: rows and columns count from 1 and are not checked.
    """
    cell = page._cells.get((row, column))
    if cell is None:
        cell = page._cells[row, column] = Cell(page, row, column)
    if style is not None:
        cell._style = style
    return cell


def put(cell: Cell, content: float | str) -> None:
    """Makes `cell` hold a number, compute a `CellFormula`, or hold exactly a text.

    Assigning `cell.value` would lose a formula's cached value, see a formula or an error in a
    text, and look for dates. Raises ValueError for a formula without `=`, for control characters,
    and for what is longer than Excel takes.
    """
    match content:
        case CellFormula():
            if content[:1] != "=" or not 1 < len(content) <= LONGEST_FORMULA:
                raise ValueError(
                    f"{cell.coordinate}: found {content[:40]!r} ({len(content)} characters), "
                    f"expected a formula with a leading '=', at most {LONGEST_FORMULA} characters"
                )
            cell._value, cell.data_type = content, "f"
        case str():
            cell._value, cell.data_type = readable(content), "s"
        case _:
            cell._value, cell.data_type = content, "n"
