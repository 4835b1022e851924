"""Where the checks of an exercise tab stand: in grouped columns, right of everything else."""

from collections.abc import Iterable
from typing import NamedTuple

from generator.render.workbook.layout.box import at

STATES = ("gate", "right", "wrong", "nan", "blank")
LEVELS = (0, 1, 2, 3, 4)  # of hints
TITLE_ROW, ABOUT_ROW, TOTALS_ROW = 1, 2, 3


class Columns(NamedTuple):
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
