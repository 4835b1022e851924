"""The papers of those who mark an exam: what is expected, the grades, who sits where, a table.

Also here:

* Who sits where: versions along the rows, so that nobody has a neighbour's numbers. Pupils are
  seated in the order of the list, row by row. Beside each other versions follow one another; each
  row begins with another one than the row in front.
* What usual slips cost by the marking rule: a paper with the slip, gone on with, is marked.
* What is expected of an exam, task by task: each version's numbers, answers in words, marks.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

from generator.classroom.files.pupil_files import exam_paper
from generator.classroom.files.work_sheets import WorkPage
from generator.classroom.pupils.roster import Entry, Pupil
from generator.classroom.pupils.seats import Rows, SeatRecord
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.errors import require
from generator.grading.marking.marks import task_marks
from generator.grading.marking.question import Question
from generator.grading.marking.scheme import SCHEME, Scheme
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import Number
from generator.grading.results.tables import ResultWords
from generator.insight.slips import Slip
from generator.notation.shown import number
from generator.render.worksheet.pdf import PdfDocument, class_css
from generator.render.worksheet.worksheet import PrintedSheet, environment
from generator.sheets.context import Context, typesetting
from generator.sheets.options import SheetOptions
from generator.sheets.page_tree import inner, numbers, parsed
from generator.sheets.series import SERIES
from generator.sheets.slots import Filler
from generator.sheets.titles import LETTERS
from generator.sheets.worth import TaskWorth, Worth
from generator.version import __version__

LINES: Final = 20  # pupils on a page of the table for marking
MOST_COLUMNS: Final = 22  # tasks side by side; above, a column is a sheet
ROWS: Final = 7  # of seats on a page
TICK: Final = "✓"
NEXT: Final = " | "  # between numbers of a row; a comma is a decimal sign in some languages


@dataclass(frozen=True)
class ExamPapers:
    """All papers for marking an exam; `width` is how many sit side by side.

    `names` by code are empty where none are printed.
    """

    batch: Batch
    scheme: Scheme
    width: int
    names: Mapping[str, str]

    def files(self) -> dict[str, bytes]:
        """The papers by their name in the batch's folder for the teacher."""
        lesson = self.batch.lesson
        files = {SCHEME: toml(self.scheme, self._words.t("exam.scheme"))}
        files["expectation.pdf"] = self._paper("expectation", self._expectation())
        files["seating.pdf"] = self._paper("seating", self._seating())
        files["second-marking.pdf"] = self._paper("marking", self._table())
        for letter, pages in self._versions.items() if lesson.variation.groups else ():
            files[f"solution-{letter}.pdf"] = exam_paper(pages, "solution")
        return files

    @cached_property
    def _options(self) -> SheetOptions:
        lesson = self.batch.lesson
        return replace(lesson.teachers, header=lesson.worksheet.header)

    @cached_property
    def _words(self) -> ResultWords:
        return ResultWords(self._options.language, self.batch.lesson.preset.norm_form)

    @cached_property
    def _versions(self) -> dict[str, dict[str, WorkPage]]:
        """The pages of each version by its letter, nobody's own; of own numbers the first ones."""
        first: dict[str, SeatRecord] = {}
        for record in self.batch.records.values():
            first.setdefault(record.group, record)
        return {
            letter: {
                sheet: page._replace(
                    options=replace(page.options, code=letter, pupil="", number=0, qr=False)
                )
                for sheet, page in self.batch.seat(record.code).pages.items()
            }
            for letter, record in sorted(first.items())
        }

    @cached_property
    def _sheets(self) -> list["ExpectedSheet"]:
        return [
            ExpectedSheet(
                [ExpectedPaper(sheet, pages[sheet]) for pages in self._versions.values()],
                self._words,
            )
            for sheet in self.batch.lesson.filled
        ]

    @cached_property
    def _total(self) -> int:
        return sum(sheet.marks for sheet in self._sheets)

    def _paper(self, name: str, content: Mapping[str, object]) -> bytes:
        template = environment().get_template(f"exam-{name}.html.j2")
        given = {"t": self._words.t, "options": self._options, "version": __version__}
        html, where = template.render(**given, **content), f"{name} of the exam"
        return PdfDocument(html, class_css("expected.css", "exam.css"), where=where).to_pdf()

    def _expectation(self) -> dict[str, object]:
        scheme, language = self.scheme, self._words.language
        return {
            "sheets": [(sheet, list(sheet.costs(scheme))) for sheet in self._sheets],
            "versions": [letter for letter in self._versions if letter],
            "total": self._total,
            "grades": list(grades(scheme, self._total, self._words)),
            "table": scheme.grades if isinstance(scheme.grades, str) else "own",
            "scheme": scheme,
            "minutes": self.batch.lesson.worksheet.exam,
            "shown": self._words.points,
            "percent": lambda share: number(100 * share, 0, language),
        }

    def _seating(self) -> dict[str, object]:
        seats = [self._seat(record) for record in self.batch.records.values()]
        groups = [str(seat["version"]) for seat in seats]
        places = seated(groups, self.batch.lesson.variation.groups, self.width)
        taken = {place: seats[k] for k, place in places}
        last = max(place.row for place in taken)
        rows = [
            [taken.get(SeatPlace(row, seat)) for seat in range(self.width)]
            for row in range(last + 1)
        ]
        return {"pages": [rows[k : k + ROWS] for k in range(0, len(rows), ROWS)]}

    def _table(self) -> dict[str, object]:
        columns: list[tuple[str, list[tuple[int | str, int]]]] = [
            (sheet.name, [(task["number"], task["marks"]) for task in sheet.tasks])
            for sheet in self._sheets
        ]
        if sum(len(tasks) for _, tasks in columns) > MOST_COLUMNS:
            columns = [(sheet.name, [("Σ", sheet.marks)]) for sheet in self._sheets]
        lines = [self._seat(record) for record in self.batch.records.values()]
        pages = [lines[k : k + LINES] for k in range(0, len(lines), LINES)]
        return {"columns": columns, "total": self._total, "pages": pages}

    def _seat(self, record: SeatRecord) -> dict[str, object]:
        """Who sits somewhere: number and code, the version, the name where names are printed."""
        code = record.code
        name = self.names.get(code, "")
        return {"number": record.number, "code": code, "version": record.group, "name": name}


def grades(scheme: Scheme, total: int, words: ResultWords) -> Iterator[dict[str, str]]:
    """The table of grades for so many points, the best first: share and points of each."""
    unit = 0.5 if scheme.half else 0.01
    for percent, grade in sorted(scheme.steps, reverse=True):
        points = math.ceil(round(percent * total / 100 / unit, 6)) * unit
        share = number(percent, None, words.language)
        yield {"grade": grade, "share": share, "points": words.points(points)}


def toml(scheme: Scheme, head: str) -> bytes:
    """A scheme as the file that `paperformer grade` reads, with a line that says what it is."""
    lines = [f"# {head}", f"half = {str(scheme.half).lower()}", f"tolerance = {scheme.tolerance}"]
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


IN_WORDS = "//p[@class='answer text'] | //span[starts-with(@class, 'named')]/span"


@dataclass(frozen=True)
class ExpectedPaper:
    """One version of one sheet: what its pages were made from."""

    sheet: str
    page: WorkPage

    @cached_property
    def worth(self) -> Worth:
        """What the paper says that each task and cell can give."""
        return self._printed.worth

    @cached_property
    def view(self) -> Context:
        """What the page's template may ask."""
        return self._printed.view(blank=False)

    @cached_property
    def slips(self) -> dict[str, Slip]:
        """The slips that its page for teachers lists, by key."""
        return {slip.key: slip for slip in self.view.slips()}

    @cached_property
    def _printed(self) -> PrintedSheet:
        return self.page.of(self.sheet)

    @cached_property
    def _filler(self) -> Filler:
        steps = self.page.both.trace.with_steps(self._printed.plan.extra)
        return Filler(steps, self._printed.plan.asked, self.page.options.language, blank=False)

    def shown(self, cells: Sequence[Cell]) -> Markup:
        """The right contents of some cells, as the solution spells them; of ticks, where one is."""
        spelled = [Markup(self._filler.number(*cell)) for cell in cells]
        if {*spelled} <= {TICK, ""}:
            step = self._filler.trace[cells[0][0]]
            ticked = [j for (_, _, j), one in zip(cells, spelled, strict=True) if one]
            spelled = [escape(step.columns[j]) for j in ticked]
        return Markup(NEXT).join(spelled)

    @cached_property
    def answers(self) -> dict[int, Markup]:
        """The expected answers in words by the number of their task, as the solution has them."""
        tree = parsed(self._printed.page(blank=False))
        by_task: dict[int, Markup] = {}
        numbered, number = numbers(tree), 0
        for element in tree.xpath(f"//b | {IN_WORDS}"):
            if element in numbered:
                number = int(element.text)
            elif number and element.tag != "b":
                by_task.setdefault(number, Markup(inner(element).strip()))
        return by_task

    def numbers(self, slip: Slip) -> tuple[str, str]:
        """A slip's number and the right one, as the sheet shows them."""
        right = self.view.trace[slip.step].values[slip.i, slip.j]
        return self.view.show(slip.step, slip.wrong), self.view.show(slip.step, float(right))

    def lost(self, slip: Slip, scheme: Scheme) -> float:
        """The marks that the box loses in which somebody makes the slip, and goes on correctly."""
        full = scheme.credit.model_copy(update={"carried": 1.0})
        forgiving = scheme.model_copy(update={"credit": full})
        question = Question("", self.page.both.trace, self._printed.plan, forgiving)
        task = task_marks(question, dict(self._entries(question, slip)), worth=self.worth)
        return math.fsum((1 - mark.credit) * self.worth.cells[mark.cell] for mark in task.marks)

    def _entries(self, question: Question, slip: Slip) -> Iterator[tuple[Cell, Number]]:
        """What stands in the boxes: before the slip's number what is right, then what follows."""
        known: dict[Cell, Number] = {}
        for cell in question.cells:
            box = question.boxes[cell]
            follows = question.numbers(known).value(box) if known else None
            known[cell] = box.right if follows is None else follows
            if cell == (slip.step, slip.i, slip.j):
                known[cell] = guarded_number(slip.wrong, box.decimals)
            if cell in self.worth.cells:
                yield cell, known[cell]


@dataclass(frozen=True)
class ExpectedSheet:
    """One sheet of the exam in each of its versions, of which the first says what it gives."""

    papers: Sequence[ExpectedPaper]
    words: ResultWords

    @property
    def name(self) -> str:
        """What it is called."""
        return SERIES[self.papers[0].sheet].name

    @property
    def title(self) -> str:
        """Its heading."""
        return self.words.t(SERIES[self.papers[0].sheet].title)

    @property
    def worth(self) -> Worth:
        """What its tasks and cells give."""
        return self.papers[0].worth

    @property
    def marks(self) -> int:
        """What all of it gives."""
        return self.worth.marks

    @cached_property
    def tasks(self) -> list[dict[str, Any]]:
        """Its tasks with their steps and the marks that stand beside them."""
        return [
            {"number": task.number, "marks": task.marks, "steps": list(self._steps(task))}
            for task in self.worth.tasks
        ]

    def _steps(self, task: TaskWorth) -> Iterator[dict[str, object]]:
        """A step's title, the content of each version, its marks; how many boxes, 0 for words."""
        by_step: dict[str, list[Cell]] = {}
        for cell in task.cells:
            by_step.setdefault(cell[0], []).append(cell)
        for name, title in self.words.step_titles(by_step).items():
            cells = by_step[name]
            yield {
                "title": title,
                "versions": [paper.shown(cells) for paper in self.papers],
                "marks": sum(self.worth.cells[cell] for cell in cells),
                "boxes": len(cells),
            }
        if task.by_hand:
            answers = [paper.answers.get(task.number, Markup("")) for paper in self.papers]
            words = {"title": self.words.t("exam.words"), "versions": answers}
            yield {**words, "marks": task.by_hand, "boxes": 0}

    def costs(self, scheme: Scheme) -> Iterator[dict[str, Any]]:
        """The slips that show in one of its boxes: of versions the one that costs most.

        `marks` is what a slip costs in a box in which it is made, `boxes` in how many of the row it
        may be. What is carried on from there is not in it: a scheme may credit a share of that.
        """
        first = self.papers[0]
        for key, slip in first.slips.items():
            cell = slip.step, slip.i, slip.j
            if cell in self.worth.cells and all(key in paper.slips for paper in self.papers):
                named = typesetting(self.words.catalogue)
                yield {
                    "slip": named(f"sheet{first.view.plan.sheet}.slip.{key}"),
                    "place": first.view.place(slip),
                    "numbers": [paper.numbers(paper.slips[key]) for paper in self.papers],
                    "marks": max(paper.lost(paper.slips[key], scheme) for paper in self.papers),
                    "boxes": sum(other[:2] == cell[:2] for other in self.worth.cells),
                }


ROW = 6  # seats side by side
DIAGONAL = 4  # from so many versions on, those who sit diagonally differ, too


class SeatPlace(NamedTuple):
    """A seat of the room: its row from the front and its place in the row, both from 0."""

    row: int
    seat: int


def version_at(place: SeatPlace, versions: int) -> int:
    """Which version lies there, from 0."""
    step = 2 if versions >= DIAGONAL else 1
    return (place.seat + step * place.row) % versions


def in_versions(rows: Rows, versions: int, width: int) -> Rows:
    """The class list with a version for each pupil who has none in the list; as it is without any.

    A version depends on the pupil's number in the list, so that late joiners change nobody's.
    """
    if not versions:
        return rows

    def seated() -> Iterator[Entry]:
        for row in rows():
            if isinstance(row, Pupil) and row.group is None:
                place = SeatPlace(*divmod(row.number - 1, width))
                row = row._replace(group=LETTERS[version_at(place, versions)])
            yield row

    return seated


def seated(groups: Sequence[str], versions: int, width: int) -> list[tuple[int, SeatPlace]]:
    """A place for each of the pupils, who have these versions: pairs of pupil and place.

    A seat is left free where nobody with its version is left.
    """
    if not versions:
        return [(k, SeatPlace(*divmod(k, width))) for k in range(len(groups))]
    letters = LETTERS[:versions]
    waiting = {one: iter([k for k, g in enumerate(groups) if g == one]) for one in letters}
    placed: list[tuple[int, SeatPlace]] = []
    seat = 0
    while len(placed) < len(groups):
        place = SeatPlace(*divmod(seat, width))
        pupil = next(waiting[letters[version_at(place, versions)]], None)
        placed += [] if pupil is None else [(pupil, place)]
        seat += 1
    return placed


def versions_of(names: Sequence[str]) -> int:
    """How many versions are asked for by their letters; `UserError` for other than A, B, …"""
    letters = [name.strip().upper() for name in names]
    lettered = 2 <= len(letters) <= len(LETTERS) and letters == list(LETTERS[: len(letters)])
    require(lettered, "exam.versions", names=",".join(names))
    return len(letters)
