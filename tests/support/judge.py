"""The verdicts on all entries of a pupil, by the same expressions that a workbook computes."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from generator.checks.exercise import Exercise, found_in
from generator.checks.verdict import GATE, PAUSED, TOLERANCE, WHEN, When, gate, verdict
from generator.engine.evaluate import evaluate
from generator.engine.expr import Ref
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.plans.workbook import WorkbookPlan


def judge(
    trace: Trace,
    plan: WorkbookPlan,
    entries: Mapping[Cell, object],
    *,
    tolerance: float = 1,
    when: str = "once",
    blocks: Sequence[Collection[Cell]] = (),
    paused: bool = False,
) -> dict[Cell, int]:
    """The verdict on every asked cell; blank ones are missing or "".

    With `when` "block" a cell is judged when all asked cells of its group in `blocks` are filled.
    """
    exercise = Exercise(trace, plan.asked)
    arrays = exercise.filled(entries)
    arrays |= {TOLERANCE: np.array([[float(tolerance)]]), WHEN: np.array([[when]], dtype=object)}
    arrays[PAUSED] = np.array([[float(paused)]])
    groups = [set(block) & plan.asked for block in blocks]
    groups.append(set(plan.asked).difference(*groups))

    def lookup(name: str) -> np.ndarray:
        return found_in(arrays, trace, name)

    gates = [evaluate(gate(group, When()), lookup) for group in groups]
    arrays[GATE] = np.array([gates], dtype=float).T
    return {
        cell: int(float(evaluate(verdict(exercise, cell, Ref(GATE, k, 0)), lookup)))
        for k, group in enumerate(groups)
        for cell in group
    }
