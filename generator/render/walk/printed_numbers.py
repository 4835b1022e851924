"""A Trace's numbers as the walk prints them: tables, worked lines, row vectors.

Also here:

* What is shown of tables and sums that no terminal holds: a real model's 768 columns, say.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from rich.cells import cell_len

from generator.checks.exercise import cells_read
from generator.engine.ops.attention import Contribution, Mask, Masked
from generator.engine.ops.copying import Concat, Copy, Gather, Ids, OneHot, SelectRow
from generator.engine.ops.feedforward import Activation
from generator.engine.ops.linear import Angle, Divisor
from generator.engine.ops.sampling import Compared, Kept, Rank
from generator.engine.predict import temperature_of
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.notation.shown import INDEXED, in_groups, number
from generator.notation.symbols import Symbols
from generator.notation.worked import Worked, is_masked, masked_scores
from generator.render.walk.page import MASK, WalkTable

FOUND = (Ids, Kept, Mask, OneHot, Rank)  # found by looking, not by arithmetic
COPIED = (Compared, Concat, Copy, Gather, Masked, SelectRow)
OUTPUT = "output.probabilities"
TOP = 5  # words with the largest shares, of a vocabulary that is cut
LONGEST_NAME = 14  # columns up to which the arithmetic behind a token stands aligned
LABELS = frozenset(("token", "word", "id", "pos", "next", "model"))
_DIMENSION = re.compile(r"([a-z])(\d+)")


class Printed:
    """Prints the cells of one Trace in one language."""

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.trace = trace
        self.catalogue = catalogue
        self.language = catalogue.language
        self.worked = Worked(trace, catalogue.language)
        self.symbols = Symbols(trace, catalogue.language)
        words = trace["vocabulary.words"].values[:, 0] if "vocabulary.words" in trace else ()
        self._words = {trace.tokens, trace.tokens[-1:], tuple(words)}

    def table(self, step: Step) -> WalkTable:
        """The step's own table."""
        rows, columns = self._shown(step, 0), self._shown(step, 1)
        across, down = self.labels(step.rows, step), self.labels(step.columns, step)
        if step.name == "vocabulary.words":  # in the order of their IDs, which begin at 0
            across = tuple(str(i) for i in range(step.shape[0]))
        cells = [[self.cell(step, i, j) for j in columns] for i in rows]
        lines = [with_gaps(line, columns, GAP) for line in cells]
        named = with_gaps([across[i] for i in rows], rows, GAP)
        heads = with_gaps([down[j] for j in columns], columns, GAP)
        own = down[self.column(step)]
        focus = self.focus(step) if step.kind == "computed" and step.shape[0] > 1 else None
        if focus is not None and len(rows) < step.shape[0]:
            focus = rows.index(focus)
        shown = with_gaps(lines, rows, (GAP,) * len(heads))
        place = heads.index(own) if own in heads else 0
        return WalkTable(named, heads, shown, focus=focus, column=place, words=step.text)

    def _shown(self, step: Step, axis: int) -> list[int]:
        """The rows or columns that the table shows: of very many words those of the sentence."""
        count = step.shape[axis]
        wanted = {self.focus(step)} if axis == 0 and step.rows == self.trace.tokens else set()
        if "ids" in self.trace and count == self.trace["vocabulary.words"].shape[0]:
            wanted |= set(self.trace["ids"].values[:, 0].astype(int).tolist())
            if "sampling.rank" in self.trace:
                wanted |= set(np.argsort(self.trace["sampling.rank"].values[0])[:TOP].tolist())
        return places(count, wanted)

    def cell(self, step: Step, i: int, j: int) -> str:
        """One printed cell; a masked one is a mark, except in the mask itself."""
        if is_masked(self.trace, step.name, i, j):
            return MASK
        text = self.worked.spelled(step.name, i, j)
        return text if step.text else in_groups(text, self.language)

    def legend(self, step: Step) -> tuple[str, ...]:
        """What the mark of a masked cell means, where a table has one."""
        scores = masked_scores(self.trace, step.name)
        hidden = scores is not None and np.isneginf(scores).any()
        notes = [self.catalogue.t("walk.masked", mark=MASK)] if hidden else []
        if max(step.shape) > WHOLE:
            rows, columns = step.shape
            notes.append(self.catalogue.t("walk.cut", mark=GAP, rows=rows, columns=columns))
        return tuple(notes)

    def focus(self, step: Step) -> int:
        """The row that is worked through: the focus token's where the rows are tokens."""
        if isinstance(step.op, Contribution):
            return 0
        trace = self.trace
        token = trace.worked if trace.worked is not None else trace.exercise
        if (right := self._right(step)) is not None and step.rows == trace[OUTPUT].columns:
            return right
        if step.rows == trace.tokens and token is not None:
            return token
        if step.shape[0] == len(trace.preset.temperatures) and 1.0 in trace.preset.temperatures:
            return trace.preset.temperatures.index(1.0)
        return 0

    def _right(self, step: Step) -> int | None:
        """The ID of the word that should come next, where a step learns from it."""
        learns = "loss.id" in self.trace and about_words(step)
        learns = learns and (step.place.learning or step.name.startswith("loss."))
        return int(self.trace["loss.id"].values[0, 0]) if learns else None

    def column(self, step: Step) -> int:
        """The column that is worked through.

        Of words the right one where it is learned, else the most probable one.
        """
        if isinstance(step.op, Activation):  # where it changes something
            return int(self.trace[step.inputs[0]].values[self.focus(step)].argmin())
        if isinstance(step.op, Divisor | Angle):  # where it divides by more than 1
            return step.shape[1] - 1
        if OUTPUT not in self.trace or step.columns != (shares := self.trace[OUTPUT]).columns:
            return 0
        if step.place.block is not None:
            return 0
        right, likely = self._right(step), int(shares.values[self.focus(shares)].argmax())
        return likely if right is None else right

    def example(self, step: Step) -> tuple[str, tuple[str, ...]]:
        """One cell: where it stands, its formula, its numbers; nothing for mere look-ups."""
        i, j = self.focus(step), self.column(step)
        if step.text or isinstance(step.op, FOUND):
            return "", ()
        terms, relation, result = self.worked.line(step.name, i, j)
        if terms == result or (isinstance(step.op, COPIED) and relation == "="):
            return "", ()
        numbers, place = f"{short_sum(terms)} {relation} {result}", self.where(step, i, j)
        if not place:
            return "", (numbers,)
        example = self.catalogue.t("walk.example", place=place)
        return example, (self.symbols.cell(step.name, i, j), numbers)

    def inputs(self, step: Step) -> tuple[WalkTable, ...]:
        """The tables that a step is computed from; marked is what its example takes of them."""
        worked = self.trace.cell(step.name, self.focus(step), self.column(step))
        read, tables = set(cells_read(worked)), list[WalkTable]()
        for one in map(self.trace.__getitem__, dict.fromkeys(step.inputs)):
            if max(one.shape) <= WHOLE:
                taken = frozenset((i, j) for name, i, j in read if name == one.name)
                letter = self.symbols.letter_in(one.name, step.name)
                table = replace(self.table(one), name=self.catalogue.step(one.name))
                tables.append(replace(table, title=letter, focus=None, read=taken))
        return tuple(tables)

    def where(self, step: Step, i: int, j: int) -> str:
        """A cell's row and column in words."""
        t, (height, width) = self.catalogue.t, step.shape
        row, column = self.labels(step.rows, step)[i], self.labels(step.columns, step)[j]
        by_word = ".word" * (about_words(step) and not step.name.endswith(".matrix"))  # turned
        row, column = self.named(row, step.rows), self.named(column, step.columns)
        rows = [t(f"walk.row{by_word}", row=row)] if height > 1 else []
        columns = [t(f"walk.column{by_word}", column=column)] if width > 1 else []
        return " · ".join(rows + columns)

    def named(self, label: str, of: tuple[str, ...]) -> str:
        """A label in running text: words in quotation marks."""
        return self.quoted(label) if of in self._words else label

    def quoted(self, word: str) -> str:
        """A word in the language's quotation marks."""
        return self.catalogue.t("walk.quoted", word=word)

    def vector(self, step: Step, i: int) -> str:
        """A row as a vector: (0,8 | 1,4) in German, [0.8, 1.4] in English."""
        cells = [self.cell(step, i, j) for j in range(step.shape[1])]
        if len(cells) > WHOLE_VECTOR:
            cells = [*cells[:FIRST_TERMS], GAP, *cells[-LAST_TERMS:]]
        first, between, last = self.worked.signs.vector
        return first + between.join(cells) + last

    def contributions(self, step: Step) -> tuple[str, ...]:
        """For a page of contributions, a line for each visible token, and their sum."""
        if not isinstance(step.op, Contribution):
            return ()
        shares, values = (self.trace[name] for name in step.inputs)
        token, powers = step.op.token, self.trace[shares.inputs[0]]
        rows = [k for k in range(len(step.rows)) if powers.values[token, k] != 0.0]
        lines = [self._contribution(step, self.cell(shares, token, k), values, k) for k in rows]
        output = self.trace[step.name.rpartition(".")[0] + ".output"]
        total = self.catalogue.t("walk.contribution.total", vector=self.vector(output, token))
        return (*lines, total)

    def labels(self, labels: tuple[str, ...], step: Step) -> tuple[str, ...]:
        """Labels as they are read: tokens untouched, all others in the language's words."""
        if labels in self._words:
            return labels
        sizes = step.rows if step.name == "count.size" else ()
        known = {name: self.symbols.size(name) for name in sizes}
        return tuple(known.get(label) or self._label(label) for label in labels)

    def _contribution(self, step: Step, share: str, values: Step, k: int) -> str:
        relations = {self.worked.line(step.name, k, j).relation for j in range(step.shape[1])}
        widest = min(LONGEST_NAME, max(cell_len(token) for token in step.rows))
        names = {"token": step.rows[k] + " " * (widest - cell_len(step.rows[k])), "share": share}
        names |= {"times": self.worked.signs.times, "relation": "≈" if "≈" in relations else "="}
        value, product = self.vector(values, k), self.vector(step, k)
        return self.catalogue.t("walk.contribution", value=value, product=product, **names)

    def _label(self, label: str) -> str:
        if label in LABELS:
            return self.catalogue.t(f"walk.label.{label}")
        if (t := temperature_of(label)) is not None:
            return self.catalogue.t("walk.temperature", value=number(t, None, self.language))
        match = _DIMENSION.fullmatch(label)
        return match[1] + match[2].translate(INDEXED) if match else label


def about_words(step: Step) -> bool:
    """Whether it belongs to the output: its numbers are those of the words."""
    return (step.place.of or step.place.kind).startswith(("output.", "sampling.", "loss."))


WHOLE = 100  # rows or columns that are shown all
FIRST = 8
GAP = "…"
WHOLE_SUM, FIRST_TERMS, LAST_TERMS = 40, 6, 2
WHOLE_VECTOR = 40
PLUS = " + "
Printable = TypeVar("Printable", str, tuple[str, ...])


def places(count: int, wanted: Collection[int] = ()) -> list[int]:
    """The rows or columns to show, in order: all, or the first ones, the wanted ones, the last."""
    return sorted(range(count) if count <= WHOLE else {*range(FIRST), *wanted, count - 1})


def with_gaps(shown: Sequence[Printable], kept: list[int], gap: Printable) -> tuple[Printable, ...]:
    """What is shown of the kept places, the gap's mark wherever some between are left out."""
    result: list[Printable] = []
    for text, place, before in zip(shown, kept, [-1, *kept], strict=False):
        result += [text] if place == before + 1 else [gap, text]
    return tuple(result)


def short_sum(terms: str) -> str:
    """A printed sum of very many terms with its first and last ones."""
    parts = terms.split(PLUS)
    if len(parts) <= WHOLE_SUM:
        return terms
    return PLUS.join([*parts[:FIRST_TERMS], GAP, *parts[-LAST_TERMS:]])
