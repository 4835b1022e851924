"""A simulated pupil: what somebody enters who computes on with their own numbers."""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache

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
from tests.support.judge import judge
from tests.support.memo import once
from tests.support.office import ERROR
from tests.support.recalculate import Values, edit_cells


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


SHIPPED = ("katze", "brille", "paris", "ausgabe", "random")
LANGUAGES = ("de", "en")


class Typed(str):
    """A formula that the pupil types into a cell, with its "="."""

    __slots__ = ()


class Desk:
    """An exercise workbook in front of a pupil: where entries go and where verdicts stand."""

    def __init__(self, trace: Trace, level: int, language: str) -> None:
        self.trace = trace
        self.language = language
        self.plan = plan(trace, level)
        self.exercise = Exercise(trace, self.plan.asked)
        catalogue = load(language)
        self.xlsx = once(
            lambda: render(trace, catalogue, level), "exercise", trace, catalogue, level
        )
        self.draft = Draft(self.exercise, catalogue)
        self.blocks = [
            list(block.cells) for tab in self.draft.checks.values() for block in tab.blocks
        ]

    def entry(self, cell: Cell) -> tuple[str, str]:
        """Sheet and address of a yellow cell."""
        home = self.draft.layout.home(cell[0])
        return home.sheet, home.cell(*cell[1:])

    def verdict(self, cell: Cell) -> tuple[str, str]:
        """Sheet and address of its verdict."""
        home = self.draft.layout.home(cell[0])
        row, column = home.place(*cell[1:])
        return home.sheet, at(row, self.draft.checks[home.sheet].verdict(column))

    def filled(
        self, entered: Mapping[Cell, object], when: str = "once", **settings: object
    ) -> bytes:
        """The workbook after the pupil typed all that, judged at that moment."""
        inputs = self.draft.layout.setting_inputs
        settings["judge"] = load(self.language).t(f"workbook.judge.{when}")
        typed = {
            self.entry(cell): None if value == "" else value for cell, value in entered.items()
        }
        typed |= {inputs[name]: value for name, value in settings.items()}
        return enter(self.xlsx, typed)

    def verdicts(self, values: Values) -> dict[Cell, int]:
        """What the recalculated workbook says of every asked cell."""
        found = {}
        for cell in self.plan.asked:
            sheet, address = self.verdict(cell)
            found[cell] = int(values[sheet][address])
        return found

    def expected(
        self,
        entered: Mapping[Cell, object],
        when: str = "once",
        tolerance: float = 1,
        *,
        paused: bool = False,
    ) -> dict[Cell, int]:
        """What the Python evaluator says."""
        known = {cell: value for cell, value in entered.items() if not isinstance(value, Typed)}
        assert len(known) == len(entered), "formulas have to be given as their values"
        return judge(
            self.trace,
            self.plan,
            known,
            tolerance=tolerance,
            when=when,
            blocks=self.blocks,
            paused=paused,
        )


def trace_of(name: str, language: str = "de", rounding: str = "paper", rounds: int = 1) -> Trace:
    """The computation of a shipped preset, with controls."""
    preset = in_language(load_preset(name), language)
    return compute(preset, rounding=rounding, controls=True, rounds=rounds)


@cache
def desk(name: str = "katze", level: int = 2, language: str = "de") -> Desk:
    """The exercise of a shipped preset, rendered once."""
    return Desk(trace_of(name, language), level, language)


def no_error(values: Values) -> None:
    """Assert that no cell of a workbook shows an error."""
    errors = [(s, a) for s, cells in values.items() for a, v in cells.items() if v == ERROR]
    assert not errors, (len(errors), errors[:5])


def enter(xlsx: bytes, typed: Mapping[tuple[str, str], object]) -> bytes:
    """`edit_cells`, also for formulas."""
    marked = {
        where: f"{_MARK}{value[1:]}" if isinstance(value, Typed) else value
        for where, value in typed.items()
    }
    edited, out = edit_cells(xlsx, marked), io.BytesIO()
    if not any(isinstance(value, Typed) for value in typed.values()):
        return edited
    with zipfile.ZipFile(io.BytesIO(edited)) as archive, zipfile.ZipFile(out, "w") as copy:
        for info in archive.infolist():
            copy.writestr(info, _FORMULA.sub(rb"><f>\1</f></c>", archive.read(info)))
    return out.getvalue()


_MARK = "typed formula "
_FORMULA = re.compile(rb' t="inlineStr"><is><t[^>]*>typed formula ([^<]*)</t></is></c>')
