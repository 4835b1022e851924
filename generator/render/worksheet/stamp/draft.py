"""A work leaf as HTML with its live places kept open, for blank and solution at once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from typing import Any

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.worksheet.sheet import environment, view
from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.render.worksheet.stamp.live import LIVE, How, Notes, Watched, watched_phrase
from generator.render.worksheet.stamp.pupil import Pupil
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.phrases import typesetting
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from generator.sheets.slots import (
    CARRIED,
    MARK,
    OPEN,
    Filler,
    Slot,
    marks,
    of_mark,
    slots,
)

PLACE = "data-n"  # the attribute that numbers the elements of a draft
BAR = re.compile(r'\bclass="fill\b[^"]*" style="width: ([^"]*)"')
NOTHING = "0"  # where the first pupil has nothing, another may have something
BAR_AS_LAID_OUT = "12mm"
FIXED = frozenset({"title", "style", "svg"})  # what stands in them is no text of the page
ALL_ZERO = str.maketrans("123456789", "000000000")
WITHOUT_END = frozenset({"br", "col", "img", "meta", "link"})
_PIECES = re.compile(r"(<[^>]*>)")
_OUTSIDE_TAGS = re.compile(r"[0-9](?![^<>]*>)")
_NAME = re.compile(r"</?([a-z0-9]+)")
Piece = str | Slot
BLANK, SOLUTION = "blank", "solution"


@dataclass(frozen=True)
class Token:
    """A tag or a text; `kept`: in the blank too; `only`: around it, elements of the solution."""

    text: str
    kept: bool
    only: int

    @property
    def is_tag(self) -> bool:
        """Whether it is a tag."""
        return self.text.startswith("<")


@dataclass(frozen=True)
class Draft:
    """The page of all pupils of a shape, with what must be alike and what is put in."""

    sheet: str
    options: SheetOptions
    tokens: tuple[Token, ...]
    notes: Notes
    conditions: dict[str, dict[How, Any]]
    formulas: Formulas
    catalogue: Catalogue
    carried: frozenset[Cell]
    most: int
    plan: Plan

    @cached_property
    def ends(self) -> dict[int, int]:
        """For the number of each start tag that of its end tag, or its own."""
        found: dict[int, int] = {}
        still_open: list[int] = []
        for k, token in enumerate(self.tokens):
            if not token.is_tag or token.text.startswith("<!"):
                continue
            if token.text.startswith("</"):
                found[still_open.pop()] = k
            elif _name(token.text) in WITHOUT_END or token.text.endswith("/>"):
                found[k] = k
            else:
                still_open.append(k)
        return found

    @cached_property
    def bars(self) -> dict[int, tuple[Piece, ...]]:
        """The live widths of bars, by the number of their tag."""
        texts = {k: BAR.search(token.text) for k, token in enumerate(self.tokens)}
        return {k: pieces(found[1]) for k, found in texts.items() if found and OPEN in found[1]}

    @cached_property
    def spoken(self) -> dict[int, tuple[Piece, ...]]:
        """The live texts, by the number of their token."""
        tokens = enumerate(self.tokens)
        return {k: pieces(one.text) for k, one in tokens if not one.is_tag and OPEN in one.text}

    def html(self, pupil: Pupil) -> str:
        """The page to lay out: elements numbered, the pupil's digits all 0, bars of one length."""
        return "".join(self._laid_out(k, token, pupil) for k, token in enumerate(self.tokens))

    def _laid_out(self, k: int, token: Token, pupil: Pupil) -> str:
        if k in self.spoken:
            return zeros(self.written(k, pupil)) or NOTHING
        if not token.is_tag or token.text.startswith(("</", "<!")):
            return token.text
        if k in self.bars:
            at = BAR.search(token.text)
            ends = (at.start(1), at.end(1)) if at else (0, 0)
            text = f"{token.text[: ends[0]]}{BAR_AS_LAID_OUT}{token.text[ends[1] :]}"
            return numbered(text, k) + "."  # the dot is not drawn: it shows where the bar's tag is
        return numbered(token.text, k)

    def written(self, k: int, pupil: Pupil) -> str:
        """One live text of a pupil."""
        return "".join(self.piece(one, pupil) for one in self.spoken[k])

    def piece(self, one: Piece, pupil: Pupil) -> str:
        """One piece of a live text."""
        if isinstance(one, str):
            return one
        if one.kind == LIVE:
            return pupil.text(self.notes.texts[one.i])
        return str(self.most) if one.kind == "marks" else pupil.filler.one(*one)

    def pupil(
        self, plan: Plan, trace: Trace, exact: Trace, code: str, name: str, *, blank: bool
    ) -> Pupil:
        """What is asked for a pupil's texts; `DoesNotFit` where other cells are asked."""
        if _asks(plan) != _asks(self.plan):
            raise DoesNotFit("other cells are asked, or the sheet has other steps of its own")
        options = replace(self.options, code=code, pupil=name)
        look, steps = SERIES[self.sheet].view, trace.with_steps(plan.extra)
        context = look(plan, steps, exact, options, self.catalogue, self.formulas, blank)
        asked = plan.asked | self.carried
        filler = Filler(context.trace, asked, options.language, blank)
        return Pupil(context, filler, typesetting(context.catalogue))


def draft(
    plan: Plan,
    trace: Trace,
    exact: Trace,
    options: SheetOptions,
    variants: Sequence[str] = (SOLUTION, BLANK),
) -> Draft:
    """The draft of a plan's sheet, made for a first pupil, for both variants or one.

    Raises `DoesNotFit` where a number decides, or the blank is no solution without answers.
    """
    notes, formulas = Notes(), Formulas()

    conditions: dict[str, dict[How, Any]] = {}
    catalogue: list[Catalogue] = []

    def page(variant: str) -> list[str]:
        blank = variant == BLANK
        context = view(plan, trace, exact, options, formulas, blank=blank)
        catalogue[:] = [context.catalogue]
        found = _decided(_page(plan, context, notes), notes)
        conditions[variant] = notes.conditions
        notes.conditions = {}
        return found

    first, *further = map(page, variants)
    html = "".join(first)
    carried = frozenset(one[1:] for one in slots(html) if one.kind == CARRIED)
    tokens = _aligned(first, *further or [first])
    said = (notes, conditions, formulas, catalogue[0], carried, marks(html), plan)
    return Draft(plan.sheet, options, tokens, *said)


def _asks(plan: Plan) -> tuple[frozenset[Cell], tuple[str, ...]]:
    """What pupils are asked, and the steps that only their sheet has."""
    return plan.asked, tuple(step.name for step in plan.extra)


def _page(plan: Plan, context: Context, notes: Notes) -> str:
    template = environment().get_template(SERIES[plan.sheet].page)
    t = typesetting(context.catalogue)
    return template.render(c=Watched(context, notes), t=watched_phrase(t, notes))


def _decided(html: str, notes: Notes) -> list[str]:
    """The page's pieces; live values in tags and in drawings decide, but for the widths of bars."""
    found = [one for one in _PIECES.split(html) if one]
    inside = 0
    for k, text in enumerate(found):
        if _name(text) in FIXED:
            inside += -1 if text.startswith("</") else 1
        if OPEN in text and (inside or (text.startswith("<") and not BAR.search(text))):
            found[k] = notes.decided(text)
    return found


def _aligned(solution: list[str], blank: list[str]) -> tuple[Token, ...]:
    """The solution's pieces, those marked that the blank has too.

    Raises `DoesNotFit` for a drawing that has more in the solution: it is drawn as a whole.
    """
    found, at, only, inside = [], 0, 0, 0
    still_open: list[bool] = []
    for text in solution:
        same = at < len(blank) and _same(text, blank[at])
        at += same
        if _name(text) in FIXED:
            inside += -1 if text.startswith("</") else 1
        if inside and not same:
            raise DoesNotFit(f"a drawing has more in the solution: {text!r}")
        start = text.startswith("<") and not text.startswith(("</", "<!"))
        if text.startswith("</"):
            only -= still_open.pop()
        found.append(Token(text, same, only))
        if start and _name(text) not in WITHOUT_END and not text.endswith("/>"):
            still_open.append(not same)
            only += not same
    if at < len(blank):
        raise DoesNotFit(f"the blank is not the solution without answers: {blank[at]!r}")
    return tuple(found)


def _same(solution: str, blank: str) -> bool:
    return solution == blank or (solution.startswith("<body") and blank.startswith("<body"))


def pieces(text: str) -> tuple[Piece, ...]:
    """A text taken apart into what stands and what is put in."""
    found: list[Piece] = []
    for k, one in enumerate(MARK.split(text)):
        if k % 2:
            found.append(of_mark(one))
        elif one:
            found.append(one)
    return tuple(found)


def zeros(html: str) -> str:
    """The text with every digit a 0, which all have the same width."""
    return _OUTSIDE_TAGS.sub("0", html) if "<" in html else html.translate(ALL_ZERO)


def plain(html: str) -> str:
    """The text without tags."""
    return unescape(_PIECES.sub("", html))


def numbered(tag: str, k: int) -> str:
    """The tag with its number."""
    name = _name(tag)
    return f'<{name} {PLACE}="{k}"{tag[1 + len(name) :]}'


def _name(tag: str) -> str:
    found = _NAME.match(tag)
    return found[1] if found else ""
