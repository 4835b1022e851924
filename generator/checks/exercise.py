"""An exercise over a Trace: which cells are asked, which wait for them, and what each cell is.

Also here:

* One right answer of an answer key.
* Which cells an expression reads, and cells gathered into rectangles.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np

from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Bin, Expr, Fn, If, Num, Ref, Text, inside, total
from generator.engine.ops.linear import MatMulT
from generator.engine.place import place_of
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace

OPEN = "check.open"  # how many of all asked cells are blank
BLANK = Text("")
NEUTRAL = -10.0


class Exercise:
    """A Trace of which some computed cells are asked; with none it is a solution, and hides none.

    `waiting` are the computed cells that nobody is asked for but that depend on asked ones, or
    would tell them, in order of computation. `hidden` are both: their numbers in the Trace are
    never looked at.
    """

    def __init__(self, trace: Trace, asked: Collection[Cell]) -> None:
        self.trace = trace
        self.asked = frozenset(asked)
        self._hidden = {name: np.zeros(trace[name].shape, bool) for name, _, _ in self.asked}
        for name, i, j in self.asked:
            self._hidden[name][i, j] = True
        self.waiting = tuple(self._find_waiting())
        self._rests_on: dict[Cell, frozenset[Cell]] = {}

    @property
    def hidden(self) -> frozenset[Cell]:
        """The cells whose numbers a pupil has to find: asked ones and waiting ones."""
        return self.asked.union(self.waiting)

    @property
    def steps(self) -> Set[str]:
        """The steps of which at least one cell is hidden."""
        return self._hidden.keys()

    def hides(self, name: str, i: int, j: int) -> bool:
        """Whether a cell is asked or waiting."""
        return name in self._hidden and bool(self._hidden[name][i, j])

    def meaning(self, cell: Cell) -> Expr:
        """What a computed cell is.

        A cell that is by its structure the same number as an asked one repeats it, for computed
        on its own it would tell the answer.
        """
        twin = self._twin(cell)
        return Ref(*twin) if twin else self.trace.cell(*cell)

    def guard(self, cell: Cell) -> Expr | None:
        """How many entries and results a hidden cell still lacks; None where it lacks nothing."""
        inputs = self._inputs(self.meaning(cell))
        asked = inputs & self.asked
        words = {one for one in asked if self.trace[one[0]].text}
        terms: list[Expr] = []
        if numbers := asked - words:
            there = Fn.COUNT_NUMBERS(*gathered(numbers))
            terms.append(Num(len(numbers)) - there)
        if empty := (inputs - asked) | words:
            terms.append(Fn.COUNT_BLANK(*gathered(empty)))
        if later(cell[0]):
            terms.append(Ref(OPEN, 0, 0))
        return total(terms) if terms else None

    def rests_on(self, cell: Cell) -> frozenset[Cell]:
        """The asked cells that a hidden cell is computed from, also by way of waiting ones."""
        if cell not in self._rests_on:  # else each way through the layers would be walked anew
            cells_read = self._inputs(self.meaning(cell))
            behind = map(self.rests_on, cells_read - self.asked)
            self._rests_on[cell] = frozenset(cells_read & self.asked).union(*behind)
        return self._rests_on[cell]

    def shown(self, cell: Cell) -> Expr:
        """What a waiting cell shows: nothing, until what it needs is there."""
        result = Fn.IF_ERROR(self.meaning(cell), BLANK)
        lacking = self.guard(cell)
        return If(Bin(">", lacking, Num(0)), BLANK, result) if lacking else result

    def filled(self, entries: Mapping[Cell, object]) -> dict[str, np.ndarray]:
        """The arrays that differ from the Trace's: entries, and what follows from them.

        A blank cell holds "", also one that waits in vain. Entries are numbers or texts.
        """
        arrays = {
            name: np.where(mask, BLANK.value, self.trace[name].values.astype(object))
            for name, mask in self._hidden.items()
        }
        for (name, i, j), value in entries.items():
            arrays[name][i, j] = _typed(value)
        blank = sum(arrays[name][i, j] == "" for name, i, j in self.asked)
        arrays[OPEN] = np.array([[float(blank)]])
        for (name, i, j), expression in self._shown:
            arrays[name][i, j] = evaluate(expression, lambda x: found_in(arrays, self.trace, x))
        return arrays

    @cached_property
    def _shown(self) -> Sequence[tuple[Cell, Expr]]:
        """What each waiting cell shows; many papers may be looked through."""
        return [(cell, self.shown(cell)) for cell in self.waiting]

    def without_numbers(self) -> Trace:
        """The Trace with a neutral content in every hidden cell, and in labels made of them.

        What is rendered from it cannot tell anything about the hidden numbers.
        """
        if not self.asked:
            return self.trace
        return self.trace.with_steps(map(self._bare, self.trace))

    def _bare(self, step: Step) -> Step:
        mask = self._hidden.get(step.name)
        rows, columns = self._bare_labels(step.rows), self._bare_labels(step.columns)
        if later(step.name):
            step = step._replace(rows=rows, columns=columns)
        if mask is None:
            return step
        values = np.where(mask, BLANK.value if step.text else NEUTRAL, step.values)
        values = values.astype(step.values.dtype)
        values.setflags(write=False)
        return step._replace(values=values)

    def _bare_labels(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """Labels of a later round: no token, for all of its cells wait, the first words too."""
        tokens = self.trace.tokens
        return ("",) * len(labels) if labels[: len(tokens)] == tokens else labels

    # Finding what waits -------------------------------------------------------------------------

    def _find_waiting(self) -> Iterator[Cell]:
        if not self.asked:
            return
        for step in self.trace:
            touched = step.name in self._hidden or any(x in self._hidden for x in step.inputs)
            wholly = later(step.name)
            concerned = touched or wholly or step.name == "output.all.logits"
            if step.kind == "given" or not concerned:
                continue
            for i, j in np.ndindex(step.shape):
                if self.hides(step.name, i, j):
                    continue
                if wholly or any(map(self._touches, read_by(self.meaning((step.name, i, j))))):
                    mask = self._hidden.setdefault(step.name, np.zeros(step.shape, bool))
                    mask[i, j] = True
                    yield step.name, i, j

    def _touches(self, read: Ref | Area) -> bool:
        mask = self._hidden.get(read.step)
        if mask is None:
            return False
        if isinstance(read, Ref):
            return bool(mask[read.i, read.j])
        return bool(mask[read.r0 : read.r1, read.c0 : read.c1].any())

    def _inputs(self, expression: Expr) -> set[Cell]:
        """The hidden cells that an expression reads."""
        return {cell for cell in cells_read(expression) if self.hides(*cell)}

    def _twin(self, cell: Cell) -> Cell | None:
        """The asked cell that is always the same number as this one, which is not asked."""
        if cell in self.asked:
            return None
        name, i, j = cell
        step, twin = self.trace[name], None
        if isinstance(step.op, MatMulT) and step.inputs[0] == step.inputs[1]:
            twin = (name, j, i)  # x · y = y · x
        elif name == "output.all.logits" and i == step.shape[0] - 1:
            twin = ("output.logits", 0, j)  # the last token's
        return twin if twin in self.asked else None


def later(name: str) -> bool:
    """Whether a step belongs to a round after the first: it opens when all cells are filled."""
    return place_of(name).round > 1


def found_in(arrays: Mapping[str, np.ndarray], trace: Trace, name: str) -> np.ndarray:
    """The array [rows, columns] of that name among those that differ, otherwise the Trace's."""
    return arrays[name] if name in arrays else trace[name].values


def _typed(value: object) -> object:
    """An entry as a cell holds it: a number, or a text; a truth value is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "" if value is None else str(value)
    return float(value)


class Answer(NamedTuple):
    """One asked cell: whose, on which sheet, where, what is right and by how much it may differ.

    `title` is how the teacher's language calls the step; `row` and `column` are its labels, such as
    "Katze" and "q1". `decimals` and `tolerance`, one unit of the last decimal, are those of the
    paper; a text has neither.
    """

    code: str
    key: str
    sheet: str
    step: str
    title: str
    row: str
    column: str
    value: float | str
    decimals: int | None
    tolerance: float | None


def read_by(expression: Expr) -> Iterator[Ref | Area]:
    """The cells and areas that an expression reads, in writing order; both sides of an If."""
    return (node for node in inside(expression) if isinstance(node, Ref | Area))


def cells_read(expression: Expr) -> Iterator[Cell]:
    """Each cell that an expression reads, in writing order."""
    return ((one.step, one.i, one.j) for read in read_by(expression) for one in read.cells())


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
