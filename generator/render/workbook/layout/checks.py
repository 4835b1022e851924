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
from generator.render.workbook.layout.box import CHARTED, Box, at, on
from generator.render.workbook.layout.layout import FIRST_ROW, Band, Layout, Sheet
from generator.steps import kind_of

CHART = 76.0  # characters of the widest chart


class CheckBlock(NamedTuple):
    """A band of a tab and its asked cells, in order."""

    band: Band
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Checks:
    """What is checked on a tab of `wide` columns, block by block, and the columns in which it is.

    From `first` on: what a block or the tab counts, a copy of the tab with verdicts in the place
    of entries, one with interim results, the texts of the hints.
    """

    sheet: Sheet
    wide: int
    blocks: tuple[CheckBlock, ...]

    @property
    def first(self) -> int:
        """The first column of the checks."""
        return self.wide + 2

    def state(self, name: str) -> int:
        """The column of a count."""
        return self.first + STATES.index(name)

    def verdict(self, column: int) -> int:
        """The column of the verdict on an entry in that column."""
        return self.first + len(STATES) + column

    def result(self, column: int) -> int:
        """The column of the interim result for an entry in that column."""
        return self.first + len(STATES) + self.wide + column

    def hint(self, level: int) -> int:
        """The column of the texts of a hint; in the row of the totals its number."""
        return self.result(self.wide) + 2 + level

    @property
    def title(self) -> str:
        """The title of the tab."""
        return self.sheet.tab.title

    @property
    def open_tab(self) -> str:
        """The cell that names the first tab, up to this one, with a blank cell; "" for none."""
        return on(self.title, at(ABOUT_ROW, self.state("gate"), fixed=True))

    @cached_property
    def asked(self) -> tuple[Cell, ...]:
        """The asked cells of the tab."""
        return tuple(cell for block in self.blocks for cell in block.cells)

    @property
    def entry(self) -> tuple[str, str]:
        """The tab and its first asked cell, to which a link leads."""
        name, i, j = self.asked[0]
        homes = (box for block in self.blocks for box in block.band.boxes if box.home)
        return self.title, next(box for box in homes if box.step == name).cell(i, j)

    def block(self, band: Band) -> CheckBlock | None:
        """The block of a band; None where nothing is asked in it."""
        return next((block for block in self.blocks if block.band is band), None)

    def count(self, state: str) -> str:
        """The cell of a count of the whole tab, as other tabs refer to it."""
        return on(self.title, at(TOTALS_ROW, self.state(state), fixed=True))

    def done(self, judged: bool) -> str:
        """The formula of how many entries of the tab are right, or else filled in."""
        return self.count("right") if judged else f"({len(self.asked)}-{self.count('blank')})"

    def gate(self, band: Band) -> str:
        """The cell that says whether the entries of a block are judged now."""
        return at(band.help_row, self.state("gate"), fixed=True)


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
            checks[sheet.tab.title] = Checks(sheet, reach(layout, sheet), tuple(blocks))
    return checks


def waits_of(
    layout: Layout, exercise: Exercise, checks: Mapping[str, Checks]
) -> Mapping[str, Checks]:
    """By the title of a tab with hidden cells, the last tab before it with asked cells."""
    waits, last = dict[str, Checks](), None
    for sheet in layout.sheets:
        homes = {box.step for box in sheet.boxes if box.home}
        if last and homes & exercise.steps:
            waits[sheet.tab.title] = last
        last = checks.get(sheet.tab.title, last)
    return waits


def reach(layout: Layout, sheet: Sheet) -> int:
    """The last column of everything that a tab shows, marks and charts beside tables included."""
    grid = layout.grids[sheet.tab.title]
    beside = 1 + math.ceil(CHART / grid.numbers)
    picked = [box for band in sheet.bands for box in band.picked]
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


def rectangles(places: Iterable[tuple[int, int]]) -> list[Box]:
    """Cells, by row and column, as runs in their rows, equal runs below each other joined."""
    runs: list[Box] = []
    for row, column in sorted(places):
        last = runs[-1] if runs else None
        if last and (last.row, last.right) == (row, column - 1):
            runs[-1] = last._replace(width=last.width + 1)
        else:
            runs.append(Box("", "", row, column, 1, 1))
    joined: list[Box] = []
    for run in runs:
        above = run.row - 1, run.column, run.width
        fits = (k for k, r in enumerate(joined) if (r.bottom, r.column, r.width) == above)
        if (k := next(fits, None)) is None:
            joined.append(run)
        else:
            joined[k] = joined[k]._replace(height=joined[k].height + 1)
    return joined
