"""The answer key: every asked number of every pupil, with the tolerance it is judged by.

Also here:

* The answer key of a class: a line for each asked cell of each pupil, to search and to filter.
"""

import re
from collections.abc import Iterable, Iterator

from generator.checks.exercise import Answer
from generator.checks.verdict import unit
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.numbers.lesson import Lesson, teachers
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import load
from generator.locales.locale import of_norm
from generator.notation.shown import shown_decimals
from generator.render.workbook.plain_table import Column, Figure, Line
from generator.render.workbook.plain_table import render as table
from generator.render.worksheet.worksheet import planned
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.sheets.titles import placed, row_label

# Steps without a box of their own: another box holds the same number. Of gradients the one before
# the mask, which comes first on the way back, has the box.
REPEATED = re.compile(r"(?!grad\.)(?:.*\.)?(?:masked|from)|grad\..*\.scaled")


def answers(of: PupilSet) -> Iterator[Answer]:
    """All that a seat is asked on its sheets, in the order in which it is computed."""
    seat, lesson = of.seat, of.seat.lesson
    catalogue = of_norm(load(teachers(lesson).language), lesson.preset.norm_form)
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
    return render((one for of in sets for one in answers(of)), teachers(lesson).language)


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
