"""The whole series as one PDF: a page of contents, then every sheet as it is alone."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.errors import UserError, require_known
from generator.render.worksheet.binding import BoundPart, bound, page_count, starts
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.worksheet import (
    environment,
    finished,
    planned,
    render,
    view,
    worth_of,
)
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES, in_order, require_sheet
from generator.sheets.titles import numbers_of


class ContentsEntry(NamedTuple):
    """One line of the contents: a sheet's plan, what it is for (not all say it), its first page.

    `marks` are those of an exam, 0 for a lesson.
    """

    plan: Plan
    goal: str
    start: int
    marks: int


def booklet(
    sheets: tuple[str, ...],
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    *,
    variant: str,
    ready: Callable[[str], bytes] | None = None,
) -> bytes:
    """These sheets as one PDF, blank or solved, in the order in which they are taught.

    In front stands a page of contents; of an exam the cover, and pages say how many there are.

    `ready` gives a sheet's PDF where it has been made already, of the same computation, options
    and variant. Raises `UserError` for an unknown sheet and for whatever a sheet cannot take.
    """
    require_known("variant", variant, VARIANTS)
    if in_browser(options):
        raise UserError(
            "sheets with running page numbers, as of an exam, need Pango, not a browser"
        )
    for name in sheets:
        require_sheet(name)
    names = in_order(sheets)
    both = {name: numbers_of(name, names, trace, exact) for name in names}
    pdf_of = ready or (lambda name: render(name, *both[name], options, variant=variant))
    plans = [planned(name, both[name][0], options) for name in names]
    context = view(plans[0], trace, exact, options, Formulas(), blank=variant == "blank")
    phrases = context.catalogue.phrases
    titles = [phrases[f"sheet{plan.sheet}.title"] for plan in plans]
    parts = [
        BoundPart(p.sheet, title, pdf_of(n))
        for p, title, n in zip(plans, titles, names, strict=True)
    ]
    marks = [worth_of(n, *both[n], options).marks if options.exam else 0 for n in names]
    front, after = _front(context, plans, parts, marks)
    numbers = _printed("numbers.html.j2", context, tagged=False, pages=after - 1)
    return bound(front, parts, numbers, odd=options.duplex)


def fitting(sheets: tuple[str, ...], trace: Trace, options: SheetOptions) -> tuple[str, ...]:
    """Those of the printed sheets that this computation can fill with these options."""
    names = []
    for name in sheets:
        if not SERIES[name].kind.in_booklet:
            continue
        try:
            planned(name, trace, options)
        except UserError:
            continue  # the sheet's own file says why
        names.append(name)
    return tuple(names)


def _front(
    context: Context, plans: Sequence[Plan], parts: Sequence[BoundPart], marks: Sequence[int]
) -> tuple[bytes, int]:
    """The contents, and the page after the last sheet; laid out again if they need more pages."""
    options, pages, pdf = context.options, 0, b""
    name = "exam.html.j2" if options.exam else "contents.html.j2"
    usual = 2 if options.exam and options.duplex and not options.large_print else 1
    while not pages or page_count(pdf) != pages:
        pages = page_count(pdf) if pdf else usual
        places = starts(pages + 1, parts, odd=options.duplex)
        goals = (context.catalogue.phrases.get(f"sheet{plan.sheet}.goal", "") for plan in plans)
        entries = list(map(ContentsEntry, plans, goals, places, marks))
        pdf = _printed(name, context, entries=entries, pages=places[-1] - 1)
    return pdf, places[-1]


def _printed(template: str, context: Context, *, tagged: bool = True, **names: object) -> bytes:
    page = environment().get_template(template)
    html = page.render(c=context, t=context.catalogue.t, **names)
    options, formulas = context.options, context.formulas
    css = ("booklet.css", "exam.css") if options.exam else ("booklet.css",)
    return finished(html, css, options, formulas, "pdf", "booklet", context.trace, tagged=tagged)
