"""Hints on demand: in words, in functions, with cells, with the pupil's own numbers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.areas import Cell
from generator.engine.expr import Area, Bin, Dot, Expr, Num
from generator.notation.base import STRENGTH
from generator.notation.functions import Functions
from generator.notation.shown import shown_decimals
from generator.render.workbook.file.package import Formula, cell_at, put_number, put_text
from generator.render.workbook.layout.box import quoted
from generator.render.workbook.layout.check_columns import LEVELS, TOTALS_ROW, at
from generator.render.workbook.layout.formats import in_words
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Band, Line
from generator.text.catalogue import step_place

if TYPE_CHECKING:
    from generator.render.workbook.checking.verdicts import ExerciseTab

HELP_COLUMN = 2
WORDS, FUNCTIONS, CELLS, RESULTS = LEVELS[1:]


class Named(Functions):
    """Formulas over the names of steps: "=RUNDEN(SUMMENPRODUKT(query;key);2)"."""

    def __init__(self, language: str) -> None:
        super().__init__(lambda step, i, j: short(step), language)

    def area(self, node: Area) -> str:
        """The step's name."""
        return short(node.step)

    def dot(self, node: Dot, inside: int) -> str:
        """Always as a function."""
        return f"SUMPRODUCT({short(node.left.step)},{short(node.right.step)})"

    def _squares(self, area: Area, mean: Expr, inside: int) -> str:
        return f"SUMPRODUCT(({short(area.step)}-{self.write(mean, STRENGTH['*'])})^2)"


class Hints:
    """The hints of one tab: chosen once a block, shown under the heading of each asked step."""

    def __init__(self, tab: "ExerciseTab") -> None:
        self.tab = tab
        self.writer = tab.writer
        self.t = tab.writer.catalogue.t

    def levels(self) -> str:
        """The cells that hold the numbers of the hints."""
        first, last = (at(TOTALS_ROW, self.tab.columns.hint(k), True) for k in (0, LEVELS[-1]))
        return f"{first}:{last}"

    def head(self, page: Worksheet) -> None:
        """The numbers of the hints above their texts."""
        style = self.writer.styles.look("step", align="right")
        for level in LEVELS:
            put_number(cell_at(page, TOTALS_ROW, self.tab.columns.hint(level), style), float(level))

    def write(self, page: Worksheet, band: Band) -> None:
        """The choice of a hint in the help row, the chosen one below each heading."""
        self.writer.write(page, band.help_row, 1, self.t("exercise.help"), "label")
        style = self.writer.styles.look("entry", align="center")
        put_number(cell_at(page, band.help_row, HELP_COLUMN, style), 0.0)
        asked = self.writer.asked_of(band)
        for line in band.lines:
            mine = [cell for cell in asked if cell[0] == line.step]
            if mine:
                self._line(page, band, line, mine)

    def _line(self, page: Worksheet, band: Band, line: Line, cells: Sequence[Cell]) -> None:
        chosen = at(band.help_row, HELP_COLUMN, fixed=True)
        step = self.writer.trace[line.step]
        self._text(page, line.row, WORDS, in_words(self.writer.trace, step, self.writer.catalogue))
        words = at(line.row, self.tab.columns.hint(WORDS))
        shown = Formula(f'=IF(N({chosen})>0,{words},"")', "")
        style = cell_at(page, line.row, WORDS_COLUMN)._style
        self.writer.compute(page, line.row, WORDS_COLUMN, shown, style)
        self._formulas(page, line, cells[0])
        self._results(page, band, line, cells)
        for row in line.functions:
            texts = ",".join(at(row, self.tab.columns.hint(k)) for k in LEVELS[2:])
            text = f'=IFERROR(CHOOSE(N({chosen})+1,"","",{texts})&"","")'
            look = self.writer.styles.look("live")
            self.writer.compute(page, row, WORDS_COLUMN, Formula(text, ""), look)

    def _formulas(self, page: Worksheet, line: Line, cell: Cell) -> None:
        """The first asked cell's formula over names and over cells, one line a row."""
        language = self.writer.catalogue.language
        home = self.writer.layout.home(line.step)
        meaning = self.writer.exercise.meaning(*cell)
        named = Named(language).formula(meaning)
        celled = Functions(self.writer.layout.addresses(home), language).formula(meaning)
        pieces = self.writer.texts.functions(home.cell(*cell[1:]), celled, len(line.functions))
        for row, text in zip(line.functions, pieces, strict=False):
            self._text(page, row, CELLS, text)
        for row in line.functions[:1]:
            self._text(page, row, FUNCTIONS, f"{short(line.step)} {named}")

    def _results(self, page: Worksheet, band: Band, line: Line, cells: Sequence[Cell]) -> None:
        """What the asked cells should hold with the numbers entered so far, where allowed."""
        for cell in cells:
            self._result(page, band, cell)
        sheet, setting = self.writer.layout.settings["interim"]
        places = (self.tab.place(cell) for cell in cells)
        found = '&" · "&'.join(at(row, self.tab.columns.result(column)) for row, column in places)
        allowed = f'"{self.t("exercise.help.results")}"&{found}'
        formula = (
            f'=IF({quoted(sheet)}!{setting}=1,{allowed},"{self.t("exercise.help.not_shown")}")'
        )
        empty = " · ".join("" for _ in cells)
        shown = f"{self.t('exercise.help.results')}{empty}"
        for row in line.functions[:1]:
            column = self.tab.columns.hint(RESULTS)
            self.tab.put(page, row, column, Formula(formula, shown))

    def _result(self, page: Worksheet, band: Band, cell: Cell) -> None:
        exercise, step = self.writer.exercise, self.writer.trace[cell[0]]
        excel = self.writer.excel(self.writer.layout.home(cell[0]))
        value = excel.write(exercise.meaning(*cell))
        if not step.text:
            value = f"FIXED({value},{shown_decimals(step)},TRUE)"
        missing = f'"{self.t("exercise.help.missing")}"'
        value = f"IFERROR({value},{missing})"
        lacking = exercise.guard(*cell)
        if lacking:
            value = f"IF({excel.write(Bin('>', lacking, Num(0)))},{missing},{value})"
        sheet, setting = self.writer.layout.settings["interim"]
        chosen = f"{at(band.help_row, HELP_COLUMN, True)}={RESULTS}"
        formula = f'=IF(AND({quoted(sheet)}!{setting}=1,{chosen}),{value},"")'
        row, column = self.tab.place(cell)
        self.tab.put(page, row, self.tab.columns.result(column), Formula(formula, ""))

    def _text(self, page: Worksheet, row: int, level: int, text: str) -> None:
        cell = cell_at(page, row, self.tab.columns.hint(level), self.writer.styles.look("step"))
        put_text(cell, text)


def short(step: str) -> str:
    """What a step is called in a formula over names: the last part of its name."""
    return step_place(step)[2].rpartition(".")[2]
