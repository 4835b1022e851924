"""A simulated pupil: what somebody enters who computes on with their own numbers."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property

import numpy as np

from generator.checks.exercise import BLANK, OPEN, Exercise, found_in
from generator.checks.verdict import unit
from generator.engine.evaluate import evaluate
from generator.engine.model import compute
from generator.engine.rounding import rounded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.notation.shown import shown_decimals
from generator.plans.workbook import plan
from generator.presets.language import in_language
from generator.presets.load import load_preset
from generator.render.workbook.draft import Draft
from generator.render.workbook.exercise import render
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.layout import HeadingLine
from tests.support.judge import judge
from tests.support.memo import once
from tests.support.recalculate import Typed, Values, edit_cells, ironcalc_values
from tests.support.workbook import Book, Place


def entries(exercise: Exercise, slips: Mapping[Cell, object] | None = None) -> dict[Cell, object]:
    """All asked cells filled in order, each from the entries before it, but for the `slips`.

    Numbers are written with the decimals that the step shows. A cell that cannot be computed any
    more, because a slip left no number, stays blank.
    """
    trace, found = exercise.trace, dict(slips or {})
    arrays = exercise.filled({})
    arrays[OPEN] = np.zeros((1, 1))

    def lookup(name: str) -> np.ndarray:
        return found_in(arrays, trace, name)

    for step in trace:
        for i, j in cells_of(exercise.asked, step.name):
            cell = (step.name, i, j)
            if cell not in found:
                value = evaluate(exercise.shown(cell), lookup)
                if isinstance(value, float) and unit(step):
                    value = rounded_number(value, shown_decimals(step))
                found[cell] = value
            arrays[step.name][i, j] = found[cell]
        for i, j in cells_of(exercise.waiting, step.name):
            arrays[step.name][i, j] = evaluate(exercise.shown((step.name, i, j)), lookup)
    return {cell: value for cell, value in found.items() if value != BLANK.value}


def cells_of(cells: Iterable[Cell], name: str) -> list[tuple[int, int]]:
    """Row and column of those cells that belong to the step, in reading order."""
    return sorted((i, j) for step, i, j in cells if step == name)


def first_number(exercise: Exercise) -> Cell:
    """The first asked cell that is computed with decimals, so that a slip is possible early."""
    trace: Trace = exercise.trace
    for step in trace:
        for i, j in cells_of(exercise.asked, step.name):
            if unit(step):
                return step.name, i, j
    raise AssertionError("no asked cell has decimals")


class Desk(Book):
    """An exercise workbook in front of a pupil: where entries go and where verdicts stand."""

    def __init__(self, trace: Trace, level: int, language: str) -> None:
        self.plan = plan(trace, level)
        self.exercise = Exercise(trace, self.plan.asked)
        self.catalogue = load(language)
        self.draft = Draft(self.exercise, self.catalogue)
        parts = trace, self.catalogue, level
        super().__init__(trace, once(lambda: render(*parts), "exercise", *parts), self.draft.layout)
        self.checked = [(title, x) for title, tab in self.draft.checks.items() for x in tab.blocks]

    @cached_property
    def right(self) -> dict[Cell, object]:
        """All entries as they should be; to be copied before it is changed."""
        return entries(self.exercise)

    def entry(self, cell: Cell) -> Place:
        """Sheet and address of a yellow cell."""
        return self.cell(*cell)

    def verdict(self, cell: Cell) -> Place:
        """Sheet and address of its verdict."""
        home = self.layout.home(cell[0])
        row, column = home.place(*cell[1:])
        return home.sheet, at(row, self.draft.checks[home.sheet].verdict(column))

    def help(self, step: str) -> tuple[Place, HeadingLine]:
        """Where help with a step is chosen, and its heading line."""
        return next(
            ((title, at(block.band.help_row, 2)), line)
            for title, block in self.checked
            for line in block.band.lines
            if line.step == step
        )

    def filled(
        self,
        entered: Mapping[Cell, object] | None = None,
        when: str = "once",
        edits: Mapping[Place, object] | None = None,
        **settings: object,
    ) -> bytes:
        """The workbook after the pupil typed that, else all that is right, judged at that moment.

        `edits` are what was typed beside the yellow cells.
        """
        settings["judge"] = self.catalogue.t(f"workbook.judge.{when}")
        typed: dict[Place, object] = {
            self.entry(cell): None if value == "" else value
            for cell, value in (self.right if entered is None else entered).items()
        }
        typed |= {self.layout.setting_inputs[name]: value for name, value in settings.items()}
        return edit_cells(self.xlsx, {**typed, **(edits or {})})

    def shown(self, *what: object, **more: object) -> Values:
        """What IronCalc shows of the filled workbook, in which no error may be seen."""
        values = ironcalc_values(self.filled(*what, **more))
        assert not (errors := self.errors(values)), (len(errors), sorted(errors)[:5])
        return values

    def judged(self, *what: object, **more: object) -> dict[Cell, int]:
        """The verdicts of the filled workbook."""
        return self.verdicts(self.shown(*what, **more))

    def verdicts(self, values: Values) -> dict[Cell, int]:
        """What the recalculated workbook says of every asked cell."""
        places = {cell: self.verdict(cell) for cell in self.plan.asked}
        return {cell: int(values[sheet][address]) for cell, (sheet, address) in places.items()}

    def expected(
        self,
        entered: Mapping[Cell, object] | None = None,
        when: str = "once",
        tolerance: float = 1,
        *,
        paused: bool = False,
    ) -> dict[Cell, int]:
        """What the Python evaluator says."""
        known = self.right if entered is None else entered
        assert not any(isinstance(value, Typed) for value in known.values()), "give their values"
        blocks = [list(block.cells) for _, block in self.checked]
        how = {"tolerance": tolerance, "when": when, "blocks": blocks, "paused": paused}
        return judge(self.trace, self.plan, known, **how)


def trace_of(name: str, language: str = "de", rounding: str = "paper", rounds: int = 1) -> Trace:
    """The computation of a shipped preset, with controls."""
    preset = in_language(load_preset(name), language)
    return compute(preset, rounding=rounding, controls=True, rounds=rounds)


@cache
def desk(name: str = "katze", level: int = 2, language: str = "de") -> Desk:
    """The exercise of a shipped preset, rendered once."""
    return Desk(trace_of(name, language), level, language)
