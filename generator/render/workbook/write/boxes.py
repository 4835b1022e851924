"""Writes the laid-out tabs: headings, labels, given numbers, live formulas, heat colours."""

import re
from collections.abc import Iterable

from openpyxl.styles.cell_style import StyleArray
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.trace import Step
from generator.notation.excel import Excel
from generator.notation.functions import Functions
from generator.render.workbook.dress import charts as chart
from generator.render.workbook.dress import frames as focus
from generator.render.workbook.dress.rules import heat, is_heated, mark_choice, no_minus_zero
from generator.render.workbook.file.package import Formula, cell_at, put, put_number, put_text
from generator.render.workbook.guards import guard_numbers
from generator.render.workbook.layout import bpe as bpe_tab
from generator.render.workbook.layout.box import Box, defined_name
from generator.render.workbook.layout.formats import MASKED, Look, in_words, look
from generator.render.workbook.layout.grid import WORDS_COLUMN, Grid, Longest, grid
from generator.render.workbook.layout.layout import Band, Label, Layout, Line, Sheet
from generator.render.workbook.layout.texts import Texts
from generator.render.workbook.styles import Styles
from generator.text.catalogue import Catalogue, step_place

STEP_COLUMN = 14  # the step's name, where the numbers are not unusually wide
CENTRED = ("sampling.digits",)
RESULTS = ("sampling.next", ".winner")

_PART = re.compile(r"(block|head)(\d+)")


class Writer:
    """Writes every band of a layout into the sheets of a workbook.

    What another kind of workbook may want otherwise are methods of their own: `given`, `computed`
    and `echo` fill boxes, `cached` is what a reader sees before recalculation, `live` writes the
    focus token's arithmetic, `helps` what stands in a band's help row.
    """

    def __init__(self, workbook: Workbook, layout: Layout, catalogue: Catalogue) -> None:
        self.workbook = workbook
        self.layout = layout
        self.trace = layout.trace
        self.catalogue = catalogue
        self.styles = Styles(workbook)
        self.texts = Texts(self.trace, catalogue.language)
        self._looks: dict[str, Look] = {}
        self._grids: dict[str, Grid] = {}

    def sheet(self, page: Worksheet, sheet: Sheet) -> None:
        """One tab."""
        focus.choice(self, page, sheet)
        focus.warning(self, page)
        for band in sheet.bands:
            self._heading(page, sheet, band)
            for label in band.labels:
                self._label(page, label)
            for box in band.boxes:
                self._box(page, box)
            if band.picked:
                focus.picked(self, page, band.picked)
            if band.help_row:
                self.helps(page, band)
            mark_choice(self, page, band)
        focus.frames(self, page, sheet)
        guard_numbers(self, page, sheet)
        chart.draw(self, page, sheet)
        bpe_tab.dress(self, page, sheet)

    def grid(self, sheet: Sheet) -> Grid:
        """The tab's columns, worked out once from what they hold."""
        if sheet.tab.title not in self._grids:
            self._grids[sheet.tab.title] = self._grid(sheet)
        return self._grids[sheet.tab.title]

    def look(self, step: Step) -> Look:
        """The step's look, worked out once."""
        if step.name not in self._looks:
            self._looks[step.name] = look(step)
        return self._looks[step.name]

    def shown(self, label: Label) -> str:
        """A label's text, translated where the catalogue knows it."""
        if label.step:
            return label.text
        part = _PART.fullmatch(label.text)
        if part:
            return self.catalogue.t(f"workbook.label.{part[1]}", number=part[2])
        return self.catalogue.phrases.get(f"workbook.label.{label.text}", label.text)

    def write(self, page: Worksheet, row: int, column: int, text: str, role: str) -> None:
        """A text of ours in a cell."""
        put_text(cell_at(page, row, column, self.styles.look(role)), text)

    def compute(
        self, page: Worksheet, row: int, column: int, formula: Formula, style: StyleArray
    ) -> None:
        """A formula of ours in a cell."""
        put(cell_at(page, row, column, style), formula)

    # What another workbook may do otherwise -----------------------------------------------------

    def given(self, page: Worksheet, box: Box, step: Step) -> None:
        """Fills the home of a given step: typed-in cells, or what the Start tab decides."""
        style = self.styles.look("given", self.look(step).number, "" if step.text else "right")
        if step.text:
            style = self.styles.look("given", "@", "", True)
        for i, j in cells_of(step):
            formula = self.layout.in_force(step.name, i, j)
            if formula is not None:
                self.fill(page, box, step, ((i, j, formula),), "inforce")
                continue
            cell = cell_at(page, *box.place(i, j), style)
            if step.text:
                put_text(cell, step.values[i, j])
            else:
                put_number(cell, float(step.values[i, j]))

    def computed(self, page: Worksheet, box: Box, step: Step) -> None:
        """Fills the home of a computed step with its live formulas."""
        excel = Excel(self.layout.addresses(box))
        role = "result" if step_place(step.name)[2].endswith(RESULTS) else "computed"
        formulas = (
            (i, j, excel.formula(self.trace.cell(step.name, i, j))) for i, j in cells_of(step)
        )
        self.fill(page, box, step, formulas, role)

    def echo(self, page: Worksheet, box: Box, step: Step) -> None:
        """Fills a box that repeats a step."""
        role = "label" if step.text and box.column == 1 else "echo"
        formulas = ((i, j, f"={self.layout.echo_of(box, i, j)}") for i, j in cells_of(step))
        self.fill(page, box, step, formulas, role)

    def cached(self, step: Step, i: int, j: int) -> float | str:
        """What a cell of a step shows before anybody recalculates."""
        value = step.values[i, j]
        if step.text:
            return str(value)
        return MASKED if value == -float("inf") else float(value)

    def live(self, page: Worksheet, band: Band, line: Line) -> None:
        """The arithmetic of the focus token under the heading of a step."""
        focus.live(self, page, line)

    def helps(self, page: Worksheet, band: Band) -> None:
        """What stands in the row for hints and state; nothing where all numbers are there."""

    # Headings and labels ------------------------------------------------------------------------

    def fill(
        self,
        page: Worksheet,
        box: Box,
        step: Step,
        formulas: Iterable[tuple[int, int, str]],
        role: str,
    ) -> None:
        """Cells (i, j) of a box with their formulas, in the look of a role."""
        align = "" if step.text and box.column == 1 else "right"
        if step_place(step.name)[2] in CENTRED:
            align = "center"
        wrapped = step.text and box.column == 1
        style = self.styles.look(role, self.look(step).number, align, wrapped)
        for i, j, formula in formulas:
            cell = cell_at(page, *box.place(i, j), style)
            put(cell, Formula(formula, self.cached(step, i, j)))

    def _heading(self, page: Worksheet, sheet: Sheet, band: Band) -> None:
        letters = {line.step: line.letter for line in band.lines}
        grid = self.grid(sheet)
        for line in band.lines:
            first = line is band.lines[0] and not band.rows
            above = "band " if first else ""
            if first:
                for column in range(1, grid.right + 1):
                    cell_at(page, line.row, column, self.styles.look("band"))
            title = self.catalogue.step(line.step)
            title = f"({line.letter})  {title}" if line.letter else title
            words = in_words(self.trace, self.trace[line.step], self.catalogue)
            role = "strong" if band.rows else "band" if first else "line"
            self.write(page, line.row, 1, title, role)
            self.write(page, line.row, WORDS_COLUMN, words, f"{above}words")
            self.write(page, line.row, grid.step, line.step, f"{above}step")
            self._functions(page, line)
            if line.live:
                self.live(page, band, line)
        for box, (row, column) in band.tags.items():
            self.write(page, row, column, self._tag(box, letters.get(box.step, "")), "tag")

    def _functions(self, page: Worksheet, line: Line) -> None:
        """The formula of the step's first cell, as a person reads it in the cell."""
        if line.functions:
            box = self.layout.home(line.step)
            functions = Functions(self.layout.addresses(box), self.catalogue.language)
            place = self.texts.telling(self.trace[line.step])
            formula = functions.formula(self.trace.cell(line.step, *place))
            texts = self.texts.functions(box.cell(*place), formula, len(line.functions))
            for row, text in zip(line.functions, texts, strict=False):
                self.write(page, row, WORDS_COLUMN, text, "functions")

    def _tag(self, box: Box, letter: str) -> str:
        if not box.home:
            title = self.catalogue.step(box.step)
            short = step_place(box.step)[2].rpartition(".")[2]
            return f"= {title if len(title) <= 9 * box.width else short}"
        role = self.catalogue.t(f"workbook.role.{self.trace[box.step].kind}")
        role = role if box.width > 1 or box.column == 1 else role[:1]
        return f"({letter}) {role}" if letter else role

    def _label(self, page: Worksheet, label: Label) -> None:
        align = "right" if label.column > 1 else ""
        role, number = ("head" if label.across else "label"), "General"
        wrap = label.across or (label.column == 1 and bool(label.step))
        if label.step == "temperature":
            number = '"T = "0.##'
        cell = cell_at(page, label.row, label.column, self.styles.look(role, number, align, wrap))
        if not label.step:
            put_text(cell, self.shown(label))
            return
        at = Box("", page.title, label.row, label.column, 1, 1)
        home = self.layout.home(label.step)
        address = self.layout.addresses(at)(home.step, label.cell, 0)
        if step_place(label.step)[2] == "tokens":
            put(cell, Formula(f'="{label.cell + 1} "&{address}', label.text))
        else:
            put(cell, Formula(f"={address}", self.cached(self.trace[label.step], label.cell, 0)))

    # Boxes --------------------------------------------------------------------------------------

    def _box(self, page: Worksheet, box: Box) -> None:
        step = self.trace[box.step]
        if not box.home:
            self.echo(page, box, step)
        elif step.kind == "given":
            self.given(page, box, step)
        else:
            self.computed(page, box, step)
        if box.home:
            name = defined_name(step.name)
            self.workbook.defined_names[name] = DefinedName(name, attr_text=box.area())
        if is_heated(box):
            heat(page, box)
        if self.trace.rounding == "exact" and not step.text and step.kind == "computed":
            no_minus_zero(page, box, self.look(step).number)

    def _grid(self, sheet: Sheet) -> Grid:
        boxes = [box for band in sheet.bands for box in band.boxes]
        steps = {box.step: self.trace[box.step] for box in boxes}
        names = [len(t) for s in steps.values() if s.text for t in s.values[:, 0]]
        labels = [label for band in sheet.bands for label in band.labels if label.column == 1]
        names += [len(self.shown(label)) for label in labels]
        across = [label for band in sheet.bands for label in band.labels if label.across]
        heads = [len(word) for label in across for word in self.shown(label).split()]
        lines = [line.step for band in sheet.bands if band.rows for line in band.lines]
        titles = max((len(self.catalogue.step(name)) for name in lines), default=0)
        digits = max(self.look(step).characters for step in steps.values())
        longest = Longest(digits, max(names, default=0), titles, max(heads, default=0))
        return grid(sheet, longest)


def cells_of(step: Step) -> list[tuple[int, int]]:
    """All cells of a step, row by row, counted from 0."""
    height, width = step.shape
    return [(i, j) for i in range(height) for j in range(width)]
