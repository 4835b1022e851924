"""The papers of those who mark an exam: what is expected, the grades, who sits where, a table.

Also here:

* What usual slips cost by the marking rule: a paper with the slip, gone on with, is marked.
* What is expected of an exam, task by task: each version's numbers, answers in words, marks.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup, escape

from generator.classroom.files.pupil_files import exam_paper
from generator.classroom.files.work_sheets import WorkPage
from generator.classroom.numbers.lesson import teachers
from generator.classroom.pupils.seats import SeatRecord
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.exams import seating
from generator.grading.marking.marks import marked
from generator.grading.marking.question import Question
from generator.grading.marking.scheme import SCHEME, Scheme
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import Entries, Source
from generator.grading.reading.meant import Number
from generator.grading.results.tables import points_shown
from generator.grading.results.wording import step_titles
from generator.insight.slips import Slip
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import of_norm
from generator.notation.shown import number, shown_decimals
from generator.render.worksheet.pdf import document_css, to_pdf
from generator.render.worksheet.styles import style
from generator.render.worksheet.worksheet import environment, planned, view, worth_of
from generator.render.worksheet.worksheet import page as page_of
from generator.sheets.context import Context, typesetting
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.page_tree import inner, numbers, parsed
from generator.sheets.series import SERIES
from generator.sheets.slots import Filler
from generator.sheets.worth import TaskWorth, Worth
from generator.version import __version__

LINES = 20  # pupils on a page of the table for marking
MOST_COLUMNS = 22  # tasks side by side; above, a column is a sheet
ROWS = 7  # of seats on a page


class Grade(NamedTuple):
    """One line of the table of grades: the share and the points from which on it is given."""

    grade: str
    share: str
    points: str


class TakenSeat(NamedTuple):
    """Who sits somewhere: number and code, the version, the name where names are printed."""

    number: int
    code: str
    version: str
    name: str


def papers(batch: Batch, scheme: Scheme, width: int, names: Mapping[str, str]) -> dict[str, bytes]:
    """All papers for marking by their name in the batch's folder for the teacher."""
    options = replace(teachers(batch.lesson), header=batch.lesson.worksheet.header)
    catalogue = of_norm(load(options.language), batch.lesson.preset.norm_form)
    versions = _versions(batch)
    sheets = _sheets(batch, list(versions.values()))
    expectations = [expected(papers, catalogue) for papers in sheets]
    files = {SCHEME: toml(scheme)}
    content = _expectation(batch, scheme, sheets, expectations, versions, catalogue)
    files["expectation.pdf"] = _paper("expectation", options, catalogue, **content)
    files["seating.pdf"] = _paper("seating", options, catalogue, **_seating(batch, width, names))
    files["second-marking.pdf"] = _paper("marking", options, catalogue,
                                         **_table(batch, expectations, names))  # fmt: skip
    for letter, pages in versions.items() if batch.lesson.variation.groups else ():
        files[f"solution-{letter}.pdf"] = exam_paper(batch.lesson, pages, "solution")
    return files


def _versions(batch: Batch) -> dict[str, Mapping[str, WorkPage]]:
    """The pages of each version by its letter; where everybody has own numbers, the first ones."""
    first: dict[str, SeatRecord] = {}
    for record in batch.records.values():
        first.setdefault(record["group"], record)
    return {
        letter: {
            sheet: page._replace(options=_unnamed(page.options, letter))
            for sheet, page in batch.pages(record["code"]).items()
        }
        for letter, record in sorted(first.items())
    }


def _unnamed(options: SheetOptions, letter: str) -> SheetOptions:
    """The choices of a page that is nobody's own."""
    return replace(options, code=letter, pupil="", number=0, qr=False)


@dataclass(frozen=True)
class ExpectedPaper:
    """One version of one sheet: what its pages were made from."""

    sheet: str
    page: WorkPage

    @cached_property
    def worth(self) -> Worth:
        """What the paper says that each task and cell can give."""
        return worth_of(self.sheet, *self.page.both, self.page.options)

    def shown(self, cells: Sequence[Cell]) -> Markup:
        """The right contents of some cells, as the solution spells them; of ticks, where one is."""
        spelled = [Markup(self._filler.number(*cell)) for cell in cells]
        if {*spelled} <= {TICK, ""}:
            step = self._filler.trace[cells[0][0]]
            spelled = [
                escape(step.columns[j])
                for (_, _, j), one in zip(cells, spelled, strict=True)
                if one
            ]
        return Markup(NEXT).join(spelled)

    @cached_property
    def _filler(self) -> Filler:
        plan = planned(self.sheet, self.page.both.trace, self.page.options)
        steps = self.page.both.trace.with_steps(plan.extra)
        return Filler(steps, plan.asked, self.page.options.language, blank=False)

    @cached_property
    def answers(self) -> dict[int, Markup]:
        """The expected answers in words by the number of their task, as the solution has them."""
        plan = planned(self.sheet, self.page.both.trace, self.page.options)
        html = page_of(plan, *self.page.both, self.page.options, Formulas(), blank=False)
        tree = parsed(html)
        by_task: dict[int, Markup] = {}
        numbered, number = numbers(tree), 0
        for element in tree.iter("b", "p"):
            if element in numbered:
                number = int(element.text)
            elif number and element.get("class") == "answer text":
                by_task.setdefault(number, Markup(inner(element).strip()))
        return by_task


def _sheets(batch: Batch, versions: Sequence[Mapping[str, WorkPage]]) -> list[list[ExpectedPaper]]:
    return [
        [ExpectedPaper(sheet, pages[sheet]) for pages in versions] for sheet in batch.lesson.filled
    ]


class ExpectedStep(NamedTuple):
    """What is expected at one step of a task: its title, the content of each version, its marks.

    `boxes` are those to fill, 0 for words.
    """

    title: str
    versions: tuple[Markup, ...]
    marks: float
    boxes: int = 0


class ExpectedTask(NamedTuple):
    """One task of a sheet with its steps and the marks that stand beside it."""

    number: int
    marks: int
    steps: tuple[ExpectedStep, ...]


class ExpectedSheet(NamedTuple):
    """One sheet of the exam: its name and title, its tasks, its marks."""

    name: str
    title: str
    tasks: tuple[ExpectedTask, ...]
    marks: int


def _expectation(
    batch: Batch,
    scheme: Scheme,
    sheets: list[list[ExpectedPaper]],
    expectations: Sequence[ExpectedSheet],
    versions: Mapping[str, object],
    catalogue: Catalogue,
) -> dict[str, object]:
    total = sum(sheet.marks for sheet in expectations)
    slips = [list(costs(papers, scheme, catalogue)) for papers in sheets]
    return {
        "sheets": [(sheet, of) for sheet, of in zip(expectations, slips, strict=True)],
        "versions": [letter for letter in versions if letter],
        "total": total,
        "grades": list(_grades(scheme, total, catalogue)),
        "table": scheme.grades if isinstance(scheme.grades, str) else "own",
        "scheme": scheme,
        "minutes": batch.lesson.worksheet.exam,
        "shown": lambda value: points_shown(value, catalogue),
        "percent": lambda share: number(100 * share, 0, catalogue.language),
    }


def _grades(scheme: Scheme, total: int, catalogue: Catalogue) -> Iterator[Grade]:
    """The table of grades for so many points, the best grade first."""
    unit = 0.5 if scheme.half else 0.01
    for percent, grade in sorted(scheme.steps, reverse=True):
        points = math.ceil(round(percent * total / 100 / unit, 6)) * unit
        share = number(percent, None, catalogue.language)
        yield Grade(grade, share, points_shown(points, catalogue))


def _seating(batch: Batch, width: int, names: Mapping[str, str]) -> dict[str, object]:
    records = list(batch.records.values())
    groups = [record["group"] for record in records]
    places = seating.plan(groups, batch.lesson.variation.groups, width)
    taken = {
        place: TakenSeat(one["number"], one["code"], one["group"], names.get(one["code"], ""))
        for one, place in ((records[k], place) for k, place in places)
    }
    last = max(place.row for place in taken)
    rows = [
        [taken.get(seating.SeatPlace(row, seat)) for seat in range(width)]
        for row in range(last + 1)
    ]
    return {"pages": [rows[k : k + ROWS] for k in range(0, len(rows), ROWS)], "width": width}


def _table(
    batch: Batch, expectations: Sequence[ExpectedSheet], names: Mapping[str, str]
) -> dict[str, object]:
    columns: list[tuple[str, list[tuple[int | str, int]]]] = [
        (sheet.name, [(task.number, task.marks) for task in sheet.tasks]) for sheet in expectations
    ]
    if sum(len(tasks) for _, tasks in columns) > MOST_COLUMNS:
        columns = [(sheet.name, [("Σ", sheet.marks)]) for sheet in expectations]
    lines = [
        TakenSeat(one["number"], one["code"], one["group"], names.get(one["code"], ""))
        for one in batch.records.values()
    ]
    return {
        "columns": columns,
        "total": sum(sheet.marks for sheet in expectations),
        "pages": [lines[k : k + LINES] for k in range(0, len(lines), LINES)],
    }


def _paper(name: str, options: SheetOptions, catalogue: Catalogue, **content: object) -> bytes:
    template = environment().get_template(f"exam-{name}.html.j2")
    html = template.render(t=catalogue.t, options=options, version=__version__, **content)
    css = (document_css(), style(), style("class.css"), style("exam.css"))
    return to_pdf(html, css, Formulas(), where=f"{name} of the exam")


def toml(scheme: Scheme) -> bytes:
    """A scheme as the file that `paperformer grade` reads."""
    lines = ["# How this exam is marked; `paperformer grade` reads it. Points stand on the paper.",
             f"half = {str(scheme.half).lower()}", f"tolerance = {scheme.tolerance}"]  # fmt: skip
    if isinstance(scheme.grades, str):
        lines.append(f'grades = "{scheme.grades}"')
    else:
        steps = (
            f"{{ grade = {json.dumps(step.grade)}, from = {step.percent:g} }}"
            for step in scheme.grades
        )
        lines.append(f"grades = [{', '.join(steps)}]")
    credit = (f"{name} = {share:g}" for name, share in scheme.credit)
    return "\n".join([*lines, "[credit]", *credit, ""]).encode()


class Cost(NamedTuple):
    """A slip in words: where it shows, its wrong number and the right one in each version.

    `marks` is what it costs in a box in which it is made, `boxes` in how many of the row it may be.
    What is carried on from there is not in it: a scheme may credit a share of that only.
    """

    slip: str
    place: str
    numbers: tuple[tuple[str, str], ...]
    marks: float
    boxes: int


def costs(papers: Sequence[ExpectedPaper], scheme: Scheme, catalogue: Catalogue) -> Iterator[Cost]:
    """The slips of a sheet that show in one of its boxes; of versions the one that costs most."""
    slips_of = [_slips(paper) for paper in papers]
    first = papers[0]
    for key, slip in slips_of[0].items():
        cell = slip.step, slip.i, slip.j
        if cell in first.worth.cells and all(key in others for others in slips_of):
            shown = _view(first)
            yield Cost(
                typesetting(catalogue)(f"sheet{shown.plan.sheet}.slip.{key}"),
                shown.place(slip),
                tuple(_numbers(paper, of[key]) for paper, of in zip(papers, slips_of, strict=True)),
                max(
                    _lost(paper, of[key], scheme)
                    for paper, of in zip(papers, slips_of, strict=True)
                ),
                sum(other[:2] == cell[:2] for other in first.worth.cells),
            )


def _slips(paper: ExpectedPaper) -> dict[str, Slip]:
    return {slip.key: slip for slip in _view(paper).slips()}


def _view(paper: ExpectedPaper) -> Context:
    plan = planned(paper.sheet, paper.page.both.trace, paper.page.options)
    return view(plan, *paper.page.both, paper.page.options, Formulas(), blank=False)


def _numbers(paper: ExpectedPaper, slip: Slip) -> tuple[str, str]:
    shown = _view(paper)
    right = shown.trace[slip.step].values[slip.i, slip.j]
    return shown.show(slip.step, slip.wrong), shown.show(slip.step, float(right))


def _lost(paper: ExpectedPaper, slip: Slip, scheme: Scheme) -> float:
    """The marks that the box loses in which somebody makes the slip, and goes on correctly."""
    sheet, trace = SERIES[paper.sheet].name, paper.page.both.trace
    plan = planned(paper.sheet, trace, paper.page.options)
    question = Question(sheet, trace, plan, scheme.tolerance)
    typed = dict(_entries(question, paper, slip))
    source = Source("", "", None, None, (sheet,), paper.page.options.level)
    entries = Entries(source, typed, {}, None)
    full = scheme.credit.model_copy(update={"carried": 1.0})
    credit = scheme.model_copy(update={"credit": full})
    task = marked([question], entries, credit, worth={sheet: paper.worth}).tasks[0]
    return math.fsum((1 - mark.credit) * paper.worth.cells[mark.cell] for mark in task.marks)


def _entries(question: Question, paper: ExpectedPaper, slip: Slip) -> Iterator[tuple[Cell, Number]]:
    """What stands in the boxes: the slip's number, before it what is right, then what follows."""
    known: dict[Cell, Number] = {}
    for cell in question.cells:
        follows = question.value(cell, question.arrays(known)) if known else None
        value = question.right(cell) if follows is None else follows
        if cell == (slip.step, slip.i, slip.j):
            value = guarded_number(slip.wrong, shown_decimals(question.step(cell)))
        known[cell] = value
        if cell in paper.worth.cells:
            yield cell, value


TICK = "✓"
NEXT = " | "  # between numbers of a row; a comma is a decimal sign in some languages


def expected(papers: Sequence[ExpectedPaper], catalogue: Catalogue) -> ExpectedSheet:
    """What is expected of one sheet in each of its versions."""
    first = papers[0]
    tasks = tuple(_task(papers, task, catalogue) for task in first.worth.tasks)
    sheet = SERIES[first.sheet]
    return ExpectedSheet(sheet.name, catalogue.t(sheet.title), tasks, first.worth.marks)


def _task(papers: Sequence[ExpectedPaper], task: TaskWorth, catalogue: Catalogue) -> ExpectedTask:
    steps = [*_steps(papers, task, catalogue)]
    if task.by_hand:
        words = tuple(paper.answers.get(task.number, Markup("")) for paper in papers)
        steps.append(ExpectedStep(catalogue.t("exam.words"), words, task.by_hand))
    return ExpectedTask(task.number, task.marks, tuple(steps))


def _steps(
    papers: Sequence[ExpectedPaper], task: TaskWorth, catalogue: Catalogue
) -> Iterator[ExpectedStep]:
    by_step: dict[str, list[Cell]] = {}
    for cell in task.cells:
        by_step.setdefault(cell[0], []).append(cell)
    titles = step_titles(catalogue, by_step)
    worth = papers[0].worth.cells
    for name, cells in by_step.items():
        marks = sum(worth[cell] for cell in cells)
        shown = tuple(paper.shown(cells) for paper in papers)
        yield ExpectedStep(titles[name], shown, marks, len(cells))
