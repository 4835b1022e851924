"""Writes what a tab was delivered with, as plain values, and compares the tab with it.

Values and no formulas, so that they stay: whatever somebody changes is held against them.
"""

from collections.abc import Iterator

from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.trace import Step
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import (
    cell_at,
    put_number,
    put_text,
    write_formula,
    write_text,
)
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.kept import ABOUT_ROW, COUNT, LARGEST, TOTAL_ROW, KeptTab
from generator.render.workbook.layout.layout import FIRST_ROW, Sheet
from generator.render.workbook.write.boxes import cells_of, shown

LEAST = "0.000001"  # a smaller difference is noise of the program that computes,
SHARE = "0.001"  # and of a large number so much of it, times the least difference
MASKABLE = ("mask", "masked", "shifted")  # their cells may hold the text −∞

GROWING = ("exp", "sum", "output.exp", "output.sum")  # e^x: one of them would outdo all others


def write(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The copy of a tab, the changes of each of its tables, and of all of them."""
    kept = draft.kept.get(sheet.tab.title)
    if kept is None:
        return
    style = draft.styles.look("tag")
    write_text(page, ABOUT_ROW, kept.first, draft.catalogue.t("workbook.kept.about"), style)
    for row, column, value in _values(draft, sheet):
        cell = cell_at(page, row, kept.column(column), style)
        if isinstance(value, str):
            put_text(cell, value)
        else:
            put_number(cell, value)
    _changes(draft, page, sheet, kept)


def _values(draft: Draft, sheet: Sheet) -> Iterator[tuple[int, int, float | str]]:
    """Row, column and value of all cells of the steps on a tab, echoes included."""
    for band in sheet.bands:
        for box in band.boxes:
            for i, j in cells_of(draft.trace[box.step]):
                yield *box.place(i, j), shown(draft, box.step, i, j)


def _changes(draft: Draft, page: Worksheet, sheet: Sheet, kept: KeptTab) -> None:
    """One line per computed table; the sums stand above."""
    style, row = draft.styles.look("tag"), FIRST_ROW
    for band in sheet.bands:
        for box in (box for box in band.boxes if box.home):
            step = draft.trace[box.step]
            if step.kind == "computed":
                count, largest = _compared(step, box, kept)
                write_formula(page, row, kept.wide + COUNT, CellFormula(count, 0.0), style)
                write_formula(page, row, kept.wide + LARGEST, CellFormula(largest, 0.0), style)
                row += 1
    for column, function in ((kept.wide + COUNT, "SUM"), (kept.wide + LARGEST, "MAX")):
        lines = f"{at(FIRST_ROW, column)}:{at(max(row - 1, FIRST_ROW), column)}"
        write_formula(page, TOTAL_ROW, column, CellFormula(f"={function}({lines})", 0.0), style)


def differs(now: str, then: str) -> str:
    """The condition that numbers differ by more than noise: two cells, or two areas cell by cell.

    Squares, for Gnumeric takes no ABS of a range.
    """
    return f"({now}-{then})^2>{LEAST}^2*(1+({SHARE}*{then})^2)"


def _compared(step: Step, box: Box, kept: KeptTab) -> tuple[str, str]:
    """The formulas of how many cells of a table differ, and of the largest difference.

    Of a table with masked cells it counts those that are masked, or no longer so: the numbers
    themselves are counted in the table before it. What is not counted is no largest difference.
    """
    now, then = box.span(), kept.span(box)
    if step.text:
        return f"=IFERROR(SUMPRODUCT(({now}<>{then})*1),0)", "=0"
    if step.place.kind in MASKABLE:
        return f"=ABS(COUNT({now})-COUNT({then}))", "=0"
    changed = differs(now, then)
    count = f"=IFERROR(SUMPRODUCT(({changed})*1),0)"
    if step.place.kind in GROWING:
        return count, "=0"
    return count, f"=IFERROR(SQRT(SUMPRODUCT(LARGE(({now}-{then})^2*({changed}),1))),0)"
