"""The writer of steps: each is computed, rounded and named where it belongs, once."""

import math
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Unpack

import numpy as np

from generator.engine.choices import Rounding, Shift
from generator.engine.decimals import decimals_rule, inherited
from generator.engine.draws import random_of
from generator.engine.edits import Edits
from generator.engine.ops.attention import MASKED
from generator.engine.ops.base import Op
from generator.engine.ops.copying import Append
from generator.engine.place import step_prefix
from generator.engine.preset import Preset
from generator.engine.record import Record, step_named
from generator.engine.rounding import guarded
from generator.engine.step import GIVEN, Shown, Step, numbered

_GROWING = ("position", "position.index")  # tables with one more row in each round
_RANDOM = "sampling.random"
_NAME, _VALUES = attrgetter("name"), attrgetter("values")


LARGEST_EXPONENT = 700.0


class Shifts:
    """For each softmax, whether the row's maximum is subtracted first.

    "never" and "always" say so; "auto" decides at the first computation, where exp would
    overflow or a row's rounded sum would be 0. `of` repeats the decisions of a computation, so
    that an edit never changes the structure.
    """

    def __init__(self, rule: Shift, decided: dict[str, bool] | None = None) -> None:
        self._rule = rule
        self._decided = decided or {}
        self._pinned = decided is not None

    @classmethod
    def of(cls, rule: Shift, steps: Iterable[str]) -> "Shifts":
        """The decisions of a computation, made: the names of its steps tell them."""
        names = set(steps)
        places = (name.removesuffix("exp") for name in names if name.endswith(".exp"))
        return cls(rule, {place: f"{place}shifted" in names for place in places})

    def needed(self, scope: "Scope", x: str) -> bool:
        """Whether the softmax written at this place, over the step `x`, is shifted."""
        if self._rule != "auto":
            return self._rule == "always"
        later = scope.step_number > 1  # training keeps the structure of its first pass
        place = scope.at if later else scope.round + scope.at
        if place not in self._decided or not (self._pinned or later):
            self._decided[place] = scope.fails_unshifted(x)
        return self._decided[place]


@dataclass(frozen=True)
class Run:
    """How a computation is done: model, arithmetic, edits, and what is written besides.

    `controls`: with switches and sampling settings. `detailed` are the tokens (from 0) whose
    contributions are written out. `given` holds numbers, by step name, that take the place of
    what the step would be given. `untied`: an output that shares the embeddings gets a copy of
    them, to learn alone. `shifts` are the preset's where nothing else is decided.
    """

    preset: Preset
    rounding: Rounding
    edits: Edits = field(default_factory=Edits)
    controls: bool = False
    detailed: tuple[int, ...] = ()
    given: Mapping[str, np.ndarray] = field(default_factory=dict)
    untied: bool = False
    shifts: Shifts | None = None


class Scope:
    """Writes steps at one place of a computation: a round, a block, a head.

    A name to write is relative to the place and is written once; names to read are those of the
    round, from `tokens` to `block1.head1.query`, or whole. What later rounds have in common with
    the first (weights, vocabulary, switches) is given once. A scope may start from the steps of a
    Trace: it reads them, and what it writes under the same name replaces them for it alone.
    """

    def __init__(
        self,
        run: Run,
        steps: Mapping[str, Step] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.run = run
        self.preset = run.preset
        self.shifts = run.shifts or Shifts(run.preset.shifted)
        self.round_number = 1
        self.step_number = 1  # of training
        self.block_number = 0  # none
        self.round = self.at = ""
        self._paper = run.rounding == "paper"
        self._record = Record(run.preset, steps or {}, aliases or {}, paper=self._paper)
        self._learned: Mapping[str, str] = {}  # the new weights by name, in later steps of training
        self._decimals = decimals_rule(run.preset.decimals)

    def __copy__(self) -> "Scope":
        """Another one with the same record, without what `copy` does for strangers."""
        other = object.__new__(Scope)
        other.__dict__.update(self.__dict__)
        return other

    # Places -------------------------------------------------------------------------------------

    def block(self, number: int) -> "Scope":
        """The place of a block, counted from 1."""
        other = self.within(f"block{number}")
        other.block_number = number
        return other

    def head(self, number: int) -> "Scope":
        """The place of a head of this block, counted from 1."""
        return self.within(f"head{number}")

    def within(self, name: str) -> "Scope":
        """The place of what belongs together under a name, such as `final`."""
        other = copy(self)  # the same record, written at another place
        other.at = f"{self.at}{name}."
        return other

    def next_round(self) -> "Scope":
        """The round after this one; its tokens are this round's and its choice [n + 1, 1]."""
        before = [self._known(name) for name in ("tokens", "sampling.next")]
        after = copy(self)
        after.round_number += 1
        after.round = f"round{after.round_number}."
        after.apply("tokens", Append(), *before, columns=("token",))
        return after

    def next_step(self, learned: Mapping[str, str]) -> "Scope":
        """The pass after a step of training; `learned` are the steps that hold new weights.

        What depends on none of them is not computed again: its step of the first pass is read.
        """
        after = copy(self)
        after.step_number += 1
        after.round = step_prefix(after.step_number)
        after._learned = {**self._learned, **learned}
        return after

    # Reading ------------------------------------------------------------------------------------

    @property
    def steps(self) -> Mapping[str, Step]:
        """All steps that can be read, by whole name."""
        return self._record.steps

    @property
    def aliases(self) -> Mapping[str, str]:
        """Further names of steps."""
        return self._record.aliases

    @property
    def new(self) -> tuple[Step, ...]:
        """The steps written, in order, without those started from."""
        return tuple(self._record.new.values())

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of this round."""
        return tuple(self["tokens"].values[:, 0].tolist())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the vocabulary, none where there is none; all places have the same."""
        name = "vocabulary.words"
        return tuple(self[name].values[:, 0].tolist()) if name in self else ()

    def __contains__(self, name: object) -> bool:
        known = self._known(str(name))
        return known in self._record.steps

    def __getitem__(self, name: str) -> Step:
        record = self._record
        known = self._known(name)
        return record.steps.get(known) or step_named(
            known, record.steps, record.aliases, self.preset
        )

    def weight(self, name: str) -> np.ndarray | None:
        """The preset's weight [n, m] of that name at this place; None where it has none."""
        return self.preset.weights.get(self.at + name)

    def decimals_of(self, name: str) -> int:
        """The decimals that the preset gives a step of that name at this place."""
        return self._decimals(self.at + name)

    def rounded_as(self, name: str, values: np.ndarray) -> np.ndarray:
        """The values, of any shape, rounded as the step of that name at this place would be."""
        return guarded(values, self.decimals_of(name)) if self._paper else values

    def fails_unshifted(self, x: str) -> bool:
        """Whether a softmax over `x` overflows or a row's rounded sum is 0: low rows are tried."""
        values, base = self[x].values, self.preset.softmax_base
        scale = 1.0 if base is None else math.log(base)
        peaks = values.max(axis=1)
        if peaks.max() * scale > LARGEST_EXPONENT:
            return True
        enough = -LARGEST_EXPONENT  # a power of it surely survives the rounding of exp and of sum
        if self._paper:  # e^2.3 is a little less than 10
            enough = -2.3 * min(self.decimals_of("exp"), self.decimals_of("sum"))
        low = (peaks * scale < enough) & (peaks != MASKED)
        if not low.any():
            return False
        rows = values[low]
        powers = np.exp(np.where(rows == MASKED, MASKED, rows * scale))
        sums = self.rounded_as("sum", self.rounded_as("exp", powers).sum(axis=1))
        return bool((sums == 0.0).any())

    # Writing ------------------------------------------------------------------------------------

    def at_once(self) -> AbstractContextManager[list[Step]]:
        """Steps computed inside are looked at together, see `Record.at_once`."""
        return self._record.at_once()

    def give(self, name: str, values: np.ndarray, **shown: Unpack[Shown]) -> str:
        """Write a given step [rows, columns], with the edits that concern it; gives its whole name.

        In a later round a table with a row for each token grows by one row, the random number is
        another, and everything else is what the first round was given. In a later step of training
        it is the new weight, or what the first pass was given.
        """
        name = self.at + name
        if self.step_number > 1:
            return self._record.steps[self._known(name)].name
        if self.round_number == 1:
            values = self.run.given.get(name, values)
        elif name in _GROWING:
            return self._grow(name, values, **shown)
        elif name == _RANDOM:
            values = np.array([[random_of(self.preset.seed, self.round)]])
        else:
            return self._record.steps[name].name
        return self._give(self.round + name, values, **shown)

    def apply(self, name: str, op: Op, *inputs: str, **shown: Unpack[Shown]) -> str:
        """Compute a step and write it, rounded once at its end in paper arithmetic.

        `decimals` rounds in both arithmetics (the model's own rounding of its input). Gives the
        whole name. Raises `UserError` naming step and row where the operation has no result.
        """
        record = self._record
        if record.unseen is None:
            with self.at_once():
                return self.apply(name, op, *inputs, **shown)
        name = f"{self.round}{self.at}{name}"
        known = map(self._known, inputs) if self.round else inputs
        sources = tuple(map(record.found.__getitem__, known))
        inputs = tuple(map(_NAME, sources))
        if self.step_number > 1 and not self._is_new(inputs):
            return name.removeprefix(self.round)
        values = record.solved(name, op, map(_VALUES, sources), shown.get("rows"))
        own, decimals = op.precision == "rounded", shown.get("decimals")
        rounded = decimals is not None or (self._paper and own)
        if decimals is None:
            decimals = self._decimals(name) if own else inherited(op, sources, self._paper)
        if rounded and decimals is not None:
            values = guarded(values, decimals)
        labels = _labels(name, values, shown)
        record.unseen.append(record.add(Step(name, op, inputs, values, *labels, decimals, rounded)))
        return name

    def alias(self, name: str, target: str) -> str:
        """Let a step be found under a further name; gives the step's own name back."""
        name, own = f"{self.round}{self.at}{name}", self[target].name
        if self.step_number > 1 and not self._is_new((own,)):
            return own
        self._record.require_new(name)
        self._record.aliases[name] = own
        self._record.found[name] = self._record.steps[own]
        return own

    def _is_new(self, names: tuple[str, ...]) -> bool:
        """Whether one of the steps belongs to this step of training."""
        new = self._learned.values()
        return any(name.startswith(self.round) or name in new for name in names)

    def _known(self, name: str) -> str:
        """The whole name of a step of this round where the round has it, else the shared one."""
        steps, aliases = self._record.steps, self._record.aliases
        if self.round:
            if name in self._learned:
                return self._learned[name]
            own = self.round + name
            if own in steps or own in aliases:
                name = own
        return name if name in steps else aliases.get(name, name)

    def _grow(self, name: str, values: np.ndarray, **shown: Unpack[Shown]) -> str:
        rows = shown.get("rows")
        last: Shown = {**shown, "rows": None if rows is None else rows[-1:]}
        new = self._give(f"{self.round}{name}.new", values[-1:].copy(), **last)
        before = f"round{self.round_number - 1}.{name}" if self.round_number > 2 else name
        return self.apply(name, Append(), before, new, **shown)

    def _give(self, name: str, values: np.ndarray, **shown: Unpack[Shown]) -> str:
        values = self.run.edits.applied(name, values)
        labels, decimals = _labels(name, values, shown), shown.get("decimals")
        return self._record.add(Step(name, GIVEN, (), values, *labels, decimals, False)).name


def _labels(name: str, values: np.ndarray, shown: Shown) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of rows and columns, numbers where there are none; the array is read-only then."""
    if values.ndim != 2:
        raise ValueError(f"{name} has {values.ndim} dimensions, expected 2")
    values.setflags(write=False)
    across, down = (
        numbered(size) if labels is None else tuple(labels)
        for size, labels in zip(
            values.shape, (shown.get("rows"), shown.get("columns")), strict=True
        )
    )
    return across, down
