"""The first tab: what this is, the sentence, the next token, what to do, a map of the tabs."""

from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.box import Box, quoted
from generator.render.workbook.layout import Layout
from generator.render.workbook.package import Formula, put, put_text
from generator.render.workbook.sheets import Writer

FIRST, SECOND = 2, 5  # columns: names, contents
ROLES = ("given", "computed", "echo")


class Start:
    """Writes the first tab from top to bottom."""

    def __init__(self, page: Worksheet, writer: Writer, layout: Layout, code: str) -> None:
        self.page = page
        self.writer = writer
        self.layout = layout
        self.trace = layout.trace
        self.t = writer.catalogue.t
        self.code = code
        self.row = 4

    def write(self) -> None:
        """Everything on the tab."""
        trace, preset = self.trace, self.trace.preset
        self._text(1, 1, preset.title[self.writer.catalogue.language], "title")
        self._text(2, 1, self.t("workbook.start.what"), "subtitle")
        self._pair("sentence", trace.sentence)
        self._live_tokens()
        self._next()
        self._pair("rounding", self.t(f"workbook.rounding.{trace.rounding}"))
        if not preset.meaningful:
            self._pair("numbers", self.t("workbook.start.chosen"))
        self._pair("code", self.code)
        self._legend()
        self._to_do()
        self._map()
        self._widths()

    def _text(self, row: int, column: int, text: str, role: str) -> None:
        self.writer.write(self.page, row, column, text, role)

    def _pair(self, key: str, text: str) -> None:
        self._text(self.row, FIRST, self.t(f"workbook.start.{key}"), "label")
        self._text(self.row, SECOND, text, "text")
        self.row += 1

    def _live_tokens(self) -> None:
        home = self.layout.home("tokens")
        cells = [f"{quoted(home.sheet)}!{home.cell(i, 0)}" for i in range(home.height)]
        formula = Formula("=" + '&" | "&'.join(cells), " | ".join(self.trace.tokens))
        self._text(self.row, FIRST, self.t("workbook.start.tokens"), "label")
        cell = self.page.cell(self.row, SECOND)
        put(cell, formula)
        self.writer.styles.dress(cell, "text")
        self.row += 1

    def _next(self) -> None:
        if "sampling.next" not in self.trace:
            return
        at = Box("", self.page.title, self.row, SECOND, 1, 1)
        address = self.layout.addresses(at)("sampling.next", 0, 0)
        self._text(self.row, FIRST, self.t("workbook.start.next"), "label")
        cell = self.page.cell(self.row, SECOND)
        put(cell, Formula(f"={address}", self.trace["sampling.next"].values[0, 0]))
        self.page.row_dimensions[self.row].height = 24
        self.writer.styles.dress(cell, "next", align="center")
        self.row += 1

    def _head(self, key: str) -> None:
        self.row += 1
        for column in range(1, 14):
            self.writer.styles.dress(self.page.cell(self.row, column), "band")
        self._text(self.row, 1, self.t(f"workbook.start.{key}"), "band")
        self.row += 1

    def _legend(self) -> None:
        self._head("legend")
        for role in ROLES:
            cell = self.page.cell(self.row, FIRST)
            put_text(cell, self.t(f"workbook.role.{role}"))
            self.writer.styles.dress(cell, role, align="center")
            self._text(self.row, SECOND, self.t(f"workbook.legend.{role}"), "text")
            self.row += 1

    def _to_do(self) -> None:
        self._head("todo")
        for k, key in enumerate(("read", "change", "trace", "reset"), start=1):
            self._text(self.row, FIRST, f"{k}.", "label")
            self._text(self.row, FIRST + 1, self.t(f"workbook.todo.{key}"), "text")
            self.row += 1
        if self.trace.rounding == "paper":
            self._text(self.row, FIRST + 1, self.t("workbook.todo.guard"), "subtitle")
            self.row += 1

    def _map(self) -> None:
        self._head("map")
        for sheet in self.layout.sheets:
            link(self.page, self.row, FIRST, sheet.tab.title, self.writer)
            words = self.t(f"workbook.about.{sheet.tab.kind}")
            self._text(self.row, SECOND, words, "text")
            self.row += 1

    def _widths(self) -> None:
        self.page.column_dimensions["A"].width = 4
        for column in "BCDEFGHIJKLM":
            self.page.column_dimensions[column].width = 9
        self.page.column_dimensions["B"].width = 12
        self.page.column_dimensions["E"].width = 20
        self.page.sheet_format.defaultRowHeight, self.page.sheet_format.customHeight = 16, True
        self.page.row_dimensions[1].height = 30


def link(
    page: Worksheet, row: int, column: int, sheet: str, writer: Writer, text: str = ""
) -> None:
    """A cell that leads to the top of another tab."""
    cell = page.cell(row, column)
    writer.write(page, row, column, text or sheet, "link")
    cell._hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(sheet)}!A1")
