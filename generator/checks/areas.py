"""Which cells an expression reads, and cells gathered into rectangles."""

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import assert_never

from generator.engine.expr import Area, Bin, Call, Dot, Expr, If, Num, Ref, Round, Text
from generator.engine.step import Cell


def read_by(expression: Expr) -> Iterator[Ref | Area]:
    """The cells and areas that an expression reads, in writing order; both sides of an If."""
    match expression:
        case Ref() | Area():
            yield expression
        case Num() | Text():
            return
        case Dot(left, right):
            yield from (left, right)
        case Bin(_, left_side, right_side):
            yield from read_by(left_side)
            yield from read_by(right_side)
        case If(condition, yes, no):
            for part in (condition, yes, no):
                yield from read_by(part)
        case Call(_, args):
            for arg in args:
                yield from read_by(arg)
        case Round(inner, _):
            yield from read_by(inner)
        case _:
            assert_never(expression)


def gathered(cells: Collection[Cell]) -> tuple[Area, ...]:
    """The cells as few rectangles: runs along the rows, equal runs below each other joined."""
    areas: list[Area] = []
    for step, i, first, stop in _runs(cells):
        same = (
            k for k, a in enumerate(areas) if (a.step, a.r1, a.c0, a.c1) == (step, i, first, stop)
        )
        above = next(same, None)
        if above is None:
            areas.append(Area(step, i, i + 1, first, stop))
        else:
            areas[above] = Area(step, areas[above].r0, i + 1, first, stop)
    return tuple(areas)


def _runs(cells: Collection[Cell]) -> Iterator[tuple[str, int, int, int]]:
    """Step, row, first and last column (half open) of each run of neighbours in a row."""
    ordered = sorted(enumerate(sorted(cells)), key=lambda pair: pair[0])
    for _, group in groupby(ordered, key=lambda pair: (pair[1][:2], pair[1][2] - pair[0])):
        run = [cell for _, cell in group]
        step, i, first = run[0]
        yield step, i, first, run[-1][2] + 1
