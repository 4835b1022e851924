"""How many multiplications the matrix products of a computation take, from their shapes."""

from generator.engine.ops import MatMul, MatMulT
from generator.engine.trace import Step, Trace

NEXT, LAST = "sampling.next", "last"


def needed(trace: Trace, goal: str) -> set[str]:
    """The names of the steps that a step is computed from, its own among them."""
    names: set[str] = set()
    waiting = [trace[goal].name]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += trace.steps[name].inputs
    return names


def multiplications(trace: Trace, times: int = 1) -> int:
    """Those for the next token: rows · columns · terms of each matrix product that it needs.

    `times` counts what leads to the last vector so often: a trace of one token's row, counted for
    every token. Masked scores count too, because the engine computes the whole table.
    """
    rows = needed(trace, LAST)
    total = 0
    for name in needed(trace, NEXT):
        total += _products(trace, trace.steps[name]) * (times if name in rows else 1)
    return total


def _products(trace: Trace, step: Step) -> int:
    if not isinstance(step.op, MatMul | MatMulT):
        return 0
    return step.values.size * trace.steps[step.inputs[0]].shape[1]
