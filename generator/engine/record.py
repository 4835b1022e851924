"""What all scopes of one computation share: its steps and aliases, and who has looked at them.

Also here:

* The messages of a computation that cannot go on: a step without a result, or none of a name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from generator.engine.ops.base import Op, RowProblem
from generator.engine.place import place_of
from generator.engine.preset import Preset
from generator.engine.step import Step
from generator.errors import UserError, did_you_mean


class Record:
    """The steps and aliases of one computation of a preset's model, and which of them are new.

    `found` has each step under its name and its aliases. `unseen` are those whose numbers nobody
    has looked at yet; None where each is looked at at once.
    """

    def __init__(
        self, preset: Preset, steps: Mapping[str, Step], aliases: Mapping[str, str], *, paper: bool
    ) -> None:
        self.preset = preset
        self.paper = paper
        self.steps = dict(steps)
        self.aliases = dict(aliases)
        known = {name: self.steps[of] for name, of in aliases.items() if of in self.steps}
        self.found = {**self.steps, **known}
        self.new: dict[str, Step] = {}
        self.unseen: list[Step] | None = None

    @contextmanager
    def at_once(self) -> Iterator[list[Step]]:
        """Steps computed inside are looked at together, at its end, which takes half the time.

        They are appended to the list that it gives.

        Raises a `UserError` for the first of them that has no number somewhere, as if it had been
        looked at by itself: whatever else went wrong inside came after it.
        """
        unseen: list[Step] = []
        with np.errstate(all="ignore"):  # what has no number is told at the end
            self.unseen = unseen
            try:
                yield unseen
            finally:
                self.unseen = None
                if not all_numbers(step.values for step in unseen):
                    for step in unseen:
                        if problem := no_number(step.values):
                            raise self.unsolvable(step.name, problem, step.rows) from None

    def add(self, step: Step) -> Step:
        """Write a step and give it back; `KeyError` where its name is written already."""
        name = step.name
        if name in self.new or name in self.aliases:
            self.require_new(name)
        self.steps[name] = self.new[name] = self.found[name] = step
        return step

    def require_new(self, name: str) -> None:
        """Raise a `KeyError` for a name that is written already."""
        if name in self.new or name in self.aliases:
            raise KeyError(f"the name {name!r} is already written")

    def solved(
        self, name: str, op: Op, arrays: Iterable[np.ndarray], rows: Sequence[str] | None
    ) -> np.ndarray:
        """The array that an operation gives; `UserError` naming step and row where it has none."""
        try:
            return op.value(*arrays)
        except RowProblem as problem:
            raise self.unsolvable(name, problem, rows) from None

    def unsolvable(self, name: str, problem: RowProblem, rows: Sequence[str] | None) -> UserError:
        """What is said of a row of a step that has no result: where it is and what would help.

        Only on paper may less rounding be what helps.
        """
        label = rows[problem.row] if rows is not None else str(problem.row + 1)
        place = place_of(name)
        warmer = "take a higher temperature, " if place.tempered else ""
        if place.kind.startswith("loss."):
            exactly = "compute exactly (--rounding exact), "
            warmer = f"name a likelier word, {exactly if self.paper else ''}"
        if place.learning:
            warmer = "take a smaller learning rate, "
        row = f", row {problem.row + 1} ({label})" if label else ""  # a single number has none
        way_out = WAY_OUT.format(ROUNDED if self.paper else "")
        ways = f"{warmer}change the words or the weights, {way_out}"
        return UserError(f"preset {self.preset.name!r}, step {name}{row}: {problem.text}; {ways}")


ROUNDED = "give the step more decimals, "  # helps where results are rounded
WAY_OUT = '{}or set [softmax] shifted = "auto" (for sums) or [norm] epsilon (for σ)'

FEW = 4096  # numbers of a small array


def all_numbers(arrays: Iterable[np.ndarray]) -> bool:
    """Whether no array [n, m] holds +∞ or no number; −∞ is how masked scores are.

    Small ones are looked at as one, for a look costs more than their few numbers; large ones would
    have to be copied for that.
    """
    small: list[np.ndarray] = []
    for values in arrays:
        if values.dtype.hasobject:  # words
            continue
        if values.size <= FEW:
            small.append(values)
        elif not values.max() < np.inf:  # nor is NaN
            return False
    return not small or bool(np.concatenate(small, axis=None).max(initial=0.0) < np.inf)


def no_number(values: np.ndarray) -> RowProblem | None:
    """The first row with +∞ or no number in an array [n, m]; None where there is none."""
    if all_numbers((values,)):
        return None
    row = int(np.argmax((~(values < np.inf)).any(axis=1)))
    return RowProblem(row, "a number is too large to compute with")


def step_named(
    name: str, steps: Mapping[str, Step], aliases: Mapping[str, str], preset: Preset
) -> Step:
    """The step of that name or alias; `UserError` with the nearest known name for none."""
    step = steps.get(name) or steps.get(aliases.get(name, ""))
    if step is None:
        hint = did_you_mean(name, [*steps, *aliases])
        raise UserError(f"preset {preset.name!r} has no step {name!r}{hint}")
    return step
