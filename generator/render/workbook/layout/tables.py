"""The bands of a tab: lists, products, steps side by side in tables that share their labels."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from generator.engine.ops.copying import Append, Concat, ConcatIfOn, Copy, Gather, SelectRow
from generator.engine.ops.learning import MatTMul
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.trace import Step
from generator.render.workbook.layout.box import CHARTED, ROWS_OF_SHARES, Box
from generator.render.workbook.layout.canvas import SPINE, Canvas, in_product
from generator.render.workbook.layout.layout import Band, HeadingLine, Sheet
from generator.render.workbook.layout.tabs import by_token, is_control, way_back
from generator.steps import kind_of, shaped_as

WIDEST = 18  # columns of numbers that fit on one screen and one page beside the labels
WIDEST_WORDS = 12  # more words than this stand below, not beside each other
MOST_ON_TOP = 20  # words whose probabilities stand on the first screen
FACTORED = MatMul | MatMulT | MatTMul  # on the way back each is shown with both factors

_COPIES = (Append, Concat, ConcatIfOn, Copy, Gather, SelectRow)


class TableStep(NamedTuple):
    """A step in a table, perhaps turned; or an `echo` of one that is at home elsewhere."""

    step: Step
    turned: bool = False
    echo: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns on the sheet."""
        return self.step.shape[::-1] if self.turned else self.step.shape

    @property
    def group(self) -> str:
        """What can stand beside each other."""
        return kind_of(self.step.name).shown.group


class StageBands(Canvas):
    """Goes through the steps of one tab in order and gives each its box.

    Those that belong to one table are collected and placed as one band when others come.
    """

    def sheet(self) -> Sheet:
        """The bands of the tab, from top to bottom."""
        self.columns, self.echoed, self.charted = list[TableStep](), set[str](), set[str]()
        # those at home where they learn are repeated, but for what a product shows anyway
        repeated = {step.name for step in self.tab.moved if not in_product(step)}
        in_order = [step for step in self.trace if step.name in self.mine | repeated]
        steps = in_order if repeated else self.tab.steps
        self.steps = steps = sorted(steps, key=self._order)
        self.factors = {
            name
            for step in steps
            if isinstance(step.op, MatMul)
            for name, side in zip(step.inputs, ("left", "right", "right"), strict=False)
            if name in self.mine and kind_of(name).shown.factor == side
        }
        if self.tab.kind == "back":  # room for what flows where
            parts = way_back(self.trace, self.texts.catalogue, self.tab)
            self.band = Band(self.row, self.row + len(parts) + 1)
            self.close()
        self._on_top()
        self._chances_on_top()
        while steps:
            steps = steps[self._next(steps) :]
        self._flush()
        self._controls(before_sampling=True)
        return super().sheet()

    def _order(self, step: Step) -> int:
        """As its kind says; below 0 on its own tab only, of the input where nothing is asked."""
        kind = kind_of(step.name)
        early = kind.tab == self.tab.kind and not (self.asked and kind.name == "input")
        return kind.shown.order if early else max(kind.shown.order, 0)

    def _controls(self, before_sampling: bool) -> None:
        """Single numbers and switches of other tabs that this one computes with."""
        names = dict.fromkeys(x for step in self.steps for x in step.inputs if x not in self.mine)
        for step in map(self.trace.__getitem__, names):
            early = kind_of(step.name).chapter != "choice"
            if early != before_sampling or step.name == "temperature":
                continue
            if step.shape == (1, 1):
                self._line(step)
            elif is_control(step.name):
                self._echo(step)

    def _next(self, steps: Sequence[Step]) -> int:
        """Place the first of the steps; gives how many are dealt with."""
        step, band = steps[0], kind_of(steps[0].name).shown.band
        if step.name in self.factors | (self.echoed - self.mine) or band == "beside another":
            return 1
        product = isinstance(step.op, FACTORED if step.place.of else MatMul)
        if band in ("table", "labels") and not product:
            self._add(step)
            return 1
        self._flush()
        if step.place.of and isinstance(step.op, FACTORED):
            # what carries a gradient back: W turned, or the numbers that came in
            right, left = isinstance(step.op, MatMulT), isinstance(step.op, MatTMul)
            self.products([step], turned=right, columns=left)
            return 1
        if isinstance(step.op, MatMul):
            return self._abreast(steps)
        match band:
            case "sampling":
                self._controls(before_sampling=False)
                self._add(step)
            case "scores":
                self.products([step], turned=True)
            case "logits":
                self.logits(step)
            case "tempered":
                self._tempered(step)
            case "line":
                self._line(step)
        return 1

    def _abreast(self, steps: Sequence[Step]) -> int:
        """As many products of the same left factor as stand side by side on one screen."""
        left = steps[0].inputs[0]
        width, taken = self.trace[left].shape[1], 0
        group: list[Step] = []
        for k, step in enumerate(steps, start=1):
            if isinstance(step.op, MatMul) and step.inputs[0] == left:
                width += 1 + step.shape[1]
                if group and width > WIDEST:
                    break
                group.append(step)
                taken = k
            elif step.name not in self.factors:
                break
        self.products(group)
        return taken

    def _add(self, step: Step) -> None:
        """The next step, with the inputs from other tabs that a reader wants beside it."""
        kind = shaped_as(step.name)
        turned = kind.by_word and self.words > WIDEST_WORDS
        if kind.by_word and kind.rows != "tokens":
            turned = step.columns != ("",) and step.shape[1] == self.words
        column = TableStep(step, turned)
        if self.columns and not self._joins(column):
            self._flush()
        later = {"position"} if step.place.kind == "input" else set()
        known = self.here | (self.mine - later) | self.echoed
        names = step.inputs if not isinstance(step.op, _COPIES) else ()
        sources = [self.trace[name] for name in names if name not in known]
        for source in [x for x in sources if not (x.text or x.place.switch)]:
            self.echoed.add(source.name)
            beside = TableStep(source, turned, echo=True)
            fits = _width([*self.columns, beside, column]) <= WIDEST
            if beside.size[0] == column.size[0] and fits:
                self.columns.append(beside)
            else:
                self._echo(source)
        self.columns.append(column)

    def _joins(self, column: TableStep) -> bool:
        before = self.columns[-1]
        alike = before.size[0] == column.size[0] and before.turned == column.turned
        together = before.group == column.group != "" and alike
        return together and _width([*self.columns, column]) <= WIDEST

    def _flush(self) -> None:
        """Place what was collected as one band."""
        columns, self.columns = self.columns, []
        if columns and kind_of(columns[0].step.name).shown.band == "labels":
            self._labels(columns)
        elif columns:
            exp = any(column.step.place.kind == "output.exp" for column in columns)
            below = [self.own("output.sum")] if exp else []
            steps = (column.step for column in columns if not column.echo)
            top = self.open(self.homes(*steps, *below))
            self._side_by_side(columns, SPINE + 1, top)
            self.spine(columns[0].step, top + 2, columns[0].turned)
            for over in [box for box in self.band.boxes if box.home]:
                self._foot(over)
            self.close()
            self._focus_shares(columns)

    def _tempered(self, step: Step) -> None:
        """One word per row, one temperature per column; the temperatures stand above."""
        largest = self.own("output.max")
        top = self.open(self.homes(step, largest))
        self.place(self.trace["temperature"], (top + 1, SPINE + 1), top, turned=True)
        self.place(step, (top + 3, SPINE + 1), top + 2, turned=True)
        self.spine(step, top + 3, turned=True)
        self.label((top + 1, SPINE), "T")
        if largest:
            foot = self.place(largest, (self.band.bottom + 1, SPINE + 1), turned=True)
            self.label((foot.row, SPINE), "max")
        self.close()

    def _echo(self, step: Step, turned: bool = False) -> Box:
        """A band of its own that repeats a step of another tab, or turned one of further below."""
        top = self.open([])
        box = self.place(step, (top + 2, SPINE + 1), top, top + 1, turned)
        self.spine(step, top + 2, turned)
        self.here |= {step.name} - self.mine
        self.close()
        return box

    def _line(self, step: Step) -> None:
        """A line of a list: name, numbers, formula; consecutive lines form one band."""
        last = self.done[-1] if self.done else None
        if last is None or not last.rows or last.help_row or step.name in self.asked:
            last = Band(self.row, self.row - 1, rows=True)
            self.done.append(last)
        self.band, row, home = last, last.bottom + 1, step.name in self.mine
        if home:
            self.head(step)
        else:
            last.lines.append(HeadingLine(row, step.name, ""))
            last.bottom = row
        self.box(step, (row, SPINE + 1), home=home)
        self.row = self.asks_for([step]) + 1
        self.here.add(step.name)

    def _labels(self, columns: Sequence[TableStep]) -> None:
        """Words stand in the column of the labels, their numbers beside them."""
        words = columns[0].step
        top = self.open(self.homes(*(column.step for column in columns)))
        self.place(words, (top + 2, SPINE), top, top + 1)
        vocabulary = words.name == "vocabulary.words"
        for k in range(words.shape[0]):
            self.label((top + 2 + k, SPINE + 1), str(k + (not vocabulary)))
        self._side_by_side(columns[1:], SPINE + 2, top)
        self.close()
        if not vocabulary and words.kind == "computed":
            table = ("vocabulary.words", "vocabulary.embedding")
            self._labels([TableStep(self.trace[name]) for name in table])

    def _side_by_side(self, columns: Sequence[TableStep], column: int, top: int) -> None:
        """The boxes with an empty column between them, except between single columns."""
        before = 0
        for entry in columns:
            column += before > 1 or (before == 1 and entry.size[1] > 1)
            self.place(entry.step, (top + 2, column), top, top + 1, entry.turned)
            before = entry.size[1]
            column += before

    def _foot(self, over: Box) -> None:
        """Sums of turned exponentials stand below them, charts beside what they show."""
        kind = kind_of(over.step)
        if kind.name == "output.exp" and (total := self.own("output.sum")):
            foot = self.place(total, (over.bottom + 1, over.column), turned=True)
            self.label((foot.row, SPINE), "Σ")
        if kind.shown.chart in CHARTED and over.step not in self.charted:
            self._chart(over)

    def _chart(self, over: Box) -> None:
        """Room for the chart of a box: beside it, or below the band."""
        self.charted.add(over.step)
        self.band.charted = over
        first = over.row if over.beside else self.band.bottom + 1
        end = first + over.rows_of_chart(kind_of(over.step).shown.chart)
        self.band.bottom = max(self.band.bottom, end)

    def _on_top(self) -> None:
        """Above of all, what a head is about: the focus token's own row of the shares."""
        for step in self.tab.steps if self.tab.kind == "head" else ():
            if step.place.kind == "weights" and by_token(step, self.tokens)[0]:
                self.band = Band(self.row, self.row + 1)
                row, wide = self.row + 1, step.shape[1]
                box = Box(step.name, self.tab.title, row, SPINE + 1, 1, wide, home=False)
                self.band.picked = (box,)
                self.label((row, SPINE), "focus weights")
                self.heads(box, step, self.row)
                self.close()

    def _chances_on_top(self) -> None:
        """On a solved tab of the output what comes of it, with its chart, where it fits."""
        step = self.own("output.probabilities")
        if self.tab.kind == "output" and not self.asked and step and step.shape[1] <= MOST_ON_TOP:
            box = self._echo(step, turned=True)
            self._chart(box)
            self.row = self.band.bottom + 2

    def _focus_shares(self, columns: Sequence[TableStep]) -> None:
        """Below the attention shares room for bars of those of the focus token."""
        shown = [box for band in self.done for box in band.picked]
        names = {column.step.name for column in columns if column.step.place.kind == "weights"}
        for box in shown:
            if box.step in names:
                self.band = Band(self.row, self.row + ROWS_OF_SHARES - 1, charted=box)
                self.close()


def _width(columns: Sequence[TableStep]) -> int:
    widths = [column.size[1] for column in columns]
    return sum(widths) + sum(a > 1 or b > 1 for a, b in pairwise(widths))
