"""How wide the tables of sheet 4a are, in millimetres, and what fills the rest of a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.sheets.attending import attended
from generator.sheets.context import Context
from generator.sheets.geometry import PAGE, Grid, Scheme, grid
from generator.sheets.sheet4a.plan import Plan4a

WIDTH = 170  # of the type area, in millimetres
GAP, SQUARE, LEAST_SQUARES = 4, 5, 5
LONGEST, WIDEST_INPUT = 14, 6  # letters of a token, numbers of x: more take further lines
MOST_COLUMNS = 10  # of a matrix to fill, so that a cell is 15 mm wide
RANKED = 44  # of a token and its share, in millimetres


@dataclass(frozen=True)
class Places(Context):
    """The part of sheet 4a's view that says how wide and how long its tables are."""

    plan: Plan4a

    def at(self, name: str) -> str:
        """The full name of a step of the sheet's head."""
        return self.plan.head.step(name)

    @property
    def x(self) -> str:
        """The step that query, key and value are computed from: the input, or its norm."""
        return attended(self.trace)

    def scheme(self, x: str, products: Sequence[str], row: int, slim: bool) -> Scheme:
        """The columns of a Falk scheme; wider where results are to be written."""
        width, count = self.size(x)[1], sum(self.size(name)[1] for name in products)
        given = min(11.6, 80 / width) if width <= 6 else 8.4
        asked = self.asks(products[0], row, 0)
        result = min(21.5, (PAGE - width * given) / count) if asked else 11.6
        if count == 4 and width <= 4:
            given, result = 9.4, 9.4
        elif slim:
            given, result = 7.4, 9
        return Scheme(width, count, given, result)

    def class_blocks(self, full: bool) -> tuple[tuple[int, ...], ...]:
        """The columns of the matrix of all shares; two tables where one is too narrow to fill."""
        columns = tuple(range(len(self.tokens)))
        if full or len(columns) <= MOST_COLUMNS:
            return (columns,)
        half = (len(columns) + 1) // 2
        return columns[:half], columns[half:]

    def class_columns(self, columns: int, full: bool) -> Grid:
        """The widths of one of these tables; where it is `full`, nobody writes into it."""
        if full:
            return grid(32, columns, WIDTH - 32, 13.5)
        label = 32 if columns <= 6 else 24 if columns <= 8 else 20
        return grid(label, columns, WIDTH - label, 17 if columns <= 6 else 16)

    def has_room_beside(self) -> bool:
        """Whether the worked token's shares, sorted, stand beside the whole matrix."""
        whole = self.class_columns(len(self.tokens), full=True).total
        return whole + GAP + RANKED <= WIDTH and not self.options.large_print

    def squares_beside(self) -> int:
        """How many squares of 5 mm have room on the right of the matrix to fill; 0 for too few."""
        columns = len(self.tokens)
        width_mm = WIDTH - GAP - self.class_columns(columns, full=False).total
        squares = int(width_mm // SQUARE)
        return squares if squares >= LEAST_SQUARES and not self.options.large_print else 0

    @property
    def early(self) -> bool:
        """Whether the first page of the work leaf ends with hints: two tables fill the last one."""
        many = len(self.tokens) > MOST_COLUMNS
        return many and not (self.plan.projects or self.options.large_print)

    def squares_above(self) -> int:
        """How many rows of squares stand above these hints; 0 where they are not there."""
        return 4 if self.early and len(self.tokens) == 11 and not self.options.points else 0

    def squares_below(self) -> int:
        """How many rows of squares fill the last page of the work leaf; 0 where it is full."""
        if self.options.large_print:
            return 5
        count = len(self.tokens)
        if count > MOST_COLUMNS:
            return 0
        if self.plan.projects and 4 <= count <= 7:
            return 0
        return {2: 20, 3: 18, 4: 7, 5: 4, 6: 0}.get(count, 11)

    @property
    def short(self) -> bool:
        """Whether each token has room on one line of a table."""
        return max(map(len, self.tokens)) <= LONGEST

    @property
    def roomy(self) -> bool:
        """Whether a page of the info leaf has room for the whole example, bars included."""
        count, (width, head) = len(self.tokens), (self.size(self.x)[1], self.trace.preset.d_head)
        return self.short and width <= WIDEST_INPUT and count <= (7 if head <= 2 else 6)
