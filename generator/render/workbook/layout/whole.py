"""Where the matrices of the whole model stand on one tab: as it computes, with an arrow between.

The tab repeats cells of other tabs and computes nothing. It takes one page of A3, or is left out.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.tabs import DIGIT, Tab, tokens_of
from generator.render.workbook.layout.texts import look
from generator.resources import table
from generator.steps import shaped_as

FIRST_ROW = 5  # under title, explanation, focus token and an empty row
HEADS = 3  # rows above numbers: the tab's title, what a matrix is, its columns
LINE = 18  # pixels of a row
MOST_COLUMNS = 22  # a screen wide; what is wider goes on below
WORDS_ACROSS = 12  # more words than this stand below each other
PAGE = 1047, 1512  # pixels of A3 upright, inside its margins
SMALLEST = 0.47  # of the size on the screen: below that nobody can read it
KINDS = table("render/workbook/tabs.toml")["whole"]
FORWARD: Sequence[str] = KINDS["tabs"]
SHOWN: Sequence[str] = KINDS["steps"]


class MatrixLine(NamedTuple):
    """Matrices beside each other, and the tab that they are at home on; "" where it goes on.

    Each of the `cards` is a matrix, and the sign between it and the one at its left.
    """

    title: str
    row: int
    cards: Sequence[tuple[Box, str]]


class Whole:
    """The tab, laid out: `lines` from top to bottom, all columns of one width."""

    def __init__(self, trace: Trace, catalogue: Catalogue, tabs: Sequence[Tab]) -> None:
        self.trace, self.sheet = trace, catalogue.t("workbook.tab.whole")
        self.tokens = tokens_of(trace, "")
        self.lines: list[MatrixLine] = []
        row, before = FIRST_ROW, list[Step]()
        for tab in tabs:
            if tab.round == 1 and tab.step == 1 and tab.kind in FORWARD:
                steps = [*before, *self._shown(tab)]
                before = steps if tab.kind == "tokens" else []  # one line with the input
                for title, part in self._parts(tab.title, [] if before else steps):
                    self.lines.append(self._line(title, row, part))
                    row += HEADS + max(box.height for box, _ in self.lines[-1].cards) + 1
        self.bottom = row - 1

    def _shown(self, tab: Tab) -> Iterator[Step]:
        """Its matrices in order, each weight before what is first computed with it."""
        placed = set[str]()
        for step in tab.steps:
            named = step.name.replace("normalised", "norm") in self.trace
            twice = step.place.kind == "normalised" and named
            if step.place.kind not in SHOWN or twice:
                continue
            inputs = (self.trace[name] for name in step.inputs)
            for weight in (x for x in inputs if x.place.kind.startswith("weight.")):
                if weight.name not in placed:
                    placed.add(weight.name)
                    yield weight
            yield step

    def _parts(self, title: str, steps: Sequence[Step]) -> Iterator[tuple[str, list[Step]]]:
        """The steps in lines that are no wider than a page."""
        part = list[Step]()
        for k, step in enumerate(steps):
            more = [step]
            if step.place.kind.startswith("weight."):  # not without what comes of it
                more += steps[k + 1 : k + 2]
            if part and self._wide([*part, *more]) > MOST_COLUMNS:
                yield title, part
                title, part = "", []
            if not part and len(more) > 1:
                part.append(self.trace[more[1].inputs[0]])
            part.append(step)
        if part:
            yield title, part

    def _wide(self, steps: Sequence[Step]) -> int:
        return sum(self._box(step, 1, 1).width + 1 for step in steps)

    def _line(self, title: str, row: int, steps: Sequence[Step]) -> MatrixLine:
        cards, column = list[tuple[Box, str]](), 2
        for k, step in enumerate(steps):
            box = self._box(step, row + HEADS, column)
            cards.append((box, self._sign(steps[k - 1], step) if k else ""))
            column += box.width + 1
        return MatrixLine(title, row, cards)

    def _box(self, step: Step, row: int, column: int) -> Box:
        height, width = step.shape
        turned = width > WORDS_ACROSS and shaped_as(step.name).by_word
        if turned:
            height, width = width, height
        return Box(step.name, self.sheet, row, column, height, width, turned, home=False)

    def _sign(self, before: Step, step: Step) -> str:
        """An arrow where the one comes from the other; a dot where a matrix is multiplied with."""
        if step.place.kind.startswith("weight."):
            readers = (other for other in self.trace if step.name in other.inputs)
            return "·" if any(before.name in other.inputs for other in readers) else ""
        return "→" if self._leads(before.name, step.name) else ""

    def _leads(self, source: str, name: str) -> bool:
        """Whether a step is computed from another one, through steps that are not shown, too."""
        step = self.trace[name]
        return source in step.inputs or any(
            self._leads(source, other)
            for other in step.inputs
            if self.trace[other].place.kind not in SHOWN
        )

    @property
    def boxes(self) -> list[Box]:
        """All matrices."""
        return [box for line in self.lines for box, _ in line.cards]

    @cached_property
    def widths(self) -> tuple[float, float]:
        """Characters of the first column and of each other one."""
        steps = [self.trace[box.step] for box in self.boxes]
        digits = max(look(step).characters for step in steps)
        longest = max(map(len, self.tokens), default=0) + 3.0
        return min(max(longest + 2, 14.0), 24.0), max(digits + 1.4, min(longest, 8.0))

    @property
    def right(self) -> int:
        """The last column."""
        return max(box.right for box in self.boxes)

    @property
    def wide(self) -> float:
        """Characters of all columns."""
        first, each = self.widths
        return first + each * (self.right - 1)

    @property
    def fits(self) -> bool:
        """Whether all of it can be read on one page of A3, upright."""
        size = min(PAGE[0] / (self.wide * DIGIT), PAGE[1] / (self.bottom * LINE))
        return size >= SMALLEST


def plan_whole(trace: Trace, tabs: Sequence[Tab], catalogue: Catalogue) -> Whole | None:
    """The tab for a trace; None for a part of a model, for one stage, and where it is too large."""
    if trace.preset.start == "sentence" and "embedding" not in trace:
        return None  # a part, cut to some sheets
    whole = Whole(trace, catalogue, tabs)
    return whole if len(whole.lines) > 1 and whole.fits else None
