"""Simulated pupils: each works on with own numbers, makes known slips, miswrites, leaves blank."""

from dataclasses import dataclass, field

from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking.causes import Slips, general
from generator.grading.marking.question import Question
from generator.grading.marking.rule import Continued
from generator.grading.reading.meant import Number
from generator.notation.shown import shown_decimals
from tests.reference.options import Draws

SLIP, MISWRITTEN, BLANK = 0.05, 0.03, 0.03
WIDEST = 1e4  # nobody writes larger numbers


@dataclass
class Solved:
    """What a pupil wrote, and what is true of it.

    `slips` are the boxes with a slip by its key, `miswritten` those with any other number than was
    computed, `blank` those left empty after computing in the head.
    """

    typed: dict[Cell, Number] = field(default_factory=dict)
    slips: dict[Cell, str] = field(default_factory=dict)
    miswritten: set[Cell] = field(default_factory=set)
    blank: set[Cell] = field(default_factory=set)
    points: float = 0


def solved(asked: Question, draws: Draws, slip: float = SLIP, other: float = 1) -> Solved:
    """A pupil's paper; `other` scales how often numbers are miswritten or left out."""
    found, head = Solved(), Continued(asked)
    for cell in asked.cells:
        value = head.next(cell)
        if not asked.is_computed(cell) or isinstance(value, str):
            found.typed[cell] = head.keep(cell, asked.right(cell))
            continue
        if draws.number() < slip and (wrong := _slip(asked, cell, value, head, draws)):
            found.slips[cell], value = wrong
        found.typed[cell] = head.keep(cell, value)
        if cell not in found.slips:
            _write_down(found, cell, value, asked, draws, other)
    return found


def _write_down(
    found: Solved, cell: Cell, value: float, asked: Question, draws: Draws, other: float
) -> None:
    luck = draws.number()
    if luck < MISWRITTEN * other:
        by = draws.choice((1.0, -1.0, 0.1, -0.1, 0.3))
        wrong = guarded_number(value + by, 4)
        if not asked.same(cell, wrong, value) and not asked.same(cell, wrong, asked.right(cell)):
            found.typed[cell] = wrong
            found.miswritten.add(cell)
    elif luck < (MISWRITTEN + BLANK) * other:
        del found.typed[cell]
        found.blank.add(cell)


def _slip(
    asked: Question, cell: Cell, value: float, head: Continued, draws: Draws
) -> tuple[str, float] | None:
    """A slip that shows, and what it gives; None where none would."""
    step = asked.step(cell)
    known = [*general(asked, cell, value), *Slips(head.numbers).of_cell(cell)]
    written = [
        (key, guarded_number(x, shown_decimals(step))) for key, x in known if abs(x) < WIDEST
    ]
    telling = [
        (key, x)
        for key, x in written
        if not asked.same(cell, x, value) and not asked.same(cell, x, asked.right(cell))
    ]
    keys = sorted({key for key, _ in telling})
    if not keys:
        return None
    chosen = draws.choice(keys)
    return chosen, draws.choice([x for key, x in telling if key == chosen])
