"""What stands on a tab Learn around its tables: choices, headings, how to go on.

Also here:

* What is chosen on the tab Learn: the next word, the learning rate, which weights learn.
* How a tab Learn looks: large gradients shaded, the loss of each pass as a curve.
"""

from openpyxl.chart import LineChart, Reference, Series
from openpyxl.formatting.rule import ColorScaleRule
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.place import step_prefix
from generator.notation.excel import Functions
from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.charts import COLOURS, finish, named
from generator.render.workbook.file.cells import cell_at, write_text
from generator.render.workbook.layout.box import on
from generator.render.workbook.layout.controls import ControlEntry
from generator.render.workbook.layout.draw_layout import ROW
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.layout.learn_layout import (
    CHANCE,
    CHART_ROWS,
    FIRST_ROW,
    LAST_COLUMN,
    LOSS,
    MESSAGE,
    PASS,
    STRIPS,
    LearnLayout,
    WeightStrip,
)
from generator.render.workbook.layout.start_layout import LEARNING, Cells, StartColumns
from generator.render.workbook.layout.tabs import learning, trainings
from generator.render.workbook.start.entries import ON_OFF, Lists, RowWriter, write_joined
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.refusals import quoted
from generator.render.workbook.styles import HEAT

HEADING, HOW, FORMULA, NAMES = 4, 3, 2, 1  # rows above the first row of the strips' labels


def write(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """All of it; nothing on other tabs."""
    if sheet.strips is None:
        return
    pen = Pen(draft, page)
    if sheet.tab.step == 1:
        ChoiceRows(pen).write()
    _heading(pen, sheet, sheet.strips)
    _weights(draft, page, sheet)
    if not draft.exercise.asked and sheet.tab.step == 1:
        _unlock(draft, page, sheet.strips[0])


def _heading(pen: Pen, sheet: Sheet, strips: tuple[WeightStrip, WeightStrip, WeightStrip]) -> None:
    """What the strips are, how to go on with the new weights, the formula of the first of them."""
    draft, top = pen.draft, strips[0].top
    right = draft.grids[sheet.tab.title].right
    above = top - 1
    pen.band(above - HEADING, 1, right, pen.t("workbook.learn.weights"))
    if not draft.exercise.asked:
        pen.text(above - HOW, 1, _how(draft, strips), "text")
    if not any(step.name in draft.exercise.steps for step in sheet.tab.steps):  # it would be a hint
        pen.text(above - FORMULA, 1, _formula(draft, sheet), "functions")
    for strip, key in zip(strips, STRIPS, strict=True):
        pen.text(above - NAMES, strip.left, pen.t(f"workbook.learn.{key}"), "tag")


def _how(draft: Draft, strips: tuple[WeightStrip, WeightStrip, WeightStrip]) -> str:
    """How the new weights become the given ones, without a macro."""
    learn = draft.layout.start.learn
    first = next(sheet for sheet in draft.layout.sheets if sheet.strips)
    if learn is None or first.strips is None:
        raise ValueError("found a tab of training without the first one")
    several = ".several" * (trainings(draft.trace) > 1)
    return draft.catalogue.t(
        f"workbook.learn.on{several}",
        new=strips[2].span,
        old=first.strips[0].first,
        tab=first.tab.title,
    )


def _formula(draft: Draft, sheet: Sheet) -> str:
    """The formula of the first new weight, in words and in functions."""
    name = f"{step_prefix(sheet.tab.step)}update.{learning(draft.trace)[0]}"
    box = draft.layout.home(name)
    functions = Functions(draft.layout.addresses(box), draft.catalogue.language)
    words = draft.catalogue.t("formula.update")
    return f"{words}    {box.cell(0, 0)}: {functions.formula(draft.trace.cell(name, 0, 0))}"


def _weights(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The name of each weight over its three tables, as a heading."""
    look, right = draft.styles.look, draft.grids[sheet.tab.title].right
    for band in sheet.bands:
        new = [box for box in band.boxes if ".update." in f".{box.step}" and box.home]
        if new and not band.lines:
            for column in range(1, right + 1):
                cell_at(page, band.top, column, look("band"))
            title = next(label.text for label in band.labels if label.row == band.top)
            write_text(page, band.top, 1, title, look("band"))


def _unlock(draft: Draft, page: Worksheet, old: WeightStrip) -> None:
    """The whole strip of given weights takes what is copied, labels and empty cells included."""
    look = draft.styles.look
    for row in range(old.top, old.bottom + 1):
        for column in range(old.left, old.right + 1):
            cell = cell_at(page, row, column)
            if not cell.protection.locked:
                continue
            role = "free head" if cell.value is not None else "free"
            band = "free band" if page.cell(row, 1)._style == look("band") else role
            cell._style = look(band, "General", "right")


class ChoiceRows(RowWriter):
    """Writes the rows, their lists and limits; the running check stands on Start."""

    def __init__(self, pen: Pen) -> None:
        super().__init__(pen, Lists(pen))
        learn_layout = self.start.learn
        if learn_layout is None:
            raise ValueError("found no training, expected a tab Learn")
        self.learn: LearnLayout = learn_layout
        self.first = Pen(pen.draft)

    def write(self) -> None:
        """The table of what is chosen, and the heading of that of the losses."""
        self.pen.band(FIRST_ROW, 1, LAST_COLUMN, self.t("workbook.learn.chosen"))
        self.pen.text(FIRST_ROW, PASS, self.t("workbook.learn.loss"), "band")
        self.heads(FIRST_ROW + 1, LEARNING, (1, MESSAGE), "name")
        titles = {CHANCE: "chance", LOSS: "ce"}
        heads = {column: self.t(f"workbook.learn.head.{key}") for column, key in titles.items()}
        self.pen.heads(FIRST_ROW + 1, heads, (PASS, LOSS), ())
        if row := self.learn.switches_row:
            self.pen.text(row, 1, self.t("workbook.learn.learns"), "label")
        for entry in self.learn.entries:
            self._row(entry)
        self.colour(LEARNING, [entry.row for entry in self.learn.entries])
        self._lists()

    def _row(self, entry: ControlEntry) -> None:
        title = self._title(entry)
        self.pen.text(entry.row, 1, title, indent=1)
        row = self.start.cells(entry)
        message = self._message(entry, row)
        self.entry(LEARNING, entry, message, quoted(title))

    def _title(self, entry: ControlEntry) -> str:
        if entry.kind == "learns":
            return self.learn.names[self.trace[entry.step].rows[entry.i]]
        return self.t(f"workbook.learn.{entry.kind}")

    def _message(self, entry: ControlEntry, row: Cells) -> str:
        if entry.kind != "target":
            return self.refusals.entry(entry, row.own)
        start = self.start.sheet
        joined = write_joined(self.first, self.start.tables_row + 2)
        return self.refusals.word(row.own, row.delivered, [on(start, cell) for cell in joined])

    def judged(self, columns: StartColumns, row: Cells, message: str, name: str) -> None:
        """The message here; on Start the first message of this tab so far, with its name."""
        self.pen.formula(row.message, message, "", "alarm", indent=1)
        here = on(self.learn.sheet, row.message)
        own = f'IF({here}="","",{name}&": "&{here})'
        before = self.last_check.get(columns.check)
        formula = f'=IF({before}<>"",{before},{own})' if before else f"={own}"
        self.first.formula(row.check, formula, "", "tag")
        self.last_check[columns.check] = row.check

    def _lists(self) -> None:
        """What may be typed into each row, with the message for all else."""
        for entry in self.learn.entries:
            own = [self.start.cells(entry).own]
            if entry.kind == "target":
                area = self.draft.layout.home("vocabulary.words").area()
                prompt, reason = self.t("workbook.prompt.word"), self.t("workbook.refused.word")
                self.lists.from_area(own, area, prompt, reason)
            elif entry.kind == "rate":
                limits, reason = self.refusals.limits("rate"), self.refusals.reason("rate")
                self.lists.between(own, *limits, self.t("workbook.control.decimal"), reason)
        self._switches()

    def _switches(self) -> None:
        """A list of 1 and 0, the same for all weights."""
        rule = DataValidation(type="list", formula1=f'"{ON_OFF[0]},{ON_OFF[1]}"', allow_blank=True)
        rule.prompt = self.t("workbook.control.empty")
        rule.errorTitle = self.t("workbook.refused.title")
        rule.error = self.refusals.reason("learns")
        rule.showErrorMessage = rule.showInputMessage = True
        switches = [entry for entry in self.learn.entries if entry.kind == "learns"]
        for entry in switches:
            rule.add(self.start.cells(entry).own)
        if switches:
            self.pen.page.add_data_validation(rule)


BELOW = "F2C9A0"  # a large gradient below 0: the number is to grow


def dress(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The shades of a tab; on the first one the curve of the losses, if they are several."""
    if sheet.strips is None:
        return
    _shade(page, sheet.strips[1])
    if sheet.tab.step == 1 and trainings(draft.trace) > 1:
        _curve(draft, page)


def _shade(page: Worksheet, slope: WeightStrip) -> None:
    """Darker the larger a gradient is, in one colour above 0 and another below; it follows."""
    most = f"MAX(MAX({slope.fixed}),-MIN({slope.fixed}))"
    scale = ColorScaleRule(
        start_type="formula",
        start_value=f"-{most}",
        start_color=BELOW,
        mid_type="num",
        mid_value=0,
        mid_color=HEAT[0],
        end_type="formula",
        end_value=most,
        end_color=HEAT[1],
    )
    page.conditional_formatting.add(slope.span, scale)


def _curve(draft: Draft, page: Worksheet) -> None:
    """The loss before training and after each step."""
    learn = draft.layout.start.learn
    if learn is None:
        raise ValueError("found no training, expected a tab Learn")
    passes = trainings(draft.trace) + 1
    first, last = learn.top, learn.top + passes - 1
    curve = LineChart()
    series = Series(Reference(page, min_col=LOSS, min_row=first, max_row=last), title=None)
    named(page, series, first - 1, LOSS)
    series.graphicalProperties.line.solidFill = COLOURS[0]
    series.marker.symbol, series.marker.size, series.smooth = "circle", 6, False
    curve.series.append(series)
    curve.set_categories(Reference(page, min_col=PASS, min_row=first, max_row=last))
    curve.legend = None
    curve.height, curve.width = ROW * (CHART_ROWS - 1), 13.0
    finish(draft, curve, "loss")
    page.add_chart(curve, f"{get_column_letter(PASS)}{last + 2}")
