"""The marks of what one pupil handed in: each box with its credit and why, and the points."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from generator.engine.rounding import guarded_number
from generator.engine.step import GIVEN, Cell, Step
from generator.engine.trace import Trace
from generator.grading.marking.causes import WrongEntry
from generator.grading.marking.question import Question
from generator.grading.marking.rule import Judged, Paper
from generator.grading.marking.scheme import USUAL, Scheme
from generator.grading.reading.entries import Entries, Source
from generator.insight.slips import Slip
from generator.plans.workbook import WorkbookPlan
from generator.sheets.plan import Plan
from generator.sheets.worth import Worth

POINTS_SHOWN = 2  # decimals of points
HALF = 0.5
WHOLE = 1 - 1e-9  # a credit from which on a box is wholly right
NONE: Final[Mapping[str, Any]] = MappingProxyType({})


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
    def share_by_hand(self) -> float | None:
        """What share of the points for words was earned; None for none, or while unknown."""
        if not self.most_by_hand or self.by_hand is None:
            return None
        return self.by_hand / self.most_by_hand

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
    listed: Mapping[str, Sequence[Slip]] = NONE,
    worth: Mapping[str, Worth] = NONE,
) -> Marks:
    """What one file is worth, by the rule (`rule`) and the scheme.

    `listed` are the slips of each sheet's page for teachers, which give causes their names. `worth`
    is what an exam's paper says that each sheet can give.
    """
    tasks = []
    for question in questions:
        name, paper = question.name, Paper(question, entries.typed)
        slips, printed = listed.get(name, ()), worth.get(name)
        marks = tuple(
            BoxMark(
                one,
                scheme.share(one.how, percent=one.percent),
                WrongEntry(paper, one, slips).causes(),
            )
            for cell, one in paper.judged().items()
            if printed is None or cell in printed.cells
        )
        names = dict.fromkeys(step for step, _, _ in question.cells)
        steps = {step: question.trace[step]._replace(op=GIVEN, inputs=()) for step in names}
        tasks.append(TaskMarks(name, steps, marks, scheme, printed))
    return Marks(entries.source, tuple(tasks))
