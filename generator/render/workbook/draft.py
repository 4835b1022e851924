"""A workbook in the making: everything that was decided before the first cell is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.exercise import Exercise
from generator.checks.judging import USUAL, Judging
from generator.engine.trace import Trace
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.render.owner import Owner
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box, defined_name
from generator.render.workbook.layout.checks import Checks, checks_of
from generator.render.workbook.layout.formats import NumberLook, look
from generator.render.workbook.layout.grid import ColumnGrid, grid
from generator.render.workbook.layout.kept import KeptTab, kept_of
from generator.render.workbook.layout.layout import Layout, Sheet
from generator.render.workbook.layout.symbols import TableNames
from generator.render.workbook.layout.texts import TabTexts
from generator.render.workbook.styles import Styles
from generator.version import __version__


@dataclass(frozen=True)
class Draft:
    """What the passes read; they change the pages of `workbook` and nothing else.

    `exercise` asks nothing in a solution. `looks` are by step; `grids` and `checks` by the title
    of a tab, `checks` only for tabs with asked cells. `judging` is what the teacher chose for them.
    `kept`: where a tab keeps what it was delivered with, by its title; not in an exercise.
    `owner`: whose file it is, where it is to come back.
    """

    workbook: Workbook
    layout: Layout
    catalogue: Catalogue
    exercise: Exercise
    styles: Styles
    texts: TabTexts
    names: TableNames
    looks: Mapping[str, NumberLook]
    grids: Mapping[str, ColumnGrid]
    checks: Mapping[str, Checks]
    judging: Judging
    kept: Mapping[str, KeptTab]
    owner: Owner | None

    @property
    def trace(self) -> Trace:
        """The computation without the numbers that are hidden."""
        return self.layout.trace

    @property
    def code(self) -> str:
        """What makes the workbook known again: preset, short content hash, version."""
        preset = self.trace.preset
        return f"{preset.name} · {preset.sha256[:8]} · {__version__}"

    @property
    def start_page(self) -> Worksheet:
        """The page of the first tab."""
        return self.workbook.worksheets[0]

    def tabs(self) -> Iterator[tuple[Worksheet, Sheet, Checks | None]]:
        """The tabs of steps, each with its page and its checks; Start and two more are others."""
        for sheet in self.layout.sheets:
            title = sheet.tab.title
            yield self.workbook[title], sheet, self.checks.get(title)

    def name(self, box: Box) -> None:
        """Gives the home of a step its defined name."""
        name = defined_name(box.step)
        self.workbook.defined_names[name] = DefinedName(name, attr_text=box.area())


def draft_of(
    exercise: Exercise,
    catalogue: Catalogue,
    judging: Judging = USUAL,
    owner: Owner | None = None,
) -> Draft:
    """The draft of an exercise, or of the solution where it asks nothing.

    Its trace has no hidden number, so nothing made from it can tell one.
    """
    trace = exercise.without_numbers()
    catalogue = checked_catalogue(catalogue, exercise.trace)
    layout = lay_out(trace, catalogue, exercise.asked)
    workbook = _empty(layout, catalogue)
    looks = {step.name: look(step) for step in trace}
    grids = {sheet.tab.title: grid(sheet, trace, catalogue, looks) for sheet in layout.sheets}
    return Draft(
        workbook=workbook,
        layout=layout,
        catalogue=catalogue,
        exercise=exercise,
        styles=Styles(workbook, given_locked=bool(exercise.asked)),
        texts=TabTexts(trace, catalogue.language),
        names=TableNames(trace, catalogue),
        looks=looks,
        grids=grids,
        checks=checks_of(layout, exercise, grids),
        judging=judging,
        kept=kept_of(layout.sheets, grids, not exercise.asked),
        owner=owner,
    )


def _empty(layout: Layout, catalogue: Catalogue) -> Workbook:
    """A workbook with empty tabs and the properties by which it is known again."""
    workbook, preset = Workbook(), layout.trace.preset
    workbook.worksheets[0].title = layout.start.sheet
    for title in layout.titles:
        workbook.create_sheet(title)
    properties = workbook.properties
    properties.title = preset.heading(catalogue.language)
    properties.creator = properties.lastModifiedBy = "Paperformer"
    properties.language = catalogue.language
    properties.identifier = f"paperformer/1|{preset.name}|{preset.sha256}|{__version__}"
    return workbook
