"""What an operation is: `value` for the array, `cell` for one number of it."""

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, TypeAlias

import numpy as np

from generator.engine.expr import Bin, Expr, If, Num, Operand
from generator.errors import Sendable

Precision: TypeAlias = Literal["rounded", "inherited", "added", "whole"]


class Op(Protocol):
    """An operation; `precision` says how many decimals its result has.

    rounded: those that the preset gives the step, and paper arithmetic rounds to them. Unrounded
    are the others. inherited: the most that an input has; added: those of all inputs together, as
    a product written in full has them; whole: none.
    """

    precision: ClassVar[Precision]

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        """The step's array, always two-dimensional, computed from its inputs' arrays."""
        ...

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        """What the number in row i, column j is: the same meaning as `value`, cell by cell."""
        ...


def is_on(switch: np.ndarray) -> bool:
    """Whether a switch [1, 1] holds 1."""
    return bool(switch[0, 0] == 1.0)


def when_on(switch: Expr, on: Expr, off: Expr) -> Expr:
    """One cell that depends on the cell of a switch."""
    return If(Bin("=", switch, Num(1)), on, off)


class RowProblem(Sendable):
    """A row for which an operation has no result; the Trace adds the name of the step."""

    def __init__(self, row: int, text: str) -> None:
        super().__init__(text)
        self.row = row
        self.text = text


@dataclass(frozen=True, slots=True)
class Given:
    """A step that nobody computes: tokens, words, weights, temperatures."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        """Given steps take their array from the preset; there is nothing to compute."""
        raise TypeError("a given step has no operation")

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        """Given cells are typed in, not computed."""
        raise TypeError("a given cell has no formula")
