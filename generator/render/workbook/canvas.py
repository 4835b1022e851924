"""A tab while it is being laid out: opens bands, places boxes, labels their rows and columns."""

from collections.abc import Sequence

from generator.engine.trace import Step, Trace
from generator.render.workbook.box import Box
from generator.render.workbook.layout import FIRST_ROW, Band, Label, Line, box_for
from generator.render.workbook.tabs import Tab

SPINE = 1  # the column of the row labels
LETTERS = "abcdefghijklmnopqrstuvwxyz"

_BY_TEMPERATURE = ("output.shifted", "output.exp", "output.probabilities")
_BY_WORD = ("onehot", "output.all.logits", "output.all.compared")


class Canvas:
    """The bands of one tab so far, and which steps can already be seen on it."""

    def __init__(self, trace: Trace, tab: Tab) -> None:
        self.trace = trace
        self.sheet = tab.title
        self.steps = tab.steps
        self.mine = {step.name for step in tab.steps}
        self.row = FIRST_ROW
        self.done: list[Band] = []
        self.here: set[str] = set()
        self.tokens = trace["input"].rows if "input" in trace else ()
        self.words = len(trace["vocabulary.words"].rows) if "vocabulary.words" in trace else 0

    def open(self, steps: Sequence[Step]) -> Band:
        """A band that starts with a heading line for each of the steps."""
        band = Band(self.row, self.row + len(steps) - 1)
        for k, step in enumerate(steps):
            letter = LETTERS[k % len(LETTERS)] if len(steps) > 1 else ""
            band.lines.append(Line(self.row + k, step.name, letter))
        return band

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
            self._heads(band, box, step, labels)
        return box

    def spine(self, band: Band, step: Step, row: int, turned: bool = False) -> None:
        """The row labels: a live echo of the tokens or the words, or plain names."""
        names = step.columns if turned else step.rows
        source = self._spine_source(step, names, turned)
        if source:
            band.boxes.append(box_for(self.trace[source], self.sheet, row, SPINE, False, False))
        elif step.name == "last" and len(self.tokens):
            band.labels.append(Label(row, SPINE, names[0], "tokens", len(self.tokens) - 1))
        elif len(names) > 1:
            band.labels += [Label(row + k, SPINE, name) for k, name in enumerate(names)]

    def _spine_source(self, step: Step, names: Sequence[str], turned: bool) -> str:
        by_word = step.name.startswith(("vocabulary.", "output.matrix"))
        if by_word or (turned and len(names) == self.words):
            return "vocabulary.words"
        return "tokens" if self.are_tokens(names) else ""

    def are_tokens(self, names: Sequence[str]) -> bool:
        """Whether labels are the sentence's tokens."""
        return bool(names) and tuple(names) == self.tokens

    def _heads(self, band: Band, box: Box, step: Step, row: int) -> None:
        names = step.rows if box.turned else step.columns
        if box.turned and len(names) == 1:
            names = (step.name,)
        source = self._heads_source(step, names, box.turned)
        band.labels += [
            Label(row, box.column + k, name, source, k, across=True) for k, name in enumerate(names)
        ]

    def _heads_source(self, step: Step, names: Sequence[str], turned: bool) -> str:
        if step.name in _BY_WORD and not turned:
            return "vocabulary.words"
        if turned and step.name in _BY_TEMPERATURE and len(names) > 1:
            return "temperature"
        return "tokens" if self.are_tokens(names) else ""
