"""From probabilities to the next token: rank, choice, interval table, draw."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.engine.choices import Strategy
from generator.engine.expr import Bin, Dot, Expr, Fn, If, Num, Operand, Round, Text
from generator.engine.ops.base import Array, Copying, Op, RowProblem, Words
from generator.engine.rounding import GUARD, guarded


@dataclass(frozen=True)
class Compared(Copying):
    """Numbers as they are compared, rounded to 10 decimals: all of them, or one row.

    Without this, which of two equal numbers counts as larger would depend on the last bit.
    """

    row: int | None = None

    def value(self, x: Array) -> np.ndarray:
        return guarded(x if self.row is None else x[self.row : self.row + 1], GUARD)

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Round(x[i if self.row is None else self.row, j], GUARD)


class Rank(Op):
    """1 for the largest share, 2 for the next; of equal ones the earlier first: [1, v]."""

    precision = "whole"

    def value(self, share: Array) -> Array:
        order = np.argsort(-share[0], kind="stable")
        rank = np.empty((1, len(order)))
        rank[0, order] = np.arange(1.0, len(order) + 1.0)
        return rank

    def cell(self, i: int, j: int, share: Operand) -> Expr:
        rank = Fn.RANK(share[0, j], share[0, :])
        return rank + Fn.COUNT_EQUAL(share[0, :j], share[0, j]) if j else rank  # the earlier ones


@dataclass(frozen=True)
class Kept(Op):
    """1 for a word that may be drawn, else 0: shares, ranks [1, v], limit [1, 1] give [1, v].

    "greedy" keeps the first word only; "top-k" keeps the k first; "top-p" keeps the smallest set of
    first words whose sum reaches p (Holtzman et al. 2020); "sample" keeps every word. The first and
    the last take no limit.
    """

    strategy: Strategy
    precision = "whole"

    def value(self, share: Array, rank: Array, *limit: Array) -> Array:
        match self.strategy:
            case "greedy":
                return np.where(rank == 1.0, 1.0, 0.0)
            case "top-k":
                return (rank <= limit[0]).astype(np.float64)
            case "top-p":
                before = np.where(rank < rank.T, share, 0.0).sum(axis=1)[None, :]
                return (guarded(before, GUARD) < limit[0]).astype(np.float64)
            case _:
                return np.ones_like(rank)

    def cell(self, i: int, j: int, share: Operand, rank: Operand, *limit: Operand) -> Expr:
        match self.strategy:
            case "greedy":
                keep = Bin("=", rank[0, j], Num(1))
            case "top-k":
                keep = Bin("<=", rank[0, j], limit[0][0, 0])
            case "top-p":
                before = Fn.SUM_BELOW(rank[0, :], rank[0, j], share[0, :])
                keep = Bin("<", Round(before, GUARD), limit[0][0, 0])
            case _:
                return Num(1)
        return If(keep, Num(1), Num(0))


NARROWING: Final[tuple[Strategy, ...]] = ("top-p", "top-k", "greedy")  # "sample" keeps all


class KeptBy(Op):
    """`Kept` by a strategy that stands in a cell and can be changed there.

    Shares and ranks [1, v], strategy (text), k, p (each [1, 1]) give [1, v].
    """

    precision = "whole"

    def value(self, *inputs: Array) -> Array:
        *shared, strategy, k, p = inputs
        for name in NARROWING:
            if strategy[0, 0] == name:
                return Kept(name).value(*shared, p if name == "top-p" else k)
        return Kept("sample").value(*shared)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        *shared, strategy, k, p = inputs
        result = Kept("sample").cell(i, j, *shared)
        for name in NARROWING:
            chosen = Bin("=", strategy[0, 0], Text(name))
            limit = p if name == "top-p" else k
            result = If(chosen, Kept(name).cell(i, j, *shared, limit), result)
        return result


class Renormalise(Op):
    """Each kept share divided by the sum of the kept ones: [1, v] and [1, v] give [1, v]."""

    def value(self, share: Array, kept: Array) -> Array:
        chosen = share * kept
        even: Array = chosen / chosen.sum()
        return even

    def cell(self, i: int, j: int, share: Operand, kept: Operand) -> Expr:
        return share[0, j] * kept[0, j] / Dot(share[0, :], kept[0, :])


class Cumulative(Op):
    """The upper ends of the intervals: renormalised [1, v] and kept [1, v] give [1, v].

    A word owns [end of the word before, its own end). The last kept word always ends at 1, so
    that every random number from 0 to 1 belongs to exactly one word. Ends are compared with the
    random number, so they are rounded to 10 decimals in both arithmetics.
    """

    def value(self, share: Array, kept: Array) -> np.ndarray:
        ends = np.minimum(np.cumsum(share, axis=1), 1.0)
        if not kept.any():
            raise RowProblem(0, "every share is rounded to 0, so no word can be drawn")
        last = int(np.flatnonzero(kept[0])[-1])
        ends[0, last:] = 1.0
        return guarded(ends, GUARD)

    def cell(self, i: int, j: int, share: Operand, kept: Operand) -> Expr:
        if j == share.width - 1:
            return Num(1)
        is_last = Bin("=", Fn.SUM(kept[0, j + 1 :]), Num(0))
        end = Fn.MIN(Num(1), Fn.SUM(share[0, : j + 1]))
        return Round(If(is_last, Num(1), end), GUARD)


class IntervalStart(Copying):
    """The lower ends of the intervals, 0 and then each upper one: [1, v] gives [1, v]."""

    def value(self, ends: Array) -> Array:
        starts = np.roll(ends, 1, axis=1)
        starts[0, 0] = 0.0
        return starts

    def cell(self, i: int, j: int, ends: Operand) -> Expr:
        return ends[0, j - 1] if j else Num(0)


class TwoDigits(Copying):
    """Which draws from 00 to 99 (hundredths) fall into each interval, as text: "00–23", "–".

    Lower and upper ends [1, v] each give [1, v].
    """

    def value(self, *inputs: Array) -> Words:
        start, stop = (np.ceil(guarded(ends[0] * 100.0, GUARD)) for ends in inputs)
        texts = [_digits(int(a), int(b) - 1) for a, b in zip(start, stop, strict=True)]
        return np.array([texts], dtype=object)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        start, stop = (Fn.ROUND_UP(Round(ends[0, j] * 100, GUARD)) for ends in inputs)
        last = stop - 1
        first_digits, last_digits = Fn.TWO_DIGITS(start), Fn.TWO_DIGITS(last)
        several = Bin("&", Bin("&", first_digits, Text(TO)), last_digits)
        some = If(Bin("=", start, last), first_digits, several)
        return If(Bin(">=", start, stop), Text(NONE), some)


TO, NONE = "–", "–"


def _digits(first: int, last: int) -> str:
    if first > last:
        return NONE
    return f"{first:02d}" if first == last else f"{first:02d}{TO}{last:02d}"


class Draw(Copying):
    """The word whose interval holds the random number: ends [1, v], random, words give [1, 1]."""

    def value(self, ends: Array, random: Array, words: Words) -> Words:
        index = int((ends[0] <= random[0, 0]).sum())
        return words[index : index + 1].copy()

    def cell(self, i: int, j: int, ends: Operand, random: Operand, words: Operand) -> Expr:
        return Fn.INDEX(words[:, 0], Fn.COUNT_AT_MOST(ends[0, :], random[0, 0]) + 1)


class Winner(Copying):
    """The word of rank 1: ranks [1, v] and words [v, 1] give [1, 1]."""

    def value(self, rank: Array, words: Words) -> Words:
        index = int(np.flatnonzero(rank[0] == 1.0)[0])
        return words[index : index + 1].copy()

    def cell(self, i: int, j: int, rank: Operand, words: Operand) -> Expr:
        return Fn.INDEX(words[:, 0], Fn.MATCH(Num(1), rank[0, :]))


class BestOfRow(Copying):
    """The word with the largest number in each row: [n, v] and words [v, 1] give [n, 1]."""

    def value(self, numbers: Array, words: Words) -> Words:
        best: Words = words[numbers.argmax(axis=1)]
        return best

    def cell(self, i: int, j: int, numbers: Operand, words: Operand) -> Expr:
        return Fn.INDEX(words[:, 0], Fn.MATCH(Fn.MAX(numbers[i, :]), numbers[i, :]))
