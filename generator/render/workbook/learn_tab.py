"""What stands on a tab Learn around its tables: choices, headings, how to go on, shades."""

from itertools import groupby, product

from generator.engine.evaluate import evaluate
from generator.engine.expr import Bin, Num, Ref, Round
from generator.engine.loss import TARGET
from generator.engine.place import step_prefix
from generator.render.workbook.charts import Charts
from generator.render.workbook.draft import Draft
from generator.render.workbook.entries import EntryPen
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.box import Box, on, quoted
from generator.render.workbook.layout.layout import WORDS_COLUMN, Sheet
from generator.render.workbook.layout.tabs import TRAINING, learning, trainings, way_back
from generator.render.workbook.pen import TabPen
from generator.render.workbook.styles import slopes

CHANCE, LOSS = "probability", "cross_entropy"
HEADING, HOW, FORMULA, NAMES = 4, 3, 2, 1  # rows above the first row of the strips' labels


class LearnTab(TabPen):
    """The tab of one step of training; what is chosen, and the losses, stand on the first one.

    Also the tab of a pass with the new weights, where as here stands what has been learned; and on
    the way back the map of what flows where.
    """

    def write(self) -> None:
        """What stands in its cells."""
        if self.sheet.strips:
            learn, first = self.start.learn, self.sheet.tab.step == 1
            if first and learn:
                ChoiceRows(self.draft, learn).write()
            self._heading()
            if not self.asks and first:
                self._unlock()
        if self.sheet.tab.kind == "back":
            self._way_back()
        else:
            self._gain()

    def _way_back(self) -> None:
        """Above of all what flows where: from the loss part by part, each with what happens."""
        first, sheets = plan.FIRST_ROW, self.layout.sheets
        self.band(first, (1, self.grid.right), self.t("workbook.back.way"))
        kinds = {sheet.tab.title: sheet.tab.kind for sheet in sheets}
        tops = {x.step: band.top for one in sheets for band in one.bands for x in band.lines}
        way = {self.t("workbook.learn.head.ce"): f"{step_prefix(self.sheet.tab.step)}loss.{LOSS}"}
        way |= way_back(self.trace, self.draft.catalogue, self.sheet.tab)
        for row, (title, step) in enumerate(way.items(), first + 1):
            target = self.layout.homes[step].sheet, f"A{tops[step]}"
            self.link((row, 1), f"{title} ↓", target)
            self.put((row, 2), self.t(f"workbook.back.{kinds.get(title, 'loss')}"), indent=1)

    def _heading(self) -> None:
        """What the strips are, how to go on without a macro, the first formula."""
        strips, above = self.sheet.strips, self.sheet.strips[0].row - 1
        self.band(above - HEADING, (1, self.grid.right), self.t("workbook.learn.weights"))
        if not self.asks:
            first = next(sheet for sheet in self.layout.sheets if sheet.strips)
            old, title, new = first.strips[0].cell(0, 0), first.tab.title, strips[2].span()
            self.put((above - HOW, 1), self.t("workbook.learn.on", new=new, old=old, tab=title))
        if not any(step.name in self.exercise.steps for step in self.sheet.tab.steps):
            name = f"{step_prefix(self.sheet.tab.step)}update.{learning(self.trace)[0]}"
            formula = self.formula((name, 0, 0), self.trace.cell(name, 0, 0))
            text = f"{self.t('formula.update')}    {formula}"  # in an exercise it would be a hint
            self.put((above - FORMULA, 1), text, "functions")
        for strip, key in zip(strips, plan.STRIPS, strict=True):
            self.put((above - NAMES, strip.column), self.t(f"workbook.learn.{key}"), "tag")

    def _unlock(self) -> None:
        """The strip of given weights takes what is copied, labels and empty cells included."""
        old = self.sheet.strips[0]
        for spot in product(range(old.row, old.bottom + 1), range(old.column, old.right + 1)):
            self.lock(spot, locked=False)

    def dress(self) -> None:
        """Gradients shaded, darker the larger, in one colour above 0 and another below.

        On the first tab the curve of the losses, if they are several.
        """
        if not self.sheet.strips:
            return
        slope, passes = self.sheet.strips[1], trainings(self.trace) + 1
        self.marks.add(slope.span(), slopes(slope.span(fixed=True)))
        if self.sheet.tab.step == 1 and passes > 2 and self.start.learn:
            learn = self.start.learn
            losses = Box("", self.title, learn.top, learn.loss, passes, 1)
            Charts(self.draft, self.sheet).losses(losses, learn.chart)

    # What has been learned so far, in the line of the title ---------------------------------------

    def _gain(self) -> None:
        """P of the word before and after, and by how much; in an exercise once both are there.

        On the first tab Learn it is that of the last pass, on another one that of its own step; on
        the tab of a pass that of this pass. Of several words there is no P but a mean loss.
        """
        kind, step = self.sheet.tab.kind, self.sheet.tab.step
        first, last = (step, step + 1) if kind == "learn" else (1, step)
        last = trainings(self.trace) + 1 if kind == "learn" and step == 1 else last
        one = "loss.probability" in self.trace
        passes = [f"{step_prefix(k)}loss.{CHANCE if one else LOSS}" for k in (first, last)]
        if not {*passes} <= {*self.trace.steps}:
            return
        row, column = 1, WORDS_COLUMN
        for k, step_name in enumerate(passes):
            cell, number = self.draft.cell(step_name), self.layout.looks[step_name].number
            shown, spot = self.draft.shown(step_name, 0, 0), (row, column + 1 + 2 * k)
            self.live(spot, f'IF({cell}="","",{cell})', shown, "result", number, "center")
        self.put((row, column + 2), "→", "arrow", align="center")
        label = (quoted(says := self.t("workbook.learn.gain.loss")), says)
        if one:
            word = self.draft.cell(TARGET), self.trace[TARGET].values[0, 0]
            label = self.phrase("workbook.learn.gain", word=word)
            self._points((row, column + 4), passes)
        self.live((row, column), *label, "label", align="right")

    def _points(self, spot: tuple[int, int], passes: list[str]) -> None:
        """The difference in percentage points, a whole number with its sign."""
        before, after = (Ref(name, 0, 0) for name in passes)
        points = Round(Bin("*", Num(100), Bin("-", after, before)), 0)
        number = self.draft.excel(Box("", self.title, *spot, 1, 1)).write(points)
        hidden = any(self.exercise.hides(name, 0, 0) for name in passes)
        found = "" if hidden else float(evaluate(points, lambda name: self.trace[name].values))
        formula = f'IF(COUNT({",".join(map(self.draft.cell, passes))})<2,"",{number})'
        shown = f'0" {self.t("workbook.learn.gain.points")}"'
        self.live(spot, formula, found, "strong", f"+{shown};−{shown};{shown}", "left")


def tabs_of(draft: Draft, sheet: Sheet) -> list[LearnTab]:
    """The pen for what a tab of training has besides; none for other tabs."""
    return [LearnTab(draft, sheet)] if sheet.tab.kind in TRAINING else []


class ChoiceRows(EntryPen):
    """What is chosen: the next word, the learning rate, which weights learn; checked on Start."""

    def __init__(self, draft: Draft, learn: plan.LearnLayout) -> None:
        super().__init__(draft, learn.sheet)
        self.learn, self.running = learn, EntryPen(draft)

    def write(self) -> None:
        """The table of what is chosen, and the heading of that of the losses."""
        learn = self.learn
        self.band(plan.FIRST_ROW, (1, learn.loss), self.t("workbook.learn.chosen"))
        self.put((plan.FIRST_ROW, learn.passes - 1), self.t("workbook.learn.loss"), "band")
        self.titles(plan.FIRST_ROW + 1, plan.LEARNING, (1, plan.LEARNING.message))
        one = "loss.probability" in self.trace  # of several words there is no one P
        titles = {**({learn.chance: "chance"} if one else {}), learn.loss: "ce"}
        self.heads(plan.FIRST_ROW + 1, titles, "workbook.learn.head", (learn.passes, learn.loss))
        row, columns = learn.switches_row, learn.switched
        if row:
            across = columns.name, columns.force
            self.band(row, across, self.t("workbook.learn.learns"))
            self.titles(row + 1, columns._replace(message=0), across)
        for entry in learn.entries:
            self._row(entry)
        for table, entries in groupby(learn.entries, key=lambda entry: entry.columns):
            self.colour(table, [*entries])
        self.choices(learn.entries)

    def _row(self, entry: plan.ControlEntry) -> None:
        title = self.t(f"workbook.learn.{entry.kind}") if entry.kind != "learns" else ""
        title = title or self.learn.names[self.trace[entry.step].rows[entry.i]]
        self.put((entry.row, entry.columns.name), title, indent=1)
        if entry.kind == "target":
            joined = [on(self.start.sheet, cell) for cell in self.running.joined()]
            message = self.no_word(entry.cells, joined)
        else:
            message = self.message(entry)
        self.entry(entry, message, quoted(title))
