"""A sheet's exercise as it goes on paper: what has a box of its own is read from there.

In the computation σ² is made of r and μ, on sheet 5 of the squares that pupils write into boxes;
the parts of a head's output have boxes on sheet slide. Both are the same number, but a slip in such
a box must cost that box alone. So where a cell's expression holds another asked cell's, that cell
stands in its place: the meaning stays one, only the way to it is the sheet's.
"""

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import Final

from generator.checks.exercise import Exercise, gathered
from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round, total
from generator.engine.step import GIVEN, Cell
from generator.engine.trace import Trace

NOISE: Final = 1e-9


class OnPaper(Exercise):
    """An exercise in which asked cells are computed from the asked parts of them."""

    def __init__(self, trace: Trace, asked: Collection[Cell]) -> None:
        self._meanings: dict[Cell, Expr] = {}
        super().__init__(trace, asked)

    def meaning(self, name: str, i: int, j: int) -> Expr:
        """What a computed cell is, by way of the boxes that the sheet has for parts of it."""
        cell = name, i, j
        if cell not in self._meanings:
            meaning = super().meaning(*cell)
            self._meanings[cell] = self._by_parts(meaning) if cell in self.asked else meaning
        return self._meanings[cell]

    @cached_property
    def _boxes(self) -> dict[Expr, Ref]:
        """The asked cells by what they are, as far as that may be a part of something."""
        boxes: dict[Expr, Ref] = {}
        for cell in sorted(self.asked):
            step = self.trace[cell[0]]
            if step.text or step.op is GIVEN:
                continue
            inner = self._unrounded(Ref(*cell))
            if isinstance(inner, Bin):
                boxes.setdefault(self._behind_copies(inner), Ref(*cell))
        return boxes

    def _unrounded(self, box: Ref) -> Expr | None:
        """What a cell is before it is rounded; None where rounding leaves out some of it."""
        whole = self.trace.cell(box.step, box.i, box.j)
        inner = whole.inner if isinstance(whole, Round) else whole
        right = float(self.trace[box.step].values[box.i, box.j])
        return inner if abs(float(evaluate(inner, self.trace.values)) - right) <= NOISE else None

    def _behind_copies(self, e: Expr) -> Expr:
        """The expression with each number that is only copied read from where it stands first."""
        match e:
            case Bin(_, left, right):
                left, right = self._behind_copies(left), self._behind_copies(right)
                return replace(e, left=left, right=right)
            case Ref() if (e.step, e.i, e.j) not in self.asked:
                step = self.trace[e.step]
                if step.op is not GIVEN and not step.text:
                    original = self._unrounded(e)
                    return self._behind_copies(original) if isinstance(original, Ref) else e
        return e

    def _by_parts(self, e: Expr) -> Expr:
        """The expression with a box in the place of each part that has one; not for the whole."""
        match e:
            case Round(inner, _):
                return replace(e, inner=self._by_parts(inner))
            case Bin(_, left, right):
                return replace(e, left=self._part(left), right=self._part(right))
            case If(_, yes, no):
                return replace(e, yes=self._by_parts(yes), no=self._by_parts(no))
            case Dot(left, right):
                pairs = zip(left.cells(), right.cells(), strict=True)
                return self._summed(e, [Bin("*", a, b) for a, b in pairs])
            case Call(Fn.SQUARES, (Area() as area, middle)):
                return self._of_squares(e, area, middle)
            case Call(_, args):
                return replace(e, args=tuple(map(self._part, args)))
        return e

    def _part(self, e: Expr) -> Expr:
        return self._boxes.get(self._behind_copies(e)) or self._by_parts(e)

    def _of_squares(self, e: Expr, area: Area, middle: Expr) -> Expr:
        """Σ (x − m)² from the boxes of the squares, else from those of the differences."""
        bases: list[Expr] = list(area.cells())
        if middle != Num(0):
            bases = [self._part(Bin("-", x, middle)) for x in bases]
        summed = self._summed(e, [Bin("*", x, x) for x in bases])
        rows = _run(bases)
        if summed is e and middle != Num(0) and rows is not None:
            return Call(Fn.SQUARES, (rows, Num(0)))
        return summed

    def _summed(self, e: Expr, terms: list[Bin]) -> Expr:
        """The sum of terms of which some have boxes; the expression itself where none has."""
        found = [self._part(term) for term in terms]
        if not any(isinstance(one, Ref) for one in found):
            return e
        row = _run(found)
        return Call(Fn.SUM, (row,)) if row is not None else total(found)


def _run(cells: Collection[Expr]) -> Area | None:
    """The cells as one area, where they are nothing else."""
    refs = [(one.step, one.i, one.j) for one in cells if isinstance(one, Ref)]
    areas = gathered(refs)
    return areas[0] if len(refs) == len(cells) and len(areas) == 1 else None
