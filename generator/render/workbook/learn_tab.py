"""What stands on a tab Learn around its tables: choices, headings, how to go on, shades."""

from openpyxl.formatting.rule import ColorScaleRule

from generator.engine.place import step_prefix
from generator.render.workbook.charts import Charts
from generator.render.workbook.draft import Draft
from generator.render.workbook.entries import ON_OFF, EntryPen, quoted
from generator.render.workbook.file.cells import cell_at
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.box import Box, on
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.layout.tabs import learning, trainings
from generator.render.workbook.pen import TabPen
from generator.render.workbook.styles import HEAT, CellLook

HEADING, HOW, FORMULA, NAMES = 4, 3, 2, 1  # rows above the first row of the strips' labels
BELOW = "F2C9A0"  # a large gradient below 0: the number is to grow


class LearnTab(TabPen):
    """The tab of one step of training; what is chosen, and the losses, stand on the first one."""

    def write(self) -> None:
        """What stands in its cells."""
        learn = self.start.learn
        first = self.sheet.tab.step == 1
        if first and learn:
            ChoiceRows(self.draft, learn).write()
        self._heading()
        if not self.asks and first:
            self._unlock()

    def _heading(self) -> None:
        """What the strips are, how to go on without a macro, the first formula."""
        strips, above = self.sheet.strips, self.sheet.strips[0].row - 1
        self.band(above - HEADING, (1, self.grid.right), self.t("workbook.learn.weights"))
        if not self.asks:
            first = next(sheet for sheet in self.layout.sheets if sheet.strips)
            old, title, new = first.strips[0].cell(0, 0), first.tab.title, strips[2].span()
            key = "workbook.learn.on" + ".several" * (trainings(self.trace) > 1)
            self.put((above - HOW, 1), self.t(key, new=new, old=old, tab=title))
        if not any(step.name in self.exercise.steps for step in self.sheet.tab.steps):
            name = f"{step_prefix(self.sheet.tab.step)}update.{learning(self.trace)[0]}"
            formula = self.formula((name, 0, 0), self.trace.cell(name, 0, 0))
            text = f"{self.t('formula.update')}    {formula}"  # in an exercise it would be a hint
            self.put((above - FORMULA, 1), text, "functions")
        for strip, key in zip(strips, plan.STRIPS, strict=True):
            self.put((above - NAMES, strip.column), self.t(f"workbook.learn.{key}"), "tag")

    def _unlock(self) -> None:
        """The strip of given weights takes what is copied, labels and empty cells included."""
        styles, old = self.draft.styles, self.sheet.strips[0]
        band = styles[CellLook("band")]
        for row in range(old.row, old.bottom + 1):
            heading = self.page.cell(row, 1)._style == band
            for column in range(old.column, old.right + 1):
                cell = cell_at(self.page, row, column)
                if cell.protection.locked:
                    role = "free head" if cell.value is not None else "free"
                    role = "free band" if heading else role
                    cell._style = styles[CellLook(role, align="right")]

    def dress(self) -> None:
        """Gradients shaded, darker the larger, in one colour above 0 and another below.

        On the first tab the curve of the losses, if they are several.
        """
        slope, passes = self.sheet.strips[1], trainings(self.trace) + 1
        span = slope.span(fixed=True)
        most = f"MAX(MAX({span}),-MIN({span}))"
        least = {"start_type": "formula", "start_value": f"-{most}", "start_color": BELOW}
        middle = {"mid_type": "num", "mid_value": 0, "mid_color": HEAT[0]}
        largest = {"end_type": "formula", "end_value": most, "end_color": HEAT[1]}
        self.marks.add(slope.span(), ColorScaleRule(**least, **middle, **largest))
        if self.sheet.tab.step == 1 and passes > 2 and self.start.learn:
            losses = Box("", self.title, self.start.learn.top, plan.LOSS, passes, 1)
            Charts(self.draft, self.sheet).losses(losses)


def tabs_of(draft: Draft, sheet: Sheet) -> list[LearnTab]:
    """The pen for what a tab Learn has besides; none for other tabs."""
    return [LearnTab(draft, sheet)] if sheet.strips else []


class ChoiceRows(EntryPen):
    """What is chosen: the next word, the learning rate, which weights learn; checked on Start."""

    def __init__(self, draft: Draft, learn: plan.LearnLayout) -> None:
        super().__init__(draft, learn.sheet)
        self.learn, self.running = learn, EntryPen(draft)

    def write(self) -> None:
        """The table of what is chosen, and the heading of that of the losses."""
        self.band(plan.FIRST_ROW, (1, plan.LEARN_RIGHT), self.t("workbook.learn.chosen"))
        self.put((plan.FIRST_ROW, plan.PASS), self.t("workbook.learn.loss"), "band")
        self.titles(plan.FIRST_ROW + 1, plan.LEARNING, (1, plan.LEARNING.message))
        titles = {plan.CHANCE: "chance", plan.LOSS: "ce"}
        self.heads(plan.FIRST_ROW + 1, titles, "workbook.learn.head", (plan.PASS, plan.LOSS))
        if row := self.learn.switches_row:
            self.put((row, 1), self.t("workbook.learn.learns"), "label")
        for entry in self.learn.entries:
            self._row(entry)
        self.colour(plan.LEARNING, self.learn.entries)
        self._choices()

    def _row(self, entry: plan.ControlEntry) -> None:
        title = self.t(f"workbook.learn.{entry.kind}") if entry.kind != "learns" else ""
        title = title or self.learn.names[self.trace[entry.step].rows[entry.i]]
        self.put((entry.row, 1), title, indent=1)
        if entry.kind == "target":
            joined = [on(self.start.sheet, cell) for cell in self.running.joined()]
            message = self.no_word(entry.cells, joined)
        else:
            message = self.message(entry)
        self.entry(entry, message, quoted(title))

    def _choices(self) -> None:
        """What may be typed into each row; a list of 1 and 0, the same for all weights."""
        for entry in self.learn.entries:
            if entry.kind == "target":
                self.a_word(entry.cells.own)
            elif entry.kind == "rate":
                self.between("rate", "decimal", entry.cells.own)
        switches = [entry.cells.own for entry in self.learn.entries if entry.kind == "learns"]
        says = {"prompt": self.t("workbook.control.empty"), "error": self.reason("learns")}
        says |= {"errorTitle": self.t("workbook.refused.title")}
        self.offer(*switches, formula1='"{},{}"'.format(*ON_OFF), **says)
