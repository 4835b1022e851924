"""Operations on words in pieces: cutting, counting pairs, merging. A space parts two pieces."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from generator.engine.arrays import column
from generator.engine.expr import Bin, Call, Expr, Fn, If, Num, Operand, Text, total
from generator.engine.ops.base import Precision

BETWEEN = " "
NONE = ""
TOO_LONG = "?"


def merged_text(text: str, pair: str) -> str:
    """The pieces with every occurrence of the pair made one, from left to right."""
    pieces, result, k = text.split(BETWEEN), [], 0
    while k < len(pieces):
        wide = 2 if BETWEEN.join(pieces[k : k + 2]) == pair and pair else 1
        result.append("".join(pieces[k : k + wide]))
        k += wide
    return BETWEEN.join(result)


def pair_at(text: str, place: float) -> str:
    """The two pieces that stand from a place on, counted from 1."""
    return BETWEEN.join(text.split(BETWEEN)[int(place) - 1 : int(place) + 1])


def pieces_in(text: str) -> float:
    """How many pieces a text has that has some."""
    return float(text.count(BETWEEN) + 1)


@dataclass(frozen=True, slots=True)
class Spelled:
    """Words in letters, [w, 1] gives [w, 1]; "?" for one with more letters than there is room."""

    most: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        words = inputs[0][:, 0]
        return column(BETWEEN.join(w) if len(w) <= self.most else TOO_LONG for w in words)

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        word = inputs[0].at(i, 0)
        letters = Call(Fn.SPELLED, (word, Num(self.most)))
        return If(Bin(">", Call(Fn.LENGTH, (word,)), Num(self.most)), Text(TOO_LONG), letters)


@dataclass(frozen=True, slots=True)
class PairPlaces:
    """The pairs of neighbours in each word: texts [w, 1] give [w, places], "" for none."""

    places: int
    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        pairs = np.full((len(inputs[0]), self.places), NONE, dtype=object)
        for i, text in enumerate(inputs[0][:, 0]):
            for j, pair in enumerate(pairwise(text.split(BETWEEN))):
                pairs[i, j] = BETWEEN.join(pair)
        return pairs

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        text = inputs[0].at(i, 0)
        there = Bin(">", Call(Fn.PIECES, (text,)), Num(j + 1))
        return If(there, Call(Fn.PAIR_AT, (text, Num(j + 1))), Text(NONE))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How often the pair at each place could be merged in the whole corpus; 0 where none is.

    Pairs [w, places], texts [w, 1] and how often each word occurs [1, w] give [w, places].
    """

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        pairs, texts, counts = inputs
        totals = np.zeros(pairs.shape)
        for (i, j), pair in np.ndenumerate(pairs):
            if pair != NONE:
                shorter = [len(t) - len(merged_text(t, pair)) for t in texts[:, 0]]
                totals[i, j] = float(np.dot(shorter, counts[0]))
        return totals

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        pairs, texts, counts = inputs
        pair = pairs.at(i, j)
        terms: list[Expr] = []
        for word in range(texts.height):
            text = texts.at(word, 0)
            merged = Call(Fn.LENGTH, (Call(Fn.MERGED, (text, pair)),))
            often = Bin("-", Call(Fn.LENGTH, (text,)), merged)
            terms.append(Bin("*", often, counts.at(0, word)))
        return If(Bin("=", pair, Text(NONE)), Num(0), total(terms))


@dataclass(frozen=True, slots=True)
class Most:
    """The largest number of each row: [w, n] gives [w, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        largest: np.ndarray = inputs[0].max(axis=1, keepdims=True)
        return largest

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Call(Fn.MAX, (inputs[0].row(i),))


@dataclass(frozen=True, slots=True)
class FirstOfRow:
    """The first text of each row whose number is the row's largest: texts and numbers [w, n]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        texts, numbers = inputs
        return column(row[k] for row, k in zip(texts, numbers.argmax(axis=1), strict=True))

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        texts, numbers = inputs
        row = numbers.row(i)
        place = Call(Fn.MATCH, (Call(Fn.MAX, (row,)), row))
        return Call(Fn.INDEX, (texts.row(i), place))


@dataclass(frozen=True, slots=True)
class FirstLargest:
    """The first text beside the largest number: texts and numbers [w, 1] give [1, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        texts, numbers = inputs
        return column([texts[int(numbers[:, 0].argmax()), 0]])

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        texts, numbers = inputs
        column = numbers.column(0)
        place = Call(Fn.MATCH, (Call(Fn.MAX, (column,)), column))
        return Call(Fn.INDEX, (texts.column(0), place))


@dataclass(frozen=True, slots=True)
class MergedTexts:
    """The texts with a pair merged: texts [w, 1] and the pair [1, 1] give [w, 1]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        texts, pair = inputs
        return column(merged_text(text, pair[0, 0]) for text in texts[:, 0])

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        texts, pair = inputs
        return Call(Fn.MERGED, (texts.at(i, 0), pair.at(0, 0)))


@dataclass(frozen=True, slots=True)
class PieceCounts:
    """How many pieces each text has: [w, 1] gives [1, w]."""

    precision: ClassVar[Precision] = "inherited"

    def value(self, *inputs: np.ndarray) -> np.ndarray:
        return np.array([[pieces_in(text) for text in inputs[0][:, 0]]])

    def cell(self, i: int, j: int, *inputs: Operand) -> Expr:
        return Call(Fn.PIECES, (inputs[0].at(j, 0),))
