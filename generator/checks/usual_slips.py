"""Usual slips as changes of a cell's own expression: another operation, other numbers in it.

A workbook names some of them at a cross, marking tries them all, and more. Each has the key of its
name (`grading.cause.<key>`); which there are says usual_slips.toml.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import takewhile
from typing import Any, Final, NamedTuple

from generator.checks.exercise import Exercise
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round
from generator.engine.place import place_of
from generator.engine.step import GIVEN, Step
from generator.resources import table

TABLE: Final = table("checks/usual_slips.toml")
Mutations = Iterator[tuple[str, Expr]]  # slips and the expressions that they make


class Changes(NamedTuple):
    """The slips in a cell of a step; `branch` says which side of a condition it is computed by."""

    exercise: Exercise
    step: Step
    branch: Callable[[If], Expr]

    def taken(self, e: Expr) -> Expr:
        """An expression without its rounding, of a condition the branch taken."""
        while isinstance(e, If | Round):
            e = e.inner if isinstance(e, Round) else self.branch(e)
        return e

    def operations(self, e: Expr) -> Mutations:
        """Another operation in place of the last one."""
        match e:
            case Bin(op, a, b):
                kind = "**" if op == "*" and a == b else op if a != Num(0) else ""
                yield from _of_table(kind, a=a, b=b)
                if op == "/":
                    yield from self._of_divisor(a, b)
            case Call(fn, (x, *_)):
                yield from _of_table(fn.value, x=x)

    def others(self, e: Expr) -> Mutations:
        """Other numbers in the place of some, as keys for values."""
        match e:
            case Dot(left, right) | Bin(_, left, right) if left != right:
                for side in ("left", "right"):
                    for key, other in self._instead(getattr(e, side)):
                        yield key, replace(e, **{side: other})
            case Bin(op, one, _):
                yield from ((key, Bin(op, other, other)) for key, other in self._instead(one))
            case Call(_, (one, *rest)):
                for key, other in self._instead(one):
                    yield key, replace(e, args=(other, *rest))

    def _instead(self, one: Expr) -> Iterator[tuple[str, Any]]:
        """What is easily taken for some numbers: those before their last operation, other steps."""
        if not isinstance(one, Area | Ref):
            return
        first = one.cells()[0]
        if (found := self._before(first)) and isinstance(one, Ref):
            yield found
        elif found and found[1] == replace(first, step=found[1].step):
            yield found[0], replace(one, step=found[1].step)
        yield from ((key, replace(one, step=step)) for key, step in self._confused(one))

    def _before(self, ref: Ref) -> tuple[str, Ref] | None:
        """The number of which a computed one is made last, and the slip to stop there."""
        match self.behind(ref):
            case Bin("/", Ref() as before, _):
                return "undivided", before
            case Bin("-", Ref() as before, _):
                return "unsubtracted", before
            case Call(fn, (Ref() as before, *_)) if fn.value in TABLE["skipped"]:
                return TABLE["skipped"][fn.value], before
        return None

    def _confused(self, one: Area | Ref) -> Iterator[tuple[str, str]]:
        trace, place = self.exercise.trace, place_of(one.step)
        before, _, last = one.step.rpartition(".")
        confused = TABLE["confused"].get(last, {})
        others = {f"{before}.{other}": key for other, key in confused.items()}
        if place.head and confused:
            other_heads = (re.sub(r"head[0-9]+", f"head{n}", one.step) for n in (1, 2, 3))
            others |= dict.fromkeys(other_heads, "other_head")
        if place.kind in TABLE["rows"]:
            earlier = takewhile(lambda step: step.name != self.step.name, trace)
            rows = (step.name for step in earlier if place_of(step.name).kind in TABLE["rows"])
            others |= dict.fromkeys(rows, "other_skip")
        for name, key in others.items():
            if name in trace and name != one.step and trace[name].shape == trace[one.step].shape:
                yield key, name

    def behind(self, ref: Ref) -> Expr | None:
        """What a number is computed by, wherever it was copied to; None for a given one."""
        if self.exercise.trace[ref.step].op is GIVEN:
            return None
        e = self.taken(self.exercise.meaning((ref.step, ref.i, ref.j)))
        return self.behind(e) if isinstance(e, Ref) else e

    def _of_divisor(self, a: Expr, b: Expr) -> Mutations:
        if isinstance(b, Num):
            yield "one_less", a / (b.value - 1)
            yield "one_more", a / (b.value + 1)
            return
        yield "square_below", a / (b * b)
        behind = self.behind(b) if isinstance(b, Ref) else None
        if behind is not None:
            yield "by_count", a / self.step.shape[1]
        match behind:
            case Call(Fn.SUM, (Area() as area,)):
                yield "by_largest", a / Fn.MAX(area)
                sums = {key: Fn.SUM(other) for key, other in self._instead(area)}
                yield from ((k, x / sums[k]) for k, x in self._instead(a) if k in sums)
            case Call(Fn.SQRT, (root,)):
                yield "square_below", a / root


SIGNS: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}


def _of_table(kind: str, **names: Expr) -> Mutations:
    """The slips of a sign or a function, from the table."""
    for key, texts in TABLE["instead"].get(kind, {}).items():
        yield from ((key, _made(_parsed(text), names)) for text in texts)


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _made(node: ast.expr, names: Mapping[str, Expr]) -> Expr:
    """What is written in the table, over these expressions."""
    match node:
        case ast.BinOp(left, sign, right):
            return Bin(SIGNS[type(sign)], _made(left, names), _made(right, names))
        case ast.Call(ast.Name(function), args):
            return Call(Fn(function), tuple(_made(one, names) for one in args))
        case ast.Constant(value):
            return Num(float(str(value)))
    return names[ast.unparse(node)]
