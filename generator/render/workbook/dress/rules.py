"""Rules that colour and frame cells by what they hold: shares, the chosen word, no minus zero."""

from openpyxl.formatting.rule import ColorScaleRule, DataBarRule, FormulaRule, Rule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.kept import Kept
from generator.render.workbook.layout.layout import FIRST_ROW, Sheet
from generator.render.workbook.styles import ALARM, CHANGED, CHANGED_INK, HEAT, INK, REFUSED
from generator.render.workbook.write.kept import LEAST
from generator.steps import kind_of

HEATED = ("shares", "bars")


def colour(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The colours of shares, no minus before a zero."""
    for band in sheet.bands:
        for box in band.boxes:
            if is_heated(box):
                _heat(page, box)
            step = draft.trace[box.step]
            if draft.trace.rounding == "exact" and not step.text and step.kind == "computed":
                _no_minus_zero(page, box, draft.looks[step.name].number)


def is_heated(box: Box) -> bool:
    """Whether the box shows shares, darker for larger ones."""
    return kind_of(box.step).shown.chart in HEATED and box.width > 1


def _heat(page: Worksheet, box: Box) -> None:
    """Darker for a larger share."""
    scale = ColorScaleRule(
        start_type="num",
        start_value=0,
        start_color=HEAT[0],
        end_type="num",
        end_value=1,
        end_color=HEAT[1],
    )
    page.conditional_formatting.add(box.span(), scale)


def _no_minus_zero(page: Worksheet, box: Box, number: str) -> None:
    """Unrounded negative numbers that show as zero show no minus."""
    if not number.startswith("0.0") or "E" in number:
        return
    cell = at(box.row, box.column)
    test = f"AND(ISNUMBER({cell}),{cell}<0,ROUND({cell},{number.count('0') - 1})=0)"
    style = DifferentialStyle(numFmt=NumberFormat(numFmtId=200, formatCode=f"{number};{number}"))
    rule = FormulaRule(formula=[test])
    rule.dxf = style
    page.conditional_formatting.add(box.span(), rule)


def changed(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """A tint for every cell of a step that differs from as delivered: one rule for the whole tab.

    It compares with the copy in the hidden columns, which is empty beside all other cells. Shares
    have a rule of their own, for LibreOffice takes no more than the rules of one range.
    """
    if kept := draft.kept.get(sheet.tab.title):
        for box in (box for band in sheet.bands for box in band.boxes if is_heated(box)):
            rule = tinted(apart(kept, box.row, box.column))
            page.conditional_formatting.add(box.span(), rule)
        span = f"{at(FIRST_ROW, 1)}:{at(kept.bottom, kept.wide)}"
        page.conditional_formatting.add(span, tinted(apart(kept, FIRST_ROW, 1)))


def apart(kept: Kept, row: int, column: int) -> str:
    """The condition that a cell differs from its copy as delivered, as a relative formula."""
    now, then = at(row, column), at(row, kept.column(column))
    numbers = f"ABS({now}-{then})>{LEAST}"
    differs = f"IF(AND(ISNUMBER({now}),ISNUMBER({then})),{numbers},NOT(EXACT({now},{then})))"
    return f'IF({then}="",FALSE,{differs})'


def tinted(formula: str) -> FormulaRule:
    """The tint of what has changed, where a formula is true."""
    return FormulaRule(
        formula=[formula],
        font=Font(color=CHANGED_INK, bold=True),
        fill=PatternFill("solid", bgColor=CHANGED),
    )


def refused(formula: str) -> FormulaRule:
    """The red of an entry that is not accepted, where a formula is true."""
    return FormulaRule(
        formula=[formula],
        font=Font(color=ALARM, bold=True),
        fill=PatternFill("solid", bgColor=REFUSED),
    )


def bars(most: float) -> Rule:
    """A bar behind each number, from 0 to that number, which fills the cell."""
    return DataBarRule(
        start_type="num",
        start_value=0,
        end_type="num",
        end_value=most,
        color=HEAT[1],
        minLength=0,
        maxLength=100,
    )


def framed(formula: str, tinted: bool = False) -> FormulaRule:
    """A rule that frames cells and makes their content bold, perhaps tinted as changed."""
    line = Side("thin", color=INK)
    frame = Border(left=line, right=line, top=line, bottom=line)
    rule = FormulaRule(formula=[formula])
    fill = PatternFill("solid", bgColor=CHANGED) if tinted else None
    font = Font(b=True, color=CHANGED_INK if tinted else None)
    rule.dxf = DifferentialStyle(border=frame, font=font, fill=fill)
    return rule
