"""Why an entry is probably wrong: the slips that give just this number from the pupil's own ones.

A cause is told only where a slip leads to the number that was typed, within the tolerance. Where
one alone does, it is named; where two or three do, all of them are; more of them say nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from generator.checks.verdict import unit
from generator.engine.expr import Expr, Ref
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.credit import How, Judged
from generator.grading.guard import NOISE
from generator.grading.meant import Number, read
from generator.grading.mutations import Slips
from generator.grading.question import Question, computed_as
from generator.grading.rule import Paper
from generator.insight.slips import Slip
from generator.notation.shown import shown_decimals

MOST: Final = 3  # causes that are told where several lead to the number
FEWEST_UNITS: Final = 2  # tolerances by which a number must differ from 0 to tell its digits
LISTED: Final = "slip."  # how the key of a cause begins that a sheet's page for teachers lists


class Hit(NamedTuple):
    """A slip that leads to the number, and to which number exactly."""

    key: str
    number: Number


def causes(paper: Paper, one: Judged, listed: Iterable[Slip] = ()) -> tuple[str, ...]:
    """The keys of the slips that lead to a wrong entry; none where nothing tells.

    `listed` are those of the sheet's page for teachers. One of them has its name from there
    (`slip.<key>`), also where a change of the expression leads to the same number. A row with the
    same entry in each box tells nothing: it was filled, not computed.
    """
    if one.how not in (How.WRONG, How.IDLE) or one.value is None or one.cell in paper.constant:
        return ()
    known = list(_listed(paper, one, listed))
    numbers = {hit.number for hit in known}
    others = [hit for hit in _changed(paper, one) if hit.number not in numbers]
    keys = tuple(dict.fromkeys(hit.key for hit in (*known, *others)))
    return keys if len(keys) <= MOST else ()


def _listed(paper: Paper, one: Judged, listed: Iterable[Slip]) -> Iterator[Hit]:
    """The listed slips that lead there; they were computed from right numbers."""
    question = paper.question
    from_right = one.expected is None or question.same(one.cell, one.expected, one.right)
    for slip in listed if from_right else ():
        if (slip.step, slip.i, slip.j) == one.cell:
            wrong = _written(question, one, slip.wrong)
            if wrong is not None and question.same(one.cell, one.value or 0.0, wrong):
                yield Hit(LISTED + slip.key, wrong)


def _changed(paper: Paper, one: Judged) -> list[Hit]:
    """The changes of the cell's expression that lead there: from own numbers, else from right."""
    if isinstance(one.value, str):
        return []
    question = paper.question
    for arrays in (paper.filled, question.all_right):
        hits = list(_hits(question, one, arrays))
        if hits:
            return hits
    return []


def _hits(question: Question, one: Judged, arrays: Mapping[str, np.ndarray]) -> Iterator[Hit]:
    expected = question.value(one.cell, arrays)
    whole = one.right if expected is None else expected
    if isinstance(whole, str):
        return
    for key, number in (
        *_general(question, one.cell, whole),
        *_of_cell(question, one.cell, arrays),
    ):
        wrong = _written(question, one, number)
        if wrong is None or question.same(one.cell, wrong, whole):
            continue  # a slip that changes nothing here
        if question.same(one.cell, one.value or 0.0, wrong):
            yield Hit(key, wrong)


def _of_cell(
    question: Question, cell: Cell, arrays: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, float]]:
    if not question.is_computed(cell):
        return
    look = question.look(arrays)

    def meaning(ref: Ref) -> Expr | None:
        known = question.trace[ref.step].kind != "given"
        return question.trace.cell(ref.step, ref.i, ref.j) if known else None

    slips = Slips(look, lambda name: question.trace[name].shape, meaning)
    for key, expression in slips.of(question.exercise.meaning(*cell)):
        value = computed_as(expression, look)
        if isinstance(value, float):
            yield key, value


def _general(question: Question, cell: Cell, whole: float) -> Iterator[tuple[str, float]]:
    """Slips of writing that any number may suffer.

    A comma shifted, or digits exchanged, to next to 0 is none: any small entry would fit.
    """
    yield "sign", -whole
    least = FEWEST_UNITS * question.tolerance * unit(question.step(cell)) + NOISE
    for by in (10.0, 0.1, 100.0, 0.01):
        if abs(whole * by) > least:
            yield "comma", whole * by
    decimals = shown_decimals(question.step(cell))
    if decimals > 1:
        yield "rounded_early", guarded_number(whole, decimals - 1)
    digits = f"{abs(whole):.{decimals}f}"
    for k in range(len(digits) - 1) if unit(question.step(cell)) else ():
        a, b = digits[k], digits[k + 1]
        if a != b and "." not in (a, b):
            turned = float(digits[:k] + b + a + digits[k + 2 :])
            if turned > least:
                yield "digits", turned if whole >= 0 else -turned


def _written(question: Question, one: Judged, wrong: float) -> Number | None:
    """A wrong result as a pupil writes it; None for one that nobody can write."""
    step = question.step(one.cell)
    if step.text:
        return read(step, one.right, wrong)
    if not np.isfinite(wrong):
        return None
    return guarded_number(wrong, shown_decimals(step) if unit(step) else 9)
