"""The checks of an exercise tab: its blocks with asked cells, and where the checks stand.

Also here:

* Where the checks of an exercise tab stand: in grouped columns, right of everything else.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from generator.checks.exercise import Exercise
from generator.engine.step import Cell
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.draw_layout import CHARTED
from generator.render.workbook.layout.grid import ColumnGrid
from generator.render.workbook.layout.layout import Band, Layout, Sheet
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


def checks_of(
    layout: Layout, exercise: Exercise, grids: Mapping[str, ColumnGrid]
) -> Mapping[str, Checks]:
    """The checks of each tab with asked cells, by its title, in the order of the tabs."""
    checks = {}
    for sheet in layout.sheets:
        blocks = tuple(
            CheckBlock(band, cells) for band in sheet.bands if (cells := _asked_of(exercise, band))
        )
        if blocks:
            columns = _columns(sheet, grids[sheet.tab.title])
            checks[sheet.tab.title] = Checks(sheet, columns, blocks)
    return checks


def _asked_of(exercise: Exercise, band: Band) -> tuple[Cell, ...]:
    homes = {box.step for box in band.boxes if box.home}
    return tuple(sorted(cell for cell in exercise.asked if cell[0] in homes))


def _columns(sheet: Sheet, grid: ColumnGrid) -> CheckColumns:
    """Beyond everything that a tab shows."""
    last = reach(sheet, grid)
    return CheckColumns(last + 2, last)


def reach(sheet: Sheet, grid: ColumnGrid) -> int:
    """The last column of everything that a tab shows, marks and charts beside tables included."""
    beside = 1 + math.ceil(CHART / grid.numbers)
    last = grid.right
    for band in sheet.bands:
        for box in (*band.boxes, band.picked):
            if box:
                charted = box.home and kind_of(box.step).shown.chart in CHARTED
                last = max(last, box.right + 1 + charted * beside)
    return last


STATES = ("gate", "right", "wrong", "nan", "blank")
LEVELS = (0, 1, 2, 3, 4)  # of hints
TITLE_ROW, ABOUT_ROW, TOTALS_ROW = 1, 2, 3


class Rectangle(NamedTuple):
    """Cells on a sheet, rows and columns from 1, both ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def moved(self, left: int) -> "Rectangle":
        """The same rows and as many columns from that one on."""
        return Rectangle(self.top, left, self.bottom, left + self.right - self.left)

    @property
    def span(self) -> str:
        """Its address: "B3:E8", also "B3:B3"."""
        return f"{at(self.top, self.left)}:{at(self.bottom, self.right)}"


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
        fits = (k for k, r in enumerate(joined) if _continues(r, run))
        above = next(fits, None)
        if above is None:
            joined.append(run)
        else:
            joined[above] = joined[above]._replace(bottom=run.bottom)
    return joined


def _continues(above: Rectangle, run: Rectangle) -> bool:
    return (above.bottom + 1, above.left, above.right) == (run.top, run.left, run.right)
