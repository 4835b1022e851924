"""Writes on one tab of a draft: cells in their looks, rules that follow them, what may be typed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Protection
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink

from generator.engine.expr import Expr
from generator.engine.step import Cell
from generator.engine.trace import Step
from generator.notation.excel import Functions
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.package import CellFormula, cell_at, put
from generator.render.workbook.layout.box import Box, at, on, quoted
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.layout.tabs import round_prefix, tokens_of
from generator.render.workbook.styles import LONGEST_ERROR, CellLook, asks, calm

Spot = str | tuple[int, int]  # a cell, by its address or by row and column
Columns = tuple[int, int]  # the first and the last one
Left = Collection[int]  # columns whose titles are not in the middle
HELPER = 16.0  # characters of a column that is out of sight
PART = "\0"  # around the name of a live part, while a phrase is put together


class Pen:
    """Texts, numbers, formulas and rules on a page, the first one unless another is named."""

    def __init__(self, draft: Draft, title: str = "") -> None:
        self.draft = draft
        self.layout, self.trace, self.exercise = draft.layout, draft.trace, draft.exercise
        self.start, self.t = self.layout.start, draft.catalogue.t
        self.asks = bool(self.exercise.asked)
        self.page = draft.workbook[title or self.start.sheet]

    def put(self, spot: Spot, content: float | str | None, *look: Any, **more: Any) -> None:
        """A text that stays text, a number, a live formula or None; the rest is its `CellLook`."""
        row, column = coordinate_to_tuple(spot.replace("$", "")) if isinstance(spot, str) else spot
        cell = cell_at(self.page, row, column, self.draft.styles[CellLook(*look, **more)])
        if content is not None:
            put(cell, content)

    def live(self, spot: Spot, formula: str, cached: float | str, *look: Any, **more: Any) -> None:
        """A formula without its "=", and the value that it has as delivered; `look` as in `put`."""
        more = more if look else {"role": "tag", **more}
        self.put(spot, CellFormula(f"={formula}", cached), *look, **more)

    def phrase(self, key: str, lead: str = "", /, **names: object) -> tuple[str, str]:
        """A phrase as a formula, and as it reads when delivered; `lead` stands before it.

        What is put in is a text, or live: an expression and its value as delivered.
        """
        live = {name: part for name, part in names.items() if isinstance(part, tuple)}
        text = lead + self.t(key, **names | {name: f"{PART}{name}{PART}" for name in live})
        parts = [live[x] if k % 2 else (quoted(x), x) for k, x in enumerate(text.split(PART))]
        return "&".join(part for part, _ in parts), "".join(str(shown) for _, shown in parts)

    def head(self, about: str, link: int) -> None:
        """Title of the tab, what it is about, and in a column the way back to the first tab."""
        start = self.start.sheet
        self.put((1, 1), self.page.title, "title")
        self.put((2, 1), about, "subtitle")
        self.link((1, link), f"← {start}", (start, "A1"))

    def tell(self, spot: tuple[int, int]) -> None:
        """In the head of a tab a message; which experiment runs does not look like an alarm."""
        self.live(spot, self.layout.told, "", "alarm")
        self.marks.add(at(*spot), calm(at(*spot)))

    def link(
        self, spot: tuple[int, int], text: str, target: tuple[str, str], role: str = "link"
    ) -> None:
        """A cell that leads to a cell of another tab."""
        self.put(spot, text, role, align="center" if role == "map" else "")
        cell = cell_at(self.page, *spot)
        cell._hyperlink = Hyperlink(ref=cell.coordinate, location=on(*target))

    def sample(self, spot: tuple[int, int], text: str, role: str) -> None:
        """A text in the look of a role, for the legend: locked, whatever the role."""
        self.put(spot, text, role, align="center")
        self.lock(spot, locked=True)

    def lock(self, spot: tuple[int, int], locked: bool) -> None:
        """Whether one cell takes an entry, whatever its look says."""
        cell = cell_at(self.page, *spot)
        cell._style = copy(cell._style)
        cell.protection = Protection(locked=locked)

    def band(self, row: int, columns: Columns, title: str) -> None:
        """A heading with a line above it, from one column to another."""
        first, last = columns
        for column in range(first, last + 1):
            self.put((row, column), title if column == first else None, "band")

    def heads(
        self, row: int, keys: Mapping[int, str], phrases: str, columns: Columns, left: Left = ()
    ) -> None:
        """A line of column titles from one column to another; in the middle but for those left.

        `keys` are those of `phrases` in the catalogue, by column.
        """
        for column in range(columns[0], columns[1] + 1):
            title = self.t(f"{phrases}.{keys[column]}") if column in keys else ""
            self.put((row, column), title, "head", align="" if column in left else "center")

    def tokens_at(self, step: str) -> tuple[str, ...]:
        """The tokens of a step's round."""
        return tokens_of(self.trace, round_prefix(self.trace[step].place.round))

    @property
    def marks(self) -> ConditionalFormattingList:
        """The rules that follow what the cells hold."""
        return self.page.conditional_formatting

    def mark_first(self, rules: Iterable[tuple[str, Rule]]) -> None:
        """Rules before all others of the page, in the file as well as by priority.

        LibreOffice takes the first rule that it finds.
        """
        others = self.marks
        self.page.conditional_formatting = ConditionalFormattingList()
        known = [(str(one.sqref), rule) for one in others for rule in one.rules]
        for span, rule in (*rules, *known):
            rule.priority = 0
            self.marks.add(span, rule)

    def offer(self, *cells: str, **rule: Any) -> None:
        """A drop-down list in some cells; `rule` as openpyxl calls it."""
        self.allow(asks(type="list", allow_blank=True, **rule), *cells)

    def one_of_first(self, most: int, cell: str, **rule: Any) -> None:
        """A drop-down list from 1 to a number, written into the rule."""
        self.offer(cell, formula1=quoted(",".join(str(k + 1) for k in range(most))), **rule)

    def allow(self, rule: DataValidation, *cells: str) -> None:
        """What may be typed into some cells, if there are any."""
        for cell in cells:
            rule.add(cell)
        if cells:
            self.page.add_data_validation(rule)

    def only_numbers(
        self, limits: tuple[float, float], reason: str, *cells: str, **more: Any
    ) -> None:
        """Decimals, or numbers of another `type`; it asks, with the reason, about all else.

        It warns: under "stop" LibreOffice refuses each formula, whatever its value, and under any
        style but none it asks about one. What is kept all the same is told by the check beside it.
        """
        least, most = (f"{limit:g}" for limit in limits)
        formula = self.t("workbook.number.formula")
        rule: dict[str, Any] = {"type": "decimal", "operator": "between", "errorStyle": "warning"}
        rule |= {"formula1": least, "formula2": most, "allow_blank": True}
        rule |= {"errorTitle": self.t("workbook.number.title")}
        rule |= {"error": f"{reason[: LONGEST_ERROR - len(formula) - 1]} {formula}"}
        self.allow(asks(**rule | more), *cells)

    def given(self, limit: float, *cells: str) -> None:
        """Given numbers, which are not larger and never left out."""
        reason = self.t("workbook.number.error", limit=f"{limit:g}")
        self.only_numbers((-limit, limit), reason, *cells, allow_blank=False)

    def shape(self, widths: Sequence[float], heights: Sequence[float]) -> None:
        """Characters of the columns and points of the rows; so many of both are printed."""
        for column, width in enumerate(widths, start=1):
            self.page.column_dimensions[get_column_letter(column)].width = width
        for row, height in enumerate(heights, start=1):
            self.page.row_dimensions[row].height = height
        self.page.print_area = f"A1:{at(len(heights), len(widths))}"

    def aside(self, first: int, last: int, width: float = HELPER, hidden: bool = True) -> None:
        """Columns right of what is printed; those that only formulas read are out of sight."""
        letters, known = map(get_column_letter, (first, last)), self.page.column_dimensions
        known.group(*letters, outline_level=0, hidden=hidden)
        known[get_column_letter(first)].width = width


class TabPen(Pen):
    """A pen on the tab of some steps."""

    def __init__(self, draft: Draft, sheet: Sheet) -> None:
        super().__init__(draft, sheet.tab.title)
        self.sheet, self.title = sheet, sheet.tab.title
        self.grid, self.kept = self.layout.grids[self.title], draft.kept.get(self.title)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the tab's round, where some of its tables have a row for each."""
        return self.layout.focusable(self.sheet)

    def formula(self, cell: Cell, expression: Expr) -> str:
        """An expression as a person reads it in a cell of a step: "F12: =RUNDEN(…)"."""
        home, language = self.layout.homes[cell[0]], self.draft.catalogue.language
        formula = Functions(self.layout.addresses(home), language).formula(expression)
        return f"{home.cell(*cell[1:])}: {formula}"

    def homes(self) -> Iterator[tuple[Box, Step]]:
        """The boxes of the tab in which steps are given or computed."""
        boxes = self.sheet.boxes
        return ((box, self.trace[box.step]) for box in boxes if box.home)
