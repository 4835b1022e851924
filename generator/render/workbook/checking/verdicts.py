"""The checks of one exercise tab: verdicts, gates, counts, hints, progress."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.areas import Cell, gathered
from generator.checks.verdict import GATE, NO_NUMBER, NOT_YET, RIGHT, WRONG, When, gate, verdict
from generator.engine.expr import Call, Fn, Ref
from generator.notation.excel import Excel
from generator.render.workbook.checking import progress as header
from generator.render.workbook.checking.hints import HELP_COLUMN, Hints
from generator.render.workbook.checking.marks import Typing, show_verdicts
from generator.render.workbook.file.package import Formula
from generator.render.workbook.layout.box import Box, quoted
from generator.render.workbook.layout.check_columns import (
    ABOUT_ROW,
    TOTALS_ROW,
    Columns,
    Rectangle,
    at,
    rectangles,
)
from generator.render.workbook.layout.grid import WORDS_COLUMN
from generator.render.workbook.layout.layout import Band, Sheet

if TYPE_CHECKING:
    from generator.render.workbook.exercise_writer import ExerciseWriter

COUNTED = {"right": RIGHT, "wrong": WRONG, "nan": NO_NUMBER}


class ExerciseTab:
    """A tab on which cells are asked."""

    def __init__(self, writer: "ExerciseWriter", sheet: Sheet, columns: Columns) -> None:
        self.writer = writer
        self.sheet = sheet
        self.columns = columns
        self.title = sheet.tab.title
        self.t = writer.catalogue.t
        self.bands = writer.asked_on[self.title]
        self.asked = [cell for band in self.bands for cell in writer.asked_of(band)]
        self.hints = Hints(self)

    def count(self, state: str) -> str:
        """The cell of a count of the whole tab, as other tabs refer to it."""
        return f"{quoted(self.title)}!{at(TOTALS_ROW, self.columns.state(state), fixed=True)}"

    def helps(self, page: Worksheet, band: Band) -> None:
        """The help row of a block: choice of a hint, state; and what the hints say."""
        self._gate(page, band)
        self._counts(page, band.help_row, self.writer.asked_of(band))
        self.hints.write(page, band)
        state = Formula(f"={self._state(page, band)}", self._state_shown(band))
        style = self.writer.styles.look("words")
        self.writer.compute(page, band.help_row, WORDS_COLUMN, state, style)

    def write(self, page: Worksheet) -> None:
        """Everything that is not in a help row."""
        typing = Typing(page, self.writer.catalogue)
        for cell in self.asked:
            self._verdict(page, cell)
        self._typing(page, typing)
        for band in self.bands:
            box = Rectangle(band.help_row, HELP_COLUMN, band.help_row, HELP_COLUMN)
            typing.levels(box, self.hints.levels())
        self._show(page)
        self._totals(page)
        header.write(self, page)

    def gate_cell(self, band: Band) -> str:
        """Where the gate of a block stands."""
        return at(band.help_row, self.columns.state("gate"), fixed=True)

    def excel(self, box: Box, band: Band | None = None) -> Excel:
        """Formulas as in the box, and of its block's gate."""
        excel = self.writer.excel(box)
        if band is not None:
            inner, cell = excel.address, self.gate_cell(band)
            excel.address = lambda step, i, j: cell if step == GATE else inner(step, i, j)
        return excel

    def place(self, cell: Cell) -> tuple[int, int]:
        """Row and column of an entry."""
        return self.writer.layout.home(cell[0]).place(*cell[1:])

    def band_of(self, cell: Cell) -> Band:
        """The block of an entry."""
        return next(b for b in self.bands if any(x.home and x.step == cell[0] for x in b.boxes))

    # Verdicts and counts ------------------------------------------------------------------------

    def _verdict(self, page: Worksheet, cell: Cell) -> None:
        row, column = self.place(cell)
        excel = self.excel(self.writer.layout.home(cell[0]), self.band_of(cell))
        formula = excel.formula(verdict(self.writer.exercise, cell, Ref(GATE, 0, 0)))
        self.put(page, row, self.columns.verdict(column), Formula(formula, float(NOT_YET)))

    def _gate(self, page: Worksheet, band: Band) -> None:
        when = When(self.t("workbook.judge.block"), self.t("workbook.judge.off"))
        rule = gate(self.writer.asked_of(band), when)
        formula = self.excel(_own(self.title, band)).formula(rule)
        self.put(page, band.help_row, self.columns.state("gate"), Formula(formula, 0.0))

    def _counts(self, page: Worksheet, row: int, cells: Sequence[Cell]) -> None:
        boxes = self.boxes(cells)
        for state, number in COUNTED.items():
            spans = [box.moved(self.columns.verdict(box.left)).span for box in boxes]
            formula = "=" + "+".join(f"COUNTIF({span},{number})" for span in spans)
            self.put(page, row, self.columns.state(state), Formula(formula, 0.0))
        formula = self.excel(_own(self.title)).formula(Call(Fn.COUNT_BLANK, gathered(cells)))
        self.put(page, row, self.columns.state("blank"), Formula(formula, float(len(cells))))

    def boxes(self, cells: Sequence[Cell]) -> list[Rectangle]:
        """Where entries stand, as rectangles."""
        return rectangles(map(self.place, cells))

    def _totals(self, page: Worksheet) -> None:
        """The counts of the tab, and on the first tab how many cells of all tabs are blank."""
        for state, shown in (*dict.fromkeys(COUNTED, 0).items(), ("blank", len(self.asked))):
            column = self.columns.state(state)
            cells = ",".join(at(band.help_row, column) for band in self.bands)
            self.put(page, TOTALS_ROW, column, Formula(f"=SUM({cells})", float(shown)))
        tabs = tuple(self.writer.tabs.values())
        if self is tabs[0]:
            text = "=" + "+".join(tab.count("blank") for tab in tabs)
            number = float(len(self.writer.exercise.asked))
            self.put(page, ABOUT_ROW, self.columns.state("blank"), Formula(text, number))

    def _state(self, page: Worksheet, band: Band) -> str:
        row = band.help_row
        cells = [at(row, self.columns.state(state)) for state in COUNTED]
        parts = [
            f'"{self.t(f"exercise.state.{s}")}"&{c}' for s, c in zip(COUNTED, cells, strict=True)
        ]
        left = f"({len(self.writer.asked_of(band))}-{'-'.join(cells)})"
        return "&".join((*parts, f'"{self.t("exercise.state.open")}"&{left}'))

    def _state_shown(self, band: Band) -> str:
        parts = [f"{self.t(f'exercise.state.{state}')}0" for state in COUNTED]
        return "".join(
            (*parts, f"{self.t('exercise.state.open')}{len(self.writer.asked_of(band))}")
        )

    # Entries ------------------------------------------------------------------------------------

    def _typing(self, page: Worksheet, typing: Typing) -> None:
        kinds: dict[str, list[Cell]] = {"numbers": [], "wholes": [], "words": []}
        for cell in self.asked:
            step = self.writer.trace[cell[0]]
            whole = not step.op.rounds and step.decimals == 0
            kinds["words" if step.text else "wholes" if whole else "numbers"].append(cell)
        typing.numbers(self.boxes(kinds["numbers"]))
        typing.wholes(self.boxes(kinds["wholes"]))
        if kinds["words"]:
            known = self.writer.layout.home("vocabulary.words").area()
            typing.words(self.boxes(kinds["words"]), known)

    def _show(self, page: Worksheet) -> None:
        """Verdicts come before the other rules of the tab, such as the colours of shares.

        In the file as well as by priority: LibreOffice takes the first rule that it finds.
        """
        others, page.conditional_formatting = (
            page.conditional_formatting,
            ConditionalFormattingList(),
        )
        formats: dict[str, list[Cell]] = {}
        for cell in self.asked:
            step = self.writer.trace[cell[0]]
            number = "@" if step.text else self.writer.look(step).number
            formats.setdefault(number, []).append(cell)
        for number, cells in formats.items():
            for box in self.boxes(cells):
                show_verdicts(page, self.columns, box, number)
        for known in others:
            for rule in known.rules:
                rule.priority = 0
                page.conditional_formatting.add(str(known.sqref), rule)

    def put(self, page: Worksheet, row: int, column: int, formula: Formula) -> None:
        """A formula of the checks, small and grey."""
        style = self.writer.styles.look("step", align="right")
        self.writer.compute(page, row, column, formula, style)


def _own(sheet: str, band: Band | None = None) -> Box:
    """A place on the tab from which the homes there are the nearest appearances."""
    return Box("", sheet, band.bottom if band else 1, 1, 1, 1)
