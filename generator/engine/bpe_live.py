"""Byte-pair encoding in which every number follows the words and counts: for the workbook.

The same training as in `bpe`, from which it differs in how pairs stand: at their places in the
words, not once each in a list, so that other words fit the same cells.
"""

from collections.abc import Mapping

import numpy as np

from generator.engine.arrays import column
from generator.engine.bpe import letters
from generator.engine.ops import MatMulT, Over
from generator.engine.ops.pieces import (
    FirstLargest,
    FirstOfRow,
    MergedTexts,
    Most,
    PairCounts,
    PairPlaces,
    PieceCounts,
    Spelled,
)
from generator.engine.scope import Scope
from generator.errors import UserError

SPARE = 1  # letters more than the longest word has, for words that a reader tries


def write_live(scope: Scope, words: Mapping[str, int], rounds: int, new: str) -> None:
    """Write the training on words × counts and how a new word is cut, all but these computed.

    `bpe.corpus` [words, 1] are the words in letters. Round m has, under `bpe.merge{m}.`, the
    `places` [words, places] with the pair at each of them, `pairs` beside it with its count in the
    corpus, `most` and `best` [words, 1] of each word, `winner` [1, 1], the new `corpus`, its
    `sizes` [1, words] and `length` [1, 1]. Raises `UserError` for a letter that is more than one
    character to a spreadsheet.
    """
    _require_plain([*words, new])
    names = tuple(words)
    most = max(map(len, names)) + SPARE
    scope.give("bpe.words", column(names), rows=names)
    counts = np.array([list(words.values())], dtype=np.float64)
    scope.give("bpe.counts", counts, columns=names, decimals=0)
    scope.apply("bpe.corpus", Spelled(most), "bpe.words", rows=names)
    _sized(scope, "bpe", names)
    before = "bpe"
    for m in range(1, rounds + 1):
        before = _round(scope, f"bpe.merge{m}", before, names, most - 1)
    _encode(scope, new, rounds)


def _round(scope: Scope, at: str, before: str, names: tuple[str, ...], places: int) -> str:
    corpus = f"{before}.corpus"
    scope.apply(f"{at}.places", PairPlaces(places), corpus, rows=names)
    inputs = (f"{at}.places", corpus, "bpe.counts")
    scope.apply(f"{at}.pairs", PairCounts(), *inputs, rows=names)
    scope.apply(f"{at}.most", Most(), f"{at}.pairs", rows=names)
    scope.apply(f"{at}.best", FirstOfRow(), f"{at}.places", f"{at}.pairs", rows=names)
    scope.apply(f"{at}.winner", FirstLargest(), f"{at}.best", f"{at}.most")
    scope.apply(f"{at}.corpus", MergedTexts(), corpus, f"{at}.winner", rows=names)
    _sized(scope, at, names)
    return at


def _sized(scope: Scope, at: str, names: tuple[str, ...]) -> None:
    scope.apply(f"{at}.sizes", PieceCounts(), f"{at}.corpus", columns=names)
    scope.apply(f"{at}.length", MatMulT(), f"{at}.sizes", "bpe.counts", decimals=0)


def _encode(scope: Scope, new: str, rounds: int) -> None:
    """The new word after each rule in turn: no rule makes a part of an earlier one."""
    at = "bpe.encoding"
    scope.give(f"{at}.word", column((new,)))
    last = scope.apply(f"{at}.spelled", Spelled(len(new) + SPARE), f"{at}.word")
    scope.apply(f"{at}.letters", PieceCounts(), last)
    for m in range(1, rounds + 1):
        last = scope.apply(f"{at}.rule{m}", MergedTexts(), last, f"bpe.merge{m}.winner")
    scope.apply(f"{at}.tokens", PieceCounts(), last)
    scope.apply(f"{at}.ratio", Over(), f"{at}.letters", f"{at}.tokens", decimals=1)


def _require_plain(words: list[str]) -> None:
    for word in words:
        for letter in letters(word):
            if len(letter.encode("utf-16-le")) != 2:
                raise UserError(
                    f"the word {word!r} has the letter {letter!r}, which a spreadsheet takes for "
                    "several characters; expected letters such as a, ä or 你"
                )
