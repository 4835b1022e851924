"""Where the numbers of a step stand: boxes of cells, their addresses, room for charts beside."""

import math
import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from openpyxl.utils import column_index_from_string, get_column_letter

LAST_COLUMN = 16_384
LAST_ROW = 1_048_576
ROW = 0.476  # centimetres of a line of numbers
ROWS_OF_SHARES, ROWS_OF_CURVES = 13, 17
CHARTED = ("bars", "curves")
LAST_BESIDE = 10  # the last column of numbers that leaves room for a chart on the screen

_NAME = re.compile(r"[A-Za-z_\\][\w.\\]{0,254}", re.ASCII)
_RESERVED = re.compile(r"(?i)[rc]|r\d*c\d*|r\d+|c\d+|true|false")
_CELL = re.compile(r"([A-Za-z]{1,3})(\d+)")


class Box(NamedTuple):
    """The cells of one step on a sheet, from their upper left corner; rows and columns from 1.

    A `turned` box shows the step with rows and columns exchanged. A `home` is where the step is
    given or computed; every other box is an echo that repeats it (`=B3`). A `listed` box has the
    step's cells one below the other, row after row; the number is that of the step's columns.
    Cells of no step in particular are a box without a name.
    """

    step: str
    sheet: str
    row: int
    column: int
    height: int
    width: int
    turned: bool = False
    home: bool = True
    listed: int = 0

    def place(self, i: int, j: int) -> tuple[int, int]:
        """Row and column on the sheet of the step's cell (i, j), counted from 0."""
        if self.listed:
            return self.row + i * self.listed + j, self.column
        return (self.row + j, self.column + i) if self.turned else (self.row + i, self.column + j)

    def cell(self, i: int, j: int) -> str:
        """The address of the step's cell (i, j) on its own sheet: "B3"."""
        return at(*self.place(i, j))

    def area(self) -> str:
        """The whole box with absolute addresses, sheet included, as defined names need it."""
        return on(self.sheet, self.span(fixed=True))

    def span(self, fixed: bool = False) -> str:
        """The whole box on its own sheet: "B3:E8", also "B3:B3", or "$B$3:$E$8"."""
        return f"{at(self.row, self.column, fixed)}:{at(self.bottom, self.right, fixed)}"

    def cells(self) -> Iterator[tuple[int, int]]:
        """The cells of the step in a box that is not listed, row by row, counted from 0."""
        rows, columns = (self.width, self.height) if self.turned else (self.height, self.width)
        return product(range(rows), range(columns))

    def strip(self, j: int) -> "Box":
        """One column of the box, counted from 0."""
        return self._replace(column=self.column + j, width=1)

    @property
    def bottom(self) -> int:
        """The last row."""
        return self.row + self.height - 1

    @property
    def right(self) -> int:
        """The last column."""
        return self.column + self.width - 1

    @property
    def beside(self) -> bool:
        """Whether a chart has room at the right of its numbers; if not it stands below the band."""
        return self.right <= LAST_BESIDE

    @property
    def height_of_bars(self) -> float:
        """Centimetres of a bar chart with a bar for each word, a row, and each temperature."""
        return min(20.0, max(6.0, 0.14 * self.height * (self.width + 1) + 2.2))

    def rows_of_chart(self, chart: str) -> int:
        """How many rows the chart of the step covers from the first row of its numbers on."""
        return ROWS_OF_CURVES if chart == "curves" else math.ceil(self.height_of_bars / ROW)


def at(row: int, column: int, fixed: bool = False) -> str:
    """The address of a cell: "B3", or "$B$3"."""
    letter = get_column_letter(column)
    return f"${letter}${row}" if fixed else f"{letter}{row}"


def on(sheet: str, cell: str) -> str:
    """A cell as other sheets refer to it."""
    return "'" + sheet.replace("'", "''") + f"'!{cell}"


def quoted(text: str) -> str:
    """A text as it stands in a formula."""
    return '"' + text.replace('"', '""') + '"'


def defined_name(step: str) -> str:
    """A name for the step's home that every spreadsheet program accepts."""
    name = step.replace("-", "_")
    return name if legal(name) else f"_{name}"


def legal(name: str) -> bool:
    """Whether a text may be a defined name: none that reads as a cell, a row or a truth value."""
    if not _NAME.fullmatch(name) or _RESERVED.fullmatch(name):
        return False
    cell = _CELL.fullmatch(name)
    return not (
        cell and column_index_from_string(cell[1]) <= LAST_COLUMN and 1 <= int(cell[2]) <= LAST_ROW
    )
