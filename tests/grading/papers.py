"""Papers of simulated pupils for the tests of marking."""

from collections.abc import Mapping
from functools import cache

from generator.api import compute
from generator.engine.step import Cell
from generator.grading.marking.question import Question
from generator.grading.marking.rule import BoxMark, Continued, Paper
from generator.grading.reading.entries import Number
from generator.insight.slips import Slip
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.filled import filling, reason

LEARNED = "katze-trained"
FILLED = tuple(name for name in SHEETS if SERIES[name].kind.filled)


def usual(sheet: str) -> str:
    """The learned preset where it fills a sheet, else the first that does."""
    return filling(sheet) if reason(sheet, LEARNED) else LEARNED


@cache
def question(sheet: str, preset: str = "", level: int = 3) -> Question:
    """What a sheet asks; `UserError` where it cannot take the preset."""
    trace = compute(preset=preset or usual(sheet))
    return Question(sheet, trace, SERIES[sheet].plan(trace, level))


@cache
def listed(sheet: str) -> tuple[Slip, ...]:
    """The slips that the sheet's page for teachers lists."""
    trace, exact = (compute(preset=usual(sheet), rounding=kind) for kind in ("paper", "exact"))
    printed = PrintedSheet(sheet, trace, exact, SheetOptions(level=3))
    return tuple(printed.view(blank=False).slips())


def right(asked: Question) -> dict[Cell, Number]:
    """A paper without a slip."""
    return {cell: asked.boxes[cell].right for cell in asked.cells}


def slipped(asked: Question, wrong: Cell, by: float) -> dict[Cell, Number]:
    """The paper of somebody who makes one slip and goes on with it rightly."""
    head, typed = Continued(asked.all_right), dict[Cell, Number]()
    for cell in asked.cells:
        value = head.next(asked.boxes[cell])
        typed[cell] = head.keep(cell, value + by if cell == wrong else value)
    return typed


def judge(asked: Question, typed: Mapping[Cell, Number]) -> dict[Cell, BoxMark]:
    """A paper as the rule sees it."""
    return Paper(asked, typed).judged()
