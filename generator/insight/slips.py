"""Usual slips: each with the wrong number that it gives, and where that shows.

Also here:

* What pupils get who round none of their own results: computed from the numbers on the sheet.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from generator.engine.ops.attention import Root
from generator.engine.step import GIVEN, Cell, Step
from generator.engine.trace import Trace
from generator.notation.shown import shown_decimals, shown_values

MISSED = 1.5  # units of the last digit: what misses by less is printed as ±1


@dataclass(frozen=True)
class Slip:
    """A slip by its catalogue key, the cell (step, row, column) it shows in, and its number."""

    key: str
    step: str
    i: int
    j: int
    wrong: float


def changing(trace: Trace, candidates: Iterable[Slip]) -> list[Slip]:
    """The slips that are seen: ±1 in the last digit of a rounded number counts as right."""
    found = ((slip, trace[slip.step], shown_decimals(trace[slip.step])) for slip in candidates)
    return [
        slip
        for slip, step, places in found
        if abs(slip.wrong - step.values[slip.i, slip.j]) > (MISSED * 10.0**-places if places else 0)
    ]


@dataclass(frozen=True)
class Unrounded:
    """A computation in which only the asked cells are computed, and none of them is rounded.

    All other cells are as the sheet prints them: start values from an earlier sheet stay rounded.
    But √2 is √2, and not 1.41.
    """

    trace: Trace
    asked: Collection[Cell]
    known: dict[str, np.ndarray] = field(default_factory=dict)

    def values(self, name: str) -> np.ndarray:
        """The numbers of a step [rows, columns]."""
        step = self.trace[name]
        if step.name not in self.known:
            self.known[step.name] = self._values(step)
        return self.known[step.name]

    def _values(self, step: Step) -> np.ndarray:
        printed = step.values if step.text else shown_values(step)
        cells = [(i, j) for name, i, j in self.asked if self.trace[name].name == step.name]
        cells += [(0, 0)] * isinstance(step.op, Root)
        if step.op is GIVEN or not cells:
            return printed
        computed = step.op.value(*map(self.values, step.inputs))
        values = printed.copy()
        places = tuple(zip(*cells, strict=True))
        values[places] = computed[places]
        return values
