"""What a pupil does next: a box's calculation with the own numbers, and one like it to try."""

from typing import Final, NamedTuple

import numpy as np

from generator.checks.exercise import read_by
from generator.engine.evaluate import evaluate
from generator.engine.expr import Round
from generator.engine.ops.attention import RowShare
from generator.engine.rounding import guarded, guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.marking.question import AskedBox
from generator.grading.marking.rule import Paper
from generator.notation.shown import number, shown_decimals
from generator.notation.worked import HtmlWorked

FACTORS: Final = (0.6, 1.4, 0.8, 1.2)  # other numbers of the same size and sign


class Practice(NamedTuple):
    """The calculation of a box without its result, one with other numbers, and what that gives.

    The calculations are HTML.
    """

    cell: Cell
    own: str
    other: str
    result: str


def practice(paper: Paper, box: AskedBox) -> Practice | None:
    """What to try after a box that went wrong; None where there is nothing to calculate."""
    if box.step.text or box.is_copied or not box.is_computed:
        return None
    e = box.meaning.inner if isinstance(box.meaning, Round) else box.meaning
    own = _with_numbers(paper)
    changed = next((one for one in read_by(e) if not isinstance(own[one.step].op, RowShare)), None)
    if changed is None or own[changed.step].text:
        return None
    values = own[changed.step].values.copy()
    for k, cell in enumerate(changed.cells()):
        values[cell.i, cell.j] *= FACTORS[k % len(FACTORS)]
    step = own[changed.step]
    other = own.with_steps([step._replace(values=guarded(values, shown_decimals(step)))])
    result = guarded_number(float(evaluate(e, other.values)), box.decimals)
    if not np.isfinite(result) or box.same(result, float(evaluate(e, own.values))):
        return None
    first, second = (HtmlWorked(trace, own.language).write(e) for trace in (own, other))
    return Practice(box.cell, first, second, number(result, box.decimals, own.language))


def _with_numbers(paper: Paper) -> Trace:
    """The question's Trace with the pupil's own numbers, and right ones where there are none."""
    trace, arrays = paper.question.trace, paper.filled.arrays
    own = ((trace[name], arrays[name]) for name in arrays if name in trace)
    return trace.with_steps(
        step._replace(values=np.where(x == "", step.values, x).astype(step.values.dtype))
        for step, x in own
    )
