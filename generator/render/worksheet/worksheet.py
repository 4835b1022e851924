"""A worksheet as PDF or as print-ready HTML, blank or solved, from one template.

Also here:

* Help cards to cut out: what to press on a calculator and how the own line begins; no answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from generator.engine.place import place_of
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError, require, require_known
from generator.insight.claims import CheckedCatalogue
from generator.locales.catalogue import load
from generator.locales.locale import of_norm
from generator.notation.shown import number
from generator.render.owner import Owner
from generator.render.worksheet import browser
from generator.render.worksheet.edition import EditionPage, standalone
from generator.render.worksheet.form_fields import FormMaker
from generator.render.worksheet.pdf import Leaves, PdfDocument, document_css, in_browser
from generator.render.worksheet.styles import style
from generator.resources import template
from generator.sheets import exam
from generator.sheets.context import Context, typesetting
from generator.sheets.fonts import require_glyphs
from generator.sheets.maths import Formulas
from generator.sheets.mosaic import SHEETS_WITH, Mosaic
from generator.sheets.options import KINDS, VARIANTS, SheetOptions
from generator.sheets.own_texts import phrased
from generator.sheets.plan import Plan, within_budget
from generator.sheets.series import SERIES, require_sheet
from generator.sheets.slots import Filler, slots
from generator.sheets.titles import placed, title
from generator.sheets.worth import Worth, worth

LARGE = 1.5  # large print is laid out in type of 12 pt and enlarged as a whole


@lru_cache(maxsize=4)  # a pupil's blank and solution, stamped and rendered, share it
def planned(sheet: str, trace: Trace, options: SheetOptions) -> Plan:
    """What the sheet shows and asks, at the chosen level or the largest within the budget."""
    plan = SERIES[sheet].plan
    if options.budget is not None:
        chosen = within_budget(plan, trace, options.budget)
    else:
        chosen = plan(trace, options.level)
    return replace(chosen, among=options.among) if options.among else chosen


def unfit(sheet: str, trace: Trace, options: SheetOptions | None = None) -> str:
    """Why this computation cannot fill a sheet, as chosen or at any level; "" where it can."""
    try:
        planned(sheet, trace, options or SheetOptions(language=trace.language, level=1))
    except UserError as error:
        return error.message
    return ""


@dataclass(frozen=True)
class PrintedSheet:
    """A sheet with the numbers, options and formulas that it is printed with.

    `exact` is the same computation without rounding; a solution mentions where the two end
    differently. `chosen` is another plan than that of the options' level, such as one that asks
    more.
    """

    sheet: str
    trace: Trace
    exact: Trace
    options: SheetOptions
    chosen: Plan | None = None
    formulas: Formulas = field(default_factory=Formulas)

    @cached_property
    def plan(self) -> Plan:
        """What is shown and asked; `UserError` for an unknown sheet and where it does not fit."""
        require_sheet(self.sheet)
        return self.chosen or planned(self.sheet, self.trace, self.options)

    def file(
        self,
        kind: str = "pdf",
        variant: str = "blank",
        *,
        leaves: Leaves | None = None,
        owner: Owner | None = None,
    ) -> bytes:
        """The worksheet as bytes: `kind` "pdf" or "html", `variant` "blank" or "solution".

        With an `owner` a blank PDF's boxes are form fields, and it says in its properties whose it
        is. `leaves` keep what of the sheet is laid out, for its other variant. Raises `UserError`
        for an unknown sheet, a preset or sentence that the sheet cannot take, a character that the
        fonts cannot set, and (PDF) where Pango is missing.
        """
        own, sheet, blank = self.printed_as(kind), self.sheet, variant == "blank"
        require_known("variant", variant, VARIANTS)
        require(not (SERIES[sheet].kind.complete and blank), "worksheet.complete", sheet=sheet)
        form = own.form(owner) if owner and blank else None
        require(not form or not in_browser(own.options), "worksheet.forms")
        html, leaves = own.page(blank=blank), {} if leaves is None else leaves
        css, what = SERIES[sheet].css, f"sheet {sheet}"
        document = own.document(html, css, what, leaves=leaves, form=form)
        return own.as_file(kind, css, document)

    def help_cards(self, kind: str = "pdf") -> bytes:
        """The sheet's help cards as bytes: which keys, the formula, how the own line begins.

        They are filled as a blank is: what the sheet asks is never looked up. Raises `UserError`
        for an unknown sheet or output and for whatever the sheet cannot take.
        """
        own, what = self.printed_as(kind), f"help cards of sheet {self.sheet}"
        if not own.has_helps:
            names = (one for one in SERIES if replace(self, sheet=one, chosen=None).has_helps)
            having = ", ".join(names) or "none"
            raise UserError(f"sheet {self.sheet} has no help cards; sheets that have: {having}")
        return own.other_page(own.page(blank=True, other="help.html.j2"), "help.css", what, kind)

    @property
    def has_mosaic(self) -> bool:
        """Whether a self-check of tiles is asked for and made for it."""
        return self.options.mosaic and self.sheet in SHEETS_WITH and self.asks

    def mosaic(self, kind: str = "pdf", variant: str = "blank") -> bytes:
        """The sheet's self-check as bytes: tiles to draw in, which in a solution show a picture."""
        own = self.printed_as(kind)
        return own.other_page(own.mosaic_page(variant == "blank"), "mosaic.css", "mosaic", kind)

    def mosaic_page(self, blank: bool) -> str:
        """The HTML of the self-check; a blank says where a number lies, never which it is."""
        context, seed = self.view(blank=blank), (self.trace.preset.sha256, self.trace.sentence)
        mosaic = Mosaic(context.trace, self._in_order, f"{seed}{self.options.code}{self.sheet}")
        return environment().get_template("mosaic.html.j2").render(
            c=context, t=typesetting(context.catalogue), pictures=mosaic.pictures,
            named=lambda step: (title if place_of(step).head else placed)(context.catalogue, step),
            number=partial(number, decimals=None, language=self.options.language))  # fmt: skip

    @property
    def _in_order(self) -> tuple[Cell, ...]:
        """The asked cells in the order of their boxes."""
        leaf, sheet = replace(self, options=replace(self.options, part="work")), SERIES[self.sheet]
        with sheet.guarded():
            found = (one[1:] for one in slots(_unfilled(leaf.view(blank=True), sheet.page)))
            return tuple(dict.fromkeys(cell for cell in found if cell in self.plan.asked))

    def leaf_pages(self) -> list[int]:
        """How many pages each leaf of the blank has; none where a browser lays it out."""
        leaves: Leaves = {}
        self.file(leaves=leaves)
        return [len(one.pages) for one in leaves.values()]

    @property
    def has_helps(self) -> bool:
        """Whether there are help cards for this computation; no where it cannot be filled."""
        sheet = SERIES[self.sheet]
        if not sheet.kind.in_booklet:
            return False
        try:
            view = self.view(blank=True)
            with sheet.guarded():
                return bool(view.helps())
        except UserError:
            return False  # the sheet's own file says why

    @property
    def asks(self) -> bool:
        """Whether the sheet has boxes to fill."""
        return SERIES[self.sheet].kind.filled and bool(self.plan.asked)

    def other_page(self, html: str, style: str, what: str, kind: str) -> bytes:
        """A page that is not the sheet's own, such as its help cards, as a file of a kind."""
        return self.as_file(kind, (style,), self.document(html, (style,), what, leaves={}))

    def printed_as(self, kind: str) -> "PrintedSheet":
        """The same for a kind of file: a browser takes formulas as pictures of the page's own.

        What is shown on a screen has no large print, margins for two sides or boxes for points.
        """
        require_sheet(self.sheet)
        require_known("output", kind, KINDS)
        options = self.options
        if SERIES[self.sheet].kind.screen:
            options = replace(options, large_print=False, duplex=False, points=False)
        embedded = Formulas(embed=kind == "html" or in_browser(options))
        return replace(self, options=options, formulas=embedded)

    def page(self, *, blank: bool, other: str = "") -> str:
        """The HTML, slots filled; in a blank, answers are never looked up.

        `other` is another template than the sheet's own.
        """
        return printed(self.view(blank=blank), other)

    def view(self, *, blank: bool) -> Context:
        """What the template may ask; `UserError` for a character that no font has."""
        trace, options, sheet = self.trace, self.options, SERIES[self.sheet]
        furniture = (options.header, options.author, options.licence, options.aids)
        require_glyphs(" ".join([*trace.tokens, trace.sentence]), "the sentence on a worksheet")
        require_glyphs(" ".join(furniture), "the page furniture")
        require_glyphs(options.pupil, "the name to print")
        for key, text in options.texts:
            require_glyphs(text, f"own text {key}")
        steps, own = trace.with_steps(self.plan.extra), dict(options.texts)
        with sheet.guarded():
            kinds = reversed(sheet.view.__mro__)
            every = (item for one in kinds for item in vars(one).get("claims", {}).items())
            claims = {key: claim for key, claim in every if key not in own}
            checked = CheckedCatalogue(phrased(options, trace.preset), claims, steps, self.plan)
            return sheet.view(self.plan, steps, self.exact, options, checked, self.formulas, blank)

    def edition(self, *, blank: bool) -> EditionPage:
        """One worksheet for a file of several of the HTML edition."""
        html = replace(self, formulas=Formulas(embed=True)).page(blank=blank)
        return EditionPage(html, SERIES[self.sheet].css, option_css(self.options, "html"))

    @property
    def worth(self) -> Worth:
        """The marks that stand on the work leaf, by task and by cell."""
        leaf = replace(self, options=replace(self.options, part="work")).view(blank=True)
        sheet = SERIES[self.sheet]
        with sheet.guarded():
            return worth(_unfilled(leaf, sheet.page))

    def form(self, owner: Owner) -> FormMaker:
        """The fields of a blank: what is asked, each named by the step and the place of its cell.

        Labels that could be somebody's answers are numbers.
        """
        catalogue = of_norm(load(self.options.language), self.trace.preset.norm_form)
        steps = self.trace.with_steps(self.plan.extra)

        def title(cell: Cell) -> str:
            name, i, j = cell
            step = steps[name]
            row = step.rows[i] if step.rows == self.trace.tokens else str(i + 1)
            column = step.columns[j] if step.columns == self.trace.tokens else str(j + 1)
            parts = (row if step.shape[0] > 1 else "", column if step.shape[1] > 1 else "")
            return f"{placed(catalogue, name)}: {', '.join(p for p in parts if p)}".rstrip(": ")

        return FormMaker(self.plan.asked, title, str(owner))

    def as_file(self, kind: str, further: tuple[str, ...], document: PdfDocument) -> bytes:
        """A page as print-ready HTML, or as a PDF that a browser prints or that is laid out."""
        if not self.formulas.embed:
            return document.to_pdf()
        page = EditionPage(document.html, further, option_css(self.options, "html"))
        return as_asked(page, kind, document.where)

    def document(self, html: str, further: tuple[str, ...], what: str, **how: Any) -> PdfDocument:
        """An HTML page as a PDF to lay out, with the style sheets that it needs; `how` says more.

        `further` are their names.
        """
        css, large = css_of(further, self.options), self.options.large_print
        where, zoom = f"{what}, {self.trace.sentence!r}", LARGE if large else 1
        how |= {"zoom": zoom, "recto": self.options.duplex}
        return PdfDocument(html, css, self.formulas, where, **how)


def printed(context: Context, other: str = "") -> str:
    """The HTML of a view, slots filled; its catalogue then knows which claims it has said."""
    plan, options = context.plan, context.options
    sheet = SERIES[plan.sheet]
    with sheet.guarded():
        html = _unfilled(context, other or sheet.page)
        filled = Filler(context.trace, plan.asked, options.language, context.blank).fill(html)
    if not other and options.part == "both":
        sheet.require_asked(html, plan, context.trace)
    return filled


def _unfilled(context: Context, name: str) -> str:
    """The HTML of a view, its slots empty; in an exam without what helps."""
    html = environment().get_template(name).render(c=context, t=typesetting(context.catalogue))
    if not context.options.exam:
        return html
    return exam.edition(html, context.plan.asked, squares=context.options.large_print)


def as_asked(page: EditionPage, kind: str, where: str) -> bytes:
    """A page of the HTML edition as it is, or printed by a browser."""
    html = standalone(page).encode()
    return html if kind == "html" else browser.to_pdf(html, where)


def option_css(options: SheetOptions, kind: str) -> tuple[str, ...]:
    """The style sheets that the options ask for; they come last."""
    coded, edition = options.qr and bool(options.code), "" if kind == "pdf" else "-html"
    chosen = {
        "large.css": options.large_print,
        "large-pdf.css": options.large_print and kind == "pdf",
        "duplex.css": options.duplex,
        f"large-duplex{edition}.css": options.duplex and options.large_print,
        "qr.css": coded,
        f"large-qr{edition}.css": coded and options.large_print,
    }
    return tuple(name for name, wanted in chosen.items() if wanted)


def css_of(further: tuple[str, ...], options: SheetOptions) -> tuple[str, ...]:
    """The style sheets of a PDF: those under every one, further ones, those of the options."""
    names = ("worksheet.css", *further, *option_css(options, "pdf"))
    return (document_css(), *map(style, names))


@cache
def environment() -> Environment:
    """The templates' environment: strict and escaping."""
    return Environment(
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _source(name: str) -> tuple[str, str, Callable[[], bool]] | None:
    """A template's text, the file for messages, and whether it still holds; None for no file."""
    path = template(name)
    return (path.read_text(encoding="utf-8"), str(path), lambda: True) if path.is_file() else None
