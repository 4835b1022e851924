"""The slopes of softmax, norms and activations: what each makes of the gradient behind it."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine import choices
from generator.engine.expr import Bin, Call, Expr, Fn, If, Num
from generator.engine.operand import Operand
from generator.engine.ops.base import Precision
from generator.engine.ops.feedforward import CUBIC, HALF_PI_ROOT, phi


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
    """Each gradient times the slope of the activation there: [n, f], hidden [n, f] give [n, f].

    relu lets a gradient through where the hidden value is above 0, and stops it elsewhere.
    """

    kind: choices.Activation
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        gradient, x = inputs
        result: np.ndarray
        match self.kind:
            case "relu":
                result = np.where(x > 0.0, gradient, 0.0)
            case "gelu":
                bell = np.exp(-(x**2) / 2.0) / math.sqrt(2.0 * math.pi)
                result = gradient * (phi(x) + x * bell)
            case "gelu_tanh":
                bend = np.tanh(HALF_PI_ROOT * (x + CUBIC * x**3))
                steep = HALF_PI_ROOT * (1.0 + 3.0 * CUBIC * x**2)
                result = gradient * (0.5 * (1.0 + bend) + 0.5 * x * (1.0 - bend**2) * steep)
            case _:
                raise ValueError(f"no activation is called {self.kind!r}")
        return result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        gradient, x = inputs[0].at(i, j), inputs[1].at(i, j)
        match self.kind:
            case "relu":
                return If(Bin(">", x, Num(0)), gradient, Num(0))
            case "gelu":
                return Bin("*", gradient, _gelu_slope(x))
            case "gelu_tanh":
                return Bin("*", gradient, _gelu_tanh_slope(x))
            case _:
                raise ValueError(f"no activation is called {self.kind!r}")


def _gelu_slope(x: Expr) -> Expr:
    """Φ(x) + x · φ(x), φ the bell curve."""
    square = Bin("/", Bin("-", Num(0), Bin("^", x, Num(2))), Num(2))
    bell = Bin("/", Call(Fn.EXP, (square,)), Call(Fn.SQRT, (Bin("*", Num(2), Num(math.pi)),)))
    return Bin("+", Call(Fn.NORMAL, (x,)), Bin("*", x, bell))


def _gelu_tanh_slope(x: Expr) -> Expr:
    """½ (1 + t) + ½ x (1 − t²) · √(2 ÷ π) (1 + 3 · 0.044715 x²), t the bend of gelu_tanh."""
    root = Call(Fn.SQRT, (Bin("/", Num(2), Num(math.pi)),))
    cube = Bin("+", x, Bin("*", Num(CUBIC), Bin("^", x, Num(3))))
    bend = Call(Fn.TANH, (Bin("*", root, cube),))
    inner = Bin("*", Bin("*", Num(3), Num(CUBIC)), Bin("^", x, Num(2)))
    steep = Bin("*", root, Bin("+", Num(1), inner))
    outer = Bin("*", Bin("*", Num(0.5), x), Bin("-", Num(1), Bin("^", bend, Num(2))))
    half = Bin("*", Num(0.5), Bin("+", Num(1), bend))
    return Bin("+", half, Bin("*", outer, steep))
