"""What a pupil was asked, made again from the batch's manifest: the own numbers, every cell."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from generator.classroom.desk.key_rows import REPEATED
from generator.classroom.desk.manifest import MANIFEST, Manifest
from generator.classroom.desk.reissue import NAMES, content_of, sensible, told_apart
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.files.work_sheets import WorkPage
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.pupils.seats import SeatRecord
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import require
from generator.grading.marking.question import Question
from generator.grading.marking.scheme import USUAL, Scheme
from generator.grading.reading.entries import WORKBOOK
from generator.grading.reading.raw import NotOurs, require_ours
from generator.plans.workbook import WorkbookPlan
from generator.plans.workbook import plan as workbook_plan
from generator.render.workbook.sheet_tabs import played
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES, in_workbook
from generator.sheets.worth import Worth

BATCHES = 4  # that are kept open
PUPILS = 4  # whose tasks are: somebody's files often come one after the other


@dataclass(frozen=True, slots=True)
class PupilTask:
    """What a pupil had to compute: the own Trace, and what each sheet (or the workbook) asks."""

    trace: Trace
    plans: Mapping[str, Plan | WorkbookPlan]

    @property
    def asked(self) -> frozenset[Cell]:
        """All cells that were to be filled."""
        return frozenset(cell for plan in self.plans.values() for cell in plan.asked)

    def questions(self, scheme: Scheme = USUAL, *, carries: bool = False) -> list[Question]:
        """Its questions in order; with `carries` earlier sheets' own numbers go on in later."""
        questions: list[Question] = []
        for name, plan in self.plans.items():
            before = [cell for one in questions for cell in one.cells] if carries else []
            known = [cell for cell in before if cell[0] in self.trace]
            questions.append(Question(name, self.trace, plan, scheme, known))
        return questions


@dataclass(frozen=True, eq=False)
class Batch:
    """A batch that was handed out: its lesson, and the record of each pupil by code.

    Another process gets the folder, and opens it there.
    """

    manifest: Manifest
    lesson: Lesson
    path: Path

    def __reduce__(self) -> tuple[object, ...]:
        return batch_in, (self.folder,)

    @property
    def folder(self) -> Path:
        """The folder that the batch made."""
        return self.path.parent.parent

    @property
    def names(self) -> dict[str, str]:
        """Names by code, no two alike, from its names.csv; `UserError` where that is missing."""
        return told_apart(self.path.with_name(NAMES))

    def code(self, wanted: str) -> str:
        """The code of a pupil by code, id or number in the list; `UserError` for no pupil's."""
        return self.manifest.entry(wanted).code

    @cached_property
    def records(self) -> Mapping[str, SeatRecord]:
        """What is kept of each seat, by its code."""
        return {record.code: record for record in self.manifest.pupils}

    @property
    def first(self) -> "AskedSeat":
        """Somebody's seat: what all have alike is asked of it."""
        return self.seat(next(iter(self.records)))

    def seat(self, code: str) -> "AskedSeat":
        """What a seat was asked; the latest ones are kept, a file is read in several steps."""
        return _seat(self, code)


@dataclass(frozen=True)
class AskedSeat:
    """What a pupil of a batch was asked, made again from the record; KeyError for unknown codes."""

    batch: Batch
    code: str

    @cached_property
    def pages(self) -> Mapping[str, WorkPage]:
        """What the seat's work leaves were made from, by sheet."""
        batch, record = self.batch, self.batch.records[self.code]
        with sensible(batch.manifest, batch.path):
            return PupilSet(batch.manifest.seat(batch.lesson, record), record).pages

    @cached_property
    def printed(self) -> Mapping[str, PrintedSheet]:
        """The seat's sheets with their plans."""
        return {sheet: page.of(sheet) for sheet, page in self.pages.items()}

    @cached_property
    def tasks(self) -> Sequence[PupilTask]:
        """What the seat was asked on paper: one task for the sheets of each computation."""
        shared: dict[int, list[Plan]] = {}
        for sheet, page in self.pages.items():
            shared.setdefault(id(page.both.trace), []).append(self.printed[sheet].plan)
        traces = {id(page.both.trace): page.both.trace for page in self.pages.values()}
        return tuple(_task(traces[key], plans) for key, plans in shared.items())

    def on_paper(self, sheets: Collection[str]) -> PupilTask:
        """The task to which these sheets belong; `NotOurs` where none has all of them."""
        for task in self.tasks:
            if task.plans.keys() >= set(sheets):
                return task
        known = ", ".join(SERIES[sheet].name for sheet in self.batch.lesson.filled)
        raise NotOurs("sheets", sheets=", ".join(sheets), known=known)

    @cached_property
    def in_workbook(self) -> PupilTask:
        """What the seat was asked in the exercise workbook; `NotOurs` where there was none."""
        tabs = tuple(in_workbook(self.pages))
        require_ours(tabs, "tabs")
        trace = played(self.pages[tabs[0]].both.trace, tabs)
        level = self.batch.records[self.code].level
        return PupilTask(trace, {WORKBOOK: workbook_plan(trace, level)})

    @cached_property
    def worth(self) -> Mapping[str, Worth]:
        """What an exam's paper says that each sheet can give, by its name; empty for a lesson.

        The workbook's boxes share what the numbers of its sheets give; it asks for no words.
        """
        if not self.batch.lesson.worksheet.exam:
            return {}
        by_sheet = {sheet: one.worth for sheet, one in self.printed.items()}
        named = {SERIES[sheet].name: one for sheet, one in by_sheet.items()}
        if not (tabs := tuple(in_workbook(self.pages))):
            return named
        asked = self.in_workbook.plans[WORKBOOK].asked
        most = sum(sum(by_sheet[sheet].cells.values()) for sheet in tabs)
        return {**named, WORKBOOK: Worth((), dict.fromkeys(asked, most / len(asked)))}


def _task(trace: Trace, plans: Sequence[Plan]) -> PupilTask:
    """The sheets of one computation, with the steps that only they have.

    Asked are the cells that have a box of their own.
    """
    asked: dict[str, Plan | WorkbookPlan] = {}
    for plan in plans:
        own = frozenset(cell for cell in plan.asked if not REPEATED.fullmatch(cell[0]))
        asked[SERIES[plan.sheet].name] = replace(plan, asked=own)
    return PupilTask(trace.with_steps(step for plan in plans for step in plan.extra), asked)


_seat = lru_cache(maxsize=PUPILS)(AskedSeat)


def batch_in(folder: Path) -> Batch:
    """The batch in a folder; `UserError` where there is none, or its manifest was edited."""
    path = folder / MANIFEST
    require(folder.is_dir(), "grade.no_folder", folder=folder)
    require(path.exists(), "grade.batch", folder=folder, manifest=MANIFEST)
    return _opened(path, content_of(path))


@lru_cache(maxsize=BATCHES)
def _opened(path: Path, content: bytes) -> Batch:
    manifest = Manifest.opened(content, str(path))
    with sensible(manifest, path):
        return Batch(manifest, manifest.lesson(), path)
