"""A sheet's page for tests: what its template may ask, its HTML, its files."""

from typing import Any

from generator.engine.trace import Trace
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.context import Context
from generator.sheets.plan import Plan


def view(plan: Plan, *given: Any, blank: bool) -> Context:
    """What the template of a sheet may ask; both computations, options and formulas are given."""
    return _sheet(plan, *given).view(blank=blank)


def page(plan: Plan, *given: Any, blank: bool, other: str = "") -> str:
    """The HTML of a sheet, slots filled; as `view`, with the name of another template."""
    return _sheet(plan, *given).page(blank=blank, other=other)


def _sheet(plan: Plan, trace: Trace, exact: Trace, *more: Any) -> PrintedSheet:
    options, *formulas = more
    return PrintedSheet(plan.sheet, trace, exact, options, plan, *formulas)


def render(*given: Any, kind: str = "pdf", variant: str = "blank", **how: Any) -> bytes:
    """A sheet's file; given are its name, both computations, options."""
    plan = how.pop("plan", None)
    return PrintedSheet(*given, plan).file(kind, variant, **how)


def render_help(*given: Any, kind: str = "pdf") -> bytes:
    """A sheet's help cards, of the same."""
    return PrintedSheet(*given).help_cards(kind)
