"""Gives every step of a trace its home in the workbook, and the echoes that formulas read.

Also how wide the columns of a tab are: wide enough for its numbers, all of them on one screen.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from generator.engine.place import place_of
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout import start_layout as plan
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.glance import Glance
from generator.render.workbook.layout.tabs import FOCUS_ROW, OWN, Tab, by_token, tokens_of
from generator.render.workbook.layout.texts import NumberLook, TabTexts, look, pieces
from generator.render.workbook.layout.whole import Whole

FIRST_ROW = 4  # under the title, the line of explanation and an empty row

NARROWEST, WIDEST = 7.8, 17.0  # characters of a column of numbers
ENTRY = 11.0  # "dein Eintrag"
WIDEST_HEAD = 13.0  # for words above columns
SQUEEZED = 4.6  # the least, where a tab has more columns than a screen
FIRST_NARROWEST, FIRST_WIDEST, LIST_WIDEST = 18.0, 26.0, 36.0
LABELS = 26.0  # of what is chosen, beside the old weights
SCREEN = 175.0  # characters that fit on a screen of 1366 pixels
BESIDE = 160.0  # of these, so many beside the bar at the side of LibreOffice
SCREEN_COLUMNS = 17  # so many at least, all of them on the screen
SMALLEST_ZOOM = 50
LINK_COLUMN = 14  # of the way back, or the last one
WORDS_COLUMN = 6  # the formula in words, right of the step's title
PAGE_WIDE = 93.0  # characters from there to the page's end

_PART = re.compile(r"(block|head|pass)(\d+)")


class ColumnGrid(NamedTuple):
    """The widths of a tab's columns from the first on, the last one of headings, and the zoom."""

    widths: tuple[float, ...]
    right: int
    zoom: int

    @property
    def link(self) -> int:
        """The column of the way back, on the screen."""
        return min(LINK_COLUMN, len(self.widths))

    @property
    def numbers(self) -> float:
        """The width of a column of numbers."""
        return self.widths[1]

    def span(self, first: int, last: int) -> float:
        """The characters of the columns from `first` to `last`, counted from 1."""
        return math.fsum(self.widths[first - 1 : last])


class TabLabel(NamedTuple):
    """A label of a row or column: a text, or a cell of a step that it repeats live."""

    row: int
    column: int
    text: str = ""
    step: str = ""
    cell: int = 0
    across: bool = False
    heading: bool = False  # over all of a band

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
    the focus token; none and 0 for steps that nobody computes. `below`: its title is so long that
    its formula in words stands one row below.
    """

    row: int
    step: str
    letter: str
    functions: tuple[int, ...] = ()
    live: int = 0
    below: bool = False

    @property
    def words(self) -> int:
        """The row of its formula in words."""
        return self.row + self.below

    def lines(self, formula: str) -> list[tuple[int, str]]:
        """A formula over the rows that there are for it."""
        return [*zip(self.functions, pieces(formula, rows=len(self.functions)), strict=False)]


@dataclass
class Band:
    """Boxes that are read together: heading lines, boxes side by side, their labels."""

    top: int
    bottom: int
    known: Set[str] = frozenset()  # the steps that are at home here
    lines: list[HeadingLine] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    labels: list[TabLabel] = field(default_factory=list)
    tags: dict[Box, tuple[int, int]] = field(default_factory=dict)
    rows: bool = False  # a list: the heading stands in the line of the numbers
    help_row: int = 0  # for hints and state, where pupils are asked for cells of the band
    picked: tuple[Box, ...] = ()  # where the focus token's row of a table is shown once more
    charted: Box | None = None  # the one whose chart stands here


@dataclass(frozen=True)
class Sheet:
    """One tab, laid out."""

    tab: Tab
    bands: tuple[Band, ...]
    strips: tuple[Box, ...] = ()  # of old weights, gradients, new weights

    @property
    def boxes(self) -> list[Box]:
        """All boxes of all bands."""
        return [box for band in self.bands for box in band.boxes]


@dataclass(frozen=True)
class Layout:
    """All tabs of a workbook; where each step is at home and what a formula there refers to.

    `planned` is the tab at a glance, also where it does not fit on a screen.
    """

    trace: Trace
    catalogue: Catalogue
    texts: TabTexts
    start: plan.StartLayout
    sheets: tuple[Sheet, ...]
    planned: Glance | None
    whole: Whole | None = None

    @property
    def glance(self) -> Glance | None:
        """The tab at a glance, if it fits on a screen."""
        return self.planned if self.planned and self.planned.fits else None

    @property
    def warm_up(self) -> str:
        """The title of the tab to warm up, in a workbook of a whole model; "" for none."""
        return self.catalogue.t("workbook.tab.warmup") if "embedding" in self.trace else ""

    @cached_property
    def homes(self) -> Mapping[str, Box]:
        """Where each step, or what another name stands for, is given or computed."""
        homes = {box.step: box for boxes in self._shown.values() for box in boxes if box.home}
        return homes | {alias: homes[name] for alias, name in self.trace.aliases.items()}

    @cached_property
    def _shown(self) -> Mapping[tuple[str, str], list[Box]]:
        shown: dict[tuple[str, str], list[Box]] = {}
        for box in (*(box for sheet in self.sheets for box in sheet.boxes), *self.start.boxes):
            shown.setdefault((box.sheet, box.step), []).append(box)
        return shown

    @cached_property
    def looks(self) -> Mapping[str, NumberLook]:
        """How the numbers of each step are shown."""
        return {step.name: look(step) for step in self.trace}

    @cached_property
    def grids(self) -> Mapping[str, ColumnGrid]:
        """The columns of each tab, by its title."""
        return {sheet.tab.title: self._grid(sheet) for sheet in self.sheets}

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the tabs after the first: those that show much lead, Draw follows."""
        titles = [sheet.tab.title for sheet in self.sheets]
        if self.start.draw:
            output = next(sheet for sheet in self.sheets if sheet.tab.kind == "output")
            titles.insert(titles.index(output.tab.title) + 1, self.start.draw.sheet)
        extra = [self.warm_up] * bool(self.warm_up)
        extra += [tab.sheet for tab in (self.glance, self.whole) if tab]
        return (*extra, *titles)

    def home(self, step: str) -> Box:
        """Where a step is given or computed; aliases are resolved."""
        return self.homes[self.trace[step].name]

    def source(self, step: str, at: Box) -> Box:
        """The appearance of a step that a formula in the box `at` refers to: the nearest one."""
        home = self.homes[step]
        shown = self._shown.get((at.sheet, home.step), [home])
        return min(shown, key=lambda box: _distance(box, at))

    def in_force(self, step: str, i: int, j: int) -> str | None:
        """The formula in the home of a given cell that the Start tab decides; None for others.

        For a control, at home on Start, that is the choice itself; for a token a look at it.
        """
        entry = self.start.by_cell.get((step, i, j))
        if entry is None:
            return None
        if entry.kind == "word":
            return f"={on(self.start.sheet, entry.cells.force)}"
        return self.start.force(entry)

    @property
    def settings(self) -> Mapping[str, tuple[str, str]]:
        """Sheet and cell of each setting that is in force: never refused, never empty."""
        rows = {"experiment": self.start.experiment, **self.start.settings}
        return {name: (self.start.sheet, row.force) for name, row in rows.items()}

    @property
    def setting_inputs(self) -> Mapping[str, tuple[str, str]]:
        """Sheet and cell where each setting is typed in; a decided one is locked there."""
        start = self.start
        own = {"experiment": (start.sheet, start.experiment.own)}
        own["focus"] = (start.sheet, start.settings["focus"].own)
        own |= {"focus": (self.glance.sheet, OWN)} if self.glance else {}
        return {**self.settings, **own}

    @property
    def paused(self) -> tuple[str, str]:
        """Sheet and cell that hold 1 while anything on Start differs from as delivered, else 0."""
        return self.start.sheet, at(FIRST_ROW + 1, plan.PAUSED)

    @property
    def warning(self) -> tuple[str, str]:
        """Sheet and cell of the first message about a refused entry; its text is "" for none."""
        return self.start.sheet, "A3"

    @property
    def running(self) -> tuple[str, str]:
        """Sheet and cell of the line that names the running experiment; its text is "" for none."""
        return self.start.sheet, at(FOCUS_ROW, plan.LISTS)

    @property
    def told(self) -> str:
        """What stands in the head of every tab: a message, else which experiment runs."""
        warning, running = on(*self.warning), on(*self.running)
        return f'IF({warning}<>"",{warning}&"",{running}&"")'

    def addresses(self, at: Box) -> Callable[[str, int, int], str]:
        """The `address(step, i, j)` of formulas in the box `at`: other sheets are named."""
        source = cache(lambda step: self.source(step, at))

        def address(step: str, i: int, j: int) -> str:
            box: Box = source(step)
            cell = box.cell(i, j)
            return cell if box.sheet == at.sheet else on(box.sheet, cell)

        return address

    def choices(self, band: Band) -> Iterator[tuple[Box, Box]]:
        """Each interval table of a band, and the home on the same tab of the word drawn by it."""
        for box in band.boxes:
            place = place_of(box.step)
            if place.kind == "sampling.digits" and place.step == 1:  # not again after training
                chosen = self.homes[box.step.removesuffix("digits") + "next"]
                if chosen.sheet == box.sheet:
                    yield box, chosen

    def focusable(self, sheet: Sheet) -> tuple[str, ...]:
        """The tokens of a tab's round, where some of its tables have a row for each."""
        tokens = tokens_of(self.trace, sheet.tab.prefix)
        steps = {box.step for box in sheet.boxes} - {f"{sheet.tab.prefix}tokens"}
        return tokens if any(by_token(self.trace[name], tokens)[0] for name in steps) else ()

    def in_words(self, name: str) -> str:
        """The formula of a step in words, as the preset computes it and as the step stands."""
        turned = any(self.homes[x].turned for x in (name, *self.trace[name].inputs))
        return self.texts.in_words(name, turned)

    def _grid(self, sheet: Sheet) -> ColumnGrid:
        """The columns of a tab, from the longest number, label, title and word above a column."""
        shown = {box.step: self.trace[box.step] for box in sheet.boxes}
        labels = [x for band in sheet.bands for x in band.labels if not x.heading]
        names = [len(text) for step in shown.values() if step.text for text in step.values[:, 0]]
        names += [len(label.shown(self.catalogue)) for label in labels if label.column == 1]
        above = " ".join(label.shown(self.catalogue) for label in labels if label.across).split()
        lines = [line.step for band in sheet.bands if band.rows for line in band.lines]
        titles = max((len(self.catalogue.step(name)) for name in lines), default=0)
        digits = max(self.looks[step.name].characters for step in shown.values())
        picked = [box for band in sheet.bands for box in band.picked]
        last = max(2, *(box.right for box in (*sheet.boxes, *picked)))
        first = min(max(FIRST_NARROWEST, max(names, default=0) + 3), FIRST_WIDEST)
        first = max(first, min(titles * 1.15 + 1, LIST_WIDEST))
        each = (BESIDE - first) / (last - 1)
        width = min(max(NARROWEST, digits + 2.4), WIDEST)
        if width > each:
            width = max(digits + 0.4, SQUEEZED, each)
        width = max(width, min(max(map(len, above), default=0) * 1.2 + 1, WIDEST_HEAD, each))
        widths = [first, *[width] * (last - 1)]
        if sheet.strips:
            widths = self._of_strips(sheet)
            last = len(widths)
        right, reached = WORDS_COLUMN - 1, 0.0
        while reached < PAGE_WIDE - 0.5:  # so many columns from that of the words on
            right += 1
            reached += widths[right - 1] if right <= len(widths) else NARROWEST
        widths += [NARROWEST] * (right - len(widths))
        spare, spare_width = SCREEN_COLUMNS - len(widths), SCREEN - math.fsum(widths)
        if 0 < spare <= spare_width / SQUEEZED:
            widths += [min(NARROWEST, spare_width / spare)] * spare
        seen = sheet.strips[-1].right if sheet.strips else len(widths)
        zoom = min(100, max(SMALLEST_ZOOM, int(100 * SCREEN / math.fsum(widths[:seen]))))
        return ColumnGrid(tuple(widths), max(right, last), zoom)

    def _of_strips(self, sheet: Sheet) -> list[float]:
        """The columns of three strips, as wide as the numbers in each, with gaps between them.

        On the first tab also those of the choices, beside them.
        """
        widths, learn = [LABELS], self.start.learn
        for strip in sheet.strips:
            shown = (box.step for box in sheet.boxes if box.column == strip.column)
            digits = max(self.looks[step].characters for step in shown)
            widths += [min(max(digits + 1.2, SQUEEZED), WIDEST)] * strip.width
            widths += [plan.NARROW]
        if learn and sheet.tab.step == 1:
            longest = max(map(len, self.trace["vocabulary.words"].values[:, 0]))
            word = min(max(ENTRY, longest * 1.1 + 1.5), WIDEST_HEAD)
            widths[1:4] = [max(width, word) for width in widths[1:4]]
            widths += [max(map(len, learn.names.values())) + 1.0] * bool(learn.switches_row)
            widths += plan.SWITCH_WIDTHS if learn.switches_row else []
        return widths


def _distance(box: Box, at: Box) -> tuple[int, int]:
    rows = max(box.row - at.bottom, at.row - box.bottom, 0)
    columns = max(box.column - at.right, at.column - box.right, 0)
    return rows + columns, rows
