"""Writes the laid-out tabs: headings, labels, given numbers, live formulas, heat colours."""

from openpyxl.formatting.rule import ColorScaleRule, FormulaRule
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.styles.numbers import NumberFormat
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.trace import Step
from generator.notation.excel import Excel
from generator.render.workbook.box import Box, defined_name
from generator.render.workbook.formats import MASKED, Look, in_words, look
from generator.render.workbook.layout import Band, Label, Layout, Sheet
from generator.render.workbook.package import Formula, put, put_text
from generator.render.workbook.styles import HEAT, Styles
from generator.text.catalogue import Catalogue

WORDS_COLUMN = 6  # the formula in words, right of the step's title
STEP_COLUMN = 14  # the step's name
LAST_COLUMN = 17  # headings, rule and page reach so far
HEATED = ("weights", "probabilities")


class Writer:
    """Writes every band of a layout into the sheets of a workbook."""

    def __init__(self, workbook: Workbook, layout: Layout, catalogue: Catalogue) -> None:
        self.workbook = workbook
        self.layout = layout
        self.trace = layout.trace
        self.catalogue = catalogue
        self.styles = Styles(workbook)
        self._looks: dict[str, Look] = {}

    def sheet(self, page: Worksheet, sheet: Sheet) -> None:
        """One tab."""
        for band in sheet.bands:
            self._heading(page, band)
            for label in band.labels:
                self._label(page, label)
            for box in band.boxes:
                self._box(page, box)

    def look(self, step: Step) -> Look:
        """The step's look, worked out once."""
        if step.name not in self._looks:
            self._looks[step.name] = look(step)
        return self._looks[step.name]

    def shown(self, label: Label) -> str:
        """A label's text, translated where the catalogue knows it."""
        if label.step:
            return label.text
        return self.catalogue.phrases.get(f"workbook.label.{label.text}", label.text)

    def write(self, page: Worksheet, row: int, column: int, text: str, role: str) -> None:
        """A text of ours in a cell."""
        cell = page.cell(row, column)
        put_text(cell, text)
        self.styles.dress(cell, role)

    # Headings and labels ------------------------------------------------------------------------

    def _heading(self, page: Worksheet, band: Band) -> None:
        letters = {line.step: line.letter for line in band.lines}
        for line in band.lines:
            first = line is band.lines[0] and not band.rows
            above = "band " if first else ""
            if first:
                for column in range(1, LAST_COLUMN + 1):
                    self.styles.dress(page.cell(line.row, column), "band")
            title = self.catalogue.step(line.step)
            role = "strong" if band.rows else "band" if first else "line"
            words = in_words(self.trace, self.trace[line.step], self.catalogue)
            self.write(
                page, line.row, 1, f"({line.letter})  {title}" if line.letter else title, role
            )
            self.write(page, line.row, WORDS_COLUMN, words, f"{above}words")
            self.write(page, line.row, STEP_COLUMN, line.step, f"{above}step")
        for box, (row, column) in band.tags.items():
            self.write(page, row, column, self._tag(box, letters.get(box.step, "")), "tag")

    def _tag(self, box: Box, letter: str) -> str:
        if not box.home:
            return f"= {box.step.rpartition('.')[2]}"
        role = self.catalogue.t(f"workbook.role.{self.trace[box.step].kind}")
        role = role if box.width > 1 or box.column == 1 else role[:1]
        return f"({letter}) {role}" if letter else role

    def _label(self, page: Worksheet, label: Label) -> None:
        cell = page.cell(label.row, label.column)
        align = "right" if label.column > 1 else ""
        role, wrap, number = ("head" if label.across else "label"), label.across, "General"
        if not label.step:
            put_text(cell, self.shown(label))
        else:
            home = self.layout.home(label.step)
            at = Box("", page.title, label.row, label.column, 1, 1)
            value = self.trace[label.step].values[label.cell, 0]
            put(cell, Formula(f"={self.layout.addresses(at)(home.step, label.cell, 0)}", value))
            number = '"T = "0.##' if label.step == "temperature" else number
        self.styles.dress(cell, role, number, align, wrap)

    # Boxes --------------------------------------------------------------------------------------

    def _box(self, page: Worksheet, box: Box) -> None:
        step = self.trace[box.step]
        fill = (
            self._echo if not box.home else self._given if step.kind == "given" else self._formulas
        )
        fill(page, box, step)
        if box.home:
            name = defined_name(step.name)
            self.workbook.defined_names[name] = DefinedName(name, attr_text=box.area())
        if step.name.rpartition(".")[2] in HEATED and box.width > 1:
            self._heat(page, box)
        if self.trace.rounding == "exact" and not step.text and step.kind == "computed":
            self._no_minus_zero(page, box, self.look(step).number)

    def _formulas(self, page: Worksheet, box: Box, step: Step) -> None:
        excel = Excel(self.layout.addresses(box))
        result = step.name in ("sampling.next",)
        for i, j in _cells(step):
            formula = excel.formula(self.trace.cell(step.name, i, j))
            self._put(page, box, step, i, j, formula, "result" if result else "computed")

    def _echo(self, page: Worksheet, box: Box, step: Step) -> None:
        role = "label" if step.text and box.column == 1 else "echo"
        for i, j in _cells(step):
            self._put(page, box, step, i, j, f"={self.layout.echo_of(box, i, j)}", role)

    def _put(
        self, page: Worksheet, box: Box, step: Step, i: int, j: int, formula: str, role: str
    ) -> None:
        cell = page.cell(*box.place(i, j))
        value = step.values[i, j]
        masked = value == -float("inf") if not step.text else False
        put(cell, Formula(formula, MASKED if masked else value if step.text else float(value)))
        align = "" if step.text and box.column == 1 else "right"
        self.styles.dress(cell, role, self.look(step).number, align, role == "label")

    def _given(self, page: Worksheet, box: Box, step: Step) -> None:
        for i, j in _cells(step):
            cell = page.cell(*box.place(i, j))
            if step.text:
                put_text(cell, step.values[i, j])
            else:
                cell.value = float(step.values[i, j])
            self.styles.dress(
                cell, "given", self.look(step).number, "" if step.text else "right", step.text
            )
        if step.name == "tokens" and "onehot" in self.trace:
            self._choices(page, box)

    def _choices(self, page: Worksheet, box: Box) -> None:
        """Only words of the vocabulary can be typed in as tokens."""
        words = self.layout.home("vocabulary.words")
        rule = DataValidation(type="list", formula1=f"={words.area()}", allow_blank=False)
        rule.errorTitle = self.catalogue.t("workbook.choice.title")
        rule.error = self.catalogue.t("workbook.choice.error")
        rule.showErrorMessage = True
        rule.add(box.span())
        page.add_data_validation(rule)

    def _heat(self, page: Worksheet, box: Box) -> None:
        scale = ColorScaleRule(
            start_type="num",
            start_value=0,
            start_color=HEAT[0],
            end_type="num",
            end_value=1,
            end_color=HEAT[1],
        )
        page.conditional_formatting.add(box.span(), scale)

    def _no_minus_zero(self, page: Worksheet, box: Box, number: str) -> None:
        """Unrounded negative numbers that show as zero show no minus."""
        if not number.startswith("0.0") or "E" in number:
            return
        cell = f"{get_column_letter(box.column)}{box.row}"
        test = f"AND(ISNUMBER({cell}),{cell}<0,ROUND({cell},{number.count('0') - 1})=0)"
        style = DifferentialStyle(
            numFmt=NumberFormat(numFmtId=200, formatCode=f"{number};{number}")
        )
        rule = FormulaRule(formula=[test])
        rule.dxf = style
        page.conditional_formatting.add(box.span(), rule)


def _cells(step: Step) -> list[tuple[int, int]]:
    height, width = step.shape
    return [(i, j) for i in range(height) for j in range(width)]
