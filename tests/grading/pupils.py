"""Simulated pupils: each works on with own numbers, makes known slips, miswrites, leaves blank."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from generator.checks.areas import read_by
from generator.engine.expr import Area
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.causes import _general
from generator.grading.mutations import Slips
from generator.grading.question import Number, Question, computed_as
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


def solved(asked: Question, draws: Draws, slip: float = SLIP, other: float = 1) -> Solved:
    """A pupil's paper; `other` scales how often numbers are miswritten or left out."""
    found, head = Solved(), _Head(asked)
    for cell in asked.cells:
        value = head.right(cell)
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
    asked: Question, cell: Cell, value: float, head: "_Head", draws: Draws
) -> tuple[str, float] | None:
    """A slip that shows, and what it gives; None where none would."""
    step = asked.step(cell)
    slips = Slips(head.look, lambda name: asked.trace[name].shape, head.meaning)
    numbers = [(m.key, computed_as(m.expression, head.look))
               for m in slips.of(asked.exercise.meaning(*cell))]  # fmt: skip
    known = [*_general(asked, cell, value), *numbers]
    written = [
        (key, guarded_number(x, shown_decimals(step)))
        for key, x in known
        if isinstance(x, float) and abs(x) < WIDEST
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


class _Head:
    """What a pupil has in mind: all numbers, those computed so far being the own ones."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.arrays = {name: array.copy() for name, array in asked.all_right.items()}
        self.waiting = frozenset(asked.exercise.waiting)
        self.look = asked.look(self.arrays)

    def right(self, cell: Cell) -> Number:
        """What follows for a cell; the right value where own numbers lead to nothing."""
        if not self.asked.is_computed(cell):
            return self.asked.right(cell)
        self._before(cell)
        found = computed_as(self.asked.exercise.meaning(*cell), self.look)
        return self.asked.right(cell) if found is None else found

    def keep(self, cell: Cell, value: Number) -> Number:
        """Go on with this number."""
        self.arrays[cell[0]][cell[1], cell[2]] = value
        return value

    def meaning(self, ref: object) -> object:
        """What a cell that is divided by is."""
        known = self.asked.trace[ref.step].kind != "given"
        return self.asked.trace.cell(ref.step, ref.i, ref.j) if known else None

    def _before(self, cell: Cell) -> None:
        """Compute the waiting cells that a cell reads."""
        for read in read_by(self.asked.exercise.meaning(*cell)):
            for ref in read.cells() if isinstance(read, Area) else [read]:
                one = (ref.step, ref.i, ref.j)
                if one in self.waiting:
                    self._before(one)
                    value = computed_as(self.asked.exercise.meaning(*one), self.look)
                    self.arrays[ref.step][ref.i, ref.j] = 0.0 if value is None else value


Look = Mapping[str, np.ndarray]
