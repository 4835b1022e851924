"""What is chosen on the tab Learn: the next word, the learning rate, which weights learn."""

from openpyxl.worksheet.datavalidation import DataValidation

from generator.render.workbook.layout.box import on
from generator.render.workbook.layout.controls import Entry
from generator.render.workbook.layout.learn_layout import (
    CHANCE,
    FIRST_ROW,
    LAST_COLUMN,
    LOSS,
    MESSAGE,
    PASS,
    LearnLayout,
)
from generator.render.workbook.layout.start_layout import LEARNING, Cells, Columns
from generator.render.workbook.start.drop_downs import Lists
from generator.render.workbook.start.entries import write_joined
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.refusals import quoted
from generator.render.workbook.start.rows import ON_OFF, Rows


class Choices(Rows):
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

    def _row(self, entry: Entry) -> None:
        title = self._title(entry)
        self.pen.text(entry.row, 1, title, indent=1)
        row = self.start.cells(entry)
        message = self._message(entry, row)
        self.entry(LEARNING, entry, message, quoted(title))

    def _title(self, entry: Entry) -> str:
        if entry.kind == "learns":
            return self.learn.names[self.trace[entry.step].rows[entry.i]]
        return self.t(f"workbook.learn.{entry.kind}")

    def _message(self, entry: Entry, row: Cells) -> str:
        if entry.kind != "target":
            return self.refusals.entry(entry, row.own)
        start = self.start.sheet
        joined = write_joined(self.first, self.start.tables_row + 2)
        return self.refusals.word(row.own, row.delivered, [on(start, cell) for cell in joined])

    def judged(self, columns: Columns, row: Cells, message: str, name: str) -> None:
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
