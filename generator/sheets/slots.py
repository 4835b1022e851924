"""Slots: a worksheet's HTML holds places for numbers; a fill step puts the numbers in.

So the same page can be laid out once and filled for many, and a blank cannot leak: what is asked
is never looked up for it.

Also here:

* Whether another sheet can be filled from the same computation, so that one may point to it.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from markupsafe import Markup

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError, did_you_mean
from generator.insight.claims import Predicate
from generator.locales.locale import locale_of
from generator.notation.shown import percent
from generator.notation.worked import NO_BREAK, HtmlWorked
from generator.sheets.page_tree import parsed, written
from generator.sheets.plan import Plan
from generator.sheets.worth import mark_tasks

OPEN, CLOSE = "\ue000", "\ue001"  # private characters: no font has them, so no text holds them
CARRIED = "carried"  # a start value that pupils bring from an earlier sheet: asked on this one
FIRST = "first"  # how a line begins, without its result: asked terms in it stay empty
TERMS = "terms"  # a line of arithmetic without its result: what pupils are to work out
RELATION = "relation"  # the sign alone, "=" or "≈", of a line that the page spells itself
MARK = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")  # of a slot, in HTML
_MARKS = f"{OPEN}marks|"


class Slot(NamedTuple):
    """A place for one cell, shown as a number, as per cent or as its line of arithmetic."""

    kind: str
    step: str
    i: int
    j: int


def slot(kind: str, step: str, i: int, j: int) -> Markup:
    """The mark that stands in the HTML for a slot."""
    return Markup(f"{OPEN}{kind}|{step}|{i}|{j}{CLOSE}")


def no_such_cell(trace: Trace, step: str, i: int, j: int) -> str:
    """Why a computation has no such cell; empty where it has."""
    if step not in trace:
        return f"this computation has no step {step!r}{did_you_mean(str(step), trace.steps)}"
    rows, columns = trace[step].shape
    if 0 <= i < rows and 0 <= j < columns:
        return ""
    return f"{step!r} has {rows} rows and {columns} columns, from 0"


def slots(html: str) -> list[Slot]:
    """The slots of an HTML text, in order."""
    return [of_mark(mark) for mark in MARK.findall(html)]


@dataclass(frozen=True)
class Filler:
    """Puts a Trace's numbers into the slots; in a blank those of the asked cells stay empty."""

    trace: Trace
    asked: frozenset[Cell]
    language: str
    blank: bool

    @cached_property
    def worked(self) -> HtmlWorked:
        """The notation of the lines of arithmetic."""
        return HtmlWorked(self.trace, self.language, self.asked, self.blank)

    def fill(self, html: str) -> str:
        """The HTML with every slot filled; a carried cell counts as asked wherever it stands."""
        carried = {one[1:] for one in slots(html) if one.kind == CARRIED}
        if carried - self.asked:
            return replace(self, asked=self.asked | carried).fill(html)
        if _MARKS not in html:
            return self.filled(html)
        tree = parsed(html)
        most = mark_tasks(tree)
        return self.filled(written(tree), most)

    def filled(self, html: str, most: int = 0) -> str:
        """A piece of HTML with every slot filled; `most` are the marks of the whole sheet."""

        def shown(slot: Slot) -> str:
            return str(most) if slot.kind == "marks" else self.one(slot.kind, *slot[1:])

        return MARK.sub(lambda mark: shown(of_mark(mark[1])), html)

    def one(self, kind: str, *cell: *Cell) -> str:
        """What a slot holds; nothing where a blank asks for it."""
        if kind == RELATION:
            return self.worked.relation(*cell)
        if kind in (FIRST, TERMS):  # asked terms in it stay empty
            terms, _, result = self.worked.line(*cell)
            return terms if kind == TERMS else beginning(terms, result)
        if self.blank and cell in self.asked:
            return ""
        if kind in ("line", "equation"):  # one breaks anywhere, the other between its terms only
            terms, relation, result = self.worked.line(*cell)
            gap = NO_BREAK if kind == "equation" else " "
            times = locale_of(self.language).signs.times
            terms = terms.replace(f" {times} ", f"{gap}{times}{gap}")
            ends = f"{gap}{relation}{gap}<b>{result}</b>"
            return f"<b>{result}</b>" if terms == result else terms + ends
        return self.percent(*cell) if kind == "percent" else self.number(*cell)

    def number(self, *cell: *Cell) -> str:
        """The cell with the decimals of its step, a word as it is."""
        return self.worked.spelled(*cell)

    def percent(self, step: str, i: int, j: int) -> str:
        """A share as per cent, with two decimals fewer."""
        decimals = max(0, (self.trace[step].decimals or 2) - 2)
        return percent(float(self.trace[step].values[i, j]), decimals, self.language)


def beginning(terms: str, result: str) -> str:
    """How a line of arithmetic begins: a sum by its first term; what is copied, in a row."""
    head = first_term(terms)
    if head != terms:
        return f"{head} + …"
    return f"{terms} | …" if terms == result else f"{cut_short(terms)} = …"


def first_term(terms: str) -> str:
    """The first summand of a line of arithmetic; the whole of it where it is no sum."""
    return _closed(terms, " + ")


def cut_short(terms: str) -> str:
    """A line that begins with a sum in brackets, the sum cut after its first summand."""
    inside = _closed(terms[1:], ")") if terms.startswith("(") else ""
    first = inside[: len(first_term(inside.replace(NO_BREAK, " ")))]
    return terms if first == inside else f"({first} + …{terms[1 + len(inside) :]}"


def _closed(terms: str, sign: str) -> str:
    """What stands before the first sign that is in no bracket and no tag."""
    parts = terms.split(sign)
    heads = (sign.join(parts[:k]) for k in range(1, len(parts)))
    closed = (
        one
        for one in heads
        if one.count("(") == one.count(")") and one.count("<") == 2 * one.count("</")
    )
    return next(closed, terms)


def of_mark(text: str) -> Slot:
    """The slot of a mark's text."""
    kind, step, i, j = text.split("|")
    return Slot(kind, step, int(i), int(j))


def fills(*sheets: str) -> Predicate:
    """Whether pupils have the sheets of these names: they take this computation, at this level.

    And the set, where it is a chosen part of the series, has them.
    """

    def holds(trace: Trace, plan: Plan) -> bool:
        return plan.beside_it(*sheets) and all(taken(one, trace, plan.level) for one in sheets)

    return holds


@lru_cache(maxsize=16)
def taken(sheet: str, trace: Trace, level: int) -> Plan | None:
    """What another sheet asks of a computation; None where it does not take it.

    Kept for the rest of a page, which asks the same of a sheet up to four times.
    """
    from generator.sheets.series import SERIES  # it knows all sheets, the one that asks too

    try:
        return SERIES[sheet].plan(trace, level)
    except UserError:
        return None
