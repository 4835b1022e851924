"""The formulas that check an exercise tab: verdicts, gates, counts, and what the pupil reads."""

from collections.abc import Sequence

from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.areas import gathered
from generator.checks.verdict import GATE, NO_NUMBER, NOT_YET, RIGHT, WRONG, When, gate, verdict
from generator.engine.expr import Call, Fn, Ref
from generator.engine.step import Cell
from generator.render.workbook.checking import hints
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import write_formula
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.check_columns import (
    ABOUT_ROW,
    TOTALS_ROW,
    Rectangle,
    rectangles,
)
from generator.render.workbook.layout.checks import Block, Checks
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.write.filling import notation

COUNTED = {"right": RIGHT, "wrong": WRONG, "nan": NO_NUMBER}


def write_help(draft: Draft, page: Worksheet, checks: Checks, block: Block) -> None:
    """The help row of a block: choice of a hint, state; and what the hints say."""
    row = block.band.help_row
    _gate(draft, page, checks, block)
    _counts(draft, page, checks, row, block.cells)
    if draft.judging.hints:
        hints.write(draft, page, checks, block)
    state = _state(draft, checks, block)
    write_formula(page, row, WORDS_COLUMN, state, draft.styles.look("words"))


def write(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The verdict on each entry, and the counts of the whole tab."""
    for block in checks.blocks:
        for cell in block.cells:
            _verdict(draft, page, checks, block, cell)
    _totals(draft, page, checks)


def boxes(draft: Draft, cells: Sequence[Cell]) -> list[Rectangle]:
    """Where entries stand, as rectangles."""
    return rectangles(draft.layout.home(name).place(i, j) for name, i, j in cells)


def _verdict(draft: Draft, page: Worksheet, checks: Checks, block: Block, cell: Cell) -> None:
    home = draft.layout.home(cell[0])
    row, column = home.place(*cell[1:])
    excel = notation(draft, home, checks.gate(block.band))
    formula = excel.formula(verdict(draft.exercise, cell, Ref(GATE, 0, 0)))
    shown = Formula(formula, float(NOT_YET))
    hints.put(draft, page, row, checks.columns.verdict(column), shown)


def _gate(draft: Draft, page: Worksheet, checks: Checks, block: Block) -> None:
    t, row = draft.catalogue.t, block.band.help_row
    when = When(t("workbook.judge.block"), t("workbook.judge.off"))
    at_band = Box("", checks.title, block.band.bottom, 1, 1, 1)
    formula = notation(draft, at_band).formula(gate(block.cells, when))
    hints.put(draft, page, row, checks.columns.state("gate"), Formula(formula, 0.0))


def _counts(draft: Draft, page: Worksheet, checks: Checks, row: int, cells: Sequence[Cell]) -> None:
    """How many entries are right, wrong, no number, blank."""
    columns, places = checks.columns, boxes(draft, cells)
    for state, number in COUNTED.items():
        spans = [box.moved(columns.verdict(box.left)).span for box in places]
        formula = "=" + "+".join(f"COUNTIF({span},{number})" for span in spans)
        hints.put(draft, page, row, columns.state(state), Formula(formula, 0.0))
    excel = notation(draft, Box("", checks.title, 1, 1, 1, 1))
    blank = Formula(excel.formula(Call(Fn.COUNT_BLANK, gathered(cells))), float(len(cells)))
    hints.put(draft, page, row, columns.state("blank"), blank)


def _totals(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The counts of the tab, and on the first tab how many cells of all tabs are blank."""
    for state, shown in (*dict.fromkeys(COUNTED, 0).items(), ("blank", len(checks.asked))):
        column = checks.columns.state(state)
        cells = ",".join(at(block.band.help_row, column) for block in checks.blocks)
        hints.put(draft, page, TOTALS_ROW, column, Formula(f"=SUM({cells})", float(shown)))
    tabs = tuple(draft.checks.values())
    if checks is tabs[0]:
        text = "=" + "+".join(tab.count("blank") for tab in tabs)
        number = float(len(draft.exercise.asked))
        hints.put(draft, page, ABOUT_ROW, checks.columns.state("blank"), Formula(text, number))


def _state(draft: Draft, checks: Checks, block: Block) -> Formula:
    """How far a block is, in words, but in a pause; where nobody judges, only what is open."""
    t, row, asked = draft.catalogue.t, block.band.help_row, len(block.cells)
    if not draft.judging.judges:
        left, blank = t("exercise.state.left"), at(row, checks.columns.state("blank"))
        return Formula(f'="{left}"&{blank}', f"{left}{asked}")
    says = {state: t(f"exercise.state.{state}") for state in (*COUNTED, "open")}
    cells = [at(row, checks.columns.state(state)) for state in COUNTED]
    parts = [f'"{says[state]}"&{cell}' for state, cell in zip(COUNTED, cells, strict=True)]
    formula = "&".join((*parts, f'"{says["open"]}"&({asked}-{"-".join(cells)})'))
    shown = "".join(f"{says[state]}0" for state in COUNTED)
    paused = f"{on(*draft.layout.paused)}>0"
    return Formula(f'=IF({paused},"",{formula})', f"{shown}{says['open']}{asked}")
