"""Work leaves of a class: stamped from a template where they fit, else rendered in full.

Templates are laid out from the class's own numbers, never from a pupil's, so that a file depends
on its pupil alone: not on who was made before, in which process, or in which run.

Also here:

* Which rows of the class matrix pupils compute: those of nobody are printed for everybody.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from generator.classroom.files.common_leaves import common_leaf, common_page
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import focus_token
from generator.classroom.pupils.seats import Seat, tasks_of
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.worksheet.binding import CopierLeaf, bound_for_copier
from generator.render.worksheet.browser import book
from generator.render.worksheet.edition import EditionPage as HtmlPage
from generator.render.worksheet.edition import joined
from generator.render.worksheet.pdf import in_browser
from generator.render.worksheet.stamp.html_page import DoesNotFit
from generator.render.worksheet.stamp.template import (
    Filling,
    StampedSeat,
    Template,
    stamped_or_rendered,
)
from generator.render.worksheet.worksheet import in_html, render
from generator.sheets.fonts import require_glyphs
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES

MOST_TEMPLATES = 48  # some sheets, some own tokens; a template takes about half a megabyte
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

    def seat(self) -> StampedSeat:
        """What is stamped: both computations, code, name, number in the list."""
        return StampedSeat(*self.both, self.options.code, self.options.pupil, self.options.number)


class WantedLeaf(NamedTuple):
    """A pupil's work leaf of a sheet in a class's file, by what the outline calls it."""

    sheet: str
    page: WorkPage
    title: str


class SharedLeaf(NamedTuple):
    """What all who have a task get of a sheet, in a class's file."""

    sheet: str
    task: Task
    options: SheetOptions
    title: str


def leaf(sheet: str, page: WorkPage, variant: str) -> bytes:
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
    leaves: Sequence[WantedLeaf | SharedLeaf], variant: str, title: str, kind: str, *front: HtmlPage
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


def _options_of(one: WantedLeaf | SharedLeaf) -> SheetOptions:
    return one.options if isinstance(one, SharedLeaf) else one.page.options


def _html_page(one: WantedLeaf | SharedLeaf, variant: str, *, duplex: bool | None) -> HtmlPage:
    """A leaf of the HTML edition; `duplex` None leaves that choice as it is."""
    options = _options_of(one)
    require_glyphs(options.pupil, "the name to print")
    options = options if duplex is None else replace(options, duplex=duplex)
    if isinstance(one, SharedLeaf):
        return common_page(one.sheet, one.task, options)
    page = in_html(one.sheet, one.page.both, options, variant)
    return page._replace(anchor=options.code)


def class_book(leaves: Sequence[WantedLeaf | SharedLeaf], variant: str, title: str) -> bytes:
    """One PDF of leaves, each beginning on an odd page."""
    # All fillings first: their wordings are then set at once.
    fillings = [_filling(one, variant) if isinstance(one, WantedLeaf) else None for one in leaves]

    def made() -> Iterator[CopierLeaf]:
        for one, filling in zip(leaves, fillings, strict=True):
            if isinstance(one, SharedLeaf):
                yield _common(one)
            elif stamped := _file(filling):
                yield CopierLeaf(one.title, stamped, id(filling.template) if filling else None)
            else:
                yield CopierLeaf(one.title, leaf(one.sheet, one.page, variant))

    return bound_for_copier(made(), title)


def _common(one: SharedLeaf) -> CopierLeaf:
    made_from = one.sheet, one.task, one.options
    return CopierLeaf(one.title, common_leaf(*made_from), made_from, alike=True)


def _filling(one: WantedLeaf, variant: str) -> Filling | None:
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


def _template(sheet: str, page: WorkPage, variant: str) -> Template | None:
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


class Matrix(NamedTuple):
    """What pupils have in common who fill one matrix: the sentence, in a preset and a language."""

    preset_sha256: str
    sentence: str | None
    language: str | None


Taken: TypeAlias = Mapping[Matrix, frozenset[int]]


def taken(lesson: Lesson, seats: Iterable[Seat]) -> Taken:
    """The tokens that are somebody's, by their places, for each matrix.

    Only where the class fills one together. A seat that cannot be made has no token here; why is
    told where its files are made.
    """
    if lesson.variation.alone:
        return {}
    places_of: dict[Matrix, set[int]] = {}
    for seat in seats:
        with suppress(UserError):
            for task in matrices(lesson, seat):
                own = own_place(task, focus_token(task, lesson.seed, seat.key))
                places_of.setdefault(matrix_of(task), set()).update(own)
    return {key: frozenset(places) for key, places in places_of.items()}


def matrices(lesson: Lesson, seat: Seat) -> Iterable[Task]:
    """The tasks of a seat with the matrix of all tokens, each once."""
    tasks = tasks_of(lesson, seat)
    return dict.fromkeys(tasks[s] for s in lesson.filled if SERIES[s].kind.board == "tokens")


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
