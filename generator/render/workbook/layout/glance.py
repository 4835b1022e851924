"""The tab "At a glance": one head in Falk's scheme on one screen, and where its cells stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from generator.engine.trace import Step, Trace
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.model_map import Stage

MOST_HEADS = 8  # more of them make formulas that nobody reads; then the first one is shown
SMALL = 6.2  # pixels of a letter of small type
ROLES = ("query", "key", "value")
TOP = (30, 18, 24)  # pixels of the title, of what happens here, of what is chosen
FIRST_ROW = len(TOP) + 1  # of the map
CHOICES, OWN, FOCUS, WORD = 3, "B3", "$C$3", "D3"  # the row of what is chosen; the focus token


class Head(NamedTuple):
    """A head that can be shown: what its steps begin with, and the title of its tab."""

    prefix: str
    title: str


class Panel(NamedTuple):
    """Cells that show a part of a head: all of it, the focus token's row, or turned from here."""

    part: str
    row: int
    column: int
    height: int
    width: int
    shows: Literal["all", "focus", "turned"] = "all"

    @property
    def right(self) -> int:
        """The last column."""
        return self.column + self.width - 1

    @property
    def bottom(self) -> int:
        """The last row."""
        return self.row + self.height - 1

    @property
    def span(self) -> str:
        """The whole panel on its own sheet: "B3:E8"."""
        return f"{at(self.row, self.column)}:{at(self.bottom, self.right)}"

    def cells(self) -> Iterator[tuple[int, int, int | None, int]]:
        """Each cell's row and column on the sheet, and in the step; None is the focus token's."""
        for k in range(self.height):
            for m in range(self.width):
                i, j = (m, k) if self.shows == "turned" else (k, m)
                yield self.row + k, self.column + m, None if self.shows == "focus" else i, j


class Columns(NamedTuple):
    """The first column of each part, and the widths of all columns in pixels."""

    x: int
    query: int
    key: int
    total: int
    value: int
    map: int
    widths: tuple[int, ...]


class Rows(NamedTuple):
    """The first row of each part, and the heights of all rows in pixels."""

    weights: int
    tags: int
    tokens: int
    names: int
    turned: int
    scores: int
    bars: int
    bars_end: int
    heights: tuple[int, ...]


class Sizes(NamedTuple):
    """What the size of the picture depends on."""

    tokens: int
    d_model: int
    d_head: int


class Variant(NamedTuple):
    """What there is room for: X, W, tokens above the scores; pixels around a number, of a row."""

    inputs: bool
    weighted: bool
    named: bool
    padding: int
    line: int


@dataclass(frozen=True)
class Glance:
    """The tab, laid out; `lines` are the rows of the focus token from scores to shares.

    `captions` say what is done: first with all of X, then in each of the `lines`.
    """

    sheet: str
    heads: tuple[Head, ...]
    of_all: int
    sizes: Sizes
    lines: tuple[str, ...]
    captions: tuple[str, ...]
    map: tuple[Stage, ...]
    variant: Variant
    columns: Columns
    rows: Rows
    panels: tuple[Panel, ...]

    @property
    def head(self) -> str:
        """The cell with the number of the head in force; its own value stands left of it."""
        return at(CHOICES, self.columns.key + 2, fixed=True)

    @property
    def own_head(self) -> str:
        """The cell in which the number of a head is typed, where there are several."""
        return at(CHOICES, self.columns.key + 1)

    def panel(self, part: str, shows: str = "all") -> Panel:
        """The panel of a part."""
        return next(p for p in self.panels if p.part == part and p.shows == shows)

    def expected(self, trace: Trace, focus: int, head: int) -> Iterator[tuple[str, str, int, int]]:
        """Each cell's address with the step and the place that it shows, all counted from 0."""
        for panel in self.panels:
            step = step_of(trace, self.heads[head].prefix, panel.part).name
            for row, column, i, j in panel.cells():
                yield at(row, column), step, focus if i is None else i, j


def step_of(trace: Trace, prefix: str, part: str) -> Step:
    """The step of a head that a part shows; "input" is what its query is computed from."""
    query = trace[f"{prefix}.query"]
    return trace[query.inputs[0]] if part == "input" else trace[f"{prefix}.{part}"]
