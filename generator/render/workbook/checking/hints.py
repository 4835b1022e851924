"""Hints on demand: in words, in functions, with cells, with the pupil's own numbers.

Also here:

* Formulas over the symbols of tables: "Q = ROUND(SUMPRODUCT(row of X, column of W_Q), 1)".
* The formulas that check an exercise tab: verdicts, gates, counts, and what the pupil reads.
"""

import re
from collections.abc import Sequence

from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.exercise import gathered
from generator.checks.verdict import GATE, NO_NUMBER, NOT_YET, RIGHT, WRONG, When, gate, verdict
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, Num, Ref
from generator.engine.step import Cell
from generator.locales.locale import locale_of
from generator.notation.base import STRENGTH
from generator.notation.excel import Functions
from generator.notation.shown import shown_decimals
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, put_number, write_formula, write_text
from generator.render.workbook.file.package import CellFormula
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.checks import (
    ABOUT_ROW,
    LEVELS,
    TOTALS_ROW,
    CheckBlock,
    Checks,
    Rectangle,
    rectangles,
)
from generator.render.workbook.layout.formats import in_words
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import HeadingLine
from generator.render.workbook.write.boxes import notation
from generator.steps import kind_of

HELP_COLUMN = 2
WORDS, FUNCTIONS, CELLS, RESULTS = LEVELS[1:]


def write_numbers(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The numbers of the hints above their texts."""
    style = draft.styles.look("step", align="right")
    for level in LEVELS:
        put_number(cell_at(page, TOTALS_ROW, checks.columns.hint(level), style), float(level))


def write_steps(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The name that the program has for each step, in the row of its heading."""
    for line in (line for band in checks.sheet.bands for line in band.lines):
        _text(draft, page, checks, line.row, LEVELS[0], line.step)


def write(draft: Draft, page: Worksheet, checks: Checks, block: CheckBlock) -> None:
    """The choice of a hint in the help row, the chosen one below each heading."""
    row, t = block.band.help_row, draft.catalogue.t
    write_text(page, row, 1, t("exercise.help"), draft.styles.look("label"))
    style = draft.styles.look("entry", align="center")
    put_number(cell_at(page, row, HELP_COLUMN, style), 0.0)
    for line in block.band.lines:
        if mine := [cell for cell in block.cells if cell[0] == line.step]:
            _line(draft, page, checks, row, line, mine)


def put(draft: Draft, page: Worksheet, row: int, column: int, formula: CellFormula) -> None:
    """A formula of the checks, small and grey."""
    write_formula(page, row, column, formula, draft.styles.look("step", align="right"))


def _line(
    draft: Draft,
    page: Worksheet,
    checks: Checks,
    help_row: int,
    line: HeadingLine,
    cells: Sequence[Cell],
) -> None:
    """What stands under the heading of an asked step: the chosen hint of four."""
    chosen = at(help_row, HELP_COLUMN, fixed=True)
    step, turned = draft.trace[line.step], draft.layout.turned(line.step)
    said = in_words(draft.trace, step, draft.catalogue, turned)
    _text(draft, page, checks, line.row, WORDS, said)
    words = at(line.row, checks.columns.hint(WORDS))
    shown = CellFormula(f'=IF(N({chosen})>0,{words},"")', "")
    style = cell_at(page, line.row, WORDS_COLUMN)._style
    write_formula(page, line.row, WORDS_COLUMN, shown, style)
    _formulas(draft, page, checks, line, cells[0])
    _results(draft, page, checks, chosen, line, cells)
    for row in line.functions:
        texts = ",".join(at(row, checks.columns.hint(k)) for k in LEVELS[2:])
        text = f'=IFERROR(CHOOSE(N({chosen})+1,"","",{texts})&"","")'
        write_formula(page, row, WORDS_COLUMN, CellFormula(text, ""), draft.styles.look("live"))


def _formulas(draft: Draft, page: Worksheet, checks: Checks, line: HeadingLine, cell: Cell) -> None:
    """The first asked cell's formula over names and over cells, one line per row."""
    language, home = draft.catalogue.language, draft.layout.home(line.step)
    meaning = draft.exercise.meaning(*cell)
    celled = Functions(draft.layout.addresses(home), language).formula(meaning)
    pieces = draft.texts.functions(home.cell(*cell[1:]), celled, len(line.functions))
    for row, text in zip(line.functions, pieces, strict=False):
        _text(draft, page, checks, row, CELLS, text)
    for row in line.functions[:1]:
        _text(draft, page, checks, row, FUNCTIONS, Named(draft, cell).line())


def _results(
    draft: Draft,
    page: Worksheet,
    checks: Checks,
    chosen: str,
    line: HeadingLine,
    cells: Sequence[Cell],
) -> None:
    """What the asked cells should hold with the numbers entered so far, where allowed."""
    t, places = draft.catalogue.t, []
    for cell in cells:
        row, column = draft.layout.home(cell[0]).place(*cell[1:])
        places.append((row, checks.columns.result(column)))
        put(draft, page, *places[-1], CellFormula(_result(draft, chosen, cell), ""))
    lead, joined = t("exercise.help.results"), '&" · "&'.join(at(*place) for place in places)
    paused, allowed = on(*draft.layout.paused), f"{on(*draft.layout.settings['interim'])}=1"
    shown = f'IF({allowed},"{lead}"&{joined},"{t("exercise.help.not_shown")}")'
    formula = f'=IF({paused}>0,"{t("exercise.paused")}",{shown})'
    empty = " · ".join("" for _ in cells)
    for row in line.functions[:1]:
        put(draft, page, row, checks.columns.hint(RESULTS), CellFormula(formula, lead + empty))


def _result(draft: Draft, chosen: str, cell: Cell) -> str:
    """The formula of one of them: nothing until that hint is chosen."""
    step, excel = draft.trace[cell[0]], notation(draft, draft.layout.home(cell[0]))
    value = excel.write(draft.exercise.meaning(*cell))
    if not step.text:
        value = f"FIXED({value},{shown_decimals(step)},TRUE)"
    missing = f'"{draft.catalogue.t("exercise.help.missing")}"'
    value = f"IFERROR({value},{missing})"
    if lacking := draft.exercise.guard(*cell):
        value = f"IF({excel.write(Bin('>', lacking, Num(0)))},{missing},{value})"
    allowed = f"{on(*draft.layout.settings['interim'])}=1,{on(*draft.layout.paused)}=0"
    return f'=IF(AND({allowed},{chosen}={RESULTS}),{value},"")'


def _text(draft: Draft, page: Worksheet, checks: Checks, row: int, level: int, text: str) -> None:
    write_text(page, row, checks.columns.hint(level), text, draft.styles.look("step"))


_FIRST_NAME = 0xF0000  # private characters stand for names while the formula is translated
_NAMES = re.compile("([\U000f0000-\U000ffffd])")


class Named(Functions):
    """The formula of one cell, with tables by their symbols and parts of them by what they are.

    A row and a column are those that are seen: of a table that stands turned beside the cell a
    row of the step is a column.
    """

    def __init__(self, draft: Draft, cell: Cell) -> None:
        super().__init__(lambda step, i, j: self._of(step), draft.catalogue.language)
        self.draft = draft
        self.home = draft.layout.home(cell[0])
        self.cell = cell
        self.names: list[str] = []

    def line(self) -> str:
        """The whole line, "Σ = ROUND(SUM(row of Exp), 4)"."""
        formula = self.formula(self.draft.exercise.meaning(*self.cell)).removeprefix("=")
        separator = locale_of(self.language).spreadsheet.separator
        formula = formula.replace(separator, f"{separator} ")
        parts = _NAMES.split(formula)
        named = "".join(self._table_name(part) if _NAMES.match(part) else part for part in parts)
        return f"{self._called(self.cell[0], self.home)} = {named}"

    def ref(self, node: Ref, inside: int) -> str:
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
        called = self._called(node.step, box)
        return self._name(self.draft.catalogue.t(f"exercise.help.{part}", table=called))

    def dot(self, node: Dot, inside: int) -> str:
        """Always as a function."""
        return f"SUMPRODUCT({self.area(node.left)},{self.area(node.right)})"

    def _range(self, area: Expr) -> str:
        return self.write(area)

    def _squares(self, area: Area, mean: Expr, inside: int) -> str:
        return f"SUMPRODUCT((({self.area(area)})-{self.write(mean, STRENGTH['*'])})^2)"

    def _of(self, step: str) -> str:
        return self._name(self._called(step, self.draft.layout.source(step, self.home)))

    def _called(self, step: str, box: Box) -> str:
        """The table's symbol where formulas of this cell's step read it, or else its name."""
        names, t = self.draft.names, self.draft.catalogue.t
        symbol = names.symbol(step, box, self.home.step)
        return symbol or t("exercise.help.table", table=names.name(step))

    def _name(self, text: str) -> str:
        self.names.append(text)
        return chr(_FIRST_NAME + len(self.names) - 1)

    def _table_name(self, sign: str) -> str:
        return self.names[ord(sign) - _FIRST_NAME]


COUNTED = {"right": RIGHT, "wrong": WRONG, "nan": NO_NUMBER}


def write_help(draft: Draft, page: Worksheet, checks: Checks, block: CheckBlock) -> None:
    """The help row of a block: choice of a hint, state; and what the hints say."""
    row = block.band.help_row
    _gate(draft, page, checks, block)
    _counts(draft, page, checks, row, block.cells)
    if draft.judging.hints:
        write(draft, page, checks, block)
    state = _state(draft, checks, block)
    write_formula(page, row, WORDS_COLUMN, state, draft.styles.look("words"))


def write_verdicts(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The verdict on each entry, and the counts of the whole tab."""
    for block in checks.blocks:
        for cell in block.cells:
            _verdict(draft, page, checks, block, cell)
    _totals(draft, page, checks)


def boxes(draft: Draft, cells: Sequence[Cell]) -> list[Rectangle]:
    """Where entries stand, as rectangles."""
    return rectangles(draft.layout.home(name).place(i, j) for name, i, j in cells)


def _verdict(draft: Draft, page: Worksheet, checks: Checks, block: CheckBlock, cell: Cell) -> None:
    home = draft.layout.home(cell[0])
    row, column = home.place(*cell[1:])
    excel = notation(draft, home, checks.gate(block.band))
    formula = excel.formula(verdict(draft.exercise, cell, Ref(GATE, 0, 0)))
    shown = CellFormula(formula, float(NOT_YET))
    put(draft, page, row, checks.columns.verdict(column), shown)


def _gate(draft: Draft, page: Worksheet, checks: Checks, block: CheckBlock) -> None:
    t, row = draft.catalogue.t, block.band.help_row
    when = When(t("workbook.judge.block"), t("workbook.judge.off"))
    at_band = Box("", checks.title, block.band.bottom, 1, 1, 1)
    formula = notation(draft, at_band).formula(gate(block.cells, when))
    put(draft, page, row, checks.columns.state("gate"), CellFormula(formula, 0.0))


def _counts(draft: Draft, page: Worksheet, checks: Checks, row: int, cells: Sequence[Cell]) -> None:
    """How many entries are right, wrong, no number, blank."""
    columns, places = checks.columns, boxes(draft, cells)
    for state, number in COUNTED.items():
        spans = [box.moved(columns.verdict(box.left)).span for box in places]
        formula = "=" + "+".join(f"COUNTIF({span},{number})" for span in spans)
        put(draft, page, row, columns.state(state), CellFormula(formula, 0.0))
    excel = notation(draft, Box("", checks.title, 1, 1, 1, 1))
    blank = CellFormula(excel.formula(Call(Fn.COUNT_BLANK, gathered(cells))), float(len(cells)))
    put(draft, page, row, columns.state("blank"), blank)


def _totals(draft: Draft, page: Worksheet, checks: Checks) -> None:
    """The counts of the tab, and on the first tab how many cells of all tabs are blank."""
    for state, shown in (*dict.fromkeys(COUNTED, 0).items(), ("blank", len(checks.asked))):
        column = checks.columns.state(state)
        cells = ",".join(at(block.band.help_row, column) for block in checks.blocks)
        put(draft, page, TOTALS_ROW, column, CellFormula(f"=SUM({cells})", float(shown)))
    tabs = tuple(draft.checks.values())
    if checks is tabs[0]:
        text = "=" + "+".join(tab.count("blank") for tab in tabs)
        number = float(len(draft.exercise.asked))
        put(draft, page, ABOUT_ROW, checks.columns.state("blank"), CellFormula(text, number))


def _state(draft: Draft, checks: Checks, block: CheckBlock) -> CellFormula:
    """How far a block is, in words, but in a pause; where nobody judges, only what is open."""
    t, row, asked = draft.catalogue.t, block.band.help_row, len(block.cells)
    if not draft.judging.judges:
        left, blank = t("exercise.state.left"), at(row, checks.columns.state("blank"))
        return CellFormula(f'="{left}"&{blank}', f"{left}{asked}")
    says = {state: t(f"exercise.state.{state}") for state in (*COUNTED, "open")}
    cells = [at(row, checks.columns.state(state)) for state in COUNTED]
    parts = [f'"{says[state]}"&{cell}' for state, cell in zip(COUNTED, cells, strict=True)]
    formula = "&".join((*parts, f'"{says["open"]}"&({asked}-{"-".join(cells)})'))
    shown = "".join(f"{says[state]}0" for state in COUNTED)
    paused = f"{on(*draft.layout.paused)}>0"
    return CellFormula(f'=IF({paused},"",{formula})', f"{shown}{says['open']}{asked}")
