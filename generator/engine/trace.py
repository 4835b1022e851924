"""The Trace: an ordered, write-once record of every step of one computation."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypedDict

import numpy as np

from generator.engine.decimals import decimals_for
from generator.engine.edits import Edits
from generator.engine.expr import Expr, Round
from generator.engine.operand import Operand
from generator.engine.ops import (
    Contribution,
    Given,
    Ids,
    Kept,
    KeptBy,
    Mask,
    OneHot,
    Op,
    Rank,
    RowProblem,
)
from generator.engine.place import Place, place_of
from generator.engine.preset import Preset
from generator.engine.rounding import guarded
from generator.errors import UserError, did_you_mean

GIVEN = Given()
WHOLE = (Ids, Kept, KeptBy, Mask, OneHot, Rank)  # their cells are whole numbers or masked


class Labels(TypedDict):
    """The labels of a step's rows and columns, where several steps share them."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]


class Step(NamedTuple):
    """One named step: what it is, what it came from, its numbers and their labels.

    `values` is two-dimensional and read-only, float64 or, for words, object. `decimals` are
    those shown; None means that the numbers are printed in full. `rounded` says whether the
    values were rounded to them.
    """

    name: str
    op: Op
    inputs: tuple[str, ...]
    values: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    decimals: int | None
    rounded: bool

    @property
    def kind(self) -> str:
        """Either "given" or "computed"."""
        return "given" if self.op is GIVEN else "computed"

    @property
    def place(self) -> Place:
        """Its round, block and head, and what kind of step it is."""
        return place_of(self.name)

    @property
    def text(self) -> bool:
        """Whether the cells are words."""
        return self.values.dtype == object

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        height, width = self.values.shape
        return height, width


class Trace:
    """All steps of one computation, in order; what every renderer reads and nobody recomputes.

    A name is written once. `trace[name]` gives the step, also by an alias; an unknown name is a
    `UserError` that names the nearest known one.
    """

    def __init__(self, preset: Preset, sentence: str, rounding: str, edits: Edits) -> None:
        self.preset = preset
        self.sentence = sentence
        self.rounding = rounding
        self.language = preset.language
        self.notices: tuple[str, ...] = ()
        self.worked: int | None = None
        self.exercise: int | None = None
        self.controls = False
        self.rounds = 1
        self.prefix = ""
        self._paper = rounding == "paper"
        self._edits = edits
        self._steps: dict[str, Step] = {}
        self._aliases: dict[str, str] = {}
        self._decimals = _remembered(tuple(preset.decimals.items()))

    @property
    def steps(self) -> Mapping[str, Step]:
        """The steps by name, in order of computation."""
        return MappingProxyType(self._steps)

    @property
    def aliases(self) -> Mapping[str, str]:
        """Further names of steps, such as `block1.output`."""
        return MappingProxyType(self._aliases)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence's tokens as computed with."""
        return tuple(self["tokens"].values[:, 0].tolist())

    @property
    def edits(self) -> Mapping[str, object]:
        """The edits that this computation was made with."""
        return self._edits.requested

    def __contains__(self, name: object) -> bool:
        return name in self._steps or name in self._aliases

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps.values())

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, name: str) -> Step:
        step = self._steps.get(name) or self._steps.get(self._aliases.get(name, ""))
        if step is None:
            known = [*self._steps, *self._aliases]
            hint = did_you_mean(name, known)
            raise UserError(f"preset {self.preset.name!r} has no step {name!r}{hint}")
        return step

    def give(
        self,
        name: str,
        values: np.ndarray,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        decimals: int | None = None,
    ) -> str:
        """Write a given step, with the edits that concern it; gives the name back."""
        values = self._edits.applied(name, self._own(name, values))
        return self._write(name, GIVEN, (), values, rows, columns, decimals, False)

    def apply(
        self,
        name: str,
        op: Op,
        *inputs: str,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        decimals: int | None = None,
    ) -> str:
        """Compute a step and write it, rounded once at its end in paper arithmetic.

        `decimals` rounds in both arithmetics (the model's own rounding of its input). Gives the
        name back. Raises `UserError` naming step and row where the operation has no result.
        """
        steps = self._steps
        try:
            operands = [steps[x].values for x in inputs]
        except KeyError:
            inputs = tuple([self._aliases.get(x, x) for x in inputs])
            operands = [steps[x].values for x in inputs]
        try:
            values = op.value(*operands)
        except RowProblem as problem:
            raise self._unsolvable(name, problem, rows) from None
        rounded = decimals is not None or (self._paper and op.rounds)
        if decimals is None:
            decimals = self._decimals(name) if op.rounds else self._inherited(op, inputs)
        if rounded and decimals is not None:
            values = guarded(values, decimals)
        return self._write(name, op, inputs, values, rows, columns, decimals, rounded)

    def alias(self, name: str, target: str) -> str:
        """Let a step be found under a further name; gives the step's own name back."""
        if name in self:
            raise KeyError(f"the name {name!r} is already written")
        self._aliases[name] = self[target].name
        return self._aliases[name]

    def set_temperature_row(self, row: int) -> None:
        """Let an edit of `temperature` without an index mean this row."""
        self._edits.temperature_row = row

    def cell(self, name: str, i: int, j: int) -> Expr:
        """What the number in row i, column j (from 0) of a computed step is, rounding included."""
        step = self[name]
        expression = step.op.cell(i, j, *self.operands(step))
        if step.rounded and step.decimals is not None:
            return Round(expression, step.decimals)
        return expression

    def operands(self, step: Step) -> list[Operand]:
        """The step's inputs as names and shapes, for its operation's `cell`."""
        return [Operand(name, *self._steps[name].shape) for name in step.inputs]

    def decimals_of(self, name: str) -> int:
        """The decimals that the preset gives a step of that name."""
        return self._decimals(name)

    def rounded_as(self, name: str, values: np.ndarray) -> np.ndarray:
        """The values rounded as the step of that name would be."""
        return guarded(values, self._decimals(name)) if self._paper else values

    def with_steps(self, steps: Iterable[Step]) -> "Trace":
        """This computation with further steps, or with others in the place of its own."""
        other = copy(self)
        other._steps = {**self._steps, **{step.name: step for step in steps}}
        return other

    def values(self, name: str) -> np.ndarray:
        """The numbers of a step; the look-up that `evaluate` takes."""
        return self[name].values

    def _own(self, name: str, values: np.ndarray) -> np.ndarray:
        """What a given step starts from; a round computed on its own has other numbers."""
        return values

    def _inherited(self, op: Op, names: tuple[str, ...]) -> int | None:
        """The decimals of unrounded numbers: those of the inputs, for products their sum."""
        if isinstance(op, WHOLE):
            return 0
        most = total = 0
        for name in names:
            if name.startswith("switch."):  # decides, and adds no decimals
                continue
            decimals = self._steps[name].decimals
            if decimals is None:
                return None
            most, total = max(most, decimals), total + decimals
        return total if self._paper and isinstance(op, Contribution) else most

    def _write(
        self,
        name: str,
        op: Op,
        inputs: tuple[str, ...],
        values: np.ndarray,
        rows: Sequence[str] | None,
        columns: Sequence[str] | None,
        decimals: int | None,
        rounded: bool,
    ) -> str:
        if name in self._steps or name in self._aliases:
            raise KeyError(f"the name {name!r} is already written")
        if values.ndim != 2:
            raise ValueError(f"{name} has {values.ndim} dimensions, expected 2")
        values.setflags(write=False)
        across = tuple(rows) if rows is not None else numbered(values.shape[0])
        down = tuple(columns) if columns is not None else numbered(values.shape[1])
        self._steps[name] = Step(name, op, inputs, values, across, down, decimals, rounded)
        return name

    def _unsolvable(self, name: str, problem: RowProblem, rows: Sequence[str] | None) -> UserError:
        label = rows[problem.row] if rows is not None else str(problem.row + 1)
        warmer = "take a higher temperature, " if name.startswith(TEMPERED) else ""
        return UserError(
            f"preset {self.preset.name!r}, step {name}, row {problem.row + 1} ({label}): "
            f"{problem.text}; {warmer}{WAY_OUT}"
        )


@lru_cache(maxsize=64)
def _remembered(rules: tuple[tuple[str, int], ...]) -> Callable[[str], int]:
    """`decimals_for` under these rules, each name looked up once."""
    mapping = dict(rules)
    return cache(lambda name: decimals_for(mapping, name))


TEMPERED = "output."  # what begins so has been divided by a temperature
WAY_OUT = (
    "change the words or the weights, give the step more decimals, or set "
    '[softmax] shifted = "auto" (for sums) or [norm] epsilon (for σ)'
)

_NUMBERED = [tuple(str(k + 1) for k in range(n)) for n in range(65)]


def numbered(n: int) -> tuple[str, ...]:
    """The labels 1 to n."""
    return _NUMBERED[n] if n < len(_NUMBERED) else tuple(str(k + 1) for k in range(n))
