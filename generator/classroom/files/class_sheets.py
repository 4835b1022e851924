"""What the whole class has in common: the info leaf, the board example, the board."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from generator.classroom.files.pool import Papers, attempted
from generator.classroom.files.pupil_files import HAND_OUT
from generator.classroom.files.work_sheets import Pair, SharedLeaf, Taken, matrix_of
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import TOGETHER
from generator.classroom.pupils.seats import Seat
from generator.insight.class_step import exercises
from generator.render.worksheet.teacher_pages import board
from generator.render.worksheet.worksheet import PrintedSheet, render
from generator.sheets.options import KINDS, VARIANTS, SheetOptions
from generator.sheets.series import SERIES
from generator.slug import folder_name

TEACHER = "teacher"


def make(lesson: Lesson, seats: Iterable[Seat], taken: Taken) -> Iterator[Papers]:
    """Info leaf and solved example of each sheet, once for all who share sentence and level.

    The board's matrix holds the rows of the tokens that are nobody's.
    """
    tasks = deque({seat.task: seat.tasks for seat in seats}.items())
    sentences = len({matrix_of(task) for task, _ in tasks}) > 1
    levels = len({task.level for task, _ in tasks}) > 1
    boards: set[str] = set()
    while tasks:
        task, own = tasks.popleft()  # with all that was computed for it
        place = _mark(task) * sentences
        mark = place + f"-level-{task.level}" * levels
        for kind in ("pdf", "html"):
            for sheet in lesson.sheets if kind in lesson.outputs else ():
                common = CommonPapers(lesson, own[sheet])
                what = f"info leaf and example of sheet {SERIES[sheet].name}{mark}"
                yield attempted(what, partial(common.papers, sheet, kind, mark))
        if place not in boards:
            boards.add(place)
            for name, one in _boards(task, own).items():
                what, rows = f"board{name}{place}", taken.get(matrix_of(one))
                yield attempted(what, partial(CommonPapers(lesson, one).board, rows, what))


def _boards(task: Task, own: Mapping[str, Task]) -> Mapping[str, Task]:
    """The tasks that a class has a board for, by how its file is called behind "board"."""
    apart = {f"-{sheet}": one for sheet, one in own.items() if one != task}
    return {"": task, **apart}


def _mark(task: Task) -> str:
    """What tells the papers of one sentence from those of another in file names."""
    return f"-{folder_name(task.base)}"


@dataclass(frozen=True)
class CommonPapers:
    """What all of a lesson who have a task get alike, and what the teacher shows them."""

    lesson: Lesson
    task: Task

    @property
    def options(self) -> SheetOptions:
        """How these papers are printed."""
        return self.lesson.options(self.task.base.language, self.task.level)

    def _has_board(self, what: str) -> bool:
        return any(SERIES[sheet].kind.board == what for sheet in self.task.sheets)

    def board(self, taken: frozenset[int] | None, name: str) -> dict[str, bytes]:
        """The class's matrix about the tokens, and what it counts: the words that a sheet draws."""
        base = self.task.base
        tokens = base.tokens if self._has_board("tokens") else ()
        words = base["output.logits"].columns if self._has_board("words") else ()
        if not (tokens or words):
            return {}
        options = replace(self.options, alone=self.lesson.variation.alone)
        rows = {} if taken is None else self._rows_of_nobody(taken)
        return {
            f"{TEACHER}/{name}.{kind}": board(tokens, words, options, rows, kind)
            for kind in KINDS
            if kind in self.lesson.outputs
        }

    def _rows_of_nobody(self, taken: frozenset[int]) -> dict[int, tuple[str, ...]]:
        """The matrix's rows of the tokens that no pupil computes, as the sheet shows them."""
        sheet = next(name for name in self.task.sheets if SERIES[name].kind.board == "tokens")
        plan, both = self.task.base_plans[sheet], self._both(None)
        shown = PrintedSheet(plan, *both, self.options).view(blank=True)
        nobodys = (i for i in range(len(shown.tokens)) if i not in taken)
        return {i: row for i in nobodys if (row := shown.class_row(i))}

    def _both(self, exercise: int | None) -> Pair:
        """The class's own computation, or a group's."""
        paper = self.task.base if exercise is None else self.task.trace({}, exercise=exercise)
        return Pair(paper, self.task.trace({}, exercise=exercise, rounding="exact"))

    def papers(self, sheet: str, kind: str, mark: str) -> dict[str, bytes]:
        """The sheet's files for the class; slides are shown by the teacher, not handed out."""
        one, files = SERIES[sheet], {}
        for variant in one.kind.variants(VARIANTS):
            if variant == "blank" and not one.kind.screen:
                path = f"{HAND_OUT}/{one.file('info', kind, mark)}"
                files[path] = SharedLeaf(sheet, self.task, self.options).file(kind)
            else:
                path = f"{TEACHER}/{one.file(variant, kind, mark)}"
                made_from = sheet, *self._both(None), self.options
                files[path] = render(*made_from, kind=kind, variant=variant)
        if self.task.grouped and sheet == TOGETHER:  # what all groups do together, blank
            both = self._both(len(exercises(self.task.base)))
            options = replace(self.options, part="work")
            path = f"{TEACHER}/board-{one.name}{mark}.{kind}"
            files[path] = render(sheet, *both, options, kind=kind)
        return files
