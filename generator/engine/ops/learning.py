"""Operations of learning: what carries a gradient back, and one step against it.

Also here:

* The slopes of softmax, norms and activations: what each makes of the gradient behind it.
* Operations of the loss: cross-entropy and perplexity of the word that really comes next.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

import math
from dataclasses import dataclass

import numpy as np

from generator.engine import choices
from generator.engine.activations import ACTIVATIONS
from generator.engine.expr import Dot, Expr, Fn, Num, Operand, total
from generator.engine.ops.base import Array, Copying, Op, RowProblem, Words, is_on, when_on
from generator.engine.ops.linear import Over


class MatTMul(Op):
    """Column times column: [n, k]ᵀ · [n, m] = [k, m]; each row of the batch adds its share."""

    def value(self, x: Array, y: Array) -> Array:
        result: Array = x.T @ y
        return result

    def cell(self, i: int, j: int, x: Operand, y: Operand) -> Expr:
        return Dot(x[:, i], y[:, j])


class ColumnSum(Op):
    """The sum of each column: [n, m] gives [1, m]."""

    def value(self, x: Array) -> Array:
        return np.add.reduce(x, axis=0, keepdims=True)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Fn.SUM(x[:, j])


class ColumnDot(Op):
    """Products of two matrices of one shape, summed down each column: [n, m], [n, m] → [1, m]."""

    def value(self, x: Array, y: Array) -> Array:
        return np.add.reduce(x * y, axis=0, keepdims=True)

    def cell(self, i: int, j: int, x: Operand, y: Operand) -> Expr:
        return Dot(x[:, j], y[:, j])


@dataclass(frozen=True)
class RowDot(Op):
    """Products of two matrices of one shape, summed along each row: [n, m], [n, m] give [n, 1].

    With `mean` the sum is divided by the width.
    """

    mean: bool = False

    def value(self, x: Array, y: Array) -> Array:
        products = np.add.reduce(x * y, axis=1, keepdims=True)
        return products / x.shape[1] if self.mean else products

    def cell(self, i: int, j: int, x: Operand, y: Operand) -> Expr:
        products = Dot(x[i, :], y[i, :])
        return products / x.width if self.mean else products


class Sum(Op):
    """The sum of several matrices of one shape: what each use of a number adds to its gradient."""

    def value(self, x: Array, y: Array, *others: Array) -> Array:
        result = x + y
        for other in others:
            result += other
        return result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return total([x[i, j] for x in inputs])


@dataclass(frozen=True)
class PlaceRows(Copying):
    """Rows at their place among `height` rows, 0 in the others: [m, d] gives [height, d]."""

    first: int
    height: int

    def value(self, x: Array) -> Array:
        placed = np.zeros((self.height, x.shape[1]))
        placed[self.first : self.first + len(x)] = x
        return placed

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        row = i - self.first
        return x[row, j] if 0 <= row < x.height else Num(0)


@dataclass(frozen=True)
class Columns(Copying):
    """Some columns of a matrix, those of one head: [n, m] gives [n, width].

    Takes the switches [blocks, heads] too, or nothing: zeros where `switch`, the block and the
    head from 0, is off.
    """

    start: int
    width: int
    switch: tuple[int, int] = (0, 0)

    def value(self, x: Array, *switches: Array) -> Array:
        part = x[:, self.start : self.start + self.width].copy()
        return part if all(s[self.switch] == 1.0 for s in switches) else np.zeros_like(part)

    def cell(self, i: int, j: int, x: Operand, *switches: Operand) -> Expr:
        one = x[i, self.start + j]
        return when_on(switches[0][self.switch], one, Num(0)) if switches else one


class WhenOn(Copying):
    """A matrix where a switch [1, 1] is on, zeros where it is off."""

    def value(self, x: Array, switch: Array) -> Array:
        return x.copy() if is_on(switch) else np.zeros_like(x)

    def cell(self, i: int, j: int, x: Operand, switch: Operand) -> Expr:
        return when_on(switch[0, 0], x[i, j], Num(0))


@dataclass(frozen=True)
class OverAt(Over):
    """A matrix divided by one of several numbers, such as a temperature: [n, m] ÷ [t, 1]."""

    row: int

    def value(self, x: Array, divisor: Array) -> Array:
        return x / divisor[self.row : self.row + 1]

    def cell(self, i: int, j: int, x: Operand, divisor: Operand) -> Expr:
        return x[i, j] / divisor[self.row, 0]


class Descend(Op):
    """One step downhill: weight − learning rate · gradient, each [n, m], the rate [1, 1]."""

    def value(self, weight: Array, rate: Array, gradient: Array) -> Array:
        stepped = weight - rate * gradient
        if not np.isfinite(stepped).all():
            row = int(np.argmin(np.isfinite(stepped).all(axis=1)))
            raise RowProblem(row, "a new weight is too large to compute with")
        return stepped

    def cell(self, i: int, j: int, weight: Operand, rate: Operand, gradient: Operand) -> Expr:
        return weight[i, j] - rate[0, 0] * gradient[i, j]


@dataclass(frozen=True)
class DescendIfOn(Op):
    """One step downhill where the weight's switch is on, else the weight as it is.

    Weight, rate and gradient as for `Descend`, then the switches [weights, 1], of which `row` is
    this weight's.
    """

    row: int

    def value(self, weight: Array, *others: Array) -> Array:
        stepped = Descend().value(weight, *others[:2])
        return stepped if others[2][self.row, 0] == 1.0 else weight.copy()

    def cell(self, i: int, j: int, weight: Operand, *others: Operand) -> Expr:
        stepped = Descend().cell(i, j, weight, *others[:2])
        return when_on(others[2][self.row, 0], stepped, weight[i, j])


@dataclass(frozen=True)
class AtId(Copying):
    """The number of one row that stands at an ID: [t, v] and ID [1, 1] give [1, 1]."""

    row: int

    def value(self, numbers: Array, ids: Array) -> Array:
        place = int(ids[0, 0])
        return numbers[self.row : self.row + 1, place : place + 1].copy()

    def cell(self, i: int, j: int, numbers: Operand, ids: Operand) -> Expr:
        return Fn.INDEX(numbers[self.row, :], ids[0, 0] + 1)


class MinusLog(Op):
    """−ln x of each number, for one number the cross-entropy: [n, m] gives [n, m]."""

    def value(self, x: Array) -> Array:
        if x.min() <= 0.0:
            row = int(np.argmin(x.min(axis=1)))
            raise RowProblem(row, "the probability is 0, and ln 0 does not exist")
        return 0.0 - np.log(x)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Num(0) - Fn.LN(x[i, j])


class NextOf(Copying):
    """The token that follows each: tokens [n, 1] give the second to the last [n − 1, 1].

    With a target [1, 1], the word that comes after the last one too: [n, 1].
    """

    def value(self, tokens: Words, *target: Words) -> Words:
        return np.concatenate([tokens[1:], *target], axis=0)

    def cell(self, i: int, j: int, tokens: Operand, *target: Operand) -> Expr:
        return tokens[i + 1, 0] if i + 1 < tokens.height else target[0][0, 0]


@dataclass(frozen=True)
class FirstRows(Copying):
    """The first rows of a matrix: [n, d] gives [rows, d]."""

    rows: int

    def value(self, x: Array) -> Array:
        return x[: self.rows].copy()

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return x[i, j]


class AtIds(Copying):
    """In each row the number that stands at the row's ID: [n, v] and IDs [n, 1] give [n, 1]."""

    def value(self, numbers: Array, ids: Array) -> Array:
        return np.take_along_axis(numbers, ids.astype(np.intp), axis=1)

    def cell(self, i: int, j: int, numbers: Operand, ids: Operand) -> Expr:
        return Fn.INDEX(numbers[i, :], ids[i, 0] + 1)


class ColumnMean(Op):
    """The mean of a column of numbers: [n, 1] gives [1, 1]."""

    def value(self, x: Array) -> Array:
        mean: Array = np.add.reduce(x, axis=0, keepdims=True) / len(x)
        return mean

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Fn.SUM(x[:, 0]) / x.height


@dataclass(frozen=True)
class ShareError(Op):
    """P − y: shares minus 1 at the right word, 0 at the others: the gradient at the logits.

    Shares [t, v] and the one-hot target [m, v] give [m, v]. `row` takes that row of the shares
    alone. Another base than e multiplies by its logarithm, a mean over m predictions divides by m.
    """

    base: float | None
    row: int | None = None

    def value(self, shares: Array, right: Array) -> Array:
        error = (shares if self.row is None else shares[self.row : self.row + 1]) - right
        if self.base is not None:
            error *= math.log(self.base)
        return error / len(right) if len(right) > 1 else error

    def cell(self, i: int, j: int, shares: Operand, right: Operand) -> Expr:
        error = shares[i if self.row is None else self.row, j] - right[i, j]
        if self.base is not None:
            error *= Fn.LN(Num(self.base))
        return error / right.height if right.height > 1 else error


@dataclass(frozen=True)
class ShareSlope(Op):
    """Softmax backwards: share · (gradient − average), the average weighted by the shares.

    Gradient and shares [n, m], averages [n, 1] give [n, m]; 0 where a share is 0, as it is where a
    mask hides. Another base than e multiplies by its logarithm.
    """

    base: float | None

    def value(self, gradient: Array, shares: Array, average: Array) -> Array:
        slope = shares * (gradient - average)
        return slope if self.base is None else slope * math.log(self.base)

    def cell(self, i: int, j: int, gradient: Operand, shares: Operand, average: Operand) -> Expr:
        slope = shares[i, j] * (gradient[i, j] - average[i, 0])
        return slope if self.base is None else slope * Fn.LN(Num(self.base))


@dataclass(frozen=True)
class NormSlope(Op):
    """A norm backwards: what is left of a gradient without its average and its part along y, ÷ σ.

    Gradient and y [n, d], projections [n, 1], averages [n, 1] where the norm is `centred` (layer
    norm), and σ or the root mean square [n, 1] give [n, d]: (g − average − y · projection) ÷ σ.
    """

    centred: bool

    def value(self, gradient: Array, y: Array, projection: Array, *rows: Array) -> Array:
        rest = gradient - rows[0] if self.centred else gradient
        return (rest - y * projection) / rows[-1]

    def cell(
        self, i: int, j: int, gradient: Operand, y: Operand, projection: Operand, *rows: Operand
    ) -> Expr:
        rest = gradient[i, j] - rows[0][i, 0] if self.centred else gradient[i, j]
        return (rest - y[i, j] * projection[i, 0]) / rows[-1][i, 0]


@dataclass(frozen=True)
class ActivationSlope(Op):
    """Each gradient times the slope of the activation there: [n, f], hidden [n, f] give [n, f]."""

    kind: choices.Activation

    def value(self, gradient: Array, x: Array) -> np.ndarray:
        return ACTIVATIONS[self.kind].back(gradient, x)

    def cell(self, i: int, j: int, gradient: Operand, x: Operand) -> Expr:
        return ACTIVATIONS[self.kind].back_cell(gradient[i, j], x[i, j])
