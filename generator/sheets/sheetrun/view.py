"""What the template of the complete run may ask: sections, tables, formulas, worked lines.

Also here:

* The sections of the complete run: which steps stand side by side, and which lines are worked.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import filterfalse, groupby
from typing import NamedTuple

from markupsafe import Markup

from generator.engine.fitness import PREFIX
from generator.engine.predict import temperature_of
from generator.engine.step import Cell
from generator.engine.trace import Step
from generator.insight.behaviour import NEXT
from generator.insight.output_layer import LOGITS, by_logit
from generator.notation.worked import is_masked
from generator.sheets.attending import AT, visible_to
from generator.sheets.context import typeset
from generator.sheets.maths import full_size
from generator.sheets.sheetmath import view as reference
from generator.sheets.sheetmath.overview import StepEntry
from generator.steps import kind_of

# In the order of the document that this page follows: query, key and value before the scores.
HEAD = ("matrices", "query", "key", "value", "scores", "softmax", "sum")
TOGETHER = {"key": "query", "value": "query"}
TOGETHER |= {"softmax": "scores", "sum": "scores", "choice": "probabilities"}
CHOSEN = ("probabilities", "choice")
# Words and positions label the rows of other tables, the mask is seen in the masked scores, terms
# of the output in its worked line; similarities and one-hot vectors lead nowhere.
ELSEWHERE = {
    *("tokens", "vocabulary.words", "onehot", "similarity", "mask", "contribution"),
    *("temperature", "sampling.share"),
}
COPIED = {"ids", "embedding", "masked", "concat", "last", "sampling.rank", "sampling.kept"}
WHOLE_ROWS = {"attention", "residual", "normalised", "norm", "hidden", "feedforward"}
TELLING = {"output.tempered", "output.exp", "output.probabilities"}  # of the likeliest word
MOST_LINES = 12
LONGEST = 16  # rows of a table; further ones stand beside them


class RowLabel(NamedTuple):
    """What a row or a column is called: a word as it is, or a letter with its index."""

    text: str
    word: bool


class StepGroup(NamedTuple):
    """Steps that stand side by side, and below them the cells, by step, that are worked."""

    steps: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Cell, ...]], ...]


class Section(NamedTuple):
    """A part of the computation: the key of its title, where it is, its groups of steps."""

    key: str
    block: int | None
    head: int | None
    groups: tuple[StepGroup, ...]


class ViewRun(reference.ViewMath):
    """The view of the complete run."""

    def sections(self) -> list[Section]:
        """The computation in the order of the document "Komplette Mathematik", source 000."""
        ordered = groupby(_by_place(filter(_is_shown, self.trace)), _section)
        return [Section(*place, tuple(self._groups(steps))) for place, steps in ordered]

    def _groups(self, steps: Iterable[Step]) -> Iterator[StepGroup]:
        for _, some in groupby(steps, _chapter):
            lines = {step.name: tuple(self._lines(step)) for step in some}
            yield StepGroup(tuple(lines), tuple(one for one in lines.items() if one[1]))

    def _lines(self, step: Step) -> Iterator[Cell]:
        """The cells of a step that are worked: an example, where the source has it all of a kind.

        Where one row stands for all it is that of the example.
        """
        kind = kind_of(step.name)
        if step.kind == "given" or step.text or kind.name in COPIED:
            return
        row = self.plan.worked if kind.rows == "tokens" else 0
        if kind.name == "output":
            seeing = (i for i in range(step.shape[0]) if visible_to(self.trace, i))
            yield from ((step.name, i, 0) for i in seeing)
        elif kind.name == "output.logits":
            yield from ((step.name, 0, j) for j in range(min(MOST_LINES, step.shape[1])))
        elif kind.name in WHOLE_ROWS:
            yield from ((step.name, row, j) for j in range(step.shape[1]))
        elif kind.name in TELLING and step.columns == self.trace[LOGITS].columns:
            yield step.name, row, by_logit(self.trace)[0]
        elif not kind.square or 0 in visible_to(self.trace, row):
            yield step.name, row, 0

    def next_unrounded(self) -> str:
        """Whether another token would come next if nothing was rounded, as a sentence."""
        return self.unrounded(lambda one: str(one[NEXT].values[0, 0])) if self.has(NEXT) else ""

    def whereabouts(self, section: Section) -> str:
        """Block and head of a section, as far as the model has several."""
        preset, parts = self.trace.preset, []
        if section.block is not None and preset.blocks > 1:
            parts.append(self.catalogue.t("walk.block", block=section.block))
        if section.head is not None and preset.heads > 1:
            parts.append(self.catalogue.t("walk.head", head=section.head))
        return " · ".join(parts)

    def of(self, step: str) -> Markup:
        """The title of a step's table."""
        return typeset(self.catalogue.step(step))

    def as_columns(self, step: str) -> bool:
        """Whether words are the rows of the table and the step's own rows its columns."""
        return kind_of(step).by_word

    def rows_of(self, step: str) -> list[RowLabel]:
        """The names of a step's rows; a temperature as it is written in this language."""
        word = kind_of(step).rows != "one"
        labels = ((text, temperature_of(text)) for text in self.trace[step].rows)
        return [
            RowLabel(text if t is None else f"T = {self.show('temperature', t)}", word)
            for text, t in labels
        ]

    def columns_of(self, step: str) -> list[RowLabel]:
        """The names of a step's columns."""
        words = kind_of(step).square or kind_of(step).by_word
        called = self.catalogue.phrases
        labels = (called.get(f"workbook.label.{text}", text) for text in self.trace[step].columns)
        return [RowLabel(label, words) for label in labels]

    def parts(self, step: str) -> list[range]:
        """The rows of a table, cut where it would be too long."""
        rows = self.size(step)[1 if self.as_columns(step) else 0]
        return [range(k, min(k + LONGEST, rows)) for k in range(0, rows, LONGEST)]

    def is_masked(self, *cell: *Cell) -> bool:
        """Whether a cell is what the mask hides: a score, its power, its share."""
        return is_masked(self.trace, *cell)

    def has_table(self, step: str) -> bool:
        """Whether a step has a place of its own: not √d_k, of which the worked line says all."""
        return kind_of(step).name != "scale"

    def meaning(self, step: str) -> Markup:
        """A step's formula from the steps that it is computed from; of a given one its letter."""
        kind = kind_of(step)
        looked_up = kind.name == "ids" or kind.chapter == "choice" or self.trace[step].text
        if kind.letter is None or looked_up:
            return Markup("")  # what is looked up or chosen says so in its title
        ends = self.catalogue.step(step).endswith(kind.letter.plain)
        if self.trace[step].kind == "given" and ends:
            return Markup("")  # so does a letter alone, where the title ends with it
        latex, spoken = self._both(step, {})
        return self.formulas.image(full_size(latex), spoken, True)

    @cached_property
    def entries(self) -> list[StepEntry]:
        """The steps of the model, which has its first head once."""
        return [entry for entry in super().entries if not entry.step.startswith(PREFIX)]

    @cached_property
    def learned(self) -> list[StepEntry]:
        """Nothing: this is one computation, and no step of learning."""
        return []

    @cached_property
    def listed(self) -> set[str]:
        """Every step that has a letter: here each one has its own table."""
        return {one.name for one in self.trace if kind_of(one.name).letter is not None}


def _is_shown(step: Step) -> bool:
    kind = kind_of(step.name)
    hidden = kind.tab in ("count", "bpe") or kind.name.startswith(("loss.", "switch."))
    hidden |= step.place.learning or step.place.round > 1
    return not hidden and kind.name not in ELSEWHERE


def _is_free(step: Step) -> bool:
    return step.name.startswith(PREFIX)


def _by_place(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps of one head together, its matrices first and its output last.

    What it would be without its mask stands before that.
    """

    def in_head(step: Step) -> int:
        return 0 if step.place.head is None else HEAD.index(str(kind_of(step.name).chapter))

    every = list(steps)
    free = sorted(filter(_is_free, every), key=in_head)
    for _, own in groupby(filterfalse(_is_free, every), lambda s: (s.place.block, s.place.head)):
        for step in sorted(own, key=in_head):
            if step.name == f"{AT}.masked":
                yield from free
            yield step


def _section(step: Step) -> tuple[str, int | None, int | None]:
    """The key of the section's title, its block and its head."""
    kind, place = kind_of(step.name), step.place
    if place.head is not None:
        return "free" if _is_free(step) else "head", place.block, place.head
    if kind.chapter == "input":
        return ("tokens" if kind.tab == "tokens" else "position"), None, None
    if kind.chapter == "norm":
        return f"norm.{'final' if place.final else place.number}", place.block, None
    if kind.chapter in CHOSEN:
        return "choice", None, None
    return ("scale", None, None) if kind.name == "scale" else (str(kind.chapter), place.block, None)


def _chapter(step: Step) -> str:
    name = str(kind_of(step.name).chapter)
    return TOGETHER.get(name, name)
