"""The looks of cells: one font, few colours, each role visible by its border as well."""

from copy import copy
from typing import Any

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.workbook.workbook import Workbook

FONT = "Arial"
INK, SOFT, FAINT, ACCENT = "1B2A3A", "4A5A6A", "6B7885", "1F4E79"
GIVEN, ECHO, RESULT, HEAD = "FFF4D6", "F2F4F6", "E3F1E6", "EAF0F6"
HEAT = ("FFFFFF", "8FBCE0")  # black text keeps a contrast above 7:1 on the darker one


def _line(style: str, colour: str) -> Border:
    side = Side(style=style, color=colour)
    return Border(left=side, right=side, top=side, bottom=side)


_BORDERS = {
    "given": _line("thin", "8A6D1F"),
    "computed": _line("hair", "7A8794"),
    "echo": _line("dotted", "9AA5B0"),
    "result": _line("medium", "2E6B3F"),
    "label": Border(),
    "head": Border(bottom=Side(style="thin", color="7A8794")),
    **dict.fromkeys(("band", "band words", "band step"), Border(top=Side("thin", color=ACCENT))),
}
_FILLS = {"given": GIVEN, "echo": ECHO, "result": RESULT}
_FONTS: dict[str, dict[str, Any]] = {
    "given": {"color": INK},
    "computed": {"color": INK},
    "echo": {"color": SOFT, "italic": True},
    "result": {"color": INK, "bold": True},
    "label": {"color": SOFT, "bold": True},
    "head": {"color": SOFT, "bold": True},
    "tag": {"color": FAINT, "size": 8},
    "step": {"color": FAINT, "size": 7},
    "band step": {"color": FAINT, "size": 7},
    "band": {"color": ACCENT, "bold": True, "size": 11},
    "line": {"color": ACCENT, "bold": True, "size": 11},
    "words": {"color": SOFT, "size": 9},
    "band words": {"color": SOFT, "size": 9},
    "title": {"color": ACCENT, "bold": True, "size": 18},
    "subtitle": {"color": SOFT, "size": 10},
    "link": {"color": ACCENT, "underline": "single"},
    "text": {"color": INK},
    "strong": {"color": INK, "bold": True},
    "next": {"color": INK, "bold": True, "size": 14},
}


class Styles:
    """Gives cells their look; each look is built once a workbook and then copied."""

    def __init__(self, workbook: Workbook) -> None:
        self._scratch = Cell(workbook.worksheets[0])
        self._known: dict[tuple[str, str, str, bool], Any] = {}

    def dress(
        self, cell: Cell, role: str, number: str = "General", align: str = "", wrap: bool = False
    ) -> None:
        """Set role, number format and alignment of a cell at once."""
        key = (role, number, align, wrap)
        if key not in self._known:
            self._known[key] = self._style(*key)
        cell._style = copy(self._known[key])

    def _style(self, role: str, number: str, align: str, wrap: bool) -> Any:
        model = self._scratch
        model._style = copy(Cell(model.parent)._style)
        look = "result" if role == "next" else role
        model.font = Font(name=FONT, **{"size": 10, **_FONTS[role]})
        if look in _FILLS:
            model.fill = PatternFill("solid", fgColor=_FILLS[look])
        if look in _BORDERS:
            model.border = _BORDERS[look]
        model.number_format = number
        model.alignment = Alignment(
            horizontal=align or None,
            vertical="bottom" if look == "head" else "center",
            wrap_text=wrap or None,
            indent=1 if align == "right" and role == "label" else 0,
        )
        return model._style
