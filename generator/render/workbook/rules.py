"""What follows what a cell holds, and what may be typed into one: each rule is built here."""

from functools import partial
from typing import Any

from openpyxl.formatting.rule import ColorScaleRule, DataBarRule, FormulaRule, Rule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.worksheet.datavalidation import DataValidation

from generator.render.workbook.styles import ACCENT, ALARM, CHANGED, CHANGED_INK, HEAT, INK, REFUSED

LONGEST_ERROR = 225  # of a message in Excel
_THIN = Side("thin", color=INK)
FRAME = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)


def where(
    formula: str, ink: str | None = None, ground: str | None = None, bold: bool = False, **more: Any
) -> FormulaRule:
    """Letters and ground of cells while a formula is true; `more` as openpyxl calls it."""
    font = Font(color=ink, bold=bold or None, strike=more.pop("strike", None))
    fill = PatternFill("solid", bgColor=ground) if ground else None
    return FormulaRule(formula=[formula], font=font, fill=fill, **more)


ARROW = "→"  # what a line that is no warning begins with
tinted = partial(where, ink=CHANGED_INK, ground=CHANGED, bold=True)  # what has changed
framed = partial(where, bold=True, border=FRAME)  # cells, with bold content
alarm = partial(where, ink=ALARM, ground=REFUSED, bold=True)  # an entry that is not accepted


def calm(cell: str) -> FormulaRule:
    """No alarm where a message only says what goes on; it then begins with an arrow."""
    return where(f'LEFT({cell},1)="{ARROW}"', ACCENT)


def bars(most: float) -> Rule:
    """A bar behind each number, from 0 to that number, which fills the cell."""
    ends = {"start_type": "num", "start_value": 0, "end_type": "num", "end_value": most}
    return DataBarRule(**ends, color=HEAT[1], minLength=0, maxLength=100)


def heat() -> Rule:
    """Darker for a larger share."""
    ends = {"start_type": "num", "start_value": 0, "end_type": "num", "end_value": 1}
    return ColorScaleRule(**ends, start_color=HEAT[0], end_color=HEAT[1])


def asks(**rule: Any) -> DataValidation:
    """A rule for what may be typed, as openpyxl calls it, with a message otherwise."""
    return DataValidation(showErrorMessage=True, showInputMessage="prompt" in rule, **rule)


def one_of_first(most: int) -> str:
    """What a list from 1 to a number offers, written into the rule."""
    return '"' + ",".join(str(k + 1) for k in range(most)) + '"'
