"""Holds a recalculated workbook against the engine, cell by cell, by the layout's addresses."""

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import product

import numpy as np
from openpyxl import load_workbook
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

import generator
from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue, load
from generator.presets.load import load_preset
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.checks import Checks
from generator.render.workbook.layout.glance import Glance
from generator.render.workbook.layout.layout import Band, HeadingLine, Layout, Sheet
from generator.render.workbook.layout.tabs import FOCUS
from generator.render.workbook.solution import render
from tests.support import recalculate
from tests.support.memo import once
from tests.support.office import Office
from tests.support.recalculate import ERROR, Value, Values

MASKED = "−∞"
EXACT = 1e-9
# NORMDIST: IronCalc's and LibreOffice's error functions are some 1e-10 off, and later steps
# (σ of nearly equal numbers, exp) enlarge that.
GELU = 1e-7
SHIPPED = ("katze", "brille", "ausgabe", "paris", "random")
LANGUAGES = ("de", "en")
Place = tuple[str, str]


class Book:
    """A trace, its workbook, where its steps stand there, and what programs make of it.

    Edits are what somebody types: the value for a step's cell, as the engine takes them, or for a
    sheet and address.
    """

    def __init__(self, trace: Trace, xlsx: bytes, layout: Layout) -> None:
        self.trace, self.xlsx, self.layout = trace, xlsx, layout

    @cached_property
    def bare(self) -> bytes:
        """Without any value of a formula."""
        return recalculate.strip_caches(self.xlsx)

    @cached_property
    def cached(self) -> Values:
        """What is stored beside the formulas."""
        return recalculate.cached_values(self.xlsx)

    @cached_property
    def formulas(self) -> dict[str, dict[str, str]]:
        """All formulas by sheet and address."""
        return recalculate.formula_cells(self.xlsx)

    @cached_property
    def pages(self) -> Workbook:
        """As openpyxl reads it."""
        return load_workbook(io.BytesIO(self.xlsx))

    @property
    def start(self) -> Worksheet:
        """The page of the tab Start."""
        return self.pages[self.layout.start.sheet]

    @property
    def tabs(self) -> list[tuple[Sheet, Worksheet]]:
        """Each tab of steps with its page."""
        return [(sheet, self.pages[sheet.tab.title]) for sheet in self.layout.sheets]

    @property
    def bands(self) -> list[tuple[Sheet, Band]]:
        """Each band with its tab."""
        return [(sheet, band) for sheet in self.layout.sheets for band in sheet.bands]

    @property
    def boxes(self) -> list[Box]:
        """Every box of every band."""
        return [box for sheet in self.layout.sheets for box in sheet.boxes]

    @property
    def lines(self) -> list[tuple[str, HeadingLine]]:
        """Each heading line with the title of its tab."""
        return [(sheet.tab.title, line) for sheet, band in self.bands for line in band.lines]

    @property
    def glance(self) -> Glance:
        """The tab at a glance, which fits."""
        assert self.layout.glance
        return self.layout.glance

    @property
    def focus(self) -> Place:
        """Where the focus token is chosen."""
        return self.layout.setting_inputs["focus"]

    @property
    def experiment(self) -> Place:
        """Where an experiment is chosen."""
        return self.layout.setting_inputs["experiment"]

    def of_kind(self, kind: str) -> list[Sheet]:
        """The tabs of a kind."""
        return [sheet for sheet in self.layout.sheets if sheet.tab.kind == kind]

    def cell(self, name: str, i: int = 0, j: int = 0) -> Place:
        """Sheet and address of a step's cell, counted from 0."""
        home = self.layout.home(name)
        return home.sheet, home.cell(i, j)

    def input(self, name: str, i: int = 0, j: int = 0) -> Place:
        """Sheet and address where a person types a new value for a given step's cell."""
        if entry := self.layout.start.by_cell.get((name, i, j)):
            return entry.sheet, entry.cells.own
        return self.cell(name, i, j)

    def typed(self, edits: Mapping) -> dict[Place, Value | None]:
        """Edits as the cells in which a person types them."""
        found = {}
        for address, value in edits.items():
            name, _, index = str(address).rstrip("]").partition("[")
            alone = [drawing_row(self.trace.preset) if name == "temperature" else 0]
            place = [int(k) - 1 for k in index.split(",")] if index else alone
            known = address if isinstance(address, tuple) else self.input(name, *place)
            found[known] = value
        return found

    def after(self, edits: Mapping[str, object]) -> Trace:
        """What the engine computes with edits."""
        known = self.trace
        options = {"rounding": known.rounding, "rounds": known.rounds, "controls": True}
        return compute(known.preset, known.sentence, edits=edits, **options)

    def edited(self, edits: Mapping) -> bytes:
        """The file with edits typed in."""
        return recalculate.edit_cells(self.xlsx, self.typed(edits))

    def values(self, edits: Mapping | None = None) -> Values:
        """What IronCalc finds, perhaps after edits."""
        return recalculate.ironcalc_values(self.edited(edits) if edits else self.bare)

    def by_both(self, edits: Sequence[Mapping], office: Office) -> Iterator[tuple[Values, Values]]:
        """What LibreOffice and IronCalc find after each of these edits."""
        typed = [self.typed(edit) for edit in edits]
        ((_, *found),) = recalculate.libreoffice_edited([self.bare], [typed], office)
        yield from zip(found, map(self.values, edits), strict=True)

    def errors(self, values: Values) -> set[Place]:
        """The cells that show an error."""
        return {(s, a) for s, cells in values.items() for a, v in cells.items() if v == ERROR}

    def warning(self, values: Values) -> str:
        """What Start says of what is typed in."""
        sheet, cell = self.layout.warning
        return str(values[sheet][cell])


def cells_in(box: Box) -> Iterator[tuple[int, int]]:
    """Row and column of each cell of a box."""
    yield from product(range(box.row, box.bottom + 1), range(box.column, box.right + 1))


def drafted_tabs(draft: Draft) -> list[tuple[Worksheet, Sheet, Checks | None]]:
    """The tabs of steps of a workbook in the making, each with its page and its checks."""
    titles = [(sheet.tab.title, sheet) for sheet in draft.layout.sheets]
    return [(draft.workbook[title], sheet, draft.checks.get(title)) for title, sheet in titles]


def book(trace: Trace, language: str) -> Book:
    """The rendered workbook of a trace that was computed with its controls."""
    assert trace.controls, "compute(…, controls=True): a workbook has its switches"
    catalogue = load(language)
    return Book(trace, solution(trace, catalogue), lay_out(trace, catalogue))


def solution(trace: Trace, catalogue: Catalogue) -> bytes:
    """The solved workbook, rendered once in a whole run."""
    return once(lambda: render(trace, catalogue), "solution", trace, catalogue)


@cache
def played(
    preset: str = "katze", sentence: str = "", language: str = "de", rounds: int = 1
) -> Book:
    """The workbook of a preset with all its switches; made once in a process."""
    trace = generator.compute(
        sentence or None, preset=preset, language=language, controls=True, rounds=rounds
    )
    return book(trace, language)


@cache
def shipped(name: str, language: str = "de", rounding: str | None = None) -> Book:
    """The same in any arithmetic, with the words of the preset's file in both languages."""
    return made_of(load_preset(name), language, rounding=rounding)


def made_of(
    preset: Preset, language: str = "de", sentence: str | None = None, **options: object
) -> Book:
    """The workbook of any preset."""
    return book(compute(preset, sentence, controls=True, **options), language)


def compare(made: Book, values: Values, expected: Trace | None = None) -> int:
    """Assert that every cell of every step holds the engine's number; gives how many it compared.

    `expected` is the trace to compare with where cells were edited. Also asserts that no cell of
    the whole workbook shows an error.
    """
    assert not (errors := made.errors(values)), (len(errors), sorted(errors)[:3])
    trace = expected or made.trace
    compared = 0
    for step in trace:
        for i, j in np.ndindex(step.shape):
            sheet, address = made.cell(step.name, i, j)
            found, wanted = values[sheet].get(address), step.values[i, j]
            where = f"{step.name}[{i},{j}] {sheet}!{address}: {found!r}, engine {wanted!r}"
            assert _same(found, wanted, closeness(trace)), where
            compared += 1
    return compared + _compare_glance(made, values, trace)


def _compare_glance(made: Book, values: Values, trace: Trace) -> int:
    """The same for the tab at a glance, with the focus token and the head that it says it shows."""
    if not (glance := made.layout.glance):
        return 0
    page, compared = values[glance.sheet], 0
    focus = page[FOCUS.replace("$", "")]
    head = page[glance.head.replace("$", "")] if len(glance.heads) > 1 else 1
    assert isinstance(focus, int | float)
    assert isinstance(head, int | float)
    for address, name, i, j in glance_cells(glance, int(focus) - 1, int(head) - 1):
        wanted, found = trace[name].values[i, j], page.get(address)
        where = f"{glance.sheet}!{address}: {found!r}, {name}[{i},{j}] is {wanted!r}"
        assert _same(found, wanted, closeness(trace)), where
        compared += 1
    assert compared
    return compared


def glance_cells(glance: Glance, focus: int, head: int) -> Iterator[tuple[str, str, int, int]]:
    """Each cell's address with the step and the place that it shows, all counted from 0."""
    for panel in glance.panels.values():
        step = glance.steps(panel.step)[head].name
        for i, j in panel.cells():
            yield panel.cell(i, j), step, i if panel.home else focus, j


def closeness(trace: Trace) -> float:
    """How far, at most, a program's numbers are from the engine's."""
    if trace.rounding == "exact" and trace.preset.activation == "gelu":
        return GELU
    return EXACT


def _same(found: Value | None, wanted: object, tolerance: float) -> bool:
    if isinstance(wanted, str):
        return found == wanted
    number = float(wanted)  # type: ignore[arg-type]
    if number == -math.inf:
        return found == MASKED
    if isinstance(found, bool) or not isinstance(found, int | float):
        return False
    return abs(found - number) <= tolerance * max(1.0, abs(number))
