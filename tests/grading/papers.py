"""Papers of simulated pupils for the tests of marking."""

from collections.abc import Mapping
from functools import cache

from generator.api import compute
from generator.engine.step import Cell
from generator.grading.marking.question import Question
from generator.grading.marking.rule import Judged, Paper
from generator.grading.reading.meant import Number
from generator.insight.slips import Slip
from generator.render.worksheet.worksheet import planned
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.filled import filling, reason
from tests.support.views import view

LEARNED = "katze-trained"
FILLED = tuple(name for name in SHEETS if SERIES[name].kind.filled)


def usual(sheet: str) -> str:
    """The learned preset where it fills a sheet, else the first that does."""
    return filling(sheet) if reason(sheet, LEARNED) else LEARNED


@cache
def question(sheet: str, preset: str = "", level: int = 3) -> Question:
    """What a sheet asks; `UserError` where it cannot take the preset."""
    preset = preset or usual(sheet)
    return Question(
        sheet, compute(preset=preset), SERIES[sheet].plan(compute(preset=preset), level)
    )


@cache
def listed(sheet: str, preset: str = "", level: int = 3) -> tuple[Slip, ...]:
    """The slips that the sheet's page for teachers lists."""
    preset = preset or usual(sheet)
    trace, exact = compute(preset=preset), compute(preset=preset, rounding="exact")
    options = SheetOptions(level=level)
    plan = planned(sheet, trace, options)
    return tuple(view(plan, trace, exact, options, Formulas(), blank=False).slips())


def right(asked: Question) -> dict[Cell, Number]:
    """A paper without a slip."""
    return {cell: asked.right(cell) for cell in asked.cells}


def judge(asked: Question, typed: Mapping[Cell, Number]) -> dict[Cell, Judged]:
    """A paper as the rule sees it."""
    return Paper(asked, typed).judged()
