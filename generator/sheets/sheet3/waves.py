"""The drawing of the positions' waves: where curves, gaps and marks stand, in millimetres."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

LEFT, TOP, BOTTOM, RIGHT = 11.0, 3.0, 6.0, 1.0
SAMPLE = 0.05  # of a position
TICK = 1.6  # mm; an answer's curve keeps this far from a gap's edges, where the blank has ink
MOST_UNIT = 26.0


class Mark(NamedTuple):
    """A mark at a position: a cross for a sine, a ring for a cosine."""

    x: float
    y: float
    ring: bool


@dataclass(frozen=True)
class Waves:
    """Positions 0 to `last` from left to right, −1 to 1 upwards; `gaps` are left white.

    `values` gives a dimension at some positions. Nothing in a gap is ever asked of it for a blank.
    """

    values: Callable[[int, list[float]], np.ndarray]
    last: float
    gaps: tuple[float, ...]
    width: float
    unit_y: float

    @property
    def unit(self) -> float:
        """Millimetres from one position to the next."""
        return min(MOST_UNIT, (self.width - LEFT - RIGHT) / (self.last + 1))

    @property
    def height(self) -> float:
        """The height of the whole drawing."""
        return TOP + 2 * self.unit_y + BOTTOM

    @property
    def right(self) -> float:
        """The right end of the axis."""
        return self.x(self.last + 0.5)

    def x(self, position: float) -> float:
        """Where a position stands, in the middle of its own column."""
        return LEFT + (position + 0.5) * self.unit

    def y(self, value: float) -> float:
        """How far down a number stands."""
        return TOP + (1.0 - value) * self.unit_y

    def outside(self) -> list[tuple[float, float]]:
        """The stretches of the axis, in positions, that are no gap."""
        edges = [-0.5, *(e for g in sorted(self.gaps) for e in (g - 0.5, g + 0.5)), self.last + 0.5]
        stretches = zip(edges[::2], edges[1::2], strict=True)
        return [(start, end) for start, end in stretches if end - start > 1e-9]

    def curves(self, column: int) -> list[str]:
        """A dimension's wave outside the gaps, as SVG paths; it begins at position 0."""
        return [self._path(column, max(0.0, start), end) for start, end in self.outside()]

    def inside(self, column: int, gap: float) -> str:
        """A dimension's wave within a gap. Only for solutions."""
        margin = TICK / self.unit * 1.5
        return self._path(column, max(0.0, gap - 0.5 + margin), gap + 0.5 - margin)

    def marks(self, column: int) -> list[Mark]:
        """The marks of a dimension at the whole positions outside the gaps."""
        places = [float(k) for k in range(int(self.last) + 1) if float(k) not in self.gaps]
        if not places:
            return []
        values = self.values(column, places).tolist()
        return [self.mark(column, p, v) for p, v in zip(places, values, strict=True)]

    def mark(self, column: int, position: float, value: float) -> Mark:
        """The mark of a number at a position."""
        return Mark(self.x(position), self.y(value), column % 2 == 1)

    def _path(self, column: int, start: float, end: float) -> str:
        count = max(2, round((end - start) / SAMPLE) + 1)
        places = np.linspace(start, end, count).tolist()
        values = self.values(column, places).tolist()
        ends = (f"{self.x(p):.2f} {self.y(v):.2f}" for p, v in zip(places, values, strict=True))
        return "M" + "L".join(ends)
