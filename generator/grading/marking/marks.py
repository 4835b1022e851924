"""What came back and what it is worth: each box with its credit and why, a file, a pupil, a class.

Also here:

* Which of several files of one pupil for one sheet counts: the latest, or the one that earns
  most.
"""

import dataclasses
import datetime
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from generator.engine.rounding import guarded_number
from generator.engine.step import GIVEN, Cell, Step
from generator.errors import require
from generator.grading.marking.causes import Told, outweighed, told
from generator.grading.marking.practice import Practice, practice
from generator.grading.marking.question import Question
from generator.grading.marking.rule import BoxMark, Paper
from generator.grading.marking.scheme import USUAL, Scheme
from generator.grading.reading.entries import CSV, WORKBOOK, Entries, Number, Source, Stray
from generator.grading.reading.raw import Reason
from generator.insight.slips import Slip
from generator.sheets.series import in_workbook
from generator.sheets.worth import Worth

POINTS_SHOWN = 2  # decimals of points
HALF = 0.5
WHOLE = 1 - 1e-9  # a credit from which on a box is wholly right


@dataclass(frozen=True)
class TaskMarks:
    """One sheet (or the workbook): its boxes in the order of computation, its points.

    `name` is the sheet's among sheets, or "workbook". `steps` are those of its boxes without what
    they were made from, so that a process that marks can send them to another. `worth` is what an
    exam's paper says that each box and each answer in words can give; `by_hand` is what the teacher
    gave for the words, None while that is not known. `practice` is for the first box gone wrong.
    """

    name: str
    steps: Mapping[str, Step]
    marks: tuple[BoxMark, ...]
    scheme: Scheme = USUAL
    worth: Worth | None = None
    by_hand: float | None = None
    practice: Practice | None = None

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


def task_marks(
    question: Question,
    typed: Mapping[Cell, Number],
    listed: Iterable[Slip] = (),
    worth: Worth | None = None,
) -> TaskMarks:
    """What the entries to a question are worth, by the rule (`rule`) and its scheme.

    `listed` are the slips of the sheet's page for teachers, which give causes their names. `worth`
    is what an exam's paper says that the sheet can give.
    """
    paper, scheme = Paper(question, typed), question.scheme
    judged = [one for one in paper.judged().values() if worth is None or one.cell in worth.cells]
    judged = outweighed(paper, judged)
    why = told(paper, judged, listed)
    marks = tuple(
        replace(
            one,
            credit=scheme.share(one.how, percent=one.percent),
            **why.get(one.cell, Told())._asdict(),
        )
        for one in judged
    )
    steps = {box.step.name: box.step for box in paper.boxes}
    bare = {name: step._replace(op=GIVEN, inputs=()) for name, step in steps.items()}
    wrong = (question.boxes[one.cell] for one in marks if one.understood < WHOLE)
    first = practice(paper, box) if (box := next(wrong, None)) else None
    return TaskMarks(question.name, bare, marks, scheme, worth, practice=first)


@dataclass(frozen=True)
class PupilMarks:
    """One pupil of a batch with all that came back from there; `name` only where it is wanted."""

    code: str
    key: str
    language: str
    files: tuple[Marks, ...] = ()
    name: str = ""

    @property
    def tasks(self) -> Iterator[TaskMarks]:
        """The tasks of all files."""
        return (task for marks in self.files for task in marks.tasks)

    def task(self, name: str) -> TaskMarks | None:
        """The marks of a sheet; None where it did not come back."""
        return next((task for task in self.tasks if task.name == name), None)

    def changed(self, change: Callable[[str, TaskMarks], TaskMarks]) -> "PupilMarks":
        """The same with each task as `change` makes it of the pupil's code and the task."""
        return replace(self, files=tuple(
            replace(one, tasks=tuple(change(self.code, task) for task in one.tasks))
            for one in self.files
        ))  # fmt: skip

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the teacher should know of the files."""
        return tuple(remark for marks in self.files for remark in marks.remarks)

    @property
    def shown(self) -> str:
        """What results call the pupil."""
        return self.name or self.code


@dataclass(frozen=True)
class ClassMarks:
    """A class's marks: its pupils in the order of the list, and files that were not marked.

    `printed` are the points of an exam's sheets, also of those that nobody has handed in so far.
    """

    pupils: tuple[PupilMarks, ...]
    stray: tuple[Stray, ...]
    scheme: Scheme
    sheets: tuple[str, ...]
    printed: Mapping[str, float] = dataclasses.field(default_factory=dict)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks in their order: the sheets of the lesson, the workbook; as far as they came."""
        came = {task.name for pupil in self.pupils for task in pupil.tasks}
        return tuple(name for name in (*self.sheets, WORKBOOK) if name in came)

    @property
    def handed_in(self) -> tuple[PupilMarks, ...]:
        """The pupils of whom something came back."""
        return tuple(pupil for pupil in self.pupils if pupil.files)

    def total(self, pupil: PupilMarks) -> tuple[float, float]:
        """A pupil's points and those that there are; what did not come back earns nothing."""
        out = self.left_out(pupil)
        most = [points for name, points in self._most_of(pupil).items() if name not in out]
        return sum(task.points for task in pupil.tasks if task.name not in out), sum(most)

    def left_out(self, pupil: PupilMarks) -> Collection[str]:
        """The tasks that do not count for a pupil: a workbook is another edition of its sheets.

        One of the two counts, unless the scheme gives the workbook points of its own. Who handed in
        both has the one that earns the larger share; in an exam the sheets, for its workbook asks
        for no words.
        """
        if WORKBOOK in self.scheme.points:
            return ()
        own = {task.name: task.points for task in pupil.tasks}
        most = self._most_of(pupil)
        tabs = {*in_workbook(most.keys() - {WORKBOOK})}
        if WORKBOOK not in own or (self.printed and own.keys() - {WORKBOOK}):
            return (WORKBOOK,)
        on_sheets = sum(own.get(name, 0.0) for name in tabs) / (sum(most[n] for n in tabs) or 1)
        return (WORKBOOK,) if on_sheets > own[WORKBOOK] / most[WORKBOOK] else tabs

    def _most_of(self, pupil: PupilMarks) -> dict[str, float]:
        return {**self._most, **{task.name: task.most for task in pupil.tasks}}

    @cached_property
    def _most(self) -> Mapping[str, float]:
        """The points of each task that came back from anybody, and of all that an exam has."""
        came = {task.name: task.most for one in self.pupils for task in one.tasks}
        return {**self.printed, **came}


# Which of several files counts -------------------------------------------------------------------

File = TypeVar("File", Entries, Marks)
_NEVER = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)


def require_apart(entries: Iterable[Entries], versions: int) -> None:
    """Raise a `UserError` where files differ that have one code, which several pupils have."""
    first: dict[tuple[str, tuple[str, ...]], Entries] = {}
    for one in entries:
        other = first.setdefault((one.source.code, one.source.sheets), one)
        same = one.typed == other.typed
        require(same, "grade.apart", one=one.source, other=other.source, versions=versions)


def chosen(entries: Iterable[Entries], stray: list[Stray]) -> list[Entries]:
    """The latest for each pupil and sheet, in the order of codes; the others become stray."""
    ordered = sorted(entries, key=lambda one: (one.source.code, one.source.sheets))
    return list(_one_of_each(ordered, lambda some: max(some, key=weight), _why_not, stray))


def best_of(marks: Iterable[Marks], stray: list[Stray]) -> list[Marks]:
    """The marks of the file that earns most for each sheet; the others become stray.

    Of equal ones the last counts, so they must come with the latest last.
    """

    def best(some: list[Marks]) -> Marks:
        return max(reversed(some), key=lambda one: one.points)

    return list(_one_of_each(marks, best, _earns_less, stray))


def _one_of_each(
    files: Iterable[File],
    best_of_some: Callable[[list[File]], File],
    why_not: Callable[[File, File], Reason],
    stray: list[Stray],
) -> Iterator[File]:
    groups: dict[tuple[str, tuple[str, ...]], list[File]] = {}
    for one in files:
        groups.setdefault((one.source.code, one.source.sheets), []).append(one)
    for some in groups.values():
        yield (best := best_of_some(some))
        others = (one for one in some if one is not best)
        stray += (Stray(one.source.file, why_not(one, best)) for one in others)


def weight(one: Entries) -> tuple[bool, bool, datetime.datetime, int, str]:
    """What makes a file the latest: it comes last when files are sorted by it."""
    typed_by_teacher = one.source.kind == CSV
    return bool(one.typed), typed_by_teacher, time_of(one.changed), len(one.typed), one.source.file


def _why_not(one: Entries, best: Entries) -> Reason:
    file = {"file": best.source.file}
    if one.typed == best.typed:
        return Reason("same", file)
    if not one.typed:
        return Reason("nothing", file)
    if best.source.kind == CSV:
        return Reason("typed", file)
    if time_of(one.changed) < time_of(best.changed):
        then = {**file, "then": best.changed or ""}
        return (
            Reason("later", {**then, "now": one.changed}) if one.changed else Reason("latest", then)
        )
    return Reason("fuller", file)


def _earns_less(one: Marks, best: Marks) -> Reason:
    names = {"file": best.source.file, "points": f"{best.points:g}", "most": f"{best.most:g}"}
    return Reason("better", {**names, "here": f"{one.points:g}"})


def time_of(changed: str | None) -> datetime.datetime:
    """When a file was saved by its own account; a time without a zone counts as UTC's.

    The beginning of time where it does not say.
    """
    try:
        time = datetime.datetime.fromisoformat(changed or "")
    except ValueError:
        return _NEVER
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
