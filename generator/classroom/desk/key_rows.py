"""The answer key: every asked number of every pupil, with the tolerance it is judged by.

Also here:

* The answer key of a class: a line for each asked cell of each pupil, to search and to filter.
* The check page for a teacher who walks round: one line per pupil, control values, usual slips.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from generator.checks.exercise import Answer
from generator.checks.verdict import unit
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.files.work_sheets import Pair
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.pupils.seats import Seat
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip
from generator.locales.catalogue import load
from generator.locales.locale import of_norm
from generator.notation.shown import shown_decimals
from generator.render.workbook.plain_table import Column, Figure, Line
from generator.render.workbook.plain_table import render as table
from generator.render.worksheet.teacher_pages import CheckLine, Control
from generator.render.worksheet.worksheet import PrintedSheet, planned
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.sheets.titles import placed, row_label, title

# Steps without a box of their own: another box holds the same number. Of gradients the one before
# the mask, which comes first on the way back, has the box.
REPEATED = re.compile(r"(?!grad\.)(?:.*\.)?(?:masked|from)|grad\..*\.scaled")


def answers(of: PupilSet) -> Iterator[Answer]:
    """All that a seat is asked on its sheets, in the order in which it is computed."""
    seat, lesson = of.seat, of.seat.lesson
    catalogue = of_norm(load(lesson.teachers.language), lesson.preset.norm_form)
    for sheet, page in of.pages.items():
        trace = page.both.trace
        for step, (name, i, j) in asked(trace, planned(sheet, trace, seat.options)):
            if REPEATED.fullmatch(name):
                continue
            number = step.values[i, j]
            yield Answer(
                code=seat.code,
                key=seat.key,
                sheet=SERIES[sheet].name,
                step=name,
                title=placed(catalogue, name),
                row=row_label(catalogue, step.rows[i]),
                column=step.columns[j],
                value=str(number) if step.text else float(number),
                decimals=None if step.text else shown_decimals(step),
                tolerance=None if step.text else unit(step),
            )


def asked(trace: Trace, plan: Plan) -> Iterator[tuple[Step, Cell]]:
    """The plan's asked cells with their steps, in the order of computation, row by row."""
    steps = trace.with_steps(plan.extra)
    order = order_of(trace, plan.extra)
    for cell in sorted(plan.asked, key=lambda one: (order[one[0]], one[1], one[2])):
        yield steps[cell[0]], cell


def order_of(trace: Trace, extra: Iterable[Step]) -> dict[str, tuple[int, int]]:
    """Each step's place; one that only the sheet has comes right after what it is made from."""
    order = {step.name: (place, 0) for place, step in enumerate(trace)}
    end = len(order)
    for number, step in enumerate(extra, start=1):
        latest = max((order[name][0] for name in step.inputs if name in order), default=end)
        order[step.name] = latest, number
    return order


def answer_key(lesson: Lesson, sets: Iterable[PupilSet]) -> bytes:
    """`answer-key.xlsx`: a line for each asked cell; memory does not grow with the class."""
    return render((one for of in sets for one in answers(of)), lesson.teachers.language)


COLUMNS = ("code", "id", "sheet", "step", "row", "column", "value", "tolerance", "address")
WIDTHS = (16, 14, 8, 38, 18, 12, 14, 12, 28)


def render(answers: Iterable[Answer], language: str) -> bytes:
    """`answer-key.xlsx`; memory does not grow with the class. Raises as `plain_table.render`."""
    t = load(language).t
    columns = [Column(t(f"class.key.{n}"), w) for n, w in zip(COLUMNS, WIDTHS, strict=True)]
    return table(
        t("class.key.title"),
        lambda number: t("class.key.tab", number=number),
        columns,
        map(_line, answers),
        language,
    )


def _line(one: Answer) -> Line:
    words = (one.code, one.key, one.sheet, one.title, one.row, one.column)
    return [*words, _entry(one, one.value), _entry(one, one.tolerance), one.step]


def _entry(answer: Answer, value: float | str | None) -> str | Figure:
    if value is None or isinstance(value, str):
        return value or ""
    return Figure(value, answer.decimals or 0)


MOST_CONTROLS = 6
# Steps in which nothing shows: they repeat the one before, end at 1 for everybody, or lead to one
# number that is a control itself.
DULL = re.compile(
    rf"{REPEATED.pattern}|(?:.*\.)?(?:cumulative|tick|deviations|(?:plain_)?squares|contribution\d+)|check\..*"
)
# Of positions the first numbers tell most: the cosines behind them are all near 1.
FROM_THE_FRONT = re.compile(r"(?:.*\.)?(?:position|input)")


class CheckedCell(NamedTuple):
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
        label = self.step.rows[i] if self.several else self.step.columns[j]
        return label if self.several or not label.isdecimal() else ""

    @property
    def row(self) -> str:
        """What its step calls the row."""
        return self.step.rows[self.cell[1]]


def check_line(seat: Seat, both: Pair, sheet: str) -> CheckLine:
    """One pupil's line: at most six control values, each with the numbers that usual slips give.

    Titles are in the teacher's language, numbers and tokens as the pupil writes them.
    """
    trace, lesson = both.trace, seat.lesson
    plan = planned(sheet, trace, seat.options)
    context = PrintedSheet(sheet, *both, seat.options, plan).view(blank=False)
    slips: dict[Cell, list[Slip]] = {}
    for slip in context.slips():
        slips.setdefault((slip.step, slip.i, slip.j), []).append(slip)
    looks = controls(trace, plan, list(slips))
    catalogue = of_norm(load(lesson.teachers.language), lesson.preset.norm_form)
    asking = {name for name, _, _ in plan.asked if not REPEATED.fullmatch(name)}
    counts = Counter(title(catalogue, name) for name in asking)

    def shown(look: CheckedCell) -> Control:
        name, i, j = look.cell
        # With its head or norm, where the sheet asks several of that title.
        one = title(catalogue, name)
        called = placed(catalogue, name) if counts[one] > 1 else one
        number = look.step.values[i, j]
        value = str(number) if look.step.text else context.show(name, float(number))
        wrong = {slip.key: context.show(name, slip.wrong) for slip in slips.get(look.cell, ())}
        return Control(called, look.label, value, wrong)

    values = tuple(_told_apart([shown(look) for look in looks], [look.row for look in looks]))
    own = trace.tokens[plan.own] if any(i == plan.own for _, i, _ in plan.asked) else ""
    return CheckLine(seat.code, seat.key, seat.name, plan.mark, own, values)


def _told_apart(shown: Sequence[Control], rows: Sequence[str]) -> Iterator[Control]:
    """The controls; those of two rows of a step that would be called the same with their row."""
    names = [(one.title, one.label) for one in shown]
    for one, name, row in zip(shown, names, rows, strict=True):
        twice = names.count(name) > 1
        yield one._replace(label=f"{row} · {one.label}") if twice else one


def controls(trace: Trace, plan: Plan, places: Sequence[Cell] = ()) -> list[CheckedCell]:
    """The cells to look at first: those where slips show, then of the last steps the last number.

    `places` are where slips show; one that is not asked is left out, as nobody gets it wrong.
    Whoever has the last numbers right has all before them right as well, or was lucky. Where there
    are few steps, they have several each, the later ones more.
    """
    known = frozenset([cell for cell in places if cell in plan.asked][:MOST_CONTROLS])
    steps = []
    for name, asked_cells in groupby(asked(trace, plan), key=lambda one: one[0].name):
        cells = list(asked_cells)
        looks = [CheckedCell(*one, several=len(cells) > 1) for one in cells]
        if not DULL.fullmatch(name) or _of(looks, known):
            steps.append(looks)
    others = [k for k, looks in enumerate(steps) if not _of(looks, known)]
    kept = frozenset(others[len(others) - min(len(others), MOST_CONTROLS - len(known)) :])
    steps = [looks for k, looks in enumerate(steps) if k in kept or k not in others]
    counts = [max(1, len(_of(looks, known))) for looks in steps]
    while sum(counts) < min(MOST_CONTROLS, sum(map(len, steps))):
        for k in reversed(range(len(steps))):
            counts[k] += counts[k] < len(steps[k]) and sum(counts) < MOST_CONTROLS
    return [look for some, n in zip(steps, counts, strict=True) for look in _best(some, n, known)]


def _of(looks: Sequence[CheckedCell], known: frozenset[Cell]) -> list[CheckedCell]:
    return [look for look in looks if look.cell in known]


def _best(looks: Sequence[CheckedCell], count: int, known: frozenset[Cell]) -> list[CheckedCell]:
    """So many of a step's cells, in order: those that are to be there, then the telling ones."""
    rest = [look for look in looks if look.cell not in known]
    if not FROM_THE_FRONT.fullmatch(looks[0].step.name):
        rest.reverse()
    chosen = [*_of(looks, known), *rest][:count]
    return [look for look in looks if look in chosen]
