"""Why an entry is probably wrong: the slips that give just this number from the pupil's own ones.

A cause is told only where a slip leads to the number that was typed, within the tolerance. Where
one alone does, it is named; where two or three do, all of them are; more of them say nothing.

Also here:

* Usual slips as changes of a cell's own expression: a term dropped, an operator exchanged.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from generator.checks.verdict import unit
from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round, total
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking.question import PaperNumbers, Question
from generator.grading.marking.rule import NOISE, How, Judged, Paper
from generator.grading.reading.meant import Number, read
from generator.insight.slips import Slip
from generator.notation.shown import shown_decimals

MOST: Final = 3  # causes that are told where several lead to the number
Hits = Iterator[tuple[str, Number]]  # slips that lead to a number, and to which one exactly
Mutations = Iterator[tuple[str, Expr]]  # slips and the expressions that they make
FEWEST_UNITS: Final = 2  # tolerances by which a number must differ from 0 to tell its digits
LISTED: Final = "slip."  # how the key of a cause begins that a sheet's page for teachers lists


class WrongEntry(NamedTuple):
    """A wrong entry of a paper, and the slips that the sheet's page for teachers lists."""

    paper: Paper
    one: Judged
    listed: Iterable[Slip] = ()

    def causes(self) -> tuple[str, ...]:
        """The keys of the slips that lead to it; none where nothing tells.

        One of those listed has its name from there (`slip.<key>`), also where a change of the
        expression leads to the same number. A row with the same entry in each box tells nothing:
        it was filled, not computed.
        """
        one = self.one
        if one.how not in (How.WRONG, How.IDLE) or one.value is None:
            return ()
        if one.cell in self.paper.constant:
            return ()
        known = list(self._of_page())
        numbers = {number for _, number in known}
        others = [hit for hit in self._changed() if hit[1] not in numbers]
        keys = tuple(dict.fromkeys(key for key, _ in (*known, *others)))
        return keys if len(keys) <= MOST else ()

    @property
    def _question(self) -> Question:
        return self.paper.question

    def _same(self, one: Number, other: Number) -> bool:
        return self._question.same(self.one.cell, one, other)

    def _of_page(self) -> Hits:
        """The listed slips that lead there; they were computed from right numbers."""
        one = self.one
        from_right = one.expected is None or self._same(one.expected, one.right)
        for slip in self.listed if from_right else ():
            if (slip.step, slip.i, slip.j) == one.cell:
                wrong = self._written(slip.wrong)
                if wrong is not None and self._same(one.value or 0.0, wrong):
                    yield LISTED + slip.key, wrong

    def _changed(self) -> list[tuple[str, Number]]:
        """The changes of the cell's expression that lead there: from own numbers, else right."""
        if isinstance(self.one.value, str):
            return []
        return list(self._hits(self.paper.filled)) or list(self._hits(self._question.all_right))

    def _hits(self, numbers: PaperNumbers) -> Hits:
        cell, question = self.one.cell, self._question
        expected = numbers.value(cell)
        whole = self.one.right if expected is None else expected
        if isinstance(whole, str):
            return
        for key, number in (*general(question, cell, whole), *Slips(numbers).of_cell(cell)):
            wrong = self._written(number)
            if wrong is None or self._same(wrong, whole):
                continue  # a slip that changes nothing here
            if self._same(self.one.value or 0.0, wrong):
                yield key, wrong

    def _written(self, wrong: float) -> Number | None:
        """A wrong result as a pupil writes it; None for one that nobody can write."""
        step = self._question.step(self.one.cell)
        if step.text:
            return read(step, self.one.right, wrong)
        if not np.isfinite(wrong):
            return None
        return guarded_number(wrong, shown_decimals(step) if unit(step) else 9)


def general(question: Question, cell: Cell, whole: float) -> Iterator[tuple[str, float]]:
    """Slips of writing that any number may suffer.

    A comma shifted, or digits exchanged, to next to 0 is none: any small entry would fit.
    """
    yield "sign", -whole
    step = question.step(cell)
    least = FEWEST_UNITS * question.tolerance * unit(step) + NOISE
    for by in (10.0, 0.1, 100.0, 0.01):
        if abs(whole * by) > least:
            yield "comma", whole * by
    decimals = shown_decimals(step)
    if decimals > 1:
        yield "rounded_early", guarded_number(whole, decimals - 1)
    digits = f"{abs(whole):.{decimals}f}"
    for k in range(len(digits) - 1) if unit(step) else ():
        a, b = digits[k], digits[k + 1]
        if a != b and "." not in (a, b):
            turned = float(digits[:k] + b + a + digits[k + 2 :])
            if turned > least:
                yield "digits", turned if whole >= 0 else -turned


TEN, TWO, HALF_TURN = Num(10), Num(2), Num(180)


class Slips(NamedTuple):
    """The slips of a question's cells over some numbers, by keys (`grading.cause.<key>`)."""

    numbers: PaperNumbers

    def of_cell(self, cell: Cell) -> Iterator[tuple[str, float]]:
        """What the slips of a computed cell give, as far as that is a number."""
        question = self.numbers.question
        computed = question.is_computed(cell)
        for key, e in self.of(question.exercise.meaning(cell)) if computed else ():
            value = self.numbers.computed(e)
            if isinstance(value, float):
                yield key, value

    def of(self, expression: Expr) -> Mutations:
        """All slips of an expression without its rounding; of a condition the branch taken."""
        e = self._taken(expression)
        yield from self._own(e)
        match e:  # its parts
            case Bin(_, left, right):
                yield from ((key, replace(e, left=part)) for key, part in self.of(left))
                yield from ((key, replace(e, right=part)) for key, part in self.of(right))
            case Call(_, (Bin() | Call() as only,)):
                yield from ((key, replace(e, args=(part,))) for key, part in self.of(only))

    def _taken(self, e: Expr) -> Expr:
        while isinstance(e, If | Round):
            if isinstance(e, Round):
                e = e.inner
            else:
                e = e.yes if evaluate(e.condition, self.numbers.look) else e.no
        return e

    def _own(self, e: Expr) -> Mutations:
        match e:
            case Dot():
                yield from self._of_dot(e)
            case Bin("/", left, right):
                yield from self._of_quotient(left, right)
            case Bin("+" | "-" | "*"):
                yield from _of_arithmetic(e)
            case Call(Fn.SUM, (Area() as area,)):
                yield from _of_sum(area)
            case Call(Fn.SQUARES, (Area() as area, middle)):
                yield "mean_kept", Call(Fn.SQUARES, (area, Num(0)))
                flat = Bin("*", Num(len(area)), middle)
                yield "not_squared", Bin("-", Call(Fn.SUM, (area,)), flat)
            case Call(Fn.INDEX, (Area() as area, place)):
                for by in (1, -1):
                    yield "next_row", Call(Fn.INDEX, (area, Bin("+", place, Num(by))))
            case Call(fn, (x, *_)):
                yield from ((key, slip(x)) for key, slip in FUNCTIONS.get(fn, {}).items())

    # Sums of products and quotients -------------------------------------------------------------

    def _of_dot(self, e: Dot) -> Mutations:
        pairs = list(zip(e.left.cells(), e.right.cells(), strict=True))
        products: list[Expr] = [Bin("*", a, b) for a, b in pairs]
        values = [evaluate(one, self.numbers.look) for one in products]
        counting = [p for p, x in zip(products, values, strict=True) if isinstance(x, float) and x]
        whole = total(products)
        for term in counting if len(counting) > 1 else ():
            yield "term_dropped", Bin("-", whole, term)
            yield "term_twice", Bin("+", whole, term)
            yield "term_sign", Bin("-", whole, Bin("*", TWO, term))
        yield "added", total([Bin("+", a, b) for a, b in pairs])
        yield "minus_lost", total([Call(Fn.ABS, (p,)) for p in products])
        if len(pairs) > 1:
            crossed = zip(e.left.cells(), reversed(e.right.cells()), strict=True)
            yield "crossed", total([Bin("*", a, b) for a, b in crossed])
            yield "not_weighted", Call(Fn.SUM, (e.right,))
        # The row or column beside the one that is multiplied with.
        yield from (("next_own", replace(e, left=moved)) for moved in self._moved(e.left))
        yield from (("next_row", replace(e, right=moved)) for moved in self._moved(e.right))
        yield from self._roles(e)

    def _shape(self, step: str) -> tuple[int, int]:
        """The size of a step, so that no slip reads beside it."""
        return self.numbers.question.trace[step].shape

    def _moved(self, area: Area) -> Iterator[Area]:
        height, width = self._shape(area.step)
        for by in (1, -1):
            if area.r1 - area.r0 == 1 and 0 <= area.r0 + by < height:
                yield replace(area, r0=area.r0 + by, r1=area.r1 + by)
            elif area.c1 - area.c0 == 1 and 0 <= area.c0 + by < width:
                yield replace(area, c0=area.c0 + by, c1=area.c1 + by)

    def _roles(self, e: Dot) -> Mutations:
        """Both steps exchanged, as query and key."""
        if e.left.step == e.right.step or self._shape(e.left.step) != self._shape(e.right.step):
            return
        if (e.left.c0, e.left.c1) == (e.right.c0, e.right.c1):
            left, right = replace(e.left, step=e.right.step), replace(e.right, step=e.left.step)
            yield "roles", Dot(left, right)

    def _of_quotient(self, a: Expr, b: Expr) -> Mutations:
        yield "not_divided", a
        yield "turned", Bin("/", b, a)
        yield "multiplied", Bin("*", a, b)
        if isinstance(b, Num):
            yield "one_less", Bin("/", a, Num(b.value - 1))
            yield "one_more", Bin("/", a, Num(b.value + 1))
            return
        yield "square_below", Bin("/", a, Bin("*", b, b))
        trace = self.numbers.question.trace
        if not isinstance(b, Ref) or trace[b.step].kind == "given":
            return
        if isinstance(below := self._taken(trace.cell(b.step, b.i, b.j)), Call):
            if below.fn is Fn.SUM:
                yield "by_largest", Bin("/", a, Call(Fn.MAX, below.args))
            elif below.fn is Fn.SQRT:
                yield "root_forgotten", Bin("/", a, below.args[0])


def _of_sum(area: Area) -> Mutations:
    cells: list[Expr] = list(area.cells())
    whole: Expr = Call(Fn.SUM, (area,))
    for cell in cells if len(cells) > 1 else ():
        yield "term_dropped", Bin("-", whole, cell)
        yield "term_twice", Bin("+", whole, cell)
    yield "mean", Bin("/", whole, Num(len(cells)))
    yield "largest", Call(Fn.MAX, (area,))


def _of_arithmetic(e: Bin) -> Mutations:
    a, b = e.left, e.right
    others = {"+": "-*", "-": "+", "*": "+"}[e.op]
    names = {"+": "added", "-": "subtracted", "*": "multiplied"}
    for op in others:
        yield names[op], Bin(op, a, b)
    if e.op == "-":
        yield "reversed", Bin("-", b, a)
        yield "second_left_out", a
        yield "first_left_out", Bin("-", Num(0), b)
    elif e.op == "+":
        yield "second_left_out", a
        yield "first_left_out", b
    elif a == b:
        yield "not_squared", a
        yield "doubled", Bin("*", TWO, a)
    else:
        yield "factor_left_out", a
        yield "factor_left_out", b
        yield "factor_twice", Bin("*", e, b)


def _itself(x: Expr) -> Expr:
    return x


def _of_wave(own: Fn, other: Fn) -> Mapping[str, Callable[[Expr], Expr]]:
    return {
        "degrees": lambda x: Call(own, (Bin("/", Bin("*", x, Num(math.pi)), HALF_TURN),)),
        "sine_cosine": lambda x: Call(other, (x,)),
        "no_wave": _itself,
    }


# The slips of a function, by its argument.
FUNCTIONS: Final[Mapping[Fn, Mapping[str, Callable[[Expr], Expr]]]] = {
    Fn.EXP: {
        "exponent_sign": lambda x: Call(Fn.EXP, (Bin("-", Num(0), x),)),
        "power_of_ten": lambda x: Bin("^", TEN, x),
        "power_of_two": lambda x: Bin("^", TWO, x),
        "times_e": lambda x: Bin("*", Num(math.e), x),
        "no_power": _itself,
    },
    Fn.SIN: _of_wave(Fn.SIN, Fn.COS),
    Fn.COS: _of_wave(Fn.COS, Fn.SIN),
    Fn.SQRT: {"root_forgotten": _itself, "halved": lambda x: Bin("/", x, TWO)},
    Fn.LN: {
        "decimal_logarithm": lambda x: Bin("/", Call(Fn.LN, (x,)), Call(Fn.LN, (TEN,))),
        "per_cent": lambda x: Call(Fn.LN, (Bin("*", x, Num(100)),)),
    },
    Fn.MAX: {  # of ReLU: negative numbers kept, positive ones crossed out
        "negative_kept": _itself,
        "minus_lost": lambda x: Call(Fn.ABS, (x,)),
        "crossed_out": lambda _: Num(0),
    },
}
