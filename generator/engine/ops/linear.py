"""Products and sums of whole matrices.

Also here:

* Sinusoidal positions (Vaswani et al. 2017, section 3.5), by pair of dimensions.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

import numpy as np

from generator.engine.expr import Bin, Call, Dot, Expr, Fn, Num, Operand
from generator.engine.ops.base import Precision, is_on, when_on


@dataclass(frozen=True, slots=True)
class MatMul:
    """Row times column, plus a bias row where there is one: [n, k] · [k, m] + [1, m] = [n, m]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        product: np.ndarray = inputs[0] @ inputs[1]
        return product + inputs[2] if len(inputs) == 3 else product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        product = Dot(inputs[0].row(i), inputs[1].column(j))
        return Bin("+", product, inputs[2].at(0, j)) if len(inputs) == 3 else product


@dataclass(frozen=True, slots=True)
class MatMulT:
    """Row times row, plus a bias row where there is one: [n, k] · [m, k]ᵀ + [1, m] = [n, m]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        product: np.ndarray = inputs[0] @ inputs[1].T
        return product + inputs[2] if len(inputs) == 3 else product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        product = Dot(inputs[0].row(i), inputs[1].row(j))
        return Bin("+", product, inputs[2].at(0, j)) if len(inputs) == 3 else product


@dataclass(frozen=True, slots=True)
class Plus:
    """The sum of two matrices of one shape, cell by cell."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, y = inputs
        total: np.ndarray = x + y
        return total

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, y = inputs
        return Bin("+", x.at(i, j), y.at(i, j))


@dataclass(frozen=True, slots=True)
class PlusIfOn:
    """The sum of two matrices where a switch [1, 1] is on, the first one alone where it is off."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, y, switch = inputs
        total: np.ndarray = x + y if is_on(switch) else x.copy()
        return total

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, y, switch = inputs
        return when_on(switch.at(0, 0), Bin("+", x.at(i, j), y.at(i, j)), x.at(i, j))


@dataclass(frozen=True, slots=True)
class Product:
    """Single numbers multiplied: [1, 1] · [1, 1] · … = [1, 1]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        product: np.ndarray = reduce(np.multiply, inputs)
        return product

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        factors: Iterator[Expr] = (one.at(i, j) for one in inputs)
        return reduce(lambda left, right: Bin("*", left, right), factors)


@dataclass(frozen=True, slots=True)
class Over:
    """A matrix divided by one number: [n, m] ÷ [1, 1] = [n, m]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, divisor = inputs
        quotient: np.ndarray = x / divisor
        return quotient

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, divisor = inputs
        return Bin("/", x.at(i, j), divisor.at(0, 0))


@dataclass(frozen=True, slots=True)
class OverEach:
    """One row divided by each of several numbers, a row for each: [1, m] ÷ [t, 1] = [t, m]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        row, divisors = inputs
        quotients: np.ndarray = row / divisors
        return quotients

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        row, divisors = inputs
        return Bin("/", row.at(0, j), divisors.at(i, 0))


@dataclass(frozen=True, slots=True)
class Divisor:
    """10000^(2i/d) for each pair i of dimensions: [1, ⌈d/2⌉]."""

    d_model: int
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        pairs = np.arange(0, self.d_model, 2, dtype=np.float64)
        return np.power(10000.0, pairs / self.d_model)[None, :]

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Bin("^", Num(10000), Bin("/", Num(2 * j), Num(self.d_model)))


@dataclass(frozen=True, slots=True)
class Angle:
    """Position ÷ divisor, in radians: [n, 1] and [1, p] give [n, p]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        index, divisor = inputs
        angle: np.ndarray = index / divisor
        return angle

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        index, divisor = inputs
        return Bin("/", index.at(i, 0), divisor.at(0, j))


@dataclass(frozen=True, slots=True)
class SineCosine:
    """Sine of each angle in the even columns (from 0), cosine in the odd ones: [n, d_model]."""

    d_model: int
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        angle = inputs[0]
        result = np.empty((len(angle), self.d_model))
        result[:, 0::2] = np.sin(angle)
        result[:, 1::2] = np.cos(angle[:, : self.d_model // 2])
        return result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Call(Fn.SIN if j % 2 == 0 else Fn.COS, (inputs[0].at(i, j // 2),))
