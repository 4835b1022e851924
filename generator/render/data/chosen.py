"""Which steps of a Trace are printed as data: by name, and without a large model's weights."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.engine.trace import Step, Trace
from generator.render.owner import steps_named

EMBEDDING = "vocabulary.embedding"
MOST_WEIGHTS = 10_000  # numbers of weights that are printed unasked; GPT-2 small has 124 million


class ChosenSteps(NamedTuple):
    """The steps to print, in order, and the names of weights that are left out."""

    steps: tuple[Step, ...]
    left_out: tuple[str, ...]

    @property
    def message(self) -> str:
        """What to tell of the weights that are left out; "" where none is."""
        count = len(self.left_out)
        return f"left out: {count:,} tables of weights; --weights prints them" if count else ""


def chosen(trace: Trace, patterns: Sequence[str] = (), *, weights: bool = False) -> ChosenSteps:
    """The steps that fit a pattern, all without one.

    A model's weights with more than 10,000 numbers in all are left out, unless they are asked for:
    with `weights`, or a table by its whole name. Raises `UserError` where a pattern fits no step.
    """
    steps = steps_named(trace, patterns) if patterns else tuple(trace)
    count = sum(step.values.size for step in trace if _is_weight(trace, step))
    if weights or count <= MOST_WEIGHTS:
        return ChosenSteps(steps, ())
    out = {one.name for one in steps if _is_weight(trace, one) and one.name not in patterns}
    kept = tuple(step for step in steps if step.name not in out)
    return ChosenSteps(kept, tuple(step.name for step in steps if step.name in out))


def _is_weight(trace: Trace, step: Step) -> bool:
    return step.name == EMBEDDING or step.name in trace.preset.weights
