"""The activations of a feed-forward network: each is one entry, which all who need to know ask."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from generator.engine import choices
from generator.engine.expr import Bin, Expr, Fn, If, Num

CUBIC = 0.044715
HALF_PI_ROOT = math.sqrt(2.0 / math.pi)

_phi = np.frompyfunc(lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)), 1, 1)


@dataclass(frozen=True)
class ActivationForm:
    """What an activation makes of a hidden value x, and of a gradient on its way back.

    `value` and `cell` say the same of an array and of one number; `back` and `back_cell` are the
    gradient times the slope at x. An activation that `crosses_out` makes 0 of what is negative and
    leaves the rest as it is: pupils do it with a pencil (sheet 5), and it is a gate on the way back
    (sheet 7c). One too long to be read is printed as the one that it is `about`.
    """

    value: Callable[[np.ndarray], np.ndarray]
    cell: Callable[[Expr], Expr]
    back: Callable[[np.ndarray, np.ndarray], np.ndarray]
    back_cell: Callable[[Expr, Expr], Expr]
    crosses_out: bool = False
    about: choices.Activation | None = None


def phi(x: np.ndarray) -> np.ndarray:
    """The standard normal distribution function Φ of each number."""
    result: np.ndarray = _phi(x).astype(np.float64)
    return result


def _gelu_back(gradient: np.ndarray, x: np.ndarray) -> np.ndarray:
    bell = np.exp(-(x**2) / 2.0) / math.sqrt(2.0 * math.pi)
    result: np.ndarray = gradient * (phi(x) + x * bell)
    return result


def _gelu_back_cell(gradient: Expr, x: Expr) -> Expr:
    """The gradient times Φ(x) + x · φ(x), φ the bell curve."""
    bell = Fn.EXP((Num(0) - x**2) / 2) / Fn.SQRT(Num(2) * math.pi)
    return gradient * (Fn.NORMAL(x) + x * bell)


def _bend(x: np.ndarray) -> np.ndarray:
    result: np.ndarray = np.tanh(HALF_PI_ROOT * (x + CUBIC * x**3))
    return result


def _bend_cell(x: Expr) -> Expr:
    return Fn.TANH(_HALF_PI_ROOT * (x + Num(CUBIC) * x**3))


def _gelu_tanh_back(gradient: np.ndarray, x: np.ndarray) -> np.ndarray:
    bend = _bend(x)
    steep = HALF_PI_ROOT * (1.0 + 3.0 * CUBIC * x**2)
    result: np.ndarray = gradient * (0.5 * (1.0 + bend) + 0.5 * x * (1.0 - bend**2) * steep)
    return result


def _gelu_tanh_back_cell(gradient: Expr, x: Expr) -> Expr:
    """½ (1 + t) + ½ x (1 − t²) · √(2 ÷ π) (1 + 3 · 0.044715 x²), t the bend."""
    bend = _bend_cell(x)
    steep = _HALF_PI_ROOT * (Num(1) + Num(3) * CUBIC * x**2)
    return gradient * (Num(0.5) * (Num(1) + bend) + Num(0.5) * x * (Num(1) - bend**2) * steep)


_HALF_PI_ROOT = Fn.SQRT(Num(2) / math.pi)

ACTIVATIONS: Final[Mapping[choices.Activation, ActivationForm]] = MappingProxyType({
    "relu": ActivationForm(
        value=lambda x: np.maximum(x, 0.0),
        cell=lambda x: Fn.MAX(x, Num(0)),
        back=lambda gradient, x: np.where(x > 0.0, gradient, 0.0),
        back_cell=lambda gradient, x: If(Bin(">", x, Num(0)), gradient, Num(0)),
        crosses_out=True,
    ),
    # Hendrycks, Gimpel 2016: x · Φ(x), and its form with tanh
    "gelu": ActivationForm(
        value=lambda x: x * phi(x),
        cell=lambda x: x * Fn.NORMAL(x),
        back=_gelu_back,
        back_cell=_gelu_back_cell,
    ),
    "gelu_tanh": ActivationForm(
        value=lambda x: 0.5 * x * (1.0 + _bend(x)),
        cell=lambda x: Num(0.5) * x * (Num(1) + _bend_cell(x)),
        back=_gelu_tanh_back,
        back_cell=_gelu_tanh_back_cell,
        about="gelu",
    ),
})  # fmt: skip
