"""Operations on words in pieces: cutting, counting pairs, merging. A space parts two pieces."""

# ruff: noqa: D102 (the docstring of an operation says what its value and its cell are)

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from generator.engine.arrays import column
from generator.engine.expr import Bin, Expr, Fn, If, Num, Operand, Text, total
from generator.engine.ops.base import Array, Copying, Words

BETWEEN = " "  # between the pieces of a word in a text cell; no piece holds white space
NONE = ""
TOO_LONG = "?"


def merged(pieces: Sequence[str], pair: tuple[str, ...]) -> tuple[str, ...]:
    """The pieces with every occurrence of the pair made one, from left to right."""
    result: list[str] = []
    k = 0
    while k < len(pieces):
        wide = 2 if tuple(pieces[k : k + 2]) == pair else 1
        result.append("".join(pieces[k : k + wide]))
        k += wide
    return tuple(result)


def merged_text(text: str, pair: str) -> str:
    """The same of a text in pieces and the text of a pair; "" is none."""
    return BETWEEN.join(merged(text.split(BETWEEN), tuple(pair.split(BETWEEN))))


def pair_at(text: str, place: float) -> str:
    """The two pieces that stand from a place on, counted from 1."""
    return BETWEEN.join(text.split(BETWEEN)[int(place) - 1 : int(place) + 1])


def pieces_in(text: str) -> float:
    """How many pieces a text has that has some."""
    return float(text.count(BETWEEN) + 1)


@dataclass(frozen=True)
class Spelled(Copying):
    """Words in letters, [w, 1] gives [w, 1]; "?" for one with more letters than there is room."""

    most: int

    def value(self, words: Words) -> np.ndarray:
        return column(BETWEEN.join(w) if len(w) <= self.most else TOO_LONG for w in words[:, 0])

    def cell(self, i: int, j: int, words: Operand) -> Expr:
        word, most = words[i, 0], Num(self.most)
        return If(Bin(">", Fn.LENGTH(word), most), Text(TOO_LONG), Fn.SPELLED(word, most))


@dataclass(frozen=True)
class PairPlaces(Copying):
    """The pairs of neighbours in each word: texts [w, 1] give [w, places], "" for none."""

    places: int

    def value(self, texts: Words) -> np.ndarray:
        pairs = np.full((len(texts), self.places), NONE, dtype=object)
        for i, text in enumerate(texts[:, 0]):
            for j, pair in enumerate(pairwise(text.split(BETWEEN))):
                pairs[i, j] = BETWEEN.join(pair)
        return pairs

    def cell(self, i: int, j: int, texts: Operand) -> Expr:
        text, place = texts[i, 0], Num(j + 1)
        return If(Bin(">", Fn.PIECES(text), place), Fn.PAIR_AT(text, place), Text(NONE))


class PairCounts(Copying):
    """How often the pair at each place could be merged in the whole corpus; 0 where none is.

    Pairs [w, places], texts [w, 1] and how often each word occurs [1, w] give [w, places].
    """

    def value(self, pairs: Words, texts: Words, counts: Array) -> Array:
        totals = np.zeros(pairs.shape)
        for (i, j), pair in np.ndenumerate(pairs):
            if pair != NONE:
                shorter = [len(t) - len(merged_text(t, pair)) for t in texts[:, 0]]
                totals[i, j] = float(np.dot(shorter, counts[0]))
        return totals

    def cell(self, i: int, j: int, pairs: Operand, texts: Operand, counts: Operand) -> Expr:
        pair = pairs[i, j]
        terms: list[Expr] = []
        for word in range(texts.height):
            text = texts[word, 0]
            often = Fn.LENGTH(text) - Fn.LENGTH(Fn.MERGED(text, pair))
            terms.append(often * counts[0, word])
        return If(Bin("=", pair, Text(NONE)), Num(0), total(terms))


class Most(Copying):
    """The largest number of each row: [w, n] gives [w, 1]."""

    def value(self, x: Array) -> np.ndarray:
        largest: Array = x.max(axis=1, keepdims=True)
        return largest

    def cell(self, i: int, j: int, x: Operand) -> Expr:
        return Fn.MAX(x[i, :])


class FirstOfRow(Copying):
    """The first text of each row whose number is the row's largest: texts and numbers [w, n]."""

    def value(self, texts: Words, numbers: Array) -> np.ndarray:
        return column(row[k] for row, k in zip(texts, numbers.argmax(axis=1), strict=True))

    def cell(self, i: int, j: int, texts: Operand, numbers: Operand) -> Expr:
        row = numbers[i, :]
        return Fn.INDEX(texts[i, :], Fn.MATCH(Fn.MAX(row), row))


class FirstLargest(Copying):
    """The first text beside the largest number: texts and numbers [w, 1] give [1, 1]."""

    def value(self, texts: Words, numbers: Array) -> np.ndarray:
        return column([texts[int(numbers[:, 0].argmax()), 0]])

    def cell(self, i: int, j: int, texts: Operand, numbers: Operand) -> Expr:
        beside = numbers[:, 0]
        return Fn.INDEX(texts[:, 0], Fn.MATCH(Fn.MAX(beside), beside))


class MergedTexts(Copying):
    """The texts with a pair merged: texts [w, 1] and the pair [1, 1] give [w, 1]."""

    def value(self, texts: Words, pair: Words) -> np.ndarray:
        return column(merged_text(text, pair[0, 0]) for text in texts[:, 0])

    def cell(self, i: int, j: int, texts: Operand, pair: Operand) -> Expr:
        return Fn.MERGED(texts[i, 0], pair[0, 0])


class PieceCounts(Copying):
    """How many pieces each text has: [w, 1] gives [1, w]."""

    def value(self, texts: Words) -> Array:
        return np.array([[pieces_in(text) for text in texts[:, 0]]])

    def cell(self, i: int, j: int, texts: Operand) -> Expr:
        return Fn.PIECES(texts[j, 0])
