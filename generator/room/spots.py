"""What a card is made of: spots, tables, parts; and numbers as a room's papers print them.

Also here:

* Which band of the wall a step is written into.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.engine.evaluate import evaluate
from generator.engine.expr import Expr
from generator.engine.predict import drawing_row
from generator.engine.rounding import GUARD, guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.notation.shown import number, shown_decimals
from generator.room.cut import HEARD, PROBABILITIES


class Spot(NamedTuple):
    """One place of a card's table: `kind` is label, given, own, copy, check or none."""

    kind: str
    text: str = ""
    mark: str = ""  # who of the pair, or whose it is
    cell: Cell | None = None  # whose number it is


class CardTable(NamedTuple):
    """A table of a card: its title, its heads, its rows."""

    title: str
    digits: Sequence[tuple[str, int]]  # each step's short name, and to how many decimals
    head: Sequence[str]
    rows: Sequence[Sequence[Spot]]


class ProbeLine(NamedTuple):
    """A Probe as a card has it: what it says, both sides' boxes, how much they may differ."""

    kind: str
    title: str
    left: Spot
    right: Spot
    tolerance: str


class CardPart(NamedTuple):
    """One stage of a card: when, what is needed from whom, tables, Probes, what goes where."""

    stage: str
    row: int
    norm: bool  # whether numbers are normalised in it
    clock: tuple[int, int] | None  # minutes, where it has any
    needs: Sequence[tuple[str, str]]  # pair, steps
    tables: Sequence[CardTable]
    checks: Sequence[ProbeLine]
    gives: Sequence[str]  # what is written on the wall


@dataclass(frozen=True)
class RoomNumbers:
    """How numbers are printed; without `solved` only given ones."""

    trace: Trace
    language: str
    solved: bool

    def given(self, name: str, i: int, j: int) -> str:
        """A number that stands on the paper."""
        step = self.trace[name]
        return number(float(step.values[i, j]), shown_decimals(step), self.language)

    @property
    def temperature(self) -> str:
        """What logits are divided by."""
        return self.plain(self.trace.preset.temperatures[drawing_row(self.trace.preset)])

    def head(self, catalogue: Catalogue, name: str) -> str:
        """The head that a step belongs to; "" where there is only one."""
        head = self.trace[name].place.head
        several = self.trace.preset.heads > 1
        return catalogue.t("room.head", head=head) if head and several else ""

    def plain(self, value: float) -> str:
        """A number that belongs to no step, such as a sum of weights, in full."""
        return number(guarded_number(value, GUARD), None, self.language)

    def answer(self, cell: Cell) -> str:
        """The right number of a cell; "" in a blank, which does not look it up."""
        return self.given(*cell) if self.solved else ""

    def side(self, expression: Expr) -> str:
        """What one side of a Probe comes to; "" in a blank."""
        if not self.solved:
            return ""
        return self.plain(float(evaluate(expression, self.trace.values)))


def cell_row(trace: Trace, source: str, row: int) -> int:
    """The row of a step that a table's logits start from: the only one of the last vector."""
    return 0 if trace[source].shape[0] == 1 else row


def vector_step(trace: Trace) -> str:
    """The step whose rows the logits are made from."""
    return trace["last"].inputs[0]


def band_of(trace: Trace, step: str) -> str:
    """The band of the wall that a step is written into, "" for none."""
    if step == vector_step(trace):
        return "vector"
    kind = trace[step].place.kind
    return {"output.all.logits": "next", PROBABILITIES: "word"}.get(
        step, kind if kind in (*HEARD, "weights") else ""
    )
