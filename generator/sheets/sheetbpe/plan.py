"""Sheet bpe, byte-pair encoding: count pairs, merge the winner, cut a new word.

Also here:

* Byte-pair encoding in which every number follows the words and counts: for the workbook.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from generator.engine import bpe
from generator.engine.arrays import column
from generator.engine.ops import pieces
from generator.engine.ops.linear import MatMulT, Over
from generator.engine.scope import Scope
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import refused
from generator.locales.folders import FILE
from generator.locales.locale import CorpusWords, locale_of
from generator.sheets.plan import LEVELS, Plan, demand, minutes, practised, seconds

FIRST = 2  # round 1 is the worked example
MOST_ROUNDS = FIRST + max(LEVELS) - 1
MOST_WORDS, MOST_LETTERS, MOST_PAIRS = 4, 6, 8  # of a preset's corpus: what the pages have room for
MOST_CUT = 9  # letters of the word to cut
PIECES, RATIO = "bpe.encoding.pieces", "bpe.encoding.ratio"
FIGURE = "figure."


@dataclass(frozen=True, kw_only=True)
class PlanBpe(Plan):
    """`rounds` are the asked rounds of training, `figure_rounds` those of the figure's corpus."""

    rounds: tuple[int, ...]
    figure_rounds: int


def plan(trace: Trace, level: int) -> PlanBpe:
    """What sheet bpe shows and asks at a level, in the language of this Trace.

    Words and numbers do not depend on the sentence: they are the language's own. Raises
    `UserError` where that file has a tie in an asked round or fewer rounds than the level asks.
    """
    corpus = corpus_of(trace)
    rounds = tuple(range(FIRST, FIRST + level))
    merges, steps = _trained(trace, corpus.words, rounds[-1], corpus.new)
    tied = _tied(merges)
    names = {"file": FILE, "expected": rounds[-1], "found": len(merges), "tied": tied}
    demand(len(merges) >= rounds[-1] and not tied, "bpe.rounds", trace, **names)
    figure = corpus.figure
    _, drawn = _trained(trace, figure.words, figure.rounds, figure.word)
    whole = trace.with_steps(steps)
    return PlanBpe(
        asked=_asked(whole, rounds),
        minutes=_minutes(whole, rounds),
        beside=practised(add=level, compare=level, draw=len(corpus.new)),
        extra=(*steps, *_of_figure(drawn)),
        rounds=rounds,
        figure_rounds=figure.rounds,
    )


def corpus_of(trace: Trace) -> CorpusWords:
    """The corpus of this computation: that of its preset where it fits, otherwise the sheet's own.

    It fits with few, short and plain words, few pairs a round and all rounds without a tie, where a
    word of the sentence has pairs to merge; that word is cut.
    """
    return _chosen(trace)[0]


def own_steps(part: Scope, trace: Trace) -> None:
    """Write the corpus, its rounds and the cut word into a workbook's part of a computation."""
    corpus = corpus_of(trace)
    write_live(part, corpus.words, MOST_ROUNDS, corpus.new)


def notes(trace: Trace) -> list[str]:
    """Why the sheet does not take its preset's table of words, where it does not.

    A teacher who wrote such a table expects to see it on the sheet.
    """
    why, name = _chosen(trace)[1], trace.preset.name
    return [f"sheet bpe takes words of its own, not those of preset {name!r}: {why}"] if why else []


def _chosen(trace: Trace) -> tuple[CorpusWords, str]:
    """The corpus, and why it is not the preset's."""
    own, words = locale_of(trace.language).corpus, trace.preset.corpus
    if trace.preset.tokenizer != "bpe" or words is None:
        return own, ""
    merges = bpe.learn(words, MOST_ROUNDS)
    rules = [merge.winner for merge in merges]
    new = (w for w in trace.sentence.split() if w not in words and len(w) <= MOST_CUT)
    cut = next((word for word in new if len(bpe.encode(word, rules)) < len(word)), "")
    if why := _misfit(words, merges, cut):
        return own, why
    return own.model_copy(update={"words": words, "new": cut}), ""


def _misfit(words: Mapping[str, int], merges: Sequence[bpe.Merge], new: str) -> str:
    """What is in the way of a table of words; "" where it fits."""
    pairs = max((len(merge.pairs) for merge in merges), default=0)
    tied = _tied(merges)
    plain = all(len(word) <= MOST_LETTERS and word.isalpha() for word in words)
    reasons = {
        f"it has {len(words)} words, room is for 2 to {MOST_WORDS}": 2 <= len(words) <= MOST_WORDS,
        f"a word has other signs than letters, or more than {MOST_LETTERS}": plain,
        f"it gives {len(merges)} rounds, needed are {MOST_ROUNDS}": len(merges) == MOST_ROUNDS,
        f"there is a tie in round {', '.join(map(str, tied))}": not tied,
        f"a round has {pairs} different pairs, room is for {MOST_PAIRS}": pairs <= MOST_PAIRS,
        f"of the sentence no new word of at most {MOST_CUT} letters has a pair to merge": bool(new),
    }
    return next((reason for reason, fits in reasons.items() if not fits), "")


def _tied(merges: Sequence[bpe.Merge]) -> list[int]:
    """The rounds with a tie, counted from 1."""
    return [m for m, merge in enumerate(merges, start=1) if merge.tied]


def _trained(
    trace: Trace, words: Mapping[str, int], rounds: int, word: str
) -> tuple[tuple[bpe.Merge, ...], tuple[Step, ...]]:
    """So many rounds of a corpus, and the steps of them and of a word that is cut by them."""
    chain = trace.scratch()
    merges = bpe.write(chain, words, rounds)
    bpe.write_encoding(chain, word, [merge.winner for merge in merges])
    return merges, chain.new


def _of_figure(steps: Sequence[Step]) -> list[Step]:
    """Of the figure's training its winners, and the word that grows from them."""
    shown = (step for step in steps if step.name.endswith(("winner", "encoding.word")))
    return [
        step._replace(name=FIGURE + step.name, inputs=tuple(FIGURE + name for name in step.inputs))
        for step in shown
    ]


def _asked(trace: Trace, rounds: Sequence[int]) -> frozenset[Cell]:
    cells = {(PIECES, 0, 0), (RATIO, 0, 0), *((f"bpe.merge{m}.length", 0, 0) for m in rounds)}
    pairs = (trace[f"bpe.merge{m}.pairs"] for m in rounds)
    return frozenset(cells | {(step.name, i, 0) for step in pairs for i in range(step.shape[0])})


def _minutes(trace: Trace, rounds: Sequence[int]) -> int:
    """A look at each word for each pair, an addition for each word found; new lengths; the cut.

    After the first asked round also writing down each word's tokens and each pair.
    """
    table = seconds()
    spent = table["share"]
    for m in rounds:
        occurrences = trace[f"bpe.merge{m}.occurrences"].values
        spent += occurrences.size * table["copy"] + np.count_nonzero(occurrences) * table["sum"]
        spent += occurrences.shape[1] * (table["copy"] + table["sum"])
        spent += sum(occurrences.shape) * table["copy"] if m > rounds[0] else 0
    spent += float(trace["bpe.encoding.letters"].values[0, 0]) * table["copy"]
    return minutes(float(spent), len(rounds) + 2)


SPARE = 1  # letters more than the longest word has, for words that a reader tries


def write_live(scope: Scope, words: Mapping[str, int], rounds: int, new: str) -> None:
    """Write the training on words × counts and how a new word is cut, all but these computed.

    `bpe.corpus` [words, 1] are the words in letters. Round m has, under `bpe.merge{m}.`, the
    `places` [words, places] with the pair at each of them, `pairs` beside it with its count in the
    corpus, `most` and `best` [words, 1] of each word, `winner` [1, 1], the new `corpus`, its
    `sizes` [1, words] and `length` [1, 1]. Raises `UserError` for a letter that is more than one
    character to a spreadsheet.
    """
    for word, letter in ((one, letter) for one in (*words, new) for letter in bpe.letters(one)):
        if len(letter.encode("utf-16-le")) != 2:
            raise refused("bpe.letter", word=word, letter=letter)
    names = tuple(words)
    most, write = max(map(len, names)) + SPARE, partial(scope.apply, rows=names)
    scope.give("bpe.words", column(names), rows=names)
    counts = np.array([list(words.values())], dtype=np.float64)
    scope.give("bpe.counts", counts, columns=names, decimals=0)
    write("bpe.corpus", pieces.Spelled(most), "bpe.words")
    _sized(scope, "bpe")
    before = "bpe.corpus"
    for at in (f"bpe.merge{m}" for m in range(1, rounds + 1)):
        write(f"{at}.places", pieces.PairPlaces(most - 1), before)
        write(f"{at}.pairs", pieces.PairCounts(), f"{at}.places", before, "bpe.counts")
        write(f"{at}.most", pieces.Most(), f"{at}.pairs")
        write(f"{at}.best", pieces.FirstOfRow(), f"{at}.places", f"{at}.pairs")
        scope.apply(f"{at}.winner", pieces.FirstLargest(), f"{at}.best", f"{at}.most")
        before = write(f"{at}.corpus", pieces.MergedTexts(), before, f"{at}.winner")
        _sized(scope, at)
    _encode(scope, new, rounds)


def _sized(scope: Scope, at: str) -> None:
    names = scope["bpe.words"].rows
    scope.apply(f"{at}.sizes", pieces.PieceCounts(), f"{at}.corpus", columns=names)
    scope.apply(f"{at}.length", MatMulT(), f"{at}.sizes", "bpe.counts", decimals=0)


def _encode(scope: Scope, new: str, rounds: int) -> None:
    """The new word after each rule in turn: no rule makes a part of an earlier one."""
    at = "bpe.encoding"
    scope.give(f"{at}.word", column((new,)))
    last = scope.apply(f"{at}.spelled", pieces.Spelled(len(new) + SPARE), f"{at}.word")
    scope.apply(f"{at}.letters", pieces.PieceCounts(), last)
    for m in range(1, rounds + 1):
        last = scope.apply(f"{at}.rule{m}", pieces.MergedTexts(), last, f"bpe.merge{m}.winner")
    scope.apply(f"{at}.tokens", pieces.PieceCounts(), last)
    scope.apply(f"{at}.ratio", Over(), f"{at}.letters", f"{at}.tokens", decimals=1)
