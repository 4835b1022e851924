"""Sinusoidal positions (Vaswani et al. 2017, section 3.5), by pair of dimensions."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine.expr import Bin, Call, Expr, Fn, Num
from generator.engine.operand import Operand
from generator.engine.ops.base import Precision


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
