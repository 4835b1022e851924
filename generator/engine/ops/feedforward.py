"""The activations of the feed-forward network.

Also here:

* Layer norm (Ba, Kiros, Hinton 2016), RMSNorm (Zhang, Sennrich 2019): the steps on paper.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass

import numpy as np

from generator.engine import choices
from generator.engine.activations import ACTIVATIONS
from generator.engine.expr import Expr, Fn, Num, Operand
from generator.engine.ops.base import Array, Op, RowProblem


@dataclass(frozen=True)
class Activation(Op):
    """What the activation of that name makes of each hidden value: [n, f] gives [n, f]."""

    kind: choices.Activation

    def value(self, x: Array) -> np.ndarray:
        return ACTIVATIONS[self.kind].value(x)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return ACTIVATIONS[self.kind].cell(x[i, j])


def _row_means(x: Array) -> Array:
    mean: Array = np.add.reduce(x, axis=1, keepdims=True) / x.shape[1]
    return mean


class RowMean(Op):
    """The mean of each row: [n, d] gives [n, 1]."""

    def value(self, x: Array) -> Array:
        return _row_means(x)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Fn.SUM(x[i, :]) / x.width


class Variance(Op):
    """The population variance of each row about the (rounded) mean: [n, d], [n, 1] give [n, 1]."""

    def value(self, x: Array, mean: Array) -> Array:
        squares = x - mean
        squares *= squares
        return _row_means(squares)

    def cell(self, i: int, j: int, x: Operand, mean: Operand) -> Expr:
        return Fn.SQUARES(x[i, :], mean[i, 0]) / x.width


class MeanSquare(Op):
    """The mean of squares of each row (Zhang, Sennrich 2019, equation 4): [n, d] gives [n, 1]."""

    def value(self, x: Array) -> Array:
        return _row_means(x * x)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Fn.SQUARES(x[i, :], Num(0)) / x.width


@dataclass(frozen=True)
class Deviation(Op):
    """√(variance, or mean of squares, + epsilon) of each row: [n, 1] gives [n, 1]."""

    epsilon: float

    def value(self, variance: Array) -> Array:
        return np.sqrt(variance + self.epsilon)

    def cell(self, i: int, j: int, variance: Operand) -> Expr:
        return Fn.SQRT(variance[i, 0] + self.epsilon if self.epsilon else variance[i, 0])


def _divided(x: Array, root: Array, zero: str) -> Array:
    if np.count_nonzero(root) < root.size:
        raise RowProblem(int(np.argmax(root[:, 0] == 0.0)), zero)
    return x / root


class Normalise(Op):
    """(x − mean) ÷ deviation in each row: [n, d], [n, 1], [n, 1] give [n, d]."""

    def value(self, x: Array, mean: Array, deviation: Array) -> Array:
        return _divided(x - mean, deviation, "the standard deviation σ is 0")

    def cell(self, i: int, j: int, x: Operand, mean: Operand, deviation: Operand) -> Expr:
        return (x[i, j] - mean[i, 0]) / deviation[i, 0]


class NormaliseByRoot(Op):
    """x ÷ the root of its row's squares, no mean subtracted: [n, d], [n, 1] give [n, d]."""

    def value(self, x: Array, root: Array) -> Array:
        return _divided(x, root, "all its numbers are 0, and nothing can be divided by 0")

    def cell(self, i: int, j: int, x: Operand, root: Operand) -> Expr:
        return x[i, j] / root[i, 0]


@dataclass(frozen=True)
class GainShift(Op):
    """x · gain + shift, either of which may be absent: [n, d], rows [1, d] give [n, d]."""

    gain: bool
    shift: bool

    def value(self, x: Array, *rows: Array) -> Array:
        result = x * rows[0] if self.gain else x
        return result + rows[-1] if self.shift else result

    def cell(self, i: int, j: int, x: Operand, *rows: Operand) -> Expr:
        result = x[i, j] * rows[0][0, j] if self.gain else x[i, j]
        return result + rows[-1][0, j] if self.shift else result
