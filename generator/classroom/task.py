"""What pupils are asked: preset, sentence and sheets, and what a computation of it asks for."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.presets.computed import computed
from generator.sheets.plan import Plan, within_budget
from generator.sheets.series import SERIES, require_sheet


@dataclass(frozen=True, eq=False)
class Task:
    """One sentence on some sheets, before anybody has an own token or own numbers.

    `edits` are those of the whole class: what they set does not vary. `sentences` are what its
    groups learn; where they are `grouped`, a group's part stands for an own token. Two tasks that
    say the same are equal, so that what was found out for one serves the other. Raises `UserError`
    for a sheet that there is none of; what preset and sheets cannot take shows with the first
    computation.
    """

    preset: Preset
    sheets: tuple[str, ...]
    level: int = 2
    sentence: str | None = None
    language: str | None = None
    rounding: str | None = None
    edits: Mapping[str, object] = field(default_factory=dict)
    budget: int | None = None
    sentences: tuple[str, ...] = ()
    grouped: bool = False

    def __post_init__(self) -> None:
        for name in self.sheets:
            require_sheet(name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Task) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> tuple[object, ...]:
        preset = self.preset
        model = (preset.sha256, preset.name, preset.language, preset.rounding)
        edits = tuple(sorted((name, repr(value)) for name, value in self.edits.items()))
        asked = (self.sheets, self.level, self.sentence, self.language, self.rounding, self.budget)
        return (*model, edits, *asked, self.sentences, self.grouped)

    @cached_property
    def base(self) -> Trace:
        """The class's own computation: that of the info leaf."""
        return self._computed({}, self.rounding)

    @cached_property
    def base_plans(self) -> Mapping[str, Plan]:
        """What the sheets ask for in the class's own computation; `UserError` where they cannot."""
        return self.plans(self.base)

    def trace(
        self,
        edits: Mapping[str, object],
        *,
        exercise: int | None = None,
        rounding: str | None = None,
    ) -> Trace:
        """A pupil's computation; where the class's own edits meet the pupil's, they win.

        The token of the example is the class's, and the pupil's own one too where none is given.
        """
        if self.grouped:
            same = self._computed(
                edits, rounding or self.rounding, self.base.worked, self.base.exercise
            )
            return replace(same, group=exercise)
        own = self.base.exercise if exercise is None else exercise
        return self._computed(edits, rounding or self.rounding, self.base.worked, own)

    def _computed(
        self,
        edits: Mapping[str, object],
        rounding: str | None,
        worked: int | None = None,
        exercise: int | None = None,
    ) -> Trace:
        trace = computed(
            self.sentence,
            preset=self.preset,
            language=self.language,
            rounding=rounding,
            edits={**edits, **self.edits},
            worked=worked,
            exercise=exercise,
        )
        return replace(trace, sentences=self.sentences) if self.sentences else trace

    def plans(self, trace: Trace) -> Mapping[str, Plan]:
        """What each sheet asks for in a computation; `UserError` where one cannot take it."""
        return {name: self._plan(name, trace) for name in self.sheets}

    def _plan(self, sheet: str, trace: Trace) -> Plan:
        plan = SERIES[sheet].plan
        if self.budget is not None:
            return within_budget(plan, trace, self.budget)
        return plan(trace, self.level)
