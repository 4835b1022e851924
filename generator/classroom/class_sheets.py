"""What the whole class has in common: the info leaf, the board example, the board."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from generator.classroom.lesson import Lesson
from generator.classroom.one_by_one import Papers, attempted
from generator.classroom.pupil_files import HAND_OUT, sheet_name, task_of
from generator.classroom.seats import Seat
from generator.classroom.task import Task
from generator.classroom.workload import own_tokens
from generator.render.worksheet.teacher_pages import board
from generator.render.worksheet.worksheet import render
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.slug import folder_name

TEACHER = "teacher"


def make(lesson: Lesson, seats: Iterable[Seat]) -> Iterator[Papers]:
    """Info leaf and solved example of each sheet, once for all who share sentence and level."""
    tasks = deque(dict.fromkeys(task_of(lesson, seat) for seat in seats))
    sentences = len({(task.preset.sha256, task.sentence, task.language) for task in tasks}) > 1
    levels = len({task.level for task in tasks}) > 1
    boards: set[str] = set()
    while tasks:
        task = tasks.popleft()  # with all that was computed for it
        place = _mark(task) * sentences
        mark = place + f"-level-{task.level}" * levels
        for kind in ("pdf", "html"):
            for sheet in lesson.sheets if kind in lesson.outputs else ():
                what = f"info leaf and example of sheet {SERIES[sheet].name}{mark}"
                yield attempted(what, partial(_papers, lesson, task, sheet, kind, mark))
        if "pdf" in lesson.outputs and place not in boards:
            boards.add(place)
            yield attempted(f"board{place}", partial(_board, lesson, task, place))


def _tokens(lesson: Lesson, task: Task) -> tuple[str, ...]:
    """What the class's matrix is about: the tokens, where a sheet has it filled together."""
    return task.base.tokens if _has_board(lesson, "tokens") else ()


def _words(lesson: Lesson, task: Task) -> tuple[str, ...]:
    """What the class counts: the words that a sheet draws."""
    return task.base["output.logits"].columns if _has_board(lesson, "words") else ()


def _has_board(lesson: Lesson, what: str) -> bool:
    return any(SERIES[sheet].kind.board == what for sheet in lesson.sheets)


def _board(lesson: Lesson, task: Task, mark: str) -> dict[str, bytes]:
    tokens, words = _tokens(lesson, task), _words(lesson, task)
    if not (tokens or words):
        return {}
    options = lesson.options(task.base.language, task.level)
    made = board(tokens, words, replace(options, alone=lesson.variation.alone))
    return {f"{TEACHER}/board{mark}.pdf": made}


def _mark(task: Task) -> str:
    """What tells the papers of one sentence from those of another in file names."""
    base = task.base
    return f"-{folder_name(base.preset, base.sentence, base.language, base.edits)}"


def _papers(lesson: Lesson, task: Task, sheet: str, kind: str, mark: str) -> dict[str, bytes]:
    both = task.base, task.trace({}, rounding="exact")
    options = lesson.options(task.base.language, task.level)
    if SERIES[sheet].kind.complete:
        whole = render(sheet, *both, options, kind=kind, variant="solution")
        return {f"{TEACHER}/{SERIES[sheet].kind.slug}{mark}.{kind}": whole}
    blank, name, chosen, plan = HAND_OUT, "info", replace(options, part="info"), None
    if SERIES[sheet].kind.screen:  # shown by the teacher, not handed out
        blank, name, chosen = TEACHER, "blank", options
    elif SERIES[sheet].kind.filled:
        plan = info_plan(task, sheet)
    leaf = render(sheet, *both, chosen, kind=kind, variant="blank", plan=plan)
    solved = render(sheet, *both, options, kind=kind, variant="solution")
    return {
        f"{blank}/{sheet_name(sheet, kind, f'{name}{mark}')}": leaf,
        f"{TEACHER}/{sheet_name(sheet, kind, f'solution{mark}')}": solved,
    }


def info_plan(task: Task, sheet: str) -> Plan:
    """The sheet's plan with everything that anybody of the class is asked.

    So the one info leaf tells nobody's answers.
    """
    base = task.base_plans[sheet]
    others = [
        task.plans(task.trace({}, exercise=token))[sheet].asked
        for token in own_tokens(task)
        if token is not None
    ]
    return replace(base, asked=base.asked.union(*others))
