"""The way back from the loss to one number of W_Q: the engine's gradients along one head.

Also here:

* The worked example of sheet 7c: two made-up tokens and the way back through their attention.
* The wrong numbers of the usual slips on the way back through a head.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from generator.engine.activations import ACTIVATIONS
from generator.engine.learning import Training
from generator.engine.loss import TARGET
from generator.engine.model import compute
from generator.engine.ops.attention import Masked, MinusRow
from generator.engine.ops.base import Op
from generator.engine.ops.learning import ActivationSlope, MatTMul, RowDot, ShareSlope, Sum
from generator.engine.ops.linear import MatMul, MatMulT, Over
from generator.engine.rounding import guarded
from generator.engine.trace import Step, Trace
from generator.engine.trace_gradients import with_gradients
from generator.errors import require
from generator.insight.output_step import LOSS
from generator.insight.slips import Slip, changing
from generator.notation.shown import shown_decimals, shown_value
from generator.resources import table

WIGGLES = (1, 2)  # places of how far the weight is moved, 0.1 or 0.01: less where the loss bends
FACTOR, BEFORE, AFTER, RISE, SLOPE = (
    f"wiggle.{name}" for name in ("factor", "before", "after", "rise", "slope")
)
CLOSE, STEPS_OFF = 0.05, 2.0  # of the gradient, or so many units of its last place: nearly the same
FARTHEST = 0.25  # of the gradient, however few units of the last place these are
TELLING = 1.5  # units of the last place: less says nothing about how much
MOST_TOKENS = 3  # whose gradients pupils calculate


@dataclass(frozen=True)
class Way:
    """The head of the last block whose W_Q matters most, looking from the last token.

    `looked_at` are the tokens that it looks at, `telling` those of them whose scores matter most.
    `column` is the number of its query that matters most, `line` the row of W_Q that does.
    `hidden` is "" without a ReLU, `skip` without two paths through the feed-forward network.
    """

    at: str
    row: int
    looked_at: tuple[int, ...]
    telling: tuple[int, ...]
    column: int
    line: int
    hidden: str
    skip: str

    def of(self, name: str) -> str:
        """The gradient of a step of the head."""
        return f"grad.{self.at}.{name}"


class WayBack(NamedTuple):
    """A computation with its gradients, and where these stand."""

    trace: Trace
    way: Way

    def number(self, name: str, i: int, j: int) -> float:
        """A number of a step."""
        return float(self.trace[name].values[i, j])

    @property
    def slope(self) -> str:
        """The step with softmax's own gradient: of the scaled scores, masked where a mask is."""
        return self.way.of(tempered(self.trace, self.way.at).rpartition(".")[2])

    @property
    def by_slope(self) -> list[int]:
        """The telling tokens, the one whose score changes the loss most first."""
        return _furthest(self.trace[self.way.of("scores")].values[self.way.row], self.way.telling)

    @property
    def tells(self) -> bool:
        """Whether rounding leaves something of each gradient that is asked for."""
        back, row = self.way, self.way.row
        cells = [(name, row, j) for name in (self.slope, back.of("scores")) for j in back.telling]
        cells.append((back.of("query"), row, back.column))
        cells.append((back.of("weight.query"), back.line, back.column))
        steps = [(self.trace[name], i, j) for name, i, j in cells]
        units = (abs(shown_value(s, i, j)) * 10.0 ** shown_decimals(s) for s, i, j in steps)
        return len(back.looked_at) > 1 and all(unit >= TELLING for unit in units)

    def gates(self, most: int) -> tuple[int, ...]:
        """Hidden values that most comes back to, open and closed ones in turn."""
        if not (hidden := self.way.hidden):
            return ()
        row, step = self.way.row, self.trace[self.trace[f"grad.{hidden}"].inputs[0]]
        reached = [j for j in range(step.shape[1]) if shown_value(step, row, j)]
        order, opened = _furthest(step.values[row], reached), self.trace[hidden].values[row] > 0.0
        kinds = [[j for j in order if opened[j] == kind] for kind in (False, True)]
        turns = [j for k in range(len(order)) for kind in kinds for j in kind[k : k + 1]]
        return tuple(sorted(turns[:most]))

    def wiggled(self, word: str) -> tuple[Step, ...]:
        """The loss with that number of W_Q as it is and a little larger, and how steep that is.

        Two passes without rounding, which would hide so small a change: `wiggle.before`, `.after`,
        their difference `.rise` and `.slope`, the difference ÷ `.factor`. Empty where no slope is
        nearly the gradient, as where rounding or a kink between the two passes has its say.
        """
        return next((steps for places in WIGGLES if (steps := self._measured(word, places))), ())

    def _measured(self, word: str, places: int) -> tuple[Step, ...]:
        back, trace = self.way, self.trace
        weight, gradient = f"{back.at}.weight.query", trace[back.of("weight.query")]
        old, chain = self.number(weight, back.line, back.column), trace.scratch()
        far = 10.0**-places
        decimals = shown_decimals(gradient)
        finer = decimals + 1  # of the losses
        for name, value in ((BEFORE, old), (AFTER, old + far)):
            changed = {f"{weight}[{back.line + 1},{back.column + 1}]": round(value, 10)}
            edits = {**trace.edits, TARGET: word, **changed}
            again = compute(trace.preset, trace.sentence, rounding="exact", edits=edits)
            chain.give(name, guarded(again[LOSS].values, finer), decimals=finer)
        chain.give(FACTOR, np.array([[far]]))
        chain.apply(RISE, MinusRow(masked=False), AFTER, BEFORE, decimals=finer)
        chain.apply(SLOPE, Over(), RISE, FACTOR, decimals=max(0, finer - places))
        slope = shown_value(chain[SLOPE], 0, 0)
        known = shown_value(gradient, back.line, back.column)
        return chain.new if agree(slope, known, decimals) else ()

    def slips(self, gates: tuple[int, ...]) -> list[Slip]:
        """A gate or a path forgotten, softmax without its average, √d, sign, undivided slope."""
        back, column = self.way, self.way.column
        query = self.number(back.of("query"), back.row, column)
        slips = [*self._network(gates), *self._softmax()]
        slips.append(Slip("no_input", back.of("weight.query"), back.line, column, query))
        if RISE in self.trace:
            slips.append(Slip("undivided", SLOPE, 0, 0, self.number(RISE, 0, 0)))
        return changing(self.trace, slips)

    def _network(self, gates: tuple[int, ...]) -> Iterator[Slip]:
        back, trace = self.way, self.trace
        if back.hidden:
            after = trace[trace[f"grad.{back.hidden}"].inputs[0]].values[back.row]
            closed = [j for j in gates if trace[back.hidden].values[back.row, j] <= 0.0]
            for j in _furthest(after, closed)[:1]:
                yield Slip("gate", f"grad.{back.hidden}", back.row, j, float(after[j]))
        if back.skip:
            past, through = (trace[x].values[back.row] for x in trace[f"grad.{back.skip}"].inputs)
            j = int(abs(through).argmax())
            yield Slip("path", f"grad.{back.skip}", back.row, j, float(past[j]))

    def _softmax(self) -> Iterator[Slip]:
        """Softmax's own gradient at the token that matters most, done wrong in three ways."""
        back, step, j, row = self.way, self.slope, self.by_slope[0], self.way.row
        share = self.number(f"{back.at}.weights", row, j)
        slope = self.trace[back.of("weights")].values[row]
        average = self.number(back.of("weights.average"), row, 0)
        plain = float(slope[list(back.looked_at)].mean())
        yield Slip("no_average", step, row, j, share * float(slope[j]))
        yield Slip("reversed", step, row, j, -share * float(slope[j] - average))
        yield Slip("plain_mean", step, row, j, share * float(slope[j] - plain))
        yield Slip("no_root", back.of("scores"), row, j, self.number(step, row, j))


def way_back(before: Trace, word: str) -> WayBack:
    """A computation with the gradients of the loss of a word, all from one backward pass.

    Raises a `UserError` where they say nothing.
    """
    trace, block = with_gradients(before, Training(0), word), f"block{before.preset.blocks}"
    heads = [f"{block}.head{k}" for k in range(1, before.preset.heads + 1)]
    sizes = [np.abs(trace[f"grad.{head}.weight.query"].values).max() for head in heads]
    at, row = heads[_largest(np.array(sizes))], len(trace.tokens) - 1
    looked_at = tuple(np.flatnonzero(trace[f"{at}.weights"].values[row] > 0.0).tolist())
    order = _furthest(trace[f"grad.{at}.scores"].values[row], looked_at)
    column = _largest(trace[f"grad.{at}.query"].values[row])
    line = _largest(trace[f"grad.{at}.weight.query"].values[:, column])
    telling, gate = tuple(sorted(order[:MOST_TOKENS])), _gate(trace, block)
    way = Way(at, row, looked_at, telling, column, line, gate, _skip(trace, block))
    back = WayBack(trace, way)
    require(back.tells, "7c.small", preset=trace.preset, token=trace.tokens[-1])
    return back


def tempered(trace: Trace, at: str) -> str:
    """The step whose powers a head takes, in whose shape softmax's own gradient stands."""
    masked = f"{at}.masked"
    return masked if masked in trace and isinstance(trace[masked].op, Masked) else f"{at}.scaled"


def agree(slope: float, gradient: float, decimals: int) -> bool:
    """Whether a slope that was measured is nearly the gradient, and of its sign."""
    units = min(STEPS_OFF * 10.0**-decimals, FARTHEST * abs(gradient))
    off = max(CLOSE * abs(gradient), units)
    return slope * gradient > 0 and abs(slope - gradient) <= off + 1e-9


def _gate(trace: Trace, block: str) -> str:
    """The hidden values that an activation follows which crosses out, as ReLU does."""
    hidden = f"{block}.hidden"
    gates = ACTIVATIONS[trace.preset.activation].crosses_out and f"{block}.activation" in trace
    return hidden if gates and f"grad.{hidden}" in trace else ""


def _skip(trace: Trace, block: str) -> str:
    """What goes through the feed-forward network and past it, so that two gradients meet."""
    total = trace.steps.get(f"{block}.residual2")
    if total is None or not total.inputs:
        return ""
    gradient = trace.steps.get(f"grad.{total.inputs[0]}")
    two = gradient is not None and isinstance(gradient.op, Sum) and len(gradient.inputs) == 2
    return total.inputs[0] if two else ""


def _furthest(numbers: np.ndarray, among: Iterable[int]) -> list[int]:
    """Places of numbers, the one furthest from 0 first; of equal ones the earlier."""
    return sorted(among, key=lambda j: (-abs(float(numbers[j])), j))


def _largest(values: np.ndarray) -> int:
    return int(np.argmax(np.round(np.abs(values), 10)))


TOKENS = ("A", "B")
DECIMALS = 3
STEPS: tuple[tuple[str, Op, str], ...] = (
    ("gate", ActivationSlope("relu"), "after hidden"),
    ("both", Sum(), "past through"),
    ("content", MatTMul(), "shares output"),
    ("share", MatMulT(), "output value"),
    ("average", RowDot(), "share shares"),
    ("scaled", ShareSlope(None), "share shares average"),
    ("score", Over(), "scaled root"),
    ("query", MatMul(), "score key"),
    ("weight", MatTMul(), "input query"),
)


def example_steps(trace: Trace) -> tuple[Step, ...]:
    """`example.*`: a gate, a sum, and softmax backwards down to one number of a weight matrix."""
    chain = trace.scratch().within("example")
    for name, rows in table("insight/examples.toml")["7c"].items():
        chain.give(name, np.array(rows))
    for name, op, inputs in STEPS:
        chain.apply(name, op, *(f"example.{one}" for one in inputs.split()), decimals=DECIMALS)
    return chain.new
