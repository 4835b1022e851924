"""Sheet 7d, learning: the class trains together, each group its own sentence."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from generator.engine.predict import drawing_row
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.class_step import (
    AFTER,
    BEFORE,
    FEWEST,
    MEAN,
    MOST,
    NEW,
    SUM,
    GroupExercise,
    class_steps,
    example_steps,
    exercises,
    own,
    renewed,
    require_no_bias,
)
from generator.insight.output_layer import EXP, LOGITS, SHARES, TOTAL
from generator.insight.output_step import ERROR, GRADIENT, LOSS
from generator.sheets.plan import Plan, dot, minutes, require_level, seconds
from generator.sheets.sheet7a.plan import require_fit

SHEET = "7d"
MOST_MODEL = 4  # dimensions: the board has a column for each
MOST_WORDS = 10  # of the vocabulary, so that a group has one page
ROWS = {1: 1, 2: 2, 3: 2}  # rows of the output that go to the board
LEAST_ERROR = 0.01  # of P − target: less is a gradient about rounding
ENTERED = (GRADIENT, LOSS)  # what the groups write on the board
FULL = 2  # the first level that asks for the prediction with the new rows


@dataclass(frozen=True, kw_only=True)
class Plan7d(Plan):
    """`groups` are what they learn, `rows` the words whose rows go to the board, `at` the row of
    the temperature 1, `rate` the learning rate. `minutes` are what one group needs with its share
    of the board. The groups in `pages` have a page, and the board has some where it is to be there.
    """

    groups: tuple[GroupExercise, ...]
    pages: tuple[int, ...]
    board: bool
    rows: tuple[int, ...]
    rights: tuple[int, ...]
    at: int
    rate: float


def plan(trace: Trace, level: int) -> Plan7d:
    """What sheet 7d shows and asks at a level.

    Raises `UserError` as sheet 7a does, for more words, dimensions or groups than there is room
    for, and where no learning rate lowers the mean loss of the sentences.
    """
    require_level(level)
    _require_fit(trace)
    groups = exercises(trace)
    _require_groups(trace, groups)
    rate, steps = class_steps(trace, groups)
    whole, words = trace.with_steps(steps), trace[LOGITS].columns
    rows = _rows(whole, len(groups), ROWS[level])
    rights, at = tuple(words.index(one.word) for one in groups), drawing_row(trace.preset)
    width = trace["last"].shape[1]
    pages = tuple(k for k in range(len(groups)) if trace.group in (None, k))
    board = trace.group in (None, len(groups))
    asked = set(_board(rows, width, level) if board else _copied(rows, width, level))
    for k in pages or range(len(groups)):
        cells = {*_before(k, rows, width, level), *_after(k, rows, at, rights[k], level)}
        asked |= {cell for cell in cells if pages or cell[0].endswith(ENTERED)}
    return Plan7d(
        sheet=SHEET,
        level=level,
        asked=frozenset(asked),
        minutes=_minutes(len(rows), len(words), width, len(groups), level),
        extra=(*steps, *example_steps(trace)),
        groups=groups,
        pages=pages,
        board=board,
        rows=rows,
        rights=rights,
        at=at,
        rate=rate,
    )


def _require_fit(trace: Trace) -> None:
    require_fit(trace, SHEET)
    require_no_bias(trace)
    if not trace["last"].inputs:
        raise UserError(
            f"preset {trace.preset.name!r} gives the last vector of one sentence only, and sheet "
            "7d is about several: take 'katze'"
        )
    d, v = trace["last"].shape[1], len(trace[LOGITS].columns)
    if d > MOST_MODEL or v > MOST_WORDS:
        raise UserError(
            f"preset {trace.preset.name!r} has {d} dimensions and {v} words; sheet 7d has room for "
            f"{MOST_MODEL} and {MOST_WORDS}: take 'katze-trained', or 'katze' with a shorter "
            "sentence"
        )


def _require_groups(trace: Trace, groups: tuple[GroupExercise, ...]) -> None:
    if not FEWEST <= len(groups) <= MOST:
        raise UserError(
            f"--sentences: found {len(groups)} sentences, expected {FEWEST} to {MOST}, one for "
            "each group (several desks can have the same group)"
        )


def _rows(trace: Trace, groups: int, count: int) -> tuple[int, ...]:
    """Of the words that every group has a visible error at, those whose rows change most."""
    sizes = np.round(np.abs(trace.values(MEAN)).sum(axis=1), 10).tolist()
    errors = [np.abs(trace.values(own(k, ERROR))[0]) for k in range(groups)]
    visible = np.min(errors, axis=0) >= LEAST_ERROR
    order = [j for j in sorted(range(len(sizes)), key=lambda j: (-sizes[j], j)) if visible[j]]
    if not order:
        raise UserError(
            "sheet 7d: there is no word that the model is visibly wrong about in every group, so "
            "somebody would compute zeros: name sentences that could go on alike with --sentences, "
            "or take 'katze'"
        )
    return tuple(sorted(order[:count]))


def _before(k: int, rows: tuple[int, ...], width: int, level: int) -> Iterator[Cell]:
    yield from ((own(k, ERROR), 0, j) for j in rows)
    yield from ((own(k, GRADIENT), j, c) for j in rows for c in range(width))
    if level >= FULL:
        yield (own(k, LOSS), 0, 0)


def _board(rows: tuple[int, ...], width: int, level: int) -> Iterator[Cell]:
    yield from ((name, j, c) for name in (SUM, MEAN, NEW) for j in rows for c in range(width))
    yield (f"{AFTER}.sum", 0, 0)
    yield (f"{AFTER}.mean", 0, 0)
    if level >= FULL:
        yield (f"{BEFORE}.sum", 0, 0)
        yield (f"{BEFORE}.mean", 0, 0)


def _copied(rows: tuple[int, ...], width: int, level: int) -> Iterator[Cell]:
    """What a group copies from the board, where that is not among its own papers."""
    if level >= FULL:
        yield from ((NEW, j, c) for j in rows for c in range(width))


def _after(k: int, rows: tuple[int, ...], at: int, right: int, level: int) -> Iterator[Cell]:
    yield (renewed(k, LOSS), 0, 0)
    if level >= FULL:
        yield from ((renewed(k, LOGITS), 0, j) for j in rows)
        yield from ((renewed(k, EXP), at, j) for j in rows)
        yield (renewed(k, TOTAL), at, 0)
        yield (renewed(k, SHARES), at, right)


def _minutes(rows: int, words: int, width: int, groups: int, level: int) -> int:
    """Of one group: its own numbers, its share of the board, and adding the losses up."""
    table = seconds()
    spent = rows * (table["add"] + width * table["scale"]) + table["exp"]
    columns = -(-rows * width // groups)
    spent += columns * (groups * table["sum"] + 2 * table["scale"] + table["add"])
    spent += 2 * (groups * table["sum"] + table["scale"])
    if level >= FULL:
        spent += rows * (dot(width) + table["exp"]) + words * table["sum"] + table["share"]
        spent += table["exp"]
    return minutes(spent, 5)
