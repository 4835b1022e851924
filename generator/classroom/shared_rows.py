"""Which rows of the class matrix pupils compute: those of nobody are printed for everybody."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from generator.classroom.lesson import Lesson
from generator.classroom.seats import Seat, tasks_of
from generator.classroom.task import Task
from generator.classroom.variation import focus_token
from generator.errors import UserError
from generator.sheets.series import SERIES


class Matrix(NamedTuple):
    """What pupils have in common who fill one matrix: the sentence, in a preset and a language."""

    preset_sha256: str
    sentence: str | None
    language: str | None


Taken: TypeAlias = Mapping[Matrix, frozenset[int]]


def taken(lesson: Lesson, seats: Iterable[Seat]) -> Taken:
    """The tokens that are somebody's, by their places, for each matrix.

    Only where the class fills one together. A seat that cannot be made has no token here; why is
    told where its files are made.
    """
    if lesson.variation.alone:
        return {}
    places_of: dict[Matrix, set[int]] = {}
    for seat in seats:
        with suppress(UserError):
            for task in matrices(lesson, seat):
                own = own_place(task, focus_token(task, lesson.seed, seat.key))
                places_of.setdefault(matrix_of(task), set()).update(own)
    return {key: frozenset(places) for key, places in places_of.items()}


def matrices(lesson: Lesson, seat: Seat) -> Iterable[Task]:
    """The tasks of a seat with the matrix of all tokens, each once."""
    tasks = tasks_of(lesson, seat)
    return dict.fromkeys(tasks[s] for s in lesson.filled if SERIES[s].kind.board == "tokens")


def others(taken: Taken, task: Task, exercise: int | None) -> list[int]:
    """The tokens that are somebody else's, in order; `exercise` is the seat's own."""
    return sorted(taken.get(matrix_of(task), frozenset()) - own_place(task, exercise))


def matrix_of(task: Task) -> Matrix:
    """The matrix that who has a task helps to fill."""
    return Matrix(task.preset.sha256, task.sentence, task.language)


def own_place(task: Task, exercise: int | None) -> frozenset[int]:
    """The place of the own token, the class's own where the seat has no other; none for neither."""
    own = task.base.exercise if exercise is None else exercise
    return frozenset() if own is None else frozenset([own])
