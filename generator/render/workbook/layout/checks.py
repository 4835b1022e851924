"""What stands in grouped columns right of all that a tab shows.

In an exercise the checks of its blocks with asked cells; in a solution, hidden, the values that it
was delivered with.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from generator.checks.exercise import Exercise
from generator.engine.step import Cell
from generator.render.workbook.layout.box import CHARTED, Box, Rectangle, at, on
from generator.render.workbook.layout.layout import FIRST_ROW, Band, Layout, Sheet
from generator.steps import kind_of

CHART = 76.0  # characters of the widest chart


class CheckBlock(NamedTuple):
    """A band of a tab and its asked cells, in order."""

    band: Band
    cells: tuple[Cell, ...]


class CheckColumns(NamedTuple):
    """The columns of the checks from `first` on, for a tab of `wide` columns.

    First what a block or the tab counts, then a copy of the tab with verdicts in the place of
    entries, then one with interim results, then the texts of the hints.
    """

    first: int
    wide: int

    def state(self, name: str) -> int:
        """The column of a count."""
        return self.first + STATES.index(name)

    def verdict(self, column: int) -> int:
        """The column of the verdict on an entry in that column."""
        return self.first + len(STATES) + column

    def result(self, column: int) -> int:
        """The column of the interim result for an entry in that column."""
        return self.verdict(column) + self.wide

    def hint(self, level: int) -> int:
        """The column of the texts of a hint; in the row of the totals its number."""
        return self.result(self.wide) + 2 + level

    @property
    def last(self) -> int:
        """The last column of the checks."""
        return self.hint(LEVELS[-1])


@dataclass(frozen=True)
class Checks:
    """What is checked on a tab, block by block, and the columns in which it is."""

    sheet: Sheet
    columns: CheckColumns
    blocks: tuple[CheckBlock, ...]

    @property
    def title(self) -> str:
        """The title of the tab."""
        return self.sheet.tab.title

    @cached_property
    def asked(self) -> tuple[Cell, ...]:
        """The asked cells of the tab."""
        return tuple(cell for block in self.blocks for cell in block.cells)

    def block(self, band: Band) -> CheckBlock | None:
        """The block of a band; None where nothing is asked in it."""
        return next((block for block in self.blocks if block.band is band), None)

    def count(self, state: str) -> str:
        """The cell of a count of the whole tab, as other tabs refer to it."""
        return on(self.title, at(TOTALS_ROW, self.columns.state(state), fixed=True))

    def done(self, judged: bool) -> str:
        """The formula of how many entries of the tab are right, or else filled in."""
        return self.count("right") if judged else f"({len(self.asked)}-{self.count('blank')})"

    def gate(self, band: Band) -> str:
        """The cell that says whether the entries of a block are judged now."""
        return at(band.help_row, self.columns.state("gate"), fixed=True)


def checks_of(layout: Layout, exercise: Exercise) -> Mapping[str, Checks]:
    """The checks of each tab with asked cells, by its title, in the order of the tabs."""
    checks = {}
    for sheet in layout.sheets:
        blocks = []
        for band in sheet.bands:
            homes = {box.step for box in band.boxes if box.home}
            if asked := sorted(cell for cell in exercise.asked if cell[0] in homes):
                blocks.append(CheckBlock(band, tuple(asked)))
        if blocks:
            last = reach(layout, sheet)
            columns = CheckColumns(last + 2, last)
            checks[sheet.tab.title] = Checks(sheet, columns, tuple(blocks))
    return checks


def reach(layout: Layout, sheet: Sheet) -> int:
    """The last column of everything that a tab shows, marks and charts beside tables included."""
    grid = layout.grids[sheet.tab.title]
    beside = 1 + math.ceil(CHART / grid.numbers)
    picked = [band.picked for band in sheet.bands if band.picked]
    charted = (box.home and kind_of(box.step).shown.chart in CHARTED for box in sheet.boxes)
    ends = [box.right + 1 + has * beside for box, has in zip(sheet.boxes, charted, strict=True)]
    return max(grid.right, *ends, *(box.right + 1 for box in picked))


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

    def copy(self, box: Box) -> Box:
        """The copy of a box."""
        return box._replace(column=self.column(box.column))

    def total(self, which: int) -> str:
        """The cell of the number of changes, or of the largest one, as other tabs refer to it."""
        return on(self.title, at(TOTAL_ROW, self.wide + which, fixed=True))


def kept_of(layout: Layout) -> Mapping[str, KeptTab]:
    """The copy of each tab, by its title."""
    return {
        sheet.tab.title: KeptTab(sheet.tab.title, reach(layout, sheet), sheet.bands[-1].bottom)
        for sheet in layout.sheets
    }


STATES = ("gate", "right", "wrong", "nan", "blank")
LEVELS = (0, 1, 2, 3, 4)  # of hints
TITLE_ROW, ABOUT_ROW, TOTALS_ROW = 1, 2, 3
COUNT, LARGEST = 2, 3  # columns right of the tab: what each table counts, its largest change
COPY = 4  # so many columns before the copy of the tab
KEPT_ROW, TOTAL_ROW = FIRST_ROW - 2, FIRST_ROW - 1


def rectangles(places: Iterable[tuple[int, int]]) -> list[Rectangle]:
    """Cells, by row and column, as runs in their rows, equal runs below each other joined."""
    runs: list[Rectangle] = []
    for row, column in sorted(places):
        last = runs[-1] if runs else None
        if last and (last.bottom, last.right) == (row, column - 1):
            runs[-1] = last._replace(right=column)
        else:
            runs.append(Rectangle(row, column, row, column))
    joined: list[Rectangle] = []
    for run in runs:
        above = run._replace(top=run.top - 1, bottom=run.bottom - 1)
        fits = (k for k, r in enumerate(joined) if r[1:] == above[1:])
        if (k := next(fits, None)) is None:
            joined.append(run)
        else:
            joined[k] = joined[k]._replace(bottom=run.bottom)
    return joined
