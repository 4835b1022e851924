"""Byte-pair encoding on letters: learn merges from counted words, encode, decode.

Sennrich et al. 2016: every word starts as its letters; again and again the most frequent pair of
neighbours becomes one piece. Of equally frequent pairs the one met first wins, words in order,
from left to right. Occurrences never overlap: "aaa" holds "a a" once, for it can be merged once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import regex

from generator.engine.arrays import column
from generator.engine.ops.linear import MatMulT, Over
from generator.engine.ops.pieces import BETWEEN, merged
from generator.engine.ops.sampling import BestOfRow
from generator.engine.scope import Scope

Pair: TypeAlias = tuple[str, str]
Pieces: TypeAlias = tuple[str, ...]

_LETTER = regex.compile(r"\X")


class Merge(NamedTuple):
    """One round of training.

    `pairs` maps each pair, in the order met, to its occurrences in each word; `counts` says how
    often each occurs in the whole corpus; `corpus` is what merging the winner left.
    """

    pairs: Mapping[Pair, tuple[int, ...]]
    counts: tuple[int, ...]
    winner: Pair
    corpus: tuple[Pieces, ...]

    @property
    def tied(self) -> bool:
        """Whether another pair is as frequent as the winner."""
        return self.counts.count(max(self.counts)) > 1


def letters(word: str) -> Pieces:
    """The pieces a word starts as: its characters, as a reader sees them."""
    return tuple(_LETTER.findall(word))


def occurrences(pieces: Sequence[str]) -> dict[Pair, int]:
    """How often each pair of neighbours could be merged, in the order in which they are met."""
    counts: dict[Pair, int] = {}
    taken = -1  # the last place that counts for a pair which overlaps with itself
    for k, pair in enumerate(pairwise(pieces)):
        if taken == k - 1 >= 0 and pieces[k - 1] == pair[0] == pair[1]:
            continue
        taken = k
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def learn(words: Mapping[str, int], rounds: int) -> tuple[Merge, ...]:
    """So many rounds of training on words × counts; fewer where no pair is left to merge."""
    corpus = tuple(letters(word) for word in words)
    merges: list[Merge] = []
    while len(merges) < rounds and any(len(pieces) > 1 for pieces in corpus):
        merges.append(_round(corpus, tuple(words.values())))
        corpus = merges[-1].corpus
    return tuple(merges)


def encode(word: str, merges: Sequence[Pair]) -> Pieces:
    """A word in pieces: the earliest learned pair that it holds is merged, until it holds none."""
    pieces = list(letters(word))
    for _, k in joins(word, merges):
        pieces[k : k + 2] = [pieces[k] + pieces[k + 1]]
    return tuple(pieces)


def joins(word: str, merges: Sequence[Pair]) -> Iterator[tuple[int, int]]:
    """How `encode` proceeds: which merge (from 0) joins the pieces at which place and the next."""
    rank = {pair: k for k, pair in enumerate(merges)}
    pieces = list(letters(word))
    while possible := [(rank[p], k) for k, p in enumerate(pairwise(pieces)) if p in rank]:
        merge, k = min(possible)
        pieces[k : k + 2] = [pieces[k] + pieces[k + 1]]
        yield merge, k


def decode(pieces: Iterable[str]) -> str:
    """The word that some pieces stand for."""
    return "".join(pieces)


def write(scope: Scope, words: Mapping[str, int], rounds: int) -> tuple[Merge, ...]:
    """Train, and write each round into a scope as `bpe.merge{m}.…`; gives the rounds.

    `pairs` [p, 1] are the counts of all pairs, `winner` [1, 1] the pair with the largest,
    `corpus` [words, 1] the text after it was merged, `length` [1, 1] how many pieces that is.
    Cutting text is no arithmetic: `occurrences` [p, words] and `sizes` [1, words] are given steps.
    """
    names = tuple(words)
    scope.give("bpe.words", column(names), rows=names)
    scope.give("bpe.counts", _numbers([tuple(words.values())]), columns=names, decimals=0)
    _write_corpus(scope, "bpe", tuple(letters(word) for word in words), names)
    merges = learn(words, rounds)
    for m, merge in enumerate(merges, start=1):
        _write_pairs(scope, f"bpe.merge{m}", merge, names)
        _write_corpus(scope, f"bpe.merge{m}", merge.corpus, names)
    return merges


def write_encoding(scope: Scope, word: str, merges: Sequence[Pair]) -> None:
    """Write how a word is cut: `bpe.encoding.pieces` and its `ratio`, letters for each token."""
    pieces = encode(word, merges)
    scope.give("bpe.encoding.word", column([word]))
    scope.give("bpe.encoding.pieces", column([BETWEEN.join(pieces)]))
    scope.give("bpe.encoding.letters", _numbers([[len(letters(word))]]), decimals=0)
    scope.give("bpe.encoding.tokens", _numbers([[len(pieces)]]), decimals=0)
    scope.apply(
        "bpe.encoding.ratio", Over(), "bpe.encoding.letters", "bpe.encoding.tokens", decimals=1
    )


def pair_of(text: str) -> Pair:
    """The pair that a winner's cell holds as text."""
    first, second = text.split(BETWEEN)
    return first, second


def _round(corpus: tuple[Pieces, ...], counts: tuple[int, ...]) -> Merge:
    occurrences_of = [occurrences(pieces) for pieces in corpus]
    met = dict.fromkeys(pair for word in occurrences_of for pair in word)
    pairs = {pair: tuple(word.get(pair, 0) for word in occurrences_of) for pair in met}
    totals = [sum(n * k for n, k in zip(pairs[pair], counts, strict=True)) for pair in pairs]
    winner = list(pairs)[totals.index(max(totals))]
    return Merge(pairs, tuple(totals), winner, tuple(merged(pieces, winner) for pieces in corpus))


def _write_pairs(scope: Scope, at: str, merge: Merge, words: tuple[str, ...]) -> None:
    rows = tuple(BETWEEN.join(pair) for pair in merge.pairs)
    names = scope.give(f"{at}.names", column(rows), rows=rows)
    table = _numbers(merge.pairs.values())
    occurrences_step = scope.give(f"{at}.occurrences", table, rows=rows, columns=words, decimals=0)
    scope.apply(f"{at}.pairs", MatMulT(), occurrences_step, "bpe.counts", rows=rows, decimals=0)
    row = scope.apply(
        f"{at}.compared", MatMulT(), "bpe.counts", occurrences_step, columns=rows, decimals=0
    )
    scope.apply(f"{at}.winner", BestOfRow(), row, names)


def _write_corpus(
    scope: Scope, at: str, corpus: tuple[Pieces, ...], words: tuple[str, ...]
) -> None:
    texts = [BETWEEN.join(pieces) for pieces in corpus]
    scope.give(f"{at}.corpus", column(texts), rows=words)
    sizes = _numbers([[len(pieces) for pieces in corpus]])
    scope.give(f"{at}.sizes", sizes, columns=words, decimals=0)
    scope.apply(f"{at}.length", MatMulT(), f"{at}.sizes", "bpe.counts", decimals=0)


def _numbers(rows: Iterable[Sequence[int]]) -> np.ndarray:
    return np.array(list(rows), dtype=np.float64)
