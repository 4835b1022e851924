"""Writes single cells of a tab outside the steps, such as Start, each with its look."""

from collections.abc import Collection, Mapping
from copy import copy

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Protection
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import put, put_number, put_text, write_link
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout.box import on


class Pen:
    """Texts, numbers and formulas on a page, the first one unless another is named.

    By address or by row and column.
    """

    def __init__(self, draft: Draft, page: Worksheet | None = None) -> None:
        self.draft = draft
        self.page = page or draft.start_page
        self.t = draft.catalogue.t

    def text(
        self, row: int, column: int, text: str, role: str = "text", align: str = "", indent: int = 0
    ) -> None:
        """A text that stays text."""
        cell = self.page.cell(row, column)
        put_text(cell, text)
        self.draft.styles.dress(cell, role, align=align)
        _indent(cell, indent)

    def sample(self, row: int, column: int, text: str, role: str) -> None:
        """A text in the look of a role, for the legend: locked, whatever the role."""
        self.text(row, column, text, role, "center")
        cell = self.page.cell(row, column)
        cell._style = copy(cell._style)
        cell.protection = Protection(locked=True)

    def value(self, address: str, value: float | str, role: str, number: str = "General") -> None:
        """A constant: a number, or a text in a cell of the format text."""
        cell = self.page.cell(*coordinate_to_tuple(address))
        if isinstance(value, str):
            put_text(cell, value)
        else:
            put_number(cell, value)
        self.draft.styles.dress(cell, role, number, "center")

    def empty(self, address: str, role: str, number: str = "General") -> None:
        """A cell to type into."""
        cell = self.page.cell(*coordinate_to_tuple(address))
        self.draft.styles.dress(cell, role, number, "center")

    def formula(
        self,
        address: str,
        formula: str,
        cached: float | str,
        role: str,
        number: str = "General",
        align: str = "",
        indent: int = 0,
    ) -> None:
        """A live cell with the value that it has as delivered."""
        cell = self.page.cell(*coordinate_to_tuple(address))
        put(cell, CellFormula(formula, cached))
        self.draft.styles.dress(cell, role, number, align)
        _indent(cell, indent)

    def band(self, row: int, first: int, last: int, title: str) -> None:
        """A heading with a line above it, from one column to another."""
        for column in range(first, last + 1):
            self.draft.styles.dress(self.page.cell(row, column), "band")
        self.text(row, first, title, "band")

    def heads(
        self, row: int, titles: Mapping[int, str], columns: tuple[int, int], left: Collection[int]
    ) -> None:
        """A line of column titles from one column to another; in the middle but for those left."""
        for column in range(columns[0], columns[1] + 1):
            align = "" if column in left else "center"
            self.text(row, column, titles.get(column, ""), "head", align)

    def link(self, row: int, column: int, sheet: str, cell: str, text: str) -> None:
        """A cell that leads to a cell of another tab."""
        style = self.draft.styles.look("link")
        write_link(self.page, row, column, text, on(sheet, cell), style)


def _indent(cell: Cell, indent: int) -> None:
    """Moves a text away from the border at its left."""
    if indent:
        cell._style = copy(cell._style)
        cell.alignment = Alignment(horizontal="left", vertical="center", indent=indent)
