"""An operation's view of its inputs when it writes a cell: names and shapes, never numbers."""

from typing import NamedTuple

from generator.engine.expr import Area, Ref


class Operand(NamedTuple):
    """A step as an input of an operation: its name and its shape [height, width]."""

    step: str
    height: int
    width: int

    def at(self, i: int, j: int) -> Ref:
        """The cell in row i and column j, counted from 0."""
        return Ref(self.step, i, j)

    def row(self, i: int) -> Area:
        """Row i as an area [1, width]."""
        return Area(self.step, i, i + 1, 0, self.width)

    def column(self, j: int) -> Area:
        """Column j as an area [height, 1]."""
        return Area(self.step, 0, self.height, j, j + 1)

    def part(self, i: int, start: int, stop: int) -> Area:
        """Columns `start` to `stop` (half open) of row i."""
        return Area(self.step, i, i + 1, start, stop)
