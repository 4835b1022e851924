"""One "add & norm" of a block: which steps belong to it, and the steps that only paper has.

Also here:

* The wrong number that each usual slip in add & norm and in the feed-forward network gives.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from generator.engine.ops.attention import MinusRow, RowSum
from generator.engine.ops.base import Op
from generator.engine.ops.copying import SelectRow
from generator.engine.ops.feedforward import GainShift
from generator.engine.ops.linear import MatMul, Over
from generator.engine.rounding import guarded_number
from generator.engine.scope import Scope
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip, changing
from generator.insight.tolerances import half
from generator.notation.shown import shown_decimals, shown_value

LEAST_SIGMA = 0.3  # for which the tolerances of the checks hold


class Stage(NamedTuple):
    """The names of the steps from old + new to the normalised row.

    `prefix` begins the names of the steps made for paper: deviations from the mean, squares.
    `square` is the mean of squares, σ² or RMS² of RMSNorm, `root` its root. The names from `mean`
    on are empty where no norm follows, `mean` with RMSNorm too; `gain`, `shift`, `scaled` where the
    norm has neither of them.
    """

    prefix: str
    old: str
    new: str
    total: str
    mean: str = ""
    square: str = ""
    root: str = ""
    normalised: str = ""
    gain: str = ""
    shift: str = ""
    scaled: str = ""

    @property
    def deviations(self) -> str:
        """The step of r − μ, a row for each token."""
        return f"{self.prefix}.deviations"

    def squares(self, row: int) -> str:
        """The step of (r − μ)², with RMSNorm r², of one token, a single row."""
        return f"{self.prefix}.token{row + 1}.{'squares' if self.mean else 'plain_squares'}"

    @property
    def of_row(self) -> tuple[str, ...]:
        """The steps of the norm that have one number for each row, in their order."""
        return tuple(filter(None, (self.mean, self.square, self.root)))

    @property
    def result(self) -> str:
        """The last step of the stage."""
        return self.scaled or self.normalised or self.total

    def off_zero(self, trace: Trace) -> float:
        """By how much Σ y may miss 0: mean and y were rounded."""
        each = half(trace, self.mean) / LEAST_SIGMA + half(trace, self.normalised)
        return trace[self.normalised].shape[1] * each

    def off_count(self, trace: Trace) -> float:
        """By how much Σ y² may miss d: σ², σ and y were rounded, and ε was added."""
        square, root, y = (half(trace, x) for x in (self.square, self.root, self.normalised))
        varied = (square + trace.preset.epsilon + root**2) / LEAST_SIGMA**2
        off = varied + 2 * root / LEAST_SIGMA
        off += 2 * y * math.sqrt(1 + off) + y**2
        return trace[self.normalised].shape[1] * off

    def paper_steps(self, trace: Trace, rows: tuple[int, ...]) -> tuple[Step, ...]:
        """Deviations of all tokens and squares of those in `rows`, by the engine's own operations.

        A square is the deviation (with RMSNorm the number) times itself, printed in full, so that
        their mean is that of the Trace to the last digit. On paper no step has more decimals than
        it shows.
        """
        if not self.normalised:
            return ()
        centred = tuple(filter(None, (self.total, self.mean)))
        decimals = max(shown_decimals(trace[name]) for name in centred)
        chain, shown = trace.scratch(), dict[str, int]()

        def write(name: str, op: Op, digits: int, *inputs: str) -> str:
            shown[name] = digits
            on_paper = chain.run.rounding == "paper"
            return chain.apply(name, op, *inputs, decimals=digits if on_paper else None)

        source, kind = self.total, "deviations" if self.mean else "row"
        if self.mean:
            source = write(self.deviations, MinusRow(False), decimals, *centred)
        for row in rows:
            own = f"{self.prefix}.token{row + 1}.{kind}"
            write(own, SelectRow(row), decimals, source)
            write(self.squares(row), GainShift(True, False), 2 * decimals, own, own)
        columns = trace[self.total].columns
        steps = ((chain[name], digits) for name, digits in shown.items())
        return tuple(s._replace(columns=columns, decimals=digits) for s, digits in steps)


def addition(trace: Trace, total: str, prefix: str) -> Stage:
    """The stage of the sum `total` alone, for a block that ends with it."""
    old, new = trace[total].inputs[:2]
    return Stage(prefix, old, new, total)


def stage(trace: Trace, total: str, prefix: str) -> Stage:
    """The stage of the sum `total`, with the norm that is computed from it, if there is one.

    And with the gain and the shift that follow, where there are such.
    """
    adding = addition(trace, total, prefix)
    norms = (step for step in trace if step.place.kind == "normalised" and step.inputs[0] == total)
    normalised = next(norms, None)
    if normalised is None:
        return adding
    *means, root = normalised.inputs[1:]
    names = Stage(*adding[:4], "".join(means), trace[root].inputs[0], root, normalised.name)
    for step in trace:
        if isinstance(step.op, GainShift) and step.inputs[0] == normalised.name:
            gain = step.inputs[1] if step.op.gain else ""
            shift = step.inputs[-1] if step.op.shift else ""
            return names._replace(gain=gain, shift=shift, scaled=step.name)
    return names


class StageRow(NamedTuple):
    """The numbers of one token in an add & norm."""

    trace: Trace
    stage: Stage
    token: int

    @property
    def furthest(self) -> int:
        """The dimension whose normalised number lies furthest from 0."""
        return int(np.argmax(np.abs(self.trace[self.stage.normalised].values[self.token])))

    @property
    def moved(self) -> int:
        """The dimension whose normalised number is moved most by adding the old row."""
        right, alone = self.trace[self.stage.normalised].values[self.token], self.without_old()
        return self.furthest if alone is None else int(np.argmax(np.abs(right - alone)))

    def check_sum(self, name: str) -> float:
        """What the check adds up to, from the numbers as printed: with RMSNorm their squares.

        It has the decimals of the row; a sum of numbers with so many has no more.
        """
        step = self.trace[name]
        shown = [shown_value(step, self.token, j) for j in range(step.shape[1])]
        total = math.fsum(x if self.stage.mean else x * x for x in shown)
        return guarded_number(total, shown_decimals(step))

    def slips(self) -> list[Slip]:
        """The usual slips, each seen where it shows most: far out, or moved by the old row.

        Divided by n − 1 (the key sx), with RMSNorm by nothing, by σ² instead of σ, mean not
        subtracted, old row not added. A slip that changes nothing here is left out.
        """
        names, token = self.stage, self.token
        key, count = "no_count", 1
        if names.mean:
            key, count = "sample", self.trace[names.total].shape[1] - 1
        wrong = [Slip(key, names.root, token, 0, self._root_by(count))]
        square = self._row(names.square)
        rows = {"variance": self._normalised({names.root: square})} if square.any() else {}
        if names.mean:
            rows["no_mean"] = self._normalised({names.mean: np.zeros((1, 1))})
        if (alone := self.without_old()) is not None:
            rows["no_old"] = alone
        for key, row in rows.items():
            j = self.moved if key == "no_old" else self.furthest
            wrong.append(Slip(key, names.normalised, token, j, float(row[j])))
        return changing(self.trace, wrong)

    def without_old(self) -> np.ndarray | None:
        """The normalised new row [d_model] where nobody adds the old one; None where its σ is 0."""
        chain = self.trace.scratch()
        chain.give(self.stage.total, self._row(self.stage.new))
        for name in self.stage.of_row:
            self._again(chain, name)
        if not chain[self.stage.root].values.any():
            return None
        return self._again(chain, self.stage.normalised)

    def _root_by(self, count: int) -> float:
        """The root with another number below the squares, such as the n − 1 of the key sx."""
        names, chain = self.stage, self.trace.scratch()
        whole = self.trace.with_steps(names.paper_steps(self.trace, (self.token,)))
        row = chain.give("squares", whole[names.squares(self.token)].values.copy())
        less = chain.give("count", np.array([[float(count)]]))
        total = chain.apply("sum", RowSum(), row, decimals=10)
        chain.apply(names.square, Over(), total, less)
        return float(self._again(chain, names.root)[0])

    def _normalised(self, other: Mapping[str, np.ndarray]) -> np.ndarray:
        chain, names = self.trace.scratch(), (self.stage.total, *self.stage.of_row)
        for name in names:
            chain.give(name, other[name] if name in other else self._row(name))
        return self._again(chain, self.stage.normalised)

    def _again(self, chain: Scope, name: str) -> np.ndarray:
        """The row [m] that a step's operation makes of what the chain has in place of inputs."""
        step = self.trace[name]
        return np.asarray(chain[chain.apply(name, step.op, *step.inputs)].values[0])

    def _row(self, name: str) -> np.ndarray:
        return self.trace[name].values[self.token : self.token + 1].copy()


def no_relu(
    trace: Trace, hidden: str, output: str, token: int, columns: Iterable[int]
) -> list[Slip]:
    """What the network gives if negative numbers are not crossed out, where it differs most.

    Among these columns, one at least: others are printed.
    """
    chain, right = trace.scratch(), trace[output]
    given = [chain.give(name, trace[name].values.copy()) for name in right.inputs[1:]]
    row = chain.give(hidden, trace[hidden].values[token : token + 1].copy())
    wrong = chain[chain.apply(output, MatMul(), row, *given)].values[0]
    j = max(columns, key=lambda j: abs(wrong[j] - right.values[token, j]))
    return changing(trace, [Slip("no_relu", output, token, j, float(wrong[j]))])
