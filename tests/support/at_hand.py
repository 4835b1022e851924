"""What a pupil has at hand on paper: the numbers printed on a blank, and what they rest on."""

from collections.abc import Iterator

import numpy as np

from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Ref, Round
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.render.worksheet.worksheet import environment
from generator.sheets.context import typesetting
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.sheets.slots import CARRIED, Slot, slots
from tests.support.views import view

LINES = ("line", "terms")  # slots that write out what a number is made of


def places(plan: Plan, trace: Trace, exact: Trace, options: SheetOptions) -> list[Slot]:
    """The places for numbers on a sheet's blank, before they are filled."""
    context = view(plan, trace, exact, options, Formulas(), blank=True)
    template = environment().get_template(SERIES[plan.sheet].page)
    return slots(template.render(c=context, t=typesetting(context.catalogue)))


def printed(found: list[Slot], plan: Plan, whole: Trace) -> set[Cell]:
    """The cells whose numbers a blank prints, in lines of arithmetic also those that it names."""
    cells: set[Cell] = set()
    for kind, *cell in found:
        if kind == CARRIED:
            continue
        if kind != "terms":
            cells.add(tuple(cell))
        if kind in LINES:
            cells |= set(made_of(whole, *cell))
    return cells - plan.asked


def alone(found: list[Slot], plan: Plan) -> set[Cell]:
    """The cells whose numbers stand on a blank by themselves, or as the result of a line."""
    cells = {(one.step, one.i, one.j) for one in found if one.kind not in (CARRIED, "terms")}
    return cells - plan.asked


def worked_from(found: list[Slot], plan: Plan, whole: Trace) -> set[Cell]:
    """The cells that the examples' lines of arithmetic on a blank take their numbers from."""
    lines = [one for one in found if one.kind in LINES]
    return {
        cell
        for one in lines
        if (one.step, one.i, one.j) not in plan.asked
        for cell in made_of(whole, one.step, one.i, one.j)
    }


def brought(found: list[Slot]) -> set[Cell]:
    """The cells that pupils take over from an earlier sheet."""
    return {(one.step, one.i, one.j) for one in found if one.kind == CARRIED}


def made_of(trace: Trace, name: str, i: int, j: int) -> Iterator[Cell]:
    """The cells that a cell is computed from; none of a given one.

    What a mask hides is left out, and of a table that a row is picked from all other rows.
    """
    if trace[name].kind == "computed":
        hidden = _hidden(trace, name, i)
        found = _refs(trace.cell(name, i, j), trace)
        yield from (cell for cell in found if cell not in hidden)


def _hidden(trace: Trace, name: str, i: int) -> set[Cell]:
    """The powers, shares and values of tokens that the head of a step masks for row i."""
    head = name.rpartition(".")[0]
    if f"{head}.mask" not in trace:
        return set()
    masked = np.flatnonzero(np.isinf(trace[f"{head}.mask"].values[i])).tolist()
    rows = {(f"{head}.{step}", i, k) for step in ("exp", "weights") for k in masked}
    width = trace[f"{head}.value"].shape[1]
    return rows | {(f"{head}.value", k, c) for k in masked for c in range(width)}


def _refs(node: Expr, trace: Trace) -> Iterator[Cell]:
    match node:
        case Call(Fn.INDEX, (Area() as table, place)):
            yield from _refs(place, trace)
            picked = table.cells()[round(evaluate(place, trace.values)) - 1]
            yield picked.step, picked.i, picked.j
        case Ref(step, i, j):
            yield step, i, j
        case Area():
            for cell in node.cells():
                yield from _refs(cell, trace)
        case Dot(left, right):
            yield from (*_refs(left, trace), *_refs(right, trace))
        case Bin(_, left, right):
            yield from (*_refs(left, trace), *_refs(right, trace))
        case If(test, then, otherwise):
            yield from (*_refs(test, trace), *_refs(then, trace), *_refs(otherwise, trace))
        case Call(_, arguments):
            for one in arguments:
                yield from _refs(one, trace)
        case Round(inner, _):
            yield from _refs(inner, trace)
        case _:
            return
