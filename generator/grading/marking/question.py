"""One sheet's task as it is marked: the cells with a box, what each is, and what is right.

Also here:

* What a pupil meant by what was typed: a number, a word, or nothing that can be read.
* A sheet's exercise as it goes on paper: what has a box of its own is read from there.

In the computation σ² is made of r and μ, on sheet 5 of the squares that pupils write into boxes;
the parts of a head's output have boxes on sheet slide. Both are the same number, but a slip in such
a box must cost that box alone. So where a cell's expression holds another asked cell's, that cell
stands in its place: the meaning stays one, only the way to it is the sheet's.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from generator.checks.exercise import Exercise, cells_read, found_in, gathered
from generator.checks.verdict import GATE, RIGHT, TOLERANCE, compared, unit, verdict
from generator.classroom.desk.key_rows import REPEATED, order_of
from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Call, Dot, Expr, Fn, If, Num, Ref, Round, Text, total
from generator.engine.fitness import PREFIX
from generator.engine.ops.attention import RowShare
from generator.engine.ops.sampling import TO, Cumulative, TwoDigits
from generator.engine.rounding import guarded_number
from generator.engine.step import GIVEN, Cell
from generator.engine.trace import Step, Trace
from generator.grading.marking.scheme import USUAL, Scheme
from generator.grading.reading.entries import Number
from generator.insight.output_layer import TICK
from generator.notation.shown import shown_decimals
from generator.plans.workbook import WorkbookPlan
from generator.render.workbook.reading.read_back import to_number
from generator.sheets.plan import Plan
from generator.typed import is_fraction

Row = tuple[str, int]
NOISE: Final = 1e-9
PERCENT: Final = 100.0
HALF: Final = 0.5
SEPARATORS: Final = str.maketrans("|·/", "   ")  # pupils put them between pieces of a word
CHANCES: Final = ("chance", "probability")  # shares that a sheet copies


def is_tick(step: Step) -> bool:
    """Whether the cells of a step are ticked or left empty."""
    return step.text and set(step.values.ravel().tolist()) <= {TICK, ""}


def blank(typed: object) -> bool:
    """Whether a cell holds nothing."""
    return typed is None or (isinstance(typed, str) and not typed.strip())


@dataclass(frozen=True, eq=False)
class AskedBox:
    """One cell that a question asks for: what it is made from, and what is right in it."""

    question: "Question"
    cell: Cell

    @cached_property
    def step(self) -> Step:
        """The step of the cell."""
        return self.question.trace[self.cell[0]]

    @cached_property
    def right(self) -> Number:
        """The right content."""
        value = self.step.values[self.cell[1:]]
        return str(value) if self.step.text else float(value)

    @cached_property
    def decimals(self) -> int:
        """How many decimals the step shows."""
        return shown_decimals(self.step)

    @cached_property
    def slack(self) -> float:
        """By how much a number may differ from the right one."""
        return self.question.scheme.tolerance * self.unit

    @cached_property
    def unit(self) -> float:
        """One unit of the last decimal; 0 where the number is copied or whole."""
        return unit(self.step)

    @property
    def is_computed(self) -> bool:
        """Whether the cell has an expression; what is read off or chosen in words has none."""
        return self.step.op is not GIVEN

    @property
    def is_copied(self) -> bool:
        """Whether the cell repeats another number as it is."""
        return self.is_computed and isinstance(self.meaning, Ref)

    @property
    def is_share(self) -> bool:
        """Whether its number is a share of 1, so that somebody may write per cent."""
        share = isinstance(self.step.op, RowShare | Cumulative)
        return share or self.step.name.endswith(CHANCES)

    @cached_property
    def meaning(self) -> Expr:
        """What the computed cell is."""
        return self.question.exercise.meaning(self.cell)

    @cached_property
    def lacking(self) -> Expr | None:
        """How many entries and results it lacks, by the workbook's own count."""
        return self.question.exercise.guard(self.cell) if self.is_computed else None

    @cached_property
    def verdict(self) -> Expr:
        """What the workbook's verdict on an entry is."""
        return verdict(self.question.exercise, self.cell, Ref(GATE, 0, 0))

    @cached_property
    def rests_on(self) -> frozenset[Cell]:
        """The asked cells that it is made from; none where it is not computed."""
        return self.question.exercise.rests_on(self.cell) if self.is_computed else frozenset()

    def same(self, entered: Number, expected: Number) -> bool:
        """Whether a content counts as the expected one, by the workbook's own comparison."""
        if isinstance(entered, str) != isinstance(expected, str):
            return False
        right = Text(expected) if isinstance(expected, str) else Num(expected)
        here = {
            TOLERANCE: np.array([[float(self.question.scheme.tolerance)]]),
            self.step.name: np.full(self.step.shape, entered, dtype=object),
        }
        verdict = evaluate(compared(self.step, self.cell, right), here.__getitem__)
        return int(float(verdict)) == RIGHT

    def is_right(self, entered: Number) -> bool:
        """Whether a content counts as the right one."""
        return self.same(entered, self.right)

    def read(self, typed: Number) -> Number | None:
        """The entry as a number or a text; None where it cannot be read without guessing.

        "0,35", "0.35", " 35 % " are numbers. A text is taken without the spaces around it, a number
        in place of a text as its digits, with the zeros in front that the right one has. In a place
        for a tick any sign is one.
        """
        if not self.step.text:
            number = to_number(typed)
            fraction = isinstance(typed, str) and is_fraction(typed)
            return guarded_number(number, self.decimals) if number and fraction else number
        if is_tick(self.step):
            return TICK
        if isinstance(self.step.op, TwoDigits) and isinstance(typed, str):
            ends = (number.zfill(2) for number in re.findall("[0-9]+", typed))
            return TO.join(dict.fromkeys(ends)) or TO
        text, right = f"{typed:g}" if isinstance(typed, float | int) else typed, str(self.right)
        if " " in right:
            text = text.translate(SEPARATORS)
        text = " ".join(text.split())
        return text.zfill(len(right)) if text.isdigit() and right.isdigit() else text


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
        scheme: Scheme = USUAL,
        before: Iterable[Cell] = (),
    ) -> None:
        self.name = name
        self.plan = plan
        self.scheme = scheme
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
        self.boxes = {cell: AskedBox(self, cell) for cell in (*self.before, *self.cells)}
        self.exercise = (Exercise if in_cells else OnPaper)(self.trace, self.boxes.keys())

    def read(self, typed: Mapping[Cell, Number]) -> dict[Cell, Number]:
        """The entries that can be read."""
        there = {cell: entry for cell, entry in typed.items() if not blank(entry)}
        numbers = {cell: self.boxes[cell].read(entry) for cell, entry in there.items()}
        return {cell: number for cell, number in numbers.items() if number is not None}

    @cached_property
    def rows(self) -> Mapping[Row, list[AskedBox]]:
        """The asked cells by the row of the step that they stand in."""
        boxes_of: dict[Row, list[AskedBox]] = {}
        for cell in self.cells:
            boxes_of.setdefault(cell[:2], []).append(self.boxes[cell])
        return boxes_of

    def numbers(self, entries: Mapping[Cell, Number]) -> "PaperNumbers":
        """All numbers as they follow from these entries."""
        known = {cell: value for cell, value in entries.items() if cell in self.boxes}
        arrays = self.exercise.filled(known)
        arrays[TOLERANCE] = np.array([[float(self.scheme.tolerance)]])
        arrays[GATE] = np.ones((1, 1))
        return PaperNumbers(self, arrays)

    @cached_property
    def all_right(self) -> "PaperNumbers":
        """All numbers where every entry is right."""
        return self.numbers({cell: box.right for cell, box in self.boxes.items()})


class PaperNumbers:
    """All numbers of a question as they follow from some entries; the others are the Trace's."""

    def __init__(self, question: Question, arrays: Mapping[str, np.ndarray]) -> None:
        self.question = question
        self.arrays = arrays

    def look(self, name: str) -> np.ndarray:
        """A step's array, as `evaluate` asks for it."""
        return found_in(self.arrays, self.question.trace, name)

    def is_right(self, box: AskedBox) -> bool:
        """Whether the workbook's verdict on an entry is "right", over those before it."""
        return int(float(evaluate(box.verdict, self.look))) == RIGHT

    def lacks(self, box: AskedBox) -> bool:
        """Whether a number that a cell is computed from is missing."""
        return box.lacking is not None and float(evaluate(box.lacking, self.look)) > 0

    def value(self, box: AskedBox) -> Number | None:
        """What a cell should hold with these numbers; None where they lead to nothing."""
        return self.computed(box.meaning) if box.is_computed else None

    def unrounded(self, box: AskedBox) -> tuple[float, float]:
        """What follows for a computed box with all its digits, and what those before may change.

        That is, digits of entries, of what follows from them, and of √d_k that nobody wrote down.
        """
        exercise, e = self.question.exercise, box.meaning
        whole = self.computed(e := e.inner if isinstance(e, Round) else e)
        if not isinstance(whole, float):
            return math.inf, 0.0
        room = HALF * 10.0**-box.decimals
        for cell in cells_read(e):
            name, step = cell[0], exercise.trace[cell[0]]
            cut = exercise.hides(*cell) and (unit(step) or cell not in exercise.asked)
            if not step.text and (cut or name == "scale"):
                array = self.look(name).copy()
                array[cell[1:]] += HALF * 10.0 ** -shown_decimals(step)
                changed = PaperNumbers(self.question, {**self.arrays, name: array}).computed(e)
                room += abs(changed - whole) if isinstance(changed, float) else 0.0
        return whole, room

    def computed(self, expression: Expr) -> Number | None:
        """The value of an expression; None where an entry is missing or no number."""
        try:
            value = evaluate(expression, self.look)
        except (ArithmeticError, ValueError, TypeError, IndexError):
            return None
        if isinstance(value, str):
            return value or None
        return float(value) if np.isfinite(value) else None


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

    def _find_waiting(self) -> Iterator[Cell]:
        """All but what a box takes over or crosses out: that is read where the sheet prints it.

        So h before the ReLU, which nobody computes anew from an own y.
        """
        beside = set[Cell]()
        for cell in self.asked:
            match self.trace.cell(*cell) if self.trace[cell[0]].op is not GIVEN else None:
                case Round(Call(Fn.MAX, (Ref(step, i, j), Num()))):
                    beside.add((step, i, j))
        for name, i, j in super()._find_waiting():
            if (name, i, j) in beside:
                self._hidden[name][i, j] = False
            else:
                yield name, i, j

    def _twin(self, cell: Cell) -> Cell | None:
        """A power under the mask is the one that the pupil brings from before it, where it counts.

        With its maximum subtracted it is another number.
        """
        name, i, j = cell
        at, free = name.removesuffix(".exp"), (PREFIX + name, i, j)
        if free in self.asked and at != name and f"{at}.shifted" not in self.trace:
            return free if np.isfinite(self.trace[f"{at}.masked"].values[i, j]) else None
        return super()._twin(cell)

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
