"""The whole series as one PDF: a page of contents, then every sheet as it is alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.errors import require, require_known
from generator.render.worksheet.binding import BoundPart, bound, page_count, starts
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.worksheet import PrintedSheet, environment, unfit
from generator.sheets.context import Context
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
    phrases = context.catalogue.phrases
    parts, entries = list[BoundPart](), list[ContentsEntry]()
    for name, one in own.items():
        key, marks = f"sheet{one.plan.sheet}", one.worth.marks if options.exam else 0
        parts.append(BoundPart(one.plan.sheet, phrases[f"{key}.title"], pdf_of(name)))
        entries.append(ContentsEntry(one.plan, phrases.get(f"{key}.goal", ""), marks=marks))
    return Booklet(whole, context, parts, entries).pdf()


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

    def pdf(self) -> bytes:
        """The pages in front, then the sheets; the front again if it needs more pages."""
        options, pages, front = self.whole.options, 0, b""
        name = "exam.html.j2" if options.exam else "contents.html.j2"
        usual = 2 if options.exam and options.duplex and not options.large_print else 1
        while not pages or page_count(front) != pages:
            pages = page_count(front) if front else usual
            *places, after = starts(pages + 1, self.parts, odd=options.duplex)
            pairs = zip(self.entries, places, strict=True)
            lines = [one._replace(start=k) for one, k in pairs]
            front = self._printed(name, entries=lines, pages=after - 1)
        numbers = self._printed("numbers.html.j2", tagged=False, pages=after - 1)
        return bound(front, self.parts, numbers, odd=options.duplex)

    def _printed(self, name: str, *, tagged: bool = True, **content: object) -> bytes:
        page, c = environment().get_template(name), self.context
        css = ("booklet.css", "exam.css") if self.whole.options.exam else ("booklet.css",)
        html = page.render(c=c, t=c.catalogue.t, **content)
        return self.whole.document(html, css, "booklet", leaves={}, tagged=tagged).to_pdf()
