"""Products and sums of whole matrices.

Also here:

* Sinusoidal positions (Vaswani et al. 2017, section 3.5), by pair of dimensions.
"""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from functools import reduce

import numpy as np

from generator.engine.expr import Dot, Expr, Fn, Num, Operand, product
from generator.engine.ops.base import Array, Op, is_on, when_on


class MatMul(Op):
    """Row times column, plus a bias row where there is one: [n, k] · [k, m] + [1, m] = [n, m]."""

    def value(self, x: Array, y: Array, bias: Array | None = None) -> Array:
        result: Array = x @ y
        return result if bias is None else result + bias

    def cell(self, i: int, j: int, x: Operand, y: Operand, bias: Operand | None = None) -> Expr:
        result = Dot(x[i, :], y[:, j])
        return result + bias[0, j] if bias else result


class MatMulT(Op):
    """Row times row, plus a bias row where there is one: [n, k] · [m, k]ᵀ + [1, m] = [n, m]."""

    def value(self, x: Array, y: Array, bias: Array | None = None) -> Array:
        result: Array = x @ y.T
        return result if bias is None else result + bias

    def cell(self, i: int, j: int, x: Operand, y: Operand, bias: Operand | None = None) -> Expr:
        result = Dot(x[i, :], y[j, :])
        return result + bias[0, j] if bias else result


class Plus(Op):
    """The sum of two matrices of one shape, cell by cell."""

    def value(self, x: Array, y: Array) -> Array:
        return x + y

    def cell(self, i: int, j: int, x: Operand, y: Operand) -> Expr:
        return x[i, j] + y[i, j]


class PlusIfOn(Op):
    """The sum of two matrices where a switch [1, 1] is on, the first one alone where it is off."""

    def value(self, x: Array, y: Array, switch: Array) -> Array:
        return x + y if is_on(switch) else x.copy()

    def cell(self, i: int, j: int, x: Operand, y: Operand, switch: Operand) -> Expr:
        return when_on(switch[0, 0], x[i, j] + y[i, j], x[i, j])


class Product(Op):
    """Single numbers multiplied: [1, 1] · [1, 1] · … = [1, 1]."""

    def value(self, *inputs: Array) -> Array:
        result: Array = reduce(np.multiply, inputs)
        return result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return product([one[i, j] for one in inputs])


class Over(Op):
    """A matrix divided by one number: [n, m] ÷ [1, 1] = [n, m]."""

    def value(self, x: Array, divisor: Array) -> Array:
        return x / divisor

    def cell(self, i: int, j: int, x: Operand, divisor: Operand) -> Expr:
        return x[i, j] / divisor[0, 0]


class OverEach(Over):
    """One row divided by each of several numbers, a row for each: [1, m] ÷ [t, 1] = [t, m]."""

    def cell(self, i: int, j: int, x: Operand, divisor: Operand) -> Expr:
        return x[0, j] / divisor[i, 0]


class Angle(Over):
    """Position ÷ divisor, in radians: [n, 1] and [1, p] give [n, p]."""

    def cell(self, i: int, j: int, x: Operand, divisor: Operand) -> Expr:
        return x[i, 0] / divisor[0, j]


@dataclass(frozen=True)
class Divisor(Op):
    """10000^(2i/d) for each pair i of dimensions: [1, ⌈d/2⌉]."""

    d_model: int

    def value(self) -> Array:
        pairs = np.arange(0, self.d_model, 2, dtype=np.float64)
        return np.power(10000.0, pairs / self.d_model)[None, :]

    def cell(self, i: int, j: int) -> Expr:
        return Num(10000) ** (Num(2) * j / self.d_model)


@dataclass(frozen=True)
class SineCosine(Op):
    """Sine of each angle in the even columns (from 0), cosine in the odd ones: [n, d_model]."""

    d_model: int

    def value(self, angle: Array) -> Array:
        result = np.empty((len(angle), self.d_model))
        result[:, 0::2] = np.sin(angle)
        result[:, 1::2] = np.cos(angle[:, : self.d_model // 2])
        return result

    def cell(self, i: int, j: int, angle: Operand) -> Expr:
        return (Fn.COS if j % 2 else Fn.SIN)(angle[i, j // 2])
