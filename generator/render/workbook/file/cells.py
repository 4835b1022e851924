"""Puts a text, a number, a formula or a link into a cell of openpyxl, each in a shared style.

Written for openpyxl 3.1.x, whose internals used are `Worksheet._cells`, `Cell._value`, `._style`
and `._hyperlink`.
"""

from typing import Any

from openpyxl.cell.cell import Cell
from openpyxl.styles.cell_style import StyleArray
from openpyxl.worksheet.hyperlink import Hyperlink
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


def put(cell: Cell, formula: CellFormula) -> None:
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
    cell._value = readable(text)
    cell.data_type = "s"


def put_number(cell: Cell, number: float) -> None:
    """Makes `cell` hold `number`; quicker than `cell.value`, which looks for dates and texts."""
    cell._value = number
    cell.data_type = "n"


def write_text(page: Worksheet, row: int, column: int, text: str, style: StyleArray) -> None:
    """Makes the page's cell there hold `text`, in a style that is not copied."""
    put_text(cell_at(page, row, column, style), text)


def write_formula(
    page: Worksheet, row: int, column: int, formula: CellFormula, style: StyleArray
) -> None:
    """Makes the page's cell there compute `formula`, in a style that is not copied."""
    put(cell_at(page, row, column, style), formula)


def write_link(
    page: Worksheet, row: int, column: int, text: str, target: str, style: StyleArray
) -> None:
    """Makes the page's cell there lead to another one, such as "'Head 1'!A1"."""
    cell = cell_at(page, row, column, style)
    put_text(cell, text)
    cell._hyperlink = Hyperlink(ref=cell.coordinate, location=target)
