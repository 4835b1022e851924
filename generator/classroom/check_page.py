"""The page to walk round with: a line a pupil, control values and what usual slips give."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from generator.classroom.key_rows import REPEATED, asked
from generator.classroom.lesson import Lesson, teachers
from generator.classroom.pupil_files import options_of, pair
from generator.classroom.seat_record import Record
from generator.classroom.seats import Seat
from generator.classroom.titles import title
from generator.classroom.work_sheets import Pair
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue, load
from generator.render.worksheet.teacher_pages import CheckLine, Control, check_pages
from generator.render.worksheet.worksheet import planned, view
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES

MOST_CONTROLS = 6
# Steps in which nothing shows: they repeat the one before, end at 1 for everybody, or lead to one
# number that is a control itself.
DULL = re.compile(
    rf"{REPEATED.pattern}|(?:.*\.)?(?:cumulative|tick|deviations|(?:plain_)?squares|contribution\d+)|check\..*"
)
# Of positions the first numbers tell most: the cosines behind them are all near 1.
FROM_THE_FRONT = re.compile(r"(?:.*\.)?(?:position|input)")


class Look(NamedTuple):
    """A cell to look at; `several` of its step are asked."""

    step: Step
    cell: Cell
    several: bool

    @property
    def label(self) -> str:
        """What tells the cell from others of its step: the column, in a lone column the row."""
        _, i, j = self.cell
        if len(self.step.columns) > 1:
            return self.step.columns[j]
        found = self.step.rows[i] if self.several else self.step.columns[j]
        return found if self.several or not found.isdecimal() else ""


def check_page(lesson: Lesson, seats: Iterable[tuple[Seat, Record]]) -> bytes:
    """`check.pdf` for these seats: a table for each sheet, in the language of the lesson."""
    pupils = [(seat, pair(lesson, seat, record)) for seat, record in seats]
    lines = {
        SERIES[sheet].name: [line(lesson, *one, sheet) for one in pupils] for sheet in lesson.filled
    }
    return check_pages(lines, teachers(lesson))


def line(lesson: Lesson, seat: Seat, both: Pair, sheet: str) -> CheckLine:
    """One pupil's line: at most six control values, and the number that each usual slip gives.

    Titles are in the teacher's language, numbers and tokens as the pupil writes them.
    """
    options = options_of(lesson, seat)
    plan = planned(sheet, both.trace, options)
    context = view(plan, *both, options, Formulas(), blank=False)
    own = both.trace.tokens[plan.own] if any(i == plan.own for _, i, _ in plan.asked) else ""
    slips = {slip.key: context.show(slip.step, slip.wrong) for slip in context.slips()}
    catalogue = load(teachers(lesson).language)
    shown = tuple(_control(context, catalogue, look) for look in controls(both.trace, plan))
    return CheckLine(seat.code, seat.key, seat.name, plan.mark, own, shown, slips)


def _control(context: Context, catalogue: Catalogue, look: Look) -> Control:
    name, i, j = look.cell
    found = look.step.values[i, j]
    value = str(found) if look.step.text else context.show(name, float(found))
    return Control(title(catalogue, name), look.label, value)


def controls(trace: Trace, plan: Plan) -> list[Look]:
    """The cells to look at first: of the last six asked steps the last number each.

    Whoever has these right has all before them right as well, or was lucky. Where there are fewer
    steps, they have several each, the later ones more.
    """
    steps = list(_steps(trace, plan))[-MOST_CONTROLS:]
    counts = [1] * len(steps)
    while sum(counts) < min(MOST_CONTROLS, sum(map(len, steps))):
        for k in reversed(range(len(steps))):
            counts[k] += counts[k] < len(steps[k]) and sum(counts) < MOST_CONTROLS
    return [look for some, n in zip(steps, counts, strict=True) for look in _best(some, n)]


def _steps(trace: Trace, plan: Plan) -> Iterator[list[Look]]:
    """The asked cells of each step that shows something."""
    for name, cells in groupby(asked(trace, plan), key=lambda one: one[0].name):
        found = list(cells)
        if not DULL.fullmatch(name):
            yield [Look(*one, several=len(found) > 1) for one in found]


def _best(looks: Sequence[Look], count: int) -> Sequence[Look]:
    first = FROM_THE_FRONT.fullmatch(looks[0].step.name)
    return looks[:count] if first else looks[-count:]
