"""The evaluator: computes a cell expression from the arrays it refers to."""

import math
from collections.abc import Callable
from typing import assert_never

from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Lookup, Num, Ref, Round, Value
from generator.engine.expr import Text as Literal
from generator.engine.ops.pieces import BETWEEN, merged_text, pair_at, pieces_in
from generator.engine.rounding import guarded_number

MASKED = -math.inf


def evaluate(expression: Expr, lookup: Lookup) -> Value:
    """The value of an expression over the arrays that `lookup` gives for step names.

    Used wherever one cell is computed on its own: checks, error carried forward, grading, and
    the proof that `evaluate(op.cell) == op.value`. A masked cell is −∞.
    """
    match expression:
        case Num(value) | Literal(value):
            return value
        case Ref(step, i, j):
            return _plain(lookup(step)[i, j])
        case Dot(left, right):
            pairs = zip(_numbers(left, lookup), _numbers(right, lookup), strict=True)
            return math.fsum(a * b for a, b in pairs)
        case Bin(op, left_side, right_side):
            return BINARY[op](evaluate(left_side, lookup), evaluate(right_side, lookup))
        case If(condition, yes, no):
            return evaluate(yes if evaluate(condition, lookup) else no, lookup)
        case Call(Fn.IF_ERROR, (tried, otherwise)):
            try:
                return evaluate(tried, lookup)
            except (ArithmeticError, ValueError, TypeError, IndexError):
                return evaluate(otherwise, lookup)
        case Call(fn, args):
            return CALLS[fn](*(_argument(arg, lookup) for arg in args))
        case Round(inner, decimals):
            return guarded_number(_number(evaluate(inner, lookup)), decimals)
        case Area():
            raise TypeError(f"an area is no value by itself: {expression}")
        case _:
            assert_never(expression)


def _plain(value: object) -> Value:
    return value if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def _number(value: Value) -> float:
    if isinstance(value, str):
        raise TypeError(f"expected a number, found the text {value!r}")
    return float(value)


def _cells(area: Area, lookup: Lookup) -> list[Value]:
    block = lookup(area.step)[area.r0 : area.r1, area.c0 : area.c1]
    return [_plain(value) for value in block.ravel().tolist()]


def _numbers(area: Area, lookup: Lookup) -> list[float]:
    return [_number(value) for value in _cells(area, lookup)]


def _argument(arg: Expr, lookup: Lookup) -> "Value | list[Value]":
    return _cells(arg, lookup) if isinstance(arg, Area) else evaluate(arg, lookup)


def _flat(args: tuple[object, ...]) -> list[float]:
    values: list[float] = []
    for arg in args:
        values += arg if isinstance(arg, list) else [arg]  # type: ignore[list-item]
    return values


def _all(args: tuple[object, ...]) -> list[object]:
    cells: list[object] = []
    for arg in args:
        cells += arg if isinstance(arg, list) else [arg]
    return cells


def _is_number(x: object) -> bool:
    return not isinstance(x, str | bool) and x != MASKED


def _indexed(area: list[Value], position: float) -> Value:
    if position < 1:
        raise IndexError(f"position {position:g}, expected one from 1")
    return area[int(position) - 1]


def _visible(args: tuple[object, ...]) -> list[float]:
    return [value for value in _flat(args) if value != MASKED] or [0.0]


def _power(base: float, exponent: float) -> float:
    return float(base**exponent)


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
    Fn.EXP: math.exp,
    Fn.LN: math.log,
    Fn.SQRT: math.sqrt,
    Fn.SIN: math.sin,
    Fn.COS: math.cos,
    Fn.TANH: math.tanh,
    Fn.NORMAL: lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)),
    Fn.SUM: lambda *args: math.fsum(_flat(args)),
    Fn.MAX: lambda *args: max(_visible(args)),
    Fn.MIN: lambda *args: min(_visible(args)),
    Fn.SQUARES: lambda area, m: math.fsum((x - m) ** 2 for x in area),
    Fn.EXACT: lambda a, b: a == b,
    Fn.IS_NUMBER: _is_number,
    Fn.INDEX: _indexed,
    Fn.MATCH: lambda value, area: float(area.index(value) + 1),
    Fn.RANK: lambda x, area: 1.0 + sum(other > x for other in area),
    Fn.COUNT_EQUAL: lambda area, x: float(sum(other == x for other in area)),
    Fn.COUNT_AT_MOST: lambda area, x: float(sum(other <= x for other in area)),
    Fn.SUM_BELOW: lambda keys, x, area: math.fsum(
        value for key, value in zip(keys, area, strict=True) if key < x
    ),
    Fn.ABS: abs,
    Fn.ROUND_UP: lambda x: float(math.ceil(x)) if x >= 0 else float(math.floor(x)),
    Fn.TWO_DIGITS: lambda x: f"{x:02.0f}",
    Fn.COUNT_NUMBERS: lambda *args: float(sum(_is_number(x) for x in _all(args))),
    Fn.COUNT_BLANK: lambda *args: float(sum(x == "" for x in _all(args))),
    Fn.LENGTH: lambda text: float(len(text)),
    Fn.SPELLED: lambda word, most: BETWEEN.join(word[: int(most)]),
    Fn.PIECES: pieces_in,
    Fn.PAIR_AT: pair_at,
    Fn.MERGED: merged_text,
}
