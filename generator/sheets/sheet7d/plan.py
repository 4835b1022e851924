"""Sheet 7d, learning: the class trains together, each group its own sentence."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from generator.engine.predict import drawing_row
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight import class_step
from generator.insight.class_step import GroupExercise, own, renewed
from generator.insight.output_layer import EXP, LOGITS, SHARES, TOTAL
from generator.insight.output_step import BIAS, ERROR, GRADIENT, LOSS
from generator.sheets.plan import Plan, demand, effort, practised
from generator.sheets.sheet7a.plan import require_fit

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
    Rows have `width` numbers; `full`: the prediction with the new rows is asked too.
    """

    groups: tuple[GroupExercise, ...]
    pages: tuple[int, ...]
    board: bool
    rows: tuple[int, ...]
    rights: tuple[int, ...]
    at: int
    rate: float
    width: int
    full: bool

    def of_group(self, k: int) -> Iterator[Cell]:
        """The cells of a group's page: its own numbers, and those with the new rows."""
        yield from ((own(k, ERROR), 0, j) for j in self.rows)
        yield from self._numbers(own(k, GRADIENT))
        yield (renewed(k, LOSS), 0, 0)
        if self.full:
            yield (own(k, LOSS), 0, 0)
            yield from ((renewed(k, LOGITS), 0, j) for j in self.rows)
            yield from ((renewed(k, EXP), self.at, j) for j in self.rows)
            yield (renewed(k, TOTAL), self.at, 0)
            yield (renewed(k, SHARES), self.at, self.rights[k])

    def of_board(self) -> Iterator[Cell]:
        """The cells of the board."""
        yield from self._numbers(class_step.SUM, class_step.MEAN, class_step.NEW)
        for losses in (class_step.AFTER, class_step.BEFORE)[: 1 + self.full]:
            yield from ((f"{losses}.{name}", 0, 0) for name in ("sum", "mean"))

    def copied(self) -> Iterator[Cell]:
        """What a group copies from the board, where that is not among its own papers."""
        yield from self._numbers(class_step.NEW) if self.full else ()

    def _numbers(self, *names: str) -> Iterator[Cell]:
        return ((name, j, c) for name in names for j in self.rows for c in range(self.width))

    def effort(self, words: int) -> int:
        """Of one group: its own numbers, its share of the board, and adding the losses up."""
        rows, groups = len(self.rows), len(self.groups)
        columns = -(-rows * self.width // groups)
        return effort(
            4 + 3 * self.full,
            [self.width] * rows * self.full,
            add=rows + columns,
            scale=rows * self.width + 2 * columns + 2,
            exp=1 + self.full * (rows + 1),
            sum=groups * (columns + 2) + self.full * words,
            share=self.full,
        )


def plan(trace: Trace, level: int) -> Plan7d:
    """What sheet 7d shows and asks at a level.

    Raises `UserError` as sheet 7a does, for more words, dimensions or groups than there is room
    for, and where no learning rate lowers the mean loss of the sentences.
    """
    groups = _groups(trace)
    rate, steps = class_step.class_steps(trace, groups)
    words, at, width = trace[LOGITS].columns, drawing_row(trace.preset), trace["last"].shape[1]
    rows = _rows(trace.with_steps(steps), len(groups), ROWS[level])
    pages = tuple(k for k in range(len(groups)) if trace.group in (None, k))
    board = trace.group in (None, len(groups))
    numbers, further = len(rows) * width, 3 if level == 3 else 1
    asking = Plan7d(
        extra=(*steps, *class_step.example_steps(trace)),
        # All write on the board in turn, then copy from it; its further questions.
        beside=practised(copy=numbers * (len(groups) + level // 2), compare=1, answer=further),
        groups=groups,
        pages=pages,
        board=board,
        rows=rows,
        rights=tuple(words.index(one.word) for one in groups),
        at=at,
        rate=rate,
        width=width,
        full=level >= FULL,
    )
    asked = set(asking.of_board() if board else asking.copied())
    for k in pages or range(len(groups)):
        asked |= {cell for cell in asking.of_group(k) if pages or cell[0].endswith(ENTERED)}
    return replace(asking, asked=frozenset(asked), minutes=asking.effort(len(words)))


def _groups(trace: Trace) -> tuple[GroupExercise, ...]:
    """The groups; a `UserError` for a model or a number of them that there is no room for."""
    require_fit(trace, "7d")
    d, v = trace["last"].shape[1], len(trace[LOGITS].columns)
    demand(BIAS not in trace, "7d.bias", trace)
    demand(trace["last"].inputs, "7d.vector", trace)
    room = {"most": MOST_MODEL, "most_words": MOST_WORDS}
    demand(d <= MOST_MODEL and v <= MOST_WORDS, "7d.wide", trace, width=d, words=v, **room)
    groups, most = class_step.exercises(trace), class_step.MOST
    names = {"found": len(groups), "fewest": class_step.FEWEST, "most": most}
    demand(class_step.FEWEST <= len(groups) <= most, "7d.sentences", trace, **names)
    return groups


def _rows(trace: Trace, groups: int, count: int) -> tuple[int, ...]:
    """Of the words that every group has a visible error at, those whose rows change most."""
    sizes = np.round(np.abs(trace.values(class_step.MEAN)).sum(axis=1), 10).tolist()
    errors = [np.abs(trace.values(own(k, ERROR))[0]) for k in range(groups)]
    visible = np.min(errors, axis=0) >= LEAST_ERROR
    order = [j for j in sorted(range(len(sizes)), key=lambda j: (-sizes[j], j)) if visible[j]]
    demand(order, "7d.visible", trace)
    return tuple(sorted(order[:count]))
