"""The gradients of a computation that is there already, as arrays."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from generator.engine.edits import Edits
from generator.engine.gradients import GRAD, Gradients
from generator.engine.learning import Training, leaves_of, write_losses
from generator.engine.loss import TARGET
from generator.engine.scope import Run, Scope
from generator.engine.softmax import Shifts
from generator.engine.trace import Trace


def gradients_of(trace: Trace, training: Training, word: str | None) -> Mapping[str, np.ndarray]:
    """By the name of its step each gradient of the loss, which the Trace has or `word` makes.

    The Trace stays as it is. Raises `UserError` where there is no loss.
    """
    if word is None and TARGET in trace:
        word = str(trace[TARGET].values[0, 0])
    edits = Edits({} if word is None else {TARGET: word})
    steps = {name: step for name, step in trace.steps.items() if not step.place.learning}
    scope = Scope(Run(trace.preset, trace.rounding, edits), steps, trace.aliases)
    words = trace["vocabulary.words"].values[:, 0] if "vocabulary.words" in trace else ()
    write_losses(scope, training.targets, tuple(words), Shifts(trace.preset.shifted))
    Gradients(scope, leaves_of(scope, training)).write()
    found = (step for step in scope.new if step.place.kind == "grad")
    return MappingProxyType({step.name.removeprefix(GRAD): step.values for step in found})
