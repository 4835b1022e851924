"""Gradients: how the loss changes with each number, written as steps from the loss backwards.

Also here:

* Backpropagation: for each operation the rule that carries a gradient back to its inputs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from generator.engine.loss import ALL
from generator.engine.ops import attention, copying, feedforward, learning, linear
from generator.engine.ops.base import Op
from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.step import Step

GRAD = "grad."
AVERAGE, PROJECTION = "average", "projection"


class GradientPart(NamedTuple):
    """What one use of a step adds to its gradient: an operation on other steps."""

    of: str
    op: Op
    inputs: tuple[str, ...]


class Gradients:
    """Writes `grad.<step>` for every step through which the loss depends on some weights.

    A step that is used in several places has a part for each, `grad.<step>.from.<where>`, and its
    gradient is their sum: embeddings that are tied to the output, the stream that a residual
    connection carries on. `leaves` (PyTorch's word) are the steps to learn and the weights' names.
    """

    def __init__(self, scope: Scope, leaves: Mapping[str, str]) -> None:
        self.scope = scope
        self.steps = scope.steps
        self.leaves = leaves
        self.row = drawing_row(scope.preset)  # of the temperature that the loss is about
        self._open: dict[str, list[tuple[str, GradientPart]]] = {}

    def write(self) -> dict[str, str]:
        """All gradients, from the loss to the weights; gives those of the leaves, by leaf."""
        gradients: dict[str, str] = {}
        path: dict[str, None] = {}  # the leaves and all steps that depend on one, in order
        for step in self.steps.values():
            if step.name in self.leaves or any(name in path for name in step.inputs):
                path[step.name] = None
        start = self.start()
        if start.of in path:
            self._open[start.of] = [("", start)]
        for name in reversed(path):
            if name not in self._open:
                continue
            step = self.steps[name]
            g = self._gradient(step)
            if name in self.leaves:
                gradients[name] = g
                continue
            for part in self.parts(step, g):
                if part.of in path:
                    self._open.setdefault(part.of, []).append((self._own(name), part))
        return gradients

    def start(self) -> GradientPart:
        """P − y at the tempered logits, of the last token or, for a mean loss, of all positions.

        Softmax and cross-entropy are taken together, as −1 ÷ P would only have to be cancelled.
        """
        base = self.scope.preset.softmax_base
        if f"{ALL}.tempered" in self.scope:
            names = [f"{ALL}.{x}" for x in ("tempered", "probabilities", "onehot")]
            op = learning.ShareError(base)
        else:
            names = ["output.tempered", "output.probabilities", "loss.onehot"]
            op = learning.ShareError(base, self.row)
        tempered, *inputs = (self.scope[name].name for name in names)
        return GradientPart(tempered, op, tuple(inputs))

    def _gradient(self, step: Step) -> str:
        """Write the gradient of a step, of which all uses are known; gives its name."""
        uses, own = self._open.pop(step.name), f"{GRAD}{self._own(step.name)}"
        if len(uses) == 1:
            return self._apply(own, step, uses[0][1].op, *uses[0][1].inputs)
        summands = [
            # a mere copy is what it copies
            part.inputs[0]
            if isinstance(part.op, copying.Copy)
            else self._apply(f"{own}.from.{use}", step, part.op, *part.inputs)
            for use, part in uses
        ]
        return self._apply(own, step, learning.Sum(), *summands)

    def _apply(self, name: str, step: Step, op: Op, *inputs: str) -> str:
        alone = isinstance(op, learning.ShareError) and op.row is not None
        rows = step.rows[self.row : self.row + 1] if alone else step.rows
        return self.scope.apply(name, op, *inputs, rows=rows, columns=step.columns)

    def _first(self, step: Step, what: str, op: Op, *inputs: str) -> str:
        """Write what a rule needs first: a number for each row of the step."""
        name = f"{GRAD}{self._own(step.name)}.{what}"
        return self.scope.apply(name, op, *inputs, rows=step.rows, columns=(what,))

    def _own(self, name: str) -> str:
        """The name of a step without the pass of training; of a leaf that of its weight."""
        return self.leaves.get(name) or name.removeprefix(self.scope.round)

    # The rules ----------------------------------------------------------------------------------

    def parts(self, step: Step, g: str) -> Iterator[GradientPart]:
        """The parts of the gradients of a step's inputs; `g` is the gradient of the step itself.

        Raises `TypeError` for an operation that nothing can be learned through.
        """
        x, *others = step.inputs
        match step.op:
            case linear.MatMul() | linear.MatMulT() as product:
                turned = isinstance(product, linear.MatMulT)
                back = linear.MatMul() if turned else linear.MatMulT()
                yield GradientPart(x, back, (g, others[0]))
                yield GradientPart(others[0], learning.MatTMul(), (g, x) if turned else (x, g))
                yield from (GradientPart(b, learning.ColumnSum(), (g,)) for b in others[1:])
            case linear.Plus():
                yield from (GradientPart(name, copying.Copy(), (g,)) for name in step.inputs)
            case linear.PlusIfOn():
                yield GradientPart(x, copying.Copy(), (g,))
                yield GradientPart(others[0], learning.WhenOn(), (g, others[1]))
            case attention.Masked() | copying.Copy():
                yield GradientPart(x, copying.Copy(), (g,))
            case linear.OverEach():
                yield GradientPart(x, learning.OverAt(self.row), (g, others[0]))
            case linear.Over():  # also `OverAt`
                yield GradientPart(x, step.op, (g, others[0]))
            case feedforward.Activation(kind=kind):
                yield GradientPart(x, learning.ActivationSlope(kind), (g, x))
            case attention.RowShare():
                yield self._softmax(step, g)
            case feedforward.Normalise() | feedforward.NormaliseByRoot():
                yield self._norm(step, g)
            case feedforward.GainShift(gain=gain, shift=shift):
                scaled = feedforward.GainShift(gain=True, shift=False)
                copied = GradientPart(x, copying.Copy(), (g,))
                yield GradientPart(x, scaled, (g, others[0])) if gain else copied
                if gain:
                    yield GradientPart(others[0], learning.ColumnDot(), (g, x))
                if shift:
                    yield GradientPart(others[-1], learning.ColumnSum(), (g,))
            case _:
                yield from self._moved(step, g)

    def _moved(self, step: Step, g: str) -> Iterator[GradientPart]:
        """The rules of operations that move numbers: gradients move back to where these were."""
        x, *others = step.inputs
        match step.op:
            case copying.SelectRow(index=index):
                yield GradientPart(x, learning.PlaceRows(index, self.steps[x].shape[0]), (g,))
            case learning.FirstRows():
                yield GradientPart(x, learning.PlaceRows(0, self.steps[x].shape[0]), (g,))
            case copying.Concat():
                yield from self._heads(step.inputs, 0, g)
            case copying.ConcatIfOn(block=block):
                yield from self._heads(others, block, g, x)
            case copying.Gather():
                onehot = self.steps[x].inputs[0]  # its columns say which tokens are a word
                yield GradientPart(others[0], learning.MatTMul(), (onehot, g))
            case _:
                raise TypeError(f"{step.name}: nothing is learned through {type(step.op).__name__}")

    def _heads(
        self, heads: Sequence[str], block: int, g: str, *switches: str
    ) -> Iterator[GradientPart]:
        start = 0
        for h, head in enumerate(heads):
            width = self.steps[head].shape[1]
            yield GradientPart(head, learning.Columns(start, width, (block, h)), (g, *switches))
            start += width

    def _softmax(self, step: Step, g: str) -> GradientPart:
        """From shares to what the powers were taken of; a shift of a row changes no share."""
        power = self.steps[step.inputs[0]]
        source = self.steps[power.inputs[0]]
        shifted = isinstance(source.op, attention.MinusRow)
        if not isinstance(power.op, attention.Power):
            found = type(power.op).__name__
            raise TypeError(f"{step.name}: found {found}, expected powers to share")
        average = self._first(step, AVERAGE, learning.RowDot(), g, step.name)
        slope = learning.ShareSlope(power.op.base)
        return GradientPart(
            source.inputs[0] if shifted else source.name, slope, (g, step.name, average)
        )

    def _norm(self, step: Step, g: str) -> GradientPart:
        """From normalised rows to the rows before: without average and the part along y."""
        x, root = step.inputs[0], step.inputs[-1]
        along: tuple[str, ...] = (
            self._first(step, PROJECTION, learning.RowDot(mean=True), g, step.name),
        )
        centred = not isinstance(step.op, feedforward.NormaliseByRoot)
        if centred:
            along = (*along, self._first(step, AVERAGE, feedforward.RowMean(), g))
        return GradientPart(x, learning.NormSlope(centred), (g, step.name, *along, root))
