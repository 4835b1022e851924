"""The looks of cells: one font, few colours, each role visible by its border as well."""

from collections.abc import Mapping
from copy import copy
from typing import NamedTuple

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.workbook.workbook import Workbook

from generator.render.workbook.file.cells import SharedStyle
from generator.resources import table

FONT = "Arial"
FREE = ("free", "free head", "free band")  # around given numbers that are pasted over as one
UNLOCKED = ("given", "input", "entry", *FREE)  # every other role is locked
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
