"""Scaled dot-product attention and softmax (Vaswani et al. 2017, equation 1), step by step."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

import math
from dataclasses import dataclass

import numpy as np

from generator.engine import choices
from generator.engine.expr import Bin, Expr, Fn, If, Num, Operand
from generator.engine.masks import MASKS, added
from generator.engine.ops.base import Array, Copying, Op, RowProblem, is_on, when_on

MASKED = -math.inf
HARMLESS = 100.0  # no base up to 1000 overflows with such an exponent


@dataclass(frozen=True)
class Root(Op):
    """The square root of a number of the model, such as √d_head: [1, 1]; 1 where a switch is off.

    Takes a switch [1, 1] or nothing.
    """

    number: int

    def value(self, *switches: Array) -> Array:
        return np.array([[math.sqrt(self.number) if all(map(is_on, switches)) else 1.0]])

    def cell(self, i: int, j: int, *switches: Operand) -> Expr:
        root = Fn.SQRT(Num(self.number))
        return when_on(switches[0][0, 0], root, Num(1)) if switches else root


@dataclass(frozen=True)
class Mask(Op):
    """0 where a token may look, −∞ where not: [n, n], as the mask of that name says.

    Takes a switch [1, 1], which hides nothing when it is off, or nothing. Rows before `first` are
    left out: a token that is appended needs its own only.
    """

    size: int
    kind: choices.Mask
    first: int = 0
    precision = "whole"

    def value(self, *switches: Array) -> Array:
        hides = all(map(is_on, switches))
        whole = added(self.kind, self.size) if hides else np.zeros((self.size, self.size))
        return whole[self.first :]

    def cell(self, i: int, j: int, *switches: Operand) -> Expr:
        hidden: Expr = Num(MASKED)
        if switches:
            hidden = when_on(switches[0][0, 0], hidden, Num(0))
        return MASKS[self.kind].cell(Num(self.first + i + 1), Num(j + 1), Num(0), hidden)


class Masked(Copying):
    """The scaled scores, hidden where the mask hides: [n, n] and mask [n, n] give [n, n]."""

    def value(self, scaled: Array, mask: Array) -> Array:
        return scaled + mask

    def cell(self, i: int, j: int, scaled: Operand, mask: Operand) -> Expr:
        return If(Bin("=", mask[i, j], Num(0)), scaled[i, j], Num(MASKED))


class RowMax(Copying):
    """The largest visible number of each row, 0 for a row without any: [n, m] gives [n, 1]."""

    def value(self, x: Array) -> Array:
        largest = x.max(axis=1, keepdims=True)
        return np.where(largest == MASKED, 0.0, largest)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Fn.MAX(x[i, :])


@dataclass(frozen=True)
class MinusRow(Op):
    """Each number minus its row's: [n, m] − [n, 1] = [n, m]; masked cells stay masked."""

    masked: bool

    def value(self, x: Array, row: Array) -> Array:
        return x - row

    def cell(self, i: int, j: int, x: Operand, row: Operand) -> Expr:
        difference = x[i, j] - row[i, 0]
        return If(Fn.IS_NUMBER(x[i, j]), difference, Num(MASKED)) if self.masked else difference


@dataclass(frozen=True)
class Power(Op):
    """base^x for each number (base None is e), 0 for a masked one: [n, m] gives [n, m]."""

    base: float | None
    masked: bool

    def value(self, x: Array) -> Array:
        if x.max() <= HARMLESS:
            return self._power(x)
        with np.errstate(over="ignore"):
            result = self._power(x)
        if result.max() == math.inf:
            row = int(np.argmax(result.max(axis=1)))
            raise RowProblem(row, f"{x[row].max():g} is too large an exponent")
        return result

    def _power(self, x: Array) -> Array:
        return np.exp(x) if self.base is None else np.power(self.base, x)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        power = Fn.EXP(x[i, j]) if self.base is None else Num(self.base) ** x[i, j]
        return If(Fn.IS_NUMBER(x[i, j]), power, Num(0)) if self.masked else power


class RowSum(Op):
    """The sum of each row: [n, m] gives [n, 1]."""

    def value(self, x: Array) -> Array:
        return np.add.reduce(x, axis=1, keepdims=True)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Fn.SUM(x[i, :])


@dataclass(frozen=True)
class RowShare(Op):
    """Each number divided by its row's sum: [n, m] ÷ [n, 1] = [n, m].

    With `empty`, a row whose sum is 0 gets shares of 0 (the first row under the strict mask);
    otherwise an empty sum is a `RowProblem`.
    """

    empty: bool = False

    def value(self, x: Array, total: Array) -> Array:
        if np.count_nonzero(total) == total.size:
            return x / total
        nothing = np.flatnonzero(total[:, 0] == 0.0)
        for row in nothing[1:] if self.empty and nothing[0] == 0 else nothing:
            raise RowProblem(int(row), "the sum of the exponentials is 0, so there are no shares")
        return x / np.where(total == 0.0, 1.0, total)

    def cell(self, i: int, j: int, x: Operand, total: Operand) -> Expr:
        share = x[i, j] / total[i, 0]
        return If(Bin("=", total[i, 0], Num(0)), Num(0), share) if self.empty else share


@dataclass(frozen=True)
class Contribution(Op):
    """What each value adds to one token's output: shares [n, n], values [n, d] give [n, d]."""

    token: int
    precision = "added"

    def value(self, shares: Array, values: Array) -> Array:
        return shares[self.token, :, None] * values

    def cell(self, i: int, j: int, shares: Operand, values: Operand) -> Expr:
        return shares[self.token, i] * values[i, j]
