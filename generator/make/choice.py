"""Which sheets, tabs and outputs a request comes to, and what is said of those left out."""

from functools import cache

from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.make.request import Request
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.pdf_engine import PangoMissing, load_engine
from generator.render.worksheet.worksheet import planned
from generator.sheets.left_out import left_out
from generator.sheets.options import SheetOptions
from generator.sheets.series import COMPLETE, SHEETS, in_workbook, require_sheet
from generator.sheets.sheet import advised

CLASS = "7d"  # the sheet that a class's sentences are for


def chosen_sheets(trace: Trace, request: Request) -> tuple[tuple[str, ...], list[str]]:
    """The worksheets to make, and why others were left out."""
    _require_read(trace, request)
    if request.only == ("xlsx",):
        return (), []
    if request.sheets is not None:
        for name in request.sheets:
            require_sheet(name)
        return request.sheets, []
    wanted = (*SHEETS, COMPLETE) if "solution" in request.variants else SHEETS
    reasons = {name: unfit(name, trace) for name in wanted}
    own = cache(lambda: compute(trace.preset))
    note = left_out(reasons, trace.preset.name, lambda name: bool(unfit(name, own())))
    notes = [advised(note, trace.preset)] if note else []
    return tuple(name for name, why in reasons.items() if not why), notes


def _require_read(trace: Trace, request: Request) -> None:
    """Raise a `UserError` for sentences of a class that nothing here would read."""
    unread = request.only == ("xlsx",) or (
        request.sheets is not None and CLASS not in request.sheets
    )
    if trace.sentences and unread:
        raise UserError(
            f"--sentences are what the groups of sheet {CLASS} learn, which is not made here: add "
            f"--sheets {CLASS}, or leave them out"
        )


def chosen_tabs(request: Request) -> tuple[str, ...] | None:
    """The sheets whose tabs the workbooks have; None for all tabs, none at all for no workbook."""
    if request.sheets is None or request.only == ("xlsx",):
        return request.sheets
    return tuple(in_workbook(request.sheets))


def unfit(sheet: str, trace: Trace, level: int = 1) -> str:
    """Why this computation cannot fill a sheet at a level, 1: at any; "" where it can."""
    try:
        planned(sheet, trace, SheetOptions(language=trace.language, level=level))
    except UserError as error:
        return str(error)
    return ""


def chosen_outputs(request: Request, sheets: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """The outputs to make; with a message where HTML has to take the place of PDF."""
    if request.only is not None or not sheets:
        return request.only or ("xlsx",), []
    return usual_outputs(request.worksheet)


def usual_outputs(options: SheetOptions) -> tuple[tuple[str, ...], list[str]]:
    """Workbooks and PDFs; with a message, HTML in the place of PDF where nothing can make one."""
    if in_browser(options):
        return ("xlsx", "pdf"), []
    try:
        load_engine()
    except PangoMissing as error:
        return ("xlsx", "html"), [f"{error}\nFor now the worksheets are written as HTML."]
    return ("xlsx", "pdf"), []
