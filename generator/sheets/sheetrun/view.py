"""What the template of the complete run may ask: sections, tables, formulas, worked lines."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from generator.notation.masked import is_masked
from generator.sheets.maths import full_size
from generator.sheets.phrases import typeset
from generator.sheets.sheetmath import view as reference
from generator.sheets.sheetmath.overview import Entry
from generator.sheets.sheetrun.sections import Section, sections
from generator.steps import kind_of

LONGEST = 16  # rows of a table; further ones stand beside them


class Label(NamedTuple):
    """What a row or a column is called: a word as it is, or a letter with its index."""

    text: str
    word: bool


@dataclass(frozen=True)
class View(reference.View):
    """The view of the complete run."""

    def sections(self) -> list[Section]:
        """The parts of the computation, in the order of the source."""
        return sections(self.trace, self.plan.worked)

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

    def rows_of(self, step: str) -> list[Label]:
        """The names of a step's rows."""
        kind = kind_of(step).rows
        return [Label(self._label(text), kind != "one") for text in self.trace[step].rows]

    def columns_of(self, step: str) -> list[Label]:
        """The names of a step's columns."""
        words = kind_of(step).square or kind_of(step).by_word
        return [Label(text, words) for text in self.trace[step].columns]

    def _label(self, text: str) -> str:
        """A row's name; a temperature as it is written in this language."""
        if not text.startswith("T="):
            return text
        return f"T = {self.show('temperature', float(text[2:]))}"

    def parts(self, step: str) -> list[range]:
        """The rows of a table, cut where it would be too long."""
        rows = self.size(step)[1 if self.as_columns(step) else 0]
        return [range(k, min(k + LONGEST, rows)) for k in range(0, rows, LONGEST)]

    def is_masked(self, step: str, i: int, j: int) -> bool:
        """Whether a cell is what the mask hides: a score, its power, its share."""
        return is_masked(self.trace, step, i, j)

    def meaning(self, step: str) -> Markup:
        """A step's formula from the steps that it is computed from; of a given one its letter."""
        kind = kind_of(step)
        looked_up = kind.name == "ids" or kind.chapter == "choice" or self.trace[step].text
        if kind.letter is None or looked_up:
            return Markup("")  # what is looked up or chosen says so in its title
        if self.trace[step].kind == "given" and self.catalogue.step(step).endswith(
            kind.letter.plain
        ):
            return Markup("")  # so does a letter alone, where the title ends with it
        latex, spoken = self._both(step, {})
        return self.formulas.image(full_size(latex), spoken, True)

    @cached_property
    def learned(self) -> list[Entry]:
        """Nothing: this is one computation, and no step of learning."""
        return []

    @cached_property
    def listed(self) -> set[str]:
        """Every step that has a letter: here each one has its own table."""
        return {one.name for one in self.trace if kind_of(one.name).letter is not None}
