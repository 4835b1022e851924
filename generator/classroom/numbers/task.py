"""What pupils are asked: preset, sentence and sheets, and what a computation of it asks for.

Also here:

* A pupil's numbers with what is computed from them, and the rows of it that sheets ask for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from generator.engine.fitness import PREFIX, unmasked
from generator.engine.gradients import GRAD
from generator.engine.model import CHOSEN, Focus
from generator.engine.preset import Preset
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.presets.computed import computed
from generator.sheets.attending import AT
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
        own = self.base.exercise if exercise is None or self.grouped else exercise
        focus = Focus(self.base.worked, own)
        trace = self._computed(edits, rounding or self.rounding, focus)
        return replace(trace, group=exercise) if self.grouped else trace

    def _computed(
        self, edits: Mapping[str, object], rounding: str | None, focus: Focus = CHOSEN
    ) -> Trace:
        trace = computed(
            self.sentence,
            preset=self.preset,
            language=self.language,
            rounding=rounding,
            edits={**edits, **self.edits},
            **focus._asdict(),
        )
        return replace(trace, sentences=self.sentences) if self.sentences else trace

    def plans_of(self, own: int | None) -> Mapping[str, Plan]:
        """What the sheets ask of an own token; None: the class's own."""
        if own is None or own == self.base.exercise:
            return self.base_plans
        return self.plans(self.trace({}, exercise=own))

    def plans(self, trace: Trace) -> Mapping[str, Plan]:
        """What each sheet asks for in a computation; `UserError` where one cannot take it."""
        return {name: self._plan(name, trace) for name in self.sheets}

    def _plan(self, sheet: str, trace: Trace) -> Plan:
        plan = SERIES[sheet].plan
        if self.budget is not None:
            return within_budget(plan, trace, self.budget)
        return plan(trace, self.level)


PROBABILITIES: Final = "output.probabilities"
FEWEST: Final = 2  # numbers that are a column


class StepRow(NamedTuple):
    """Cells of one row of a step."""

    step: str
    i: int
    columns: tuple[int, ...]


class PupilNumbers:
    """A pupil's numbers with what follows from them, each part computed when it is looked at."""

    def __init__(self, task: Task, edits: Mapping[str, object]) -> None:
        self.task = task
        self.edits = edits

    @cached_property
    def paper(self) -> Trace:
        """The computation as the sheets print it."""
        return _with_free(self.task.trace(self.edits))

    @cached_property
    def exact(self) -> Trace:
        """The same without rounding."""
        if self.paper.rounding == "exact":
            return self.paper
        return _with_free(self.task.trace(self.edits, rounding="exact"))

    @cached_property
    def plans(self) -> Mapping[str, Plan]:
        """What the sheets ask for with these numbers."""
        return self.task.plans(self.paper)

    def asked(self, last: str | tuple[str, ...]) -> list[StepRow]:
        """The rows that the class's own sheets ask for, of steps whose names end so."""
        return _asked(self.task, last)

    @property
    def predicts(self) -> bool:
        """Whether a sheet asks for probabilities of the next token."""
        return bool(self.asked(PROBABILITIES))


@lru_cache(maxsize=64)
def _asked(task: Task, last: str | tuple[str, ...]) -> list[StepRow]:
    """Of the model's own steps: a gradient's name ends as that of its step."""
    return [row for row in rows_of(task.base_plans, last) if not row.step.startswith(GRAD)]


def rows_of(plans: Mapping[str, Plan], last: str | tuple[str, ...]) -> list[StepRow]:
    """The rows that plans ask for, of steps whose names end so."""
    columns_of: dict[tuple[str, int], list[int]] = {}
    asked: set[Cell] = set().union(*(plan.asked for plan in plans.values()))
    for step, i, j in sorted(asked):
        if step.endswith(last):
            columns_of.setdefault((step, i), []).append(j)
    return [StepRow(step, i, tuple(columns)) for (step, i), columns in columns_of.items()]


def lines_of(plan: Plan) -> list[list[Cell]]:
    """The rows and columns of steps of which a sheet asks several numbers."""
    cells_of_line: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in plan.asked:
        step, i, j = cell
        cells_of_line.setdefault((step, "row", i), []).append(cell)
        cells_of_line.setdefault((step, "column", j), []).append(cell)
    return [cells for cells in cells_of_line.values() if len(cells) >= FEWEST]


def cells_of(trace: Trace, row: StepRow, sibling: str = "") -> np.ndarray:
    """The numbers [m] of a row, or the same of another step of that head, one before its mask."""
    head = row.step.removeprefix(PREFIX).rpartition(".")[0]
    name = f"{head}.{sibling}" if sibling else row.step
    cells: np.ndarray = trace[name].values[row.i, list(row.columns)]
    return cells


def _with_free(trace: Trace) -> Trace:
    """A computation with what sheet 4a has beside it: its head without the mask."""
    return trace.with_steps(unmasked(trace, AT)) if f"{AT}.mask" in trace else trace
