"""What the whole class has in common: the info leaf, the board example, the board."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from generator.classroom.common_leaves import common_leaf
from generator.classroom.lesson import Lesson
from generator.classroom.one_by_one import Papers, attempted
from generator.classroom.pupil_files import HAND_OUT, sheet_name
from generator.classroom.seats import Seat, task_of
from generator.classroom.shared_rows import Taken, common
from generator.classroom.task import Task
from generator.render.worksheet.teacher_pages import board
from generator.render.worksheet.worksheet import render, view
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.slug import folder_name

TEACHER = "teacher"


def make(lesson: Lesson, seats: Iterable[Seat], taken: Taken) -> Iterator[Papers]:
    """Info leaf and solved example of each sheet, once for all who share sentence and level.

    The board's matrix holds the rows of the tokens that are nobody's.
    """
    tasks = deque({task_of(lesson, seat): common(seat) for seat in seats}.items())
    sentences = len({(task.preset.sha256, task.sentence, task.language) for task, _ in tasks}) > 1
    levels = len({task.level for task, _ in tasks}) > 1
    boards: set[str] = set()
    while tasks:
        task, matrix = tasks.popleft()  # with all that was computed for it
        place = _mark(task) * sentences
        mark = place + f"-level-{task.level}" * levels
        for kind in ("pdf", "html"):
            for sheet in lesson.sheets if kind in lesson.outputs else ():
                what = f"info leaf and example of sheet {SERIES[sheet].name}{mark}"
                yield attempted(what, partial(_papers, lesson, task, sheet, kind, mark))
        if "pdf" in lesson.outputs and place not in boards:
            boards.add(place)
            rows = taken.get(matrix)
            yield attempted(f"board{place}", partial(_board, lesson, task, rows, place))


def _tokens(lesson: Lesson, task: Task) -> tuple[str, ...]:
    """What the class's matrix is about: the tokens, where a sheet has it filled together."""
    return task.base.tokens if _has_board(lesson, "tokens") else ()


def _words(lesson: Lesson, task: Task) -> tuple[str, ...]:
    """What the class counts: the words that a sheet draws."""
    return task.base["output.logits"].columns if _has_board(lesson, "words") else ()


def _has_board(lesson: Lesson, what: str) -> bool:
    return any(SERIES[sheet].kind.board == what for sheet in lesson.sheets)


def _board(lesson: Lesson, task: Task, taken: frozenset[int] | None, mark: str) -> dict[str, bytes]:
    tokens, words = _tokens(lesson, task), _words(lesson, task)
    if not (tokens or words):
        return {}
    options = replace(_options(lesson, task), alone=lesson.variation.alone)
    rows = {} if taken is None else _rows_of_nobody(lesson, task, taken)
    return {f"{TEACHER}/board{mark}.pdf": board(tokens, words, options, rows)}


def _rows_of_nobody(
    lesson: Lesson, task: Task, taken: frozenset[int]
) -> dict[int, tuple[str, ...]]:
    """The matrix's rows of the tokens that no pupil computes, as the sheet shows them."""
    sheet = next(name for name in lesson.filled if SERIES[name].kind.board == "tokens")
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
    both = task.base, task.trace({}, rounding="exact")
    options, one = _options(lesson, task), SERIES[sheet].kind
    if one.complete:
        whole = render(sheet, *both, options, kind=kind, variant="solution")
        return {f"{TEACHER}/{one.slug}{mark}.{kind}": whole}
    if one.single:
        name = sheet_name(sheet, kind, "").removesuffix(f".{kind}")
        return {f"{HAND_OUT}/{name}{mark}.{kind}": common_leaf(sheet, task, options, kind)}
    if one.screen:  # shown by the teacher, not handed out
        path = f"{TEACHER}/{sheet_name(sheet, kind, f'blank{mark}')}"
        leaf = render(sheet, *both, options, kind=kind, variant="blank")
    else:
        path = f"{HAND_OUT}/{sheet_name(sheet, kind, f'info{mark}')}"
        leaf = common_leaf(sheet, task, options, kind)
    solved = render(sheet, *both, options, kind=kind, variant="solution")
    return {path: leaf, f"{TEACHER}/{sheet_name(sheet, kind, f'solution{mark}')}": solved}
