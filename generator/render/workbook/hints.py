"""The checks of an exercise tab: verdicts, gates, counts, what the pupil reads, hints on demand.

A hint is in words, in functions ("Q = ROUND(SUMPRODUCT(row of X, column of W_Q), 1)"), with cells,
or with the pupil's own numbers.
"""

import re
from collections.abc import Sequence
from functools import partialmethod

from generator.checks.exercise import gathered
from generator.checks.verdict import GATE, NO_NUMBER, NOT_YET, RIGHT, WRONG, When, gate, verdict
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, Num, Ref
from generator.engine.step import Cell
from generator.locales.locale import locale_of
from generator.notation.base import STRENGTH
from generator.notation.excel import Functions
from generator.notation.shown import shown_decimals
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, put
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout import checks as beside
from generator.render.workbook.layout.box import Box, Rectangle, at, on
from generator.render.workbook.layout.layout import WORDS_COLUMN, HeadingLine
from generator.render.workbook.pen import TabPen
from generator.steps import kind_of

HELP_COLUMN = 2
WORDS, FUNCTIONS, CELLS, RESULTS = beside.LEVELS[1:]
COUNTED = {"right": RIGHT, "wrong": WRONG, "nan": NO_NUMBER}


class CheckPen(TabPen):
    """A pen on a tab with asked cells."""

    def __init__(self, draft: Draft, checks: beside.Checks) -> None:
        super().__init__(draft, checks.sheet)
        self.checks, self.columns = checks, checks.columns
        self.paused = f"{on(*self.layout.paused)}>0"

    note = partialmethod(TabPen.live, role="step", align="right")  # a formula, small and grey

    def where(self, cells: Sequence[Cell]) -> list[Rectangle]:
        """Where entries stand, as rectangles."""
        return beside.rectangles(self.layout.homes[name].place(i, j) for name, i, j in cells)


class Verdicts(CheckPen):
    """Writes what judges the entries, and what it says."""

    def write_block(self, block: beside.CheckBlock) -> None:
        """The help row of a block: choice of a hint, state; and what the hints say."""
        row = block.band.help_row
        at_band = Box("", self.title, block.band.bottom, 1, 1, 1)
        when = When(self.t("workbook.judge.block"), self.t("workbook.judge.off"))
        judged = self.draft.excel(at_band).formula(gate(block.cells, when))
        self.note((row, self.columns.state("gate")), judged[1:], 0.0)
        self._counts(block)
        if self.draft.judging.hints:
            Hints(self.draft, self.checks).write(block)
        state = CellFormula(*self._state(block))
        self.put((row, WORDS_COLUMN), state, "words")

    def _counts(self, block: beside.CheckBlock) -> None:
        """How many entries are right, wrong, no number, blank."""
        row, places = block.band.help_row, self.where(block.cells)
        for state, number in COUNTED.items():
            spans = [box.moved(self.columns.verdict(box.left)).span for box in places]
            formula = "+".join(f"COUNTIF({span},{number})" for span in spans)
            self.note((row, self.columns.state(state)), formula, 0.0)
        excel = self.draft.excel(Box("", self.title, 1, 1, 1, 1))
        blank = excel.formula(Call(Fn.COUNT_BLANK, gathered(block.cells)))
        self.note((row, self.columns.state("blank")), blank[1:], float(len(block.cells)))

    def _state(self, block: beside.CheckBlock) -> tuple[str, str]:
        """How far a block is, in words, but in a pause; where nobody judges, only what is open."""
        row, asked = block.band.help_row, len(block.cells)
        if not self.draft.judging.judges:
            left, blank = self.t("exercise.state.left"), at(row, self.columns.state("blank"))
            return f'="{left}"&{blank}', f"{left}{asked}"
        says = {state: self.t(f"exercise.state.{state}") for state in (*COUNTED, "open")}
        cells = {state: at(row, self.columns.state(state)) for state in COUNTED}
        parts = [f'"{says[state]}"&{cell}' for state, cell in cells.items()]
        parts.append(f'"{says["open"]}"&({asked}-{"-".join(cells.values())})')
        shown = "".join(f"{says[state]}0" for state in COUNTED)
        formula = f'=IF({self.paused},"",{"&".join(parts)})'
        return formula, f"{shown}{says['open']}{asked}"

    def write(self) -> None:
        """The verdict on each entry, the counts of the tab, on the first one those of all tabs."""
        for block in self.checks.blocks:
            for cell in block.cells:
                home = self.layout.homes[cell[0]]
                row, column = home.place(*cell[1:])
                excel = self.draft.excel(home, self.checks.gate(block.band))
                judged = excel.formula(verdict(self.exercise, cell, Ref(GATE, 0, 0)))
                self.note((row, self.columns.verdict(column)), judged[1:], float(NOT_YET))
        for state, shown in (*dict.fromkeys(COUNTED, 0).items(), ("blank", len(self.checks.asked))):
            column = self.columns.state(state)
            cells = ",".join(at(block.band.help_row, column) for block in self.checks.blocks)
            self.note((beside.TOTALS_ROW, column), f"SUM({cells})", float(shown))
        tabs = tuple(self.draft.checks.values())
        if self.checks is tabs[0]:
            blank = "+".join(tab.count("blank") for tab in tabs)
            spot = beside.ABOUT_ROW, self.columns.state("blank")
            self.note(spot, blank, float(len(self.exercise.asked)))


class Hints(CheckPen):
    """Writes the hints of a block: in each heading the one that is chosen in its help row."""

    def write(self, block: beside.CheckBlock) -> None:
        """The choice of a hint in the help row, the chosen one below each heading."""
        row = block.band.help_row
        self.put((row, 1), self.t("exercise.help"), "label")
        self.put((row, HELP_COLUMN), 0.0, "entry", align="center")
        chosen = at(row, HELP_COLUMN, fixed=True)
        for line in block.band.lines:
            if mine := [cell for cell in block.cells if cell[0] == line.step]:
                self._line(chosen, line, mine)

    def _line(self, chosen: str, line: HeadingLine, cells: Sequence[Cell]) -> None:
        """What stands under the heading of an asked step: the chosen hint of four."""
        self.put((line.row, self.columns.hint(WORDS)), self.layout.in_words(line.step), "step")
        words = at(line.row, self.columns.hint(WORDS))
        put(
            cell_at(self.page, line.row, WORDS_COLUMN),
            CellFormula(f'=IF(N({chosen})>0,{words},"")', ""),
        )
        self._formulas(line, cells[0])
        for row in line.functions[:1]:
            spot = row, self.columns.hint(RESULTS)
            self.note(spot, *self._results(chosen, cells))
        for row in line.functions:
            texts = ",".join(at(row, self.columns.hint(k)) for k in beside.LEVELS[2:])
            text = f'IFERROR(CHOOSE(N({chosen})+1,"","",{texts})&"","")'
            self.live((row, WORDS_COLUMN), text, "", "live")

    def _formulas(self, line: HeadingLine, cell: Cell) -> None:
        """The first asked cell's formula over names and over cells, one line per row."""
        home = self.layout.homes[line.step]
        celled = self.draft.functions(home).formula(self.exercise.meaning(cell))
        texts = self.layout.texts.functions(home.cell(*cell[1:]), celled, len(line.functions))
        for row, text in zip(line.functions, texts, strict=False):
            self.put((row, self.columns.hint(CELLS)), text, "step")
        for row in line.functions[:1]:
            self.put((row, self.columns.hint(FUNCTIONS)), Named(self.draft, cell).line(), "step")

    def _results(self, chosen: str, cells: Sequence[Cell]) -> tuple[str, str]:
        """What the asked cells should hold with the numbers entered so far, where allowed."""
        places = []
        for cell in cells:
            row, column = self.layout.homes[cell[0]].place(*cell[1:])
            places.append(at(row, self.columns.result(column)))
            self.note(places[-1], self._result(chosen, cell), "")
        lead, joined = self.t("exercise.help.results"), '&" · "&'.join(places)
        allowed = f"{on(*self.layout.settings['interim'])}=1"
        shown = f'IF({allowed},"{lead}"&{joined},"{self.t("exercise.help.not_shown")}")'
        formula = f'IF({self.paused},"{self.t("exercise.paused")}",{shown})'
        return formula, lead + " · ".join("" for _ in cells)

    def _result(self, chosen: str, cell: Cell) -> str:
        """The formula of one of them: nothing until that hint is chosen."""
        step, excel = self.trace[cell[0]], self.draft.excel(self.layout.homes[cell[0]])
        value = excel.write(self.exercise.meaning(cell))
        if not step.text:
            value = f"FIXED({value},{shown_decimals(step)},TRUE)"
        missing = f'"{self.t("exercise.help.missing")}"'
        value = f"IFERROR({value},{missing})"
        if lacking := self.exercise.guard(cell):
            value = f"IF({excel.write(Bin('>', lacking, Num(0)))},{missing},{value})"
        allowed = f"{on(*self.layout.settings['interim'])}=1,{on(*self.layout.paused)}=0"
        return f'IF(AND({allowed},{chosen}={RESULTS}),{value},"")'


_FIRST_NAME = 0xF0000  # private characters stand for names while the formula is translated
_NAMES = re.compile("([\U000f0000-\U000ffffd])")


class Named(Functions):
    """The formula of one cell, with tables by their symbols and parts of them by what they are.

    A row and a column are those that are seen: of a table that stands turned beside the cell a
    row of the step is a column.
    """

    def __init__(self, draft: Draft, cell: Cell) -> None:
        super().__init__(lambda step, i, j: self._of(step), draft.catalogue.language)
        self.draft, self.t = draft, draft.catalogue.t
        self.home = draft.layout.homes[cell[0]]
        self.cell = cell
        self.names: list[str] = []

    def line(self) -> str:
        """The whole line, "Σ = ROUND(SUM(row of Exp), 4)"."""
        formula = self.formula(self.draft.exercise.meaning(self.cell)).removeprefix("=")
        separator = locale_of(self.language).spreadsheet.separator
        formula = formula.replace(separator, f"{separator} ")
        named = _NAMES.sub(lambda sign: self.names[ord(sign[0]) - _FIRST_NAME], formula)
        return f"{self._called(self.cell[0], self.home)} = {named}"

    def ref(self, node: Ref) -> str:
        """The symbol of the table."""
        return self._of(node.step)

    def area(self, node: Area) -> str:
        """ "row of X", "column of W_Q"; of a vector only its symbol."""
        height, width = self.draft.trace[node.step].shape
        box = self.draft.layout.source(node.step, self.home)
        rows, columns = node.r1 - node.r0, node.c1 - node.c0
        vector = min(height, width) == 1 and not kind_of(node.step).by_word
        if vector or rows == columns == 1 or min(rows, columns) > 1:
            return self._of(node.step)
        part = "row" if (rows == 1) != box.turned else "column"
        return self._name(self.t(f"exercise.help.{part}", table=self._called(node.step, box)))

    def dot(self, node: Dot) -> str:
        """Always as a function."""
        return f"SUMPRODUCT({self.area(node.left)},{self.area(node.right)})"

    def _range(self, area: Expr) -> str:
        return self.write(area)

    def _squares(self, area: Area, mean: Expr) -> str:
        return f"SUMPRODUCT((({self.area(area)})-{self.write(mean, STRENGTH['*'])})^2)"

    def _of(self, step: str) -> str:
        return self._name(self._called(step, self.draft.layout.source(step, self.home)))

    def _called(self, step: str, box: Box) -> str:
        """The table's symbol where formulas of this cell's step read it, or else its name."""
        names = self.draft.names
        symbol = names.symbol(step, box, self.home.step)
        return symbol or self.t("exercise.help.table", table=names.name(step))

    def _name(self, text: str) -> str:
        self.names.append(text)
        return chr(_FIRST_NAME + len(self.names) - 1)
