"""The gradients of a computation that is there already, as further steps or as arrays.

Also here:

* Several sentences learned at once: their loss and its gradients are means over the sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from generator.engine.edits import Edits
from generator.engine.gradients import GRAD, Gradients
from generator.engine.learning import (
    Training,
    leaves_of,
    notices,
    require_effect,
    weights_of,
    write_losses,
)
from generator.engine.loss import TARGET
from generator.engine.ops.learning import Sum
from generator.engine.ops.linear import Over
from generator.engine.scope import Run, Scope
from generator.engine.step import Labels
from generator.engine.trace import Trace
from generator.errors import require


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
    with scope.at_once():
        write_losses(scope, wanted.targets)
        leaves = leaves_of(scope, wanted)
        require_effect(scope, wanted, leaves, Gradients(scope, leaves).write())
    all_notices = (*trace.notices, *notices(trace.preset))
    return replace(trace, steps=scope.steps, training=wanted, notices=all_notices)


def gradients_of(trace: Trace) -> Mapping[str, np.ndarray]:
    """Each gradient in a computation `with_gradients`, by its step's name, in that step's shape."""
    gradients = (step for step in trace if step.place.kind == "grad")
    whole = (step for step in gradients if not step.place.use)
    return MappingProxyType({step.name.removeprefix(GRAD): step.values for step in whole})


def write_mean(scope: Scope, at: str, of: Sequence[str], decimals: int | None = None) -> str:
    """Write `<at>.sum` of several steps of one shape, `.count` and `.mean`; gives the last name.

    Losses are added in this way and gradients too: what is a mean stays one when it is
    differentiated. `decimals` round in both arithmetics; by default the preset's rule says.
    """
    if len(of) < 2:
        raise ValueError(f"{at}: found {len(of)} steps, expected at least 2")
    first = scope[of[0]]
    labels = Labels(rows=first.rows, columns=first.columns)
    total = scope.apply(f"{at}.sum", Sum(), *of, **labels, decimals=decimals)
    count = scope.give(f"{at}.count", np.array([[float(len(of))]]))
    return scope.apply(f"{at}.mean", Over(), total, count, **labels, decimals=decimals)


def mean_gradients(
    traces: Sequence[Trace], training: Training | None = None
) -> Mapping[str, np.ndarray]:
    """By the name of each weight, in its shape, the gradient of several computations' mean loss.

    Each has its own sentence and next word, all have the same weights. Nothing is rounded. A weight
    that some sentence does not depend on counts there as 0. Raises `UserError` for fewer than two
    computations, and where their weights are not the same.
    """
    require(len(traces) >= 2, "engine.together", count=len(traces))
    wanted = training or Training(0)
    weights = weights_of(traces[0].scratch())
    _require_one_model(traces, weights)
    by_trace = [gradients_of(with_gradients(trace, wanted)) for trace in traces]
    means = {}
    for name in weights:
        if any(name in one for one in by_trace):
            zero = np.zeros(traces[0][name].shape)
            total = Sum().value(*(one.get(name, zero) for one in by_trace))
            means[name] = Over().value(total, np.array([[float(len(traces))]]))
    return MappingProxyType(means)


def _require_one_model(traces: Sequence[Trace], weights: Sequence[str]) -> None:
    first, *others = traces
    for other in others:
        for name in weights:
            same = name in other and np.array_equal(other.values(name), first.values(name))
            require(same, "engine.weights", other=other, name=name, first=first)
