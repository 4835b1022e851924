"""How the credit of a cell came about; the rule itself stands in `rule`."""

from dataclasses import dataclass
from enum import StrEnum

from generator.engine.step import Cell
from generator.grading.meant import Number


class How(StrEnum):
    """Why a cell has its credit or has none, in the words of grading.xlsx and decisions.toml."""

    ORIGINAL = "original"  # the right value
    CARRIED = "carried"  # right with the pupil's own earlier entries
    FILLED = "filled"  # right with these, and the right value where one is blank
    MENDED = "mended"  # right with these, and what follows there for a blank or wrong one
    MISPLACED = "misplaced"  # right, but in a neighbour's box of the same step
    OTHER_ROW = "other_row"  # the numbers of another row of the step, such as another token's
    IDLE = "idle"  # carried from numbers with nothing to compute, such as zeros everywhere
    WRONG = "wrong"
    UNREADABLE = "unreadable"
    BLANK = "blank"


GOES_ON = frozenset({How.CARRIED, How.FILLED, How.MENDED})  # right with own numbers before it
EARNED = GOES_ON | {How.ORIGINAL}


@dataclass(frozen=True, slots=True)
class Judged:
    """One cell as the rule sees it.

    `value` is the entry as it was read, None where there is none. `expected` is what the cell
    would hold with the pupil's own numbers, None where these lead to nothing. `percent`: it was
    read as per cent without a sign. `remark` names what was noticed: the other row's label.
    """

    cell: Cell
    typed: Number | None
    value: Number | None
    right: Number
    expected: Number | None
    how: How
    percent: bool = False
    remark: str = ""
