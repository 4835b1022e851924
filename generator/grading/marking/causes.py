"""Why an entry is probably wrong: the slips that give just this number from the pupil's own ones.

A cause is told only where a slip leads to the number that was typed, within the tolerance. Where
one alone does, it is named; where two or three do, all of them are; more of them say nothing.

Also here:

* Usual slips as changes of a cell's own expression: a term dropped, an operator exchanged.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from generator.checks.verdict import unit
from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Lookup, Num, Ref, Round, total
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking.question import Question, computed_as
from generator.grading.marking.rule import NOISE, How, Judged, Paper
from generator.grading.reading.meant import Number, read
from generator.insight.slips import Slip
from generator.notation.shown import shown_decimals

MOST: Final = 3  # causes that are told where several lead to the number
FEWEST_UNITS: Final = 2  # tolerances by which a number must differ from 0 to tell its digits
LISTED: Final = "slip."  # how the key of a cause begins that a sheet's page for teachers lists


class Hit(NamedTuple):
    """A slip that leads to the number, and to which number exactly."""

    key: str
    number: Number


def causes(paper: Paper, one: Judged, listed: Iterable[Slip] = ()) -> tuple[str, ...]:
    """The keys of the slips that lead to a wrong entry; none where nothing tells.

    `listed` are those of the sheet's page for teachers. One of them has its name from there
    (`slip.<key>`), also where a change of the expression leads to the same number. A row with the
    same entry in each box tells nothing: it was filled, not computed.
    """
    if one.how not in (How.WRONG, How.IDLE) or one.value is None or one.cell in paper.constant:
        return ()
    known = list(_listed(paper, one, listed))
    numbers = {hit.number for hit in known}
    others = [hit for hit in _changed(paper, one) if hit.number not in numbers]
    keys = tuple(dict.fromkeys(hit.key for hit in (*known, *others)))
    return keys if len(keys) <= MOST else ()


def _listed(paper: Paper, one: Judged, listed: Iterable[Slip]) -> Iterator[Hit]:
    """The listed slips that lead there; they were computed from right numbers."""
    question = paper.question
    from_right = one.expected is None or question.same(one.cell, one.expected, one.right)
    for slip in listed if from_right else ():
        if (slip.step, slip.i, slip.j) == one.cell:
            wrong = _written(question, one, slip.wrong)
            if wrong is not None and question.same(one.cell, one.value or 0.0, wrong):
                yield Hit(LISTED + slip.key, wrong)


def _changed(paper: Paper, one: Judged) -> list[Hit]:
    """The changes of the cell's expression that lead there: from own numbers, else from right."""
    if isinstance(one.value, str):
        return []
    question = paper.question
    for arrays in (paper.filled, question.all_right):
        hits = list(_hits(question, one, arrays))
        if hits:
            return hits
    return []


def _hits(question: Question, one: Judged, arrays: Mapping[str, np.ndarray]) -> Iterator[Hit]:
    expected = question.value(one.cell, arrays)
    whole = one.right if expected is None else expected
    if isinstance(whole, str):
        return
    for key, number in (
        *_general(question, one.cell, whole),
        *_of_cell(question, one.cell, arrays),
    ):
        wrong = _written(question, one, number)
        if wrong is None or question.same(one.cell, wrong, whole):
            continue  # a slip that changes nothing here
        if question.same(one.cell, one.value or 0.0, wrong):
            yield Hit(key, wrong)


def _of_cell(
    question: Question, cell: Cell, arrays: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, float]]:
    if not question.is_computed(cell):
        return
    look = question.look(arrays)

    def meaning(ref: Ref) -> Expr | None:
        known = question.trace[ref.step].kind != "given"
        return question.trace.cell(ref.step, ref.i, ref.j) if known else None

    slips = Slips(look, lambda name: question.trace[name].shape, meaning)
    for key, expression in slips.of(question.exercise.meaning(*cell)):
        value = computed_as(expression, look)
        if isinstance(value, float):
            yield key, value


def _general(question: Question, cell: Cell, whole: float) -> Iterator[tuple[str, float]]:
    """Slips of writing that any number may suffer.

    A comma shifted, or digits exchanged, to next to 0 is none: any small entry would fit.
    """
    yield "sign", -whole
    least = FEWEST_UNITS * question.tolerance * unit(question.step(cell)) + NOISE
    for by in (10.0, 0.1, 100.0, 0.01):
        if abs(whole * by) > least:
            yield "comma", whole * by
    decimals = shown_decimals(question.step(cell))
    if decimals > 1:
        yield "rounded_early", guarded_number(whole, decimals - 1)
    digits = f"{abs(whole):.{decimals}f}"
    for k in range(len(digits) - 1) if unit(question.step(cell)) else ():
        a, b = digits[k], digits[k + 1]
        if a != b and "." not in (a, b):
            turned = float(digits[:k] + b + a + digits[k + 2 :])
            if turned > least:
                yield "digits", turned if whole >= 0 else -turned


def _written(question: Question, one: Judged, wrong: float) -> Number | None:
    """A wrong result as a pupil writes it; None for one that nobody can write."""
    step = question.step(one.cell)
    if step.text:
        return read(step, one.right, wrong)
    if not np.isfinite(wrong):
        return None
    return guarded_number(wrong, shown_decimals(step) if unit(step) else 9)


Shape = Callable[[str], tuple[int, int]]
TEN, TWO, HALF_TURN = Num(10), Num(2), Num(180)


class Mutation(NamedTuple):
    """A slip by its key (`grading.cause.<key>`) and the expression that it makes."""

    key: str
    expression: Expr


class Slips:
    """The slips of a cell's expression over some numbers.

    `shape` gives the size of a step, so that no slip reads beside it.
    """

    def __init__(self, look: Lookup, shape: Shape, meaning: Callable[[Ref], Expr | None]) -> None:
        self.look, self.shape, self.meaning = look, shape, meaning

    def of(self, expression: Expr) -> Iterator[Mutation]:
        """All slips of an expression without its rounding; of a condition the branch taken."""
        e = self._taken(expression)
        yield from self._own(e)
        for part, put in self._parts(e):
            yield from (Mutation(slip.key, put(slip.expression)) for slip in self.of(part))

    def _taken(self, e: Expr) -> Expr:
        while isinstance(e, If | Round):
            if isinstance(e, Round):
                e = e.inner
            else:
                e = e.yes if evaluate(e.condition, self.look) else e.no
        return e

    def _parts(self, e: Expr) -> Iterator[tuple[Expr, Callable[[Expr], Expr]]]:
        match e:
            case Bin(_, left, right):
                yield left, lambda part: replace(e, left=part)
                yield right, lambda part: replace(e, right=part)
            case Call(_, (Bin() | Call() as only,)):
                yield only, lambda part: replace(e, args=(part,))

    def _own(self, e: Expr) -> Iterator[Mutation]:
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
                yield Mutation("mean_kept", Call(Fn.SQUARES, (area, Num(0))))
                flat = Bin("*", Num(len(area)), middle)
                yield Mutation("not_squared", Bin("-", Call(Fn.SUM, (area,)), flat))
            case Call(Fn.INDEX, (Area() as area, place)):
                for by in (1, -1):
                    yield Mutation("next_row", Call(Fn.INDEX, (area, Bin("+", place, Num(by)))))
            case Call(fn, (x, *_)) if fn in FUNCTIONS:
                yield from FUNCTIONS[fn](x)

    # Sums of products and quotients -------------------------------------------------------------

    def _of_dot(self, e: Dot) -> Iterator[Mutation]:
        pairs = list(zip(e.left.cells(), e.right.cells(), strict=True))
        products: list[Expr] = [Bin("*", a, b) for a, b in pairs]
        yield from _of_terms(products, [k for k, p in enumerate(products) if self._counts(p)])
        yield Mutation("added", total([Bin("+", a, b) for a, b in pairs]))
        yield Mutation("minus_lost", total([Call(Fn.ABS, (p,)) for p in products]))
        if len(pairs) > 1:
            crossed = zip(e.left.cells(), reversed(e.right.cells()), strict=True)
            yield Mutation("crossed", total([Bin("*", a, b) for a, b in crossed]))
            yield Mutation("not_weighted", Call(Fn.SUM, (e.right,)))
        yield from self._neighbours(e)
        yield from self._roles(e)

    def _counts(self, product: Expr) -> bool:
        value = evaluate(product, self.look)
        return isinstance(value, float) and value != 0

    def _neighbours(self, e: Dot) -> Iterator[Mutation]:
        """The row or column beside the one that is multiplied with."""
        for key, side, area in (("next_own", "left", e.left), ("next_row", "right", e.right)):
            for moved in self._moved(area):
                yield Mutation(key, replace(e, **{side: moved}))

    def _moved(self, area: Area) -> Iterator[Area]:
        height, width = self.shape(area.step)
        for by in (1, -1):
            if area.r1 - area.r0 == 1 and 0 <= area.r0 + by < height:
                yield replace(area, r0=area.r0 + by, r1=area.r1 + by)
            elif area.c1 - area.c0 == 1 and 0 <= area.c0 + by < width:
                yield replace(area, c0=area.c0 + by, c1=area.c1 + by)

    def _roles(self, e: Dot) -> Iterator[Mutation]:
        """Both steps exchanged, as query and key."""
        if e.left.step == e.right.step or self.shape(e.left.step) != self.shape(e.right.step):
            return
        if (e.left.c0, e.left.c1) == (e.right.c0, e.right.c1):
            left, right = replace(e.left, step=e.right.step), replace(e.right, step=e.left.step)
            yield Mutation("roles", Dot(left, right))

    def _of_quotient(self, a: Expr, b: Expr) -> Iterator[Mutation]:
        yield Mutation("not_divided", a)
        yield Mutation("turned", Bin("/", b, a))
        yield Mutation("multiplied", Bin("*", a, b))
        if isinstance(b, Num):
            yield Mutation("one_less", Bin("/", a, Num(b.value - 1)))
            yield Mutation("one_more", Bin("/", a, Num(b.value + 1)))
            return
        yield Mutation("square_below", Bin("/", a, Bin("*", b, b)))
        behind = self.meaning(b) if isinstance(b, Ref) else None
        if behind is not None and isinstance(below := self._taken(behind), Call):
            if below.fn is Fn.SUM:
                yield Mutation("by_largest", Bin("/", a, Call(Fn.MAX, below.args)))
            elif below.fn is Fn.SQRT:
                yield Mutation("root_forgotten", Bin("/", a, below.args[0]))


def _of_terms(terms: Sequence[Expr], counting: Sequence[int]) -> Iterator[Mutation]:
    """Of a sum: a term left out, taken twice, with the wrong sign."""
    whole = total(list(terms))
    for k in counting if len(counting) > 1 else ():
        yield Mutation("term_dropped", Bin("-", whole, terms[k]))
        yield Mutation("term_twice", Bin("+", whole, terms[k]))
        yield Mutation("term_sign", Bin("-", whole, Bin("*", TWO, terms[k])))


def _of_sum(area: Area) -> Iterator[Mutation]:
    cells: list[Expr] = list(area.cells())
    whole: Expr = Call(Fn.SUM, (area,))
    for cell in cells if len(cells) > 1 else ():
        yield Mutation("term_dropped", Bin("-", whole, cell))
        yield Mutation("term_twice", Bin("+", whole, cell))
    yield Mutation("mean", Bin("/", whole, Num(len(cells))))
    yield Mutation("largest", Call(Fn.MAX, (area,)))


def _of_arithmetic(e: Bin) -> Iterator[Mutation]:
    a, b = e.left, e.right
    others = {"+": "-*", "-": "+", "*": "+"}[e.op]
    names = {"+": "added", "-": "subtracted", "*": "multiplied"}
    for op in others:
        yield Mutation(names[op], Bin(op, a, b))
    if e.op == "-":
        yield Mutation("reversed", Bin("-", b, a))
        yield Mutation("second_left_out", a)
        yield Mutation("first_left_out", Bin("-", Num(0), b))
    elif e.op == "+":
        yield Mutation("second_left_out", a)
        yield Mutation("first_left_out", b)
    elif a == b:
        yield Mutation("not_squared", a)
        yield Mutation("doubled", Bin("*", TWO, a))
    else:
        yield Mutation("factor_left_out", a)
        yield Mutation("factor_left_out", b)
        yield Mutation("factor_twice", Bin("*", e, b))


def _exp(x: Expr) -> Iterator[Mutation]:
    yield Mutation("exponent_sign", Call(Fn.EXP, (Bin("-", Num(0), x),)))
    yield Mutation("power_of_ten", Bin("^", TEN, x))
    yield Mutation("power_of_two", Bin("^", TWO, x))
    yield Mutation("times_e", Bin("*", Num(math.e), x))
    yield Mutation("no_power", x)


def _wave(other: Fn, own: Fn) -> Callable[[Expr], Iterator[Mutation]]:
    def slips(x: Expr) -> Iterator[Mutation]:
        degrees = Bin("/", Bin("*", x, Num(math.pi)), HALF_TURN)
        yield Mutation("degrees", Call(own, (degrees,)))
        yield Mutation("sine_cosine", Call(other, (x,)))
        yield Mutation("no_wave", x)

    return slips


def _root(x: Expr) -> Iterator[Mutation]:
    yield Mutation("root_forgotten", x)
    yield Mutation("halved", Bin("/", x, TWO))


def _logarithm(x: Expr) -> Iterator[Mutation]:
    yield Mutation("decimal_logarithm", Bin("/", Call(Fn.LN, (x,)), Call(Fn.LN, (TEN,))))
    yield Mutation("per_cent", Call(Fn.LN, (Bin("*", x, Num(100)),)))


def _at_least(x: Expr) -> Iterator[Mutation]:
    """The slips of ReLU: negative numbers kept, positive ones crossed out."""
    yield Mutation("negative_kept", x)
    yield Mutation("minus_lost", Call(Fn.ABS, (x,)))
    yield Mutation("crossed_out", Num(0))


FUNCTIONS: Final[dict[Fn, Callable[[Expr], Iterator[Mutation]]]] = {
    Fn.EXP: _exp,
    Fn.SIN: _wave(Fn.COS, Fn.SIN),
    Fn.COS: _wave(Fn.SIN, Fn.COS),
    Fn.SQRT: _root,
    Fn.LN: _logarithm,
    Fn.MAX: _at_least,
}
