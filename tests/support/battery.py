"""What must hold of every worksheet: no leak, right cells, the declared counts, nothing cut off."""

from dataclasses import replace

import numpy as np

from generator.classroom.desk.key_rows import REPEATED
from generator.engine.trace import Trace
from generator.notation.shown import number, shown_decimals
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.worksheet import planned
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.plan import MOST_NUMBERS, Plan
from tests.support.sheets import Cells, both, html, pictures
from tests.support.views import page

ANSWER = np.array([0x1D, 0x3F, 0xB0])
STRUCK = ("5",)  # pupils strike out what is printed
LIGHT = {  # numbers that are light to compute, and those of four groups and their board together
    "5": {1: 16, 2: 39, 3: 58},
    "7d": {1: 38, 2: 100, 3: 100},
}


def blank_is_solution_without_answers(
    sheet: str,
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    least: int = 300,
    teacher: int = 1,
) -> None:
    """Page by page to the pixel: where they differ the blank is white, the solution in blue.

    What is struck out lies under the answer's line: it is the blank with blue on it.
    """
    blank, solution = map(pictures, both(trace, exact, options, sheet))
    assert len(solution) == len(blank) + teacher, "the solution ends with the teacher's page"
    changed = 0
    for empty, solved in zip(blank, solution, strict=False):
        differs = (empty != solved).any(axis=2)
        changed += int(differs.sum())
        on_white = (empty[differs] > 250).all(axis=1)
        assert sheet in STRUCK or on_white.all(), "an answer stands where the blank has ink"
        assert_blend(solved[differs][on_white].astype(float))
        assert_over(empty[differs][~on_white].astype(float), solved[differs][~on_white])
    assert changed > least, "the solution shows no answers"


def assert_blend(pixels: np.ndarray) -> None:
    """Every pixel lies between white and the answers' colour."""
    if not len(pixels):
        return
    share = (255 - pixels[:, 0]) / (255 - ANSWER[0])
    expected = 255 - share[:, None] * (255 - ANSWER)
    assert np.abs(pixels - expected).max() <= 6, "something else than an answer differs"


def assert_over(below: np.ndarray, pixels: np.ndarray) -> None:
    """Every pixel lies between the blank's and the answers' colour."""
    way = ANSWER - below
    share = ((pixels - below) * way).sum(axis=1) / (way * way).sum(axis=1).clip(1)
    found = below + share.clip(0, 1)[:, None] * way
    assert not len(below) or np.abs(pixels - found).max() <= 12, "printed ink is changed"


def blank_does_not_hang_on_answers(
    sheet: str, trace: Trace, exact: Trace, options: SheetOptions
) -> None:
    """Other numbers in all asked cells give the same blank, and another solution.

    In the same order or turned round. What a preset itself says of its model is no answer.
    """
    trace = replace(trace, preset=replace(trace.preset, behaviour=()))
    plan = planned(sheet, trace, options)
    whole = trace.with_steps(plan.extra)
    other, turned = (tampered(whole, plan, 0.37, turn) for turn in (1, -1))
    blank, *others = (
        _page(plan, one, exact, options, blank=True) for one in (whole, other, turned)
    )
    assert others == [blank, blank]
    solutions = {_page(plan, one, exact, options, blank=False) for one in (whole, other)}
    assert len(solutions) == 2


def _page(plan: Plan, trace: Trace, exact: Trace, options: SheetOptions, *, blank: bool) -> str:
    """The sheet's HTML; the extra steps are those of the trace, which may be tampered with."""
    return page(_with_extra_of(plan, trace), trace, exact, options, Formulas(), blank=blank)


def _with_extra_of(plan: Plan, trace: Trace) -> Plan:
    return replace(plan, extra=tuple(trace[step.name] for step in plan.extra))


def cells_are_the_traces(
    sheet: str, trace: Trace, exact: Trace, options: SheetOptions, least: int = 20
) -> None:
    """Every cell of the solution is the Trace's; in the blank the asked ones are empty."""
    plan = planned(sheet, trace, options)
    whole = trace.with_steps(plan.extra)
    solved = Cells(html(trace, exact, options, blank=False, sheet=sheet)).found
    empty = Cells(html(trace, exact, options, blank=True, sheet=sheet)).found
    assert len(solved) >= len(empty) >= least
    for (name, i, j), _, shown in solved:
        step = whole[name]
        value = step.values[i, j]
        decimals = shown_decimals(step)
        want = str(value) if step.text else number(value, decimals, options.language)
        assert shown == want, (name, i, j)
    for cell, _, shown in empty:
        assert (shown == "") == (cell in plan.asked), cell


def boxes(sheet: str, trace: Trace, exact: Trace, options: SheetOptions) -> int:
    """How many different cells the blank has boxes for: each one of the plan's, and no other.

    Without those of steps that repeat another one, which share its box.
    """
    found = Cells(html(trace, exact, options, blank=True, sheet=sheet)).found
    boxed = {cell for cell, ask, _ in found if ask}
    asked = planned(sheet, trace, options).asked
    assert boxed <= asked
    printed = {cell for cell, _, _ in found}  # those to tick stand in no box
    assert {cell for cell in asked if not REPEATED.fullmatch(cell[0])} <= printed
    return len(boxed)


def most_boxes(sheet: str, level: int) -> int:
    """How many boxes a sheet of a level may have."""
    return LIGHT.get(sheet, MOST_NUMBERS)[level]
