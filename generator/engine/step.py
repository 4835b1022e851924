"""One named step of a computation: what it is, what it came from, its numbers and their labels."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, TypedDict

import numpy as np

from generator.engine.ops.base import Given, Op
from generator.engine.place import Place, place_of

Cell: TypeAlias = tuple[str, int, int]  # one number: name of the step, row, column, from 0

GIVEN = Given()

_NUMBERED = [tuple(str(k + 1) for k in range(n)) for n in range(65)]


class Labels(TypedDict):
    """The labels of a step's rows and columns, where several steps share them."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]


def single(column: str) -> Labels:
    """The labels of one number: a row without a name, and that column."""
    return Labels(rows=("",), columns=(column,))


class Shown(TypedDict, total=False):
    """How a step is shown: the labels of rows and columns, else numbers, and its decimals."""

    rows: Sequence[str] | None
    columns: Sequence[str] | None
    decimals: int | None


class Step(NamedTuple):
    """One named step: what it is, what it came from, its numbers and their labels.

    `values` is two-dimensional and read-only, float64 or, for words, object. `decimals` are
    those shown; None means that the numbers are printed in full. `rounded` says whether the
    values were rounded to them.
    """

    name: str
    op: Op
    inputs: tuple[str, ...]
    values: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    decimals: int | None
    rounded: bool

    @property
    def kind(self) -> str:
        """Either "given" or "computed"."""
        return "given" if self.op is GIVEN else "computed"

    @property
    def shown(self) -> Shown:
        """Labels and decimals, as another step may have them."""
        return Shown(rows=self.rows, columns=self.columns, decimals=self.decimals)

    @property
    def place(self) -> Place:
        """Its round, block and head, and what kind of step it is."""
        return place_of(self.name)

    @property
    def text(self) -> bool:
        """Whether the cells are words."""
        return self.values.dtype == object

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        height, width = self.values.shape
        return height, width


def numbered(n: int) -> tuple[str, ...]:
    """The labels 1 to n."""
    return _NUMBERED[n] if n < len(_NUMBERED) else tuple(str(k + 1) for k in range(n))
