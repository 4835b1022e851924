"""The looks of cells: one font, few colours, each role visible by its border as well.

Also here:

* What follows what a cell holds, and what may be typed into one: each rule is built here.
"""

from collections.abc import Mapping
from copy import copy
from functools import partial
from typing import Any, NamedTuple

from openpyxl.cell.cell import Cell
from openpyxl.formatting.rule import ColorScaleRule, DataBarRule, FormulaRule, Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.datavalidation import DataValidation

from generator.render.workbook.file.package import SharedStyle
from generator.resources import table

FONT = "Arial"
UNLOCKED = ("given", "input", "entry")  # every other role is locked
PARTS = ("query", "key", "value")  # of a head
SIDES = {"around": ("left", "right", "top", "bottom"), "below": ("bottom",), "above": ("top",)}
LOOKS = table("render/workbook/styles.toml")
COLOURS: Mapping[str, str] = LOOKS["colours"]
ACCENT, ALARM, FAINT, INK = (COLOURS[name] for name in ("accent", "alarm", "faint", "ink"))
CHANGED, CHANGED_INK, REFUSED = (COLOURS[x] for x in ("changed", "changed_ink", "refused"))
LIT, SHARE, HEAT = COLOURS["lit"], COLOURS["share"], (COLOURS["light"], COLOURS["dark"])
FILLS = {role: COLOURS.get(colour, colour) for role, colour in LOOKS["grounds"].items()}
FONTS = {
    role: {**letters, "color": COLOURS[letters["color"]]}
    for role, letters in LOOKS["letters"].items()
}
_BORDERS = {"label": Border()} | {
    role: Border(**dict.fromkeys(SIDES[where], Side(style, color=COLOURS.get(colour, colour))))
    for where, lines in LOOKS["lines"].items()
    for role, (style, colour) in lines.items()
}


class CellLook(NamedTuple):
    """How a cell looks: its role, number format, alignment, whether its text is wrapped, indent."""

    role: str = "text"
    number: str = "General"
    align: str = ""
    wrap: bool = False
    indent: int = 0


class Styles(dict[CellLook, SharedStyle]):
    """The style of each look of cells, built when it is first asked for and then shared.

    `given_locked`: given numbers are locked and not yellow, as in an exercise, where only what
    takes entries is.
    """

    def __init__(self, workbook: Workbook, given_locked: bool) -> None:
        super().__init__()
        self._given_locked = given_locked
        # The widths of columns are counted in digits of this font, by every program alike.
        workbook._named_styles["Normal"].font = Font(name=FONT, size=10)
        self._page = workbook.worksheets[0]

    def __missing__(self, known: CellLook) -> SharedStyle:
        """The style of a look that nobody has asked for yet."""
        model = Cell(self._page)
        self._dress(model, known)
        self[known] = style = SharedStyle(model._style)
        return style

    def _dress(self, model: Cell, known: CellLook) -> None:
        role, number, align, wrap, indent = known
        if indent:  # moved away from the border at its left
            model._style = copy(self[known._replace(indent=0)])
            model.alignment = Alignment(horizontal="left", vertical="center", indent=indent)
            return
        look = "result" if role == "next" else role
        model.font = Font(name=FONT, **{"size": 10, **FONTS[role]})
        if look in FILLS:
            model.fill = PatternFill("solid", fgColor=FILLS[look])
        if look in _BORDERS:
            model.border = _BORDERS[look]
        model.number_format = number
        model.protection = Protection(locked=role not in UNLOCKED)
        model.alignment = Alignment(
            horizontal=align or None,
            vertical="bottom" if look == "head" else "center",
            wrap_text=wrap or None,
            indent=1 if align == "right" and role == "label" else 0,
        )
        if role == "given" and self._given_locked:
            model.protection, model.fill = Protection(locked=True), PatternFill()


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


def slopes(span: str) -> Rule:
    """Gradients, darker the larger, in one colour above 0 and another below; the span is fixed."""
    most = f"MAX(MAX({span}),-MIN({span}))"
    least = {"start_type": "formula", "start_value": f"-{most}", "start_color": COLOURS["below"]}
    middle = {"mid_type": "num", "mid_value": 0, "mid_color": HEAT[0]}
    largest = {"end_type": "formula", "end_value": most, "end_color": HEAT[1]}
    return ColorScaleRule(**least, **middle, **largest)


def asks(**rule: Any) -> DataValidation:
    """A rule for what may be typed, as openpyxl calls it, with a message otherwise."""
    return DataValidation(showErrorMessage=True, showInputMessage="prompt" in rule, **rule)
