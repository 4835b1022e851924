"""Operations of the loss: cross-entropy and perplexity of the word that really comes next."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine.expr import Bin, Call, Expr, Fn, Num
from generator.engine.operand import Operand
from generator.engine.ops.base import Precision, RowProblem


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
