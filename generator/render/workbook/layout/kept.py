"""Where a solved tab keeps the values that it was delivered with: far right, in hidden columns."""

from collections.abc import Mapping
from typing import NamedTuple

from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.checks import reach
from generator.render.workbook.layout.grid import ColumnGrid
from generator.render.workbook.layout.layout import FIRST_ROW, Sheet

COUNT, LARGEST = 2, 3  # columns right of the tab: what each table counts, its largest change
COPY = 4  # so many columns before the copy of the tab
ABOUT_ROW, TOTAL_ROW = FIRST_ROW - 2, FIRST_ROW - 1


class KeptTab(NamedTuple):
    """A copy of a tab of `wide` columns, row by row, with the values as delivered."""

    title: str
    wide: int
    bottom: int

    @property
    def first(self) -> int:
        """The first hidden column."""
        return self.wide + COUNT

    @property
    def last(self) -> int:
        """The last hidden column."""
        return self.column(self.wide)

    def column(self, column: int) -> int:
        """Where a column of the tab has its copy."""
        return self.wide + COPY + column

    def span(self, box: Box) -> str:
        """The copy of a box: "AB5:AE10"."""
        first = at(box.row, self.column(box.column))
        return f"{first}:{at(box.bottom, self.column(box.right))}"

    def area(self, box: Box) -> str:
        """The copy of a box as other tabs refer to it."""
        first = at(box.row, self.column(box.column), fixed=True)
        return on(self.title, f"{first}:{at(box.bottom, self.column(box.right), fixed=True)}")

    def total(self, which: int) -> str:
        """The cell of the number of changes, or of the largest one, as other tabs refer to it."""
        return on(self.title, at(TOTAL_ROW, self.wide + which, fixed=True))


def kept_of(
    sheets: tuple[Sheet, ...], grids: Mapping[str, ColumnGrid], solved: bool
) -> Mapping[str, KeptTab]:
    """The copy of each tab, by its title; none in an exercise, for it would tell the answers."""
    if not solved:
        return {}
    return {
        sheet.tab.title: KeptTab(
            sheet.tab.title, reach(sheet, grids[sheet.tab.title]), sheet.bands[-1].bottom
        )
        for sheet in sheets
    }
