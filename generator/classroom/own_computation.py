"""A pupil's numbers with what is computed from them, and the rows of it that sheets ask for."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from generator.classroom.task import Task
from generator.engine.gradients import GRAD
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.engine.unmasked import PREFIX, unmasked
from generator.sheets.attending import AT
from generator.sheets.plan import Plan

PROBABILITIES: Final = "output.probabilities"
FEWEST: Final = 2  # numbers that are a column


class Row(NamedTuple):
    """Cells of one row of a step."""

    step: str
    i: int
    columns: tuple[int, ...]


class Numbers:
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

    def asked(self, last: str | tuple[str, ...]) -> list[Row]:
        """The rows that the class's own sheets ask for, of steps whose names end so."""
        return _asked(self.task, last)

    @property
    def predicts(self) -> bool:
        """Whether a sheet asks for probabilities of the next token."""
        return bool(self.asked(PROBABILITIES))


@lru_cache(maxsize=64)
def _asked(task: Task, last: str | tuple[str, ...]) -> list[Row]:
    """Of the model's own steps: a gradient's name ends as that of its step."""
    return [row for row in rows_of(task.base_plans, last) if not row.step.startswith(GRAD)]


def rows_of(plans: Mapping[str, Plan], last: str | tuple[str, ...]) -> list[Row]:
    """The rows that plans ask for, of steps whose names end so."""
    columns_of: dict[tuple[str, int], list[int]] = {}
    asked: set[Cell] = set().union(*(plan.asked for plan in plans.values()))
    for step, i, j in sorted(asked):
        if step.endswith(last):
            columns_of.setdefault((step, i), []).append(j)
    return [Row(step, i, tuple(columns)) for (step, i), columns in columns_of.items()]


def lines_of(plan: Plan) -> list[list[Cell]]:
    """The rows and columns of steps of which a sheet asks several numbers."""
    cells_of_line: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in plan.asked:
        step, i, j = cell
        cells_of_line.setdefault((step, "row", i), []).append(cell)
        cells_of_line.setdefault((step, "column", j), []).append(cell)
    return [cells for cells in cells_of_line.values() if len(cells) >= FEWEST]


def cells_of(trace: Trace, row: Row, sibling: str = "") -> np.ndarray:
    """The numbers [m] of a row, or the same of another step of that head, one before its mask."""
    head = row.step.removeprefix(PREFIX).rpartition(".")[0]
    name = f"{head}.{sibling}" if sibling else row.step
    cells: np.ndarray = trace[name].values[row.i, list(row.columns)]
    return cells


def _with_free(trace: Trace) -> Trace:
    """A computation with what sheet 4a has beside it: its head without the mask."""
    return trace.with_steps(unmasked(trace, AT)) if f"{AT}.mask" in trace else trace
