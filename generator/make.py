"""From a Trace to files: which outputs, which sheets, under which names."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator import output
from generator.engine.model import compute
from generator.engine.trace import Trace
from generator.errors import UserError, require_known
from generator.sheets.options import SheetOptions
from generator.slug import code

OUTPUTS = ("xlsx", "pdf", "html")
VARIANTS = ("blank", "solution", "both")
Press = Callable[[str, str, str], bytes]  # a sheet, its kind, its variant
FOLDERS = {"blank": "hand-out", "solution": "teacher"}


@dataclass(frozen=True)
class Request:
    """What to make of one computation; a name that does not exist is a `UserError`.

    `only` None stands for the workbooks and PDFs, with HTML in their place where Pango is missing;
    `sheets` None for all that the preset can fill; with names the workbooks have just those tabs.
    `rounds` is how often the workbooks choose a next token. The computation decides the language.
    """

    only: tuple[str, ...] | None = None
    sheets: tuple[str, ...] | None = None
    variant: str = "both"
    worksheet: SheetOptions = field(default_factory=SheetOptions)
    rounds: int = 1

    def __post_init__(self) -> None:
        for name in self.only or ():
            require_known("output", name, OUTPUTS)
        require_known("variant", self.variant, VARIANTS)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants to write, "blank" before "solution"."""
        return tuple(FOLDERS) if self.variant == "both" else (self.variant,)

    def options(self, trace: Trace) -> SheetOptions:
        """The choices for worksheets of a computation; a QR code says which one it is."""
        chosen = self.worksheet
        if chosen.qr and not chosen.code:
            chosen = replace(chosen, code=code(trace.preset, trace.sentence, trace.edits))
        return replace(chosen, language=trace.language)


class Made(NamedTuple):
    """What was written, what was left out and why, and what failed."""

    paths: list[Path]
    notes: list[str]
    problems: list[str]


class Job(NamedTuple):
    """One file: its path below the result folder and what renders it."""

    path: Path
    render: Callable[[], bytes]


def make(trace: Trace, request: Request, folder: Path) -> Made:
    """Render what is asked for and write it below the folder, all files at once.

    An output that fails for a reason that the user can mend is named in `problems`; the others
    are written all the same. Raises `UserError` for an unknown sheet, where nothing at all could
    be made, and where the folder cannot be written.
    """
    sheets, notes = _sheets(trace, request)
    outputs, problems = _outputs(request, sheets)
    files: dict[Path, bytes] = {}
    for job in _jobs(trace, request, outputs, sheets):
        try:
            files[folder / job.path] = job.render()
        except UserError as error:
            problems.append(str(error))
    problems = list(dict.fromkeys(problems))
    notes += _own_texts(request) if sheets else []
    notes += _notes(trace, sheets)
    if not files:
        raise UserError("\n".join(problems or notes))
    return Made(output.write(files), notes, problems)


def _sheets(trace: Trace, request: Request) -> tuple[tuple[str, ...], list[str]]:
    """The worksheets to make, and why others were left out."""
    if request.only == ("xlsx",):
        return (), []
    from generator.sheets.series import SHEETS, require_sheet

    if request.sheets is not None:
        for name in request.sheets:
            require_sheet(name)
        return request.sheets, []
    reasons = {name: _unfit(name, trace) for name in SHEETS}
    notes = [f"sheet {name} is left out: {why}" for name, why in reasons.items() if why]
    return tuple(name for name, why in reasons.items() if not why), notes


def _tabs(request: Request) -> tuple[str, ...] | None:
    """The sheets whose tabs the workbooks have; None for all tabs, none at all for no workbook."""
    if request.sheets is None or request.only == ("xlsx",):
        return request.sheets
    from generator.sheets.series import in_workbook

    return tuple(in_workbook(request.sheets))


def _unfit(sheet: str, trace: Trace) -> str:
    """Why this computation cannot fill a sheet at any level; "" where it can."""
    from generator.render.worksheet.sheet import planned

    try:
        planned(sheet, trace, SheetOptions(language=trace.language, level=1))
    except UserError as error:
        return str(error)
    return ""


def _outputs(request: Request, sheets: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """The outputs to make; with a message where HTML has to take the place of PDF."""
    if request.only is not None or not sheets:
        return request.only or ("xlsx",), []
    return usual_outputs()


def usual_outputs() -> tuple[tuple[str, ...], list[str]]:
    """Workbooks and PDFs; with a message, HTML in the place of PDF where Pango is missing."""
    from generator.render.worksheet.pdf import PangoMissing, load_engine

    try:
        load_engine()
    except PangoMissing as error:
        return ("xlsx", "html"), [f"{error}\nFor now the worksheets are written as HTML."]
    return ("xlsx", "pdf"), []


def _jobs(
    trace: Trace, request: Request, outputs: tuple[str, ...], sheets: tuple[str, ...]
) -> Iterator[Job]:
    tabs = _tabs(request)
    if "xlsx" in outputs and tabs != ():
        played = cache(lambda: _played(trace, request, tabs))
        for variant in request.variants:
            yield _workbook_job(variant, played, request)
    exact = cache(lambda: _exact(trace))
    press = _press(trace, exact, request)
    for kind in (name for name in outputs if name != "xlsx"):
        for sheet in sheets:
            for variant in request.variants:
                yield _sheet_job(sheet, kind, variant, press)
            if "blank" in request.variants:
                yield from _help_jobs(sheet, kind, trace, exact, request)
    if "pdf" in outputs:
        yield from _booklet_jobs(sheets, trace, exact, request, press)


def _workbook_job(variant: str, played: Callable[[], Trace], request: Request) -> Job:
    from generator.locales.catalogue import load
    from generator.render.workbook import exercise, solution

    if variant == "solution":
        path = Path(FOLDERS[variant], "workbook-solution.xlsx")
        return Job(path, lambda: solution.render(played(), load(played().language)))
    path, level = Path(FOLDERS[variant], "workbook-exercise.xlsx"), request.worksheet.level
    return Job(path, lambda: exercise.render(played(), load(played().language), level))


def _played(trace: Trace, request: Request, tabs: tuple[str, ...] | None) -> Trace:
    from generator.render.workbook.sheet_tabs import played

    return played(trace, tabs, request.rounds)


def _press(trace: Trace, exact: Callable[[], Trace], request: Request) -> Press:
    """Renders each sheet once, though the booklet holds it too."""

    @cache
    def pressed(sheet: str, kind: str, variant: str) -> bytes:
        from generator.render.worksheet.sheet import render

        options = request.options(trace)
        return render(sheet, trace, exact(), options, kind=kind, variant=variant)

    return pressed


def _sheet_job(sheet: str, kind: str, variant: str, press: Press) -> Job:
    from generator.sheets.series import SERIES

    return Job(
        Path(FOLDERS[variant], SERIES[sheet].file(variant, kind)),
        lambda: press(sheet, kind, variant),
    )


def _help_jobs(
    sheet: str, kind: str, trace: Trace, exact: Callable[[], Trace], request: Request
) -> Iterator[Job]:
    from generator.render.worksheet.help import has_helps, render_help
    from generator.sheets.series import SERIES

    options = request.options(trace)
    if has_helps(sheet, trace, options):
        path = Path(FOLDERS["blank"], SERIES[sheet].file("help", kind))
        yield Job(path, lambda: render_help(sheet, trace, exact(), options, kind=kind))


def _booklet_jobs(
    sheets: tuple[str, ...],
    trace: Trace,
    exact: Callable[[], Trace],
    request: Request,
    press: Press,
) -> Iterator[Job]:
    """The sheets in one file, where there are several."""
    if len(sheets) < 2:
        return
    from generator.render.worksheet.booklet import booklet, fitting

    options = request.options(trace)
    fit = fitting(sheets, trace, options)

    def bound(variant: str) -> Callable[[], bytes]:
        def ready(sheet: str) -> bytes:
            return press(sheet, "pdf", variant)

        return lambda: booklet(fit, trace, exact(), options, variant=variant, ready=ready)

    for variant in request.variants if len(fit) > 1 else ():
        yield Job(Path(FOLDERS[variant], f"worksheets-{variant}.pdf"), bound(variant))


def _own_texts(request: Request) -> list[str]:
    from generator.sheets.own_texts import long_texts

    return long_texts(request.worksheet.texts)


def _notes(trace: Trace, sheets: tuple[str, ...]) -> list[str]:
    from generator.sheets.series import SERIES

    return [note for sheet in sheets for note in SERIES[sheet].notes(trace)]


def _exact(trace: Trace) -> Trace:
    """The same computation without rounding, which a solution compares with."""
    if trace.rounding == "exact":
        return trace
    return compute(trace.preset, trace.sentence, rounding="exact", edits=trace.edits)
