"""Holds a recalculated workbook against the engine, cell by cell, by the layout's addresses."""

import math
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

import generator
from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue, load
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.glance import Glance
from generator.render.workbook.layout.layout import Layout
from generator.render.workbook.layout.tabs import FOCUS
from generator.render.workbook.solution import render
from tests.support.memo import once
from tests.support.recalculate import ERROR, Value, Values

MASKED = "−∞"
EXACT = 1e-9
# NORMSDIST: IronCalc's and LibreOffice's error functions are some 1e-10 off, and later steps
# (σ of nearly equal numbers, exp) enlarge that.
GELU = 1e-7


class Book(NamedTuple):
    """A trace, its workbook and where its steps stand there."""

    trace: Trace
    xlsx: bytes
    layout: Layout

    def cell(self, name: str, i: int, j: int) -> tuple[str, str]:
        """Sheet and address of a step's cell, counted from 0."""
        box = self.layout.home(name)
        return box.sheet, box.cell(i, j)

    def input(self, name: str, i: int, j: int) -> tuple[str, str]:
        """Sheet and address where a person types a new value for a given step's cell."""
        return input_of(self.layout, name, i, j)

    def typed(self, edits: Mapping[str, object]) -> dict[tuple[str, str], object]:
        """Edits, as the engine takes them, as the cells in which a person types them."""
        found: dict[tuple[str, str], object] = {}
        for address, value in edits.items():
            name, _, index = address.rstrip("]").partition("[")
            alone = [drawing_row(self.trace.preset) if name == "temperature" else 0]
            place = [int(k) - 1 for k in index.split(",")] if index else alone
            found[self.input(name, place[0], place[1] if len(place) > 1 else 0)] = value
        return found


def input_of(layout: Layout, name: str, i: int, j: int) -> tuple[str, str]:
    """Sheet and cell where somebody types a new value for a given cell."""
    if entry := layout.start.by_cell.get((name, i, j)):
        return entry.sheet, entry.cells.own
    home = layout.home(name)
    return home.sheet, home.cell(i, j)


def book(trace: Trace, language: str) -> Book:
    """The rendered workbook of a trace that was computed with its controls."""
    assert trace.controls, "compute(…, controls=True): a workbook has its switches"
    catalogue: Catalogue = load(language)
    return Book(trace, solution(trace, catalogue), lay_out(trace, catalogue))


def solution(trace: Trace, catalogue: Catalogue) -> bytes:
    """The solved workbook, rendered once in a whole run."""
    return once(lambda: render(trace, catalogue), "solution", trace, catalogue)


@cache
def played(
    preset: str = "katze", sentence: str = "", language: str = "de", rounds: int = 1
) -> Book:
    """The workbook of a preset with all its switches; made once in a process."""
    trace = generator.compute(sentence or None, preset=preset, language=language)
    whole = compute(
        trace.preset, trace.sentence, rounding=trace.rounding, controls=True, rounds=rounds
    )
    return book(whole, language)


def compare(made: Book, values: Values, expected: Trace | None = None) -> int:
    """Assert that every cell of every step holds the engine's number; gives how many it compared.

    `expected` is the trace to compare with where cells were edited. Also asserts that no cell of
    the whole workbook shows an error.
    """
    errors = [(s, a) for s, cells in values.items() for a, v in cells.items() if v == ERROR]
    assert not errors, (len(errors), errors[:3])
    trace = expected or made.trace
    compared = 0
    for step in trace:
        tolerance = _tolerance(trace, step)
        for i, j in np.ndindex(step.shape):
            sheet, address = made.cell(step.name, i, j)
            found, wanted = values[sheet].get(address), step.values[i, j]
            where = f"{step.name}[{i},{j}] {sheet}!{address}: {found!r}, engine {wanted!r}"
            assert _same(found, wanted, tolerance), where
            compared += 1
    return compared + _compare_glance(made, values, trace)


def _compare_glance(made: Book, values: Values, trace: Trace) -> int:
    """The same for the tab at a glance, with the focus token and the head that it says it shows."""
    glance = made.layout.glance
    if glance is None:
        return 0
    page, compared = values[glance.sheet], 0
    focus = page[FOCUS.replace("$", "")]
    head = page[glance.head.replace("$", "")] if len(glance.heads) > 1 else 1
    assert isinstance(focus, int | float)
    assert isinstance(head, int | float)
    for address, name, i, j in glance_cells(glance, int(focus) - 1, int(head) - 1):
        wanted, found = trace[name].values[i, j], page.get(address)
        where = f"{glance.sheet}!{address}: {found!r}, {name}[{i},{j}] is {wanted!r}"
        assert _same(found, wanted, _tolerance(trace, trace[name])), where
        compared += 1
    assert compared
    return compared


def glance_cells(glance: Glance, focus: int, head: int) -> Iterator[tuple[str, str, int, int]]:
    """Each cell's address with the step and the place that it shows, all counted from 0."""
    for panel in glance.panels.values():
        step = glance.steps(panel.step)[head].name
        for i, j in panel.cells():
            yield panel.cell(i, j), step, i if panel.home else focus, j


def _tolerance(trace: Trace, step: Step) -> float:
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
