"""Where things stand on the tab Learn: what is chosen, the loss of each pass, three strips."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from generator.engine.loss import TARGET
from generator.engine.place import LEARNS, RATE
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.controls import ControlEntry
from generator.render.workbook.layout.tabs import learning, origin, title_of
from generator.steps import letter_of
from generator.steps.home import Home

FIRST_ROW = 4  # of the tab, under the title, the line of explanation and the warning
NAME, MESSAGE = 1, 5  # columns of the table of what is chosen
PASS, CHANCE, LOSS = 9, 10, 11  # columns of the losses
LAST_COLUMN = 17  # of a screen
CHART_ROWS = 13
GAP = 1  # columns between two strips
STRIPS = ("old", "slope", "new")


class WeightStrip(NamedTuple):
    """Columns and rows in which all weights, all gradients or all new weights stand."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def span(self) -> str:
        """Its address: "B12:E80"."""
        return f"{self.first}:{at(self.bottom, self.right)}"

    @property
    def fixed(self) -> str:
        """Its address that stays as it is wherever a formula is copied."""
        return f"{at(self.top, self.left, True)}:{at(self.bottom, self.right, True)}"

    @property
    def first(self) -> str:
        """The address of its upper left corner."""
        return at(self.top, self.left)


@dataclass(frozen=True)
class LearnLayout:
    """What is chosen on the first tab Learn, a row each, and what the weights are called.

    `titles` are headings, "Head 1 · Weight matrix W_Q", `names` short, "Head 1 · W_Q".
    """

    sheet: str
    entries: tuple[ControlEntry, ...]
    titles: Mapping[str, str]
    names: Mapping[str, str]

    @property
    def top(self) -> int:
        """The first row of the tables, under a heading and a line of column titles."""
        return FIRST_ROW + 2

    @property
    def switches_row(self) -> int:
        """The heading above the switches, one for each weight; 0 where there is none."""
        return next((entry.row - 1 for entry in self.entries if entry.kind == "learns"), 0)

    @property
    def rows(self) -> int:
        """How many rows the choices take."""
        return self.entries[-1].row + 1 - self.top


def plan_learn(trace: Trace, catalogue: Catalogue) -> LearnLayout | None:
    """The geometry of the tab Learn; None for a trace without training."""
    if RATE not in trace:
        return None
    cells = [("target", TARGET, 0)] if TARGET in trace else []
    cells += [("rate", RATE, 0)]
    weights, top = learning(trace), FIRST_ROW + 2
    cells += [("learns", LEARNS, k) for k in range(len(weights)) if LEARNS in trace]
    entries = tuple(
        ControlEntry(kind, step, i, 0, top + k + (kind == "learns"))  # under a heading of their own
        for k, (kind, step, i) in enumerate(cells)
    )
    return LearnLayout(
        sheet=title_of(trace, catalogue, Home("learn")),
        entries=entries,
        titles={w: _at(trace, catalogue, w, catalogue.step(w).partition(" (")[0]) for w in weights},
        names={w: _at(trace, catalogue, w, letter_of(w, trace).plain) for w in weights},
    )


def _at(trace: Trace, catalogue: Catalogue, weight: str, name: str) -> str:
    """A name with the tab that the weight belongs to on the way forward: "Head 1 · W_Q"."""
    return f"{origin(trace, catalogue, weight)} · {name}"


def strips(trace: Trace, top: int, bottom: int) -> tuple[WeightStrip, ...]:
    """The three strips between two rows, as wide as the widest weight."""
    wide = max(trace[name].shape[1] for name in learning(trace))
    lefts = (2 + k * (wide + GAP) for k in range(len(STRIPS)))
    return tuple(WeightStrip(top, left, bottom, left + wide - 1) for left in lefts)
