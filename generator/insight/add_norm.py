"""One "add & norm" of a block: which steps belong to it, and the steps that only paper has."""

import math
from typing import NamedTuple

from generator.engine.ops import (
    GainShift,
    MinusRow,
    SelectRow,
)
from generator.engine.rounding import guarded_number
from generator.engine.scope import Scope
from generator.engine.trace import Step, Trace
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
