"""A workbook in the making: everything that was decided before the first cell is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.workbook import Workbook

from generator.checks.exercise import OPEN, Exercise
from generator.checks.judging import USUAL, Judging
from generator.checks.verdict import GATE, PAUSED, TOLERANCE, WHEN
from generator.engine.trace import Trace
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.notation.excel import Excel, Functions, one_of
from generator.render.owner import Owner
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box, at, defined_name, on
from generator.render.workbook.layout.checks import ABOUT_ROW, Checks, KeptTab, checks_of, kept_of
from generator.render.workbook.layout.formats import MASKED
from generator.render.workbook.layout.layout import Layout
from generator.render.workbook.layout.symbols import TableNames
from generator.render.workbook.layout.tabs import focus_place
from generator.render.workbook.styles import Styles
from generator.version import __version__

SETTINGS = {TOLERANCE: "tolerance", WHEN: "judge"}


@dataclass(frozen=True)
class Draft:
    """What the passes read; they change the pages of `workbook` and nothing else.

    `exercise` asks nothing in a solution. `judging` is what the teacher chose for its checks.
    `owner`: whose file it is, where it is to come back.
    """

    exercise: Exercise
    catalogue: Catalogue
    judging: Judging = USUAL
    owner: Owner | None = None

    @cached_property
    def trace(self) -> Trace:
        """The computation without the hidden numbers, so nothing made here can tell one."""
        return self.exercise.without_numbers()

    @cached_property
    def layout(self) -> Layout:
        """Where everything stands."""
        return lay_out(self.trace, self.catalogue, self.exercise.asked)

    @cached_property
    def workbook(self) -> Workbook:
        """First with empty tabs and the properties by which it is known again."""
        workbook, preset = Workbook(), self.trace.preset
        workbook.worksheets[0].title = self.layout.start.sheet
        for title in self.layout.titles:
            workbook.create_sheet(title)
        properties = workbook.properties
        properties.title = preset.heading(self.catalogue.language)
        properties.creator = properties.lastModifiedBy = "Paperformer"
        properties.language = self.catalogue.language
        properties.identifier = f"paperformer/1|{preset.name}|{preset.sha256}|{__version__}"
        return workbook

    @cached_property
    def styles(self) -> Styles:
        """The looks of cells."""
        return Styles(self.workbook, given_locked=bool(self.exercise.asked))

    @cached_property
    def names(self) -> TableNames:
        """What tables are called."""
        return TableNames(self.trace, self.catalogue)

    @cached_property
    def checks(self) -> Mapping[str, Checks]:
        """The checks by the title of a tab, of tabs with asked cells only."""
        return checks_of(self.layout, self.exercise)

    @cached_property
    def kept(self) -> Mapping[str, KeptTab]:
        """Where a tab keeps what it was delivered with: an exercise would tell the answers."""
        return {} if self.exercise.asked else kept_of(self.layout)

    @cached_property
    def focus(self) -> int:
        """The place of the focus token, from 0, before anybody chooses another."""
        return focus_place(self.trace, self.exercise.asked)

    @property
    def code(self) -> str:
        """What makes the workbook known again: preset, short content hash, version."""
        preset = self.trace.preset
        return f"{preset.name} · {preset.sha256[:8]} · {__version__}"

    def define(self, box: Box) -> None:
        """Gives the home of a step its defined name."""
        name = defined_name(box.step)
        self.workbook.defined_names[name] = DefinedName(name, attr_text=box.area())

    # What stands in cells -------------------------------------------------------------------------

    def shown(self, step: str, i: int, j: int) -> float | str:
        """What a cell of a step shows before anybody recalculates; nothing for hidden cells."""
        if self.exercise.hides(step, i, j):
            return ""
        value = self.trace[step].values[i, j]
        if isinstance(value, str):
            return str(value)
        return MASKED if value == -float("inf") else float(value)

    def functions(self, box: Box) -> Functions:
        """Formulas in a box as a person reads them in its cells."""
        return Functions(self.layout.addresses(box), self.catalogue.language)

    def excel(self, box: Box, gate: str = "") -> Excel:
        """Formulas in a box; those of checks read settings, counts and a block's gate as well."""
        address = self.layout.addresses(box)
        if not self.checks:
            return Excel(address)
        first, layout = next(iter(self.checks.values())), self.layout
        known = {step: on(*layout.settings[name]) for step, name in SETTINGS.items()}
        known[OPEN] = on(first.title, at(ABOUT_ROW, first.columns.state("blank"), fixed=True))
        known[GATE], known[PAUSED] = gate, on(*layout.paused)
        return Excel(lambda step, i, j: known[step] if step in known else address(step, i, j))

    # Numbers and words that other tabs show again -------------------------------------------------

    def cell(self, step: str, i: int = 0, j: int = 0, fixed: bool = False) -> str:
        """The address of a step's cell, as other tabs refer to it."""
        home = self.layout.homes[step]
        return on(home.sheet, at(*home.place(i, j), fixed))

    def area(self, step: str) -> str:
        """The address of all cells of a step, as other tabs refer to it."""
        return self.layout.homes[step].area()

    def at(self, step: str, place: str) -> str:
        """The number at a place, from 1, of a step of one row or one column."""
        return one_of(self.layout.homes[step].area(), place)

    def ranked(self, most: int) -> list[int]:
        """The places, from 0, of the likeliest words as delivered, at most so many."""
        ranks = self.trace["sampling.rank"].values[0]
        return sorted(range(len(ranks)), key=lambda j: float(ranks[j]))[:most]


def draft_of(
    exercise: Exercise, catalogue: Catalogue, judging: Judging = USUAL, owner: Owner | None = None
) -> Draft:
    """The draft of an exercise, or of the solution where it asks nothing.

    A tab is called as the model's norm is, and a sentence is said only where it holds.
    """
    return Draft(exercise, checked_catalogue(catalogue, exercise.trace), judging, owner)
