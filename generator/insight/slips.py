"""The wrong number that each usual slip in self-attention gives.

Also here:

* What pupils get who round none of their own results: computed from the numbers on the sheet.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from generator.engine.fitness import FreeHead
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.rounding import guarded
from generator.engine.step import GIVEN, Cell
from generator.engine.trace import Trace
from generator.insight.row_again import row
from generator.notation.shown import shown_decimals, shown_values


@dataclass(frozen=True)
class Slip:
    """A slip by its catalogue key, the cell (step, row, column) it shows in, and its number."""

    key: str
    step: str
    i: int
    j: int
    wrong: float


def slips(
    trace: Trace, head: FreeHead, token: int, visible: tuple[int, ...], best: int
) -> list[Slip]:
    """The usual slips of one token's attention, seen in the number of its strongest partner.

    No √d_k, division by d_k, Σ replaced by the largest power, Σ forgotten in the output, query
    and key swapped, masked tokens counted. A slip that changes nothing here is left out.
    """
    place = visible.index(best)
    d_head = trace.preset.d_head
    weights, output = head.step("weights"), head.step("output")
    unscaled, halved = (row(trace, head.at, token, visible, d).shares[place] for d in (1.0, d_head))
    candidates = [
        _share("no_scale", weights, token, best, unscaled),
        _share("wrong_scale", weights, token, best, halved),
        _share("largest", weights, token, best, 1.0),
        Slip("no_sum", output, token, 0, _without_sum(trace, head, token, visible)),
        Slip("swapped", head.step("scores"), token, best, _swapped(trace, head.at, token, best)),
    ]
    everyone = tuple(range(len(trace.tokens)))
    if visible != everyone:
        shares = row(trace, head.at, token, everyone).shares
        candidates.append(_share("unmasked", weights, token, best, shares[best]))
    return [s for s in candidates if s.wrong != trace[s.step].values[s.i, s.j]]


def changing(trace: Trace, candidates: Iterable[Slip]) -> list[Slip]:
    """The slips that change a number as it is written."""
    return [s for s in candidates if _written(trace, s) != trace[s.step].values[s.i, s.j]]


def _written(trace: Trace, slip: Slip) -> float:
    return float(guarded(np.array([slip.wrong]), shown_decimals(trace[slip.step]))[0])


def _share(key: str, step: str, token: int, best: int, wrong: float) -> Slip:
    return Slip(key, step, token, best, float(wrong))


def _without_sum(trace: Trace, head: FreeHead, token: int, visible: tuple[int, ...]) -> float:
    powers = trace[head.step("exp")].values[token : token + 1, list(visible)]
    total = MatMul().value(powers, trace[head.step("value")].values[list(visible)])
    return float(_as_shown(trace, head.step("output"), total)[0, 0])


def _swapped(trace: Trace, at: str, token: int, best: int) -> float:
    key = trace[f"{at}.key"].values[token : token + 1]
    product = MatMulT().value(key, trace[f"{at}.query"].values[best : best + 1])
    return float(_as_shown(trace, f"{at}.scores", product)[0, 0])


def _as_shown(trace: Trace, step: str, values: np.ndarray) -> np.ndarray:
    decimals = trace[step].decimals
    return values if decimals is None else guarded(values, decimals)


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
