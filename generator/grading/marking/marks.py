"""The marks of what one pupil handed in: each box with its credit and why, and the points."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.engine.rounding import guarded_number
from generator.engine.step import GIVEN, Cell, Step
from generator.engine.trace import Trace
from generator.grading.marking.causes import causes
from generator.grading.marking.question import Question
from generator.grading.marking.rule import Judged, Paper, judged
from generator.grading.marking.scheme import USUAL, Scheme
from generator.grading.reading.entries import Entries, Source
from generator.insight.slips import Slip
from generator.plans.workbook import WorkbookPlan
from generator.sheets.plan import Plan
from generator.sheets.worth import Worth

POINTS_SHOWN = 2  # decimals of points
HALF = 0.5


@dataclass(frozen=True, slots=True)
class BoxMark:
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
    """One sheet (or the workbook): its boxes in the order of computation, its points.

    `name` is the sheet's among sheets, or "workbook". `steps` are those of its boxes without what
    they were made from, so that a process that marks can send them to another. `worth` is what an
    exam's paper says that each box and each answer in words can give; `by_hand` is what the teacher
    gave for the words, None while that is not known.
    """

    name: str
    steps: Mapping[str, Step]
    marks: tuple[BoxMark, ...]
    scheme: Scheme = USUAL
    worth: Worth | None = None
    by_hand: float | None = None

    def step(self, cell: Cell) -> Step:
        """The step of a box."""
        return self.steps[cell[0]]

    @property
    def most(self) -> float:
        """The points of the task."""
        if self.worth:
            return guarded_number(sum(self.worth.cells.values()), POINTS_SHOWN) + self.most_by_hand
        return float(self.scheme.points.get(self.name, len(self.marks)))

    @property
    def most_by_hand(self) -> int:
        """The points for answers in words, which no program gives."""
        return self.worth.by_hand if self.worth else 0

    @property
    def waits(self) -> bool:
        """Whether points for answers in words are still to come."""
        return bool(self.most_by_hand) and self.by_hand is None

    @property
    def points(self) -> float:
        """The points earned, to halves where the scheme says so."""
        if not self.marks:
            return 0.0
        if self.worth:
            earned = sum(mark.credit * self.worth.cells[mark.cell] for mark in self.marks)
            earned += self.by_hand or 0.0
        else:
            earned = self.most * sum(mark.credit for mark in self.marks) / len(self.marks)
        if self.scheme.half:
            return guarded_number(earned / HALF, 0) * HALF
        return guarded_number(earned, POINTS_SHOWN)


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
    questions: list[Question] = []
    for name, plan in plans.items():
        before = [cell for one in questions for cell in one.cells] if carries else []
        known = [cell for cell in before if cell[0] in trace]
        questions.append(Question(name, trace, plan, scheme.tolerance, known))
    return tuple(questions)


def marked(
    questions: Iterable[Question],
    entries: Entries,
    scheme: Scheme = USUAL,
    listed: Mapping[str, Iterable[Slip]] | None = None,
    worth: Mapping[str, Worth] | None = None,
) -> Marks:
    """What one file is worth, by the rule (`rule`) and the scheme.

    `listed` are the slips of each sheet's page for teachers, which give causes their names. `worth`
    is what an exam's paper says that each sheet can give.
    """
    slips, printed = listed or {}, worth or {}
    tasks = [
        _task(question, entries, scheme, slips.get(question.name, ()), printed.get(question.name))
        for question in questions
    ]
    return Marks(entries.source, tuple(tasks))


def _task(
    question: Question,
    entries: Entries,
    scheme: Scheme,
    listed: Iterable[Slip],
    worth: Worth | None,
) -> TaskMarks:
    paper = Paper(question, entries.typed)
    slips = tuple(listed)
    marks = (
        BoxMark(one, scheme.share(one.how, percent=one.percent), causes(paper, one, slips))
        for cell, one in judged(paper).items()
        if worth is None or cell in worth.cells
    )
    return TaskMarks(question.name, _steps(question), tuple(marks), scheme, worth)


def _steps(question: Question) -> dict[str, Step]:
    names = dict.fromkeys(name for name, _, _ in question.cells)
    return {name: question.trace[name]._replace(op=GIVEN, inputs=()) for name in names}
