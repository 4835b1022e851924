"""Numbers worked on box by box: what follows for each from what was kept for those before it."""

from collections.abc import Iterator, Mapping

import numpy as np

from generator.checks.areas import read_by
from generator.engine.expr import Area
from generator.engine.step import Cell
from generator.grading.meant import Number
from generator.grading.question import Question, computed_as


class Continued:
    """All numbers of a question; what is kept for a box goes on from there.

    At first all are right, or as in other `arrays` of the question. Boxes must be taken in their
    order. Numbers that nobody is asked for follow by themselves.
    """

    def __init__(self, question: Question, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self.question = question
        first = question.all_right if arrays is None else arrays
        self.arrays = {name: array.copy() for name, array in first.items()}
        self.look = question.look(self.arrays)
        self._waiting = set(question.exercise.waiting)

    def next(self, cell: Cell) -> Number:
        """What follows for a box; the right content where it has no expression or nothing does."""
        if not self.question.is_computed(cell):
            return self.question.right(cell)
        self._before(cell)
        value = computed_as(self.question.exercise.meaning(*cell), self.look)
        return self.question.right(cell) if value is None else value

    def keep(self, cell: Cell, value: Number) -> Number:
        """Go on with this content of a box."""
        self.arrays[cell[0]][cell[1], cell[2]] = value
        return value

    def _before(self, cell: Cell) -> None:
        """Work out the numbers without a box that a cell reads."""
        for one in self._read(cell):
            if one in self._waiting:
                self._waiting.remove(one)  # once: whatever it rests on is kept by now
                self._before(one)
                value = computed_as(self.question.exercise.meaning(*one), self.look)
                self.arrays[one[0]][one[1], one[2]] = "" if value is None else value

    def _read(self, cell: Cell) -> Iterator[Cell]:
        for read in read_by(self.question.exercise.meaning(*cell)):
            for ref in read.cells() if isinstance(read, Area) else [read]:
                yield ref.step, ref.i, ref.j
