"""Cell expressions: what one number *is*, from which every notation is printed.

Also here:

* An operation's view of its inputs when it writes a cell: names and shapes, never numbers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from operator import add, mul
from typing import Any, TypeAlias, overload

import numpy as np

Value: TypeAlias = float | str | bool


class Fn(Enum):
    """The functions an expression may call; a closed list, so that each notation knows them all.

    Areas are read row by row. `INDEX` and `MATCH` count from 1. `NORMAL` is the standard normal
    distribution function Φ. `SQUARES(area, m)` is Σ (x − m)², printed Σ x² where m is 0.
    `SUM_BELOW(a, x, b)` adds the cells of b whose partner in a is less than x. `MAX` and `MIN`
    ignore masked cells, as spreadsheets ignore text. `TWO_DIGITS` writes a number below 100 as text
    ("07"). For checks of what somebody typed: `COUNT_NUMBERS` and `COUNT_BLANK` count cells of
    areas and single cells (blank: nothing or an empty text), `IF_ERROR(x, y)` is y where x cannot
    be computed. For words in pieces, one space between them: `SPELLED(word, n)` puts them between
    up to n letters, `PIECES(text)` counts pieces, `PAIR_AT(text, k)` is the k-th and the next,
    `MERGED(text, pair)` makes that pair one piece wherever it stands; `LENGTH` counts characters.
    """

    EXP = "exp"
    LN = "ln"
    SQRT = "sqrt"
    SIN = "sin"
    COS = "cos"
    TANH = "tanh"
    NORMAL = "normal"
    SUM = "sum"
    MAX = "max"
    MIN = "min"
    SQUARES = "squares"
    EXACT = "exact"
    IS_NUMBER = "is_number"
    INDEX = "index"
    MATCH = "match"
    RANK = "rank"
    COUNT_EQUAL = "count_equal"
    COUNT_AT_MOST = "count_at_most"
    SUM_BELOW = "sum_below"
    ABS = "abs"
    ROUND_UP = "round_up"
    TWO_DIGITS = "two_digits"
    COUNT_NUMBERS = "count_numbers"
    COUNT_BLANK = "count_blank"
    IF_ERROR = "if_error"
    LENGTH = "length"
    SPELLED = "spelled"
    PIECES = "pieces"
    PAIR_AT = "pair_at"
    MERGED = "merged"

    def __call__(self, *args: "Expr") -> "Call":
        """This function of some expressions."""
        return Call(self, args)


def _operator(sign: str) -> Callable[[Any, "Expr | float"], "Bin"]:
    return lambda x, y: Bin(sign, x, Num(y) if isinstance(y, int | float) else y)


class Arithmetic:
    """Lets expressions be written as arrays are: `x[i, j] / y[i, 0] + 1` is a `Bin`."""

    __slots__ = ()
    __add__, __sub__ = _operator("+"), _operator("-")
    __mul__, __truediv__ = _operator("*"), _operator("/")
    __pow__ = _operator("^")


@dataclass(frozen=True, slots=True)
class Num(Arithmetic):
    """A number that belongs to the formula itself; −∞ marks a masked cell."""

    value: float


@dataclass(frozen=True, slots=True)
class Text(Arithmetic):
    """A literal text."""

    value: str


@dataclass(frozen=True, slots=True)
class Ref(Arithmetic):
    """One cell of a step, counted from 0."""

    step: str
    i: int
    j: int

    def cells(self) -> list["Ref"]:
        """The cell itself, as an area has its own."""
        return [self]


@dataclass(frozen=True, slots=True)
class Area(Arithmetic):
    """A rectangle of a step's cells, rows r0 to r1 and columns c0 to c1, both ends half open."""

    step: str
    r0: int
    r1: int
    c0: int
    c1: int

    def cells(self) -> list[Ref]:
        """The cells of the area, row by row."""
        rows, columns = range(self.r0, self.r1), range(self.c0, self.c1)
        return [Ref(self.step, i, j) for i in rows for j in columns]

    def __len__(self) -> int:
        return (self.r1 - self.r0) * (self.c1 - self.c0)


@dataclass(frozen=True, slots=True)
class Dot(Arithmetic):
    """The sum of the products of two areas of equal length, taken in reading order."""

    left: Area
    right: Area


@dataclass(frozen=True, slots=True)
class Bin(Arithmetic):
    """Arithmetic (+ − * / ^), comparison (= <> < <= > >=) or joining of text (&)."""

    op: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class If(Arithmetic):
    """One of two expressions, decided by a condition."""

    condition: "Expr"
    yes: "Expr"
    no: "Expr"


@dataclass(frozen=True, slots=True)
class Call(Arithmetic):
    """A function of the closed list."""

    fn: Fn
    args: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Round(Arithmetic):
    """The guarded rounding of a step: half away from zero, after a first one to 10 decimals."""

    inner: "Expr"
    decimals: int


Expr: TypeAlias = Num | Text | Ref | Area | Dot | Bin | If | Call | Round


def inside(expression: Expr) -> Iterator[Expr]:
    """An expression and every one in it, in writing order; both sides of an If."""
    yield expression
    parts: tuple[Expr, ...] = ()
    match expression:
        case Dot(left, right):
            parts = (left, right)
        case Bin(_, first, second):
            parts = (first, second)
        case If(condition, yes, no):
            parts = (condition, yes, no)
        case Call(_, args):
            parts = args
        case Round(inner):
            parts = (inner,)
    for part in parts:
        yield from inside(part)


Lookup: TypeAlias = Callable[[str], np.ndarray]


def total(terms: list[Expr]) -> Expr:
    """The sum of some expressions, left to right; 0 for none."""
    return reduce(add, terms) if terms else Num(0)


def product(factors: list[Expr]) -> Expr:
    """The product of some expressions, one at least, left to right."""
    return reduce(mul, factors)


@dataclass(frozen=True, slots=True)
class Operand:
    """A step as an input of an operation: its name and its shape [height, width]."""

    step: str
    height: int
    width: int

    @overload
    def __getitem__(self, place: tuple[int, int]) -> Ref: ...

    @overload
    def __getitem__(self, place: tuple[int, slice] | tuple[slice, int]) -> Area: ...

    def __getitem__(self, place: tuple[int | slice, int | slice]) -> Ref | Area:
        """As of an array: a cell `[i, j]` from 0, or of a row or column a part, `[i, :]`."""
        i, j = place
        if not isinstance(i, slice) and not isinstance(j, slice):
            return Ref(self.step, i, j)
        rows, columns = (
            range(size)[one] if isinstance(one, slice) else range(one, one + 1)
            for one, size in ((i, self.height), (j, self.width))
        )
        return Area(self.step, rows.start, rows.stop, columns.start, columns.stop)
