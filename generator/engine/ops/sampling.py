"""From probabilities to the next token: rank, choice, interval table, draw."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from generator.engine.choices import Strategy
from generator.engine.expr import Bin, Call, Dot, Expr, Fn, If, Num, Operand, Round, Text
from generator.engine.ops.base import Precision
from generator.engine.rounding import GUARD, guarded


@dataclass(frozen=True, slots=True)
class Compared:
    """Numbers as they are compared, rounded to 10 decimals: all of them, or one row.

    Without this, which of two equal numbers counts as larger would depend on the last bit.
    """

    row: int | None = None
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        x = inputs[0] if self.row is None else inputs[0][self.row : self.row + 1]
        return guarded(x, GUARD)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Round(inputs[0].at(i if self.row is None else self.row, j), GUARD)


@dataclass(frozen=True, slots=True)
class Rank:
    """1 for the largest share, 2 for the next; of equal ones the earlier first: [1, v]."""

    precision: ClassVar[Precision] = "whole"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        order = np.argsort(-inputs[0][0], kind="stable")
        rank = np.empty((1, len(order)))
        rank[0, order] = np.arange(1.0, len(order) + 1.0)
        return rank

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        share = inputs[0]
        rank = Call(Fn.RANK, (share.at(0, j), share.row(0)))
        if j == 0:
            return rank
        earlier = Call(Fn.COUNT_EQUAL, (share.part(0, 0, j), share.at(0, j)))
        return Bin("+", rank, earlier)


@dataclass(frozen=True, slots=True)
class Kept:
    """1 for a word that may be drawn, else 0: shares, ranks [1, v], limit [1, 1] give [1, v].

    "greedy" keeps the first word only; "top-k" keeps the k first; "top-p" keeps the smallest set of
    first words whose sum reaches p (Holtzman et al. 2020); "sample" keeps every word. The first and
    the last take no limit.
    """

    strategy: Strategy
    precision: ClassVar[Precision] = "whole"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        share, rank = inputs[:2]
        match self.strategy:
            case "greedy":
                return np.where(rank == 1.0, 1.0, 0.0)
            case "top-k":
                return (rank <= inputs[2]).astype(np.float64)
            case "top-p":
                before = np.where(rank < rank.T, share, 0.0).sum(axis=1)[None, :]
                return (guarded(before, GUARD) < inputs[2]).astype(np.float64)
            case _:
                return np.ones_like(rank)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        share, rank = inputs[:2]
        match self.strategy:
            case "greedy":
                keep = Bin("=", rank.at(0, j), Num(1))
            case "top-k":
                keep = Bin("<=", rank.at(0, j), inputs[2].at(0, 0))
            case "top-p":
                before = Call(Fn.SUM_BELOW, (rank.row(0), rank.at(0, j), share.row(0)))
                keep = Bin("<", Round(before, GUARD), inputs[2].at(0, 0))
            case _:
                return Num(1)
        return If(keep, Num(1), Num(0))


NARROWING: Final[tuple[Strategy, ...]] = ("top-p", "top-k", "greedy")  # "sample" keeps all


@dataclass(frozen=True, slots=True)
class KeptBy:
    """`Kept` by a strategy that stands in a cell and can be changed there.

    Shares and ranks [1, v], strategy (text), k, p (each [1, 1]) give [1, v].
    """

    precision: ClassVar[Precision] = "whole"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        share, rank, strategy, k, p = inputs
        for name in NARROWING:
            if strategy[0, 0] == name:
                return Kept(name).value(share, rank, p if name == "top-p" else k)
        return Kept("sample").value(share, rank)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        share, rank, strategy, k, p = inputs
        result = Kept("sample").cell(i, j, share, rank)
        for name in NARROWING:
            limit = p if name == "top-p" else k
            chosen = Bin("=", strategy.at(0, 0), Text(name))
            result = If(chosen, Kept(name).cell(i, j, share, rank, limit), result)
        return result


@dataclass(frozen=True, slots=True)
class Renormalise:
    """Each kept share divided by the sum of the kept ones: [1, v] and [1, v] give [1, v]."""

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        share, kept = inputs
        chosen = share * kept
        even: np.ndarray = chosen / chosen.sum()
        return even

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        share, kept = inputs
        mine = Bin("*", share.at(0, j), kept.at(0, j))
        return Bin("/", mine, Dot(share.row(0), kept.row(0)))


@dataclass(frozen=True, slots=True)
class Cumulative:
    """The upper ends of the intervals: renormalised [1, v] and kept [1, v] give [1, v].

    A word owns [end of the word before, its own end). The last kept word always ends at 1, so
    that every random number from 0 to 1 belongs to exactly one word. Ends are compared with the
    random number, so they are rounded to 10 decimals in both arithmetics.
    """

    precision: ClassVar[Precision] = "rounded"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        share, kept = inputs
        ends: np.ndarray = np.minimum(np.cumsum(share, axis=1), 1.0)
        last = int(np.flatnonzero(kept[0])[-1])
        ends[0, last:] = 1.0
        return guarded(ends, GUARD)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        share, kept = inputs
        if j == share.width - 1:
            return Num(1)
        later = Call(Fn.SUM, (kept.part(0, j + 1, kept.width),))
        end = Call(Fn.MIN, (Num(1), Call(Fn.SUM, (share.part(0, 0, j + 1),))))
        return Round(If(Bin("=", later, Num(0)), Num(1), end), GUARD)


@dataclass(frozen=True, slots=True)
class IntervalStart:
    """The lower ends of the intervals, 0 and then each upper one: [1, v] gives [1, v]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        starts = np.roll(inputs[0], 1, axis=1)
        starts[0, 0] = 0.0
        return starts

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return inputs[0].at(0, j - 1) if j else Num(0)


@dataclass(frozen=True, slots=True)
class TwoDigits:
    """Which draws from 00 to 99 (hundredths) fall into each interval, as text: "00–23", "–".

    Lower and upper ends [1, v] each give [1, v].
    """

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        start, stop = (np.ceil(guarded(ends[0] * 100.0, GUARD)) for ends in inputs)
        texts = [_digits(int(a), int(b) - 1) for a, b in zip(start, stop, strict=True)]
        return np.array([texts], dtype=object)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        start, stop = (
            Call(Fn.ROUND_UP, (Round(Bin("*", ends.at(0, j), Num(100)), GUARD),)) for ends in inputs
        )
        last = Bin("-", stop, Num(1))
        first_digits, last_digits = (Call(Fn.TWO_DIGITS, (x,)) for x in (start, last))
        several = Bin("&", Bin("&", first_digits, Text(TO)), last_digits)
        some = If(Bin("=", start, last), first_digits, several)
        return If(Bin(">=", start, stop), Text(NONE), some)


TO, NONE = "–", "–"


def _digits(first: int, last: int) -> str:
    if first > last:
        return NONE
    return f"{first:02d}" if first == last else f"{first:02d}{TO}{last:02d}"


@dataclass(frozen=True, slots=True)
class Draw:
    """The word whose interval holds the random number: ends [1, v], random, words give [1, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        ends, random, words = inputs
        index = int((ends[0] <= random[0, 0]).sum())
        return words[index : index + 1].copy()

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        ends, random, words = inputs
        passed = Call(Fn.COUNT_AT_MOST, (ends.row(0), random.at(0, 0)))
        return Call(Fn.INDEX, (words.column(0), Bin("+", passed, Num(1))))


@dataclass(frozen=True, slots=True)
class Winner:
    """The word of rank 1: ranks [1, v] and words [v, 1] give [1, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        rank, words = inputs
        index = int(np.flatnonzero(rank[0] == 1.0)[0])
        return words[index : index + 1].copy()

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        rank, words = inputs
        position = Call(Fn.MATCH, (Num(1), rank.row(0)))
        return Call(Fn.INDEX, (words.column(0), position))


@dataclass(frozen=True, slots=True)
class BestOfRow:
    """The word with the largest number in each row: [n, v] and words [v, 1] give [n, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        numbers, words = inputs
        best: np.ndarray = words[numbers.argmax(axis=1)]
        return best

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        numbers, words = inputs
        largest = Call(Fn.MAX, (numbers.row(i),))
        position = Call(Fn.MATCH, (largest, numbers.row(i)))
        return Call(Fn.INDEX, (words.column(0), position))
