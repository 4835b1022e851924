"""Where things stand on the Draw tab: settings, words, intervals, twenty draws, left to right.

Also here:

* How large a chart is, and whether it stands beside or below its numbers.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from openpyxl.utils import get_column_letter

from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.controls import CHOSEN, ControlGroup, below, place

FIRST_ROW = 4  # under the title, the line of explanation and the warning
MOST_WORDS, DRAWS = 10, 20  # what fits on one screen


class DrawTable(NamedTuple):
    """One of the tables from left to right: its key in the catalogue, its first and last column."""

    key: str
    first: int
    last: int


SET = DrawTable("set", 1, 4)
SORTED = DrawTable("sorted", 6, 9)
INTERVALS = DrawTable("intervals", 11, 17)
DRAWN = DrawTable("drawn", 19, 21)
PARTS = (SET, SORTED, INTERVALS, DRAWN)
WIDTHS = (
    *(18.0, 11.5, 8.5, 8.5),  # name, own value, as delivered, in force
    *(1.8, 5.5, 12.5, 13.0, 6.5),  # rank, word, P, kept
    *(1.8, 12.5, 8.0, 7.0, 9.5, 8.0, 13.5, 3.0),  # word, P of the kept, from, to, 00-99, hits, mark
    *(1.8, 4.0, 7.5, 12.5),  # number of the draw, number drawn, word
)
CHECKS = 23  # the first check column: message, running check, lists, then places of words
HIT, REFUSED = CHECKS + 3, CHECKS + 8  # the place of the word hit; the first message


@dataclass(frozen=True)
class DrawLayout:
    """The Draw tab of a trace that chooses a next token; `words` are all of its vocabulary."""

    sheet: str
    groups: tuple[ControlGroup, ...]
    words: int

    @property
    def shown(self) -> int:
        """How many words have a row of their own in each table."""
        return min(self.words, MOST_WORDS)

    @property
    def top(self) -> int:
        """The first row of the tables, under a heading and a line of column titles."""
        return FIRST_ROW + 2

    @property
    def rest_row(self) -> int:
        """The row of all words that have none of their own."""
        return self.top + self.shown

    @property
    def hit_row(self) -> int:
        """The row of the word that the random number hits."""
        return below(self.groups, self.top) + 1

    @property
    def strategies_row(self) -> int:
        """The first of the rows that say what the strategies do."""
        return max(self.hit_row + 1, self.rest_row) + 1

    @property
    def bottom(self) -> int:
        """The last row."""
        return max(self.top + DRAWS, self.strategies_row + 4) - 1

    @property
    def refused(self) -> str:
        """The cell with the first message about an entry of this tab, the draws included."""
        return at(self.top + DRAWS - 1, REFUSED)

    @property
    def hit_place(self) -> str:
        """The cell with the place of the word hit in the vocabulary, from 1."""
        return at(FIRST_ROW + 1, HIT, fixed=True)

    def column(self, first: int, rows: int) -> str:
        """So many rows of a column from the first row of the tables on: "$T$6:$T$25"."""
        letter = get_column_letter(first)
        return f"${letter}${self.top}:${letter}${self.top + rows - 1}"


def plan_draw(trace: Trace, catalogue: Catalogue) -> DrawLayout | None:
    """The geometry of the Draw tab; None where no next token is chosen from settings."""
    chosen = trace.steps.get("sampling.next")
    if chosen is None or chosen.kind == "given" or "sampling.strategy" not in trace:
        return None
    return DrawLayout(
        sheet=catalogue.t("workbook.tab.draw"),
        groups=place(trace, FIRST_ROW + 2, CHOSEN, drawn=True),
        words=trace["sampling.share"].shape[1],
    )


ROW = 0.476  # centimetres of a line of numbers
ROWS_OF_SHARES, ROWS_OF_CURVES = 13, 17
CHARTED = ("bars", "curves")
LAST_BESIDE = 10  # the last column of numbers that leaves room for a chart on the screen


def rows_of_chart(chart: str, box: Box) -> int:
    """How many rows the chart of a step covers from the first row of its numbers on."""
    if chart == "curves":
        return ROWS_OF_CURVES
    return math.ceil(height_of_bars(box.height, box.width) / ROW)


def height_of_bars(words: int, temperatures: int) -> float:
    """Centimetres of a bar chart with a bar for each word and temperature."""
    return min(20.0, max(6.5, 0.2 * words * (temperatures + 1) + 2.5))


def beside(box: Box) -> bool:
    """Whether a chart has room at the right of its numbers; if not it stands below the band."""
    return box.right <= LAST_BESIDE
