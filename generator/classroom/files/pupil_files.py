"""Makes one seat's files: its individual numbers, its work leaves, its exercise workbook."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.classroom.files.pool import FAILURES
from generator.classroom.files.store import sha256
from generator.classroom.files.work_sheets import Pair, Taken, WorkPage, leaf, others
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import Assignment, assign
from generator.classroom.pupils.seats import Own, Seat, SeatRecord, own_of, task_of, tasks_of
from generator.locales.catalogue import load
from generator.render.owner import Owner, batch_mark
from generator.render.workbook import exercise
from generator.render.workbook.sheet_tabs import played
from generator.render.worksheet.booklet import booklet
from generator.render.worksheet.worksheet import render
from generator.sheets.fonts import require_glyphs
from generator.sheets.options import KINDS, SheetOptions
from generator.sheets.series import FILLABLE, SERIES, in_workbook

HAND_OUT = "hand-out"
EXAM = "exam.pdf"


@dataclass(frozen=True)
class Work:
    """What one task is about: some seats of a lesson; `taken` are the tokens that the class has."""

    lesson: Lesson
    seats: tuple[Seat, ...]
    taken: Taken


class PupilFiles(NamedTuple):
    """One seat's record and files, or the problem that kept them from being made."""

    seat: Seat
    record: SeatRecord | None
    files: dict[str, bytes]
    problem: str = ""


def make(work: Work) -> list[PupilFiles]:
    """The files of each seat of a task; nothing is written.

    What depends on this computer, its clock or the other seats has no part in it, so that a task
    may run anywhere and twice.
    """
    lesson, made = work.lesson, []
    for seat in work.seats:
        try:
            if set(KINDS) & set(lesson.outputs):  # else index and check page could not be set
                require_glyphs(seat.key, "the id")
            record = _record(lesson, seat, work.taken)
            files = dict(files_of(lesson, seat, record))
        except FAILURES as error:
            made.append(PupilFiles(seat, None, {}, str(error)))
        else:
            record["files"] = {path: sha256(content) for path, content in files.items()}
            made.append(PupilFiles(seat, record, files))
    return made


def files_of(lesson: Lesson, seat: Seat, record: SeatRecord) -> Iterator[tuple[str, bytes]]:
    """The seat's files by their path in the batch's folder, from what was drawn for it."""
    pages, outputs = pages_of(lesson, seat, record), lesson.outputs
    exam, place = bool(lesson.worksheet.exam), f"{HAND_OUT}/{seat.code}"
    if exam and "pdf" in outputs:
        yield f"{place}/{EXAM}", exam_paper(lesson, pages, "blank")
    for sheet, page in pages.items():
        file = SERIES[sheet].file
        if "pdf" in outputs and not exam:
            yield f"{place}/{file('blank', 'pdf')}", leaf(sheet, page, "blank")
        if "pdf" in outputs and lesson.worksheet.fillable:  # in full, as no form is stamped
            owner = Owner(lesson.batch, seat.code, (SERIES[sheet].name,), seat.level)
            form = render(sheet, *page.both, page.options, owner=owner)
            yield f"{place}/{file(FILLABLE, 'pdf')}", form
        if "html" in outputs:
            html = render(sheet, *page.both, page.options, kind="html")
            yield f"{place}/{file('blank', 'html')}", html
    if "xlsx" in outputs and (tabs := tuple(in_workbook(pages))):
        trace = played(pages[tabs[0]].both.trace, tabs)
        owner = Owner(lesson.batch, seat.code, tabs, seat.level)
        judging = lesson.worksheet.judging
        workbook = exercise.render(trace, load(trace.language), seat.level, judging, owner)
        yield f"{place}/workbook-exercise.xlsx", workbook


def exam_paper(lesson: Lesson, pages: Mapping[str, WorkPage], variant: str) -> bytes:
    """All sheets of an exam behind its cover, with running page numbers."""
    first = pages[lesson.filled[0]]
    return booklet(
        lesson.filled,
        *first.both,
        first.options,
        variant=variant,
        ready=lambda sheet: leaf(sheet, pages[sheet], variant),
    )


def options_of(lesson: Lesson, seat: Seat) -> SheetOptions:
    """The choices for a work leaf of the seat."""
    chosen = lesson.options(seat.language, seat.level)
    return replace(
        chosen,
        part="work",
        code=seat.code,
        mark=batch_mark(lesson.batch),
        pupil=seat.name,
        number=seat.number,
        teacher=False,
        alone=lesson.variation.alone,
    )


def pages_of(lesson: Lesson, seat: Seat, record: SeatRecord) -> Mapping[str, WorkPage]:
    """What the seat's work leaves are made from, by sheet; sheets of one task share a page."""
    tasks, page_of = tasks_of(lesson, seat), dict[Task, WorkPage]()
    for sheet in lesson.filled:
        task = tasks[sheet]
        page_of[task] = page_of.get(task) or _page(lesson, seat, task, own_of(record, sheet))
    return {sheet: page_of[tasks[sheet]] for sheet in lesson.filled}


def _page(lesson: Lesson, seat: Seat, task: Task, own: Own) -> WorkPage:
    """The computation with the seat's individual numbers and own token, and how it is printed."""
    edits, token = own["edits"], own["exercise"]
    both = (task.trace(edits, exercise=token, rounding=rounding) for rounding in (None, "exact"))
    options = replace(options_of(lesson, seat), others=tuple(own["others"]))
    return WorkPage(task, token, Pair(*both), options)


def _record(lesson: Lesson, seat: Seat, taken: Taken) -> SeatRecord:
    """The seat with all that is drawn for it, and no files yet."""

    def given(task: Task) -> Assignment:
        return assign(task, lesson.variation, lesson.seed, seat.key, seat.group)

    main, tasks = task_of(lesson, seat), tasks_of(lesson, seat)
    apart = {sheet: tasks[sheet] for sheet in lesson.filled if tasks[sheet] != main}
    drawn = given(main)
    return SeatRecord(
        **seat.described(),
        **_own(main, drawn, taken),
        group=drawn.group,
        apart={sheet: _own(task, given(task), taken) for sheet, task in apart.items()},
        files={},
    )


def _own(task: Task, drawn: Assignment, taken: Taken) -> Own:
    return Own(
        exercise=drawn.exercise,
        edits=dict(drawn.edits),
        draws=drawn.draws,
        seconds=drawn.seconds,
        others=others(taken, task, drawn.exercise),
    )
