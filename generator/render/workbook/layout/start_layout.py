"""Where things stand on the tabs without steps, Start and Draw, and above the weights of Learn.

On Draw settings, words, intervals and twenty draws stand from left to right, on Learn what is
chosen and the loss of each pass. The controls are given cells that pupils change on one of them.
"""

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from openpyxl.utils import get_column_letter

from generator.engine.loss import TARGET
from generator.engine.place import LEARNS, RATE
from generator.engine.trace import Trace
from generator.insight.claims import SHOWS, checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.plans.experiments import experiments
from generator.render.workbook.layout import tabs
from generator.render.workbook.layout.box import Box, at, on
from generator.resources import table
from generator.steps import letter_of
from generator.steps.home import Home

SWITCHES = ("mask", "scale", "position", "heads")
SAMPLING = ("strategy", "k", "p", "random")
T = TypeVar("T")


class TableRow(NamedTuple, Generic[T]):
    """What a table has in a row: own value, as delivered, in force, message, running check."""

    name: T
    own: T
    delivered: T
    force: T
    message: T
    check: T


StartColumns = TableRow[int]  # the columns of a table
Cells = TableRow[str]  # the addresses of one row, on its own tab
CHECKS = 23  # on Draw the first one: message, running check, lists, then places of words
CONTROL = StartColumns(1, 3, 4, 5, 6, 16)
WORD = StartColumns(9, 10, 11, 12, 13, 17)
SETTING = StartColumns(9, 11, 0, 12, 13, 17)
LEARNING = StartColumns(1, 2, 3, 4, 5, 22)  # on the tab Learn, the running check on Start
SWITCH_WIDTHS = (11.0, 8.2, 5.6, 1.6)  # right of their names; a message stands on top, too
DRAWING = StartColumns(1, 2, 3, 4, CHECKS, CHECKS + 1)  # on the Draw tab
LAST_COLUMN, JOINED, LISTS, PAUSED, TROUBLES = 14, 18, 19, 20, 21


def cells(columns: StartColumns, row: int) -> Cells:
    """The addresses of a row; for a column that the table has not, there is none."""
    return Cells(*(f"{get_column_letter(c)}{row}" if c else "" for c in columns))


class ControlEntry(NamedTuple):
    """A given cell that has a row of its own on the Start tab, or on the Draw tab.

    `kind` says what may be typed in: switch, temperature, strategy, k, p, random or word; on the
    tab Learn a target, a rate and what learns. The row is one of a table with such `columns` on
    the tab `sheet`.
    """

    kind: str
    step: str
    i: int
    j: int
    row: int
    sheet: str
    columns: StartColumns = CONTROL

    @property
    def cells(self) -> Cells:
        """Where the row has what, on its own tab."""
        return cells(self.columns, self.row)


class ControlGroup(NamedTuple):
    """Rows of the table of controls under one heading."""

    key: str
    row: int
    entries: tuple[ControlEntry, ...]


SWITCHED, CHOSEN = ("switches",), ("temperatures", "sampling")  # the groups of the controls


def groups_of(
    trace: Trace, top: int, keys: Sequence[str], sheet: str, columns: StartColumns = CONTROL
) -> tuple[ControlGroup, ...]:
    """The groups of controls of these keys from row `top` on: only those that the trace has."""
    later = (f"round{k}.sampling.random" for k in range(2, trace.rounds + 1))
    steps = {
        "switches": [f"switch.{name}" for name in SWITCHES],
        "temperatures": ["temperature"],
        "sampling": [*(f"sampling.{name}" for name in SAMPLING), *later],
    }
    kinds = {"switches": "switch", "temperatures": "temperature"}
    groups = []
    for key in keys:
        known = [
            ControlEntry(kinds.get(key) or step.rpartition(".")[2], step, i, j, 0, sheet, columns)
            for step in steps[key]
            if step in trace
            for i, j in np.ndindex(trace[step].shape)
        ]
        if known:
            rows = enumerate(known, start=top + 1)
            entries = tuple(entry._replace(row=row) for row, entry in rows)
            groups.append(ControlGroup(key, top, entries))
            top += 1 + len(known)
    return tuple(groups)


def below(groups: Sequence[ControlGroup], top: int) -> int:
    """The first row that a table from `top` on leaves free."""
    return groups[-1].entries[-1].row + 1 if groups else top


FIRST_ROW = 4  # of Draw and Learn, under the title, the line of explanation and the warning
MOST_WORDS, DRAWS = 10, 20  # what fits on one screen


class DrawTable(NamedTuple):
    """One of the tables from left to right: its key in the catalogue, columns, and their titles."""

    key: str
    first: int
    widths: Sequence[float]
    titles: Sequence[str] = ()

    @property
    def last(self) -> int:
        """The last column."""
        return self.first + len(self.widths) - 1


DRAW = table("render/workbook/tabs.toml")["draw"].items()
SET, SORTED, INTERVALS, DRAWN = PARTS = [DrawTable(key, **part) for key, part in DRAW]
NARROW = 1.6  # characters of a column between two tables
WIDTHS = [width for part in PARTS for width in (*part.widths, NARROW)][:-1]
HIT, REFUSED = CHECKS + 3, CHECKS + 8  # the place of the word hit; the first message


class DrawLayout:
    """The Draw tab of a trace that chooses a next token; `words` are all of its vocabulary.

    `shown` have a row of their own in each table, from `top` on; the others share `rest_row`. In
    `hit_row` stands the word that the random number hits, in `hit_place` its place in the
    vocabulary, from 1; `strategies_row` says what the strategies do. `refused` is the cell with the
    first message about an entry of this tab, the draws included.
    """

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.sheet = catalogue.t("workbook.tab.draw")
        self.words = trace["sampling.share"].shape[1]
        self.shown = min(self.words, MOST_WORDS)
        self.top = FIRST_ROW + 2  # under a heading and a line of column titles
        self.groups = groups_of(trace, self.top, CHOSEN, self.sheet, DRAWING)
        self.rest_row = self.top + self.shown
        self.hit_row = below(self.groups, self.top) + 1
        self.strategies_row = max(self.hit_row + 1, self.rest_row) + 1
        self.bottom = max(self.top + DRAWS, self.strategies_row + 4) - 1
        self.refused = at(self.top + DRAWS - 1, REFUSED)
        self.hit_place = at(FIRST_ROW + 1, HIT, fixed=True)

    def column(self, first: int, rows: int) -> str:
        """So many rows of a column from the first row of the tables on: "$T$6:$T$25"."""
        return f"{at(self.top, first, True)}:{at(self.top + rows - 1, first, True)}"


def draws(trace: Trace) -> bool:
    """Whether a next token is chosen from settings."""
    chosen = trace.steps.get("sampling.next")
    return chosen is not None and chosen.kind != "given" and "sampling.strategy" in trace


GAP = 1  # columns between two strips
LEAST_STRIP = 3  # columns: the losses stand above the second strip
STRIPS = ("old", "slope", "new")


class LearnLayout:
    """What is chosen on the first tab Learn, a row each, and what the weights are called.

    `titles` are headings, "Head 1 · Weight matrix W_Q", `names` short, "Head 1 · W_Q". The tables
    begin at `top`, those of losses, `chance` and `loss`, above the second strip;
    `switches_row` is the heading above the switches, one for each weight, 0 where there is none;
    they stand right of the weights. The choices take `rows`.
    """

    def __init__(self, trace: Trace, catalogue: Catalogue) -> None:
        self.sheet = tabs.title_of(trace, catalogue, Home("learn"))
        weights, self.top = tabs.learning(trace), FIRST_ROW + 2  # under a heading and column titles
        cells = [("target", TARGET, 0)] if TARGET in trace else []
        cells += [("rate", RATE, 0)]
        switches = len(weights) if LEARNS in trace else 0
        self.rows = max(len(cells), tabs.trainings(trace) + 1)
        self.switches_row, below = self.top + self.rows + 1, self.top + self.rows + 3
        _, slope, new = strips(trace, 1, 1)
        self.loss = min(slope.right, slope.column + 3)
        self.passes, self.chance, self.chart = (self.loss + k for k in (-2, -1, 2))
        name, own, delivered, force, message = (new.right + GAP + k for k in range(1, 6))
        self.switched = StartColumns(name, own, delivered, force, message, LEARNING.check)
        self.entries = tuple(
            ControlEntry(kind, step, i, 0, row, self.sheet, LEARNING)
            for row, (kind, step, i) in enumerate(cells, start=self.top)
        ) + tuple(
            ControlEntry("learns", LEARNS, k, 0, below + k, self.sheet, self.switched)
            for k in range(switches)
        )
        self.switches_row = self.switches_row if switches else 0
        at = {weight: tabs.origin(trace, catalogue, weight) for weight in weights}
        steps = {weight: catalogue.step(weight).partition(" (")[0] for weight in weights}
        way = catalogue.t("workbook.learn.turned")
        self.titles = {w: f"{at[w]} · {steps[w]}{way * lying(trace, w)}" for w in weights}
        self.names = {w: f"{at[w]} · {letter_of(w, trace).plain}" for w in weights}


def lying(trace: Trace, weight: str) -> bool:
    """Whether a weight is wider than a strip, and is shown turned: so three stand on a screen."""
    return trace[weight].shape[1] > strip_width(trace)


def strip_width(trace: Trace) -> int:
    """The columns of a strip: of the widest weight as it is shown, its shorter side across."""
    return max(LEAST_STRIP, *(min(trace[name].shape) for name in tabs.learning(trace)))


def strips(trace: Trace, top: int, bottom: int) -> tuple[Box, ...]:
    """The three strips between two rows, as wide as the widest weight."""
    wide = strip_width(trace)
    lefts = (2 + k * (wide + GAP) for k in range(len(STRIPS)))
    return tuple(Box("", "", top, left, bottom + 1 - top, wide) for left in lefts)


HEAD_ROW = 5  # under the title, the live sentence, the warning and what the workbook is
TO_DO = 5  # and one more in an exercise
SETTINGS = ("focus", "judge", "tolerance", "interim")
DECIDED = SETTINGS[1:]  # with the file, by the teacher
LONGEST_LINE = 125  # letters on one screen beside the label
LEADING = 4  # words whose probability is compared with the delivered one
WIDTH = 11.0  # characters of a column
NOTHING_NEXT = "–"  # where it cannot be computed; the message says why


class StartLayout:
    """The Start tab of a trace with controls, row by row; it needs no other tab.

    Where there is a Draw tab, `draw`, what belongs to drawing is typed in there; the rows of
    `mirrored` repeat it. What belongs to training is typed in on the tab Learn, `learn`. Where it
    is not `solved` there is no Draw tab and no comparison: they would tell answers. `entries` are
    all rows in which something can be typed, but for the settings; `by_cell` those of given cells.
    """

    def __init__(self, trace: Trace, catalogue: Catalogue, solved: bool = True) -> None:
        self.sheet = catalogue.t("workbook.tab.start")
        self.draw = DrawLayout(trace, catalogue) if solved and draws(trace) else None
        self.learn = LearnLayout(trace, catalogue) if RATE in trace else None
        self.experiments = experiments(trace)
        self.shows = shows(trace, catalogue)
        self.head = ["sentence", "rounding"]
        self.head += ["guard"] if trace.rounding == "paper" else []
        self.head += ["more" if k else "shows" for k in range(len(self.shows))]
        self.head += ["numbers"] if catalogue.t("workbook.start.chosen") else []
        self.leads = solved and "sampling.share" in trace
        self.experiments_row = HEAD_ROW + TO_DO + (2 if solved else 3)
        self.experiment = cells(CONTROL, self.experiments_row + 1)  # where one is chosen
        self.changes_row = self.experiments_row  # of what has changed, in a solution
        self.changes_row += 3 + len(self.experiments) if self.experiments else 0
        self.legend_row = self.changes_row + 2 if self.leads else HEAD_ROW
        self.head_row = self.changes_row + (6 if self.leads else 2 if solved else 1)
        self.tables_row = self.head_row + len(self.head) + 1
        top = self.tables_row + 2
        number = len(trace.tokens) if "onehot" in trace else 0  # looked up in a vocabulary
        self.words = [
            ControlEntry("word", "tokens", i, 0, top + i, self.sheet, WORD) for i in range(number)
        ]
        self.delivered = trace.tokens[:number]
        here = SWITCHED if self.draw else (*SWITCHED, *CHOSEN)
        self.groups = groups_of(trace, top, here, self.sheet)
        left = below(self.groups, top)
        self.mirrored = groups_of(trace, left, CHOSEN, self.sheet) if self.draw else ()
        self.strategies_row = below((*self.groups, *self.mirrored), top)
        self.settings_row = self.words[-1].row + 2 if self.words else self.tables_row
        rows = enumerate(SETTINGS, start=self.settings_row + 2)
        self.settings = {name: cells(SETTING, row) for row, name in rows}
        left = self.strategies_row + (1 if self.draw else 4)
        self.map_row = max(left, self.settings_row + 2 + len(SETTINGS)) + 1
        groups = (*self.groups, *(self.draw.groups if self.draw else ()))
        self.entries = [entry for group in groups for entry in group.entries]
        self.entries += [*self.words, *(self.learn.entries if self.learn else ())]
        self.by_cell = {(entry.step, entry.i, entry.j): entry for entry in self.entries}

    @property
    def boxes(self) -> list[Box]:
        """The homes of the controls: one box a step, its cells one below the other."""
        boxes, typed = [], (entry for entry in self.entries if entry.kind != "word")
        for step, run in groupby(typed, key=lambda entry: entry.step):
            entries = list(run)
            first, across = entries[0], 1 + max(entry.j for entry in entries)
            place = first.sheet, first.row, first.columns.force
            boxes.append(Box(step, *place, len(entries), 1, listed=across))
        return boxes

    def force(self, entry: ControlEntry) -> str:
        """The formula of what is in force: the experiment, else the own value, else as delivered.

        An own value with a message is refused.
        """
        row = entry.cells
        text = f'{row.own}&""'
        ways = {"word": text, "target": text, "random": tabs.between_0_and_1(row.own)}
        taken = ways.get(entry.kind, row.own)
        chosen = f'IF({row.message}="",IF({row.own}="",{row.delivered},{taken}),{row.delivered})'
        experiment_in_force = self.experiment.force
        if entry.sheet != self.sheet:
            experiment_in_force = on(self.sheet, experiment_in_force)
        for number, experiment in enumerate(self.experiments, start=1):
            value = experiment.changes.get((entry.step, entry.i, entry.j))
            if value is not None:
                chosen = f"IF({experiment_in_force}={number},{self._literal(value)},{chosen})"
        return f"={chosen}"

    def _literal(self, value: float | str) -> str:
        """A number or a strategy as it is; a word by the cell in which it was delivered."""
        if not isinstance(value, str):
            return f"{value:g}"
        if value in self.delivered:
            return self.words[self.delivered.index(value)].cells.delivered
        return f'"{value}"'


def shows(trace: Trace, catalogue: Catalogue) -> list[str]:
    """What there is to see in this model, in lines that fit on the tab; often nothing."""
    text = trace.preset.shows.get(catalogue.language, "")
    return wrap(checked_catalogue(catalogue, trace).only(SHOWS, text), LONGEST_LINE)
