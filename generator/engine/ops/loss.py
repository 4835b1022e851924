"""How surprised a model is by the word that really comes next."""

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
