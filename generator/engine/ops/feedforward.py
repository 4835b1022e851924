"""The activations of the feed-forward network."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine import choices
from generator.engine.expr import Bin, Call, Expr, Fn, Num
from generator.engine.operand import Operand
from generator.engine.ops.base import Precision

CUBIC = 0.044715
HALF_PI_ROOT = math.sqrt(2.0 / math.pi)

_phi = np.frompyfunc(lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)), 1, 1)


def phi(x: np.ndarray) -> np.ndarray:
    """The standard normal distribution function Φ of each number."""
    result: np.ndarray = _phi(x).astype(np.float64)
    return result


@dataclass(frozen=True, slots=True)
class Activation:
    """relu: max(x, 0); gelu: x·Φ(x); gelu_tanh: its tanh form (Hendrycks, Gimpel 2016)."""

    kind: choices.Activation
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x = inputs[0]
        result: np.ndarray
        match self.kind:
            case "relu":
                result = np.maximum(x, 0.0)
            case "gelu":
                result = x * phi(x)
            case "gelu_tanh":
                result = 0.5 * x * (1.0 + np.tanh(HALF_PI_ROOT * (x + CUBIC * x**3)))
            case _:
                raise ValueError(f"no activation is called {self.kind!r}")
        return result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x = inputs[0].at(i, j)
        match self.kind:
            case "relu":
                return Call(Fn.MAX, (x, Num(0)))
            case "gelu":
                return Bin("*", x, Call(Fn.NORMAL, (x,)))
            case "gelu_tanh":
                cube = Bin("+", x, Bin("*", Num(CUBIC), Bin("^", x, Num(3))))
                root = Call(Fn.SQRT, (Bin("/", Num(2), Num(math.pi)),))
                bend = Call(Fn.TANH, (Bin("*", root, cube),))
                return Bin("*", Bin("*", Num(0.5), x), Bin("+", Num(1), bend))
            case _:
                raise ValueError(f"no activation is called {self.kind!r}")
