"""The files of one part of a class, PDF or HTML: work leaves to copy, the teacher's solutions."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from generator.classroom.check_page import check_page
from generator.classroom.common_leaves import for_everybody
from generator.classroom.lesson import Lesson, teachers
from generator.classroom.one_by_one import Papers, attempted
from generator.classroom.pupil_files import EXAM, HAND_OUT, exam_paper, pages_of
from generator.classroom.seat_record import Record
from generator.classroom.seats import Seat, tasks_of
from generator.classroom.task import Task
from generator.classroom.work_sheets import Page, Shared, Wanted, class_file
from generator.locales.catalogue import load
from generator.render.worksheet.binding import page_count
from generator.render.worksheet.copier_file import Leaf, bound, fronted, starts
from generator.render.worksheet.edition import Page as HtmlPage
from generator.render.worksheet.paged import paged
from generator.render.worksheet.teacher_pages import IndexLine, index, index_html, marks
from generator.sheets.options import KINDS
from generator.sheets.series import SERIES

Pages: TypeAlias = Mapping[str, Page]  # one pupil's, by sheet


@dataclass(frozen=True)
class Part:
    """Some seats of a lesson with their records; `mark` tells its files from other parts'."""

    lesson: Lesson
    seats: tuple[Seat, ...]
    records: tuple[Record, ...]
    mark: str


def make(part: Part) -> list[Papers]:
    """The files of a part, each that fails with its problem; nothing is written."""
    if not set(KINDS) & set(part.lesson.outputs):
        return []
    seats = zip(part.seats, part.records, strict=True)
    pages = [pages_of(part.lesson, *one) for one in seats]
    wanted = [kind for kind in KINDS if kind in part.lesson.outputs]
    return [_one(path, render) for kind in wanted for path, render in _files(part, pages, kind)]


def _one(path: str, render: Callable[[], bytes]) -> Papers:
    return attempted(path, lambda: {path: render()})


def _files(part: Part, pages: list[Pages], kind: str) -> Iterator[tuple[str, Callable[[], bytes]]]:
    end = f"{part.mark}.{kind}"
    if part.lesson.worksheet.exam and kind == "html":
        return  # an exam is paper with a cover and running page numbers
    if part.lesson.worksheet.exam:
        yield (
            f"{HAND_OUT}/class-{EXAM.removesuffix('.pdf')}{part.mark}.pdf",
            partial(_exams, part, pages),
        )
        if part.lesson.variation.kind != "groups":
            yield f"teacher/solutions{part.mark}.pdf", partial(_solutions, part, pages)
        return
    for sheet in part.lesson.filled:
        path = f"{HAND_OUT}/class-{SERIES[sheet].name}-blank{end}"
        yield path, partial(_class, part, pages, sheet, kind)
    if len(part.lesson.filled) > 1 or part.lesson.info != "none":  # else it would be the same
        yield f"{HAND_OUT}/class-blank{end}", partial(_collated, part, pages, kind)
    solved = _solutions if kind == "pdf" else _solutions_html
    yield f"teacher/solutions{end}", partial(solved, part, pages)
    pupils = zip(part.seats, part.records, strict=True)
    yield f"teacher/check{end}", partial(check_page, part.lesson, pupils, kind)


def _exams(part: Part, pages: list[Pages]) -> bytes:
    """Everybody's exam paper, one after the other, for the copier."""
    exam_papers = (
        Leaf(seat.code, exam_paper(part.lesson, own, "blank"))
        for seat, own in zip(part.seats, pages, strict=True)
    )
    return bound(exam_papers, _title(part, "exam.class"))


def _class(part: Part, pages: list[Pages], sheet: str, kind: str = "pdf") -> bytes:
    """Everybody's work leaf of a sheet, for the copier."""
    leaves = [Wanted(sheet, one[sheet], one[sheet].options.code) for one in pages]
    return class_file(leaves, "blank", _title(part, SERIES[sheet].title), kind)


def _collated(part: Part, pages: list[Pages], kind: str = "pdf") -> bytes:
    """All that pupils get, set by set, each leaf on an odd page; info leaves as often as chosen."""
    return class_file(list(_sets(part, pages)), "blank", _title(part, "class.all"), kind)


def _sets(part: Part, pages: list[Pages]) -> Iterator[Wanted | Shared]:
    """The leaves of the copier's file; "once" is once for each sentence and level."""
    lesson = part.lesson
    shared = tuple(for_everybody(lesson.sheets))
    tasks = [tasks_of(lesson, seat) for seat in part.seats]
    if lesson.info == "once":
        once = dict.fromkeys((sheet, own[sheet]) for own in tasks for sheet in shared)
        yield from (_shared(lesson, *one) for one in once)
    for seat, own, leaves in zip(part.seats, tasks, pages, strict=True):
        for sheet in lesson.sheets:
            if lesson.info == "each" and sheet in shared:
                yield _shared(lesson, sheet, own[sheet], f"{seat.code} · ")
            if sheet in leaves:
                yield _titled(sheet, leaves[sheet])


def _shared(lesson: Lesson, sheet: str, task: Task, whose: str = "") -> Shared:
    options, one = lesson.options(task.base.language, task.level), SERIES[sheet]
    leaf = load(teachers(lesson).language).t("sheet.leaf.info")
    title = one.name if one.kind.single else f"{one.name} · {leaf}"
    return Shared(sheet, task, options, f"{whose}{title}")


def _by_pupil(part: Part, pages: list[Pages]) -> list[Wanted]:
    """The work leaves of all sheets, pupil by pupil, each with its title in the outline."""
    return [_titled(sheet, page) for own in pages for sheet, page in own.items()]


def _titled(sheet: str, page: Page) -> Wanted:
    """A pupil's work leaf, with whose and which it is in the outline."""
    return Wanted(sheet, page, f"{page.options.code} · {SERIES[sheet].name}")


def _solutions(part: Part, pages: list[Pages]) -> bytes:
    """Everybody's solved leaves behind an index that says on which page of the file they begin."""
    book = class_file(_by_pupil(part, pages), "solution", _title(part), "pdf")
    first = starts(book)[:: len(part.lesson.filled)]

    def front(before: int) -> bytes:
        lines = [
            IndexLine(seat.number, seat.code, seat.key, seat.name, before + page)
            for seat, page in zip(part.seats, first, strict=True)
        ]
        return index(lines, teachers(part.lesson))

    length = page_count(front(0))
    whole = fronted(front(length + length % 2), book)
    return paged(whole, marks(page_count(whole), teachers(part.lesson)))


def _solutions_html(part: Part, pages: list[Pages]) -> bytes:
    """The same in HTML, where the index leads to each pupil and names no page."""
    options = teachers(part.lesson)
    lines = [IndexLine(seat.number, seat.code, seat.key, seat.name, 0) for seat in part.seats]
    front = HtmlPage(index_html(lines, options), ("class.css",))
    return class_file(_by_pupil(part, pages), "solution", _title(part), "html", front)


def _title(part: Part, sheet: str = "") -> str:
    """What the file says that it is, to a reader and to a screen reader."""
    t = load(teachers(part.lesson).language).t
    return t("class.blank", sheet=t(sheet)) if sheet else t("class.solutions")
