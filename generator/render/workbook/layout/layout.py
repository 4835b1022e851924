"""Gives every step of a trace its home in the workbook, and the echoes that formulas read."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.engine.place import place_of
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.glance import OWN, Glance, Sizes
from generator.render.workbook.layout.learn_layout import WeightStrip
from generator.render.workbook.layout.start_layout import (
    DECIDED,
    PAUSED,
    SETTINGS,
    StartLayout,
)
from generator.render.workbook.layout.tabs import Tab, round_prefix

FIRST_ROW = 4  # under the title, the line of explanation and an empty row

_PART = re.compile(r"(block|head|pass)(\d+)")


class TabLabel(NamedTuple):
    """A label of a row or column: a text, or a cell of a step that it repeats live."""

    row: int
    column: int
    text: str = ""
    step: str = ""
    cell: int = 0
    across: bool = False

    def shown(self, catalogue: Catalogue) -> str:
        """The text, translated where the catalogue knows it."""
        if self.step:
            return self.text
        if part := _PART.fullmatch(self.text):
            return catalogue.t(f"workbook.label.{part[1]}", number=part[2])
        return catalogue.phrases.get(f"workbook.label.{self.text}", self.text)


class HeadingLine(NamedTuple):
    """A heading line: the step that it explains, and its letter where a band has several.

    `functions` are the rows for its formula in functions, `live` the row for the arithmetic of
    the focus token; none and 0 for steps that nobody computes.
    """

    row: int
    step: str
    letter: str
    functions: tuple[int, ...] = ()
    live: int = 0


@dataclass
class Band:
    """Boxes that are read together: heading lines, boxes side by side, their labels."""

    top: int
    bottom: int
    lines: list[HeadingLine] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    labels: list[TabLabel] = field(default_factory=list)
    tags: dict[Box, tuple[int, int]] = field(default_factory=dict)
    rows: bool = False  # a list: the heading stands in the line of the numbers
    help_row: int = 0  # for hints and state, where pupils are asked for cells of the band
    picked: Box | None = None  # where the focus token's row of a table is shown once more


@dataclass(frozen=True)
class Sheet:
    """One tab, laid out."""

    tab: Tab
    bands: tuple[Band, ...]
    strips: tuple[WeightStrip, WeightStrip, WeightStrip] | None = (
        None  # of old weights, gradients, new weights
    )


class Layout:
    """All tabs of a workbook; where each step is at home and what a formula there refers to."""

    def __init__(
        self,
        trace: Trace,
        sheets: Sequence[Sheet],
        start: StartLayout,
        glance: Glance | Sizes | None = None,
    ) -> None:
        self.trace = trace
        self.sheets = tuple(sheets)
        self.start = start
        self.glance = glance if isinstance(glance, Glance) else None
        self.too_large = glance if isinstance(glance, Sizes) else None
        boxes = [box for sheet in sheets for band in sheet.bands for box in band.boxes]
        boxes += start.boxes
        self.homes: Mapping[str, Box] = {box.step: box for box in boxes if box.home}
        self._shown: dict[tuple[str, str], list[Box]] = {}
        for box in boxes:
            self._shown.setdefault((box.sheet, box.step), []).append(box)

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the tabs after the first: At a glance leads, Draw follows the output."""
        titles = [sheet.tab.title for sheet in self.sheets]
        if self.start.draw:
            output = next(sheet for sheet in self.sheets if sheet.tab.kind == "output")
            titles.insert(titles.index(output.tab.title) + 1, self.start.draw.sheet)
        return (*([self.glance.sheet] if self.glance else []), *titles)

    def home(self, step: str) -> Box:
        """Where a step is given or computed; aliases are resolved."""
        return self.homes[self.trace[step].name]

    def source(self, step: str, at: Box) -> Box:
        """The appearance of a step that a formula in the box `at` refers to: the nearest one."""
        home = self.home(step)
        shown = self._shown.get((at.sheet, home.step), [home])
        return min(shown, key=lambda box: _distance(box, at))

    def turned(self, step: str) -> bool:
        """Whether a step, or one that it is computed from, has its rows as columns at home."""
        read = (name for name in self.trace[step].inputs)
        return any(self.home(name).turned for name in (step, *read))

    def in_force(self, step: str, i: int, j: int) -> str | None:
        """The formula in the home of a given cell that the Start tab decides; None for others.

        For a control, at home on Start, that is the choice itself; for a token a look at it.
        """
        entry = self.start.entry(step, i, j)
        if entry is None:
            return None
        if entry.kind == "word":
            return f"={on(self.start.sheet, self.start.cells(entry).force)}"
        return self.start.force(entry)

    def input_of(self, step: str, i: int, j: int) -> tuple[str, str]:
        """Sheet and cell where somebody types a new value for a given cell."""
        entry = self.start.entry(step, i, j)
        if entry is not None:
            return self.start.page(entry), self.start.cells(entry).own
        home = self.home(step)
        return home.sheet, home.cell(i, j)

    @property
    def settings(self) -> Mapping[str, tuple[str, str]]:
        """Sheet and cell of each setting that is in force: never refused, never empty."""
        names = ("experiment", *SETTINGS)
        return {name: (self.start.sheet, self.start.setting(name).force) for name in names}

    @property
    def setting_inputs(self) -> Mapping[str, tuple[str, str]]:
        """Sheet and cell where each setting is typed in; a decided one is locked there."""
        names = ("experiment", *SETTINGS)
        rows = {name: self.start.setting(name) for name in names}
        own = {
            name: (self.start.sheet, row.force if name in DECIDED else row.own)
            for name, row in rows.items()
        }
        return own | ({"focus": (self.glance.sheet, OWN)} if self.glance else {})

    @property
    def paused(self) -> tuple[str, str]:
        """Sheet and cell that hold 1 while anything on Start differs from as delivered, else 0."""
        return self.start.sheet, at(FIRST_ROW + 1, PAUSED)

    @property
    def warning(self) -> tuple[str, str]:
        """Sheet and cell of the first message about a refused entry; its text is "" for none."""
        return self.start.sheet, "A3"

    def addresses(self, at: Box) -> Callable[[str, int, int], str]:
        """The `address(step, i, j)` of formulas in the box `at`: other sheets are named."""

        sources: dict[str, Box] = {}

        def address(step: str, i: int, j: int) -> str:
            box = sources.get(step) or sources.setdefault(step, self.source(step, at))
            cell = box.cell(i, j)
            return cell if box.sheet == at.sheet else on(box.sheet, cell)

        return address

    def echo_of(self, box: Box, i: int, j: int) -> str:
        """The address that the cell (i, j) of an echo repeats: always the home."""
        home = self.home(box.step)
        cell = home.cell(i, j)
        return cell if home.sheet == box.sheet else on(home.sheet, cell)

    def choices(self, band: Band) -> Iterator[tuple[Box, Box]]:
        """Each interval table of a band, and the home on the same tab of the word drawn by it."""
        for box in band.boxes:
            place = place_of(box.step)
            if place.kind == "sampling.digits":
                chosen = self.home(f"{round_prefix(place.round)}sampling.next")
                if chosen.sheet == box.sheet:
                    yield box, chosen


def box_for(step: Step, sheet: str, row: int, column: int, turned: bool, home: bool) -> Box:
    """A box of the step's size with its upper left corner there."""
    height, width = step.shape[::-1] if turned else step.shape
    return Box(step.name, sheet, row, column, height, width, turned, home)


def _distance(box: Box, at: Box) -> tuple[int, int]:
    rows = max(box.row - at.bottom, at.row - box.bottom, 0)
    columns = max(box.column - at.right, at.column - box.right, 0)
    return rows + columns, rows
