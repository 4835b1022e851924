"""A sheet laid out once for all pupils whose pages differ in texts only, and stamped for each."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from generator.engine.trace import Trace
from generator.render.worksheet.stamp.form import Form, forms
from generator.render.worksheet.stamp.harvest import Bar, Harvest, pages_of
from generator.render.worksheet.stamp.html_page import (
    DoesNotFit,
    HtmlPage,
    numbered,
    with_answers,
)
from generator.render.worksheet.stamp.layout import css, laid_out, primer
from generator.render.worksheet.stamp.objects import Shared, shared, stream
from generator.render.worksheet.stamp.page import (
    BAR,
    SQUARE,
    Page,
    Put,
    bar_drawn,
    pages,
    square_drawn,
)
from generator.render.worksheet.stamp.structure import silent
from generator.render.worksheet.stamp.wordings import Wordings
from generator.render.worksheet.worksheet import page as page_of
from generator.render.worksheet.worksheet import planned, render
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan


class Seat(NamedTuple):
    """One pupil's computation, as on paper and without rounding; code, name, number in the list."""

    trace: Trace
    exact: Trace
    code: str = ""
    name: str = ""
    number: int = 0

    def options(self, of_all: SheetOptions) -> SheetOptions:
        """The choices for the pupil's pages."""
        return replace(of_all, code=self.code, pupil=self.name, number=self.number)


@dataclass(frozen=True)
class Request:
    """Which page of which sheet is made; for each pupil with the pupil's code and name."""

    sheet: str
    options: SheetOptions
    variant: str
    formulas: Formulas
    plan: Plan = field(compare=False)

    def html(self, plan: Plan, seat: Seat) -> str:
        """A pupil's page as full rendering has it; in a blank, answers are never looked up."""
        own = seat.options(self.options)
        blank = self.variant == "blank"
        return page_of(plan, seat.trace, seat.exact, own, self.formulas, blank=blank)


@dataclass(frozen=True)
class Template:
    """A laid out work leaf, blank or solution; make it with `Template.lay_out`.

    `silent` says, by block, which object changes how where a block says nothing.
    """

    request: Request
    page: HtmlPage
    forms: dict[int, Form]
    bars: tuple[tuple[int, Bar], ...]
    pages: tuple[Page, ...]
    shared: Shared
    silent: dict[int, tuple[int, bytes]]
    wordings: Wordings

    @classmethod
    def lay_out(
        cls,
        sheet: str,
        trace: Trace,
        exact: Trace,
        options: SheetOptions,
        variant: str,
        plan: Plan | None = None,
    ) -> "Template":
        """The template for all pupils whose pages have the same tags as this one's.

        `options` are those of the pupils; only code, name and number may differ. `plan` says what
        is asked where it is not what this one would be; the sheet's own steps stay this one's.
        Raises `DoesNotFit` where the sheet cannot be stamped, and what `render` raises.
        """
        if options.part != "work" or options.teacher:
            raise DoesNotFit("only work leaves without the teacher's page are stamped")
        own = planned(sheet, trace, options)
        asked = own if plan is None else replace(plan, extra=own.extra)
        request = Request(sheet, options, variant, Formulas(), asked)
        html = request.html(asked, Seat(trace, exact, options.code, options.pupil, options.number))
        if variant == "solution":
            html = with_answers(html)
        made: list[Template] = []

        def take(harvest: Harvest, pdf: Any) -> None:
            made.append(_template(request, HtmlPage.taken_apart(html), harvest, pdf))

        where, sheets = f"sheet {sheet}, {trace.sentence!r}", (*css(sheet, options), primer())
        laid_out(numbered(html), sheets, request.formulas, options, where, take, tagged=True)
        return made[0]

    def planned(self, trace: Trace) -> Plan:
        """What a pupil is asked on this sheet."""
        return _planned(self.request.sheet, trace, self.request.options)

    def stamp(self, seat: Seat) -> bytes:
        """The pupil's PDF, tagged; `DoesNotFit` where the page differs in more than its texts."""
        return self.filling(seat).file()

    def filling(self, seat: Seat) -> "Filling":
        """What is put into the template for a pupil; `DoesNotFit` as `stamp`."""
        own = HtmlPage.taken_apart(self.request.html(self.planned(seat.trace), seat))
        changed: dict[int, Form] = {}
        for k in self.page.changed(own):
            if k not in self.forms:
                raise DoesNotFit(f"{own.parts[k]!r} does not stand in a block of its own")
            changed[self.forms[k].block.number] = self.forms[k]
        texts = tuple((form, form.html(own)) for form in changed.values())
        for form, html in texts:
            if html:
                self.wordings.expect(form, html)
            elif form.block.number not in self.silent:
                raise DoesNotFit(f"block {form.block.number} says nothing")
        widths = zip(self.bars, own.widths, strict=True)
        beside = {(n, bar.page, BAR): bar_drawn(bar, width) for (n, bar), width in widths}
        if own.dark:
            code = square_drawn(own.dark)
            beside |= {(-1, number, SQUARE): code for number in range(len(self.pages))}
        return Filling(self, texts, beside)


class Filling(NamedTuple):
    """What the blocks of a pupil's page say that say something else; bars and QR code as drawn.

    Wordings that are new are set when the first filling of a template is put in: those of all
    fillings that were made until then at once, which is quicker than one after the other.
    """

    template: Template
    texts: tuple[tuple[Form, str], ...]
    beside: Put

    def put(self) -> Put:
        """What is drawn otherwise than was laid out; `DoesNotFit` for a text without room."""
        put, wordings = dict(self.beside), self.template.wordings
        wordings.set_expected()
        for form, html in self.texts:
            put |= wordings.drawn(form, html)
        return put

    def file(self) -> bytes:
        """The pupil's PDF."""
        put, here = self.put(), self.template
        own = {one.contents: stream(one.filled(put)) for one in here.pages}
        own |= dict(here.silent[form.block.number] for form, html in self.texts if not html)
        return here.shared.file(own)


def _template(request: Request, page: HtmlPage, harvest: Harvest, pdf: Any) -> Template:
    kept = forms(page, harvest.blocks)
    contents = [int(one["Contents"].split()[0]) for one in pages_of(pdf)]
    blocks = {form.block.number: form.block for form in kept.values()}.values()
    return Template(
        request,
        page,
        kept,
        tuple((number, harvest.bars[number]) for number in page.bars),
        pages(harvest, contents, blocks, page.dark),
        shared(pdf, frozenset(contents)),
        silent(pdf, (one for one in blocks if one.whole and len(one.spots) == 1)),
        Wordings(request.sheet, request.options, request.formulas, page, harvest.fonts),
    )


@lru_cache(maxsize=4)
def _planned(sheet: str, trace: Trace, options: SheetOptions) -> Plan:
    """The plan, which a pupil's blank and solution share."""
    return planned(sheet, trace, options)


def stamped_or_rendered(
    template: Template | None, sheet: str, seat: Seat, options: SheetOptions, variant: str
) -> bytes:
    """The pupil's PDF: stamped where it fits the template, else rendered in full."""
    if template is not None:
        try:
            return template.stamp(seat)
        except DoesNotFit:
            pass
    own = seat.options(options)
    return render(sheet, seat.trace, seat.exact, own, kind="pdf", variant=variant)
