"""Slots: a worksheet's HTML holds places for numbers; a fill step puts the numbers in.

So the same page can be laid out once and filled for many, and a blank cannot leak: what is asked
is never looked up for it.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from markupsafe import Markup

from generator.engine.trace import Trace
from generator.notation.html import HtmlWorked
from generator.notation.numbers import percent
from generator.plans.plan import Cell

OPEN, CLOSE = "\ue000", "\ue001"  # private characters: no font has them, so no text holds them
_SLOT = re.compile(f"{OPEN}([^{CLOSE}]*){CLOSE}")


class Slot(NamedTuple):
    """A place for one cell, shown as a number, as per cent or as its line of arithmetic."""

    kind: str
    step: str
    i: int
    j: int


def slot(kind: str, step: str, i: int, j: int) -> Markup:
    """The mark that stands in the HTML for a slot."""
    return Markup(f"{OPEN}{kind}|{step}|{i}|{j}{CLOSE}")


class Filler:
    """Puts a Trace's numbers into the slots; in a blank those of the asked cells stay empty."""

    def __init__(self, trace: Trace, asked: frozenset[Cell], language: str, blank: bool) -> None:
        self.trace = trace
        self.asked = asked
        self.language = language
        self.blank = blank
        self.worked = HtmlWorked(trace, language, asked, blank)
        self.kinds: dict[str, Callable[[str, int, int], str]] = {
            "number": self.number,
            "percent": self.percent,
            "line": self.line,
        }

    def fill(self, html: str) -> str:
        """The HTML with every slot filled."""
        return _SLOT.sub(self._filled, html)

    def number(self, step: str, i: int, j: int) -> str:
        """The cell with the decimals of its step, a word as it is."""
        return self.worked.spelled(step, i, j)

    def percent(self, step: str, i: int, j: int) -> str:
        """A share as per cent, with two decimals fewer."""
        decimals = max(0, (self.trace[step].decimals or 2) - 2)
        return percent(float(self.trace[step].values[i, j]), decimals, self.language)

    def line(self, step: str, i: int, j: int) -> str:
        """The whole line of arithmetic with its result set off."""
        terms, relation, result = self.worked.line(step, i, j)
        return f"{terms} {relation} <b>{result}</b>"

    def _filled(self, match: re.Match[str]) -> str:
        kind, step, i, j = match[1].split("|")
        cell = (step, int(i), int(j))
        if self.blank and cell in self.asked:
            return ""
        return self.kinds[kind](*cell)
