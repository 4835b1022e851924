"""Usual slips as changes of a cell's own expression: a term dropped, an operator exchanged.

Each kind of node says what people do to it by mistake. A change anywhere inside an expression is
one of the whole, so that Σ/4 has the slips of the sum and those of the division. What a slip gives
is computed by the same evaluator as the right value, from the pupil's own numbers.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Lookup, Num, Ref, Round, total

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
