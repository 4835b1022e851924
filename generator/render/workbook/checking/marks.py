"""What a yellow cell takes, and how it shows its verdict: by colour, border and sign."""

from openpyxl.formatting.rule import Rule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.verdict import NO_NUMBER, RIGHT, WRONG
from generator.render.workbook.layout.check_columns import Columns, Rectangle, at
from generator.text.catalogue import Catalogue

MOST = 1000
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


def show_verdicts(page: Worksheet, columns: Columns, box: Rectangle, number: str) -> None:
    """The rules that let entries show the verdicts, which stand in the columns of the checks."""
    for order, (verdict, mark) in enumerate(MARKS.items()):
        formula = f"{at(box.top, columns.verdict(box.left))}={verdict}"
        style = mark.style(number, FIRST_FORMAT + order)
        rule = Rule(type="expression", formula=[formula], dxf=style, stopIfTrue=True)
        page.conditional_formatting.add(box.span, rule)


class Typing:
    """What may be typed into the cells of a tab, with messages in the catalogue's language."""

    def __init__(self, page: Worksheet, catalogue: Catalogue) -> None:
        self.page = page
        self.t = catalogue.t

    def numbers(self, boxes: list[Rectangle]) -> None:
        """Decimal numbers; the message explains the decimal sign."""
        self._between("decimal", -MOST, "exercise.number.error", boxes)

    def wholes(self, boxes: list[Rectangle]) -> None:
        """Whole numbers from 0 on."""
        self._between("whole", 0, "exercise.whole.error", boxes)

    def words(self, boxes: list[Rectangle], known: str) -> None:
        """Words that stand in the area `known`."""
        rule = DataValidation(type="list", formula1=f"={known}", allow_blank=True)
        self._add(rule, "exercise.word.title", "exercise.word.prompt", boxes)

    def levels(self, box: Rectangle, known: str) -> None:
        """The number of a hint, of those in the area `known`."""
        rule = DataValidation(type="list", formula1=f"={known}", allow_blank=True)
        rule.prompt = self.t("exercise.help.prompt")
        self._add(rule, "exercise.help.title", "exercise.help.error", [box])

    def _between(self, kind: str, least: int, error: str, boxes: list[Rectangle]) -> None:
        rule = DataValidation(type=kind, operator="between", allow_blank=True)
        rule.formula1, rule.formula2 = str(least), str(MOST)
        rule.prompt = self.t("exercise.number.prompt")
        self._add(rule, "exercise.number.title", error, boxes)

    def _add(self, rule: DataValidation, title: str, error: str, boxes: list[Rectangle]) -> None:
        rule.errorTitle = rule.promptTitle = self.t(title)
        rule.error = self.t(error)
        rule.prompt = rule.prompt or rule.error
        rule.showErrorMessage = rule.showInputMessage = True
        rule.errorStyle = "stop"
        for box in boxes:
            rule.add(box.span)
        if boxes:
            self.page.add_data_validation(rule)
