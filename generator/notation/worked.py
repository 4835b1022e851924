"""Worked arithmetic: a cell expression with the numbers put in, as one writes it on paper.

Also here:

* The same for worksheets, in HTML: exponents raised, names of tokens escaped.
* Which printed cells a mask hides: the powers, shares and products of what a token may not see.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from markupsafe import escape

from generator.engine.evaluate import Irrational, evaluate, exact
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round
from generator.engine.place import place_of
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.locales.locale import locale_of
from generator.notation.base import ATOM, STRENGTH, OfTrace
from generator.notation.shown import (
    MINUS,
    constant,
    in_brackets,
    number,
    shown_decimals,
    shown_values,
)

SAME = 1e-9

SPELLED_OUT = (Fn.TWO_DIGITS, Fn.SPELLED, Fn.PAIR_AT, Fn.MERGED)
TELLING = {Fn.LN: "ln", Fn.TANH: "tanh", Fn.NORMAL: "Φ"}
LOOKED_UP = {
    Fn.MATCH,
    Fn.EXACT,
    Fn.IS_NUMBER,
    Fn.COUNT_EQUAL,
    Fn.COUNT_AT_MOST,
    Fn.SUM_BELOW,
    Fn.ROUND_UP,
    Fn.COUNT_NUMBERS,
    Fn.COUNT_BLANK,
    Fn.LENGTH,
    Fn.PIECES,
}


class WorkedLine(NamedTuple):
    """One line of arithmetic: the terms, "=" or "≈", and the result."""

    terms: str
    relation: str
    result: str

    def __str__(self) -> str:
        return f"{self.terms} {self.relation} {self.result}"


class Worked(OfTrace):
    """Arithmetic in a language's typography over the numbers of a Trace as they are shown.

    Only the branch that is taken is printed, and no term that a mask hides. "=" stands exactly
    where the shown numbers give the shown result, "≈" where rounding changed it.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._shown: dict[str, np.ndarray] = {}

    def line(self, name: str, i: int, j: int) -> WorkedLine:
        """The arithmetic of the number in row i, column j of a step, with its result."""
        step = self.trace[name]
        expression = self.trace.cell(name, i, j)
        inner = expression.inner if isinstance(expression, Round) else expression
        if step.text:
            return WorkedLine(self.write(inner), "=", str(step.values[i, j]))
        # Whether the shown numbers give the shown result, digit by digit, in exact arithmetic: a
        # shown 0 below a line cannot, nor what no decimals are equal to.
        with suppress(ZeroDivisionError, Irrational):
            result = evaluate(self._taken(inner), self.shown, exact)
            if result == exact(float(self.shown(step.name)[i, j])):
                return WorkedLine(self.write(inner), "=", self.spelled(step.name, i, j))
        return WorkedLine(self.write(inner), "≈", self.spelled(step.name, i, j))

    def shown(self, name: str) -> np.ndarray:
        """A step's numbers [rows, columns] as they are shown; words as they are."""
        step = self.trace[name]
        if step.text:
            return step.values
        if name not in self._shown:
            self._shown[name] = shown_values(step)
        return self._shown[name]

    def spelled(self, name: str, i: int, j: int) -> str:
        """One cell as text: a number with its step's decimals, a word, −∞ where masked."""
        step = self.trace[name]
        if step.text:
            return self.word(str(step.values[i, j]))
        value = float(self.shown(name)[i, j])
        if np.isinf(value):
            return f"{MINUS}∞"
        return number(value, shown_decimals(step), self.language)

    def word(self, text: str) -> str:
        """A word of a step as text."""
        return text

    def num(self, node: Num) -> str:
        if np.isinf(node.value):
            return f"{MINUS}∞"
        return self.signed(constant(node.value, self.language))

    def ref(self, node: Ref) -> str:
        return self.signed(self.spelled(node.step, node.i, node.j))

    def area(self, node: Area) -> str:
        return self.signs.separator.join(self.write(cell) for cell in self._visible(node))

    def _visible(self, node: Area) -> list[Ref]:
        return [cell for cell in node.cells() if not self.is_masked(cell)]

    def is_masked(self, cell: Ref) -> bool:
        """Whether a mask hides this term, which nobody computes with."""
        return is_masked(self.trace, cell.step, cell.i, cell.j)

    def dot(self, node: Dot) -> str:
        pairs = zip(node.left.cells(), node.right.cells(), strict=True)
        terms = [Bin("*", a, b) for a, b in pairs if not self.is_masked(a)]
        text = " + ".join(self.write(term, STRENGTH["*"]) for term in terms)
        return self.bracket(text or "0", STRENGTH["+" if len(terms) > 1 else "*"])

    def bin(self, node: Bin) -> str:
        if node.op == "^":
            return self.power(self.write(node.left, STRENGTH["^"] + 1), node.right)
        left, right, mine = self.sides(node)
        if node.op == "&":
            return left + right
        if node.op == "/":
            return self.bracket(self.quotient(left, right), mine)
        sign = {"*": self.signs.times, "-": MINUS}.get(node.op, node.op)
        return self.bracket(f"{left} {sign} {right}", mine)

    def choice(self, node: If) -> str:
        return self.write(self._taken(node), self.inside)

    def _taken(self, node: Expr) -> Expr:
        """What is reckoned of several branches: the numbers decide, not how they are shown."""
        while isinstance(node, If):
            node = node.yes if evaluate(node.condition, self.trace.values) else node.no
        return node

    def call(self, node: Call) -> str:
        match node.fn, node.args:
            case Fn.EXP, (x,):
                return self.power("e", x)
            case Fn.SQRT, (x,):
                return self.root(x)
            case Fn.SUM, (Area() as area,):
                return self._sum([self.write(c, STRENGTH["+"]) for c in self._visible(area)])
            case Fn.SQUARES, (Area() as area, mean):
                terms = [self._square(cell, mean) for cell in area.cells()]
                return self._sum(terms)
            case Fn.INDEX, (Area() as area, position):
                place = int(self._value(position))
                return self.write(area.cells()[place - 1], self.inside)
            case Fn.MAX, (Area() as area,) if not self._visible(area):
                return "0"
            case Fn.ABS, (x,):
                return f"|{self.write(x)}|"
            case Fn.MIN, (bound, x) if self._value(x) <= self._value(bound):
                return self.write(x, self.inside)  # nobody writes down a bound that is not reached
            case Fn.IF_ERROR, (x, _):
                return self.write(x, self.inside)
            case fn, _ if fn in SPELLED_OUT:
                return str(evaluate(node, self.trace.values))
            case fn, args if fn in LOOKED_UP:
                return number(self._value(Call(fn, args)), None, self.language)
            case fn, args:
                return self._function(fn, args)

    def _value(self, node: Expr) -> float:
        return float(evaluate(node, self.trace.values))

    def signed(self, text: str) -> str:
        """A number, in brackets where its sign or its power of ten would meet an operator."""
        return in_brackets(text) if self.inside else text

    def quotient(self, left: str, right: str) -> str:
        """A division in one line."""
        return f"{left} {self.signs.divided} {right}"

    def _square(self, cell: Ref, mean: Expr) -> str:
        if mean == Num(0):
            return f"{self.write(cell, STRENGTH['^'])}²"
        difference = f"({self.write(cell)} {MINUS} {self.write(mean, STRENGTH['*'])})"
        return f"{difference}²"

    def _sum(self, terms: list[str]) -> str:
        strength = STRENGTH["+"] if len(terms) > 1 else ATOM
        return self.bracket(" + ".join(terms) or "0", strength)

    def _function(self, fn: Fn, args: tuple[Expr, ...]) -> str:
        names = locale_of(self.language).functions
        name = TELLING.get(fn) or getattr(names, fn.value)
        return f"{name}({self.signs.separator.join(self.write(arg) for arg in args)})"


PER_PAIR = frozenset(("masked", "shifted", "exp", "weights"))  # [tokens, tokens]


def is_masked(trace: Trace, name: str, i: int, j: int) -> bool:
    """Whether the cell of a step belongs to a token that the mask hides from its row's token."""
    hidden = masked_scores(trace, name)
    return hidden is not None and bool(np.isneginf(hidden[i, min(j, hidden.shape[1] - 1)]))


def masked_scores(trace: Trace, name: str) -> np.ndarray | None:
    """The masked scores of a step's head, −∞ where the step's cells are hidden: [n, n].

    Of a token's contributions its own row, upright: [n, 1]. None for steps of no pairs of tokens.
    """
    place, masked = place_of(name), f"{name.rpartition('.')[0]}.masked"
    if place.head is None or masked not in trace:
        return None
    scores = trace[masked].values
    if place.kind == "contribution":
        row: np.ndarray = scores[(place.number or 0) - 1]
        return row[:, None]
    return scores if place.kind in PER_PAIR else None


NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(eq=False)
class HtmlWorked(Worked):
    """Worked arithmetic as HTML; a term never breaks in its middle.

    The cells of `gaps` stand in slots of one width, left empty where `blank`.
    """

    gaps: frozenset[Cell] = frozenset()
    blank: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._met_gap = False

    def line(self, name: str, i: int, j: int) -> WorkedLine:
        """As in `Worked`; over a gap even the sign, which would betray it, stands in a slot."""
        self._met_gap = False
        plain = super().line(name, i, j)
        if not self._met_gap:
            return plain
        return plain._replace(relation=self._sign_slot(plain.relation))

    def relation(self, name: str, i: int, j: int) -> str:
        """The sign alone, "=" or "≈"; before a gap too it stands in a slot, empty where `blank`."""
        if (name, i, j) not in self.gaps:
            return self.line(name, i, j).relation
        return self._sign_slot("" if self.blank else super().line(name, i, j).relation)

    def _sign_slot(self, sign: str) -> str:
        shown = "" if self.blank else sign
        return f'<span class="sign"><span class="answer">{shown}</span></span>'

    def ref(self, node: Ref) -> str:
        if (node.step, node.i, node.j) not in self.gaps:
            return super().ref(node)
        self._met_gap = True
        shown = "" if self.blank else super().ref(node)
        return f'<span class="gap"><span class="answer">{shown}</span></span>'

    def power(self, base: str, exponent: Expr) -> str:
        return f"{base}<sup>{self.write(exponent)}</sup>"

    def root(self, radicand: Expr) -> str:
        return f'√<span class="root">{self.write(radicand)}</span>'

    def quotient(self, left: str, right: str) -> str:
        return _unbroken(super().quotient(left, right))

    def word(self, text: str) -> str:
        return str(escape(text))


def _unbroken(html: str) -> str:
    """The same with spaces at which no line breaks; those inside of a tag stay as they are."""
    text, *tagged = html.split("<")
    pairs = (one.partition(">") for one in tagged)
    behind = (f"<{tag}>{rest.replace(' ', NO_BREAK)}" for tag, _, rest in pairs)
    return "".join([text.replace(" ", NO_BREAK), *behind])
