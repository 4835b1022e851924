"""Sheet 2, the embedding: a row read off, words compared by dot products."""

from dataclasses import dataclass

import numpy as np

from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.similarity import ROWS, SIMILARITY, TABLE, compared
from generator.notation.shown import shown_decimals
from generator.sheets.plan import Plan, counted, dot, minutes, require_level, require_shown, seconds

SHEET = "2"
MOST_MODEL = 8
MOST_DECIMALS = 3
CHOSEN = 6
OTHERS = {1: 3, 2: 5, 3: 5}
BLOCKS = {1: 3, 2: 3, 3: 6}


@dataclass(frozen=True, kw_only=True)
class Plan2(Plan):
    """The rows of the chosen words: `x` is the own word, `left` and `right` are the example.

    `rows` are the words whose similarity to the own one is asked, `second` is the word that the
    third level asks about too. `reads` says whether the own row is read off.
    """

    x: int
    left: int
    right: int
    rows: tuple[int, ...]
    reads: bool
    second: int | None


def plan(trace: Trace, level: int) -> Plan2:
    """What sheet 2 shows and asks at a level, for this Trace's sentence.

    Raises `UserError` where the preset has no vocabulary with embeddings or too many numbers in
    one, where fewer than four words are known, and where the sentence has more than 12 tokens.
    """
    require_level(level)
    _require_fit(trace)
    if trace.exercise is None or trace.worked is None or trace[TABLE].shape[0] < 4:
        raise UserError(
            f"sheet 2 compares at least four different words; {trace.sentence!r} has "
            f"{counted(trace)}: write a longer sentence"
        )
    _require_known(trace, trace.tokens[trace.exercise], trace.tokens[trace.worked])
    words = _words(trace)
    x = words.index(trace.tokens[trace.exercise])
    left = _other(words, x, trace.tokens[trace.worked])
    right = _partner(trace, words, x, left)
    extra = compared(trace, words, x, (left, right))
    rows = _rows(level, len(words), x)
    second = _second(extra, x, left, right) if level == 3 else None
    asked = _asked(trace, level, rows, x, second)
    return Plan2(
        sheet=SHEET,
        level=level,
        worked=trace.worked,
        own=trace.exercise,
        x=x,
        left=left,
        right=right,
        rows=rows,
        reads=level > 1,
        second=second,
        asked=asked,
        minutes=_minutes(extra, asked, level),
        extra=extra,
    )


def _require_fit(trace: Trace) -> None:
    preset = trace.preset
    if TABLE not in trace:
        raise UserError(
            f"preset {preset.name!r} has no table of embeddings, which sheet 2 is about; "
            "take 'katze' or 'brille'"
        )
    decimals = shown_decimals(trace[TABLE])
    if not 2 <= preset.d_model <= MOST_MODEL or decimals > MOST_DECIMALS:
        raise UserError(
            f"preset {preset.name!r} has d_model = {preset.d_model} and embeddings with {decimals} "
            f"decimals; on paper sheet 2 takes 2 to {MOST_MODEL} numbers with at most "
            f"{MOST_DECIMALS} decimals: take 'katze', or make the workbook with --only xlsx"
        )
    require_shown(trace)


def _require_known(trace: Trace, *tokens: str) -> None:
    """Raise a `UserError` for a token without an embedding: one of a given vector may have none."""
    known = trace["vocabulary.words"].values[:, 0].tolist()
    for token in tokens:
        if token not in known:
            raise UserError(
                f"preset {trace.preset.name!r} has no embedding for {token!r}, which sheet 2 "
                "compares: write the word into [vocabulary.words], or take 'katze' or 'brille'"
            )


def _words(trace: Trace) -> tuple[str, ...]:
    """Six words at most, in order of their IDs: own and worked one, the sentence's, then others.

    Where no word of the sentence is similar to the own one, the vocabulary's most similar comes in.
    """
    known = tuple(trace["vocabulary.words"].values[:, 0].tolist())
    first = [trace.tokens[trace.exercise or 0], trace.tokens[trace.worked or 0]]
    first += _similar(trace, known, first[0])
    wanted = [word for word in dict.fromkeys([*first, *trace.tokens, *known]) if word in known]
    return tuple(sorted(wanted[:CHOSEN], key=known.index))


def _similar(trace: Trace, known: tuple[str, ...], own: str) -> list[str]:
    """The word most similar to the own one, if it is similar at all and the sentence has none."""
    rows = trace[TABLE].values
    alike = rows @ rows[known.index(own)] if own in known else np.zeros(len(known))
    similar = [k for k in range(len(known)) if alike[k] > 0 and known[k] != own]
    if not similar or any(known[k] in trace.tokens for k in similar):
        return []
    return [known[max(similar, key=lambda k: (alike[k], -k))]]


def _other(words: tuple[str, ...], x: int, wanted: str) -> int:
    """The row of the worked word; the first other one where it is the own word too."""
    row = words.index(wanted)
    return row if row != x else int(x == 0)


def _partner(trace: Trace, words: tuple[str, ...], x: int, left: int) -> int:
    """The row that shares most dimensions with the worked one; of equal ones the nearest."""
    known = trace["vocabulary.words"].values[:, 0].tolist()
    rows = trace[TABLE].values[[known.index(word) for word in words]]
    shared = np.count_nonzero(rows * rows[left], axis=1)
    others = [k for k in range(len(words)) if k not in (x, left)]
    return max(others, key=lambda k: (shared[k], -abs(k - left), -k))


def _rows(level: int, count: int, x: int) -> tuple[int, ...]:
    others = [k for k in range(count) if k != x][: OTHERS[level]]
    return tuple(sorted([*others, x])) if level > 1 else tuple(others)


def _second(extra: tuple[Step, ...], x: int, left: int, right: int) -> int | None:
    """The longest vector among the words that are neither the own nor the example's."""
    rows = next(step.values for step in extra if step.name == ROWS)
    lengths = {
        k: float((rows[k] ** 2).sum()) for k in range(len(rows)) if k not in (x, left, right)
    }
    return max(lengths, key=lambda k: (round(lengths[k], 10), -k)) if lengths else None


def _asked(
    trace: Trace, level: int, rows: tuple[int, ...], x: int, second: int | None
) -> frozenset[Cell]:
    cells = {(SIMILARITY, x, j) for j in rows}
    if level > 1:
        cells |= {(ROWS, x, c) for c in range(trace[TABLE].shape[1])}
    if second is not None:
        cells |= {(SIMILARITY, second, j) for j in rows if j not in (x, second)}
    return frozenset(cells)


def _minutes(extra: tuple[Step, ...], asked: frozenset[Cell], level: int) -> int:
    rows = next(step.values for step in extra if step.name == ROWS)
    spent = 0.0
    for name, i, _ in asked:
        terms = max(1, int(np.count_nonzero(rows[i])))  # zeros need no multiplication
        spent += seconds()["copy"] if name == ROWS else dot(terms)
    return minutes(spent, BLOCKS[level])
