"""Why an entry is probably wrong: the slips that give just this number from the pupil's own ones.

A cause is told only where a slip leads to the number that was typed, within the tolerance. Where
one alone does, it is named; where two or three do, all of them are; more of them say nothing.

Also here:

* Usual slips as changes of a cell's own expression: a term dropped, an operator exchanged.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import add, mul, sub
from typing import Final, NamedTuple

import numpy as np

from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round, total
from generator.engine.rounding import guarded_number
from generator.grading.marking.question import NOISE, AskedBox, PaperNumbers
from generator.grading.marking.rule import BoxMark, Paper
from generator.grading.marking.scheme import How
from generator.grading.reading.entries import Number
from generator.insight.slips import Slip

MOST: Final = 3  # causes that are told where several lead to the number
Hits = Iterator[tuple[str, Number]]  # slips that lead to a number, and to which one exactly
Mutations = Iterator[tuple[str, Expr]]  # slips and the expressions that they make
FEWEST_UNITS: Final = 2  # tolerances by which a number must differ from 0 to tell its digits
LISTED: Final = "slip."  # how the key of a cause begins that a sheet's page for teachers lists


class WrongEntry:
    """A wrong entry of a paper, and the slips that the sheet's page for teachers lists."""

    def __init__(self, paper: Paper, one: BoxMark, listed: Iterable[Slip] = ()) -> None:
        self.paper = paper
        self.one = one
        self.listed = listed
        self.box = paper.question.boxes[one.cell]

    def causes(self) -> tuple[str, ...]:
        """The keys of the slips that lead to it; none where nothing tells.

        One of those listed has its name from there (`slip.<key>`), also where a change of the
        expression leads to the same number. A row with the same entry in each box tells nothing:
        it was filled, not computed.
        """
        if self.one.how not in (How.WRONG, How.IDLE) or self.one.cell in self.paper.constant:
            return ()
        known = list(self._hits(self._of_page()))
        numbers = {number for _, number in known}
        others = [hit for hit in self._changed() if hit[1] not in numbers]
        keys = tuple(dict.fromkeys(key for key, _ in (*known, *others)))
        return keys if len(keys) <= MOST else ()

    def _hits(self, slips: Iterable[tuple[str, float]]) -> Hits:
        """The slips that lead to the entry, each with the number as a pupil writes it."""
        for key, number in slips:
            wrong, value = self._written(number), self.one.value
            if wrong is not None and value is not None and self.box.same(value, wrong):
                yield key, wrong

    def _of_page(self) -> Iterator[tuple[str, float]]:
        """The listed slips of the box; they were computed from right numbers."""
        expected = self.one.expected
        from_right = expected is None or self.box.is_right(expected)
        for slip in self.listed if from_right else ():
            if (slip.step, slip.i, slip.j) == self.one.cell:
                yield LISTED + slip.key, slip.wrong

    def _changed(self) -> list[tuple[str, Number]]:
        """The changes of the cell's expression that lead there: from own numbers, else right."""
        for numbers in (self.paper.filled, self.paper.question.all_right):
            expected = numbers.value(self.box)
            whole = self.box.right if expected is None else expected
            if isinstance(whole, float) and isinstance(self.one.value, float):
                hits = self._hits(Slips(numbers, self.box).of(whole))
                # A slip that changes nothing here is none.
                if telling := [hit for hit in hits if not self.box.same(hit[1], whole)]:
                    return telling
        return []

    def _written(self, wrong: float) -> Number | None:
        """A wrong result as a pupil writes it; None for one that nobody can write."""
        if self.box.step.text:
            return self.box.read(wrong)
        if not np.isfinite(wrong):
            return None
        return guarded_number(wrong, self.box.decimals if self.box.unit else 9)


TEN, TWO, HALF_TURN = Num(10), Num(2), Num(180)


class Slips(NamedTuple):
    """The slips of a box over some numbers, by keys (`grading.cause.<key>`)."""

    numbers: PaperNumbers
    box: AskedBox

    def of(self, whole: float) -> Iterator[tuple[str, float]]:
        """What each slip gives in place of the whole: those of writing, then of computing."""
        yield from self._of_writing(whole)
        for key, e in self._changes(self.box.meaning) if self.box.is_computed else ():
            value = self.numbers.computed(e)
            if isinstance(value, float):
                yield key, value

    def _of_writing(self, whole: float) -> Iterator[tuple[str, float]]:
        """Slips of writing that any number may suffer.

        A comma shifted, or digits exchanged, to next to 0 is none: any small entry would fit.
        """
        yield "sign", -whole
        decimals, least = self.box.decimals, FEWEST_UNITS * self.box.slack + NOISE
        for by in (10.0, 0.1, 100.0, 0.01):
            if abs(whole * by) > least:
                yield "comma", whole * by
        if decimals > 1:
            yield "rounded_early", guarded_number(whole, decimals - 1)
        digits = f"{abs(whole):.{decimals}f}"
        for k in range(len(digits) - 1) if self.box.unit else ():
            a, b = digits[k], digits[k + 1]
            if a != b and "." not in (a, b):
                turned = float(digits[:k] + b + a + digits[k + 2 :])
                if turned > least:
                    yield "digits", turned if whole >= 0 else -turned

    def _changes(self, expression: Expr) -> Mutations:
        """All slips of an expression without its rounding; of a condition the branch taken."""
        e = self._taken(expression)
        yield from self._own(e)
        match e:  # its parts
            case Bin(_, left, right):
                yield from ((key, replace(e, left=part)) for key, part in self._changes(left))
                yield from ((key, replace(e, right=part)) for key, part in self._changes(right))
            case Call(_, (Bin() | Call() as only,)):
                yield from ((key, replace(e, args=(part,))) for key, part in self._changes(only))

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
            case Bin(op, a, b):
                kind = "**" if op == "*" and a == b else op
                yield from ((key, slip(a, b)) for key, slip in ARITHMETIC.get(kind, ()))
                if op == "/":
                    yield from self._of_divisor(a, b)
            case Call(Fn.SUM, (Area() as area,)):
                cells = area.cells() if len(area) > 1 else []
                yield from _of_terms(e, cells)
                yield "mean", e / len(area)
                yield "largest", Fn.MAX(area)
            case Call(Fn.SQUARES, (Area() as area, middle)):
                yield "mean_kept", Fn.SQUARES(area, Num(0))
                yield "not_squared", Fn.SUM(area) - Num(len(area)) * middle
            case Call(Fn.INDEX, (Area() as area, place)):
                for by in (1, -1):
                    yield "next_row", Fn.INDEX(area, place + by)
            case Call(fn, (x, *_)):
                yield from ((key, slip(x)) for key, slip in FUNCTIONS.get(fn, {}).items())

    # Sums of products and quotients -------------------------------------------------------------

    def _of_dot(self, e: Dot) -> Mutations:
        pairs = list(zip(e.left.cells(), e.right.cells(), strict=True))
        products: list[Expr] = [a * b for a, b in pairs]
        values = [evaluate(one, self.numbers.look) for one in products]
        counting = [p for p, x in zip(products, values, strict=True) if isinstance(x, float) and x]
        yield from _of_terms(total(products), counting if len(counting) > 1 else [])
        yield "added", total([a + b for a, b in pairs])
        yield "minus_lost", total([Fn.ABS(p) for p in products])
        if len(pairs) > 1:
            crossed = zip(e.left.cells(), reversed(e.right.cells()), strict=True)
            yield "crossed", total([a * b for a, b in crossed])
            yield "not_weighted", Fn.SUM(e.right)
        # The row or column beside the one that is multiplied with.
        yield from (("next_own", replace(e, left=moved)) for moved in self._moved(e.left))
        yield from (("next_row", replace(e, right=moved)) for moved in self._moved(e.right))
        # Both steps exchanged, as query and key.
        one, other = e.left, e.right
        alike = self._shape(one) == self._shape(other) and (one.c0, one.c1) == (other.c0, other.c1)
        if alike and one.step != other.step:
            yield "roles", Dot(replace(one, step=other.step), replace(other, step=one.step))

    def _shape(self, area: Area) -> tuple[int, int]:
        """The size of a step, so that no slip reads beside it."""
        return self.numbers.question.trace[area.step].shape

    def _moved(self, area: Area) -> Iterator[Area]:
        height, width = self._shape(area)
        for by in (1, -1):
            if area.r1 - area.r0 == 1 and 0 <= area.r0 + by < height:
                yield replace(area, r0=area.r0 + by, r1=area.r1 + by)
            elif area.c1 - area.c0 == 1 and 0 <= area.c0 + by < width:
                yield replace(area, c0=area.c0 + by, c1=area.c1 + by)

    def _of_divisor(self, a: Expr, b: Expr) -> Mutations:
        if isinstance(b, Num):
            yield "one_less", a / (b.value - 1)
            yield "one_more", a / (b.value + 1)
            return
        yield "square_below", a / (b * b)
        trace = self.numbers.question.trace
        if not isinstance(b, Ref) or trace[b.step].kind == "given":
            return
        match self._taken(trace.cell(b.step, b.i, b.j)):
            case Call(Fn.SUM, args):
                yield "by_largest", a / Fn.MAX(*args)
            case Call(Fn.SQRT, (root,)):
                yield "root_forgotten", a / root


def _of_terms(whole: Expr, terms: Iterable[Expr]) -> Mutations:
    """The slips with a term of a sum; the sign of a product is easily lost."""
    for term in terms:
        yield "term_dropped", whole - term
        yield "term_twice", whole + term
        if isinstance(term, Bin):
            yield "term_sign", whole - TWO * term


def _first(a: Expr, _: Expr) -> Expr:
    return a


def _second(_: Expr, b: Expr) -> Expr:
    return b


# The slips of two numbers with a sign between them; "**" are two equal factors.
ARITHMETIC: Final[Mapping[str, Sequence[tuple[str, Callable[[Expr, Expr], Expr]]]]] = {
    "+": (
        ("subtracted", sub),
        ("multiplied", mul),
        ("second_left_out", _first),
        ("first_left_out", _second),
    ),
    "-": (
        ("added", add),
        ("reversed", lambda a, b: b - a),
        ("second_left_out", _first),
        ("first_left_out", lambda _, b: Num(0) - b),
    ),
    "*": (
        ("added", add),
        ("factor_left_out", _first),
        ("factor_left_out", _second),
        ("factor_twice", lambda a, b: a * b * b),
    ),
    "**": (("added", add), ("not_squared", _first), ("doubled", lambda a, _: TWO * a)),
    "/": (("not_divided", _first), ("turned", lambda a, b: b / a), ("multiplied", mul)),
}


def _itself(x: Expr) -> Expr:
    return x


def _of_wave(own: Fn, other: Fn) -> Mapping[str, Callable[[Expr], Expr]]:
    return {
        "degrees": lambda x: own(x * math.pi / HALF_TURN),
        "sine_cosine": other,
        "no_wave": _itself,
    }


# The slips of a function, by its argument.
FUNCTIONS: Final[Mapping[Fn, Mapping[str, Callable[[Expr], Expr]]]] = {
    Fn.EXP: {
        "exponent_sign": lambda x: Fn.EXP(Num(0) - x),
        "power_of_ten": lambda x: TEN**x,
        "power_of_two": lambda x: TWO**x,
        "times_e": lambda x: Num(math.e) * x,
        "no_power": _itself,
    },
    Fn.SIN: _of_wave(Fn.SIN, Fn.COS),
    Fn.COS: _of_wave(Fn.COS, Fn.SIN),
    Fn.SQRT: {"root_forgotten": _itself, "halved": lambda x: x / TWO},
    Fn.LN: {
        "decimal_logarithm": lambda x: Fn.LN(x) / Fn.LN(TEN),
        "per_cent": lambda x: Fn.LN(x * 100),
    },
    Fn.MAX: {  # of ReLU: negative numbers kept, positive ones crossed out
        "negative_kept": _itself,
        "minus_lost": Fn.ABS,
        "crossed_out": lambda _: Num(0),
    },
}
