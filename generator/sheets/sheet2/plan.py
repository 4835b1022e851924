"""Sheet 2, the embedding: a row read off, words compared by dot products."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from generator.engine.arrays import column
from generator.engine.ops.copying import Gather, Ids, OneHot, SelectRow
from generator.engine.ops.feedforward import GainShift
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.rounding import GUARD, guarded
from generator.engine.trace import Step, Trace
from generator.insight.output_layer import WORDS as VOCABULARY
from generator.notation.shown import shown_decimals
from generator.sheets.plan import Plan, both_tokens, demand, effort, practised, require_shown

TABLE = "vocabulary.embedding"
ROWS, SIMILARITY = "chosen.embedding", "chosen.similarity"
MOST_MODEL = 8
MOST_DECIMALS = 3
CHOSEN = 6
LEAST_PRODUCTS = 2  # of the example that are not 0, so that there is something to add
OTHERS = {1: 3, 2: 5, 3: 5}
BLOCKS = {1: 2, 2: 3, 3: 4}


@dataclass(frozen=True, kw_only=True)
class Plan2(Plan):
    """The rows of the chosen words: `x` is the own word, `left` and `right` are the example.

    `rows` are the words whose similarity to the own one is asked, `second` is the word that the
    third level asks about too. `reads` says whether the own row is read off. `near` is the word
    that is most similar to the own one in the whole vocabulary, `whole` says whether the sheet has
    all that are so.
    """

    x: int
    left: int
    right: int
    rows: tuple[int, ...]
    reads: bool
    second: int | None
    near: int
    whole: bool


def plan(trace: Trace, level: int) -> Plan2:
    """What sheet 2 shows and asks at a level, for this Trace's sentence.

    Raises `UserError` where the preset has no vocabulary with embeddings or too many numbers in
    one, where fewer than four words are known, and where the sentence has more than 12 tokens.
    """
    _require_fit(trace)
    worked_at, own_at = both_tokens(trace, "2.words")
    worked, own = trace.tokens[worked_at], trace.tokens[own_at]
    known: tuple[str, ...] = tuple(trace[VOCABULARY].values[:, 0].tolist())
    for token in (own, worked):  # one of a given vector may have no embedding
        demand(token in known, "2.unknown", trace, token=token)
    alike = dict(zip(known, _alike(trace, known.index(own)).tolist(), strict=True))
    nearest, of_worked = (_nearest(trace, known, word) for word in (own, worked))
    first = [own, worked, nearest[0], of_worked[0], *trace.tokens, *known]
    chosen = [word for word in dict.fromkeys(first) if word in known][:CHOSEN]
    most = alike[nearest[0]]
    if not any(0 < alike[word] < most for word in chosen):  # one in the middle, if there is any
        middle = min(known, key=lambda word: (abs(alike[word] - most / 2), word == own))
        chosen = list(dict.fromkeys([*chosen[: CHOSEN - 1], middle, *chosen]))[:CHOSEN]
    words = sorted(chosen, key=lambda word: (alike[word] == 0.0, known.index(word)))
    x, left, near = (words.index(word) for word in (own, worked, nearest[0]))
    left = left if left != x else int(x == 0)
    ids = [known.index(word) for word in words]
    rows, close = trace[TABLE].values[ids], _alike(trace, ids[left])[ids]
    others = [k for k in range(len(words)) if k not in (x, left)]
    shared = np.minimum(np.count_nonzero(rows * rows[left], axis=1), LEAST_PRODUCTS)
    right = max(others, key=lambda k: (shared[k], close[k], -k))
    with np.errstate(over="ignore"):  # a drawn preset had 1e300: its word is the longest
        squares = (rows**2).sum(axis=1).tolist()
    lengths = {k: round(squares[k], 10) for k in others if k != right}
    nearest_first = sorted(range(len(words)), key=lambda k: k != near)
    asked = [k for k in nearest_first if k != x][: OTHERS[level]]
    reads = level > 1
    second = max(lengths, key=lambda k: (lengths[k], -k), default=None) if level == 3 else None
    compared_with = tuple(sorted([*asked, x] if reads else asked))
    cells = {(SIMILARITY, x, j) for j in compared_with}
    cells |= {(ROWS, x, c) for c in range(rows.shape[1]) if reads}
    cells |= {(SIMILARITY, second, j) for j in compared_with if second not in (None, j) and j != x}
    terms = np.maximum(1, np.count_nonzero(rows, axis=1)).tolist()  # zeros need no multiplication
    dots = [terms[i] for name, i, _ in cells if name == SIMILARITY]
    return Plan2(
        worked=worked_at,
        own=own_at,
        x=x,
        left=left,
        right=right,
        rows=compared_with,
        reads=reads,
        second=second,
        near=near,
        whole=set(nearest) <= set(words),
        extra=compared(trace, words, x, (left, right)),
        asked=frozenset(cells),
        minutes=effort(BLOCKS[level], dots, copy=len(cells) - len(dots)),
        beside=practised([rows.shape[1]], sum=len(words) - 1, compare=1, draw=len(words) - 1),
    )


def _require_fit(trace: Trace) -> None:
    demand(TABLE in trace, "2.table", trace)
    decimals = shown_decimals(trace[TABLE])
    fits = 2 <= trace.preset.d_model <= MOST_MODEL and decimals <= MOST_DECIMALS
    demand(fits, "2.numbers", trace, decimals=decimals, most=MOST_MODEL, digits=MOST_DECIMALS)
    require_shown(trace)
    demand(len(trace[TABLE].values) > 3, "2.words", trace)


def _alike(trace: Trace, word: int) -> np.ndarray:
    """How similar each word of the vocabulary is to one of them, as printed."""
    rows = trace[TABLE].values
    with np.errstate(over="ignore", invalid="ignore"):
        products = np.nan_to_num(rows @ rows[word])
        return guarded(trace.rounded_as(SIMILARITY, products), GUARD)


def _nearest(trace: Trace, known: tuple[str, ...], word: str) -> list[str]:
    """The words of the vocabulary that are most similar to one of them, as printed."""
    alike = _alike(trace, known.index(word))
    others = [k for k in range(len(known)) if known[k] != word]
    most = max(alike[others])
    return [known[k] for k in others if alike[k] == most]


def compared(
    trace: Trace, words: Sequence[str], own: int, pair: tuple[int, int]
) -> tuple[Step, ...]:
    """The similarities of some words of the vocabulary, the example's products, the check.

    `pair` are the example's words. `check.sum` is the sum of the rows of all words but `own`,
    `check.product` the own word's row times it.
    """
    chain, d, decimals = trace.scratch(), trace[TABLE].columns, shown_decimals(trace[TABLE])
    chain.give("chosen.words", column(words), columns=("word",))
    chain.apply("chosen.onehot", OneHot(), "chosen.words", VOCABULARY, rows=words)
    chain.apply("chosen.ids", Ids(), "chosen.onehot", rows=words, columns=("id",))
    chain.apply(ROWS, Gather(), "chosen.ids", TABLE, rows=words, columns=d, decimals=decimals)
    chain.apply(SIMILARITY, MatMulT(), ROWS, ROWS, rows=words, columns=words)
    for name, row in zip(("left", "right"), pair, strict=True):
        chain.apply(f"example.{name}", SelectRow(row), ROWS, columns=d)
    times, both = GainShift(gain=True, shift=False), ("example.left", "example.right")
    chain.apply("example.products", times, *both, columns=d, decimals=2 * decimals)
    others = np.ones((1, len(words)))
    others[0, own] = 0.0
    chain.give("check.others", others)
    chain.apply("check.sum", MatMul(), "check.others", ROWS, columns=d, decimals=decimals)
    chain.apply("check.own", SelectRow(own), ROWS, columns=d)
    chain.apply("check.product", MatMulT(), "check.own", "check.sum", decimals=2 * decimals)
    return chain.new
