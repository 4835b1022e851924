"""Who sits where: versions along the rows, so that nobody has a neighbour's numbers.

Pupils are seated in the order of the list, row by row. Beside each other versions follow one
another; each row begins with another one than the row in front.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.classroom.numbers.variation import LETTERS
from generator.classroom.pupils.roster import Entry, Pupil
from generator.classroom.pupils.seats import Rows
from generator.errors import UserError

ROW = 6  # seats side by side
DIAGONAL = 4  # from so many versions on, those who sit diagonally differ, too


class SeatPlace(NamedTuple):
    """A seat of the room: its row from the front and its place in the row, both from 0."""

    row: int
    seat: int


def version_at(place: SeatPlace, versions: int) -> int:
    """Which version lies there, from 0."""
    step = 2 if versions >= DIAGONAL else 1
    return (place.seat + step * place.row) % versions


def in_versions(rows: Rows, versions: int, width: int) -> Rows:
    """The class list with a version for each pupil who has none in the list; as it is without any.

    A version depends on the pupil's number in the list, so that late joiners change nobody's.
    """
    if not versions:
        return rows

    def seated() -> Iterator[Entry]:
        for row in rows():
            if isinstance(row, Pupil) and row.group is None:
                place = SeatPlace(*divmod(row.number - 1, width))
                row = row._replace(group=LETTERS[version_at(place, versions)])
            yield row

    return seated


def plan(groups: Sequence[str], versions: int, width: int) -> list[tuple[int, SeatPlace]]:
    """A place for each of the pupils, who have these versions: pairs of pupil and place.

    A seat is left free where nobody with its version is left.
    """
    if not versions:
        return [(k, SeatPlace(*divmod(k, width))) for k in range(len(groups))]
    waiting = {letter: _places_of(groups, letter) for letter in LETTERS[:versions]}
    placed: list[tuple[int, SeatPlace]] = []
    seat = 0
    while len(placed) < len(groups):
        place = SeatPlace(*divmod(seat, width))
        pupil = next(waiting[LETTERS[version_at(place, versions)]], None)
        placed += [] if pupil is None else [(pupil, place)]
        seat += 1
    return placed


def _places_of(groups: Sequence[str], letter: str) -> Iterator[int]:
    return (k for k, group in enumerate(groups) if group == letter)


def versions_of(names: Sequence[str]) -> int:
    """How many versions are asked for by their letters; `UserError` for other than A, B, …"""
    letters = [name.strip().upper() for name in names]
    if not 2 <= len(letters) <= len(LETTERS) or letters != list(LETTERS[: len(letters)]):
        raise UserError(
            f"--versions: found {','.join(names)!r}, expected two to six letters from A on, such "
            "as A,B or A,B,C: with one version neighbours would have the same numbers; where "
            "everybody is to have numbers of their own take --vary numbers"
        )
    return len(letters)
