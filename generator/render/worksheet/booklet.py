"""The whole series as one PDF: a page of contents, then every sheet as it is alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from generator.engine.trace import Trace
from generator.errors import require, require_known
from generator.render.worksheet.binding import BoundPart, bound, page_count, starts
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.worksheet import PrintedSheet, environment, unfit
from generator.sheets.context import Context
from generator.sheets.options import VARIANTS, SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.routes import as_told, by_minutes, open_to, route_of, told_only
from generator.sheets.series import SERIES, in_order, require_sheet
from generator.sheets.titles import numbers_of


class ContentsEntry(NamedTuple):
    """One line of the contents: a sheet's plan and its first page.

    `marks` are those of an exam, 0 for a lesson.
    """

    plan: Plan
    start: int = 0
    marks: int = 0


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
    require(not in_browser(options), "worksheet.numbered")
    for name in sheets:
        require_sheet(name)
    names = in_order(sheets)
    both = {name: numbers_of(name, names, trace, exact) for name in names}
    own = {name: PrintedSheet(name, *both[name], options) for name in names}
    pdf_of = ready or (lambda name: own[name].file(variant=variant))
    first = own[names[0]]  # its plan is that of its own numbers
    whole = replace(first, trace=trace, exact=exact, chosen=first.plan)
    context = whole.view(blank=variant == "blank")
    parts, entries = list[BoundPart](), list[ContentsEntry]()
    for name, one in own.items():
        title = context.catalogue.phrases[f"sheet{one.plan.sheet}.title"]
        parts.append(BoundPart(one.plan.sheet, title, pdf_of(name)))
        entries.append(ContentsEntry(one.plan, marks=one.worth.marks if options.exam else 0))
    return Booklet(whole, context, parts, entries).pdf()


def plan_of_route(own: PrintedSheet, kind: str) -> bytes:
    """A page for the teacher with the lessons of the route that a set with this sheet is for."""
    own = own.printed_as(kind)
    context, route = own.view(blank=False), route_of(own.options.route)
    page = environment().get_template("contents.html.j2")
    lessons = route.plans(own.trace)
    told = as_told([(route, lessons)]) | {"beside": beside(own, route.sheets)}
    told["hours"] = [by_minutes(route, one) for one in lessons]
    told["left"] = told_only(route, own.trace)
    if not own.formulas.embed:  # information, then work
        copied = (replace(own, sheet=one, chosen=None) for one in told["sheets"])
        told["copies"] = {one.sheet: one.leaf_pages()[::-1] for one in copied}
    html = page.render(c=context, t=context.catalogue.t, entries=(), **told)
    return own.other_page(html, "booklet.css", "plan", kind)


def beside(own: PrintedSheet, sheets: Sequence[str]) -> list[str]:
    """What else than sheets to copy is in a set of these sheets: slides, help cards."""
    helped = any(replace(own, sheet=one, chosen=None).has_helps for one in sheets)
    return ["slides"] * ("slides" in sheets) + ["help"] * helped


def fitting(sheets: tuple[str, ...], trace: Trace, options: SheetOptions) -> tuple[str, ...]:
    """Those of the printed sheets that this computation can fill with these options."""
    printed = (name for name in sheets if SERIES[name].kind.in_booklet)
    return tuple(name for name in printed if not unfit(name, trace, options))


@dataclass(frozen=True)
class Booklet:
    """The sheets to bind, with the view that the pages around them have."""

    whole: PrintedSheet
    context: Context
    parts: Sequence[BoundPart]
    entries: Sequence[ContentsEntry]

    @property
    def routes(self) -> dict[str, Any]:
        """The routes through these sheets, of which a teacher is told beside solutions alone."""
        options, sheets = self.whole.options, [one.plan.sheet for one in self.entries]
        told = options.teacher and not (options.exam or self.context.blank)
        routes = [*open_to(self.whole.trace, sheets, options.route)] if told else []
        return as_told(routes, sheets) | {"beside": beside(self.whole, sheets) if routes else []}

    def pdf(self) -> bytes:
        """The pages in front, then the sheets; the front again if it needs more pages."""
        options, pages, front, routes = self.whole.options, 0, b"", self.routes
        name = "exam.html.j2" if options.exam else "contents.html.j2"
        usual = 2 if options.exam and options.duplex and not options.large_print else 1
        while not pages or page_count(front) != pages:
            pages = page_count(front) if front else usual
            *places, after = starts(pages + 1, self.parts, odd=options.duplex)
            pairs = zip(self.entries, places, strict=True)
            lines = [one._replace(start=k) for one, k in pairs]
            front = self._printed(name, entries=lines, pages=after - 1, **routes)
        numbers = self._printed("numbers.html.j2", tagged=False, pages=after - 1)
        return bound(front, self.parts, numbers, odd=options.duplex)

    def _printed(self, name: str, *, tagged: bool = True, **content: object) -> bytes:
        page, c = environment().get_template(name), self.context
        css = ("booklet.css", "exam.css") if self.whole.options.exam else ("booklet.css",)
        html = page.render(c=c, t=c.catalogue.t, **content)
        return self.whole.document(html, css, "booklet", leaves={}, tagged=tagged).to_pdf()
