"""Operations of learning: what carries a gradient back, and one step against it.

Also here:

* The slopes of softmax, norms and activations: what each makes of the gradient behind it.
* Operations of the loss: cross-entropy and perplexity of the word that really comes next.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine import choices
from generator.engine.activations import ACTIVATIONS
from generator.engine.expr import Bin, Call, Dot, Expr, Fn, Num, Operand, total
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


@dataclass(frozen=True, slots=True)
class AtId:
    """The number of one row that stands at an ID: [t, v] and ID [1, 1] give [1, 1]."""

    row: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        numbers, ids = inputs
        place = int(ids[0, 0])
        return numbers[self.row : self.row + 1, place : place + 1].copy()

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        numbers, ids = inputs
        return Call(Fn.INDEX, (numbers.row(self.row), Bin("+", ids.at(0, 0), Num(1))))


@dataclass(frozen=True, slots=True)
class MinusLog:
    """−ln x of each number, for one number the cross-entropy: [n, m] gives [n, m]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x = inputs[0]
        if x.min() <= 0.0:
            row = int(np.argmin(x.min(axis=1)))
            raise RowProblem(row, "the probability is 0, and ln 0 does not exist")
        logarithm: np.ndarray = 0.0 - np.log(x)
        return logarithm

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Bin("-", Num(0), Call(Fn.LN, (inputs[0].at(i, j),)))


@dataclass(frozen=True, slots=True)
class NextOf:
    """The token that follows each: tokens [n, 1] give the second to the last [n − 1, 1].

    With a target [1, 1], the word that comes after the last one too: [n, 1].
    """

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.concatenate([inputs[0][1:], *inputs[1:]], axis=0)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        tokens = inputs[0]
        return tokens.at(i + 1, 0) if i + 1 < tokens.height else inputs[1].at(0, 0)


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The first rows of a matrix: [n, d] gives [rows, d]."""

    rows: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return inputs[0][: self.rows].copy()

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return inputs[0].at(i, j)


@dataclass(frozen=True, slots=True)
class AtIds:
    """In each row the number that stands at the row's ID: [n, v] and IDs [n, 1] give [n, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        numbers, ids = inputs
        return np.take_along_axis(numbers, ids.astype(np.intp), axis=1)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        numbers, ids = inputs
        return Call(Fn.INDEX, (numbers.row(i), Bin("+", ids.at(i, 0), Num(1))))


@dataclass(frozen=True, slots=True)
class ColumnMean:
    """The mean of a column of numbers: [n, 1] gives [1, 1]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        mean: np.ndarray = np.add.reduce(inputs[0], axis=0, keepdims=True) / len(inputs[0])
        return mean

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x = inputs[0]
        return Bin("/", Call(Fn.SUM, (x.column(0),)), Num(x.height))


@dataclass(frozen=True, slots=True)
class ShareError:
    """P − y: shares minus 1 at the right word, 0 at the others: the gradient at the logits.

    Shares [t, v] and the one-hot target [m, v] give [m, v]. `row` takes that row of the shares
    alone. Another base than e multiplies by its logarithm, a mean over m predictions divides by m.
    """

    base: float | None
    row: int | None = None
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        shares, right = inputs
        mine = shares if self.row is None else shares[self.row : self.row + 1]
        error: np.ndarray = mine - right
        if self.base is not None:
            error *= math.log(self.base)
        return error / len(right) if len(right) > 1 else error

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        shares, right = inputs
        row = i if self.row is None else self.row
        error = _to_base(self.base, Bin("-", shares.at(row, j), right.at(i, j)))
        return Bin("/", error, Num(right.height)) if right.height > 1 else error


@dataclass(frozen=True, slots=True)
class ShareSlope:
    """Softmax backwards: share · (gradient − average), the average weighted by the shares.

    Gradient and shares [n, m], averages [n, 1] give [n, m]; 0 where a share is 0, as it is where a
    mask hides. Another base than e multiplies by its logarithm.
    """

    base: float | None
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        gradient, shares, average = inputs
        slope: np.ndarray = shares * (gradient - average)
        if self.base is not None:
            slope *= math.log(self.base)
        return slope

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        gradient, shares, average = inputs
        away = Bin("-", gradient.at(i, j), average.at(i, 0))
        return _to_base(self.base, Bin("*", shares.at(i, j), away))


def _to_base(base: float | None, x: Expr) -> Expr:
    return x if base is None else Bin("*", x, Call(Fn.LN, (Num(base),)))


@dataclass(frozen=True, slots=True)
class NormSlope:
    """A norm backwards: what is left of a gradient without its average and its part along y, ÷ σ.

    Gradient and y [n, d], projections [n, 1], averages [n, 1] where the norm is `centred` (layer
    norm), and σ or the root mean square [n, 1] give [n, d]: (g − average − y · projection) ÷ σ.
    """

    centred: bool
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        gradient, y, projection = inputs[:3]
        rest = gradient - inputs[3] if self.centred else gradient
        slope: np.ndarray = (rest - y * projection) / inputs[-1]
        return slope

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        rest: Expr = inputs[0].at(i, j)
        if self.centred:
            rest = Bin("-", rest, inputs[3].at(i, 0))
        along = Bin("*", inputs[1].at(i, j), inputs[2].at(i, 0))
        return Bin("/", Bin("-", rest, along), inputs[-1].at(i, 0))


@dataclass(frozen=True, slots=True)
class ActivationSlope:
    """Each gradient times the slope of the activation there: [n, f], hidden [n, f] give [n, f]."""

    kind: choices.Activation
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return ACTIVATIONS[self.kind].back(*inputs)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        gradient, x = inputs
        return ACTIVATIONS[self.kind].back_cell(gradient.at(i, j), x.at(i, j))
