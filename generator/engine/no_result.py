"""The messages of a computation that cannot go on: a step without a result, or none of a name."""

from collections.abc import Mapping, Sequence

import numpy as np

from generator.engine.ops import RowProblem
from generator.engine.place import place_of
from generator.engine.preset import Preset
from generator.engine.step import Step
from generator.errors import UserError, did_you_mean

WAY_OUT = (
    "change the words or the weights, give the step more decimals, or set "
    '[softmax] shifted = "auto" (for sums) or [norm] epsilon (for σ)'
)


def unsolvable(
    preset: Preset, name: str, problem: RowProblem, rows: Sequence[str] | None
) -> UserError:
    """What is said of a row of a step that has no result: where it is and what would help."""
    label = rows[problem.row] if rows is not None else str(problem.row + 1)
    place = place_of(name)
    warmer = "take a higher temperature, " if place.tempered else ""
    if place.kind.startswith("loss."):
        warmer = "name a likelier word, compute exactly (--rounding exact), "
    if place.learning:
        warmer = "take a smaller learning rate, "
    row = f", row {problem.row + 1} ({label})" if label else ""  # a single number has none
    return UserError(f"preset {preset.name!r}, step {name}{row}: {problem.text}; {warmer}{WAY_OUT}")


def require_numbers(values: np.ndarray) -> None:
    """Raise a `RowProblem` for +∞ or no number in an array [n, m]; −∞ is how masked scores are."""
    if values.dtype == object or values.max(initial=0.0) < np.inf:  # not so for NaN either
        return
    row = int(np.argmax((~(values < np.inf)).any(axis=1)))
    raise RowProblem(row, "a number is too large to compute with")


def step_named(
    name: str, steps: Mapping[str, Step], aliases: Mapping[str, str], preset: Preset
) -> Step:
    """The step of that name or alias; `UserError` with the nearest known name for none."""
    step = steps.get(name) or steps.get(aliases.get(name, ""))
    if step is None:
        hint = did_you_mean(name, [*steps, *aliases])
        raise UserError(f"preset {preset.name!r} has no step {name!r}{hint}")
    return step
