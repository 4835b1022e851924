"""Makes one seat's files: its individual numbers, its work leaves, its exercise workbook."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from generator.classroom.files.pool import FAILURES
from generator.classroom.files.store import sha256
from generator.classroom.files.work_sheets import Pair, Taken, WorkLeaf, WorkPage, others
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import assign
from generator.classroom.pupils.seats import Own, Seat, SeatRecord
from generator.errors import said_by
from generator.locales.catalogue import load
from generator.render.owner import Owner
from generator.render.workbook import exercise
from generator.render.workbook.sheet_tabs import played
from generator.render.worksheet.booklet import booklet
from generator.sheets.fonts import require_glyphs
from generator.sheets.mosaic import FILES
from generator.sheets.options import KINDS
from generator.sheets.series import FILLABLE, SERIES, in_workbook

HAND_OUT = "hand-out"
EXAM = "exam.pdf"


@dataclass(frozen=True)
class Work:
    """What one task is about: some seats of a lesson; `taken` are the tokens that the class has."""

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
    made = []
    for seat in work.seats:
        try:
            if set(KINDS) & set(seat.lesson.outputs):  # else index and check page could not be set
                require_glyphs(seat.key, "the id")
            record = drawn(seat, work.taken)
            files = dict(PupilSet(seat, record).files())
        except FAILURES as error:
            made.append(PupilFiles(seat, None, {}, said_by(error)))
        else:
            record.files = {path: sha256(content) for path, content in files.items()}
            made.append(PupilFiles(seat, record, files))
    return made


def drawn(seat: Seat, taken: Taken) -> SeatRecord:
    """The seat with all that is drawn for it, and no files yet."""
    lesson, main, tasks = seat.lesson, seat.task, seat.tasks
    apart = {sheet: tasks[sheet] for sheet in lesson.filled if tasks[sheet] != main}
    given = {
        task: assign(task, lesson.variation, seat.lot, seat.group)
        for task in dict.fromkeys((main, *apart.values()))
    }

    def own(task: Task) -> dict[str, Any]:
        one = given[task]
        return {**vars(one), "others": others(taken, task, one.exercise)}

    parts = {sheet: Own(**own(task)) for sheet, task in apart.items()}
    return SeatRecord(**dict(seat.described()), **own(main), apart=parts, files={})


@dataclass(frozen=True)
class PupilSet:
    """A seat with what was drawn for it: all that its files are made from."""

    seat: Seat
    record: SeatRecord

    @cached_property
    def pages(self) -> Mapping[str, WorkPage]:
        """What its work leaves are made from, by sheet; sheets of one task share a page."""
        tasks, page_of = self.seat.tasks, dict[Task, WorkPage]()
        for sheet in self.seat.lesson.filled:
            page_of[tasks[sheet]] = page_of.get(tasks[sheet]) or self._page(sheet, tasks[sheet])
        return {sheet: page_of[tasks[sheet]] for sheet in self.seat.lesson.filled}

    def _page(self, sheet: str, task: Task) -> WorkPage:
        """The computation with the seat's individual numbers and own token, and its printing."""
        own = self.record.apart.get(sheet, self.record)
        both = (
            task.trace(own.edits, exercise=own.exercise, rounding=how) for how in (None, "exact")
        )
        options = replace(self.seat.options, others=tuple(own.others))
        return WorkPage(task, own.exercise, Pair(*both), options)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The seat's files by their path in the batch's folder, from what was drawn for it."""
        seat, lesson = self.seat, self.seat.lesson
        worksheet, outputs = lesson.worksheet, lesson.outputs
        exam, place = bool(worksheet.exam), f"{HAND_OUT}/{seat.code}"
        if exam and "pdf" in outputs:
            yield f"{place}/{EXAM}", exam_paper(self.pages, "blank")
        for sheet, page in self.pages.items():
            file = SERIES[sheet].file
            if "pdf" in outputs and not exam:
                yield f"{place}/{file('blank', 'pdf')}", WorkLeaf(sheet, page).pdf()
            if "pdf" in outputs and worksheet.fillable:  # in full, as no form is stamped
                owner = Owner(lesson.batch, seat.code, (SERIES[sheet].name,), seat.level)
                yield f"{place}/{file(FILLABLE, 'pdf')}", page.of(sheet).file(owner=owner)
            if "html" in outputs:
                yield f"{place}/{file('blank', 'html')}", page.of(sheet).file("html")
            for kind in (one for one in KINDS if one in outputs and page.of(sheet).has_mosaic):
                yield f"{place}/{file(FILES['blank'], kind)}", page.of(sheet).mosaic(kind)
        if "xlsx" in outputs and (tabs := tuple(in_workbook(self.pages))):
            trace = played(self.pages[tabs[0]].both.trace, tabs)
            owner = Owner(lesson.batch, seat.code, tabs, seat.level)
            texts = load(trace.language)
            workbook = exercise.render(trace, texts, seat.level, worksheet, owner)
            yield f"{place}/workbook-exercise.xlsx", workbook


def exam_paper(pages: Mapping[str, WorkPage], variant: str) -> bytes:
    """All sheets of an exam behind its cover, with running page numbers."""
    first = next(iter(pages.values()))
    return booklet(
        tuple(pages),
        *first.both,
        first.options,
        variant=variant,
        ready=lambda sheet: WorkLeaf(sheet, pages[sheet], variant=variant).pdf(),
    )
