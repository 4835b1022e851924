"""Work leaves of a class: stamped from a template where they fit, else rendered in full.

Templates are laid out from the class's own numbers, never from a pupil's, so that a file depends
on its pupil alone: not on who was made before, in which process, or in which run.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from generator.classroom.common_leaves import common_leaf, common_page
from generator.classroom.task import Task
from generator.engine.trace import Trace
from generator.render.worksheet.browser_book import book
from generator.render.worksheet.copier_file import Leaf, bound
from generator.render.worksheet.edition import Page as HtmlPage
from generator.render.worksheet.edition import joined
from generator.render.worksheet.pdf_by import in_browser
from generator.render.worksheet.stamp.html_page import DoesNotFit
from generator.render.worksheet.stamp.template import Filling, Seat, Template, stamped_or_rendered
from generator.render.worksheet.worksheet import in_html, render
from generator.sheets.fonts import require_glyphs
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan

MOST_TEMPLATES = 48  # some sheets, some own tokens; a template takes about half a megabyte
NAME = "Name"  # what a template is laid out with, where names are printed
_SIGN = re.compile("[0-9A-Z]")


class Pair(NamedTuple):
    """A seat's computation as on paper (or as the preset has it), and without rounding."""

    trace: Trace
    exact: Trace


class Page(NamedTuple):
    """What a seat's work leaves are made from; `own` is the own token's place, None the preset's.

    `options` hold the seat's code and name.
    """

    task: Task
    own: int | None
    both: Pair
    options: SheetOptions

    def seat(self) -> Seat:
        """What is stamped: both computations, code, name, number in the list."""
        return Seat(*self.both, self.options.code, self.options.pupil, self.options.number)


class Wanted(NamedTuple):
    """A pupil's work leaf of a sheet in a class's file, by what the outline calls it."""

    sheet: str
    page: Page
    title: str


class Shared(NamedTuple):
    """What all who have a task get of a sheet, in a class's file."""

    sheet: str
    task: Task
    options: SheetOptions
    title: str


def leaf(sheet: str, page: Page, variant: str) -> bytes:
    """The work leaf as PDF; stamped and rendered it is the same to the eye and to a reader.

    Raises `UserError` for a name with a character that the fonts cannot set.
    """
    require_glyphs(page.options.pupil, "the name to print")
    if in_browser(page.options):
        return render(sheet, *page.both, page.options, variant=variant)
    return stamped_or_rendered(
        _template(sheet, page, variant), sheet, page.seat(), page.options, variant
    )


def class_file(
    leaves: Sequence[Wanted | Shared], variant: str, title: str, kind: str, *front: HtmlPage
) -> bytes:
    """One file of leaves: HTML, behind a page with what is in it, or PDF.

    In HTML the margins are those of one side: no browser leaves a page empty.
    """
    if kind == "html":
        pages = [_html_page(one, variant, duplex=False) for one in leaves]
        return joined([*front, *pages], title).encode()
    if leaves and in_browser(_options_of(leaves[0])):
        pages = [_html_page(one, variant, duplex=None) for one in leaves]
        return book(pages, [one.title for one in leaves], title, odd=True)
    return class_book(leaves, variant, title)


def _options_of(one: Wanted | Shared) -> SheetOptions:
    return one.options if isinstance(one, Shared) else one.page.options


def _html_page(one: Wanted | Shared, variant: str, *, duplex: bool | None) -> HtmlPage:
    """A leaf of the HTML edition; `duplex` None leaves that choice as it is."""
    options = _options_of(one)
    require_glyphs(options.pupil, "the name to print")
    options = options if duplex is None else replace(options, duplex=duplex)
    if isinstance(one, Shared):
        return common_page(one.sheet, one.task, options)
    page = in_html(one.sheet, one.page.both, options, variant)
    return page._replace(anchor=options.code)


def class_book(leaves: Sequence[Wanted | Shared], variant: str, title: str) -> bytes:
    """One PDF of leaves, each beginning on an odd page."""
    # All fillings first: their wordings are then set at once.
    fillings = [_filling(one, variant) if isinstance(one, Wanted) else None for one in leaves]

    def made() -> Iterator[Leaf]:
        for one, filling in zip(leaves, fillings, strict=True):
            if isinstance(one, Shared):
                yield _common(one)
            elif stamped := _file(filling):
                yield Leaf(one.title, stamped, id(filling.template) if filling else None)
            else:
                yield Leaf(one.title, leaf(one.sheet, one.page, variant))

    return bound(made(), title)


def _common(one: Shared) -> Leaf:
    made_from = one.sheet, one.task, one.options
    return Leaf(one.title, common_leaf(*made_from), made_from, alike=True)


def _filling(one: Wanted, variant: str) -> Filling | None:
    with suppress(DoesNotFit):
        if template := _template(one.sheet, one.page, variant):
            return template.filling(one.page.seat())
    return None


def _file(filling: Filling | None) -> bytes:
    """The stamped leaf; empty where it does not fit."""
    with suppress(DoesNotFit):
        if filling:
            return filling.file()
    return b""


def _template(sheet: str, page: Page, variant: str) -> Template | None:
    """The template of the page's shape; None where such a sheet is not stamped."""
    code = _SIGN.sub("K", page.options.code)
    name = NAME if page.options.pupil else ""
    options = replace(page.options, code=code, pupil=name, number=min(page.options.number, 1))
    template = _laid_out(sheet, page.task, page.own, options, variant)
    if template is None:
        return None
    plan = template.planned(page.both.trace)
    if plan.bare == template.request.plan.bare:
        return template
    if _own_steps(plan) != _own_steps(template.request.plan):
        return template
    return _laid_out(sheet, page.task, page.own, options, variant, plan.bare)


def _own_steps(plan: Plan) -> list[tuple[str, tuple[int, ...]]]:
    return [(step.name, step.shape) for step in plan.extra]


@lru_cache(maxsize=MOST_TEMPLATES)
def _laid_out(
    sheet: str,
    task: Task,
    own: int | None,
    options: SheetOptions,
    variant: str,
    asked: Plan | None = None,
) -> Template | None:
    """The template of the class's own numbers; `asked` is the plan of who is asked otherwise."""
    exact = task.trace({}, exercise=own, rounding="exact")
    try:
        paper = task.trace({}, exercise=own)
        return Template.lay_out(sheet, paper, exact, options, variant, asked)
    except DoesNotFit:
        return None
