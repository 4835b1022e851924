"""Puts a text, a number or a formula into a cell of openpyxl, each in a shared style.

Written for openpyxl 3.1.x, whose internals used are `Worksheet._cells`,
`Cell._value` and `._style`.
"""

from typing import Any

from openpyxl.cell.cell import Cell
from openpyxl.styles.cell_style import StyleArray
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.file.package import LONGEST_FORMULA, CellFormula, readable


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
