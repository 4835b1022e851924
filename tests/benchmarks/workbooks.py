"""The same ready cells written by our writer and by XlsxWriter: texts, formulas, values, looks."""

import io
from copy import copy
from dataclasses import dataclass
from typing import Any

import xlsxwriter
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell

from generator.render.workbook.package import Formula, put, put_text, to_bytes


@dataclass(frozen=True)
class Look:
    """What both libraries need to know of a cell's look."""

    model: Any  # an openpyxl cell that has it

    def format(self) -> dict[str, object]:
        """The same look in XlsxWriter's words."""
        cell, border = self.model, self.model.border
        sides = {"dotted": 4, "hair": 7, "thin": 1, "medium": 2, None: 0}
        found: dict[str, object] = {
            "font_name": cell.font.name,
            "font_size": cell.font.size,
            "bold": bool(cell.font.bold),
            "italic": bool(cell.font.italic),
            "num_format": cell.number_format,
            "text_wrap": bool(cell.alignment.wrap_text),
            "valign": "vcenter",
        }
        for side in ("left", "right", "top", "bottom"):
            line = getattr(border, side)
            found[side] = sides[line.style if line else None]
        if cell.alignment.horizontal:
            found["align"] = cell.alignment.horizontal
        if cell.fill.fill_type:
            found["bg_color"] = "#" + cell.fill.fgColor.rgb[-6:]
        return found


@dataclass(frozen=True)
class Ready:
    """A workbook taken apart: for each sheet its cells as row, column, content, look."""

    sheets: dict[str, list[tuple[int, int, object, int]]]
    looks: dict[int, Look]


def taken_apart(data: bytes) -> Ready:
    """The cells of a finished workbook; formulas with their cached values."""
    formulas, values = (load_workbook(io.BytesIO(data), data_only=only) for only in (False, True))
    sheets: dict[str, list[tuple[int, int, object, int]]] = {}
    looks: dict[int, Look] = {}
    for page in formulas.worksheets:
        cells = sheets.setdefault(page.title, [])
        for row in page.iter_rows():
            for cell in row:
                looks.setdefault(cell.style_id, Look(cell))
                content = cell.value
                if cell.data_type == "f":
                    content = Formula(content, values[page.title][cell.coordinate].value)
                if content is not None or cell.has_style:
                    cells.append((cell.row, cell.column, content, cell.style_id))
    return Ready(sheets, looks)


def ours(ready: Ready) -> bytes:
    """Written with openpyxl's cells and our writer of rows."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    first = workbook.create_sheet(next(iter(ready.sheets)))
    styles = {number: _style(Cell(first), look.model) for number, look in ready.looks.items()}
    for title, cells in ready.sheets.items():
        page = first if title == first.title else workbook.create_sheet(title)
        for row, column, content, look in cells:
            cell = page.cell(row, column)
            if isinstance(content, Formula):
                put(cell, content)
            elif isinstance(content, str):
                put_text(cell, content)
            else:
                cell.value = content
            cell._style = copy(styles[look])
    return to_bytes(workbook)


def reference(ready: Ready) -> bytes:
    """Written with XlsxWriter in memory."""
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {"in_memory": True})
    formats = {number: workbook.add_format(look.format()) for number, look in ready.looks.items()}
    for title, cells in ready.sheets.items():
        page = workbook.add_worksheet(title)
        for row, column, content, look in cells:
            place, style = (row - 1, column - 1), formats[look]
            if isinstance(content, Formula):
                page.write_formula(*place, content, style, content.cached)
            elif isinstance(content, str):
                page.write_string(*place, content, style)
            elif content is None:
                page.write_blank(*place, None, style)
            else:
                page.write_number(*place, content, style)
    workbook.close()
    return out.getvalue()


def _style(scratch: Cell, model: Any) -> Any:
    for part in ("font", "fill", "border", "alignment"):
        setattr(scratch, part, copy(getattr(model, part)))
    scratch.number_format = model.number_format
    return scratch._style
