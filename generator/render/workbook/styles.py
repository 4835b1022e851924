"""The looks of cells: one font, few colours, each role visible by its border as well."""

from copy import copy
from typing import Any, NamedTuple

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
PARTS = ("query", "key", "value")  # of a head
HEAT = ("FFFFFF", "B5D3EC")  # every text on it keeps its contrast on the darker end


_OUTLINES = {
    "given": ("thin", "8A6D1F"),
    "input": ("medium", "8A6D1F"),
    "entry": ("medium", "6B5A00"),
    "inforce": ("double", "7A8794"),
    "computed": ("hair", "7A8794"),
    "echo": ("dotted", "9AA5B0"),
    "result": ("medium", "2E6B3F"),
    "query": ("thin", QUERY),
    "key": ("thin", KEY),
    "value": ("thin", VALUE),
    "share": ("thin", SHARE),
    "map": ("thin", ACCENT),
}
_BORDERS = {
    **{role: Border(*[Side(*line)] * 4) for role, line in _OUTLINES.items()},
    "label": Border(),
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
_ROLES: tuple[tuple[tuple[str, ...], str, int, bool], ...] = (  # ink, points, whether bold
    (("given", "input", "entry", "inforce", "computed", "text"), INK, 10, False),
    (("free", "free band", *PARTS), INK, 10, False),
    (("result", "strong", "share"), INK, 10, True),
    (("next",), INK, 14, True),
    (("changed",), CHANGED_INK, 10, True),
    (("label", "head", "free head"), SOFT, 10, True),
    (("subtitle",), SOFT, 10, False),
    (("tag head",), SOFT, 9, True),
    (("words", "band words"), SOFT, 9, False),
    (("functions",), FAINT, 8, False),
    (("step",), FAINT, 7, False),
    (("title",), ACCENT, 18, True),
    (("band", "line"), ACCENT, 11, True),
    (("chosen", "map head"), ACCENT, 10, True),
    (("tag", "caption", "arrow"), ACCENT, 9, True),
    (("live", "map"), ACCENT, 9, False),
    (("alarm",), ALARM, 10, True),
    *(
        ((f"{role} tag",), ink, 9, True)
        for role, ink in zip(PARTS, (QUERY, KEY, VALUE), strict=True)
    ),
)
FONTS: dict[str, dict[str, Any]] = {
    "echo": {"color": SOFT, "italic": True},
    "link": {"color": ACCENT, "underline": "single"},
    **{
        role: {"color": ink, "size": points, "bold": bold}
        for roles, ink, points, bold in _ROLES
        for role in roles
    },
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
