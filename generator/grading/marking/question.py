"""One sheet's task as it is marked: the cells with a box, what each is, and what is right.

Also here:

* Where a sheet explains a step: the heading above the first number of its kind.
* A sheet's exercise as it goes on paper: what has a box of its own is read from there.

In the computation σ² is made of r and μ, on sheet 5 of the squares that pupils write into boxes;
the parts of a head's output have boxes on sheet slide. Both are the same number, but a slip in such
a box must cost that box alone. So where a cell's expression holds another asked cell's, that cell
stands in its place: the meaning stays one, only the way to it is the sheet's.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from generator.checks.exercise import Exercise, found_in, gathered
from generator.checks.verdict import GATE, RIGHT, TOLERANCE, compared, verdict
from generator.classroom.desk.key_rows import REPEATED, order_of
from generator.engine.evaluate import evaluate
from generator.engine.expr import (
    Area,
    Bin,
    Call,
    Dot,
    Expr,
    Fn,
    If,
    Num,
    Ref,
    Round,
    Text,
    Value,
    total,
)
from generator.engine.step import GIVEN, Cell
from generator.engine.trace import Step, Trace
from generator.grading.reading.meant import Number, blank, read
from generator.plans.workbook import WorkbookPlan
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.page_tree import parsed
from generator.sheets.plan import Plan

Row = tuple[str, int]


class Question:
    """The cells that a sheet asks over a Trace, in the order in which they are computed.

    What is right, carried on or within the tolerance is asked of the expressions of which the
    workbook's own verdict is made (`checks.verdict`). `before` are cells that pupils bring from
    earlier sheets: their own numbers count like entries, but are marked there.
    """

    def __init__(
        self,
        name: str,
        trace: Trace,
        plan: Plan | WorkbookPlan,
        tolerance: float = 1,
        before: Iterable[Cell] = (),
    ) -> None:
        self.name = name
        self.plan = plan
        self.tolerance = tolerance
        # With what only the sheet shows; what is made from nothing here counts as given.
        whole = trace.with_steps(plan.extra)
        self.trace = whole.with_steps(
            one if whole.steps.keys() >= set(one.inputs) else one._replace(op=GIVEN, inputs=())
            for one in plan.extra
        )
        order = order_of(trace, plan.extra)
        in_cells = isinstance(plan, WorkbookPlan)  # whose verdicts read what its formulas read
        boxes = [cell for cell in plan.asked if in_cells or not REPEATED.fullmatch(cell[0])]
        self.cells = tuple(sorted(boxes, key=lambda c: (order[c[0]], c[1], c[2])))
        self.before = tuple(cell for cell in before if cell not in self.cells)
        asked = {*self.cells, *self.before}
        self.exercise = (Exercise if in_cells else OnPaper)(self.trace, asked)
        self._verdicts: dict[Cell, Expr] = {}

    def step(self, cell: Cell) -> Step:
        """The step of a cell."""
        return self.trace[cell[0]]

    def right(self, cell: Cell) -> Number:
        """The right content of a cell."""
        value = self.step(cell).values[cell[1], cell[2]]
        return str(value) if self.step(cell).text else float(value)

    def is_computed(self, cell: Cell) -> bool:
        """Whether a cell has an expression; what is read off or chosen in words has none."""
        return self.step(cell).op is not GIVEN

    def is_copied(self, cell: Cell) -> bool:
        """Whether a computed cell repeats another number as it is."""
        return isinstance(self.exercise.meaning(cell), Ref)

    def read(self, typed: Mapping[Cell, Number]) -> dict[Cell, Number]:
        """The entries that can be read."""
        there = {cell: entry for cell, entry in typed.items() if not blank(entry)}
        numbers = {c: read(self.step(c), self.right(c), entry) for c, entry in there.items()}
        return {cell: number for cell, number in numbers.items() if number is not None}

    @cached_property
    def rows(self) -> Mapping[Row, tuple[Cell, ...]]:
        """The asked cells by the row of the step that they stand in."""
        cells_of: dict[Row, list[Cell]] = {}
        for cell in self.cells:
            cells_of.setdefault(cell[:2], []).append(cell)
        return {row: tuple(cells) for row, cells in cells_of.items()}

    @cached_property
    def rests_on(self) -> Mapping[Cell, frozenset[Cell]]:
        """The asked cells that each computed cell is made from."""
        computed = filter(self.is_computed, self.cells)
        return {cell: self.exercise.rests_on(cell) for cell in computed}

    def numbers(self, entries: Mapping[Cell, Number]) -> "PaperNumbers":
        """All numbers as they follow from these entries."""
        known = {cell: value for cell, value in entries.items() if cell in self.exercise.asked}
        arrays = self.exercise.filled(known)
        arrays[TOLERANCE] = np.array([[float(self.tolerance)]])
        arrays[GATE] = np.ones((1, 1))
        return PaperNumbers(self, arrays)

    @cached_property
    def all_right(self) -> "PaperNumbers":
        """All numbers where every entry is right."""
        return self.numbers({cell: self.right(cell) for cell in (*self.before, *self.cells)})

    def verdict(self, cell: Cell) -> Expr:
        """What the workbook's verdict on an entry is."""
        if cell not in self._verdicts:
            self._verdicts[cell] = verdict(self.exercise, cell, Ref(GATE, 0, 0))
        return self._verdicts[cell]

    def same(self, cell: Cell, entered: Number, expected: Number) -> bool:
        """Whether a content counts as the expected one, by the workbook's own comparison."""
        if isinstance(entered, str) != isinstance(expected, str):
            return False
        step = self.step(cell)
        right = Text(expected) if isinstance(expected, str) else Num(expected)
        here = {
            TOLERANCE: np.array([[float(self.tolerance)]]),
            cell[0]: np.full(step.shape, entered, dtype=object),
        }
        return int(float(evaluate(compared(step, cell, right), here.__getitem__))) == RIGHT


class PaperNumbers(NamedTuple):
    """All numbers of a question as they follow from some entries; the others are the Trace's."""

    question: Question
    arrays: Mapping[str, np.ndarray]

    def look(self, name: str) -> np.ndarray:
        """A step's array, as `evaluate` asks for it."""
        return found_in(self.arrays, self.question.trace, name)

    def verdict(self, cell: Cell) -> int:
        """The verdict of the workbook on an entry, over the entries that it is made from."""
        return int(float(evaluate(self.question.verdict(cell), self.look)))

    def lacks(self, cell: Cell) -> bool:
        """Whether a number that a cell is computed from is missing, by the workbook's own count."""
        question = self.question
        lacking = question.exercise.guard(cell) if question.is_computed(cell) else None
        return lacking is not None and float(evaluate(lacking, self.look)) > 0

    def value(self, cell: Cell) -> Number | None:
        """What a cell should hold with these numbers; None where they lead to nothing."""
        if not self.question.is_computed(cell):
            return None
        return self.computed(self.question.exercise.meaning(cell))

    def computed(self, expression: Expr) -> Number | None:
        """The value of an expression; None where an entry is missing or no number."""
        try:
            value: Value = evaluate(expression, self.look)
        except (ArithmeticError, ValueError, TypeError, IndexError):
            return None
        if isinstance(value, str):
            return value or None
        return float(value) if np.isfinite(value) else None


_DIGITS = "0123456789"


def sections_of(sheet: PrintedSheet) -> dict[str, str]:
    """The heading for each kind of step (its last name) that the sheet shows, as it is printed."""
    html = sheet.page(blank=True)
    headings: dict[str, str] = {}
    heading = ""
    for element in parsed(html).iter("*"):
        if element.tag == "h2":
            heading = " ".join("".join(element.xpath(".//text()[not(ancestor::svg)]")).split())
        elif element.get("data-cell"):
            headings.setdefault(kind(element.get("data-cell").partition("|")[0]), heading)
    return headings


def kind(step: str) -> str:
    """The last name of a step, which its worked example shares: "scores", "deviation".

    Those of the output layer are told from those of a head, as "output.exp".
    """
    before, _, last = step.rpartition(".")
    layer = "output." if before.rpartition(".")[2] == "output" else ""
    return layer + last.rstrip(_DIGITS)


NOISE: Final = 1e-9


class OnPaper(Exercise):
    """An exercise in which asked cells are computed from the asked parts of them."""

    def __init__(self, trace: Trace, asked: Collection[Cell]) -> None:
        self._meanings: dict[Cell, Expr] = {}
        super().__init__(trace, asked)

    def meaning(self, cell: Cell) -> Expr:
        """What a computed cell is, by way of the boxes that the sheet has for parts of it."""
        if cell not in self._meanings:
            meaning = super().meaning(cell)
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
