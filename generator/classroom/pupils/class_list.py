"""The class as a list that can be gone through again and again, each time with the same seats."""

from collections.abc import Callable, Iterable, Iterator

from generator.classroom.numbers.lesson import Lesson
from generator.classroom.pupils.roster import Entry, Pupil, RefusedLine
from generator.classroom.pupils.seats import Presets, Seat, seat_of, version_seats
from generator.errors import UserError

Rows = Callable[[], Iterable[Entry]]


class Roll:
    """Who gets a set; `rows` gives the lines of the class list anew at each call.

    The list streams; presets that it names are read once for the whole batch.
    """

    def __init__(self, lesson: Lesson, rows: Rows) -> None:
        self.lesson = lesson
        self.rows = rows
        self._presets = Presets(lesson.preset)

    def size(self) -> int:
        """How many sets there will be, those of refused lines counted."""
        return self.lesson.versions or sum(1 for _ in self.rows())

    def pupils(self) -> Iterator[Pupil]:
        """The pupils of the list, in its order."""
        return (row for row in self.rows() if isinstance(row, Pupil))

    def seats(self, problems: list[str]) -> Iterator[Seat]:
        """The seats in the list's order; lines that give none go to `problems`."""
        seats = self._seated(problems)
        if not self.lesson.versions:
            return seats
        for _ in seats:  # to hear of refused lines; the seats are those of the versions
            pass
        return version_seats(self.lesson)

    def _seated(self, problems: list[str]) -> Iterator[Seat]:
        codes: dict[str, int] = {}
        for row in self.rows():
            try:
                seat = self._seat(row, codes)
            except UserError as error:
                problems.append(f"line {row.line}: {error}")
            else:
                codes[seat.code] = row.line
                yield seat

    def _seat(self, row: Entry, codes: dict[str, int]) -> Seat:
        if isinstance(row, RefusedLine):
            raise UserError(row.message)
        seat = seat_of(self.lesson, row, self._presets)
        if seat.code in codes:
            raise UserError(f"its code is that of line {codes[seat.code]}; take another id")
        return seat
