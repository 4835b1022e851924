"""What an operation is: `value` for the array, `cell` for one number of it."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from generator.engine.expr import Bin, Expr, If, Num
from generator.errors import Sendable

Array: TypeAlias = npt.NDArray[np.float64]
Words: TypeAlias = npt.NDArray[np.object_]
Precision: TypeAlias = Literal["rounded", "inherited", "added", "whole"]


@dataclass(frozen=True)
class Op:
    """An operation; `precision` says how many decimals its result has.

    rounded: those that the preset gives the step, and paper arithmetic rounds to them. Unrounded
    are the others. inherited: the most that an input has; added: those of all inputs together, as
    a product written in full has them; whole: none.
    """

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: Any, **_: Any) -> np.ndarray:
        """The step's array, always two-dimensional, computed from its inputs' arrays."""
        raise NotImplementedError(f"{type(self).__name__} has no value")

    def cell(self, i: int, j: int, *inputs: Any, **_: Any) -> Expr:
        """What the number in row i, column j is: the same meaning as `value`, cell by cell.

        Its inputs are `Operand`s: names and shapes, never numbers.
        """
        raise NotImplementedError(f"{type(self).__name__} has no cell")


class Copying(Op):
    """An operation that only copies or looks up: it never rounds."""

    precision = "inherited"


def is_on(switch: Array) -> bool:
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


class Given(Copying):
    """A step that nobody computes, typed in: tokens, words, weights, temperatures."""

    def value(self, *inputs: Any, **_: Any) -> np.ndarray:
        """Given steps take their array from the preset; there is nothing to compute."""
        raise TypeError("a given step has no operation")

    def cell(self, i: int, j: int, *inputs: Any, **_: Any) -> Expr:
        """Given cells are typed in, not computed."""
        raise TypeError("a given cell has no formula")
