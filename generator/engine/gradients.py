"""Gradients: how the loss changes with each number, written as steps from the loss backwards."""

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from generator.engine.backward import Helper, Part, parts
from generator.engine.loss import ALL
from generator.engine.ops import Copy, Op, ShareError, Sum
from generator.engine.predict import drawing_row
from generator.engine.scope import Scope
from generator.engine.step import Step

GRAD = "grad."


class Start(NamedTuple):
    """Where backpropagation begins: the part of the tempered logits, and what its rows are."""

    part: Part
    rows: tuple[str, ...]
    row: int  # that of the temperature


def start_of(scope: Scope) -> Start:
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
    return Start(Part(scope[tempered].name, error, inputs), rows, row)


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
        self._open: dict[str, list[tuple[str, Part]]] = {}

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

    def _summand(self, name: str, step: Step, part: Part) -> str:
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
