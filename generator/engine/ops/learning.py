"""Operations of learning: what carries a gradient back, and one step against it."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine.expr import Bin, Call, Dot, Expr, Fn, Num, total
from generator.engine.operand import Operand
from generator.engine.ops.base import Precision, RowProblem, is_on, when_on


@dataclass(frozen=True, slots=True)
class MatTMul:
    """Column times column: [n, k]ᵀ · [n, m] = [k, m]; each row of the batch adds its share."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, y = inputs
        product: np.ndarray = x.T @ y
        return product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, y = inputs
        return Dot(x.column(i), y.column(j))


@dataclass(frozen=True, slots=True)
class ColumnSum:
    """The sum of each column: [n, m] gives [1, m]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        total_: np.ndarray = np.add.reduce(inputs[0], axis=0, keepdims=True)
        return total_

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Call(Fn.SUM, (inputs[0].column(j),))


@dataclass(frozen=True, slots=True)
class ColumnDot:
    """Products of two matrices of one shape, summed down each column: [n, m], [n, m] → [1, m]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, y = inputs
        products: np.ndarray = np.add.reduce(x * y, axis=0, keepdims=True)
        return products

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, y = inputs
        return Dot(x.column(j), y.column(j))


@dataclass(frozen=True, slots=True)
class RowDot:
    """Products of two matrices of one shape, summed along each row: [n, m], [n, m] give [n, 1].

    With `mean` the sum is divided by the width.
    """

    mean: bool = False
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, y = inputs
        products: np.ndarray = np.add.reduce(x * y, axis=1, keepdims=True)
        return products / x.shape[1] if self.mean else products

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, y = inputs
        products = Dot(x.row(i), y.row(i))
        return Bin("/", products, Num(x.width)) if self.mean else products


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of several matrices of one shape: what each use of a number adds to its gradient."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        result: np.ndarray = inputs[0] + inputs[1]
        for more in inputs[2:]:
            result += more
        return result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return total([x.at(i, j) for x in inputs])


@dataclass(frozen=True, slots=True)
class PlaceRows:
    """Rows at their place among `height` rows, 0 in the others: [m, d] gives [height, d]."""

    first: int
    height: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        placed = np.zeros((self.height, inputs[0].shape[1]))
        placed[self.first : self.first + len(inputs[0])] = inputs[0]
        return placed

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        row = i - self.first
        return inputs[0].at(row, j) if 0 <= row < inputs[0].height else Num(0)


@dataclass(frozen=True, slots=True)
class Columns:
    """Some columns of a matrix, those of one head: [n, m] gives [n, width].

    Takes the switches [blocks, heads] too, or nothing: zeros where `switch`, the block and the
    head from 0, is off.
    """

    start: int
    width: int
    switch: tuple[int, int] = (0, 0)
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        part = inputs[0][:, self.start : self.start + self.width].copy()
        return part if len(inputs) == 1 or inputs[1][self.switch] == 1.0 else np.zeros_like(part)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        one = inputs[0].at(i, self.start + j)
        return one if len(inputs) == 1 else when_on(inputs[1].at(*self.switch), one, Num(0))


@dataclass(frozen=True, slots=True)
class WhenOn:
    """A matrix where a switch [1, 1] is on, zeros where it is off."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, switch = inputs
        return x.copy() if is_on(switch) else np.zeros_like(x)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, switch = inputs
        return when_on(switch.at(0, 0), x.at(i, j), Num(0))


@dataclass(frozen=True, slots=True)
class OverAt:
    """A matrix divided by one of several numbers, such as a temperature: [n, m] ÷ [t, 1]."""

    row: int
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, divisors = inputs
        quotient: np.ndarray = x / divisors[self.row, 0]
        return quotient

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, divisors = inputs
        return Bin("/", x.at(i, j), divisors.at(self.row, 0))


@dataclass(frozen=True, slots=True)
class Descend:
    """One step downhill: weight − learning rate · gradient, each [n, m], the rate [1, 1]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        weight, rate, gradient = inputs
        stepped: np.ndarray = weight - rate * gradient
        if not np.isfinite(stepped).all():
            row = int(np.argmin(np.isfinite(stepped).all(axis=1)))
            raise RowProblem(row, "a new weight is too large to compute with")
        return stepped

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        weight, rate, gradient = inputs
        return Bin("-", weight.at(i, j), Bin("*", rate.at(0, 0), gradient.at(i, j)))


@dataclass(frozen=True, slots=True)
class DescendIfOn:
    """One step downhill where the weight's switch is on, else the weight as it is.

    Weight, rate and gradient as for `Descend`, then the switches [weights, 1], of which `row` is
    this weight's.
    """

    row: int
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        stepped = Descend().value(*inputs[:3])
        return stepped if inputs[3][self.row, 0] == 1.0 else inputs[0].copy()

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        stepped = Descend().cell(i, j, *inputs[:3])
        return when_on(inputs[3].at(self.row, 0), stepped, inputs[0].at(i, j))
