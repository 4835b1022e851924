"""The looks of cells: one font, few colours, each role visible by its border as well."""

from copy import copy
from typing import Any

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.workbook.workbook import Workbook

from generator.render.workbook.file.cells import SharedStyle

FONT = "Arial"
INK, SOFT, FAINT, ACCENT, ALARM = "1B2A3A", "4A5A6A", "5F6B77", "1F4E79", "9C2A10"
GIVEN, ECHO, RESULT, ENTRY = "FFF4D6", "F2F4F6", "E3F1E6", "FFFBD1"
FREE = ("free", "free head", "free band")  # around given numbers that are pasted over as one
UNLOCKED = ("given", "input", "entry", *FREE)  # every other role is locked
CHANGED, CHANGED_INK = "F9D3EA", "7A0F52"  # what differs from as delivered
QUERY, KEY, VALUE, SHARE = "1F4E79", "8A4B12", "5B3F8C", "1D6B5A"  # roles of a head, everywhere
REFUSED = "F8E0DA"  # an entry that is not accepted
LIT = "FFE08A"  # the place on a map
HEAT = ("FFFFFF", "B5D3EC")  # every text on it keeps its contrast on the darker end


def _line(style: str, colour: str) -> Border:
    side = Side(style=style, color=colour)
    return Border(left=side, right=side, top=side, bottom=side)


_BORDERS = {
    "given": _line("thin", "8A6D1F"),
    "input": _line("medium", "8A6D1F"),
    "entry": _line("medium", "6B5A00"),
    "inforce": _line("double", "7A8794"),
    "computed": _line("hair", "7A8794"),
    "echo": _line("dotted", "9AA5B0"),
    "result": _line("medium", "2E6B3F"),
    "label": Border(),
    "query": _line("thin", QUERY),
    "key": _line("thin", KEY),
    "value": _line("thin", VALUE),
    "share": _line("thin", SHARE),
    "map": _line("thin", ACCENT),
    **dict.fromkeys(("head", "free head"), Border(bottom=Side(style="thin", color="7A8794"))),
    **dict.fromkeys(("band", "band words", "free band"), Border(top=Side("thin", color=ACCENT))),
}
FILLS = {
    **dict.fromkeys(("given", "input"), GIVEN),
    **dict.fromkeys(("echo", "inforce"), ECHO),
    "entry": ENTRY,
    "result": RESULT,
    "changed": CHANGED,
    "query": "DFEAF7",
    "key": "FBE7D3",
    "value": "EBE4F6",
    "share": "D9EFE9",
}
FONTS: dict[str, dict[str, Any]] = {
    **{role: {"color": INK} for role in ("given", "input", "entry", "inforce")},
    "computed": {"color": INK},
    "echo": {"color": SOFT, "italic": True},
    "result": {"color": INK, "bold": True},
    "changed": {"color": CHANGED_INK, "bold": True},
    "label": {"color": SOFT, "bold": True},
    **{role: {"color": SOFT, "bold": True} for role in ("head", "free head")},
    **{role: {"color": INK} for role in ("free", "free band")},
    "tag": {"color": ACCENT, "bold": True, "size": 9},
    "step": {"color": FAINT, "size": 7},
    "band": {"color": ACCENT, "bold": True, "size": 11},
    "line": {"color": ACCENT, "bold": True, "size": 11},
    "words": {"color": SOFT, "size": 9},
    "functions": {"color": FAINT, "size": 8},
    "live": {"color": ACCENT, "size": 9},
    "chosen": {"color": ACCENT, "bold": True},
    "alarm": {"color": ALARM, "bold": True},
    "band words": {"color": SOFT, "size": 9},
    "title": {"color": ACCENT, "bold": True, "size": 18},
    "subtitle": {"color": SOFT, "size": 10},
    "link": {"color": ACCENT, "underline": "single"},
    "text": {"color": INK},
    "strong": {"color": INK, "bold": True},
    "next": {"color": INK, "bold": True, "size": 14},
    **{role: {"color": INK} for role in ("query", "key", "value")},
    "share": {"color": INK, "bold": True},
    "query tag": {"color": QUERY, "bold": True, "size": 9},
    "key tag": {"color": KEY, "bold": True, "size": 9},
    "value tag": {"color": VALUE, "bold": True, "size": 9},
    "tag head": {"color": SOFT, "bold": True, "size": 9},
    "caption": {"color": ACCENT, "bold": True, "size": 9},
    "arrow": {"color": ACCENT, "bold": True, "size": 9},
    "map": {"color": ACCENT, "size": 9},
    "map head": {"color": ACCENT, "bold": True, "size": 10},
}


class Styles:
    """Gives cells their look; each look is built once a workbook and then shared.

    `given_locked`: given numbers are locked and not yellow, as in an exercise, where only what
    takes entries is.
    """

    def __init__(self, workbook: Workbook, given_locked: bool) -> None:
        self._given_locked = given_locked
        # The widths of columns are counted in digits of this font, by every program alike.
        workbook._named_styles["Normal"].font = Font(name=FONT, size=10)
        self._scratch = Cell(workbook.worksheets[0])
        self._known: dict[tuple[str, str, str, bool], SharedStyle] = {}

    def dress(
        self, cell: Cell, role: str, number: str = "General", align: str = "", wrap: bool = False
    ) -> None:
        """Set role, number format and alignment of a cell at once."""
        cell._style = self.look(role, number, align, wrap)

    def look(
        self, role: str, number: str = "General", align: str = "", wrap: bool = False
    ) -> SharedStyle:
        """The style of a role's cells; the same object for the same look."""
        key = (role, number, align, wrap)
        if key not in self._known:
            self._known[key] = self._style(*key)
        return self._known[key]

    def _style(self, role: str, number: str, align: str, wrap: bool) -> SharedStyle:
        model = self._scratch
        model._style = copy(Cell(model.parent)._style)
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
        return SharedStyle(model._style)
