"""The page to walk round with: a line a pupil, control values and what usual slips give."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from generator.classroom.desk import options_of, pair
from generator.classroom.key import asked
from generator.classroom.leaves import Pair
from generator.classroom.lesson import Lesson, teachers
from generator.classroom.record import Record
from generator.classroom.seats import Seat
from generator.engine.trace import Step, Trace
from generator.plans.plan import Cell, Plan
from generator.render.worksheet.class_papers import CheckLine, Control, check_pages
from generator.text.catalogue import Catalogue, step_place

MOST_CONTROLS = 6
COPIES = ("masked",)  # steps that repeat the one before them


def check_page(lesson: Lesson, seats: Iterable[tuple[Seat, Record]]) -> bytes:
    """`check.pdf` for these seats: a table for each sheet, in the language of the lesson."""
    pupils = [(seat, pair(lesson, seat, record)) for seat, record in seats]
    lines = {sheet: [line(lesson, *one, sheet) for one in pupils] for sheet in lesson.sheets}
    return check_pages(lines, teachers(lesson))


def line(lesson: Lesson, seat: Seat, both: Pair, sheet: str) -> CheckLine:
    """One pupil's line: at most six control values, and the number that each usual slip gives."""
    from generator.render.worksheet.maths import Formulas
    from generator.render.worksheet.sheet import planned, view

    options = options_of(lesson, seat)
    plan = planned(sheet, both.trace, options)
    context = view(plan, *both, options, Formulas(), blank=False)
    own = both.trace.tokens[plan.own] if any(i == plan.own for _, i, _ in plan.asked) else ""
    slips = {slip.key: context.show(slip.step, slip.wrong) for slip in context.slips()}
    shown = tuple(
        Control(
            _title(context.catalogue, step.name),
            step.columns[cell[2]],
            context.show(step.name, float(step.values[cell[1:]])),
        )
        for step, cell in controls(both.trace, plan)
    )
    return CheckLine(seat.code, seat.key, seat.name, own, shown, slips)


def _title(catalogue: Catalogue, name: str) -> str:
    """The title of a step; a step that only a sheet has goes without."""
    return catalogue.phrases.get(f"step.{step_place(name)[2]}", "")


def controls(trace: Trace, plan: Plan) -> list[tuple[Step, Cell]]:
    """The cells to look at first: the last number of each asked step, of the last six steps.

    Whoever has these right has all before them right as well, or was lucky.
    """
    found = list(_last_of_steps(trace, plan))
    return found[-MOST_CONTROLS:]


def _last_of_steps(trace: Trace, plan: Plan) -> Iterator[tuple[Step, Cell]]:
    for name, cells in groupby(asked(trace, plan), key=lambda one: one[0].name):
        step, cell = list(cells)[-1]
        if not step.text and name.rpartition(".")[2] not in COPIES:
            yield step, cell
