"""Usual slips: each with the wrong number that it gives, and where that shows.

Also here:

* What pupils get who round none of their own results: computed from the numbers on the sheet.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from generator.engine.rounding import guarded_number
from generator.engine.step import GIVEN, Cell
from generator.engine.trace import Trace
from generator.notation.shown import shown_decimals, shown_values


@dataclass(frozen=True)
class Slip:
    """A slip by its catalogue key, the cell (step, row, column) it shows in, and its number."""

    key: str
    step: str
    i: int
    j: int
    wrong: float


def changing(trace: Trace, candidates: Iterable[Slip]) -> list[Slip]:
    """The slips that change a number, and change it as it is written."""
    found = ((slip, trace[slip.step]) for slip in candidates)
    return [
        slip
        for slip, step in found
        if step.values[slip.i, slip.j]
        not in (slip.wrong, guarded_number(slip.wrong, shown_decimals(step)))
    ]


class Unrounded:
    """A computation in which only the asked cells are computed, and none of them is rounded.

    All other cells are as the sheet prints them: start values from an earlier sheet stay rounded.
    """

    def __init__(self, trace: Trace, asked: Iterable[Cell]) -> None:
        self.trace = trace
        self._asked: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for name, i, j in asked:
            self._asked[trace[name].name].append((i, j))
        self._known: dict[str, np.ndarray] = {}

    def values(self, name: str) -> np.ndarray:
        """The numbers of a step [rows, columns]."""
        name = self.trace[name].name
        if name not in self._known:
            self._known[name] = self._values(name)
        return self._known[name]

    def _values(self, name: str) -> np.ndarray:
        step = self.trace[name]
        printed = step.values if step.text else shown_values(step)
        cells = self._asked[name]
        if step.op is GIVEN or not cells:
            return printed
        computed = step.op.value(*map(self.values, step.inputs))
        values = printed.copy()
        places = tuple(zip(*cells, strict=True))
        values[places] = computed[places]
        return values
