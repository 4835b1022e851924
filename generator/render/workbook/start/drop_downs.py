"""Drop-down lists and messages of the cells of the Start tab in which something is typed."""

from collections.abc import Iterable, Sequence

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from generator.render.workbook.layout.start_layout import LISTS
from generator.render.workbook.start.pen import Pen

FIRST_ROW = 5
LONGEST_PROMPT = 255


class Lists:
    """Writes each list once into a check column: typed into the rule, "0.5" would be a text."""

    def __init__(self, pen: Pen, column: int = LISTS) -> None:
        self.pen = pen
        self.column = column
        self.row = FIRST_ROW
        self._known: dict[tuple[float | str, ...], str] = {}

    def choose(
        self, cells: Sequence[str], items: Iterable[float | str], prompt: str, reason: str
    ) -> None:
        """A drop-down list of numbers or words in each of the cells."""
        self.from_area(cells, self._area(tuple(items)), prompt, reason)

    def from_area(self, cells: Sequence[str], area: str, prompt: str, reason: str) -> None:
        """A drop-down list of what stands in an area."""
        rule = DataValidation(type="list", formula1=area, allow_blank=True)
        self._add(rule, cells, prompt, reason)

    def between(
        self, cells: Sequence[str], least: float, most: float, prompt: str, reason: str
    ) -> None:
        """Numbers only, from `least` to `most`."""
        rule = DataValidation(
            type="decimal",
            operator="between",
            formula1=f"{least:g}",
            formula2=f"{most:g}",
            allow_blank=True,
        )
        self._add(rule, cells, prompt, reason)

    def _area(self, items: tuple[float | str, ...]) -> str:
        if items not in self._known:
            letter = get_column_letter(self.column)
            first, last = self.row, self.row + len(items) - 1
            for k, item in enumerate(items):
                self.pen.value(f"{letter}{first + k}", item, "tag")
            self._known[items] = f"${letter}${first}:${letter}${last}"
            self.row = last + 2
        return self._known[items]

    def _add(self, rule: DataValidation, cells: Sequence[str], prompt: str, reason: str) -> None:
        rule.prompt = prompt[:LONGEST_PROMPT]
        rule.errorTitle = self.pen.t("workbook.refused.title")
        rule.error = f"{reason}. {prompt}"[:LONGEST_PROMPT]
        rule.showErrorMessage = rule.showInputMessage = True
        for cell in cells:
            rule.add(cell)
        self.pen.page.add_data_validation(rule)
