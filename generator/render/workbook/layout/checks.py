"""The checks of an exercise tab: its blocks with asked cells, and where the checks stand."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from generator.checks.exercise import Exercise
from generator.engine.step import Cell
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.chart_size import CHARTED
from generator.render.workbook.layout.check_columns import TOTALS_ROW, Columns
from generator.render.workbook.layout.grid import Grid
from generator.render.workbook.layout.layout import Band, Layout, Sheet
from generator.steps import kind_of

CHART = 76.0  # characters of the widest chart


class Block(NamedTuple):
    """A band of a tab and its asked cells, in order."""

    band: Band
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Checks:
    """What is checked on a tab, block by block, and the columns in which it is."""

    sheet: Sheet
    columns: Columns
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        """The title of the tab."""
        return self.sheet.tab.title

    @cached_property
    def asked(self) -> tuple[Cell, ...]:
        """The asked cells of the tab."""
        return tuple(cell for block in self.blocks for cell in block.cells)

    def block(self, band: Band) -> Block | None:
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
    layout: Layout, exercise: Exercise, grids: Mapping[str, Grid]
) -> Mapping[str, Checks]:
    """The checks of each tab with asked cells, by its title, in the order of the tabs."""
    checks = {}
    for sheet in layout.sheets:
        blocks = tuple(
            Block(band, cells) for band in sheet.bands if (cells := _asked_of(exercise, band))
        )
        if blocks:
            columns = _columns(sheet, grids[sheet.tab.title])
            checks[sheet.tab.title] = Checks(sheet, columns, blocks)
    return checks


def _asked_of(exercise: Exercise, band: Band) -> tuple[Cell, ...]:
    homes = {box.step for box in band.boxes if box.home}
    return tuple(sorted(cell for cell in exercise.asked if cell[0] in homes))


def _columns(sheet: Sheet, grid: Grid) -> Columns:
    """Beyond everything that a tab shows."""
    last = reach(sheet, grid)
    return Columns(last + 2, last)


def reach(sheet: Sheet, grid: Grid) -> int:
    """The last column of everything that a tab shows, marks and charts beside tables included."""
    beside = 1 + math.ceil(CHART / grid.numbers)
    last = grid.right
    for band in sheet.bands:
        for box in (*band.boxes, band.picked):
            if box:
                charted = box.home and kind_of(box.step).shown.chart in CHARTED
                last = max(last, box.right + 1 + charted * beside)
    return last
