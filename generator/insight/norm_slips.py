"""The wrong number that each usual slip in add & norm and in the feed-forward network gives."""

from collections.abc import Iterator

import numpy as np

from generator.engine.ops import (
    Deviation,
    MatMul,
    Normalise,
    Over,
    RowMean,
    RowSum,
    Variance,
)
from generator.engine.trace import Trace
from generator.insight.add_norm import Stage, paper_steps
from generator.insight.slips import Slip


def slips(trace: Trace, found: Stage, token: int) -> list[Slip]:
    """The usual slips of one token's add & norm, seen in the number that lies furthest out.

    Divided by n − 1 (the key sx), by σ² instead of σ, mean not subtracted, old row not added. A
    slip that changes nothing here is left out.
    """
    j = furthest(trace, found, token)
    wrong = [Slip("sample", found.deviation, token, 0, sample_deviation(trace, found, token))]
    for key, row in _wrong_rows(trace, found, token):
        wrong.append(Slip(key, found.normalised, token, j, float(row[j])))
    return [s for s in wrong if s.wrong != trace[s.step].values[s.i, s.j]]


def furthest(trace: Trace, found: Stage, token: int) -> int:
    """The dimension whose normalised number lies furthest from 0."""
    return int(np.argmax(np.abs(trace[found.normalised].values[token])))


def _wrong_rows(trace: Trace, found: Stage, token: int) -> Iterator[tuple[str, np.ndarray]]:
    mean, variance = (_row(trace, n, token) for n in (found.mean, found.variance))
    deviation = _row(trace, found.deviation, token)
    total = _row(trace, found.total, token)
    if variance.any():
        yield "variance", _normalised(trace, found, total, mean, variance)
    yield "no_mean", _normalised(trace, found, total, np.zeros((1, 1)), deviation)
    alone = without_old(trace, found, token)
    if alone is not None:
        yield "no_old", alone


def without_old(trace: Trace, found: Stage, token: int) -> np.ndarray | None:
    """The normalised new row where nobody adds the old one; None where its σ is 0."""
    chain = trace.scratch()
    new = chain.give(found.new, _row(trace, found.new, token))
    mean = chain.apply(found.mean, RowMean(), new)
    variance = chain.apply(found.variance, Variance(), new, mean)
    deviation = chain.apply(found.deviation, Deviation(trace.preset.epsilon), variance)
    if not chain[deviation].values.any():
        return None
    normalised = chain.apply(found.normalised, Normalise(), new, mean, deviation)
    return np.asarray(chain[normalised].values[0])


def sample_deviation(trace: Trace, found: Stage, token: int) -> float:
    """σ with n − 1 below the squares, as a calculator's key sx gives it."""
    whole = trace.with_steps(paper_steps(trace, found, (token,)))
    squares = whole[found.squares(token)].values
    chain = trace.scratch()
    row = chain.give("squares", squares.copy())
    less = chain.give("n − 1", np.array([[squares.shape[1] - 1.0]]))
    total = chain.apply("sum", RowSum(), row, decimals=10)
    variance = chain.apply(found.variance, Over(), total, less)
    deviation = chain.apply(found.deviation, Deviation(trace.preset.epsilon), variance)
    return float(chain[deviation].values[0, 0])


def no_relu(trace: Trace, hidden: str, output: str, token: int) -> list[Slip]:
    """What the network gives if negative numbers are not crossed out, where it differs most."""
    chain = trace.scratch()
    given = [chain.give(name, trace[name].values.copy()) for name in trace[output].inputs[1:]]
    row = chain.give(hidden, _row(trace, hidden, token))
    wrong = chain[chain.apply(output, MatMul(), row, *given)].values[0]
    j = int(np.argmax(np.abs(wrong - trace[output].values[token])))
    if wrong[j] == trace[output].values[token, j]:
        return []
    return [Slip("no_relu", output, token, j, float(wrong[j]))]


def _normalised(
    trace: Trace, found: Stage, x: np.ndarray, mean: np.ndarray, by: np.ndarray
) -> np.ndarray:
    chain = trace.scratch()
    names = [chain.give(n, v) for n, v in (("x", x), ("mean", mean), ("by", by))]
    step = chain.apply(found.normalised, Normalise(), *names)
    return np.asarray(chain[step].values[0])


def _row(trace: Trace, name: str, token: int) -> np.ndarray:
    return trace[name].values[token : token + 1].copy()
