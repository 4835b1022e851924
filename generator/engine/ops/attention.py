"""Scaled dot-product attention and softmax (Vaswani et al. 2017, equation 1), step by step."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from generator.engine import choices
from generator.engine.expr import Bin, Call, Expr, Fn, If, Num, Operand
from generator.engine.masks import MASKS, added
from generator.engine.ops.base import Precision, RowProblem, is_on, when_on

MASKED = -math.inf
HARMLESS = 100.0  # no base up to 1000 overflows with such an exponent


@dataclass(frozen=True, slots=True)
class Root:
    """The square root of a number of the model, such as √d_head: [1, 1]; 1 where a switch is off.

    Takes a switch [1, 1] or nothing.
    """

    number: int
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.array([[math.sqrt(self.number) if all(map(is_on, inputs)) else 1.0]])

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        root = Call(Fn.SQRT, (Num(self.number),))
        return when_on(inputs[0].at(0, 0), root, Num(1)) if inputs else root


@dataclass(frozen=True, slots=True)
class Mask:
    """0 where a token may look, −∞ where not: [n, n], as the mask of that name says.

    Takes a switch [1, 1], which hides nothing when it is off, or nothing. Rows before `first` are
    left out: a token that is appended needs its own only.
    """

    size: int
    kind: choices.Mask
    first: int = 0
    precision: ClassVar[Precision] = "whole"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        hides = all(map(is_on, inputs))
        whole = added(self.kind, self.size) if hides else np.zeros((self.size, self.size))
        return whole[self.first :]

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        hidden: Expr = Num(MASKED)
        if inputs:
            hidden = when_on(inputs[0].at(0, 0), hidden, Num(0))
        return MASKS[self.kind].cell(Num(self.first + i + 1), Num(j + 1), Num(0), hidden)


@dataclass(frozen=True, slots=True)
class Masked:
    """The scaled scores, hidden where the mask hides: [n, n] and mask [n, n] give [n, n]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        scaled, mask = inputs
        hidden: np.ndarray = scaled + mask
        return hidden

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        scaled, mask = inputs
        return If(Bin("=", mask.at(i, j), Num(0)), scaled.at(i, j), Num(MASKED))


def _if_visible(x: Expr, result: Expr, otherwise: Expr) -> Expr:
    return If(Call(Fn.IS_NUMBER, (x,)), result, otherwise)


@dataclass(frozen=True, slots=True)
class RowMax:
    """The largest visible number of each row, 0 for a row without any: [n, m] gives [n, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        largest = inputs[0].max(axis=1, keepdims=True)
        return np.where(largest == MASKED, 0.0, largest)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Call(Fn.MAX, (inputs[0].row(i),))


@dataclass(frozen=True, slots=True)
class MinusRow:
    """Each number minus its row's: [n, m] − [n, 1] = [n, m]; masked cells stay masked."""

    masked: bool
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, row = inputs
        difference: np.ndarray = x - row
        return difference

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, row = inputs
        difference = Bin("-", x.at(i, j), row.at(i, 0))
        return _if_visible(x.at(i, j), difference, Num(MASKED)) if self.masked else difference


@dataclass(frozen=True, slots=True)
class Power:
    """base^x for each number (base None is e), 0 for a masked one: [n, m] gives [n, m]."""

    base: float | None
    masked: bool
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x = inputs[0]
        result: np.ndarray
        if x.max() <= HARMLESS:
            result = np.exp(x) if self.base is None else np.power(self.base, x)
            return result
        with np.errstate(over="ignore"):
            result = np.exp(x) if self.base is None else np.power(self.base, x)
        if result.max() == math.inf:
            row = int(np.argmax(result.max(axis=1)))
            raise RowProblem(row, f"{x[row].max():g} is too large an exponent")
        return result

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x = inputs[0].at(i, j)
        power: Expr = Call(Fn.EXP, (x,)) if self.base is None else Bin("^", Num(self.base), x)
        return _if_visible(x, power, Num(0)) if self.masked else power


@dataclass(frozen=True, slots=True)
class RowSum:
    """The sum of each row: [n, m] gives [n, 1]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        total: np.ndarray = np.add.reduce(inputs[0], axis=1, keepdims=True)
        return total

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Call(Fn.SUM, (inputs[0].row(i),))


@dataclass(frozen=True, slots=True)
class RowShare:
    """Each number divided by its row's sum: [n, m] ÷ [n, 1] = [n, m].

    With `empty`, a row whose sum is 0 gets shares of 0 (the first row under the strict mask);
    otherwise an empty sum is a `RowProblem`.
    """

    empty: bool = False
    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x, total = inputs
        shares: np.ndarray
        if np.count_nonzero(total) == total.size:
            shares = x / total
            return shares
        nothing = total[:, 0] == 0.0
        first = int(np.argmax(nothing))
        if not self.empty or first > 0 or nothing[1:].any():
            row = first if not self.empty or first > 0 else 1 + int(np.argmax(nothing[1:]))
            raise RowProblem(row, "the sum of the exponentials is 0, so there are no shares")
        shares = x / np.where(total == 0.0, 1.0, total)
        return shares

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        x, total = inputs
        share = Bin("/", x.at(i, j), total.at(i, 0))
        if not self.empty:
            return share
        return If(Bin("=", total.at(i, 0), Num(0)), Num(0), share)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What each value adds to one token's output: shares [n, n], values [n, d] give [n, d]."""

    token: int
    precision: ClassVar[Precision] = "added"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        shares, values = inputs
        products: np.ndarray = shares[self.token, :, None] * values
        return products

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        shares, values = inputs
        return Bin("*", shares.at(self.token, i), values.at(i, j))
