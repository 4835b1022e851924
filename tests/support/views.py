"""A sheet's page for tests: what its template may ask, and its HTML."""

from generator.engine.trace import Trace
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan


def view(
    plan: Plan,
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    formulas: Formulas,
    *,
    blank: bool,
) -> Context:
    """What the template of a sheet may ask."""
    return PrintedSheet(plan, trace, exact, options, formulas).view(blank=blank)


def page(*what: object, blank: bool, other: str = "") -> str:
    """The HTML of a sheet, slots filled; as `view`, with the name of another template."""
    return PrintedSheet(*what).page(blank=blank, other=other)
