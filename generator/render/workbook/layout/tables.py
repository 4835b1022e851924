"""Steps side by side in tables that share their row labels, and lists of single numbers."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from generator.engine.ops.copying import Append, Concat, ConcatIfOn, Copy, Gather, SelectRow
from generator.engine.trace import Step
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.canvas import SPINE, Canvas
from generator.render.workbook.layout.draw_layout import (
    CHARTED,
    ROWS_OF_SHARES,
    beside,
    rows_of_chart,
)
from generator.render.workbook.layout.layout import Band, HeadingLine, TabLabel, box_for
from generator.steps import kind_of, shaped_as

WIDEST = 18  # columns of numbers that fit on one screen and one page beside the labels
WIDEST_WORDS = 12  # more words than this stand below, not beside each other

_COPIES = (Append, Concat, ConcatIfOn, Copy, Gather, SelectRow)


class TableStep(NamedTuple):
    """A step in a table, perhaps turned."""

    step: Step
    turned: bool

    @property
    def height(self) -> int:
        """Rows on the sheet."""
        return self.step.shape[1] if self.turned else self.step.shape[0]

    @property
    def width(self) -> int:
        """Columns on the sheet."""
        return self.step.shape[0] if self.turned else self.step.shape[1]


class TableBands:
    """Collects steps that belong together and writes them as one band when others come."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.columns: list[TableStep] = []
        self.echoed: set[str] = set()

    def add(self, step: Step) -> None:
        """The next step, with the inputs from other tabs that a reader wants beside it."""
        column = TableStep(step, self._turned(step))
        if self.columns and not self._joins(column):
            self.flush()
        for source in self._foreign(step):
            self.echoed.add(source.name)
            beside = TableStep(source, False)
            fits = _width([*self.columns, beside, column]) <= WIDEST
            if source.shape[0] == step.shape[0] and not column.turned and fits:
                self.columns.append(beside)
            else:
                self.echo(source)
        self.columns.append(column)

    def flush(self) -> None:
        """Write what was collected as one band."""
        columns, self.columns = self.columns, []
        if columns and kind_of(columns[0].step.name).shown.band == "labels":
            self.words(columns)
        elif columns:
            canvas = self.canvas
            below = [canvas.own("output.sum")] if _named(columns, "output.exp") else []
            band = canvas.open(canvas.homes(*(c.step for c in columns), *below))
            self._side_by_side(band, columns, SPINE + 1, band.bottom + 1)
            canvas.spine(band, columns[0].step, band.tags[band.boxes[0]][0] + 2, columns[0].turned)
            self._feet(band)
            canvas.close(band)
            self._focus_shares(columns)

    def tempered(self, step: Step) -> None:
        """One word per row, one temperature per column; the temperatures stand above."""
        canvas, temperature = self.canvas, self.canvas.trace["temperature"]
        largest = canvas.own("output.max")
        band = canvas.open(canvas.homes(step, largest))
        top = band.bottom + 1
        canvas.place(band, temperature, top + 1, SPINE + 1, top, turned=True)
        canvas.place(band, step, top + 3, SPINE + 1, top + 2, turned=True)
        canvas.spine(band, step, top + 3, turned=True)
        band.labels.append(TabLabel(top + 1, SPINE, "T"))
        if largest:
            foot = canvas.place(band, largest, band.bottom + 1, SPINE + 1, turned=True)
            band.labels.append(TabLabel(foot.row, SPINE, "max"))
        canvas.close(band)

    def echo(self, step: Step) -> None:
        """A band of its own that repeats a step of another tab."""
        canvas = self.canvas
        band = canvas.open([])
        top = band.bottom + 1
        canvas.place(band, step, top + 2, SPINE + 1, top, top + 1)
        canvas.spine(band, step, top + 2)
        canvas.here.add(step.name)
        canvas.close(band)

    def line(self, step: Step) -> None:
        """A line of a list: name, numbers, formula; consecutive lines form one band."""
        canvas = self.canvas
        last = canvas.done[-1] if canvas.done else None
        asked = step.name in canvas.asked
        if last is None or not last.rows or last.help_row or asked:
            last = Band(canvas.row, canvas.row - 1, rows=True)
            canvas.done.append(last)
        home = step.name in canvas.mine
        row = last.bottom + 1
        last.boxes.append(box_for(step, canvas.sheet, row, SPINE + 1, False, home))
        if home:
            canvas.head(last, step)
        else:
            last.lines.append(HeadingLine(row, step.name, ""))
            last.bottom = row
        if asked:
            last.bottom += 1
            last.help_row = last.bottom
        canvas.row = last.bottom + 2
        canvas.here.add(step.name)

    def words(self, columns: Sequence[TableStep]) -> None:
        """Words stand in the column of the labels, their numbers beside them."""
        canvas, words = self.canvas, columns[0].step
        band = canvas.open(canvas.homes(*(c.step for c in columns)))
        top = band.bottom + 1
        canvas.place(band, words, top + 2, SPINE, top, top + 1)
        first = 0 if words.name == "vocabulary.words" else 1
        band.labels += [
            TabLabel(top + 2 + k, SPINE + 1, str(k + first)) for k in range(words.shape[0])
        ]
        self._side_by_side(band, columns[1:], SPINE + 2, top)
        canvas.close(band)
        if words.name != "vocabulary.words" and words.kind == "computed":
            table = ("vocabulary.words", "vocabulary.embedding")
            self.words([TableStep(canvas.trace[name], False) for name in table])

    def _side_by_side(
        self, band: Band, columns: Sequence[TableStep], column: int, top: int
    ) -> None:
        """The boxes with an empty column between them, except between single columns."""
        before = 0
        for entry in columns:
            column += before > 1 or (before == 1 and entry.width > 1)
            self.canvas.place(band, entry.step, top + 2, column, top, top + 1, entry.turned)
            column, before = column + entry.width, entry.width

    def _feet(self, band: Band) -> None:
        """Sums of turned exponentials stand below them, charts beside what they show."""
        for over in [box for box in band.boxes if box.home]:
            kind = kind_of(over.step)
            if kind.name == "output.exp" and (total := self.canvas.own("output.sum")):
                foot = self.canvas.place(band, total, over.bottom + 1, over.column, turned=True)
                band.labels.append(TabLabel(foot.row, SPINE, "Σ"))
            if kind.shown.chart in CHARTED:
                rows = rows_of_chart(kind.shown.chart, over)
                below = 0 if beside(over) else band.bottom + 1 - over.row
                band.bottom = max(band.bottom, over.row + below + rows)

    def _focus_shares(self, columns: Sequence[TableStep]) -> None:
        """Below the attention shares those of the focus token once more, and room for bars."""
        canvas = self.canvas
        mine = [column.step for column in columns if column.step.name in canvas.mine]
        shares = [step for step in mine if step.place.kind == "weights"]
        if not shares or not canvas.by_token(shares[0])[0]:
            return
        band = Band(canvas.row, canvas.row + 1 + ROWS_OF_SHARES)
        n = shares[0].shape[1]
        band.picked = Box(shares[0].name, canvas.sheet, band.top + 1, SPINE + 1, 1, n, home=False)
        band.labels = [canvas.token(band.top, SPINE + 1 + k, k, across=True) for k in range(n)]
        band.labels.append(TabLabel(band.top + 1, SPINE, "focus shares"))
        canvas.close(band)

    def _turned(self, step: Step) -> bool:
        kind, words = shaped_as(step.name), self.canvas.words
        if not kind.by_word or kind.rows == "tokens":
            return kind.by_word and words > WIDEST_WORDS
        return step.columns != ("",) and step.shape[1] == words

    def _joins(self, column: TableStep) -> bool:
        before = self.columns[-1]
        together = (
            _group(before) == _group(column) != ""
            and before.height == column.height
            and before.turned == column.turned
        )
        return together and _width([*self.columns, column]) <= WIDEST

    def _foreign(self, step: Step) -> list[Step]:
        """The numbers from other tabs that the step is computed from and that are not seen yet."""
        if isinstance(step.op, _COPIES):
            return []
        known = self.canvas.here | self.canvas.mine | self.echoed
        sources = [self.canvas.trace[name] for name in step.inputs if name not in known]
        return [source for source in sources if not source.text]


def _named(columns: Sequence[TableStep], name: str) -> bool:
    return any(column.step.place.kind == name for column in columns)


def _width(columns: Sequence[TableStep]) -> int:
    gaps = sum(a.width > 1 or b.width > 1 for a, b in pairwise(columns))
    return sum(column.width for column in columns) + gaps


def _group(column: TableStep) -> str:
    return kind_of(column.step.name).shown.group
