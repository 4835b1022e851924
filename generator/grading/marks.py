"""The marks of what one pupil handed in: each box with its credit and why, and the points."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.causes import causes
from generator.grading.credit import Judged
from generator.grading.entries import Entries, Source
from generator.grading.question import Question
from generator.grading.rule import Paper, judged
from generator.grading.scheme import USUAL, Scheme
from generator.insight.slips import Slip
from generator.plans.workbook import WorkbookPlan
from generator.sheets.plan import Plan

POINTS_SHOWN = 2  # decimals of points
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Mark:
    """One box: how it was judged, what share of its points it earns, and probable causes.

    `decided` says that a teacher's decision set the credit.
    """

    judged: Judged
    credit: float
    causes: tuple[str, ...] = ()
    decided: bool = False

    @property
    def cell(self) -> Cell:
        """Step, row and column."""
        return self.judged.cell


@dataclass(frozen=True)
class TaskMarks:
    """One sheet (or the workbook): its boxes in the order of computation, its points."""

    question: Question
    marks: tuple[Mark, ...]
    scheme: Scheme = USUAL

    @property
    def name(self) -> str:
        """The sheet's name among sheets, or "workbook"."""
        return self.question.name

    @property
    def most(self) -> float:
        """The points of the task."""
        return float(self.scheme.points.get(self.name, len(self.marks)))

    @property
    def points(self) -> float:
        """The points earned, to halves where the scheme says so."""
        if not self.marks:
            return 0.0
        found = self.most * sum(mark.credit for mark in self.marks) / len(self.marks)
        if self.scheme.half:
            return guarded_number(found / HALF, 0) * HALF
        return guarded_number(found, POINTS_SHOWN)


@dataclass(frozen=True)
class Marks:
    """All that one file is worth. `remarks` are for the teacher and never change a mark."""

    source: Source
    tasks: tuple[TaskMarks, ...]
    remarks: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """The points of all tasks."""
        return sum(task.points for task in self.tasks)

    @property
    def most(self) -> float:
        """The points that there were."""
        return sum(task.most for task in self.tasks)


def questions_of(
    trace: Trace,
    plans: Mapping[str, Plan | WorkbookPlan],
    scheme: Scheme = USUAL,
    *,
    carries: bool = False,
) -> tuple[Question, ...]:
    """A task's questions in its order; with `carries` earlier sheets' own numbers go on in later.

    Two pupils with the same Trace and plans have the same questions.
    """
    found: list[Question] = []
    for name, plan in plans.items():
        before = [cell for one in found for cell in one.cells] if carries else []
        known = [cell for cell in before if cell[0] in trace]
        found.append(Question(name, trace, plan, scheme.tolerance, known))
    return tuple(found)


def marked(
    questions: Iterable[Question],
    entries: Entries,
    scheme: Scheme = USUAL,
    listed: Mapping[str, Iterable[Slip]] | None = None,
) -> Marks:
    """What one file is worth, by the rule (`rule`) and the scheme.

    `listed` are the slips of each sheet's page for teachers, which give causes their names.
    """
    known = listed or {}
    tasks = [
        TaskMarks(question, _marks(question, entries, scheme, known.get(question.name, ())), scheme)
        for question in questions
    ]
    return Marks(entries.source, tuple(tasks))


def _marks(
    question: Question, entries: Entries, scheme: Scheme, listed: Iterable[Slip]
) -> tuple[Mark, ...]:
    paper = Paper(question, entries.typed)
    slips = tuple(listed)
    return tuple(
        Mark(one, scheme.share(one.how, percent=one.percent), causes(paper, one, slips))
        for one in judged(paper).values()
    )
