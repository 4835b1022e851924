"""What a computation has in common with those before it: its steps, without their numbers.

Which steps there are, their names, labels and decimals follow from preset, tokens and arithmetic
alone. They are found once; another computation of these, with the same or with edited numbers,
has its operations left to do, which takes half the time.

Also here:

* The steps once more with other numbers, arrays only, where nothing is recorded.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, MutableMapping
from dataclasses import replace

import numpy as np

from generator.engine.edits import Edits
from generator.engine.record import Record
from generator.engine.rounding import guarded
from generator.engine.step import GIVEN, Step
from generator.engine.trace import Trace

MOST_KINDS = 8  # of computations that are remembered with a preset
MOST_NUMBERS = 500_000  # of a remembered computation: 4 MB
ONLY_NUMBERS = ("block", "final.", "output.", "vocabulary.embedding", "position")


def remember(kind: Hashable, trace: Trace) -> None:
    """Keep an unedited computation with its preset; the oldest one goes where there are many."""
    if sum(step.values.size for step in trace) <= MOST_NUMBERS:
        known = trace.preset.computed
        known[kind] = trace
        for oldest in list(known)[:-MOST_KINDS]:
            known.pop(oldest, None)


def repeatable(trace: Trace, edits: Edits) -> bool:
    """Whether edits change numbers alone: words, temperatures and switches decide about labels."""
    steps = (trace.steps.get(name) for name in edits.steps())
    return all(
        step is not None and step.op is GIVEN and step.name.startswith(ONLY_NUMBERS)
        for step in steps
    )


def again(trace: Trace, edits: Edits) -> Trace:
    """The same steps, each computed and rounded again, over given numbers with these edits.

    Raises `UserError` for a row without a result, and for a wrong edit.
    """
    record = Record(trace.preset, {}, trace.aliases, paper=trace.rounding == "paper")
    steps = record.steps
    with record.at_once() as unseen:
        for name, op, inputs, before, rows, columns, decimals, rounded in trace:
            if op is GIVEN:
                values = edits.applied(name, before)
            else:
                arrays = [steps[one].values for one in inputs]
                values = record.solved(name, op, arrays, rows)
                if rounded and decimals is not None:
                    values = guarded(values, decimals)
            values.setflags(write=False)
            steps[name] = step = Step(name, op, inputs, values, rows, columns, decimals, rounded)
            unseen.append(step)
    edits.finish(steps)
    return replace(trace, steps=steps, edits=edits.requested)


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
