"""The steps of a computation once more, with other numbers: arrays only, nothing is recorded."""

from collections.abc import Collection, Iterable, Mapping, MutableMapping

import numpy as np

from generator.engine.rounding import guarded
from generator.engine.step import Step
from generator.engine.trace import Trace

Arrays = MutableMapping[str, np.ndarray]


def steps_to(trace: Trace, wanted: Iterable[str], given: Collection[str]) -> tuple[Step, ...]:
    """The steps that the wanted ones come from, in order, without those that are given."""
    needed = {trace[name].name for name in wanted} - set(given)
    for step in reversed(tuple(trace)):
        if step.name in needed:
            needed.update(name for name in step.inputs if name not in given)
    return tuple(step for step in trace if step.name in needed)


def replay(steps: Iterable[Step], arrays: Arrays, added: Mapping[str, np.ndarray]) -> None:
    """Compute each step by its own operation and put it to the arrays that are known.

    A step that the model itself rounds is rounded; to those named in `added` something is added.
    Raises `RowProblem` where an operation has no result.
    """
    with np.errstate(all="ignore"):
        for step in steps:
            values = step.op.value(*[arrays[name] for name in step.inputs])
            if step.rounded and step.decimals is not None:
                values = guarded(values, step.decimals)
            arrays[step.name] = values + added[step.name] if step.name in added else values
