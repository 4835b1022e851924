"""Several sentences learned at once: their loss and its gradients are means over the sentences."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from generator.engine.learning import Training, weights_of
from generator.engine.ops import Over, Sum
from generator.engine.scope import Scope
from generator.engine.step import Labels
from generator.engine.trace import Trace
from generator.engine.trace_gradients import gradients_of
from generator.errors import UserError


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
    if len(traces) < 2:
        raise UserError(f"found {len(traces)} sentences, expected at least 2 to learn together")
    wanted = training or Training(0)
    weights = weights_of(traces[0].scratch())
    _require_one_model(traces, weights)
    by_trace = [gradients_of(trace, wanted, None) for trace in traces]
    means = {}
    for name in weights:
        if any(name in one for one in by_trace):
            zero = np.zeros(traces[0][name].shape)
            means[name] = _mean([one.get(name, zero) for one in by_trace])
    return MappingProxyType(means)


def _mean(arrays: list[np.ndarray]) -> np.ndarray:
    """The mean as `write_mean` has it, of arrays instead of steps."""
    total = Sum().value(*arrays)
    return Over().value(total, np.array([[float(len(arrays))]]))


def _require_one_model(traces: Sequence[Trace], weights: Sequence[str]) -> None:
    for trace in traces[1:]:
        for name in weights:
            if name not in trace or not np.array_equal(trace.values(name), traces[0].values(name)):
                raise UserError(
                    f"{trace.sentence!r} has another {name} than {traces[0].sentence!r}: sentences "
                    "are learned together by one model; take the same preset and vocabulary"
                )
