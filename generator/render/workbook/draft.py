"""A workbook in the making: everything that was decided before the first cell is written."""

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.workbook import Workbook

from generator.checks.exercise import OPEN, Exercise
from generator.checks.judging import USUAL, Judging
from generator.checks.verdict import PAUSED, TOLERANCE, WHEN
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.notation.excel import Excel
from generator.render.owner import Owner
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box, at, defined_name, on
from generator.render.workbook.layout.checks import ABOUT_ROW, checks_of, kept_of, waits_of
from generator.render.workbook.layout.tabs import focus_place
from generator.render.workbook.layout.texts import MASKED, TableNames
from generator.render.workbook.styles import Styles
from generator.version import __version__

SETTINGS = {TOLERANCE: "tolerance", WHEN: "judge"}


class Draft:
    """What the passes read; they change the pages of `workbook` and nothing else.

    `exercise` asks nothing in a solution. `judging` is what the teacher chose for its checks.
    `owner`: whose file it is, where it is to come back. A tab is called as the model's norm is,
    and a sentence is said only where it holds.
    """

    def __init__(
        self,
        exercise: Exercise,
        catalogue: Catalogue,
        judging: Judging = USUAL,
        owner: Owner | None = None,
    ) -> None:
        self.exercise, self.judging, self.owner = exercise, judging, owner
        self.catalogue = checked_catalogue(catalogue, exercise.trace)
        # the computation without the hidden numbers, so nothing made here can tell one
        self.trace = exercise.without_numbers()
        self.layout = lay_out(self.trace, self.catalogue, exercise.asked)
        self.names = TableNames(self.trace, self.catalogue)
        # by the title of a tab; a copy of what it was delivered with would tell answers
        self.checks = checks_of(self.layout, exercise)
        self.waits = waits_of(self.layout, exercise, self.checks)
        self.kept = {} if exercise.asked else kept_of(self.layout)
        # the place of the focus token, from 0, before anybody chooses another
        self.focus = focus_place(self.trace, exercise.asked)
        self.workbook, preset = Workbook(), self.trace.preset  # first with empty tabs
        self.styles = Styles(self.workbook, given_locked=bool(exercise.asked))
        self.workbook.worksheets[0].title = self.layout.start.sheet
        for title in self.layout.titles:
            self.workbook.create_sheet(title)
        properties = self.workbook.properties  # by which it is known again
        properties.title = preset.heading(self.catalogue.language)
        properties.creator = properties.lastModifiedBy = "Paperformer"
        properties.language = self.catalogue.language
        properties.identifier = f"paperformer/1|{preset.name}|{preset.sha256}|{__version__}"

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

    def excel(self, box: Box, **known: str) -> Excel:
        """Formulas in a box; those of checks read settings, counts and a block's gate as well.

        What is `known` by name stands for the cells of that step.
        """
        address = self.layout.addresses(box)
        if self.checks:
            first = next(iter(self.checks.values()))
            known |= {step: on(*self.layout.settings[name]) for step, name in SETTINGS.items()}
            known[OPEN] = on(first.title, at(ABOUT_ROW, first.state("blank"), fixed=True))
            known[PAUSED] = on(*self.layout.paused)
        return Excel(lambda step, i, j: known[step] if step in known else address(step, i, j))

    def told(self, step: str) -> bool:
        """Whether a step's formula in words stands beside its heading: not what a test asks."""
        return self.judging.helps or all(name != step for name, _, _ in self.exercise.asked)

    # Numbers and words that other tabs show again -------------------------------------------------

    def cell(self, step: str, i: int = 0, j: int = 0) -> str:
        """The address of a step's cell, as other tabs refer to it."""
        home = self.layout.homes[step]
        return on(home.sheet, home.cell(i, j))

    def area(self, step: str) -> str:
        """The address of all cells of a step, as other tabs refer to it."""
        return self.layout.homes[step].area()

    def ranked(self, most: int) -> list[int]:
        """The places, from 0, of the likeliest words as delivered, at most so many."""
        ranks = self.trace["sampling.rank"].values[0]
        return sorted(range(len(ranks)), key=lambda j: float(ranks[j]))[:most]
