"""Gradients: how the loss changes with each number, written as steps from the loss backwards.

Also here:

* Backpropagation: for each operation the rule that carries a gradient back to its inputs.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from generator.engine.loss import ALL
from generator.engine.ops.attention import Masked, MinusRow, Power, RowShare
from generator.engine.ops.base import Op
from generator.engine.ops.copying import Concat, ConcatIfOn, Copy, Gather, SelectRow
from generator.engine.ops.feedforward import (
    Activation,
    GainShift,
    Normalise,
    NormaliseByRoot,
    RowMean,
)
from generator.engine.ops.learning import (
    ActivationSlope,
    ColumnDot,
    Columns,
    ColumnSum,
    FirstRows,
    MatTMul,
    NormSlope,
    OverAt,
    PlaceRows,
    RowDot,
    ShareError,
    ShareSlope,
    Sum,
    WhenOn,
)
from generator.engine.ops.linear import MatMul, MatMulT, Over, OverEach, Plus, PlusIfOn
from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.step import Step

GRAD = "grad."


class GradientPart(NamedTuple):
    """What one use of a step adds to its gradient: an operation on other steps."""

    of: str
    op: Op
    inputs: tuple[str, ...]


class GradientStart(NamedTuple):
    """Where backpropagation begins: the part of the tempered logits, and what its rows are."""

    part: GradientPart
    rows: tuple[str, ...]
    row: int  # that of the temperature


def start_of(scope: Scope) -> GradientStart:
    """P − y, whether the loss is that of the last token or the mean over all positions.

    Softmax and cross-entropy are taken together, as −1 ÷ P would only have to be cancelled again.
    """
    base, row = scope.preset.softmax_base, drawing_row(scope.preset)
    if f"{ALL}.tempered" in scope:
        tempered, shares, right = (f"{ALL}.{x}" for x in ("tempered", "probabilities", "onehot"))
        error, rows = ShareError(base), scope[tempered].rows
    else:
        tempered, shares, right = "output.tempered", "output.probabilities", "loss.onehot"
        error, rows = ShareError(base, row), scope[tempered].rows[row : row + 1]
    inputs = tuple(scope[name].name for name in (shares, right))
    return GradientStart(GradientPart(scope[tempered].name, error, inputs), rows, row)


Helper: TypeAlias = Callable[[str, Op, tuple[str, ...]], str]


class Gradients:
    """Writes `grad.<step>` for every step through which the loss depends on some weights.

    A step that is used in several places has a part for each, `grad.<step>.from.<where>`, and its
    gradient is their sum: embeddings that are tied to the output, the stream that a residual
    connection carries on. `leaves` (PyTorch's word) are the steps to learn and the weights' names.
    """

    def __init__(self, scope: Scope, leaves: Mapping[str, str]) -> None:
        self.scope = scope
        self.leaves = leaves
        self.start = start_of(scope)
        self._open: dict[str, list[tuple[str, GradientPart]]] = {}

    def write(self) -> dict[str, str]:
        """All gradients, from the loss to the weights; gives those of the leaves, by leaf."""
        steps = self.scope.steps
        gradients: dict[str, str] = {}
        path = _moved(steps.values(), self.leaves)
        if self.start.part.of in path:
            self._open[self.start.part.of] = [("", self.start.part)]
        for name in reversed(path):
            if name not in self._open:
                continue
            step = steps[name]
            g = self._gradient(step)
            if name in self.leaves:
                gradients[name] = g
                continue
            for part in parts(step, g, steps, self._helper(step), self.start.row):
                if part.of in path:
                    self._open.setdefault(part.of, []).append((self._own(name), part))
        return gradients

    def _gradient(self, step: Step) -> str:
        """Write the gradient of a step, of which all uses are known; gives its name."""
        uses, own = self._open.pop(step.name), f"{GRAD}{self._own(step.name)}"
        if len(uses) == 1:
            return self._apply(own, step, uses[0][1].op, *uses[0][1].inputs)
        summands = [self._summand(f"{own}.from.{use}", step, part) for use, part in uses]
        return self._apply(own, step, Sum(), *summands)

    def _summand(self, name: str, step: Step, part: GradientPart) -> str:
        """A part of a gradient as a step of its own; a mere copy is what it copies."""
        if isinstance(part.op, Copy):
            return part.inputs[0]
        return self._apply(name, step, part.op, *part.inputs)

    def _apply(self, name: str, step: Step, op: Op, *inputs: str) -> str:
        rows = self.start.rows if isinstance(op, ShareError) else step.rows
        return self.scope.apply(name, op, *inputs, rows=rows, columns=step.columns)

    def _helper(self, step: Step) -> Helper:
        """Writes what a rule needs first: a number for each row of the step."""

        def write(what: str, op: Op, inputs: tuple[str, ...]) -> str:
            name = f"{GRAD}{self._own(step.name)}.{what}"
            return self.scope.apply(name, op, *inputs, rows=step.rows, columns=(what,))

        return write

    def _own(self, name: str) -> str:
        """The name of a step without the pass of training; of a leaf that of its weight."""
        return self.leaves.get(name) or name.removeprefix(self.scope.round)


def _moved(steps: Iterable[Step], leaves: Container[str]) -> dict[str, None]:
    """The names of the leaves and of all steps that depend on one, in order of computation."""
    dependent: dict[str, None] = {}
    for step in steps:
        if step.name in leaves or any(name in dependent for name in step.inputs):
            dependent[step.name] = None
    return dependent


AVERAGE, PROJECTION = "average", "projection"
Steps: TypeAlias = Mapping[str, Step]


def parts(step: Step, g: str, steps: Steps, helper: Helper, row: int) -> Iterator[GradientPart]:
    """The parts of the gradients of a step's inputs; `g` is the gradient of the step itself.

    `helper` writes a small step that a rule needs first; `row` is that of the temperature that the
    loss is about. Raises `TypeError` for an operation that nothing can be learned through.
    """
    names = step.inputs
    match step.op:
        case MatMul():
            yield GradientPart(names[0], MatMulT(), (g, names[1]))
            yield GradientPart(names[1], MatTMul(), (names[0], g))
            yield from (GradientPart(bias, ColumnSum(), (g,)) for bias in names[2:])
        case MatMulT():
            yield GradientPart(names[0], MatMul(), (g, names[1]))
            yield GradientPart(names[1], MatTMul(), (g, names[0]))
            yield from (GradientPart(bias, ColumnSum(), (g,)) for bias in names[2:])
        case Plus():
            yield from (GradientPart(name, Copy(), (g,)) for name in names)
        case PlusIfOn():
            yield GradientPart(names[0], Copy(), (g,))
            yield GradientPart(names[1], WhenOn(), (g, names[2]))
        case Masked() | Copy():
            yield GradientPart(names[0], Copy(), (g,))
        case OverEach():
            yield GradientPart(names[0], OverAt(row), (g, names[1]))
        case Over():  # also `OverAt`
            yield GradientPart(names[0], step.op, (g, names[1]))
        case Activation(kind=kind):
            yield GradientPart(names[0], ActivationSlope(kind), (g, names[0]))
        case RowShare():
            yield _softmax(step, g, steps, helper)
        case Normalise() | NormaliseByRoot():
            yield _norm(step, g, helper)
        case GainShift():
            yield from _gain_shift(step.op, names, g)
        case _:
            yield from _copying(step, g, steps)


def _copying(step: Step, g: str, steps: Steps) -> Iterator[GradientPart]:
    """The rules of operations that only move numbers: gradients move back to where these were."""
    names = step.inputs
    match step.op:
        case SelectRow(index=index):
            yield GradientPart(names[0], PlaceRows(index, steps[names[0]].shape[0]), (g,))
        case FirstRows():
            yield GradientPart(names[0], PlaceRows(0, steps[names[0]].shape[0]), (g,))
        case Concat():
            yield from _heads(names, (), 0, g, steps)
        case ConcatIfOn(block=block):
            yield from _heads(names[1:], names[:1], block, g, steps)
        case Gather():
            onehot = steps[names[0]].inputs[0]  # its columns say which tokens are a word
            yield GradientPart(names[1], MatTMul(), (onehot, g))
        case _:
            raise TypeError(f"{step.name}: nothing is learned through {type(step.op).__name__}")


def _heads(
    heads: tuple[str, ...], switches: tuple[str, ...], block: int, g: str, steps: Steps
) -> Iterator[GradientPart]:
    start = 0
    for h, head in enumerate(heads):
        width = steps[head].shape[1]
        yield GradientPart(head, Columns(start, width, (block, h)), (g, *switches))
        start += width


def _softmax(step: Step, g: str, steps: Steps, helper: Helper) -> GradientPart:
    """From shares to what the powers were taken of; a shift of a row changes no share."""
    power = steps[step.inputs[0]]
    source = steps[power.inputs[0]]
    before = source.inputs[0] if isinstance(source.op, MinusRow) else source.name
    if not isinstance(power.op, Power):
        raise TypeError(f"{step.name}: found {type(power.op).__name__}, expected powers to share")
    average = helper(AVERAGE, RowDot(), (g, step.name))
    return GradientPart(before, ShareSlope(power.op.base), (g, step.name, average))


def _norm(step: Step, g: str, helper: Helper) -> GradientPart:
    """From normalised rows to the rows before: without average and without the part along y."""
    x, divisor = step.inputs[0], step.inputs[-1]
    projection = helper(PROJECTION, RowDot(mean=True), (g, step.name))
    if isinstance(step.op, NormaliseByRoot):
        return GradientPart(x, NormSlope(centred=False), (g, step.name, projection, divisor))
    average = helper(AVERAGE, RowMean(), (g,))
    return GradientPart(x, NormSlope(centred=True), (g, step.name, projection, average, divisor))


def _gain_shift(op: GainShift, names: tuple[str, ...], g: str) -> Iterator[GradientPart]:
    if op.gain:
        yield GradientPart(names[0], GainShift(gain=True, shift=False), (g, names[1]))
        yield GradientPart(names[1], ColumnDot(), (g, names[0]))
    else:
        yield GradientPart(names[0], Copy(), (g,))
    if op.shift:
        yield GradientPart(names[-1], ColumnSum(), (g,))
