"""Help cards to cut out: what to press on a calculator and how the own line begins; no answer."""

from generator.engine.trace import Trace
from generator.errors import UserError, require_known
from generator.render.worksheet.worksheet import finished, formulas_for, page, planned, view
from generator.sheets.maths import Formulas
from generator.sheets.options import KINDS, SheetOptions
from generator.sheets.series import SERIES, require_sheet


def has_helps(sheet: str, trace: Trace, options: SheetOptions) -> bool:
    """Whether a sheet has help cards for this computation; no where it cannot be filled."""
    if not SERIES[sheet].kind.in_booklet:
        return False
    try:
        plan = planned(sheet, trace, options)
        context = view(plan, trace, trace, options, Formulas(), blank=True)
        with SERIES[sheet].guarded():
            return bool(context.helps())
    except UserError:
        return False  # the sheet's own file says why


def render_help(
    sheet: str, trace: Trace, exact: Trace, options: SheetOptions, *, kind: str = "pdf"
) -> bytes:
    """A sheet's help cards as bytes: which keys, the formula, how the own line begins, squares.

    They are filled as a blank is: what the sheet asks is never looked up. Raises `UserError` for an
    unknown sheet or output and for whatever the sheet cannot take.
    """
    require_sheet(sheet)
    require_known("output", kind, KINDS)
    plan = planned(sheet, trace, options)
    if not has_helps(sheet, trace, options):
        having = ", ".join(one for one in SERIES if has_helps(one, trace, options))
        raise UserError(f"sheet {sheet} has no help cards; sheets that have: {having or 'none'}")
    formulas = formulas_for(kind, options)
    html = page(plan, trace, exact, options, formulas, blank=True, other="help.html.j2")
    what = f"help cards of sheet {sheet}"
    return finished(html, ("help.css",), options, formulas, kind, what, trace)
