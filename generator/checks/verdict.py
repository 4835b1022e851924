"""The verdict on one entered cell, as an expression over the pupil's own cells."""

from collections.abc import Collection
from typing import NamedTuple

from generator.checks.exercise import Exercise, gathered
from generator.engine.expr import Bin, Expr, Fn, If, Num, Ref, Text
from generator.engine.step import Cell
from generator.engine.trace import Step
from generator.notation.shown import shown_decimals

RIGHT, WRONG, NO_NUMBER, NOT_YET = 1, -1, -2, 0
GATE, TOLERANCE, WHEN = "check.gate", "check.tolerance", "check.when"
PAUSED = "check.paused"  # 1 while an experiment is on: its numbers are not those of the task
NOISE = Num(1) / 1e9  # what the last bits of a sum may differ by


class When(NamedTuple):
    """The two words that do not mean "at once", as the setting of the judging has them."""

    block: str = "block"
    off: str = "off"


def verdict(exercise: Exercise, cell: Cell, gate: Ref) -> Expr:
    """1 right, -1 wrong, -2 not a number, 0 not yet.

    Not yet: judging is off or pauses (`gate` is 0), the cell is blank, an entry or a result that
    the right answer needs is missing, or there is no right answer with the entries made so far.
    """
    same = compared(exercise.trace[cell[0]], cell, exercise.meaning(cell))
    answer: Expr = Fn.IF_ERROR(same, Num(NOT_YET))
    lacking = exercise.guard(cell)
    if not exercise.trace[cell[0]].text:
        number = Fn.COUNT_NUMBERS(*gathered([cell]))
        answer = If(Bin("=", number, Num(0)), Num(NO_NUMBER), answer)
    blank = Fn.COUNT_BLANK(*gathered([cell]))
    for reason in (Bin(">", lacking, Num(0)) if lacking else None, Bin(">", blank, Num(0))):
        answer = If(reason, Num(NOT_YET), answer) if reason else answer
    return If(Bin("=", gate, Num(0)), Num(NOT_YET), answer)


def gate(cells: Collection[Cell], when: When) -> Expr:
    """1 where the cells of a block are judged now, else 0.

    By the setting, by what is filled, and never while an experiment is on.
    """
    setting, areas = Ref(WHEN, 0, 0), gathered(cells)
    blank = Bin(">", Fn.COUNT_BLANK(*areas), Num(0))
    waits = If(Bin("=", setting, Text(when.block)), If(blank, Num(0), Num(1)), Num(1))
    judged = If(Bin("=", setting, Text(when.off)), Num(0), waits)
    return If(Bin(">", Ref(PAUSED, 0, 0), Num(0)), Num(0), judged)


def unit(step: Step) -> float:
    """One unit of the last decimal of an answer; 0 where it is copied or a whole number."""
    decimals = _decimals(step)
    return 10.0**-decimals if decimals else 0.0


def _decimals(step: Step) -> int:
    return shown_decimals(step) if step.op.precision == "rounded" else 0


def compared(step: Step, cell: Cell, expected: Expr) -> Expr:
    """1 where the entry in a cell of that step is what is expected, within the tolerance; else -1.

    Texts must be the same; a number may differ by the tolerance, in units of the last decimal.
    """
    entry = Ref(*cell)
    if step.text:
        same: Expr = Fn.EXACT(entry, expected)
    else:
        decimals = _decimals(step)
        allowed = Ref(TOLERANCE, 0, 0) / 10.0**decimals + NOISE if decimals else NOISE
        same = Bin("<=", Fn.ABS(entry - expected), allowed)
    return If(same, Num(RIGHT), Num(WRONG))
