"""Finds entries that leave nothing to compute, such as zeros everywhere, and so earn no credit.

Pupils' own numbers are fair only where they leave something to do, as the drawn numbers of a class
must (`classroom.fairness`: no row of zeros, shares that differ, no share next to nothing). What is
computed from a row that fails here earns no credit as an error carried forward. The right value
earns its credit all the same, but not in a row of three and more boxes with the same entry in each.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from generator.checks.verdict import unit
from generator.classroom.fairness import LEAST_SHARE
from generator.engine.step import Cell
from generator.grading.meant import Number, is_share
from generator.grading.question import Question

FEWEST: Final = 3  # numbers in a row that can be equal by intent; two may well be by chance
NOISE: Final = 1e-9


def idle(question: Question, values: Mapping[Cell, Number]) -> frozenset[Cell]:
    """The entries that stand in a row with nothing to compute with, where the right row has some.

    All of the row is 0, or three and more entries are equal, both within the tolerance; of shares
    also a row with a single one that counts, as 1, 0, 0.
    """
    in_vain: set[Cell] = set()
    for cells in question.rows.values():
        typed = [cell for cell in cells if isinstance(values.get(cell), float)]
        if typed and _is_idle(question, typed, values):
            in_vain.update(typed)
    return frozenset(in_vain)


def constant(question: Question, values: Mapping[Cell, Number]) -> frozenset[Cell]:
    """The entries of rows with the same entry in all of three and more boxes, where some differ."""
    alike: set[Cell] = set()
    for cells in question.rows.values():
        typed = {values.get(cell) for cell in cells}
        right = {question.right(cell) for cell in cells}
        if len(cells) >= FEWEST and len(typed) == 1 < len(right):
            alike.update(cells)
    return frozenset(alike)


def _is_idle(question: Question, cells: Sequence[Cell], values: Mapping[Cell, Number]) -> bool:
    step = question.step(cells[0])
    slack = question.tolerance * unit(step) + NOISE
    tests = [_all_zero, _all_equal] + [_one_share] * is_share(step)
    own = [float(values[cell]) for cell in cells]
    right = [float(question.right(cell)) for cell in cells]
    return any(test(own, slack) and not test(right, slack) for test in tests)


def _all_zero(row: Collection[float], slack: float) -> bool:
    return max(map(abs, row)) <= slack


def _all_equal(row: Collection[float], slack: float) -> bool:
    return len(row) >= FEWEST and max(row) - min(row) <= 2 * slack


def _one_share(row: Collection[float], slack: float) -> bool:
    counting = [share for share in row if abs(share) > LEAST_SHARE - slack]
    return len(row) >= FEWEST and len(counting) <= 1
