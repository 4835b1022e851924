"""A tab while it is being laid out: opens bands, places boxes, labels their rows and columns.

Products stand in Falk's scheme: left factor left, right factor above, product where they cross.
"""

from collections.abc import Sequence, Set

from generator.engine.place import step_prefix
from generator.engine.trace import Step
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.layout import FIRST_ROW, Band, HeadingLine, Sheet, TabLabel
from generator.render.workbook.layout.start_layout import StartLayout
from generator.render.workbook.layout.tabs import Tab, by_token, tokens_of
from generator.render.workbook.layout.texts import LETTERS, TabTexts
from generator.steps import kind_of, letter_of, shaped_as

Corner = tuple[int, int]  # row and column
SPINE = 1  # the column of the row labels


class Canvas:
    """The bands of one tab so far, the one that is open, and which steps can already be seen."""

    def __init__(self, start: StartLayout, texts: TabTexts, asked: Set[str], tab: Tab) -> None:
        self.start, self.texts, self.asked = start, texts, asked
        self.trace, self.tab = texts.trace, tab
        self.mine = {step.name for step in tab.steps}
        self.row = FIRST_ROW
        self.band = Band(0, 0)
        self.later, self.done = list[tuple[Step, str]](), list[Band]()
        self.here: set[str] = set()
        self.tokens = tokens_of(self.trace, tab.prefix)
        vocabulary = self.trace.steps.get("vocabulary.words")
        self.words = len(vocabulary.rows) if vocabulary else 0

    def sheet(self) -> Sheet:
        """The tab, laid out."""
        return Sheet(self.tab, tuple(self.done))

    def own(self, name: str) -> Step | None:
        """The step of that name in the tab's round."""
        steps, prefix = self.trace.steps, step_prefix(self.tab.step) or self.tab.prefix
        return steps.get(prefix + name) or steps.get(self.tab.prefix + name)

    def open(self, steps: Sequence[Step]) -> int:
        """A band that explains the steps; gives the row below its heading.

        Of several steps the lines that explain them stand below the numbers, when it is closed.
        Numbers that are given beside what is computed from them have their name above them only.
        """
        self.band, self.later = Band(self.row, self.row - 1, {step.name for step in steps}), []
        steps = [step for step in steps if step.kind == "computed"] or steps
        if len(steps) > 1:
            self.band.bottom, self.later = self.row, [*zip(steps, LETTERS, strict=False)]
            title = self.texts.together([step.name for step in steps])
            self.band.labels.append(TabLabel(self.row, SPINE, title, heading=True))
            return self.row + 1
        for step in steps:
            self.head(step)
        return self.asks_for(steps)

    def asks_for(self, steps: Sequence[Step]) -> int:
        """A row for help where some of the steps are asked; gives the row below."""
        if any(step.name in self.asked for step in steps):
            self.band.bottom += 1
            self.band.help_row = self.band.bottom
        return self.band.bottom + 1

    def head(self, step: Step, letter: str = "") -> None:
        """The heading line of a step below what the band has, with the rows for its formulas."""
        row = self.band.bottom + 1
        number, below = self.texts.rows(step, self.tokens)
        long = self.texts.is_long(self.texts.heading(step.name, letter))
        functions = tuple(range(row + long + 1, row + long + 1 + number))
        live = below and row + long + below
        line = HeadingLine(row, step.name, letter, functions, live, long)
        self.band.lines.append(line)
        self.band.bottom = max(line.words, live, *functions)

    def close(self) -> None:
        """The band is complete; the next one starts below, after an empty row."""
        self.asks_for([step for step, _ in self.later])
        for step, letter in self.later:
            self.head(step, letter)
        self.later = []
        self.done.append(self.band)
        self.row = self.band.bottom + 2

    def homes(self, *steps: Step | None) -> list[Step]:
        """Those of the steps that belong to this tab and have no place yet."""
        return [s for s in steps if s and s.name in self.mine and s.name not in self.here]

    def box(self, step: Step, spot: Corner, turned: bool = False, home: bool = False) -> Box:
        """A box of the step with its upper left corner there."""
        height, width = step.shape[::-1] if turned else step.shape
        box = Box(step.name, self.tab.title, *spot, height, width, turned, home)
        self.band.boxes.append(box)
        self.band.bottom = max(self.band.bottom, box.bottom)
        if home:
            self.here.add(step.name)
        return box

    def place(
        self, step: Step, spot: Corner, tag: int = 0, labels: int = 0, turned: bool = False
    ) -> Box:
        """A box of the step: its home if the band explains it.

        `tag` and `labels` are the rows of its tag and its column labels; 0 for none.
        """
        home = step.name in self.band.known - self.here
        box = self.box(step, spot, turned, home)
        if tag:
            self.band.tags[box] = (tag, spot[1])
        if labels:
            self.heads(box, step, labels)
        return box

    def label(self, spot: Corner, text: str) -> None:
        """A label that stays."""
        self.band.labels.append(TabLabel(*spot, text))

    def token(self, spot: Corner, k: int, across: bool = False) -> None:
        """The live label of the token at place k (from 0), with its number: "3 sitzt"."""
        text, step = f"{k + 1} {self.tokens[k]}", f"{self.tab.prefix}tokens"
        self.band.labels.append(TabLabel(*spot, text, step, k, across))

    def spine(self, step: Step, row: int, turned: bool = False) -> None:
        """The row labels: a live echo of the tokens or the words, or plain names."""
        names = step.columns if turned else step.rows
        kind = shaped_as(step.name)
        if kind.rows == "words" or (turned and len(names) == self.words):
            self.box(self.trace["vocabulary.words"], (row, SPINE))
        elif by_token(step, self.tokens)[turned]:
            for k in range(len(names)):
                self.token((row + k, SPINE), k)
        elif kind.name == "last" and self.tokens:
            self.token((row, SPINE), len(self.tokens) - 1)
        elif len(names) > 1:
            for k, name in enumerate(names):
                self.label((row + k, SPINE), name)

    def heads(self, box: Box, step: Step, row: int) -> None:
        """The labels above the columns of a box that shows the step, or a matrix of its shape."""
        names = step.rows if box.turned else step.columns
        kind = shaped_as(step.name)
        if by_token(step, self.tokens)[not box.turned]:
            for k in range(len(names)):
                self.token((row, box.column + k), k, across=True)
            return
        source = ""
        if box.turned and len(names) == 1:
            named = f"workbook.label.{step.name}" in self.texts.catalogue.phrases
            names = (step.name if named else letter_of(step.name).plain,)
        elif box.turned and kind.rows == "temperatures":
            source = "temperature"
        if kind.by_word and not box.turned and len(names) == self.words:
            source = "vocabulary.words"
        for k, name in enumerate(names):
            label = TabLabel(row, box.column + k, name, source, k, across=True)
            self.band.labels.append(label)

    # Products --------------------------------------------------------------------------------

    def products(self, steps: Sequence[Step], turned: bool = False, columns: bool = False) -> None:
        """A band of products with one left factor; `turned` shows the right factors transposed.

        With `columns` the left one is, for a product of columns with columns.
        """
        left = self.trace[steps[0].inputs[0]]
        rights = [self.trace[step.inputs[1]] for step in steps]
        biases = [self._bias(step) for step in steps]
        # tags, column labels, right factors, (biases,) then the lower half
        top = self.open([*self.homes(left, *rights, *biases), *steps])
        wide = left.shape[0 if columns else 1]
        below = top + 2 + wide + any(biases)
        self.place(left, (below + 2, SPINE + 1), below, below + 1, columns)
        column = SPINE + 1 + wide
        for step, right, shift in zip(steps, rights, biases, strict=True):
            column += 1
            over = self.place(right, (top + 2, column), top, top + 1, turned)
            live = not over.turned and by_token(right, self.tokens)[0]
            for k, name in enumerate(right.columns if over.turned else right.rows):
                if live:
                    self.token((over.row + k, column - 1), k)
                else:
                    self.label((over.row + k, column - 1), name)
            if shift:
                self.place(shift, (over.bottom + 1, column))
                self.label((over.bottom + 1, column - 1), "b")
            self.place(step, (below + 2, column), below, below + 1)
            column += step.shape[1]
        self.spine(steps[0], below + 2)
        self.close()

    def logits(self, step: Step) -> None:
        """The vector above, one word per row below, each word's dot product at its right."""
        last, matrix = (self.trace[name] for name in step.inputs[:2])
        shift = self._bias(step)
        top = self.open([*self.homes(last, matrix, shift), step])
        self.place(last, (top + 2, SPINE + 1), top, top + 1)
        self.label((top + 2, SPINE), "x")
        row, tag, column = top + 5, top + 3, SPINE + 2 + last.shape[1]
        self.place(matrix, (row, SPINE + 1), tag, tag + 1)
        if shift:
            self.place(shift, (row, column), tag, tag + 1, turned=True)
            column += 2
        self.place(step, (row, column), tag, tag + 1, turned=True)
        self.spine(step, row, turned=True)
        self.close()

    def _bias(self, step: Step) -> Step | None:
        """The bias that a product adds, where it adds one."""
        return self.trace[step.inputs[2]] if len(step.inputs) > 2 else None


def in_product(step: Step) -> bool:
    """Whether a step stands beside what it is multiplied with."""
    shown = kind_of(step.name).shown
    return bool(shown.factor) or shown.band == "beside another"
