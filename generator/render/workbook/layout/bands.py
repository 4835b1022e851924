"""Lays out a workbook: tabs, bands and boxes for every step of a trace.

Here too are the tab of byte-pair encoding, with the corpus, each round of training, a new word;
and the tab Learn, with what is chosen and the loss above, below old weight, gradient, new weight.
"""

import re
from collections.abc import Mapping, Sequence, Set

from generator.engine.place import step_prefix
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.canvas import SPINE, Canvas
from generator.render.workbook.layout.glance import plan_glance
from generator.render.workbook.layout.layout import Band, HeadingLine, Layout, Sheet, TabLabel
from generator.render.workbook.layout.tables import StageBands
from generator.render.workbook.layout.tabs import tabs, trainings
from generator.render.workbook.layout.texts import LETTERS, TabTexts
from generator.render.workbook.layout.whole import plan_whole

LONG = ".pairs"  # a formula of a line for each word: read in its cell
COUNTS, ENCODING = "bpe.counts", "bpe.encoding"
HEAD_ROWS = 4  # above the weights: heading, how to go on, the formula, names of the strips


def lay_out(trace: Trace, catalogue: Catalogue, asked: Set[Cell] = frozenset()) -> Layout:
    """Tabs, bands and boxes for every step of a trace.

    A band with an `asked` cell has one heading row more, its `help_row`; the tab at a glance,
    which would tell what is asked, is then left out.
    """
    catalogue = checked_catalogue(catalogue, trace)  # a tab is called as the model's norm is
    texts = TabTexts(trace, catalogue)
    names = {cell[0] for cell in asked}
    stages = tabs(trace, catalogue)
    start = plan.StartLayout(trace, catalogue, solved=not asked)
    kinds: dict[str, type[Canvas]] = {"bpe": BpeBands}
    kinds |= {"learn": LearnBands} if start.learn else {}
    canvases = (kinds.get(tab.kind, StageBands)(start, texts, names, tab) for tab in stages)
    sheets = tuple(canvas.sheet() for canvas in canvases)
    glance = None if asked else plan_glance(trace, stages, catalogue)
    whole = None if asked else plan_whole(trace, stages, catalogue)
    return Layout(trace, catalogue, texts, start, sheets, glance, whole)


class BpeBands(Canvas):
    """The tab of byte-pair encoding; all live."""

    def sheet(self) -> Sheet:
        """The bands of the tab, from top to bottom."""
        self._beside(["bpe.words", COUNTS], {"bpe.words": 0, COUNTS: 1})
        self._lengths("bpe")
        rounds = sum(name.endswith(".winner") for name in self.mine)
        for m in range(1, rounds + 1):
            self._pairs(m)
            self._lengths(f"bpe.merge{m}")
        self._encoding(rounds)
        return super().sheet()

    def _beside(self, names: Sequence[str], columns: Mapping[str, int]) -> None:
        """A band that explains some steps; what is so many columns from the left, turned or not."""
        top = self._begin(names)
        for name, column in columns.items():
            turned = name == COUNTS or name.endswith(".sizes")
            self.place(self.trace[name], (top + 1, SPINE + column), top, turned=turned)
        self.close()

    def _lengths(self, at: str) -> None:
        """The corpus in pieces, how many they are, and all in all."""
        corpus, sizes, length = names = [f"{at}.{part}" for part in ("corpus", "sizes", "length")]
        self._beside(names, {corpus: 0, sizes: 1, COUNTS: 2, length: 4})

    def _pairs(self, m: int) -> None:
        """The pairs at their places, beside them counts, the best of each word, the winner."""
        parts = ("places", "pairs", "most", "best", "winner")
        names = [f"bpe.merge{m}.{part}" for part in parts]
        top, column = self._begin(names), SPINE + 1
        before = f"bpe.merge{m - 1}" if m > 1 else "bpe"
        self.place(self.trace[f"{before}.corpus"], (top + 1, SPINE))
        for name, gap in zip(names, (1, 1, 0, 1, 0), strict=True):
            step = self.trace[name]
            self.place(step, (top + 1, column), top)
            column += step.shape[1] + gap
        self.close()

    def _encoding(self, rounds: int) -> None:
        """The new word, rule by rule below each other; its letters and tokens beside it."""
        rules = [f"{ENCODING}.rule{m}" for m in range(1, rounds + 1)]
        listed = [f"{ENCODING}.{part}" for part in ("word", "spelled")]
        counted = [f"{ENCODING}.{part}" for part in ("letters", "tokens", "ratio")]
        top = self._begin((*listed, rules[0], *counted))
        for row, name in enumerate((*listed, *rules), start=top + 1):
            self.box(self.trace[name], (row, SPINE), home=True)
            if name in rules:
                winner = f"bpe.merge{rules.index(name) + 1}.winner"
                self.box(self.trace[winner], (row, SPINE + 1))
        for k, name in enumerate(counted):
            self.place(self.trace[name], (top + 2, SPINE + 3 + 2 * k), top + 1)
        self.close()

    def _begin(self, names: Sequence[str]) -> int:
        """A band with a heading line for each step; gives the row below.

        Formulas in functions stand there but in later rounds, where they are known.
        """
        self.band = Band(self.row, self.row - 1, {*names})
        known = re.match(r"bpe\.merge(?!1\.)", names[0])
        for letter, name in zip(LETTERS, names, strict=False):
            if known or name.endswith(LONG):
                self.band.bottom += 1
                self.band.lines.append(HeadingLine(self.band.bottom, name, letter))
            else:
                self.head(self.trace[name], letter)
        return self.asks_for([self.trace[name] for name in names])


class LearnBands(Canvas):
    """The tab of one step of training; what is chosen stands on the first one only."""

    def sheet(self) -> Sheet:
        """What is chosen, then each weight in three strips."""
        if self.start.learn is None:
            raise ValueError("found a tab of training without what is chosen there")
        if self.tab.step == 1:
            self._chosen(self.start.learn)
        self.done.append(Band(self.row, self.row + HEAD_ROWS - 1))
        self.row += HEAD_ROWS
        top = self.row + 1  # of the first labels above columns, under the name of the weight
        for name, title in self.start.learn.titles.items():
            self._weight(name, title)
        return Sheet(self.tab, tuple(self.done), plan.strips(self.trace, top, self.done[-1].bottom))

    def _chosen(self, learn: plan.LearnLayout) -> None:
        """A row for each entry; beside them P and loss of each pass, and their curve."""
        passes = trainings(self.trace) + 1
        self.band = Band(plan.FIRST_ROW, learn.top + learn.rows - 1)
        for k in range(passes):
            self.label((learn.top + k, learn.passes), f"pass{k + 1}")
            losses = {learn.chance: "loss.probability", learn.loss: "loss.cross_entropy"}
            for column, name in losses.items():
                step = self.trace.steps.get(f"{step_prefix(k + 1)}{name}")
                if step:
                    self.box(step, (learn.top + k, column))
        self.close()

    def _weight(self, name: str, title: str) -> None:
        """A weight as it was, its gradient, and as it becomes, in one shape."""
        weight, turned = self.trace[name], plan.lying(self.trace, name)
        new = self.trace[f"{step_prefix(self.tab.step)}update.{name}"]
        asked = new.name in self.asked
        if asked:
            self.open([new])
        else:
            self.band = Band(self.row, self.row)
        row = self.band.bottom + 2
        shown = (self.trace[new.inputs[0]], self.trace[new.inputs[2]], new)
        for step, strip in zip(shown, plan.strips(self.trace, row, row), strict=True):
            home = step.name in self.mine and step.name not in self.here
            box = self.box(step, (row, strip.column), turned, home)
            self.heads(box, weight, row - 1)
        if not asked:
            self.band.labels.append(TabLabel(self.band.top, SPINE, title, heading=True))
        self.spine(weight, row, turned)
        self.done.append(self.band)
        self.row = self.band.bottom + 1
