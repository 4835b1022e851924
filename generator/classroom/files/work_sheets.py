"""Leaves of a class: its work leaves, stamped where they fit, and what all have in common.

Templates are laid out from the class's own numbers, never from a pupil's, so that a file depends
on its pupil alone: not on who was made before, in which process, or in which run.

Also here:

* Which rows of the class matrix pupils compute: those of nobody are printed for everybody.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import focus_token, own_tokens
from generator.classroom.pupils.seats import Seat
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.worksheet.binding import CopierLeaf, bound_for_copier
from generator.render.worksheet.browser import book
from generator.render.worksheet.edition import EditionPage as HtmlPage
from generator.render.worksheet.edition import joined
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.stamp.difference import DoesNotFit
from generator.render.worksheet.stamp.template import Filling, Template, stamped_or_rendered
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.fonts import require_glyphs
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES

MOST_TEMPLATES = 48  # some sheets, some own tokens; a template takes about half a megabyte
MOST_LEAVES = 32  # PDFs that are kept, as the copier's file has them too; each takes some 80 kB
NAME = "Name"  # what a template is laid out with, where names are printed
_SIGN = re.compile("[0-9A-Z]")


class Pair(NamedTuple):
    """A seat's computation as on paper (or as the preset has it), and without rounding."""

    trace: Trace
    exact: Trace


class WorkPage(NamedTuple):
    """What a seat's work leaves are made from; `own` is the own token's place, None the preset's.

    `options` hold the seat's code and name.
    """

    task: Task
    own: int | None
    both: Pair
    options: SheetOptions

    def of(self, sheet: str) -> PrintedSheet:
        """A sheet with both computations, code, name, number in the list."""
        return PrintedSheet(sheet, *self.both, self.options)


class Shape(NamedTuple):
    """What work leaves have in common that one template serves.

    `asked` is the plan of who is asked otherwise than the class's own numbers ask.
    """

    sheet: str
    variant: str
    task: Task
    own: int | None
    options: SheetOptions
    asked: Plan | None = None


@lru_cache(maxsize=MOST_TEMPLATES)
def laid_out(shape: Shape) -> Template | None:
    """The template of the class's own numbers; None where such a sheet is not stamped."""
    sheet, variant, task, own, options, asked = shape
    exact = task.trace({}, exercise=own, rounding="exact")
    try:
        paper = task.trace({}, exercise=own)
        return Template(PrintedSheet(sheet, paper, exact, options, asked), variant)
    except DoesNotFit:
        return None


class WorkLeaf(NamedTuple):
    """A pupil's work leaf of a sheet; in a class's file by its title in the outline."""

    sheet: str
    page: WorkPage
    title: str = ""
    variant: str = "blank"

    @property
    def options(self) -> SheetOptions:
        """How it is printed."""
        return self.page.options

    def pdf(self) -> bytes:
        """The leaf; stamped and rendered it is the same to the eye and to a reader.

        Raises `UserError` for a name with a character that the fonts cannot set.
        """
        own = self.page.of(self.sheet)
        require_glyphs(own.options.pupil, "the name to print")
        template = None if in_browser(own.options) else laid_out(self._shape)
        return stamped_or_rendered(self._fitting(template, own), own, self.variant)

    def html(self, options: SheetOptions) -> HtmlPage:
        """The leaf for a file of several of the HTML edition."""
        page = PrintedSheet(self.sheet, *self.page.both, options).edition(
            blank=self.variant == "blank"
        )
        return page._replace(anchor=options.code)

    def filling(self) -> Filling | None:
        """What is stamped, its wordings still to be set; None where it does not fit."""
        with suppress(DoesNotFit):
            own = self.page.of(self.sheet)
            if template := self._fitting(laid_out(self._shape), own):
                return template.filling(own)
        return None

    @property
    def _shape(self) -> Shape:
        """The shape of the page: whose it is takes as much place as the pupil's."""
        code, name = _SIGN.sub("K", self.options.code), NAME if self.options.pupil else ""
        number = min(self.options.number, 1)
        options = replace(self.options, code=code, pupil=name, number=number)
        return Shape(self.sheet, self.variant, self.page.task, self.page.own, options)

    def _fitting(self, template: Template | None, own: PrintedSheet) -> Template | None:
        """The template, or that of those who are asked otherwise; None where there is none."""
        if template is None:
            return None
        plan, usual = own.plan, template.own.plan
        if plan.bare == usual.bare or _own_steps(plan) != _own_steps(usual):
            return template
        return laid_out(self._shape._replace(asked=plan.bare))


def _own_steps(plan: Plan) -> list[tuple[str, tuple[int, ...]]]:
    return [(step.name, step.shape) for step in plan.extra]


@dataclass(frozen=True)
class SharedLeaf:
    """What all who have a task get of a sheet alike: the info leaf, or all of a reference."""

    sheet: str
    task: Task
    options: SheetOptions
    title: str = ""

    def file(self, kind: str = "pdf") -> bytes:
        """The leaf as a file of a kind; of a sheet that is one file the whole."""
        return _shared(replace(self, title=""), kind)

    def html(self, options: SheetOptions) -> HtmlPage:
        """The same for a file of several of the HTML edition; it is never solved."""
        one = replace(self, options=options)
        return PrintedSheet(self.sheet, *one.both, one.chosen, one.plan).edition(blank=True)

    @property
    def both(self) -> Pair:
        """The class's own computation."""
        return Pair(self.task.base, self.task.trace({}, rounding="exact"))

    @property
    def chosen(self) -> SheetOptions:
        """How it is printed, with the part that is alike."""
        single = SERIES[self.sheet].kind.single
        return self.options if single else replace(self.options, part="info")

    @property
    def plan(self) -> Plan | None:
        """Everything that anybody of the class is asked, so that it tells nobody's answers."""
        return info_plan(self.task, self.sheet) if SERIES[self.sheet].kind.filled else None


@lru_cache(maxsize=MOST_LEAVES)
def _shared(leaf: SharedLeaf, kind: str) -> bytes:
    return PrintedSheet(leaf.sheet, *leaf.both, leaf.chosen, leaf.plan).file(kind)


def info_plan(task: Task, sheet: str) -> Plan:
    """The sheet's plan with everything that anybody of the class is asked."""
    base = task.base_plans[sheet]
    others = [task.plans_of(one)[sheet].asked for one in own_tokens(task)]
    return replace(base, asked=base.asked.union(*others))


class ClassFile(NamedTuple):
    """One file of leaves: what it is called, and in HTML what stands in front."""

    leaves: Sequence[WorkLeaf | SharedLeaf]
    title: str
    front: tuple[HtmlPage, ...] = ()

    def html(self) -> bytes:
        """The HTML edition; with the margins of one side, as no browser leaves a page empty."""
        pages = [_page(one, replace(one.options, duplex=False)) for one in self.leaves]
        return joined([*self.front, *pages], self.title).encode()

    def pdf(self) -> bytes:
        """One PDF, in which each leaf begins on an odd page."""
        if self.leaves and in_browser(self.leaves[0].options):
            pages = [_page(one, one.options) for one in self.leaves]
            return book(pages, [one.title for one in self.leaves], self.title, odd=True)
        # All fillings first: their wordings are then set at once.
        fillings = [one.filling() if isinstance(one, WorkLeaf) else None for one in self.leaves]
        pairs = zip(self.leaves, fillings, strict=True)
        return bound_for_copier((_for_copier(*pair) for pair in pairs), self.title)


def _page(leaf: WorkLeaf | SharedLeaf, options: SheetOptions) -> HtmlPage:
    require_glyphs(options.pupil, "the name to print")
    return leaf.html(options)


def _for_copier(leaf: WorkLeaf | SharedLeaf, filling: Filling | None) -> CopierLeaf:
    if isinstance(leaf, SharedLeaf):
        made_from = leaf.sheet, leaf.task, leaf.options
        return CopierLeaf(leaf.title, leaf.file(), made_from, alike=True)
    with suppress(DoesNotFit):
        if filling:
            return CopierLeaf(leaf.title, filling.file(), id(filling.template))
    return CopierLeaf(leaf.title, leaf.pdf())


class Matrix(NamedTuple):
    """What pupils have in common who fill one matrix: the sentence, in a preset and a language."""

    preset_sha256: str
    sentence: str | None
    language: str | None


Taken: TypeAlias = Mapping[Matrix, frozenset[int]]


def taken(seats: Iterable[Seat]) -> Taken:
    """The tokens that are somebody's, by their places, for each matrix.

    Only where the class fills one together. A seat that cannot be made has no token here; why is
    told where its files are made.
    """
    places_of: dict[Matrix, set[int]] = {}
    for seat in seats:
        if seat.lesson.variation.alone:
            return {}
        with suppress(UserError):
            tasks, filled = seat.tasks, seat.lesson.filled
            for task in {tasks[s]: 0 for s in filled if SERIES[s].kind.board == "tokens"}:
                own = own_place(task, focus_token(task, seat.lot))
                places_of.setdefault(matrix_of(task), set()).update(own)
    return {key: frozenset(places) for key, places in places_of.items()}


def others(taken: Taken, task: Task, exercise: int | None) -> list[int]:
    """The tokens that are somebody else's, in order; `exercise` is the seat's own."""
    return sorted(taken.get(matrix_of(task), frozenset()) - own_place(task, exercise))


def matrix_of(task: Task) -> Matrix:
    """The matrix that who has a task helps to fill."""
    return Matrix(task.preset.sha256, task.sentence, task.language)


def own_place(task: Task, exercise: int | None) -> frozenset[int]:
    """The place of the own token, the class's own where the seat has no other; none for neither."""
    own = task.base.exercise if exercise is None else exercise
    return frozenset() if own is None else frozenset([own])
