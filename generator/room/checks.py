"""The Probe before a hand-over: a sum that a pair can compute a second time in another way.

Both sides are expressions over cells of the Trace, so that cards print them, solutions evaluate
them and a test tries them with wrong numbers. Scaling, powers, ReLU and roots have none: there the
two of a pair compare.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from generator.engine.evaluate import evaluate
from generator.engine.expr import Expr, Lookup, Num, Ref, total
from generator.engine.ops import attention, feedforward, linear
from generator.engine.step import Cell
from generator.engine.trace import Step
from generator.insight.add_norm import LEAST_SIGMA, stage
from generator.insight.tolerances import allowed
from generator.room.cut import FINALE, RoomWork

NEAR: Final = 1e-9
SEVERAL: Final = 2


class Sides(NamedTuple):
    """Σ of some cells and a second way to it; `kind` names the sentence that says so."""

    kind: str
    left: Expr
    right: Expr
    tolerance: float
    ways: int = 0  # products and terms of the second way
    factors: tuple[tuple[Ref, Expr], ...] = ()  # of products: each with the sum that it is taken by

    def met(self, lookup: Lookup) -> bool:
        """Whether both ways give the same with these numbers, within the tolerance."""
        left, right = (evaluate(side, lookup) for side in (self.left, self.right))
        return abs(float(left) - float(right)) <= self.tolerance + NEAR


@dataclass(frozen=True, eq=False)
class Probe:
    """The Probe of some cells of one row of one step."""

    work: RoomWork
    cells: Sequence[Cell]

    @cached_property
    def sides(self) -> tuple[Sides, ...]:
        """What is compared; nothing where there is no Probe."""
        op = self.step.op
        if self.work.steps[self.step.name] == FINALE and not isinstance(op, linear.MatMulT):
            return ()  # the row is spread over the room: whoever conducts adds it up
        if isinstance(op, attention.RowShare):
            return tuple(self._of_shares())
        if isinstance(op, feedforward.Normalise):
            return tuple(self._of_norm())
        left = total([Ref(*cell) for cell in self.cells])
        if len(self.cells) < SEVERAL:
            return ()
        if isinstance(op, linear.Plus):
            _, row, _ = self.cells[0]
            both: list[Expr] = [Ref(name, row, j) for name in self.step.inputs
                                for _, _, j in self.cells]  # fmt: skip
            return (Sides("sum", left, total(both), 0.0, len(both)),)
        if isinstance(op, linear.MatMul | linear.MatMulT):
            several = any(len(self.work.terms(cell)) > 1 for cell in self.cells)
            return (self._of_products(left),) if several else ()
        return ()

    @property
    def later(self) -> bool:
        """Whether the norm's Probe finds slips here: in mean, variance and σ."""
        norms = (step for step in self.work.trace if isinstance(step.op, feedforward.Normalise))
        mine = (step for step in norms if self.step.name in _before(self.work, step))
        return any(Probe(self.work, self.work.row_of(one.name, self.cells[0][1])).sides
                   for one in mine)  # fmt: skip

    @property
    def shared(self) -> bool:
        """Whether the two of a pair share the cells: a Probe follows, now or soon."""
        return bool(self.sides) or self.later

    def seconds(self) -> float:
        """Seconds of the class's median for a look at the partner's numbers, or for the Probe.

        One of the two adds the cells, the other one goes the second way.
        """
        second = self.work.second
        practised = second("compare")
        for one in self.sides:
            way = one.ways * second("square" if one.kind == "squares" else "dot")
            practised += max(len(self.cells) * second("sum"), way)
        return practised * second("class_median")

    def holds(self, lookup: Lookup) -> bool:
        """Whether both ways meet with these numbers; True where there is no Probe."""
        return all(one.met(lookup) for one in self.sides)

    @cached_property
    def step(self) -> Step:
        """The step of the cells."""
        return self.work.trace[self.cells[0][0]]

    @cached_property
    def _row(self) -> list[Cell]:
        """All cells of this row, which a table's pairs have between them."""
        name, row, _ = self.cells[0]
        return self.work.row_of(name, row)

    def _of_shares(self) -> Iterator[Sides]:
        if len(self._row) >= SEVERAL:
            left = total([Ref(*cell) for cell in self._row])
            yield Sides("one", left, Num(1), self._slack(self._row))

    def _of_norm(self) -> Iterator[Sides]:
        """Σ y = 0 and Σ y² = d, where every table's σ is large enough for the tolerances."""
        trace, refs = self.work.trace, [Ref(*cell) for cell in self._row]
        part = stage(trace, self.step.inputs[0], "")
        if part.mean and float(trace[part.root].values.min()) >= LEAST_SIGMA:
            yield Sides("zero", total(list(refs)), Num(0), part.off_zero(trace))
            squares = total([ref * ref for ref in refs])
            ways = len(self.cells)
            yield Sides("squares", squares, Num(len(refs)), part.off_count(trace), ways)

    def _of_products(self, left: Expr) -> Sides:
        """Σ of the cells = Σ of each factor times the sum of what it is multiplied by."""
        factors: dict[Ref, list[Expr]] = {}
        biases: list[Expr] = []
        for cell in self.cells:
            for one, other in self.work.terms(cell):
                if isinstance(one, Ref):
                    factors.setdefault(one, []).append(other)
            biases += [Ref(name, 0, cell[2]) for name in self.step.inputs[2:]]
        by_factor = tuple((one, total(others)) for one, others in factors.items())
        products: list[Expr] = [one * other for one, other in by_factor]
        ways = len(products) + len(biases)
        slack = self._slack(self.cells)
        return Sides("products", left, total([*products, *biases]), slack, ways, by_factor)

    def _slack(self, cells: Sequence[Cell]) -> float:
        """What the roundings of these cells can add up to."""
        cut = [cell for cell in cells if self.work.is_cut(cell)]
        return allowed(self.work.trace, (len(cut), self.step.name)) if cut else 0.0


def _before(work: RoomWork, normalised: Step) -> set[str]:
    """The steps of a norm before its quotients: mean, σ² and σ."""
    part = stage(work.trace, normalised.inputs[0], "")
    return {part.mean, part.square, part.root}
