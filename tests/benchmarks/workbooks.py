"""The same ready cells written by us, by XlsxWriter and by hand: texts, formulas, values, looks."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

import xlsxwriter
from lxml import etree
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from generator.render.workbook.file.package import CellFormula, SharedStyle, cell_at, put, to_bytes

STYLES = (None, "thin", "medium", "dashed", "dotted", "thick", "double", "hair")
LINES = {name: number for number, name in enumerate(STYLES)}  # XlsxWriter's
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@dataclass(frozen=True)
class Look:
    """A cell's look as each library wants to be told of it."""

    parts: dict[str, Any]  # openpyxl's: font, fill, border, alignment, protection, number_format
    words: dict[str, object]  # XlsxWriter's


@dataclass(frozen=True)
class Ready:
    """A workbook taken apart: for each sheet its cells as row, column, content, look."""

    sheets: dict[str, list[tuple[int, int, object, int]]]
    looks: dict[int, Look]


def taken_apart(data: bytes) -> Ready:
    """The cells of a finished workbook of ours; formulas with their cached values."""
    book = load_workbook(io.BytesIO(data), read_only=True)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = {
            title: list(_cells(archive.read(f"xl/worksheets/sheet{number}.xml")))
            for number, title in enumerate(book.sheetnames, start=1)
        }
    used = {look for cells in sheets.values() for *_, look in cells}
    return Ready(sheets, {number: _look(book, number) for number in sorted(used)})


def ours(ready: Ready) -> bytes:
    """Written with openpyxl's cells and our writer of rows."""
    workbook = _empty(ready)
    styles = _styles(workbook, ready)
    for title, cells in ready.sheets.items():
        page = workbook[title]
        for row, column, content, look in cells:
            cell = cell_at(page, row, column, styles[look])
            if content is not None:
                put(cell, content)
    return to_bytes(workbook)


def reference(ready: Ready) -> bytes:
    """Written with XlsxWriter in memory."""
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {"in_memory": True})
    formats = {number: workbook.add_format(look.words) for number, look in ready.looks.items()}
    for title, cells in ready.sheets.items():
        page = workbook.add_worksheet(title)
        for row, column, content, look in cells:
            place, style = (row - 1, column - 1), formats[look]
            if isinstance(content, CellFormula):
                page.write_formula(*place, content, style, content.cached)
            elif isinstance(content, str):
                page.write_string(*place, content, style)
            elif content is None:
                page.write_blank(*place, None, style)
            else:
                page.write_number(*place, content, style)
    workbook.close()
    return out.getvalue()


def floor(ready: Ready) -> bytes:
    """Sheets pasted together as texts, unchecked; openpyxl writes only the parts around them."""
    workbook = _empty(ready)
    numbers = {
        look: workbook._cell_styles.add(style) for look, style in _styles(workbook, ready).items()
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        _Pasted(workbook, archive, ready, numbers).write_data()
    return out.getvalue()


class _Pasted(ExcelWriter):
    """openpyxl's writer, except that the sheets are templates filled in."""

    def __init__(
        self, workbook: Workbook, archive: zipfile.ZipFile, ready: Ready, numbers: dict[int, int]
    ) -> None:
        super().__init__(workbook, archive)
        self.ready, self.numbers = ready, numbers

    def write_worksheet(self, ws: Worksheet) -> None:
        ws._drawing, ws._rels = None, []
        rows = "".join(
            f'<row r="{row}">{"".join(self._spelled(cell) for cell in cells)}</row>'
            for row, cells in groupby(self.ready.sheets[ws.title], lambda cell: cell[0])
        )
        self._archive.writestr(
            ws.path[1:],
            f'<worksheet xmlns="{_MAIN[1:-1]}"><sheetData>{rows}</sheetData></worksheet>',
        )
        self.manifest.append(ws)

    def _spelled(self, cell: tuple[int, int, Any, int]) -> str:
        row, column, content, look = cell
        start = f'<c r="{get_column_letter(column)}{row}" s="{self.numbers[look]}"'
        if isinstance(content, CellFormula):
            kind = ' t="str"' if isinstance(content.cached, str) else ""
            return f"{start}{kind}><f>{escape(content[1:])}</f><v>{content.cached}</v></c>"
        if isinstance(content, str):
            return f'{start} t="inlineStr"><is><t>{escape(content)}</t></is></c>'
        return f"{start}/>" if content is None else f"{start}><v>{content}</v></c>"


def _empty(ready: Ready) -> Workbook:
    workbook = Workbook()
    first, *others = ready.sheets
    workbook.worksheets[0].title = first
    for title in others:
        workbook.create_sheet(title)
    return workbook


def _styles(workbook: Workbook, ready: Ready) -> dict[int, SharedStyle]:
    styles = {}
    for number, look in ready.looks.items():
        scratch = Cell(workbook.worksheets[0])
        for part, value in look.parts.items():
            setattr(scratch, part, value)
        styles[number] = SharedStyle(scratch._style)
    return styles


def _cells(xml: bytes) -> Iterator[tuple[int, int, object, int]]:
    for cell in etree.fromstring(xml).iter(f"{_MAIN}c"):
        yield (*coordinate_to_tuple(cell.get("r")), _content(cell), int(cell.get("s", "0")))


def _content(cell: Any) -> object:
    kind, formula = cell.get("t"), cell.findtext(f"{_MAIN}f")
    if kind == "inlineStr":
        return cell.findtext(f"{_MAIN}is/{_MAIN}t")
    found = cell.findtext(f"{_MAIN}v")
    if found is None:
        return None
    value = found if kind == "str" else float(found)
    return value if formula is None else CellFormula(f"={formula}", value)


def _look(book: Workbook, number: int) -> Look:
    style = book._cell_styles[number]
    model = Cell(type("Sheet", (), {"parent": book})(), style_array=style)
    parts = {
        "font": book._fonts[style.fontId],
        "fill": book._fills[style.fillId],
        "border": book._borders[style.borderId],
        "alignment": book._alignments[style.alignmentId],
        "protection": book._protections[style.protectionId],
        "number_format": model.number_format,
    }
    return Look(parts, _words(model))


def _words(cell: Cell) -> dict[str, object]:
    """The look of a cell in XlsxWriter's words."""
    found: dict[str, object] = {
        "font_name": cell.font.name,
        "font_size": cell.font.size,
        "bold": bool(cell.font.bold),
        "italic": bool(cell.font.italic),
        "num_format": cell.number_format,
        "text_wrap": bool(cell.alignment.wrap_text),
        "valign": "vcenter",
        "locked": bool(cell.protection.locked),
    }
    for side in ("left", "right", "top", "bottom"):
        line = getattr(cell.border, side)
        found[side] = LINES[line.style if line else None]
    if cell.alignment.horizontal:
        found["align"] = cell.alignment.horizontal
    if cell.fill.fill_type:
        found["bg_color"] = "#" + cell.fill.fgColor.rgb[-6:]
    return found
