"""The evaluator: computes a cell expression from the arrays it refers to."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias, assert_never

from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Lookup, Num, Ref, Round, Value
from generator.engine.expr import Text as Literal
from generator.engine.ops.pieces import BETWEEN, merged_text, pair_at, pieces_in
from generator.engine.rounding import guarded_number

MASKED = -math.inf

Kind: TypeAlias = Callable[[Any], Any]  # what arithmetic is done with: `float`, or `exact`


class Irrational(Exception):
    """An exact result that is no fraction, so that no decimals are equal to it."""


def exact(value: float | Fraction) -> float | Fraction:
    """The decimals of a number, as they are printed, as a fraction; −∞ stays as it is."""
    return Fraction(repr(float(value))) if value != MASKED and type(value) is float else value


def evaluate(expression: Expr, lookup: Lookup, kind: Kind = float) -> Value:
    """The value of an expression over the arrays that `lookup` gives for step names.

    Used wherever one cell is computed on its own: checks, error carried forward, grading, and
    the proof that `evaluate(op.cell) == op.value`. A masked cell is −∞. With the kind `exact` all
    is reckoned in fractions; a root, power or other function that gives none raises `Irrational`.
    """
    return _Evaluator(lookup, kind).value(expression)


class _Evaluator(NamedTuple):
    lookup: Lookup
    kind: Kind

    def value(self, expression: Expr) -> Value:
        match expression:
            case Num(value):
                return self.plain(value)
            case Literal(text):
                return text
            case Ref(step, i, j):
                return self.plain(self.lookup(step)[i, j])
            case Dot(left, right):
                pairs = zip(self.cells(left), self.cells(right), strict=True)
                return _total([_number(a) * _number(b) for a, b in pairs])
            case Bin(op, left_side, right_side):
                first = self.value(left_side)
                try:
                    return BINARY[op](first, self.value(right_side))
                except Irrational:
                    if op == "*" and not first:
                        return first
                    raise
            case If(condition, yes, no):
                return self.value(yes if self.value(condition) else no)
            case Call(Fn.IF_ERROR, (tried, otherwise)):
                try:
                    return self.value(tried)
                except (ArithmeticError, ValueError, TypeError, IndexError):
                    return self.value(otherwise)
            case Call(fn, args):
                called = CALLS[fn](
                    *(self.cells(x) if isinstance(x, Area) else self.value(x) for x in args)
                )
                return self.plain(called) if isinstance(called, float) else called
            case Round(inner, decimals):
                number = float(_number(self.value(inner)))
                return self.plain(guarded_number(number, decimals))
            case Area():
                raise TypeError(f"an area is no value by itself: {expression}")
            case _:
                assert_never(expression)

    def plain(self, value: Any) -> Value:
        plain: Value = value if isinstance(value, str) else self.kind(float(value))
        return plain

    def cells(self, area: Area) -> list[Value]:
        block = self.lookup(area.step)[area.r0 : area.r1, area.c0 : area.c1]
        return [self.plain(value) for value in block.ravel().tolist()]


def _number(value: Value) -> float:
    if isinstance(value, str):
        raise TypeError(f"expected a number, found the text {value!r}")
    return value


def _total(numbers: Sequence[float]) -> float:
    return sum(numbers) if Fraction in map(type, numbers) else math.fsum(numbers)


def _flat(args: tuple[object, ...]) -> list[Any]:
    """Areas and single cells among the arguments, cell by cell."""
    return [cell for arg in args for cell in (arg if isinstance(arg, list) else [arg])]


def _is_number(x: object) -> bool:
    return not isinstance(x, str | bool) and x != MASKED


def _indexed(area: list[Value], position: float) -> Value:
    if position < 1:
        raise IndexError(f"position {position:g}, expected one from 1")
    return area[int(position) - 1]


def _visible(args: tuple[object, ...]) -> list[float]:
    return [value for value in _flat(args) if value != MASKED] or [0.0]


def _power(base: Any, exponent: Any) -> float:
    if not type(base) is type(exponent) is Fraction:
        return float(base**exponent)
    power: float = _root(base, exponent.denominator) ** exponent.numerator
    return power


def _root(x: Any, degree: int = 2) -> Any:
    """The root of a number; of a fraction the one that is a fraction, else `Irrational`."""
    if not isinstance(x, Fraction):
        return math.sqrt(x)
    if degree == 1:
        return x
    if x < 0:
        raise ValueError(f"there is no root of {x}")
    halves = x.numerator, x.denominator
    try:
        sides = [math.isqrt(k) if degree == 2 else round(k ** (1 / degree)) for k in halves]
    except OverflowError as error:
        raise Irrational from error
    if Fraction(*sides) ** degree != x:
        raise Irrational
    return Fraction(*sides)


def _at_zero(function: Callable[[float], float], value: Fraction, x: Any, zero: int = 0) -> Any:
    """A function of a number; of a fraction it is one only at its zero (Lindemann–Weierstrass)."""
    if not isinstance(x, Fraction):
        return function(x)
    if x != zero:
        raise Irrational
    return value


# Spreadsheets take a masked cell ("−∞") for text: it equals no number.
BINARY: dict[str, Callable[..., Value]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": _power,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "&": lambda a, b: f"{a}{b}",
}

CALLS: dict[Fn, Callable[..., Value]] = {
    Fn.EXP: partial(_at_zero, math.exp, Fraction(1)),
    Fn.LN: partial(_at_zero, math.log, Fraction(0), zero=1),
    Fn.SQRT: _root,
    Fn.SIN: partial(_at_zero, math.sin, Fraction(0)),
    Fn.COS: partial(_at_zero, math.cos, Fraction(1)),
    Fn.TANH: partial(_at_zero, math.tanh, Fraction(0)),
    Fn.NORMAL: partial(_at_zero, lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)), Fraction(1, 2)),
    Fn.SUM: lambda *args: _total(_flat(args)),
    Fn.MAX: lambda *args: max(_visible(args)),
    Fn.MIN: lambda *args: min(_visible(args)),
    Fn.SQUARES: lambda area, m: _total([(x - m) ** 2 for x in area]),
    Fn.EXACT: lambda a, b: a == b,
    Fn.IS_NUMBER: _is_number,
    Fn.INDEX: _indexed,
    Fn.MATCH: lambda value, area: float(area.index(value) + 1),
    Fn.RANK: lambda x, area: 1.0 + sum(other > x for other in area),
    Fn.COUNT_EQUAL: lambda area, x: float(sum(other == x for other in area)),
    Fn.COUNT_AT_MOST: lambda area, x: float(sum(other <= x for other in area)),
    Fn.SUM_BELOW: lambda keys, x, area: _total(
        [value for key, value in zip(keys, area, strict=True) if key < x]
    ),
    Fn.ABS: abs,
    Fn.ROUND_UP: lambda x: float(math.ceil(x)) if x >= 0 else float(math.floor(x)),
    Fn.TWO_DIGITS: lambda x: f"{x:02.0f}",
    Fn.COUNT_NUMBERS: lambda *args: float(sum(_is_number(x) for x in _flat(args))),
    Fn.COUNT_BLANK: lambda *args: float(sum(x == "" for x in _flat(args))),
    Fn.LENGTH: lambda text: float(len(text)),
    Fn.SPELLED: lambda word, most: BETWEEN.join(word[: int(most)]),
    Fn.PIECES: pieces_in,
    Fn.PAIR_AT: pair_at,
    Fn.MERGED: merged_text,
}
