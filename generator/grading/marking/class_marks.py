"""The marks of a class: who handed in what, step by step; what is hard, and why, all counted.

Also here:

* Which of several files of one pupil for one sheet counts: the latest, or the one that earns
  most.
"""

import dataclasses
import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from generator.engine.step import Cell, Step
from generator.errors import UserError
from generator.grading.marking.marks import BoxMark, Marks, TaskMarks
from generator.grading.marking.question import kind
from generator.grading.marking.rule import How
from generator.grading.marking.scheme import Scheme
from generator.grading.reading.entries import CSV, WORKBOOK, Entries, Stray
from generator.grading.results.wording import step_titles
from generator.locales.catalogue import Catalogue

WHOLE = 1 - 1e-9
MOST_STEPS = 3  # steps to teach again
Sections = Mapping[str, str]  # the heading that stands above a step's boxes, by the step's kind


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

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the teacher should know of the files."""
        return tuple(remark for marks in self.files for remark in marks.remarks)

    @property
    def shown(self) -> str:
        """What results call the pupil."""
        return self.name or self.code


@dataclass(frozen=True)
class Field:
    """One pupil's boxes of one step: points earned of so many, None where nothing came back."""

    marks: tuple[BoxMark, ...] | None

    @property
    def earned(self) -> float:
        """How many boxes' worth was earned."""
        return sum(mark.credit for mark in self.marks or ())

    @property
    def share(self) -> float:
        """The share that was earned, from 0 to 1."""
        return self.earned / len(self.marks) if self.marks else 0.0

    @property
    def lost(self) -> bool:
        """Whether something was handed in and not all of it earned."""
        return bool(self.marks) and self.share < WHOLE


@dataclass(frozen=True)
class StepColumn:
    """A step of a task over the class. `section` is the heading of the sheet that it stands below.

    `fields` has one entry for each pupil of the class.
    """

    task: str
    title: str
    section: str
    fields: tuple[Field, ...]

    @property
    def handed_in(self) -> int:
        """How many pupils have boxes of this step among what came back."""
        return sum(field.marks is not None for field in self.fields)

    @property
    def lost(self) -> int:
        """How many of them lost something here, by an own slip: what is carried on is forgiven."""
        return sum(field.lost for field in self.fields)

    @property
    def share(self) -> float:
        """What the class earned here, from 0 to 1."""
        shares = [field.share for field in self.fields if field.marks is not None]
        return sum(shares) / len(shares) if shares else 0.0

    @cached_property
    def causes(self) -> Counter[str]:
        """How many pupils made each slip, as far as it is told apart from all others."""
        pupils_with: Counter[str] = Counter()
        for field in self.fields:
            single_causes = (mark.causes[0] for mark in field.marks or () if len(mark.causes) == 1)
            pupils_with.update(
                dict.fromkeys(single_causes).keys()
            )  # once a pupil; a set has another order each run
        return pupils_with

    @property
    def blank(self) -> int:
        """How many pupils left boxes empty here."""
        return sum(any(m.judged.how is How.BLANK for m in f.marks or ()) for f in self.fields)


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

    @cached_property
    def most(self) -> Mapping[str, float]:
        """The points of each task that came back from anybody, and of all that an exam has."""
        came = {task.name: task.most for one in self.pupils for task in one.tasks}
        return {**self.printed, **came}

    @property
    def handed_in(self) -> tuple[PupilMarks, ...]:
        """The pupils of whom something came back."""
        return tuple(pupil for pupil in self.pupils if pupil.files)

    def columns(self, catalogue: Catalogue, sections: Mapping[str, Sections]) -> list[StepColumn]:
        """All steps of all tasks in the order of computation."""
        return [
            column
            for task in self.tasks
            for column in _columns(task, self.pupils, catalogue, sections.get(task, {}))
        ]


def to_teach(columns: Iterable[StepColumn]) -> list[StepColumn]:
    """The steps in which the class earned least, at most three, the worst first."""
    with_losses = [column for column in columns if column.lost]
    return sorted(with_losses, key=lambda one: (one.share, -one.lost))[:MOST_STEPS]


def commonest(columns: Sequence[StepColumn]) -> list[tuple[StepColumn, str, int]]:
    """The slips that most pupils made, each with its step and how many these are."""
    slips = [(column, key, count) for column in columns for key, count in column.causes.items()]
    return sorted(slips, key=lambda one: -one[2])


@dataclass(frozen=True)
class ClassBox:
    """One box over the class: how many had it, how many earned nothing for it."""

    task: str
    title: str
    label: str
    of: int
    lost: int


def hardest(marks: ClassMarks, catalogue: Catalogue) -> list[ClassBox]:
    """The boxes in which somebody lost something, the hardest first.

    A box is the same for pupils who compute other rows: it is told by step and column.
    """
    lost_by_box: dict[tuple[str, str, str], list[bool]] = {}
    for pupil in marks.handed_in:
        for task in pupil.tasks:
            titles = titles_of(task, catalogue)
            for mark in task.marks:
                step = task.step(mark.cell)
                key = task.name, titles[step.name], label(step, mark.cell)
                lost_by_box.setdefault(key, []).append(mark.credit < WHOLE)
    boxes = [ClassBox(*key, len(lost), sum(lost)) for key, lost in lost_by_box.items() if any(lost)]
    return sorted(boxes, key=lambda box: (-box.lost, box.of))


def titles_of(task: TaskMarks, catalogue: Catalogue) -> dict[str, str]:
    """The titles of a task's steps by name."""
    return step_titles(catalogue, dict.fromkeys(mark.cell[0] for mark in task.marks))


def label(step: Step, cell: Cell) -> str:
    """What tells a box from others of its step: the column, in a lone column nothing."""
    return step.columns[cell[2]] if step.shape[1] > 1 else ""


def _columns(
    task: str, pupils: Sequence[PupilMarks], catalogue: Catalogue, sections: Sections
) -> Iterator[StepColumn]:
    came = [pupil.task(task) for pupil in pupils]
    rows = [None if one is None else by_title(one, catalogue) for one in came]
    titles = dict.fromkeys(title for row in rows if row for title in row)
    for title in titles:
        marks = [None if row is None else row.get(title, ()) for row in rows]
        first = next(mark.cell[0] for some in marks if some for mark in some)
        yield StepColumn(task, title, sections.get(kind(first), ""), tuple(map(Field, marks)))


def by_title(task: TaskMarks, catalogue: Catalogue) -> dict[str, tuple[BoxMark, ...]]:
    """The marks of a task by the title of their step, in the order of computation."""
    marks_of: dict[str, list[BoxMark]] = {}
    titles = titles_of(task, catalogue)
    for mark in task.marks:
        marks_of.setdefault(titles[mark.cell[0]], []).append(mark)
    return {title: tuple(marks) for title, marks in marks_of.items()}


_NEVER = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)


def require_apart(entries: Iterable[Entries], versions: int) -> None:
    """Raise a `UserError` where files differ that have one code, which several pupils have."""
    first: dict[tuple[str | None, tuple[str, ...]], Entries] = {}
    for one in entries:
        other = first.setdefault((one.source.code, one.source.sheets), one)
        if one.typed != other.typed:
            raise UserError(
                f"{other.source.file} and {one.source.file} have the code {one.source.code}, which "
                f"several pupils have: the batch was made with --versions {versions}, so nobody "
                "can tell whose they are. Put each pupil's files into a folder of its own and "
                "grade one folder after the other; for a class that hands in files make the batch "
                "with --vary groups=N: N sets of numbers, and everybody has a code"
            )


def chosen(entries: Iterable[Entries], stray: list[Stray]) -> list[Entries]:
    """The latest for each pupil and sheet, in the order of codes; the others become stray."""
    groups: dict[tuple[str, tuple[str, ...]], list[Entries]] = {}
    for one in entries:
        groups.setdefault((one.source.code or "", one.source.sheets), []).append(one)
    latest = []
    for key in sorted(groups):
        best = max(groups[key], key=weight)
        latest.append(best)
        for one in groups[key]:
            if one is not best:
                stray.append(Stray(one.source.file, _why_not(one, best)))
    return latest


def best_of(marks: Iterable[Marks], stray: list[Stray]) -> list[Marks]:
    """The marks of the file that earns most for each sheet; the others become stray.

    Of equal ones the last counts, so they must come with the latest last.
    """
    groups: dict[tuple[str, ...], list[Marks]] = {}
    for one in marks:
        groups.setdefault(one.source.sheets, []).append(one)
    best_files = []
    for some in groups.values():
        best = max(reversed(some), key=lambda one: one.points)
        best_files.append(best)
        for one in some:
            if one is not best:
                stray.append(Stray(one.source.file, _earns_less(one, best)))
    return best_files


def weight(one: Entries) -> tuple[bool, bool, datetime.datetime, int, str]:
    """What makes a file the latest: it comes last when files are sorted by it."""
    typed_by_teacher = one.source.kind == CSV
    return bool(one.typed), typed_by_teacher, time_of(one.changed), len(one.typed), one.source.file


def _taken(best: Entries | Marks) -> str:
    return f"{best.source.file} of the same pupil is taken"


def _earns_less(one: Marks, best: Marks) -> str:
    earned = f"{best.points:g} of {best.most:g} points"
    return f"{_taken(best)}, which earns {earned} (this one: {one.points:g})"


def _why_not(one: Entries, best: Entries) -> str:
    taken = _taken(best)
    if one.typed == best.typed:
        return f"{taken}, in which the same was typed"
    if not one.typed:
        return f"nothing was typed in; {taken}"
    if best.source.kind == CSV:
        return f"{taken}, typed from paper"
    if time_of(one.changed) < time_of(best.changed):
        return f"{taken}, saved later ({best.changed}; this one: {one.changed or 'not said'})"
    return f"{taken}, with more cells filled"


def time_of(changed: str | None) -> datetime.datetime:
    """When a file was saved by its own account; a time without a zone counts as UTC's.

    The beginning of time where it does not say.
    """
    try:
        time = datetime.datetime.fromisoformat(changed or "")
    except ValueError:
        return _NEVER
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
