"""Which rows of the class matrix pupils compute: those of nobody are printed for everybody."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from generator.classroom.lesson import Lesson
from generator.classroom.seats import Seat, task_of
from generator.classroom.task import Task
from generator.classroom.variation import focus_token
from generator.errors import UserError
from generator.sheets.series import SERIES


class Common(NamedTuple):
    """What pupils have in common who fill one matrix: the sentence, in a preset and a language."""

    preset_sha256: str
    sentence: str | None
    language: str


Taken: TypeAlias = Mapping[Common, frozenset[int]]


def taken(lesson: Lesson, seats: Iterable[Seat]) -> Taken:
    """The tokens that are somebody's, by their places, for each matrix.

    Only where the class fills one together. A seat that cannot be made has no token here; why is
    told where its files are made.
    """
    if lesson.variation.alone or not fills_matrix(lesson):
        return {}
    found: dict[Common, set[int]] = {}
    for seat in seats:
        with suppress(UserError):
            task = task_of(lesson, seat)
            own = own_place(task, focus_token(task, lesson.seed, seat.key))
            found.setdefault(common(seat), set()).update(own)
    return {key: frozenset(places) for key, places in found.items()}


def fills_matrix(lesson: Lesson) -> bool:
    """Whether a sheet of the lesson has the matrix of all tokens."""
    return any(SERIES[sheet].kind.board == "tokens" for sheet in lesson.filled)


def others(taken: Taken, seat: Seat, task: Task, exercise: int | None) -> list[int]:
    """The tokens that are somebody else's, in order; `exercise` is the seat's own."""
    return sorted(taken.get(common(seat), frozenset()) - own_place(task, exercise))


def common(seat: Seat) -> Common:
    """The matrix that a seat helps to fill."""
    return Common(seat.preset.sha256, seat.sentence, seat.language)


def own_place(task: Task, exercise: int | None) -> frozenset[int]:
    """The place of the own token, the class's own where the seat has no other; none for neither."""
    own = task.base.exercise if exercise is None else exercise
    return frozenset() if own is None else frozenset([own])
