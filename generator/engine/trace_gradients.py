"""The gradients of a computation that is there already, as further steps or as arrays."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from generator.engine.edits import Edits
from generator.engine.gradients import GRAD, Gradients
from generator.engine.layers import Shifts
from generator.engine.learning import Training, leaves_of, notices, require_effect, write_losses
from generator.engine.loss import TARGET
from generator.engine.scope import Run, Scope
from generator.engine.trace import Trace


def with_gradients(trace: Trace, wanted: Training, word: str | None = None) -> Trace:
    """A computation with its loss and the gradients of that, grad.*, as further steps.

    The loss is that of the word that the Trace was computed with, or of `word`. Raises `UserError`
    where there is none.
    """
    if word is None and TARGET in trace:
        word = str(trace[TARGET].values[0, 0])
    edits = Edits({} if word is None else {TARGET: word})
    steps = {name: step for name, step in trace.steps.items() if not step.place.learning}
    scope = Scope(Run(trace.preset, trace.rounding, edits), steps, trace.aliases)
    words = trace["vocabulary.words"].values[:, 0] if "vocabulary.words" in trace else ()
    with scope.at_once():
        write_losses(scope, wanted.targets, tuple(words), Shifts(trace.preset.shifted))
        leaves = leaves_of(scope, wanted)
        require_effect(scope, wanted, leaves, Gradients(scope, leaves).write())
    all_notices = (*trace.notices, *notices(trace.preset))
    return replace(trace, steps=scope.steps, training=wanted, notices=all_notices)


def gradients_of(trace: Trace, wanted: Training, word: str | None) -> Mapping[str, np.ndarray]:
    """Each gradient of the loss by the name of its step, in that step's shape."""
    gradients = (step for step in with_gradients(trace, wanted, word) if step.place.kind == "grad")
    whole = (step for step in gradients if not step.place.use)
    return MappingProxyType({step.name.removeprefix(GRAD): step.values for step in whole})
