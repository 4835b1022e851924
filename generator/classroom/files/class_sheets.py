"""What the whole class has in common: the info leaf, the board example, the board."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from generator.classroom.files.common_leaves import common_leaf
from generator.classroom.files.pool import Papers, attempted
from generator.classroom.files.pupil_files import HAND_OUT
from generator.classroom.files.work_sheets import Taken, matrix_of
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import TOGETHER
from generator.classroom.pupils.seats import Seat, task_of, tasks_of
from generator.insight.class_step import exercises
from generator.render.worksheet.teacher_pages import board
from generator.render.worksheet.worksheet import render, view
from generator.sheets.maths import Formulas
from generator.sheets.options import KINDS, VARIANTS, SheetOptions
from generator.sheets.series import SERIES
from generator.slug import folder_name

TEACHER = "teacher"


def make(lesson: Lesson, seats: Iterable[Seat], taken: Taken) -> Iterator[Papers]:
    """Info leaf and solved example of each sheet, once for all who share sentence and level.

    The board's matrix holds the rows of the tokens that are nobody's.
    """
    tasks = deque({task_of(lesson, seat): tasks_of(lesson, seat) for seat in seats}.items())
    sentences = len({matrix_of(task) for task, _ in tasks}) > 1
    levels = len({task.level for task, _ in tasks}) > 1
    boards: set[str] = set()
    while tasks:
        task, own = tasks.popleft()  # with all that was computed for it
        place = _mark(task) * sentences
        mark = place + f"-level-{task.level}" * levels
        for kind in ("pdf", "html"):
            for sheet in lesson.sheets if kind in lesson.outputs else ():
                what = f"info leaf and example of sheet {SERIES[sheet].name}{mark}"
                yield attempted(what, partial(_papers, lesson, own[sheet], sheet, kind, mark))
        if place not in boards:
            boards.add(place)
            for name, one in _boards(task, own).items():
                what, rows = f"board{name}{place}", taken.get(matrix_of(one))
                yield attempted(what, partial(_board, lesson, one, rows, what))


def _boards(task: Task, own: Mapping[str, Task]) -> Mapping[str, Task]:
    """The tasks that a class has a board for, by how its file is called behind "board"."""
    apart = {f"-{sheet}": one for sheet, one in own.items() if one != task}
    return {"": task, **apart}


def _tokens(task: Task) -> tuple[str, ...]:
    """What the class's matrix is about: the tokens, where a sheet has it filled together."""
    return task.base.tokens if _has_board(task, "tokens") else ()


def _words(task: Task) -> tuple[str, ...]:
    """What the class counts: the words that a sheet draws."""
    return task.base["output.logits"].columns if _has_board(task, "words") else ()


def _has_board(task: Task, what: str) -> bool:
    return any(SERIES[sheet].kind.board == what for sheet in task.sheets)


def _board(lesson: Lesson, task: Task, taken: frozenset[int] | None, name: str) -> dict[str, bytes]:
    tokens, words = _tokens(task), _words(task)
    if not (tokens or words):
        return {}
    options = replace(_options(lesson, task), alone=lesson.variation.alone)
    rows = {} if taken is None else _rows_of_nobody(lesson, task, taken)
    return {
        f"{TEACHER}/{name}.{kind}": board(tokens, words, options, rows, kind)
        for kind in KINDS
        if kind in lesson.outputs
    }


def _rows_of_nobody(
    lesson: Lesson, task: Task, taken: frozenset[int]
) -> dict[int, tuple[str, ...]]:
    """The matrix's rows of the tokens that no pupil computes, as the sheet shows them."""
    sheet = next(name for name in task.sheets if SERIES[name].kind.board == "tokens")
    shown = view(
        task.base_plans[sheet],
        *(task.base, task.trace({}, rounding="exact")),
        _options(lesson, task),
        Formulas(),
        blank=True,
    )
    nobodys = (i for i in range(len(shown.tokens)) if i not in taken)
    return {i: row for i in nobodys if (row := shown.class_row(i))}


def _options(lesson: Lesson, task: Task) -> SheetOptions:
    return lesson.options(task.base.language, task.level)


def _mark(task: Task) -> str:
    """What tells the papers of one sentence from those of another in file names."""
    base = task.base
    return f"-{folder_name(base.preset, base.sentence, base.language, base.edits)}"


def _papers(lesson: Lesson, task: Task, sheet: str, kind: str, mark: str) -> dict[str, bytes]:
    """The sheet's files for the class; slides are shown by the teacher, not handed out."""
    options, one, files = _options(lesson, task), SERIES[sheet], {}
    for variant in one.kind.variants(VARIANTS):
        if variant == "blank" and not one.kind.screen:
            path = f"{HAND_OUT}/{one.file('info', kind, mark)}"
            files[path] = common_leaf(sheet, task, options, kind)
        else:
            both = task.base, task.trace({}, rounding="exact")
            path = f"{TEACHER}/{one.file(variant, kind, mark)}"
            files[path] = render(sheet, *both, options, kind=kind, variant=variant)
    if task.grouped and sheet == TOGETHER:
        files[f"{TEACHER}/board-{one.name}{mark}.{kind}"] = _common_board(task, options, kind)
    return files


def _common_board(task: Task, options: SheetOptions, kind: str) -> bytes:
    """What all groups of the class do together, blank."""
    whole = len(exercises(task.base))
    trace = task.trace({}, exercise=whole)
    exact = task.trace({}, exercise=whole, rounding="exact")
    return render(TOGETHER, trace, exact, replace(options, part="work"), kind=kind)
