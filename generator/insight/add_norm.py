"""One "add & norm" of a block: which steps belong to it, and the steps that only paper has.

Also here:

* The wrong number that each usual slip in add & norm and in the feed-forward network gives.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from generator.engine.ops.attention import MinusRow, RowSum
from generator.engine.ops.copying import SelectRow
from generator.engine.ops.feedforward import GainShift
from generator.engine.ops.linear import MatMul, Over
from generator.engine.rounding import guarded_number
from generator.engine.scope import Scope
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip
from generator.notation.shown import shown_decimals, shown_value


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


def addition(trace: Trace, total: str, prefix: str) -> Stage:
    """The stage of the sum `total` alone, for a block that ends with it."""
    old, new = trace[total].inputs[:2]
    return Stage(prefix, old, new, total)


def stage(trace: Trace, total: str, prefix: str) -> Stage:
    """The stage of the sum `total`, with the norm that is computed from it, if there is one."""
    adding = addition(trace, total, prefix)
    normalised = next((s for s in trace if _normalises(s, total)), None)
    if normalised is None:
        return adding
    *means, root = normalised.inputs[1:]
    names = Stage(*adding[:4], "".join(means), trace[root].inputs[0], root, normalised.name)
    return _scaled(trace, names)


def _normalises(step: Step, total: str) -> bool:
    return step.place.kind == "normalised" and step.inputs[0] == total


def _scaled(trace: Trace, norm: Stage) -> Stage:
    """The stage with the gain and the shift that follow, where there are such."""
    for step in trace:
        if isinstance(step.op, GainShift) and step.inputs[0] == norm.normalised:
            gain = step.inputs[1] if step.op.gain else ""
            shift = step.inputs[-1] if step.op.shift else ""
            return norm._replace(gain=gain, shift=shift, scaled=step.name)
    return norm


def check_sum(trace: Trace, stage: Stage, name: str, row: int) -> float:
    """What the check of a row adds up to, from the numbers as printed: with RMSNorm their squares.

    It has the decimals of the row; a sum of numbers with so many has no more.
    """
    step = trace[name]
    shown = [shown_value(step, row, j) for j in range(step.shape[1])]
    total = math.fsum(x if stage.mean else x * x for x in shown)
    return guarded_number(total, shown_decimals(step))


def paper_steps(trace: Trace, stage: Stage, rows: tuple[int, ...]) -> tuple[Step, ...]:
    """Deviations of all tokens and squares of those in `rows`, by the engine's own operations.

    A square is the deviation (with RMSNorm the number) times itself, printed in full, so that
    their mean is that of the Trace to the last digit.
    """
    if not stage.normalised:
        return ()
    centred = tuple(filter(None, (stage.total, stage.mean)))
    decimals = max(shown_decimals(trace[name]) for name in centred)
    chain, source, steps = trace.scratch(), stage.total, []
    if stage.mean:
        source = stage.deviations
        steps.append(_apply(chain, source, MinusRow(False), decimals, *centred))
    for row in rows:
        own = f"{stage.prefix}.token{row + 1}.{'deviations' if stage.mean else 'row'}"
        steps.append(_apply(chain, own, SelectRow(row), decimals, source))
        steps.append(
            _apply(chain, stage.squares(row), GainShift(True, False), 2 * decimals, own, own)
        )
    columns = trace[stage.total].columns
    return tuple(s._replace(columns=columns) for s in steps)


def _apply(
    chain: Scope, name: str, op: MinusRow | SelectRow | GainShift, decimals: int, *inputs: str
) -> Step:
    """A step that shows so many decimals and, on paper, has no more."""
    rounded = decimals if chain.run.rounding == "paper" else None
    step = chain[chain.apply(name, op, *inputs, decimals=rounded)]
    return step._replace(decimals=decimals)


def slips(trace: Trace, stage: Stage, token: int) -> list[Slip]:
    """The usual slips of one token's add & norm, seen in the number that lies furthest out.

    Divided by n − 1 (the key sx), with RMSNorm by nothing, by σ² instead of σ, mean not
    subtracted, old row not added. A slip that changes nothing here is left out.
    """
    j = furthest(trace, stage, token)
    key, count = ("sample", trace[stage.total].shape[1] - 1) if stage.mean else ("no_count", 1)
    wrong = [Slip(key, stage.root, token, 0, _root_by(trace, stage, token, count))]
    for key, row in _wrong_rows(trace, stage, token):
        wrong.append(Slip(key, stage.normalised, token, j, float(row[j])))
    return [s for s in wrong if s.wrong != trace[s.step].values[s.i, s.j]]


def furthest(trace: Trace, stage: Stage, token: int) -> int:
    """The dimension whose normalised number lies furthest from 0."""
    return int(np.argmax(np.abs(trace[stage.normalised].values[token])))


def _wrong_rows(trace: Trace, stage: Stage, token: int) -> Iterator[tuple[str, np.ndarray]]:
    rows = {name: _row(trace, name, token) for name in (stage.total, *stage.of_row)}
    square = rows[stage.square]
    if square.any():
        yield "variance", _normalised(trace, stage, rows | {stage.root: square})
    if stage.mean:
        yield "no_mean", _normalised(trace, stage, rows | {stage.mean: np.zeros((1, 1))})
    alone = without_old(trace, stage, token)
    if alone is not None:
        yield "no_old", alone


def without_old(trace: Trace, stage: Stage, token: int) -> np.ndarray | None:
    """The normalised new row [d_model] where nobody adds the old one; None where its σ is 0."""
    chain = trace.scratch()
    chain.give(stage.total, _row(trace, stage.new, token))
    for name in stage.of_row:
        _again(chain, trace, name)
    if not chain[stage.root].values.any():
        return None
    return _again(chain, trace, stage.normalised)


def _root_by(trace: Trace, stage: Stage, token: int, count: int) -> float:
    """The root with another number below the squares, such as the n − 1 of a calculator's sx."""
    whole = trace.with_steps(paper_steps(trace, stage, (token,)))
    squares = whole[stage.squares(token)].values
    chain = trace.scratch()
    row = chain.give("squares", squares.copy())
    less = chain.give("count", np.array([[float(count)]]))
    total = chain.apply("sum", RowSum(), row, decimals=10)
    chain.apply(stage.square, Over(), total, less)
    return float(_again(chain, trace, stage.root)[0])


def no_relu(trace: Trace, hidden: str, output: str, token: int) -> list[Slip]:
    """What the network gives if negative numbers are not crossed out, where it differs most."""
    chain = trace.scratch()
    given = [chain.give(name, trace[name].values.copy()) for name in trace[output].inputs[1:]]
    row = chain.give(hidden, _row(trace, hidden, token))
    wrong = chain[chain.apply(output, MatMul(), row, *given)].values[0]
    j = int(np.argmax(np.abs(wrong - trace[output].values[token])))
    if wrong[j] == trace[output].values[token, j]:
        return []
    return [Slip("no_relu", output, token, j, float(wrong[j]))]


def _normalised(trace: Trace, stage: Stage, rows: Mapping[str, np.ndarray]) -> np.ndarray:
    chain = trace.scratch()
    for name, row in rows.items():
        chain.give(name, row)
    return _again(chain, trace, stage.normalised)


def _again(chain: Scope, trace: Trace, name: str) -> np.ndarray:
    """The row [m] that a step's operation makes of what the chain has in place of its inputs."""
    step = trace[name]
    return np.asarray(chain[chain.apply(name, step.op, *step.inputs)].values[0])


def _row(trace: Trace, name: str, token: int) -> np.ndarray:
    return trace[name].values[token : token + 1].copy()
