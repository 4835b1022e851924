"""How a row shows that it is asked, and a yellow cell its verdict: by letter, colour and sign."""

from copy import copy

from openpyxl.cell.cell import Cell as Place
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
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
from generator.render.workbook.styles import INK

FIRST_FORMAT = 300  # ids of number formats that only rules use


class Mark:
    """The look of a verdict: dark letters on a light ground, a sign after the entry.

    The outline stays the cell's own: it says that the cell is asked, in grey print as well.
    """

    def __init__(self, sign: str, ink: str, ground: str, bold: bool) -> None:
        self.sign = sign
        self.ink = ink
        self.ground = ground
        self.bold = bold

    def style(self, number: str, number_id: int) -> DifferentialStyle:
        """For cells with that number format."""
        return DifferentialStyle(
            font=Font(color=self.ink, bold=self.bold),
            fill=PatternFill(bgColor=self.ground, fill_type="solid"),
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


def letter(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The sign of a task before the label of each asked row.

    A format writes it, so that formulas which read a label do not see it.
    """
    sign = draft.catalogue.t("workbook.start.sign.entry")
    rows = {draft.layout.home(name).place(i, j)[0] for name, i, j in checks.asked}
    for row in sorted(rows):
        _letter(page.cell(row, 1), sign)


def _letter(cell: Place, sign: str) -> None:
    """That sign before what the cell holds, in the darkest ink."""
    cell._style = copy(cell._style)
    shown = "@" if cell.number_format == "General" else cell.number_format
    cell.number_format = f'"{sign}  "{shown}'
    font = copy(cell.font)
    font.bold, font.color = True, INK
    cell.font = font


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
    """The rules that look at the verdicts, which stand in the columns of the checks.

    The last one stops, without a look of its own, whatever else colours or frames the tables: a
    cell that is asked keeps its outline where the focus is, too.
    """
    for order, (verdict, mark) in enumerate(MARKS.items()):
        formula = f"{at(box.top, columns.verdict(box.left))}={verdict}"
        style = mark.style(number, FIRST_FORMAT + order)
        rule = Rule(type="expression", formula=[formula], dxf=style, stopIfTrue=True)
        page.conditional_formatting.add(box.span, rule)
    kept = Rule(type="expression", formula=["TRUE"], dxf=DifferentialStyle(), stopIfTrue=True)
    page.conditional_formatting.add(box.span, kept)
