"""Formulas in symbols, as plain text: a whole step (S = Q · Kᵀ) or one cell (S₂₁ = Q₂₁ · K₁₁ + …).

Both are printed from the step's cell expression; nobody writes a formula a second time.

Also here:

* The words that formulas in symbols need.
* One expression that stands for all cells of a step: mostly that of the first cell, else what does.
"""

import math
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar, Self

from generator.engine.choices import STRATEGIES, Strategy
from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Operand, Ref, Text
from generator.engine.masks import MASKS
from generator.engine.ops import attention, copying, learning, linear, sampling
from generator.engine.place import place_of
from generator.engine.trace import Trace
from generator.locales.catalogue import load
from generator.locales.locale import locale_of, of_norm
from generator.notation.base import STRENGTH, OfTrace
from generator.notation.shown import INDEXED, MINUS, NARROW_SPACE, RAISED, constant
from generator.steps import letter_of

LONGEST_SUM = 4

SIGNS = {"-": MINUS, "<=": "≤", ">=": "≥", "<>": "≠", "&": "|"}


@dataclass(eq=False)
class Symbols(OfTrace):
    """Formulas over the letters of a Trace's steps.

    `home` is the step whose formula is written: letters of other heads and blocks get a raised
    number. `indexed` writes cells (Q₂₁) instead of whole matrices (Q), and of two cases only the
    one that this cell takes.
    """

    home: str = ""
    indexed: bool = False

    pi: ClassVar = "π"
    narrow: ClassVar = NARROW_SPACE  # between the two numbers of an index, where one is long
    indexing: ClassVar = INDEXED  # how their digits are written
    dotted: ClassVar = "·"  # of matrices, in every language: the cross is for numbers

    @property
    def times(self) -> str:
        """The sign of a product."""
        return self.signs.times

    def step(self, name: str) -> str:
        """The formula of a whole computed step, `S = Q · Kᵀ`."""
        step = self.trace[name]
        mine = self._at(step.name, indexed=False)
        return f"{mine.named(step.name, '')} = {mine.write(meaning(self.trace, step.name))}"

    def letter_in(self, name: str, home: str) -> str:
        """The letter of a step as the formula of the step `home` has it."""
        return self._at(home, indexed=False).named(name, "")

    def cell(self, name: str, i: int, j: int) -> str:
        """The formula of the number in row i, column j (from 0) of a computed step."""
        step = self.trace[name]
        mine = self._at(step.name, indexed=True)
        return f"{mine.write(Ref(step.name, i, j))} = {mine.write(self.trace.cell(name, i, j))}"

    def num(self, node: Num) -> str:
        if math.isinf(node.value):
            return self.infinity()
        if node.value == math.pi:
            return self.pi
        text = self.digits(constant(node.value, self.language))
        return f"({text})" if self.inside and text.startswith(MINUS) else text

    def ref(self, node: Ref) -> str:
        if node.step == "count.size":
            return self.upright(self.size(self.trace[node.step].rows[node.i]))
        return self.named(node.step, self.index(node) if self.indexed else "")

    def area(self, node: Area) -> str:
        if not self.indexed:
            return self.named(node.step, "")
        cells = node.cells()
        if len(cells) <= 2:
            return self.in_a_row(self.write(cell) for cell in cells)
        return self.in_a_row((self.write(cells[0]), self.dots(), self.write(cells[-1])))

    def dot(self, node: Dot) -> str:
        if not self.indexed:
            left, right = self.named(node.left.step, ""), self.named(node.right.step, "")
            across = node.right.r1 - node.right.r0 == 1
            down = node.left.r1 - node.left.r0 > 1
            flipped = self.transposed(right) if across else right
            first = self.transposed(left) if down else left
            return self.bracket(f"{first} {self.dotted} {flipped}", STRENGTH["*"])
        pairs = zip(node.left.cells(), node.right.cells(), strict=True)
        terms = [f"{self.write(a)} {self.times} {self.write(b)}" for a, b in pairs]
        return self._added(terms)

    def bin(self, node: Bin) -> str:
        left, right, mine = self.sides(node)
        match node.op:
            case "^":
                return self.power(self.write(node.left, STRENGTH["^"] + 1), node.right)
            case "/":
                return self.quotient(node)
            case op:
                sign = {**SIGNS, "*": self.times}.get(op, op)
                return self.bracket(f"{left} {self.sign(sign)} {right}", mine)

    def choice(self, node: If) -> str:
        if self.indexed:
            taken = evaluate(node.condition, self.trace.values)
            return self.write(node.yes if taken else node.no, self.inside)
        yes, no = self.write(node.yes), self.write(node.no)
        condition = self.write(node.condition)
        return self.bracket(self.cases(condition, yes, no), 0)

    def call(self, node: Call) -> str:
        match node.fn, node.args:
            case Fn.EXP, (x,):
                return self.power("e", x)
            case Fn.SQRT, (x,):
                return self.root(x)
            case Fn.SUM, (Area() as area,):
                return self._sum(area)
            case Fn.SUM, (Bin() as products,):
                text = self.big_sum(self.write(products, STRENGTH["*"]))
                return self.bracket(text, STRENGTH["+"])
            case Fn.SQUARES, (Area() as area, mean):
                return self._squares(area, mean)
            case fn, args:
                return self.function(fn, [self._argument(fn, arg) for arg in args])

    def named(self, name: str, index: str) -> str:
        """The letter of a step with its head (or block) and its index."""
        plain = letter_of(name, self.trace).plain
        single = f"({plain})" if index and plain[-1] in "₁₂²" else plain
        return f"{single}{self.elsewhere(name).translate(RAISED)}{index}"

    def elsewhere(self, name: str) -> str:
        """ "(2)" for a step of head 2 seen from outside it, or of another block; else ""."""
        here, home = place_of(name), place_of(self.home) if self.home else None
        mine = (home.block, home.head) if home else (None, None)
        if here.head is not None and (here.block, here.head) != mine:
            return self.raised(here.head)
        if here.block is not None and here.block != mine[0] and self.trace.preset.blocks > 1:
            return self.raised(here.block)
        return ""

    def index(self, node: Ref) -> str:
        """Row and column from 1, without those a step has only one of."""
        height, width = self.trace[node.step].shape
        i = [str(node.i + 1)] if height > 1 else []
        j = [str(node.j + 1)] if width > 1 else []
        gap = "" if max(height, width) < 10 else self.narrow
        return gap.join(i + j).translate(self.indexing)

    def raised(self, place: int) -> str:
        """The number of a head or block, raised."""
        return f"⁽{place}⁾"

    def digits(self, text: str) -> str:
        """A number of the formula, as this notation writes digits; so it does the next two."""
        return text

    sign = digits  # an operator
    upright = digits  # words within a formula

    def infinity(self) -> str:
        """The mark of a masked cell."""
        return f"{MINUS}∞"

    def dots(self) -> str:
        """What stands for the terms left out."""
        return "…"

    def transposed(self, text: str) -> str:
        """A matrix with rows and columns exchanged."""
        return f"{text}ᵀ"

    def quotient(self, node: Bin) -> str:
        """A division: ":" in German, "÷" in English."""
        left, right, mine = self.sides(node)
        return self.bracket(f"{left} {self.signs.divided} {right}", mine)

    def in_a_row(self, parts: Iterable[str]) -> str:
        """Several things in a row: with semicolons in German, with commas in English."""
        return self.signs.separator.join(parts)

    def cases(self, condition: str, yes: str, no: str) -> str:
        """One of two values."""
        return locale_of(self.language).words.choice.format(condition=condition, yes=yes, no=no)

    def function(self, fn: Fn, args: list[str]) -> str:
        """A named function with its arguments."""
        if fn in (Fn.MAX, Fn.MIN):
            return self.named_function(fn.value, self.in_a_row(args))
        if fn in NAMED:
            return self.named_function(NAMED[fn], args[0])
        template = SAME_EVERYWHERE.get(fn) or self.worded(fn)
        return template.format(*args)

    def size(self, name: str) -> str:
        """What a row of `count.size` is called."""
        phrases = of_norm(load(self.language), self.trace.preset.norm_form)
        return phrases.t(f"walk.size.{name.replace(' ', '_')}")

    def worded(self, fn: Fn) -> str:
        """The phrase of a function that formulas have no sign for."""
        return str(getattr(locale_of(self.language).words, fn.value))

    def named_function(self, name: str, argument: str) -> str:
        """A function with a name of its own."""
        return f"{name}({argument})"

    def big_sum(self, text: str) -> str:
        """The sum over a row."""
        return f"Σ {text}"

    def squared(self, text: str) -> str:
        """A bracket to the power of two."""
        return f"({text})²"

    def _argument(self, fn: Fn, arg: Expr) -> str:
        listed = self.indexed and isinstance(arg, Area) and fn not in (Fn.MAX, Fn.MIN)
        return f"({self.write(arg)})" if listed else self.write(arg)

    def _sum(self, area: Area) -> str:
        if self.indexed:
            return self._added([self.write(cell) for cell in area.cells()])
        return self.bracket(self.big_sum(self.area(area)), STRENGTH["+"])

    def _squares(self, area: Area, mean: Expr) -> str:
        minus = f" {self.sign(MINUS)} {self.write(mean, STRENGTH['*'])}"
        minus = "" if mean == Num(0) else minus
        if not self.indexed:
            text = self.squared(f"{self.area(area)}{minus}")
            return self.bracket(self.big_sum(text), STRENGTH["+"])
        cells = [self.write(cell) for cell in area.cells()]
        return self._added([self.squared(f"{cell}{minus}") for cell in cells])

    def _added(self, terms: list[str]) -> str:
        shown = terms if len(terms) <= LONGEST_SUM else [*terms[:2], self.dots(), terms[-1]]
        strength = STRENGTH["+"] if len(shown) > 1 else STRENGTH["*"]
        return self.bracket(" + ".join(shown), strength)

    def _at(self, home: str, *, indexed: bool) -> Self:
        mine = copy(self)
        mine.home, mine.indexed = home, indexed
        return mine


NAMED = {Fn.LN: "ln", Fn.SIN: "sin", Fn.COS: "cos", Fn.TANH: "tanh", Fn.NORMAL: "Φ"}
SAME_EVERYWHERE = {
    Fn.EXACT: "{0} = {1}",
    Fn.INDEX: "{0}[{1}]",
    Fn.ABS: "|{0}|",
    Fn.IF_ERROR: "{0}",
    Fn.ROUND_UP: "⌈{0}⌉",
    Fn.TWO_DIGITS: "{0}",
}


PAIR = "m"  # counts the pairs of dimensions that share an angle


def meaning(trace: Trace, name: str) -> Expr:
    """The expression that stands for all cells of a step."""
    step = trace[name]
    inputs = trace.operands(step)
    match step.op:
        case attention.Mask(kind=kind):
            return MASKS[kind].cell(Text("i"), Text("j"), Num(0), Num(-math.inf))
        case linear.Divisor():
            return Num(10000) ** (Text(f"2{PAIR}") / Text("d_model"))
        case linear.SineCosine():
            return Bin("&", Fn.SIN(inputs[0][0, 0]), Fn.COS(inputs[0][0, 0]))
        case copying.Concat() | copying.Append() | sampling.TwoDigits():
            return _joined(inputs)
        case copying.ConcatIfOn():
            return _joined(inputs[1:])
        case sampling.IntervalStart() | learning.PlaceRows() | learning.Columns():
            return inputs[0][0, 0]
        case learning.DescendIfOn():
            return learning.Descend().cell(0, 0, *inputs[:3])
        case sampling.KeptBy():
            own = trace["sampling.strategy"].values[0, 0]
            return _kept(next(one for one in STRATEGIES if one == own), *inputs)
        case sampling.Kept(strategy=strategy):
            return _kept(strategy, *inputs)
        case copying.Gather():
            return Fn.INDEX(inputs[1][:, 0], inputs[0][0, 0])
        case learning.MatTMul() | learning.ColumnDot():
            return Dot(*(Area(one.step, 0, 2, 0, 1) for one in inputs))  # columns
        case learning.RowDot(mean=mean):
            row = Fn.SUM(inputs[0][0, 0] * inputs[1][0, 0])
            return row / inputs[0].width if mean else row
        case copying.SelectRow(index=index) | sampling.Compared(row=int(index)):
            return Fn.INDEX(inputs[0][:, 0], Num(index + 1))
        case sampling.Rank():
            return Fn.RANK(Text("p_j"), inputs[0][0, :])
        case _:
            return trace.cell(step.name, 0, 0)


def _kept(strategy: Strategy, share: Operand, rank: Operand, *limits: Operand) -> Expr:
    """`limits` are strategy, k and p, or only the one that is needed."""
    if strategy == "top-p":
        larger = Fn.SUM_BELOW(rank[0, :], Text("r_j"), share[0, :])
        return If(Bin("<", larger, limits[-1][0, 0]), Num(1), Num(0))
    return sampling.Kept(strategy).cell(0, 0, share, rank, *(limits[-2:-1] or limits))


def _joined(tables: list[Operand]) -> Expr:
    cells: list[Expr] = [table[0, 0] for table in tables]
    return reduce(lambda left, right: Bin("&", left, right), cells)
