"""The whole series as one PDF: a page of contents, then every sheet, laid out in one go."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from generator.engine.trace import Trace
from generator.errors import UserError
from generator.plans.plan import Plan
from generator.render.worksheet.maths import Formulas
from generator.render.worksheet.options import VARIANTS, SheetOptions, require_known
from generator.render.worksheet.series import SERIES
from generator.render.worksheet.sheet import environment, finished, page, planned, style, view

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BRACE = re.compile(r"[{}]")  # our style sheets have none within strings


class Entry(NamedTuple):
    """One sheet of the booklet: its plan, what it is for (not all say it), its leaves as HTML."""

    plan: Plan
    goal: str
    leaves: Markup


def booklet(
    sheets: tuple[str, ...], trace: Trace, exact: Trace, options: SheetOptions, *, variant: str
) -> bytes:
    """These sheets as one PDF, blank or solved, in the order in which they are taught.

    Raises `UserError` for an unknown sheet and for whatever a sheet cannot take.
    """
    require_known("variant", variant, VARIANTS)
    for name in sheets:
        require_known("sheet", name, tuple(SERIES))
    blank = variant == "blank"
    formulas = Formulas()
    plans = [planned(name, trace, options) for name in SERIES if name in sheets]
    context = view(plans[0], trace, exact, options, formulas, blank=blank)
    entries = [
        Entry(
            plan,
            context.catalogue.phrases.get(f"sheet{plan.sheet}.goal", ""),
            Markup(page(plan, trace, exact, options, formulas, blank=blank, bare=True)),
        )
        for plan in plans
    ]
    template = environment().get_template("contents.html.j2")
    html = template.render(c=context, t=context.catalogue.t, entries=entries)
    css = tuple(scoped(style(name), entry.plan.sheet) for entry in entries
                for name in SERIES[entry.plan.sheet].css)  # fmt: skip
    return finished(html, ("booklet.css",), options, formulas, "pdf", "booklet", trace, scoped=css)


def fitting(sheets: tuple[str, ...], trace: Trace, options: SheetOptions) -> tuple[str, ...]:
    """Those of the printed sheets that this computation can fill with these options."""
    found = []
    for name in sheets:
        if SERIES[name].screen:
            continue
        try:
            planned(name, trace, options)
        except UserError:
            continue  # the sheet's own file says why
        found.append(name)
    return tuple(found)


def scoped(css: str, sheet: str) -> str:
    """A sheet's own style sheet, kept to that sheet; its page becomes a named page."""
    own, pages = [], []
    for prelude, block in _rules(_COMMENT.sub("", css)):
        if not prelude.startswith("@page"):
            own.append(f"{prelude} {block}")
            continue
        name = prelude.removeprefix("@page").strip()
        pages.append(f"@page {name or f'sheet-{sheet}'} {block}")
        own += [] if name else [f"page: sheet-{sheet};"]
    inner = "\n".join(own)
    return "\n".join([f":where(.sheet-{sheet}) {{\n{inner}\n}}", *pages])


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """The rules of a style sheet: what stands before the block, and the block with its braces."""
    depth, begin, opened = 0, 0, 0
    for brace in _BRACE.finditer(css):
        opened = brace.start() if not depth else opened
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            yield css[begin:opened].strip(), css[opened : brace.end()]
            begin = brace.end()
