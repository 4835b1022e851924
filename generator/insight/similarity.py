"""Words compared by the dot product of their embeddings: steps, facts, what slips give."""

from dataclasses import dataclass

import numpy as np

from generator.engine.arrays import column
from generator.engine.ops.copying import Gather, Ids, OneHot, SelectRow
from generator.engine.ops.feedforward import GainShift
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.rounding import GUARD, guarded
from generator.engine.scope import Scope
from generator.engine.trace import Step, Trace
from generator.insight.lookups import VOCABULARY
from generator.insight.slips import Slip
from generator.notation.shown import shown_decimals

TABLE = "vocabulary.embedding"
ROWS, SIMILARITY = "chosen.embedding", "chosen.similarity"


@dataclass(frozen=True)
class Nearest:
    """Facts about one word among the chosen ones.

    The others that are most similar to it (`best`, several where equal) with their similarity,
    the dimension (`factor`) that adds most to it, and the word's similarity to itself.
    """

    best: tuple[int, ...]
    value: float
    factor: int
    own: float


def compared(
    trace: Trace, words: tuple[str, ...], own: int, pair: tuple[int, int]
) -> tuple[Step, ...]:
    """The similarities of some words of the vocabulary, the example's products, the check.

    `pair` are the example's words. `check.sum` is the sum of the rows of all words but `own`,
    `check.product` the own word's row times it.
    """
    chain = trace.scratch()
    d = trace[TABLE].columns
    decimals = shown_decimals(trace[TABLE])
    chain.give("chosen.words", column(words), columns=("word",))
    chain.apply("chosen.onehot", OneHot(), "chosen.words", VOCABULARY, rows=words)
    chain.apply("chosen.ids", Ids(), "chosen.onehot", rows=words, columns=("id",))
    chain.apply(ROWS, Gather(), "chosen.ids", TABLE, rows=words, columns=d, decimals=decimals)
    chain.apply(SIMILARITY, MatMulT(), ROWS, ROWS, rows=words, columns=words)
    for name, row in zip(("left", "right"), pair, strict=True):
        chain.apply(f"example.{name}", SelectRow(row), ROWS, columns=d)
    times = GainShift(gain=True, shift=False)
    both = ("example.left", "example.right")
    chain.apply("example.products", times, *both, columns=d, decimals=2 * decimals)
    _check(chain, own, len(words), decimals)
    return chain.new


def _check(chain: Scope, own: int, count: int, decimals: int) -> None:
    others = np.ones((1, count))
    others[0, own] = 0.0
    chain.give("check.others", others)
    d = chain[TABLE].columns
    chain.apply("check.sum", MatMul(), "check.others", ROWS, columns=d, decimals=decimals)
    chain.apply("check.own", SelectRow(own), ROWS, columns=d)
    chain.apply("check.product", MatMulT(), "check.own", "check.sum", decimals=2 * decimals)


def nearest(trace: Trace, own: int) -> Nearest:
    """The facts about the own word; equal similarities count as equal on 10 decimals."""
    row = guarded(trace[SIMILARITY].values[own], GUARD)
    others = [j for j in range(len(row)) if j != own]
    value = max(row[others])
    best = tuple(j for j in others if row[j] == value)
    rows = trace[ROWS].values
    products = guarded(rows[own] * rows[best[0]], GUARD)
    return Nearest(best, float(value), int(np.argmax(products)), float(row[own]))


def doubled(trace: Trace, own: int, other: int) -> float:
    """The similarity if all numbers of the other word were twice as large."""
    rows = trace[ROWS].values
    product = MatMulT().value(rows[own : own + 1], 2 * rows[other : other + 1])
    return float(trace.rounded_as(SIMILARITY, product)[0, 0])


def slips(trace: Trace, own: int, other: int) -> list[Slip]:
    """The usual slips: the next row read off, sums multiplied, numbers added.

    They show in the similarity of the own word and another; a slip that changes nothing here is
    left out.
    """
    rows = trace[ROWS].values  # as the sheet prints them: the table's next ID may be none of them
    x, y = (rows[k : k + 1] for k in (own, other))
    place = own + 1 if own + 1 < len(rows) else own - 1
    ones = np.ones_like(x)
    wrong = {
        "next_row": MatMulT().value(rows[place : place + 1], y),
        "sums": MatMulT().value(x, ones) * MatMulT().value(y, ones),
        "added": MatMulT().value(x + y, ones),
    }
    right = trace[SIMILARITY].values[own, other]
    candidates = [
        Slip(key, SIMILARITY, own, other, float(trace.rounded_as(SIMILARITY, value)[0, 0]))
        for key, value in wrong.items()
    ]
    return [slip for slip in candidates if abs(slip.wrong - right) > 10.0**-GUARD]
