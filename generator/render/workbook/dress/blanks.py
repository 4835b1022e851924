"""What is no number in a given table is red; what cannot be computed from it shows nothing.

The reason stands once, at the head of each tab.
"""

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.trace import Step
from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.rules import refused
from generator.render.workbook.guards import bound, letters
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.layout import Sheet

GREY = "E4E7EA"


def mark_refused(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """A given cell without a number within its bound, or without a word."""
    for box in (box for band in sheet.bands for box in band.boxes if box.home):
        step = draft.trace[box.step]
        if step.kind == "given" and draft.layout.start.entry(step.name, 0, 0) is None:
            rule = refused(_wrong(at(box.row, box.column), step, letters(draft, step)))
            page.conditional_formatting.add(box.span(), rule)


def _wrong(cell: str, step: Step, most: int) -> str:
    if step.text:
        return f'OR({cell}="",LEN({cell})>{most})' if most else f'{cell}=""'
    return f"IF(ISNUMBER({cell}),ABS({cell})>{bound(step):g},TRUE)"


def hide_errors(page: Worksheet) -> None:
    """A grey cell in the place of "#VALUE!", before the other rules of the page.

    By a rule and not by IFERROR around each formula: a formula stays as short as on paper.
    """
    others, page.conditional_formatting = page.conditional_formatting, ConditionalFormattingList()
    span = f"A1:{at(page.max_row, page.max_column)}"
    rule = FormulaRule(
        formula=["ISERROR(A1)"],
        font=Font(color=GREY),
        fill=PatternFill("solid", bgColor=GREY),
        stopIfTrue=True,
    )
    page.conditional_formatting.add(span, rule)
    for known in others:
        for one in known.rules:
            one.priority = 0
            page.conditional_formatting.add(str(known.sqref), one)
