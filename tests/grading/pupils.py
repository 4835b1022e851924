"""Simulated pupils: each works on with own numbers, makes known slips, miswrites, leaves blank."""

from dataclasses import dataclass, field

from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking.causes import Slips
from generator.grading.marking.question import AskedBox, Question
from generator.grading.marking.rule import Continued
from generator.grading.reading.entries import Number
from tests.reference.options import Draws

SLIP, MISWRITTEN, BLANK = 0.05, 0.03, 0.03
WIDEST = 1e4  # nobody writes larger numbers


@dataclass
class Solved:
    """What a pupil wrote, and what is true of it.

    `slips` are the boxes with a slip by its key, `miswritten` those with any other number than was
    computed, `blank` those left empty after computing in the head.
    """

    draws: Draws
    typed: dict[Cell, Number] = field(default_factory=dict)
    slips: dict[Cell, str] = field(default_factory=dict)
    miswritten: set[Cell] = field(default_factory=set)
    blank: set[Cell] = field(default_factory=set)

    def write_down(self, box: AskedBox, value: float) -> None:
        """Write a number into its box, perhaps another one, perhaps none."""
        self.typed[box.cell] = value
        luck = self.draws.number()
        if luck < MISWRITTEN:
            by = self.draws.choice((1.0, -1.0, 0.1, -0.1, 0.3))
            wrong = guarded_number(value + by, 4)
            if not box.same(wrong, value) and not box.is_right(wrong):
                self.typed[box.cell] = wrong
                self.miswritten.add(box.cell)
        elif luck < MISWRITTEN + BLANK:
            del self.typed[box.cell]
            self.blank.add(box.cell)

    def slip(self, box: AskedBox, value: float, head: Continued) -> tuple[str, float] | None:
        """A slip that shows, and what it gives; None where none would."""
        known = [(key, x) for key, x in Slips(head, box).of(value) if abs(x) < WIDEST]
        written = [(key, guarded_number(x, box.decimals)) for key, x in known]
        telling = [(k, x) for k, x in written if not box.same(x, value) and not box.is_right(x)]
        if not telling:
            return None
        chosen = self.draws.choice(sorted({key for key, _ in telling}))
        return chosen, self.draws.choice([x for key, x in telling if key == chosen])


def solved(asked: Question, draws: Draws, slip: float = SLIP) -> Solved:
    """A pupil's paper."""
    found, head = Solved(draws), Continued(asked.all_right)
    for cell in asked.cells:
        box = asked.boxes[cell]
        value = head.next(box)
        if not box.is_computed or isinstance(value, str):
            found.typed[cell] = head.keep(cell, box.right)
        elif draws.number() < slip and (wrong := found.slip(box, value, head)):
            found.slips[cell], found.typed[cell] = wrong
            head.keep(cell, found.typed[cell])
        else:
            head.keep(cell, value)
            found.write_down(box, value)
    return found
