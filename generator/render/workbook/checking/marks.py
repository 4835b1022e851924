"""How a yellow cell shows its verdict: by colour, border and sign."""

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.verdict import NO_NUMBER, RIGHT, WRONG
from generator.engine.step import Cell
from generator.render.workbook.checking.verdicts import boxes
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.check_columns import Columns, Rectangle
from generator.render.workbook.layout.checks import Checks

FIRST_FORMAT = 300  # ids of number formats that only rules use


class Mark:
    """The look of a verdict: dark letters on a light ground, a border, a sign after the entry."""

    def __init__(self, sign: str, ink: str, ground: str, bold: bool) -> None:
        self.sign = sign
        self.ink = ink
        self.ground = ground
        self.bold = bold

    def style(self, number: str, number_id: int) -> DifferentialStyle:
        """For cells with that number format."""
        side = Side(style="thin", color=self.ink)
        return DifferentialStyle(
            font=Font(color=self.ink, bold=self.bold),
            fill=PatternFill(bgColor=self.ground, fill_type="solid"),
            border=Border(left=side, right=side, top=side, bottom=side),
            numFmt=NumberFormat(numFmtId=number_id, formatCode=self._format(number)),
        )

    def _format(self, number: str) -> str:
        """The format with the sign behind it, for numbers and for text."""
        text = f'@" {self.sign}"'
        if number == "@":
            return text
        shown = f'{number}" {self.sign}"'
        return ";".join((shown, f"-{shown}", shown, text))


MARKS = {
    RIGHT: Mark("✓", "14532D", "CDEBD3", bold=False),
    WRONG: Mark("✗", "8B1A10", "FBD9D3", bold=True),
    NO_NUMBER: Mark("?", "6B4300", "FFDF9E", bold=False),
}


def show(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """Entries show their verdicts; before the other rules of the tab, such as colours of shares.

    In the file as well as by priority: LibreOffice takes the first rule that it finds.
    """
    others, page.conditional_formatting = page.conditional_formatting, ConditionalFormattingList()
    formats: dict[str, list[Cell]] = {}
    for cell in checks.asked:
        step = draft.trace[cell[0]]
        number = "@" if step.text else draft.looks[step.name].number
        formats.setdefault(number, []).append(cell)
    for number, cells in formats.items():
        for box in boxes(draft, cells):
            _show(page, checks.columns, box, number)
    for known in others:
        for rule in known.rules:
            rule.priority = 0
            page.conditional_formatting.add(str(known.sqref), rule)


def _show(page: Worksheet, columns: Columns, box: Rectangle, number: str) -> None:
    """The rules that look at the verdicts, which stand in the columns of the checks."""
    for order, (verdict, mark) in enumerate(MARKS.items()):
        formula = f"{at(box.top, columns.verdict(box.left))}={verdict}"
        style = mark.style(number, FIRST_FORMAT + order)
        rule = Rule(type="expression", formula=[formula], dxf=style, stopIfTrue=True)
        page.conditional_formatting.add(box.span, rule)
