"""The way back from the loss to one number of W_Q: the engine's gradients along one head.

Also here:

* The worked example of sheet 7c: two made-up tokens and the way back through their attention.
* The wrong numbers of the usual slips on the way back through a head.
"""

from collections.abc import Iterator
from dataclasses import dataclass

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
from generator.engine.scope import Scope
from generator.engine.trace import Step, Trace
from generator.engine.trace_gradients import with_gradients
from generator.errors import UserError
from generator.insight.output_step import LOSS
from generator.insight.slips import Slip, changing
from generator.notation.shown import shown_decimals, shown_value

WIGGLES = (0.1, 0.01)  # how far the weight is moved: less where the loss is bent
FACTOR, BEFORE, AFTER, RISE, SLOPE = (
    f"wiggle.{name}" for name in ("factor", "before", "after", "rise", "slope")
)
CLOSE, STEPS_OFF = 0.05, 2.0  # of the gradient, or so many units of its last place: nearly the same
FARTHEST = 0.25  # of the gradient, however few units of the last place these are
TELLING = 1.5  # units of the last place: less says nothing about how much
MOST_TOKENS = 3  # whose gradients pupils calculate


@dataclass(frozen=True)
class Way:
    """One head of the last block, looking from the last token: where its gradients stand.

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


def gradients(trace: Trace, word: str) -> Trace:
    """The computation with the gradients of the loss of a word, all from one backward pass."""
    return with_gradients(trace, Training(0), word)


def way(trace: Trace) -> Way:
    """Where the gradients of a computation with them stand; `UserError` where they say nothing."""
    block = f"block{trace.preset.blocks}"
    at, row = f"{block}.head1", len(trace.tokens) - 1
    looked_at = tuple(np.flatnonzero(trace[f"{at}.weights"].values[row] > 0.0).tolist())
    slopes = trace[f"grad.{at}.scores"].values[row]
    order = sorted(looked_at, key=lambda j: (-abs(float(slopes[j])), j))[:MOST_TOKENS]
    column = _largest(trace[f"grad.{at}.query"].values[row])
    line = _largest(trace[f"grad.{at}.weight.query"].values[:, column])
    back = Way(
        at,
        row,
        looked_at,
        tuple(sorted(order)),
        column,
        line,
        _gate(trace, block),
        _skip(trace, block),
    )
    _require_telling(trace, back)
    return back


def tempered(trace: Trace, at: str) -> str:
    """The step whose powers a head takes, in whose shape softmax's own gradient stands."""
    masked = f"{at}.masked"
    return masked if masked in trace and isinstance(trace[masked].op, Masked) else f"{at}.scaled"


def wiggled(trace: Trace, back: Way, word: str) -> tuple[Step, ...]:
    """The loss with that number of W_Q as it is and a little larger, and how steep that is.

    Two passes without rounding, which would hide so small a change: `wiggle.before`, `.after`,
    their difference `.rise` and `.slope`, the difference ÷ `.factor`. Empty where no slope is
    nearly the gradient, as where rounding or a kink between the two passes has its say.
    """
    return next((steps for far in WIGGLES if (steps := _measured(trace, back, word, far))), ())


def _measured(trace: Trace, back: Way, word: str, far: float) -> tuple[Step, ...]:
    weight = f"{back.at}.weight.query"
    old = float(trace[weight].values[back.line, back.column])
    address = f"{weight}[{back.line + 1},{back.column + 1}]"
    gradient = trace[back.of("weight.query")]
    decimals = shown_decimals(gradient)
    finer = decimals + 1  # of the losses
    chain = trace.scratch()
    for name, value in ((BEFORE, old), (AFTER, old + far)):
        loss = _loss(trace, word, {address: round(value, 10)})
        chain.give(name, guarded(np.array([[loss]]), finer), decimals=finer)
    chain.give(FACTOR, np.array([[far]]))
    chain.apply(RISE, MinusRow(masked=False), AFTER, BEFORE, decimals=finer)
    chain.apply(SLOPE, Over(), RISE, FACTOR, decimals=decimals)
    slope = shown_value(chain[SLOPE], 0, 0)
    near = agree(slope, shown_value(gradient, back.line, back.column), decimals)
    return chain.new if near else ()


def agree(slope: float, gradient: float, decimals: int) -> bool:
    """Whether a slope that was measured is nearly the gradient, and of its sign."""
    units = min(STEPS_OFF * 10.0**-decimals, FARTHEST * abs(gradient))
    off = max(CLOSE * abs(gradient), units)
    return slope * gradient > 0 and abs(slope - gradient) <= off + 1e-9


def _loss(trace: Trace, word: str, weight: dict[str, float]) -> float:
    edits = {**trace.edits, TARGET: word, **weight}
    again = compute(trace.preset, trace.sentence, rounding="exact", edits=edits)
    return float(again[LOSS].values[0, 0])


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


def _require_telling(trace: Trace, back: Way) -> None:
    """Raise a `UserError` where rounding leaves nothing of a gradient that is asked for."""
    last, slope = back.row, back.of(tempered(trace, back.at).rpartition(".")[2])
    cells = [(name, last, j) for name in (slope, back.of("scores")) for j in back.telling]
    cells += [(back.of("query"), last, back.column)]
    cells += [(back.of("weight.query"), back.line, back.column)]
    small = len(back.looked_at) == 1 or any(_small(trace[name], i, j) for name, i, j in cells)
    if small:
        raise UserError(
            f"preset {trace.preset.name!r}: the gradients at the scores of “{trace.tokens[-1]}” "
            "are so small here that rounding leaves nothing of them; write grad = 4 into "
            "[decimals], name another word with --next-word, or take 'katze'"
        )


def _small(step: Step, i: int, j: int) -> bool:
    return abs(shown_value(step, i, j)) < TELLING * 10.0 ** -shown_decimals(step)


def _largest(values: np.ndarray) -> int:
    return int(np.argmax(np.round(np.abs(values), 10)))


TOKENS = ("A", "B")
DECIMALS = 3
PAST, THROUGH = 0.2, -0.05  # the two paths of the residual connection
GATES = {"hidden": (1.2, -0.4), "after": (0.3, -0.2)}
ARRIVES, SHARES = (0.4, -0.6), (0.75, 0.25)
VALUES, KEYS = ((1.0, 0.5), (0.2, -1.0)), ((2.0,), (-1.0,))
ROOT, INPUT = 2.0, 0.5  # √d for d = 4
AT = "example."


def example_steps(trace: Trace) -> tuple[Step, ...]:
    """`example.*`: a gate, a sum, and softmax backwards down to one number of a weight matrix."""
    chain = trace.scratch()
    _gates(chain)
    give = {"output": (ARRIVES,), "shares": (SHARES,), "value": VALUES, "key": KEYS}
    for name, rows in give.items():
        chain.give(AT + name, np.array(rows))
    chain.give(f"{AT}root", np.array([[ROOT]]))
    chain.give(f"{AT}input", np.array([[INPUT]]))
    _head(chain)
    return chain.new


def _gates(chain: Scope) -> None:
    for name, numbers in GATES.items():
        chain.give(AT + name, np.array([numbers]))
    slope = ActivationSlope("relu")
    chain.apply(f"{AT}gate", slope, f"{AT}after", f"{AT}hidden", decimals=DECIMALS)
    for name, number in (("past", PAST), ("through", THROUGH)):
        chain.give(AT + name, np.array([[number]]))
    chain.apply(f"{AT}both", Sum(), f"{AT}past", f"{AT}through", decimals=DECIMALS)


def _head(chain: Scope) -> None:
    def step(name: str, op: Op, *inputs: str) -> None:
        chain.apply(AT + name, op, *(AT + one for one in inputs), decimals=DECIMALS)

    step("content", MatTMul(), "shares", "output")
    step("share", MatMulT(), "output", "value")
    step("average", RowDot(), "share", "shares")
    step("scaled", ShareSlope(None), "share", "shares", "average")
    step("score", Over(), "scaled", "root")
    step("query", MatMul(), "score", "key")
    step("weight", MatTMul(), "input", "query")


def back_slips(trace: Trace, back: Way, gates: tuple[int, ...]) -> list[Slip]:
    """A gate or a path forgotten, softmax without its average, √d, sign, undivided slope."""
    slips = (*_network(trace, back, gates), *_softmax(trace, back), *_end(trace, back))
    return changing(trace, slips)


def _network(trace: Trace, back: Way, gates: tuple[int, ...]) -> Iterator[Slip]:
    if back.hidden:
        after = trace[trace[f"grad.{back.hidden}"].inputs[0]].values[back.row]
        closed = [j for j in gates if trace[back.hidden].values[back.row, j] <= 0.0]
        if closed:
            j = max(closed, key=lambda j: (abs(float(after[j])), -j))
            yield Slip("gate", f"grad.{back.hidden}", back.row, j, float(after[j]))
    if back.skip:
        past, through = (trace[x].values[back.row] for x in trace[f"grad.{back.skip}"].inputs)
        j = int(abs(through).argmax())
        yield Slip("path", f"grad.{back.skip}", back.row, j, float(past[j]))


def _softmax(trace: Trace, back: Way) -> Iterator[Slip]:
    """Softmax's own gradient at the token that matters most, done wrong in three ways."""
    step = back.of(tempered(trace, back.at).rpartition(".")[2])
    j, row = strongest(trace, back), back.row
    share = float(trace[f"{back.at}.weights"].values[row, j])
    slope, average = (trace[back.of(name)].values[row] for name in ("weights", "weights.average"))
    away = float(slope[j] - average[0])
    yield Slip("no_average", step, row, j, share * float(slope[j]))
    yield Slip("reversed", step, row, j, -share * away)
    plain = float(slope[list(back.looked_at)].mean())
    yield Slip("plain_mean", step, row, j, share * float(slope[j] - plain))
    yield Slip("no_root", back.of("scores"), row, j, float(trace[step].values[row, j]))


def _end(trace: Trace, back: Way) -> Iterator[Slip]:
    c = back.column
    query = float(trace[back.of("query")].values[back.row, c])
    yield Slip("no_input", back.of("weight.query"), back.line, c, query)
    if RISE in trace:
        yield Slip("undivided", SLOPE, 0, 0, float(trace[RISE].values[0, 0]))


def strongest(trace: Trace, back: Way) -> int:
    """The token whose score changes the loss most."""
    slopes = trace[back.of("scores")].values[back.row]
    return max(back.telling, key=lambda j: (abs(float(slopes[j])), -j))
