"""A worksheet as PDF or as print-ready HTML, blank or solved, from one template."""

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.engine.trace import Trace
from generator.plans.plan import Plan, within_budget
from generator.render.worksheet.fonts import embedded_font_face_css, require_glyphs
from generator.render.worksheet.maths import Formulas
from generator.render.worksheet.options import KINDS, VARIANTS, SheetOptions, require_known
from generator.render.worksheet.pdf import document_css, to_pdf
from generator.render.worksheet.series import SERIES, SHEETS
from generator.render.worksheet.slots import Filler
from generator.resources import templates
from generator.text.catalogue import load


def render(
    sheet: str,
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    *,
    kind: str = "pdf",
    variant: str = "blank",
) -> bytes:
    """One worksheet as bytes: `kind` "pdf" or "html", `variant` "blank" or "solution".

    `exact` is the same computation without rounding; a solution mentions where the two end
    differently. Raises `UserError` for an unknown sheet, a preset or sentence that the sheet
    cannot take, a character that the fonts cannot set, and (PDF) where Pango is missing.
    """
    require_known("sheet", sheet, SHEETS)
    require_known("output", kind, KINDS)
    require_known("variant", variant, VARIANTS)
    plan = planned(sheet, trace, options)
    formulas = Formulas(embed=kind == "html")
    html = page(plan, trace, exact, options, formulas, blank=variant == "blank")
    further = SERIES[sheet].css
    if kind == "html":
        return _standalone(html, further).encode()
    where = f"sheet {sheet}, {trace.sentence!r}"
    css = (document_css(), style(), *map(style, further))
    return to_pdf(html, css, formulas, where=where)


def planned(sheet: str, trace: Trace, options: SheetOptions) -> Plan:
    """What the sheet shows and asks, at the chosen level or the largest within the budget."""
    plan = SERIES[sheet].plan
    if options.budget is not None:
        return within_budget(plan, trace, options.budget)
    return plan(trace, options.level)


def page(
    plan: Plan,
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    formulas: Formulas,
    *,
    blank: bool,
) -> str:
    """The worksheet's HTML, slots filled; in a blank, answers are never looked up."""
    catalogue = load(options.language)
    require_glyphs(" ".join([*trace.tokens, trace.sentence]), f"sheet {plan.sheet}")
    require_glyphs(
        " ".join([options.header, options.author, options.licence]), "the page furniture"
    )
    trace = trace.with_steps(plan.extra)
    view = SERIES[plan.sheet].view
    context = view(plan, trace, exact, options, catalogue, formulas, blank)
    html = environment().get_template(f"{plan.sheet}.html.j2").render(c=context, t=catalogue.t)
    return Filler(trace, plan.asked, options.language, blank).fill(html)


@cache
def environment() -> Environment:
    """The templates' environment: strict and escaping."""
    return Environment(
        loader=FileSystemLoader(templates()),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def style(name: str = "worksheet.css") -> str:
    """A style sheet of the worksheets."""
    return (templates() / name).read_text(encoding="utf-8")


def _standalone(html: str, further: tuple[str, ...]) -> str:
    sheets = [style(name) for name in ("print.css", "worksheet.css", *further, "html.css")]
    rules = "\n".join((embedded_font_face_css(html), *sheets))
    return html.replace("</head>", f"<style>\n{rules}\n</style>\n</head>", 1)
