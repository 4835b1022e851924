"""Saves an openpyxl workbook as bytes: formulas with their values, texts that stay texts.

openpyxl writes formulas without values, so previewers show empty cells and LibreOffice, which
does not recalculate on loading, would show nothing of ours. Here each formula carries its value.
The rows are spelled here and the rest is openpyxl's: written for openpyxl 3.1.x, whose internals
used are `WorksheetWriter.write_rows`, `.rows`, `.xf`, `.out`, `._rels`, `ExcelWriter
.write_worksheet`, `._archive`, `Cell._value`, `._style` and `Workbook._cell_styles`.
"""

import datetime
import io
import math
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from xml.sax.saxutils import escape

from openpyxl.cell.cell import Cell
from openpyxl.comments.comment_sheet import CommentRecord
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.utils import get_column_letter
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

STAMP = datetime.datetime(2000, 1, 1)
LONGEST_TEXT = 32_767  # UTF-16 units, Excel's limit; openpyxl would cut silently
LONGEST_FORMULA = 8_192

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENCODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # Excel reads _x0041_ as the letter A
_ROWS = "rows"
_ROWS_PLACE = b"<sheetData>rows</sheetData>"


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


def put(cell: Cell, formula: Formula) -> None:
    """Makes `cell` compute `formula`; assigning `cell.value` would lose the cached value.

    Raises ValueError for a text without `=` and for one longer than Excel takes.
    """
    if formula[:1] != "=" or not 1 < len(formula) <= LONGEST_FORMULA:
        raise ValueError(
            f"{cell.coordinate}: found {formula[:40]!r} ({len(formula)} characters), "
            f"expected a formula with a leading '=' and at most {LONGEST_FORMULA} characters"
        )
    cell._value = formula
    cell.data_type = "f"


def put_text(cell: Cell, text: str) -> None:
    """Makes `cell` hold exactly `text`, also where openpyxl would see a formula or an error.

    Raises ValueError for control characters and for a text longer than Excel takes.
    """
    cell._value = _readable(text)
    cell.data_type = "s"


def to_bytes(workbook: Workbook) -> bytes:
    """The xlsx file; the same workbook gives the same bytes at any time and in any process.

    Sets the workbook's created and modified dates to a fixed one. Raises TypeError or ValueError
    with sheet and cell for a content that has no spelling here: a formula without a cached
    value, a date, an error, rich text, a number that is not finite.
    """
    if workbook.write_only:
        raise TypeError("found a write-only workbook, expected one that keeps its cells")
    workbook.properties.created = workbook.properties.modified = STAMP
    out = io.BytesIO()
    with _StillZip(out, "w") as archive:
        _Writer(workbook, archive).write_data()
    return out.getvalue()


class _StillZip(zipfile.ZipFile):
    """A zip archive whose members have one date and one owner, whatever clock and system."""

    def writestr(
        self,
        zinfo_or_arcname: Any,
        data: Any,
        compress_type: int | None = zipfile.ZIP_DEFLATED,
        compresslevel: int | None = 6,
    ) -> None:
        """Adds a member; `zinfo_or_arcname` is always a name here, and its stamp is ours."""
        member = zipfile.ZipInfo(zinfo_or_arcname, (1980, 1, 1, 0, 0, 0))
        member.create_system = 3
        member.external_attr = 0o600 << 16
        super().writestr(member, data, compress_type, compresslevel)


class _Writer(ExcelWriter):
    """openpyxl's writer of all parts, with our spelling of the sheets."""

    _archive: zipfile.ZipFile

    def write_worksheet(self, ws: Any) -> None:
        """Adds the member of one sheet and remembers what it is related to."""
        ws._drawing = SpreadsheetDrawing()
        ws._drawing.charts = ws._charts
        ws._drawing.images = ws._images
        writer = _SheetWriter(ws)
        self._archive.writestr(ws.path[1:], writer.xml())
        ws._rels = writer._rels
        self.manifest.append(ws)


class _SheetWriter(WorksheetWriter):
    """openpyxl's writer of one sheet; where it would put the rows it leaves a place for ours."""

    ws: Worksheet
    out: io.BytesIO
    _rels: Any

    def __init__(self, ws: Worksheet) -> None:
        super().__init__(ws, io.BytesIO())
        self._styles: dict[bytes, str] = {}
        self._letters = [""] + [get_column_letter(i + 1) for i in range(ws.max_column)]

    def xml(self) -> bytes:
        """The sheet's XML."""
        self.write()
        before, place, after = self.out.getvalue().partition(_ROWS_PLACE)
        if not place:
            raise RuntimeError("openpyxl wrote no place for the rows: this needs openpyxl 3.1.x")
        return b"".join((before, b"<sheetData>", self._body, b"</sheetData>", after))

    def write_rows(self) -> None:
        """Spells the rows and writes only a place for them."""
        # Spelled now, not later: the parts after the rows need the hyperlinks met on the way.
        self._body = "".join(self._row(number, cells) for number, cells in self.rows()).encode()
        stream: Any = self.xf.send(True)
        with stream.element("sheetData"):
            stream.write(_ROWS)
        self.xf.send(None)

    def _row(self, number: int, cells: Iterable[Any]) -> str:
        look = dict(self.ws.row_dimensions.get(number, ()))
        attributes = "".join(f' {key}="{value}"' for key, value in look.items())
        return f'<row r="{number}"{attributes}>{"".join(self._cells(cells))}</row>'

    def _cells(self, cells: Iterable[Any]) -> Iterator[str]:
        letters, style = self._letters, self._style
        for cell in cells:
            self._collect(cell)
            opening = f'<c r="{letters[cell.column]}{cell.row}"{style(cell._style)}'
            value = cell._value
            if value is None or value == "":
                yield opening + "/>"
                continue
            try:
                yield opening + _SPELLING[cell.data_type](value)
            except (KeyError, TypeError, ValueError) as error:
                raise _named(error, cell) from error

    def _style(self, style: Any) -> str:
        """The attribute for a cell's look; asking openpyxl once a look and not once a cell."""
        if style is None:
            return ""
        key = style.tobytes()
        if key not in self._styles:
            number = self.ws.parent._cell_styles.add(style) if any(style) else 0
            self._styles[key] = f' s="{number}"' if number else ""
        return self._styles[key]

    def _collect(self, cell: Any) -> None:
        if cell._comment is not None:
            self.ws._comments.append(CommentRecord.from_cell(cell))
        if cell.hyperlink is not None:
            self.ws._hyperlinks.append(cell.hyperlink)


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
    if _ENCODED.search(value):
        raise ValueError(f"found {value!r}: Excel decodes _xHHHH_; refer to a cell instead")
    content = escape(_readable(value[1:]))
    match value.cached:
        case bool():  # before the numbers: True is an int
            return f' t="b"><f>{content}</f><v>{int(value.cached)}</v></c>'
        case str():
            return f' t="str"><f>{content}</f><v>{_escaped(value.cached)}</v></c>'
        case _:
            return f"><f>{content}</f><v>{_digits(value.cached)}</v></c>"


_SPELLING: dict[str, Callable[[object], str]] = {
    "n": _number,
    "b": _truth,
    "s": _text,
    "f": _formula,
}


def _digits(value: object) -> str:
    """The number so that reading it gives the same float; never the minus of a minus zero."""
    if not isinstance(value, (int, float)):
        raise TypeError(f"found {type(value).__name__} {value!r}, expected int, float or bool")
    if not math.isfinite(value):
        raise ValueError(f"found the number {value}, expected a finite one, or a text in its place")
    return int.__repr__(value) if isinstance(value, int) else float.__repr__(value + 0.0)


def _escaped(text: str) -> str:
    return escape(_ENCODED.sub("_x005F_", _readable(text)), {"\r": "&#13;"})


def _readable(text: str) -> str:
    if found := _FORBIDDEN.search(text):
        raise ValueError(f"found the character {found[0]!r} in {text[:40]!r}: a workbook has none")
    if len(text) * 2 > LONGEST_TEXT and len(text.encode("utf-16-le")) > 2 * LONGEST_TEXT:
        raise ValueError(f"found a text of {len(text)} characters, Excel takes {LONGEST_TEXT}")
    return text


def _named(error: Exception, cell: Any) -> Exception:
    """The same error, beginning with the sheet and the cell."""
    where = f"{cell.parent.title}!{cell.coordinate}"
    if isinstance(error, KeyError):
        known = "number, truth value, text or formula"
        return TypeError(f"{where}: found {cell._value!r} (type {error}), expected {known}")
    return type(error)(f"{where}: {error}")
