"""The activations of the feed-forward network.

Also here:

* Layer norm (Ba, Kiros, Hinton 2016), RMSNorm (Zhang, Sennrich 2019): the steps on paper.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine import choices
from generator.engine.activations import ACTIVATIONS
from generator.engine.expr import Bin, Call, Expr, Fn, Num, Operand
from generator.engine.ops.base import Precision, RowProblem


@dataclass(frozen=True, slots=True)
class Activation:
    """What the activation of that name makes of each hidden value: [n, f] gives [n, f]."""

    kind: choices.Activation
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return ACTIVATIONS[self.kind].value(inputs[0])

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return ACTIVATIONS[self.kind].cell(inputs[0].at(i, j))


@dataclass(frozen=True, slots=True)
class RowMean:
    """The mean of each row: [n, d] gives [n, 1]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        mean: np.ndarray = np.add.reduce(inputs[0], axis=1, keepdims=True) / inputs[0].shape[1]
        return mean

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x = inputs[0]
        return Bin("/", Call(Fn.SUM, (x.row(i),)), Num(x.width))


@dataclass(frozen=True, slots=True)
class Variance:
    """The population variance of each row about the (rounded) mean: [n, d], [n, 1] give [n, 1]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, mean = inputs
        squares = x - mean
        squares *= squares
        variance: np.ndarray = np.add.reduce(squares, axis=1, keepdims=True) / x.shape[1]
        return variance

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, mean = inputs
        return Bin("/", Call(Fn.SQUARES, (x.row(i), mean.at(i, 0))), Num(x.width))


@dataclass(frozen=True, slots=True)
class MeanSquare:
    """The mean of squares of each row (Zhang, Sennrich 2019, equation 4): [n, d] gives [n, 1]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x = inputs[0]
        mean: np.ndarray = np.add.reduce(x * x, axis=1, keepdims=True) / x.shape[1]
        return mean

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x = inputs[0]
        return Bin("/", Call(Fn.SQUARES, (x.row(i), Num(0))), Num(x.width))


@dataclass(frozen=True, slots=True)
class Deviation:
    """√(variance, or mean of squares, + epsilon) of each row: [n, 1] gives [n, 1]."""

    epsilon: float
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.sqrt(inputs[0] + self.epsilon)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        variance: Expr = inputs[0].at(i, 0)
        if self.epsilon:
            variance = Bin("+", variance, Num(self.epsilon))
        return Call(Fn.SQRT, (variance,))


@dataclass(frozen=True, slots=True)
class Normalise:
    """(x − mean) ÷ deviation in each row: [n, d], [n, 1], [n, 1] give [n, d]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, mean, deviation = inputs
        if np.count_nonzero(deviation) < deviation.size:
            row = int(np.argmax(deviation[:, 0] == 0.0))
            raise RowProblem(row, "the standard deviation σ is 0")
        standard: np.ndarray = (x - mean) / deviation
        return standard

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, mean, deviation = inputs
        return Bin("/", Bin("-", x.at(i, j), mean.at(i, 0)), deviation.at(i, 0))


@dataclass(frozen=True, slots=True)
class NormaliseByRoot:
    """x ÷ the root of its row's squares, no mean subtracted: [n, d], [n, 1] give [n, d]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, root = inputs
        if np.count_nonzero(root) < root.size:
            row = int(np.argmax(root[:, 0] == 0.0))
            raise RowProblem(row, "all its numbers are 0, and nothing can be divided by 0")
        quotient: np.ndarray = x / root
        return quotient

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, root = inputs
        return Bin("/", x.at(i, j), root.at(i, 0))


@dataclass(frozen=True, slots=True)
class GainShift:
    """x · gain + shift, either of which may be absent: [n, d], rows [1, d] give [n, d]."""

    gain: bool
    shift: bool
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        result = inputs[0] * inputs[1] if self.gain else inputs[0]
        return result + inputs[-1] if self.shift else result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        result: Expr = inputs[0].at(i, j)
        if self.gain:
            result = Bin("*", result, inputs[1].at(0, j))
        return Bin("+", result, inputs[-1].at(0, j)) if self.shift else result
