"""Writes the tabs of an exercise: empty yellow cells, and formulas that wait for them."""

import math

from openpyxl.styles import PatternFill, Protection
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.areas import Cell
from generator.checks.exercise import OPEN, Exercise
from generator.checks.verdict import TOLERANCE, WHEN
from generator.engine.trace import Step
from generator.notation.excel import Excel
from generator.render.workbook.checking.progress import waits
from generator.render.workbook.checking.verdicts import ExerciseTab
from generator.render.workbook.file.package import Formula, SharedStyle, cell_at
from generator.render.workbook.layout.box import Box, quoted
from generator.render.workbook.layout.check_columns import ABOUT_ROW, Columns, at
from generator.render.workbook.layout.layout import Band, Layout, Line, Sheet
from generator.render.workbook.layout.texts import FOCUS
from generator.render.workbook.styles import Styles
from generator.render.workbook.write.boxes import Writer, cells_of
from generator.text.catalogue import Catalogue, step_place

CHARTED, CHART = ("position", "output.probabilities"), 76.0  # characters of the widest chart
SETTINGS = {TOLERANCE: "tolerance", WHEN: "judge"}


class ExerciseStyles(Styles):
    """The looks of an exercise: given numbers are locked, and only what takes entries is yellow."""

    def _style(self, role: str, number: str, align: str, wrap: bool) -> SharedStyle:
        style = super()._style(role, number, align, wrap)
        if role != "given":
            return style
        self._scratch.protection = Protection(locked=True)
        self._scratch.fill = PatternFill()
        return SharedStyle(self._scratch._style)


class ExerciseWriter(Writer):
    """Writes a layout made of a Trace without the hidden numbers; `tabs` are those with checks."""

    def __init__(
        self, workbook: Workbook, layout: Layout, catalogue: Catalogue, exercise: Exercise
    ) -> None:
        super().__init__(workbook, layout, catalogue)
        self.styles = ExerciseStyles(workbook)
        self.exercise = exercise
        self.asked_on = {
            sheet.tab.title: tuple(band for band in sheet.bands if self.asked_of(band))
            for sheet in layout.sheets
        }
        self.tabs = {
            sheet.tab.title: ExerciseTab(self, sheet, self._columns(sheet))
            for sheet in layout.sheets
            if self.asked_on[sheet.tab.title]
        }

    def asked_of(self, band: Band) -> list[Cell]:
        """The asked cells of a band, in order."""
        homes = {box.step for box in band.boxes if box.home}
        return sorted(cell for cell in self.exercise.asked if cell[0] in homes)

    def sheet(self, page: Worksheet, sheet: Sheet) -> None:
        """One tab with its checks."""
        super().sheet(page, sheet)
        for band in sheet.bands:
            if band.picked and self._has_hidden(band.picked.step):
                self._picked(page, band.picked)
        if sheet.tab.title in self.tabs:
            self.tabs[sheet.tab.title].write(page)
        waits(self, page, sheet)

    def excel(self, box: Box) -> Excel:
        """Formulas in a box, also over the settings and counts of the checks."""
        found = self.layout.addresses(box)

        def address(step: str, i: int, j: int) -> str:
            if step in SETTINGS:
                sheet, cell = self.layout.settings[SETTINGS[step]]
                return f"{quoted(sheet)}!{cell}"
            if step == OPEN:
                first = next(iter(self.tabs.values()))
                return f"{quoted(first.title)}!{at(ABOUT_ROW, first.columns.state('blank'), True)}"
            return found(step, i, j)

        return Excel(address)

    # What differs from the solution -------------------------------------------------------------

    def computed(self, page: Worksheet, box: Box, step: Step) -> None:
        """Entries are empty, hidden cells wait, all others are as in the solution."""
        if not self._has_hidden(step.name):
            super().computed(page, box, step)
            return
        excel, exercise = self.excel(box), self.exercise
        entry = self.styles.look("entry", "@" if step.text else self.look(step).number, "right")
        formulas: list[tuple[int, int, str]] = []
        for i, j in cells_of(step):
            if (step.name, i, j) in exercise.asked:
                cell_at(page, *box.place(i, j), entry)
            elif exercise.hides(step.name, i, j):
                formulas.append((i, j, excel.formula(exercise.shown(step.name, i, j))))
            else:
                formulas.append((i, j, excel.formula(self.trace.cell(step.name, i, j))))
        self.fill(page, box, step, formulas, "computed")

    def echo(self, page: Worksheet, box: Box, step: Step) -> None:
        """As in the solution, but an empty cell is repeated as empty and not as 0."""
        if not self._has_hidden(step.name):
            super().echo(page, box, step)
            return
        role = "label" if step.text and box.column == 1 else "echo"
        formulas = ((i, j, self._repeated(box, i, j)) for i, j in cells_of(step))
        self.fill(page, box, step, formulas, role)

    def cached(self, step: Step, i: int, j: int) -> float | str:
        """Nothing for hidden cells."""
        return "" if self.exercise.hides(step.name, i, j) else super().cached(step, i, j)

    def live(self, page: Worksheet, band: Band, line: Line) -> None:
        """No worked arithmetic of what is asked or waits."""
        if not self._has_hidden(line.step):
            super().live(page, band, line)

    def helps(self, page: Worksheet, band: Band) -> None:
        """Hint and state of a block."""
        self.tabs[page.title].helps(page, band)

    def _repeated(self, box: Box, i: int, j: int) -> str:
        address = self.layout.echo_of(box, i, j)
        hidden = self.exercise.hides(box.step, i, j)
        return f'=IF({address}="","",{address})' if hidden else f"={address}"

    def _picked(self, page: Worksheet, box: Box) -> None:
        """The focus token's row, empty where the row is."""
        home, step = self.layout.home(box.step), self.trace[box.step]
        style = self.styles.look("echo", self.look(step).number, "right")
        for j in range(box.width):
            column = home.column + j
            found = f"INDEX({at(home.row, column)}:{at(home.bottom, column)},{FOCUS})"
            formula = f'=IFERROR(IF({found}="","",{found}),"")'
            shown = self.cached(step, self.trace.exercise or 0, j)
            self.compute(page, box.row, box.column + j, Formula(formula, shown), style)

    def _has_hidden(self, name: str) -> bool:
        return name in self.exercise.steps

    def _columns(self, sheet: Sheet) -> Columns:
        """Beyond everything that a tab shows, marks and charts beside tables included."""
        grid = self.grid(sheet)
        beside = 1 + math.ceil(CHART / grid.numbers)
        last = grid.right
        for band in sheet.bands:
            for box in (*band.boxes, band.picked):
                if box:
                    charted = box.home and step_place(box.step)[2] in CHARTED
                    last = max(last, box.right + 1 + charted * beside)
        return Columns(last + 2, last)
