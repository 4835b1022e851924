"""Work leaves of a class: stamped from a template where they fit, else rendered in full.

Templates are laid out from the class's own numbers, never from a pupil's, so that a file hangs on
its pupil alone: not on who was made before, in which process, or in which run.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from generator.classroom.task import Task
from generator.engine.trace import Trace
from generator.sheets.fonts import require_glyphs
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan

if TYPE_CHECKING:
    from generator.render.worksheet.stamp.template import Template

MOST_TEMPLATES = 32  # some sheets, some own tokens; a template takes about a megabyte
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

    def seat(self) -> tuple[Trace, Trace, str, str]:
        """What is stamped: both computations, code, name."""
        return (*self.both, self.options.code, self.options.pupil)


def leaf(sheet: str, page: Page, variant: str) -> bytes:
    """The work leaf as PDF; stamped and rendered it is the same to the eye and to a reader.

    Raises `UserError` for a name with a character that the fonts cannot set.
    """
    require_glyphs(page.options.pupil, "the name to print")
    from generator.render.worksheet.stamp.template import Seat, stamped_or_rendered

    return stamped_or_rendered(
        _template(sheet, page), sheet, Seat(*page.seat()), page.options, variant
    )


def learn(sheets: Iterable[str], pages: Sequence[Page]) -> None:
    """Lay out at once what the texts of these pages say: quicker than one after the other."""
    from generator.render.worksheet.stamp.template import Seat

    for sheet in sheets:
        seats: dict[int, tuple[Template, list[Seat]]] = {}
        for page in pages:
            if template := _template(sheet, page):
                found = seats.setdefault(id(template), (template, []))
                found[1].append(Seat(*page.seat()))
        for template, some in seats.values():
            template.learn(some)


def class_book(leaves: Sequence[tuple[str, Page, str]], variant: str, title: str) -> bytes:
    """One PDF of leaves (sheet, page, name in the outline), each beginning on an odd page."""
    from generator.render.worksheet.bound import Leaf, bound
    from generator.render.worksheet.stamp.book import Entry, class_pdf
    from generator.render.worksheet.stamp.fit import DoesNotFit
    from generator.render.worksheet.stamp.template import Seat

    entries = [
        Entry(template, Seat(*page.seat()), variant, name)
        for sheet, page, name in leaves
        if (template := _template(sheet, page))
    ]
    if len(entries) == len(leaves):
        try:
            return class_pdf(entries, title)
        except DoesNotFit:  # one of them; then all are bound as they were handed out
            pass
    return bound((Leaf(name, leaf(sheet, page, variant)) for sheet, page, name in leaves), title)


def _template(sheet: str, page: Page) -> "Template | None":
    """The template of the page's shape; None where such a sheet is not stamped."""
    code = _SIGN.sub("K", page.options.code)
    name = NAME if page.options.pupil else ""
    options = replace(page.options, code=code, pupil=name)
    made = _laid_out(sheet, page.task, page.own, options)
    if made is None:
        return None
    plan = made.planned(page.both.trace)
    if plan.bare == made.draft.plan.bare:
        return made
    if _own_steps(plan) != _own_steps(made.draft.plan):
        return None
    return _laid_out(sheet, page.task, page.own, options, plan.bare)


def _own_steps(plan: Plan) -> list[tuple[str, tuple[int, ...]]]:
    return [(step.name, step.shape) for step in plan.extra]


@lru_cache(maxsize=MOST_TEMPLATES)
def _laid_out(
    sheet: str, task: Task, own: int | None, options: SheetOptions, asked: Plan | None = None
) -> "Template | None":
    """The template of the class's own numbers; `asked` is the plan of who is asked otherwise."""
    from generator.render.worksheet.stamp.fit import DoesNotFit
    from generator.render.worksheet.stamp.template import Template

    exact = task.trace({}, exercise=own, rounding="exact")
    try:
        return Template.lay_out(sheet, task.trace({}, exercise=own), exact, options, asked)
    except DoesNotFit:
        return None
