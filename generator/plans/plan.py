"""What every plan of a worksheet holds."""

from dataclasses import dataclass
from typing import TypeAlias

from generator.errors import UserError

Cell: TypeAlias = tuple[str, int, int]

LEVELS = (1, 2, 3)
MARKS = {1: "●", 2: "▲", 3: "■"}
MOST_NUMBERS = {1: 16, 2: 30, 3: 47}
MOST_SHOWN = 12
MOST_ASKED = 8


@dataclass(frozen=True)
class Plan:
    """A worksheet's content: tokens and cells by place; numbers come from the Trace.

    `own` is the row that pupils compute, `worked` the row of the example; `visible` and
    `worked_visible` are the tokens each of them sees. `asked` are the cells to fill, `rows` the
    tokens whose scores are asked, `outputs` how many numbers of the output.
    """

    sheet: str
    level: int
    at: str
    worked: int
    own: int
    visible: tuple[int, ...]
    worked_visible: tuple[int, ...]
    rows: tuple[int, ...]
    outputs: int
    projects: bool
    asked: frozenset[Cell]
    minutes: int

    @property
    def mark(self) -> str:
        """The neutral mark of the level, printed instead of "level 2"."""
        return MARKS[self.level]


def require_level(level: int) -> None:
    """Raise a `UserError` for a level that there is none of."""
    if level not in LEVELS:
        raise UserError(f"there is no level {level}; choose from: 1, 2, 3")
