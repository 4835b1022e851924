"""The wrong number that each usual slip in add & norm and in the feed-forward network gives."""

from collections.abc import Iterator, Mapping

import numpy as np

from generator.engine.ops import (
    MatMul,
    Over,
    RowSum,
)
from generator.engine.scope import Scope
from generator.engine.trace import Trace
from generator.insight.add_norm import Stage, paper_steps
from generator.insight.slips import Slip


def slips(trace: Trace, stage: Stage, token: int) -> list[Slip]:
    """The usual slips of one token's add & norm, seen in the number that lies furthest out.

    Divided by n − 1 (the key sx), with RMSNorm by nothing, by σ² instead of σ, mean not
    subtracted, old row not added. A slip that changes nothing here is left out.
    """
    j = furthest(trace, stage, token)
    key, count = ("sample", trace[stage.total].shape[1] - 1) if stage.mean else ("no_count", 1)
    wrong = [Slip(key, stage.root, token, 0, _root_by(trace, stage, token, count))]
    for key, row in _wrong_rows(trace, stage, token):
        wrong.append(Slip(key, stage.normalised, token, j, float(row[j])))
    return [s for s in wrong if s.wrong != trace[s.step].values[s.i, s.j]]


def furthest(trace: Trace, stage: Stage, token: int) -> int:
    """The dimension whose normalised number lies furthest from 0."""
    return int(np.argmax(np.abs(trace[stage.normalised].values[token])))


def _wrong_rows(trace: Trace, stage: Stage, token: int) -> Iterator[tuple[str, np.ndarray]]:
    rows = {name: _row(trace, name, token) for name in (stage.total, *stage.of_row)}
    square = rows[stage.square]
    if square.any():
        yield "variance", _normalised(trace, stage, rows | {stage.root: square})
    if stage.mean:
        yield "no_mean", _normalised(trace, stage, rows | {stage.mean: np.zeros((1, 1))})
    alone = without_old(trace, stage, token)
    if alone is not None:
        yield "no_old", alone


def without_old(trace: Trace, stage: Stage, token: int) -> np.ndarray | None:
    """The normalised new row [d_model] where nobody adds the old one; None where its σ is 0."""
    chain = trace.scratch()
    chain.give(stage.total, _row(trace, stage.new, token))
    for name in stage.of_row:
        _again(chain, trace, name)
    if not chain[stage.root].values.any():
        return None
    return _again(chain, trace, stage.normalised)


def _root_by(trace: Trace, stage: Stage, token: int, count: int) -> float:
    """The root with another number below the squares, such as the n − 1 of a calculator's sx."""
    whole = trace.with_steps(paper_steps(trace, stage, (token,)))
    squares = whole[stage.squares(token)].values
    chain = trace.scratch()
    row = chain.give("squares", squares.copy())
    less = chain.give("count", np.array([[float(count)]]))
    total = chain.apply("sum", RowSum(), row, decimals=10)
    chain.apply(stage.square, Over(), total, less)
    return float(_again(chain, trace, stage.root)[0])


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


def _normalised(trace: Trace, stage: Stage, rows: Mapping[str, np.ndarray]) -> np.ndarray:
    chain = trace.scratch()
    for name, row in rows.items():
        chain.give(name, row)
    return _again(chain, trace, stage.normalised)


def _again(chain: Scope, trace: Trace, name: str) -> np.ndarray:
    """The row [m] that a step's operation makes of what the chain has in place of its inputs."""
    step = trace[name]
    return np.asarray(chain[chain.apply(name, step.op, *step.inputs)].values[0])


def _row(trace: Trace, name: str, token: int) -> np.ndarray:
    return trace[name].values[token : token + 1].copy()
