"""The verdict on one entered cell, as an expression over the pupil's own cells.

Also here:

* Usual slips in such an expression, by the keys under which marking names them, too.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from generator.checks.exercise import Exercise, gathered
from generator.checks.usual_slips import TABLE, Changes
from generator.engine.expr import Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round, Text
from generator.engine.step import Cell
from generator.engine.trace import Step
from generator.notation.shown import shown_decimals

RIGHT, WRONG, NO_NUMBER, NOT_YET = 1, -1, -2, 0
GATE, TOLERANCE, WHEN = "check.gate", "check.tolerance", "check.when"
PAUSED = "check.paused"  # 1 while an experiment is on: its numbers are not those of the task
# Causes of a wrong entry (`grading.cause.<key>`), the first that gives its number is told. Each has
# a verdict of its own, WRONG − 1/16, WRONG − 2/16, …, whose whole part is WRONG.
KEYS = dict.fromkeys(chain(*TABLE["at_once"].values()))
CAUSES = {key: WRONG - k / 16 for k, key in enumerate(KEYS, start=1)}
NOISE = Num(1) / 1e9  # what the last bits of a sum may differ by


class When(NamedTuple):
    """The two words that do not mean "at once", as the setting of the judging has them."""

    block: str = "block"
    off: str = "off"


def verdict(exercise: Exercise, cell: Cell, gate: Ref, *, causes: bool = False) -> Expr:
    """1 right, -1 wrong, -2 not a number, 0 not yet; wrong with `causes` one of `CAUSES`, if any.

    Not yet: judging is off or pauses (`gate` is 0), the cell is blank, an entry or a result that
    the right answer needs is missing, or there is no right answer with the entries made so far.
    """
    step = exercise.trace[cell[0]]
    wrong = slips_in(exercise, cell) if causes else {}
    same = compared(step, cell, exercise.meaning(cell), wrong)
    answer: Expr = Fn.IF_ERROR(same, Num(NOT_YET))
    lacking = exercise.guard(cell)
    if not step.text:
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


def compared(step: Step, cell: Cell, expected: Expr, slips: Mapping[str, Expr] = {}) -> Expr:
    """1 where the entry in a cell of that step is what is expected, within the tolerance; else -1.

    Texts must be the same; a number may differ by the tolerance, in units of the last decimal. A
    wrong number that one of the `slips` gives has the verdict of this cause.
    """
    entry = Ref(*cell)
    if step.text:
        same: Expr = Fn.EXACT(entry, expected)
    else:
        decimals = _decimals(step)
        allowed = Ref(TOLERANCE, 0, 0) / 10.0**decimals + NOISE if decimals else NOISE
        same = Bin("<=", Fn.ABS(entry - expected), allowed)
    wrong: Expr = Num(WRONG)
    for key in reversed([key for key in CAUSES if key in slips]):
        away = Fn.IF_ERROR(Fn.ABS(entry - slips[key]), Num(1))
        wrong = If(Bin("<=", away, NOISE), Num(CAUSES[key]), wrong)
    return If(same, Num(RIGHT), wrong)


def slips_in(exercise: Exercise, cell: Cell) -> dict[str, Expr]:
    """What usual slips give in place of a number, by their keys in `CAUSES`."""
    step, meaning = exercise.trace[cell[0]], exercise.meaning(cell)
    if not (decimals := 0 if step.text else _decimals(step)):
        return {}
    changes = Changes(exercise, step, lambda e: e.yes)  # a number that is not hidden
    e = changes.taken(meaning)
    named = TABLE["at_once"].get(_last(changes, e), ())
    made = [*changes.others(e), *changes.operations(e)]
    return {
        "sign": Num(0) - meaning,
        "rounded_early": Round(meaning, decimals - 1),
        **{key: _within(meaning, slip) for key, slip in made if key in named},
    }


def _last(changes: Changes, e: Expr) -> str:
    """What a cell is computed by last, as the table of slips calls it."""
    match e:
        case Bin("/", _, Ref() as by):
            behind = changes.behind(by)
            return "/ sqrt" if isinstance(behind, Call) and behind.fn is Fn.SQRT else "/"
        case Call(fn):
            return fn.value
    return "dot" if isinstance(e, Dot) else ""


def _within(whole: Expr, part: Expr) -> Expr:
    """A part in place of what is rounded, or shown where a number is not hidden."""
    match whole:
        case Round(inner):
            return replace(whole, inner=_within(inner, part))
        case If(_, yes):
            return replace(whole, yes=_within(yes, part))
    return part
