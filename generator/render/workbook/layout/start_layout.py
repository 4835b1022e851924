"""Where things stand on the Start tab, as far as other tabs refer to them or they to others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap
from typing import NamedTuple

from openpyxl.utils import get_column_letter

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.insight.claims import SHOWS, checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.plans.experiments import Experiment, experiments
from generator.render.workbook.layout.box import Box, on
from generator.render.workbook.layout.controls import (
    CHOSEN,
    LEARNED_HERE,
    SWITCHED,
    ControlEntry,
    ControlGroup,
    below,
    place,
    place_words,
)
from generator.render.workbook.layout.draw_layout import CHECKS, DrawLayout, plan_draw
from generator.render.workbook.layout.learn_layout import LearnLayout, plan_learn
from generator.render.workbook.layout.tabs import between_0_and_1

HEAD_ROW = 4  # under the title, the live sentence and the warning
TO_DO = 5
SETTINGS = ("focus", "judge", "tolerance", "interim")
DECIDED = SETTINGS[1:]  # with the file, by the teacher
LONGEST_LINE = 125  # letters on one screen beside the label
CHANGES = 7  # rows of what has changed
LEADING = 4  # words whose probability is compared with the delivered one
WIDTH = 11.0  # characters of a column
NOTHING_NEXT = "–"  # where it cannot be computed; the message says why


class StartColumns(NamedTuple):
    """The columns of a table: own value, as delivered, in force, message, running check."""

    name: int
    own: int
    delivered: int
    force: int
    message: int
    check: int


CONTROL = StartColumns(1, 3, 4, 5, 6, 16)
WORD = StartColumns(9, 10, 11, 12, 13, 17)
SETTING = StartColumns(9, 11, 0, 12, 13, 17)
LEARNING = StartColumns(1, 2, 3, 4, 5, 22)  # on the tab Learn, the running check on Start
DRAWING = StartColumns(1, 2, 3, 4, CHECKS, CHECKS + 1)  # on the Draw tab
LAST_COLUMN, JOINED, LISTS, PAUSED, TROUBLES = 14, 18, 19, 20, 21


class Cells(NamedTuple):
    """The addresses of one row of a table, on the Start tab itself."""

    name: str
    own: str
    delivered: str
    force: str
    message: str
    check: str


@dataclass(frozen=True)
class StartLayout:
    """The Start tab, row by row; the homes of the controls and the formulas in them.

    Where there is a Draw tab, `draw`, what belongs to drawing is typed in there; the rows of
    `mirrored` repeat it. What belongs to training is typed in on the tab Learn, `learn`.
    """

    sheet: str
    draw: DrawLayout | None
    learn: LearnLayout | None
    head: tuple[str, ...]
    groups: tuple[ControlGroup, ...]
    mirrored: tuple[ControlGroup, ...]
    words: tuple[ControlEntry, ...]
    delivered: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    tables_row: int
    settings_row: int

    @property
    def to_do_row(self) -> int:
        """The heading above what to do."""
        return to_do_row(self.head)

    @property
    def experiments_row(self) -> int:
        """The heading above the experiments; the row below is where one is chosen."""
        return experiments_row(self.head)

    @property
    def changes_row(self) -> int:
        """The heading above what has changed, in a solution: between experiments and tables."""
        return self.tables_row - CHANGES

    @property
    def strategies_row(self) -> int:
        """The first row below the table of controls."""
        return below((*self.groups, *self.mirrored), self.tables_row + 2)

    @property
    def entries(self) -> tuple[ControlEntry, ...]:
        """All rows in which something can be typed, but for the settings."""
        groups = (*self.groups, *(self.draw.groups if self.draw else ()))
        controls = (entry for group in groups for entry in group.entries)
        return (*controls, *self.words, *(self.learn.entries if self.learn else ()))

    def page(self, entry: ControlEntry) -> str:
        """The title of the tab on which the row of an entry stands."""
        if self.learn and entry.kind in LEARNED_HERE:
            return self.learn.sheet
        return self.draw.sheet if self.draw and entry.drawn else self.sheet

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The homes of the controls: one box a step, its cells one below the other."""
        by_step: dict[str, list[ControlEntry]] = {}
        for entry in self.entries:
            if entry.kind != "word":
                by_step.setdefault(entry.step, []).append(entry)
        return tuple(self._box(entries) for entries in by_step.values())

    def cells(self, entry: ControlEntry) -> Cells:
        """Where the row of an entry has what, on its own tab."""
        return cells(columns_of(entry), entry.row)

    def entry(self, step: str, i: int, j: int) -> ControlEntry | None:
        """The row in which a given cell is changed; None where it is typed in at its home."""
        return self._by_cell.get((step, i, j))

    def force(self, entry: ControlEntry) -> str:
        """The formula of what is in force: the experiment, else the own value, else as delivered.

        An own value with a message is refused.
        """
        row = self.cells(entry)
        text = f'{row.own}&""'
        ways = {"word": text, "target": text, "random": between_0_and_1(row.own)}
        taken = ways.get(entry.kind, row.own)
        chosen = f'IF({row.message}="",IF({row.own}="",{row.delivered},{taken}),{row.delivered})'
        experiment_in_force = self.experiment.force
        if entry.drawn:
            experiment_in_force = on(self.sheet, experiment_in_force)
        for number, experiment in enumerate(self.experiments, start=1):
            value = experiment.changes.get((entry.step, entry.i, entry.j))
            if value is not None:
                chosen = f"IF({experiment_in_force}={number},{self._literal(value)},{chosen})"
        return f"={chosen}"

    @property
    def experiment(self) -> Cells:
        """The row in which an experiment is chosen."""
        return cells(CONTROL, self.experiments_row + 1)

    def setting(self, name: str) -> Cells:
        """The row of a setting."""
        if name == "experiment":
            return self.experiment
        return cells(SETTING, self.settings_row + 2 + SETTINGS.index(name))

    @property
    def map_row(self) -> int:
        """The heading above the map."""
        left = self.strategies_row + (1 if self.draw else 4)
        return max(left, self.settings_row + 2 + len(SETTINGS)) + 1

    @cached_property
    def _by_cell(self) -> Mapping[Cell, ControlEntry]:
        return {(entry.step, entry.i, entry.j): entry for entry in self.entries}

    def _box(self, entries: Sequence[ControlEntry]) -> Box:
        first = entries[0]
        across = 1 + max(entry.j for entry in entries)
        place = first.row, columns_of(first).force
        return Box(first.step, self.page(first), *place, len(entries), 1, listed=across)

    def _literal(self, value: float | str) -> str:
        """A number or a strategy as it is; a word by the cell in which it was delivered."""
        if not isinstance(value, str):
            return f"{value:g}"
        if value in self.delivered:
            return cells(WORD, self.words[self.delivered.index(value)].row).delivered
        return f'"{value}"'


def plan_start(trace: Trace, catalogue: Catalogue, solved: bool = True) -> StartLayout:
    """The geometry of the Start tab for a trace with controls; it needs no other tab.

    Where it is not `solved` there is no Draw tab and no comparison: they would tell answers.
    """
    catalogue = checked_catalogue(catalogue, trace)
    draw = plan_draw(trace, catalogue) if solved else None
    head = ["sentence", "rounding"]
    head += ["guard"] if trace.rounding == "paper" else []
    head += ["more" if k else "shows" for k in range(len(shows(trace, catalogue)))]
    head += ["numbers"] if catalogue.t("workbook.start.chosen") else []
    chosen = experiments(trace)
    top = experiments_row(head) + (4 + len(chosen) if chosen else 0)
    top += CHANGES if solved else 0
    words = place_words(trace, top + 2)
    groups = place(trace, top + 2, SWITCHED if draw else (*SWITCHED, *CHOSEN))
    return StartLayout(
        sheet=catalogue.t("workbook.tab.start"),
        draw=draw,
        learn=plan_learn(trace, catalogue),
        head=tuple(head),
        groups=groups,
        mirrored=place(trace, below(groups, top + 2), CHOSEN) if draw else (),
        words=words,
        delivered=trace.tokens if words else (),
        experiments=chosen,
        tables_row=top,
        settings_row=words[-1].row + 2 if words else top,
    )


def shows(trace: Trace, catalogue: Catalogue) -> list[str]:
    """What there is to see in this model, in lines that fit on the tab; often nothing."""
    text = trace.preset.shows.get(catalogue.language, "")
    return wrap(checked_catalogue(catalogue, trace).only(SHOWS, text), LONGEST_LINE)


def to_do_row(head: Sequence[str]) -> int:
    """The heading under the lines that say what this is."""
    return HEAD_ROW + len(head) + 1


def experiments_row(head: Sequence[str]) -> int:
    """The heading under what to do."""
    return to_do_row(head) + 1 + TO_DO + 1


def columns_of(entry: ControlEntry) -> StartColumns:
    """The columns of the table in which the row of an entry stands."""
    if entry.kind == "word":
        return WORD
    if entry.kind in LEARNED_HERE:
        return LEARNING
    return DRAWING if entry.drawn else CONTROL


def cells(columns: StartColumns, row: int) -> Cells:
    """The addresses of a row; for a column that the table has not, there is none."""
    return Cells(*(f"{get_column_letter(c)}{row}" if c else "" for c in columns))
