"""Counting parameters: products and sums over the sizes of a model."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine.expr import Bin, Expr, Num, total
from generator.engine.operand import Operand
from generator.engine.ops.base import Precision


@dataclass(frozen=True, slots=True)
class SizeProduct:
    """factor · the product of some rows of the table of sizes: [s, m] gives [1, m]."""

    factor: int
    rows: tuple[int, ...]
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        sizes = inputs[0]
        product = np.full((1, sizes.shape[1]), float(self.factor))
        for row in self.rows:
            product *= sizes[row]
        return product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        factors: list[Expr] = [inputs[0].at(row, j) for row in self.rows]
        result: Expr = Num(self.factor) if self.factor != 1 else factors.pop(0)
        for factor in factors:
            result = Bin("*", result, factor)
        return result


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of several matrices of one shape, cell by cell."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.asarray(np.sum(inputs, axis=0))

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return total([x.at(i, j) for x in inputs])


@dataclass(frozen=True, slots=True)
class TimesSize:
    """A count times one row of the table of sizes: [1, m] and [s, m] give [1, m]."""

    row: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        count, sizes = inputs
        product: np.ndarray = count * sizes[self.row]
        return product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        count, sizes = inputs
        return Bin("*", count.at(0, j), sizes.at(self.row, j))
