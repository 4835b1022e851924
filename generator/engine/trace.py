"""The Trace: an ordered, read-only record of every step of one computation."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from generator.engine.choices import Rounding
from generator.engine.decimals import decimals_rule
from generator.engine.expr import Expr, Operand, Round
from generator.engine.learning import Training
from generator.engine.preset import Preset
from generator.engine.record import step_named
from generator.engine.rounding import guarded
from generator.engine.scope import Run, Scope
from generator.engine.step import Labels, Step

__all__ = ["Labels", "Step", "Trace"]


@dataclass(frozen=True, eq=False)
class Trace:
    """All steps of one computation, in order; what every renderer reads and nobody recomputes.

    `trace[name]` gives a step, also by an alias such as `block1.output`; an unknown name is a
    `UserError` that names the nearest known one. `sentence` is what was computed with, edits
    included; `worked` and `exercise` are the positions (from 0) of the tokens that a sheet works
    through and asks, None where there is none. `sentences` are others that a class learns beside
    this one; nothing of them is computed here. `group` is whose part of that a paper is for, from
    0, or their number for what all groups do together; None for everything. Steps are written by a
    `Scope`.
    """

    preset: Preset
    sentence: str
    rounding: Rounding
    steps: Mapping[str, Step]
    aliases: Mapping[str, str] = field(default_factory=dict)
    edits: Mapping[str, object] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    worked: int | None = None
    exercise: int | None = None
    controls: bool = False
    rounds: int = 1
    training: Training | None = None
    sentences: tuple[str, ...] = ()
    group: int | None = None

    @classmethod
    def of(cls, scope: Scope, sentence: str) -> "Trace":
        """The record of all that a scope's computation has written."""
        run = scope.run
        known = scope.steps, scope.aliases, run.edits.requested
        return cls(run.preset, sentence, run.rounding, *known, controls=run.controls)

    def __post_init__(self) -> None:
        for name in ("steps", "aliases", "edits"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def language(self) -> str:
        """The language of the sentence and of the preset's words."""
        return self.preset.language

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence's tokens as computed with."""
        return tuple(self["tokens"].values[:, 0].tolist())

    def __contains__(self, name: object) -> bool:
        return name in self.steps or name in self.aliases

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps.values())

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, name: str) -> Step:
        return self.steps.get(name) or step_named(name, self.steps, self.aliases, self.preset)

    def values(self, name: str) -> np.ndarray:
        """The numbers of a step [rows, columns]; the look-up that `evaluate` takes."""
        return self[name].values

    def cell(self, name: str, i: int, j: int) -> Expr:
        """What the number in row i, column j (from 0) of a computed step is, rounding included."""
        step = self[name]
        expression = step.op.cell(i, j, *self.operands(step))
        if step.rounded and step.decimals is not None:
            return Round(expression, step.decimals)
        return expression

    def operands(self, step: Step) -> list[Operand]:
        """The step's inputs as names and shapes, for its operation's `cell`."""
        return [Operand(name, *self.steps[name].shape) for name in step.inputs]

    def rounded_as(self, name: str, values: np.ndarray) -> np.ndarray:
        """The values, of any shape, rounded as the step of that name would be."""
        decimals = decimals_rule(self.preset.decimals)(name)
        return guarded(values, decimals) if self.rounding == "paper" else values

    def with_steps(self, steps: Iterable[Step]) -> "Trace":
        """This computation with further steps, or with others in the place of its own."""
        return replace(self, steps={**self.steps, **{step.name: step for step in steps}})

    def scratch(self) -> Scope:
        """A writer for steps computed besides: it reads this Trace, which stays as it is."""
        return Scope(Run(self.preset, self.rounding), self.steps, self.aliases)
