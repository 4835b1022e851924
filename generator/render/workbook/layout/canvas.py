"""A tab while it is being laid out: opens bands, places boxes, labels their rows and columns."""

from collections.abc import Sequence, Set

from generator.engine.place import step_prefix
from generator.engine.trace import Step, Trace
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.layout import FIRST_ROW, Band, HeadingLine, TabLabel, box_for
from generator.render.workbook.layout.tabs import Tab, by_token, tokens_of
from generator.render.workbook.layout.texts import TabTexts
from generator.steps import StepKind, kind_of, letter_of, shaped_as
from generator.steps.kind import TabStyle

SPINE = 1  # the column of the row labels
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Canvas:
    """The bands of one tab so far, and which steps can already be seen on it."""

    def __init__(self, trace: Trace, tab: Tab, texts: TabTexts, asked: Set[str]) -> None:
        self.trace = trace
        self.tab = tab
        self.sheet = tab.title
        self.steps = _with_moved(trace, tab)
        self.mine = {step.name for step in tab.steps}
        self.asked = asked
        self.texts = texts
        self.row = FIRST_ROW
        self.done: list[Band] = []
        self.here: set[str] = set()
        self.tokens = tokens_of(trace, tab.prefix)
        self.words = len(trace["vocabulary.words"].rows) if "vocabulary.words" in trace else 0

    def own(self, name: str) -> Step | None:
        """The step of that name in the tab's round."""
        steps, prefix = self.trace.steps, step_prefix(self.tab.step) or self.tab.prefix
        return steps.get(prefix + name) or steps.get(self.tab.prefix + name)

    def open(self, steps: Sequence[Step]) -> Band:
        """A band that starts with heading lines for each of the steps."""
        band = Band(self.row, self.row - 1)
        for k, step in enumerate(steps):
            letter = LETTERS[k % len(LETTERS)] if len(steps) > 1 else ""
            self.head(band, step, letter)
        if any(step.name in self.asked for step in steps):
            band.bottom += 1
            band.help_row = band.bottom
        return band

    def head(self, band: Band, step: Step, letter: str = "") -> HeadingLine:
        """The heading line of a step below what the band has, with the rows for its formulas."""
        row = band.bottom + 1
        number, below = self.texts.rows(step, self.tokens)
        functions = tuple(range(row + 1, row + 1 + number))
        live = below and row + below
        band.lines.append(HeadingLine(row, step.name, letter, functions, live))
        band.bottom = max(row, live, *functions)
        return band.lines[-1]

    def close(self, band: Band) -> None:
        """The band is complete; the next one starts below, after an empty row."""
        self.done.append(band)
        self.row = band.bottom + 2

    def homes(self, *steps: Step | None) -> list[Step]:
        """Those of the steps that belong to this tab and have no place yet."""
        return [s for s in steps if s and s.name in self.mine and s.name not in self.here]

    def place(
        self,
        band: Band,
        step: Step,
        row: int,
        column: int,
        tag: int = 0,
        labels: int = 0,
        turned: bool = False,
    ) -> Box:
        """A box of the step with its upper left corner there: its home if the band explains it.

        `tag` and `labels` are the rows of its tag and its column labels; 0 for none.
        """
        home = step.name not in self.here and any(step.name == line.step for line in band.lines)
        box = box_for(step, self.sheet, row, column, turned, home)
        band.boxes.append(box)
        band.bottom = max(band.bottom, box.bottom)
        if home:
            self.here.add(step.name)
        if tag:
            band.tags[box] = (tag, column)
        if labels:
            self.heads(band, box, step, labels)
        return box

    def spine(self, band: Band, step: Step, row: int, turned: bool = False) -> None:
        """The row labels: a live echo of the tokens or the words, or plain names."""
        names = step.columns if turned else step.rows
        kind = shaped_as(step.name)
        if kind.rows == "words" or (turned and len(names) == self.words):
            words = self.trace["vocabulary.words"]
            band.boxes.append(box_for(words, self.sheet, row, SPINE, False, False))
        elif self.by_token(step)[turned]:
            band.labels += [self.token(row + k, SPINE, k) for k in range(len(names))]
        elif kind.name == "last" and self.tokens:
            band.labels.append(self.token(row, SPINE, len(self.tokens) - 1))
        elif len(names) > 1:
            band.labels += [TabLabel(row + k, SPINE, name) for k, name in enumerate(names)]

    def token(self, row: int, column: int, k: int, across: bool = False) -> TabLabel:
        """The live label of the token at place k (from 0), with its number: "3 sitzt"."""
        text = f"{k + 1} {self.tokens[k]}"
        return TabLabel(row, column, text, f"{self.tab.prefix}tokens", k, across)

    def by_token(self, step: Step) -> tuple[bool, bool]:
        """Whether the step has a row for each token of the tab's round, and a column for each."""
        return by_token(step, self.tokens)

    def heads(self, band: Band, box: Box, step: Step, row: int) -> None:
        """The labels above the columns of a box that shows the step, or a matrix of its shape."""
        names = step.rows if box.turned else step.columns
        kind = shaped_as(step.name)
        if self.by_token(step)[not box.turned]:
            heads = [self.token(row, box.column + k, k, across=True) for k in range(len(names))]
            band.labels += heads
            return
        if box.turned and len(names) == 1:
            names = (letter_of(step.name).plain if step.place.of else kind.name,)
        source = self._heads_source(kind, names, box.turned)
        for k, name in enumerate(names):
            band.labels.append(TabLabel(row, box.column + k, name, source, k, across=True))

    def _heads_source(self, kind: StepKind, names: Sequence[str], turned: bool) -> str:
        if kind.by_word and kind.rows == "tokens" and not turned:
            return "vocabulary.words"
        by_temperature = turned and kind.rows == "temperatures" and len(names) > 1
        return "temperature" if by_temperature else ""


def _with_moved(trace: Trace, tab: Tab) -> tuple[Step, ...]:
    """The steps of a tab, and in their order those repeated that no product shows anyway."""
    repeated = [step for step in tab.moved if not in_product(kind_of(step.name).shown)]
    if not repeated:
        return tab.steps
    known = {step.name for step in (*tab.steps, *repeated)}
    return tuple(step for step in trace if step.name in known)


def in_product(shown: TabStyle) -> bool:
    """Whether a step stands beside what it is multiplied with."""
    return bool(shown.factor) or shown.band == "beside another"
