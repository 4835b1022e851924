"""The marking rule: what counts as right, carried on, misplaced or wrong; one rule for all sheets.

A cell earns credit for the right value; else for the value that follows from the pupil's own
earlier entries; else for the value that follows from these with the right value wherever one is
blank, or with what follows there for a blank or wrong one. All ask the expression of which the
workbook's verdict column is made.

Also here:

* Numbers worked on box by box: what follows for each from what was kept for those before it.
* Right numbers in the wrong boxes: two exchanged, a row moved along, another row's numbers.
* How the credit of a cell came about; the rule itself stands in `rule`.
* Finds entries that leave nothing to compute, such as zeros everywhere, and so earn no credit.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from generator.checks.exercise import read_by
from generator.checks.verdict import RIGHT, unit
from generator.classroom.numbers.fairness import LEAST_SHARE
from generator.engine.expr import Area, Ref
from generator.engine.step import Cell
from generator.grading.marking.question import Question, computed_as
from generator.grading.reading.meant import PERCENT, Number, blank, is_share, is_tick, read

Arrays = Mapping[str, np.ndarray]


class Paper:
    """The entries of one pupil to one question, read and continued.

    `own` are all numbers as they follow from the entries; `filled` the same with the right value
    in each blank or unreadable cell.
    """

    def __init__(self, question: Question, typed: Mapping[Cell, Number]) -> None:
        self.question = question
        self.typed = {c: typed[c] for c in question.cells if not blank(typed.get(c))}
        self.earlier = _read(question, question.before, typed)
        self.values = _read(question, question.cells, self.typed) | self._unticked()
        self._continue()
        self.percent = self._as_percent()
        if self.percent:
            self.values |= self.percent
            self._continue()
        self.guard(self._goes_on)

    def _unticked(self) -> dict[Cell, Number]:
        """An empty place counts as an answer where somebody ticked others of the row."""
        rows = self.question.rows.values()
        ticked = [cells for cells in rows if is_tick(self.question.step(cells[0]))]
        begun = [cells for cells in ticked if any(cell in self.typed for cell in cells)]
        return {cell: "" for cells in begun for cell in cells if cell not in self.typed}

    def _continue(self) -> None:
        question = self.question
        known = self.earlier | self.values
        asked = (*question.before, *question.cells)
        missing = {cell: question.right(cell) for cell in asked if cell not in known}
        self.own = question.arrays(known)
        self.filled = question.arrays(known | missing) if missing else self.own

    def follows(self, cell: Cell) -> Number | None:
        """What a cell should hold with the pupil's own numbers, and right ones for blanks."""
        question = self.question
        whole = self.filled is self.own or not question.lacks(cell, self.own)
        value = question.value(cell, self.own) if whole else None
        return question.value(cell, self.filled) if value is None else value

    def guard(self, follows: Callable[[Cell], bool]) -> None:
        """Find the entries with which there is nothing to compute; see `guard.idle`."""
        self.idle = idle(self.question, self.values, follows)
        self.constant = constant(self.question, self.values, self.idle, follows)

    def _goes_on(self, cell: Cell) -> bool:
        """Whether an entry is what the pupil's own entries before it lead to."""
        return cell in self.values and _carried(self, cell) in GOES_ON

    def _as_percent(self) -> dict[Cell, Number]:
        """Shares written as per cent without the sign: read so where nothing else is right."""
        question = self.question
        shares: dict[Cell, Number] = {}
        for cell, value in self.values.items():
            if not is_share(question.step(cell)) or isinstance(value, str) or value <= 1:
                continue
            share = value / PERCENT
            expected = (question.right(cell), self.follows(cell))
            if any(one is not None and question.same(cell, share, one) for one in expected):
                shares[cell] = share
        return shares


def _read(
    question: Question, cells: Iterable[Cell], typed: Mapping[Cell, Number]
) -> dict[Cell, Number]:
    """The entries that can be read."""
    numbers: dict[Cell, Number] = {}
    for cell in cells:
        if not blank(typed.get(cell)):
            value = read(question.step(cell), question.right(cell), typed[cell])
            if value is not None:
                numbers[cell] = value
    return numbers


class How(StrEnum):
    """Why a cell has its credit or has none, in the words of grading.xlsx and decisions.toml."""

    ORIGINAL = "original"  # the right value
    CARRIED = "carried"  # right with the pupil's own earlier entries
    FILLED = "filled"  # right with these, and the right value where one is blank
    MENDED = "mended"  # right with these, and what follows there for a blank or wrong one
    MISPLACED = "misplaced"  # right, but in a neighbour's box of the same step
    OTHER_ROW = "other_row"  # the numbers of another row of the step, such as another token's
    IDLE = "idle"  # carried from numbers with nothing to compute, such as zeros everywhere
    WRONG = "wrong"
    UNREADABLE = "unreadable"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Judged:
    """One cell as the rule sees it.

    `value` is the entry as it was read, None where there is none. `expected` is what the cell
    would hold with the pupil's own numbers, None where these lead to nothing. `percent`: it was
    read as per cent without a sign. `remark` names what was noticed: the other row's label.
    """

    cell: Cell
    typed: Number | None
    value: Number | None
    right: Number
    expected: Number | None
    how: How
    percent: bool = False
    remark: str = ""


def judged(paper: Paper) -> dict[Cell, Judged]:
    """Every cell of a question with how it earns its credit, before a scheme gives points."""
    judgements = _gone_on(paper)
    if any(judgements[cell].how is How.MENDED for cell in paper.idle | paper.constant):
        # Zeros to which numbers in the head led are as honest as those from written ones.
        paper.guard(lambda cell: judgements[cell].how in GOES_ON)
        judgements = _gone_on(paper)
    wrong = {
        cell: paper.values[cell]
        for cell, one in judgements.items()
        if one.how is How.WRONG and cell not in paper.constant
    }
    for cell, (how, remark) in misplaced(paper.question, wrong).items():
        judgements[cell] = replace(judgements[cell], how=how, remark=remark)
    return judgements


def _gone_on(paper: Paper) -> dict[Cell, Judged]:
    """Every cell, before anything is looked for in other boxes."""
    judgements = {cell: _judged(paper, cell) for cell in paper.question.cells}
    for cell in {*_worked_on(paper, judgements), *_one_mended(paper, judgements)}:
        judgements[cell] = replace(judgements[cell], how=How.MENDED)
    return judgements


def _open(paper: Paper, one: Judged) -> bool:
    """Whether an entry is wrong so far, and could be right with other numbers before it."""
    computed = paper.question.is_computed(one.cell) and one.cell not in paper.constant
    return one.how is How.WRONG and one.value is not None and computed


def _worked_on(paper: Paper, judgements: Mapping[Cell, Judged]) -> Iterator[Cell]:
    """Wrong entries that follow where each blank or wrong one before holds what follows there.

    So somebody who computed on in the head, or with other numbers than were written down.
    """
    if not any(_open(paper, one) for one in judgements.values()):
        return
    chain = Continued(paper.question)
    for cell, value in paper.earlier.items():
        chain.keep(cell, value)
    for cell, one in judgements.items():
        follows, right = chain.next(cell), one.how in EARNED
        if _open(paper, one) and paper.question.same(cell, one.value or 0.0, follows):
            right = True
            yield cell
        chain.keep(cell, one.value if right and one.value is not None else follows)


def _one_mended(paper: Paper, judgements: Mapping[Cell, Judged]) -> Iterator[Cell]:
    """Wrong entries that follow from the own ones if one blank or wrong number is put right.

    Right is for it what follows from the own numbers: that one was miswritten or left out.
    """
    question = paper.question
    for cell, one in judgements.items():
        asked = question.rests_on[cell] & judgements.keys() if _open(paper, one) else ()
        for before in asked:
            mended = judgements[before].expected
            if judgements[before].how not in EARNED and mended is not None:
                chain = Continued(question, paper.filled)
                chain.keep(before, mended)
                if question.same(cell, one.value or 0.0, chain.next(cell)):
                    yield cell
                    break


def _judged(paper: Paper, cell: Cell) -> Judged:
    return Judged(
        cell,
        paper.typed.get(cell),
        paper.values.get(cell),
        paper.question.right(cell),
        paper.follows(cell),
        _how(paper, cell),
        cell in paper.percent,
    )


def _how(paper: Paper, cell: Cell) -> How:
    question = paper.question
    if cell not in paper.values:
        return How.UNREADABLE if cell in paper.typed else How.BLANK
    if question.same(cell, paper.values[cell], question.right(cell)):
        return How.ORIGINAL
    carried = _carried(paper, cell)
    if carried in EARNED and _is_idle(paper, cell):
        return How.IDLE
    return carried


def _is_idle(paper: Paper, cell: Cell) -> bool:
    """Whether there was nothing to compute: it rests on an idle row, or copies one number along."""
    question = paper.question
    copied = isinstance(question.exercise.meaning(*cell), Ref)
    return bool(question.rests_on[cell] & paper.idle) or (copied and cell in paper.idle)


def _carried(paper: Paper, cell: Cell) -> How:
    question = paper.question
    if not question.is_computed(cell):
        return How.WRONG
    if question.verdict(cell, paper.own) == RIGHT:
        return How.CARRIED
    if paper.filled is not paper.own and question.verdict(cell, paper.filled) == RIGHT:
        return How.FILLED
    return How.WRONG


class Continued:
    """All numbers of a question; what is kept for a box goes on from there.

    At first all are right, or as in other `arrays` of the question. Boxes must be taken in their
    order. Numbers that nobody is asked for follow by themselves.
    """

    def __init__(self, question: Question, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self.question = question
        first = question.all_right if arrays is None else arrays
        self.arrays = {name: array.copy() for name, array in first.items()}
        self.look = question.look(self.arrays)
        self._waiting = set(question.exercise.waiting)

    def next(self, cell: Cell) -> Number:
        """What follows for a box; the right content where it has no expression or nothing does."""
        if not self.question.is_computed(cell):
            return self.question.right(cell)
        self._before(cell)
        value = computed_as(self.question.exercise.meaning(*cell), self.look)
        return self.question.right(cell) if value is None else value

    def keep(self, cell: Cell, value: Number) -> Number:
        """Go on with this content of a box."""
        self.arrays[cell[0]][cell[1], cell[2]] = value
        return value

    def _before(self, cell: Cell) -> None:
        """Work out the numbers without a box that a cell reads."""
        for one in self._read(cell):
            if one in self._waiting:
                self._waiting.remove(one)  # once: whatever it rests on is kept by now
                self._before(one)
                value = computed_as(self.question.exercise.meaning(*one), self.look)
                self.arrays[one[0]][one[1], one[2]] = "" if value is None else value

    def _read(self, cell: Cell) -> Iterator[Cell]:
        for source in read_by(self.question.exercise.meaning(*cell)):
            for ref in source.cells() if isinstance(source, Area) else [source]:
                yield ref.step, ref.i, ref.j


FEWEST = 2  # numbers that tell another row or a move; a single one may be there by chance
Misses = Iterator[tuple[Cell, tuple[How, str]]]  # a cell, what is wrong, and where it belongs


def misplaced(question: Question, wrong: Mapping[Cell, Number]) -> dict[Cell, tuple[How, str]]:
    """The wrong entries that would be right elsewhere in their step, each with what was noticed.

    Two entries of a step that each hold the other's right value are exchanged. Two or more
    neighbours that all hold the right value so many boxes on are moved along. Entries that all
    are the numbers of the same other row come from there, such as another token's; the row is
    named. Numbers that are equal within the tolerance tell nothing.
    """
    elsewhere: dict[Cell, tuple[How, str]] = {}
    for name in dict.fromkeys(cell[0] for cell in wrong):
        cells = [cell for cell in wrong if cell[0] == name]
        elsewhere.update(_other_row(question, cells, wrong))
        elsewhere.update(_moved(question, [c for c in cells if c not in elsewhere], wrong))
        elsewhere.update(_exchanged(question, [c for c in cells if c not in elsewhere], wrong))
    return elsewhere


def _exchanged(question: Question, cells: Sequence[Cell], wrong: Mapping[Cell, Number]) -> Misses:
    for cell in cells:
        partners = [
            other for other in cells if other != cell and _crossed(question, cell, other, wrong)
        ]
        if len(partners) == 1:
            yield cell, (How.MISPLACED, "")


def _crossed(question: Question, one: Cell, other: Cell, wrong: Mapping[Cell, Number]) -> bool:
    there = question.same(one, wrong[one], question.right(other))
    return there and question.same(other, wrong[other], question.right(one))


def _moved(question: Question, cells: Sequence[Cell], wrong: Mapping[Cell, Number]) -> Misses:
    for row in dict.fromkeys(cell[:2] for cell in cells):
        asked = {cell[2]: question.right(cell) for cell in question.rows[row]}
        typed = {cell[2]: wrong[cell] for cell in cells if cell[:2] == row}
        for by in (1, -1):
            there = [
                j
                for j, value in typed.items()
                if j + by in asked and question.same((*row, j), value, asked[j + by])
            ]
            if len(there) >= FEWEST and len({asked[j + by] for j in there}) >= FEWEST:
                for j in there:
                    yield (*row, j), (How.MISPLACED, "")


def _other_row(question: Question, cells: Sequence[Cell], wrong: Mapping[Cell, Number]) -> Misses:
    for row in dict.fromkeys(cell[:2] for cell in cells):
        here = [cell for cell in cells if cell[:2] == row]
        step = question.step(here[0])
        values = {wrong[cell] for cell in here}
        rows = [
            k for k in range(step.shape[0]) if k != row[1] and _is_row(question, here, k, wrong)
        ]
        if len(here) >= FEWEST and len(values) >= FEWEST and len(rows) == 1:
            yield from ((cell, (How.OTHER_ROW, step.rows[rows[0]])) for cell in here)


def _is_row(
    question: Question, cells: Sequence[Cell], k: int, wrong: Mapping[Cell, Number]
) -> bool:
    step = question.step(cells[0])
    there = [step.values[k, j] for _, _, j in cells]
    numbers = [str(value) if step.text else float(value) for value in there]
    return len(set(numbers)) >= FEWEST and all(
        question.same(cell, wrong[cell], value) for cell, value in zip(cells, numbers, strict=True)
    )


GOES_ON = frozenset({How.CARRIED, How.FILLED, How.MENDED})  # right with own numbers before it
EARNED = GOES_ON | {How.ORIGINAL}


FEWEST_EQUAL: Final = 3  # numbers in a row that can be equal by intent; two may well be by chance
NOISE: Final = 1e-9


def idle(
    question: Question, values: Mapping[Cell, Number], follows: Callable[[Cell], bool]
) -> frozenset[Cell]:
    """The entries that stand in a row with nothing to compute with, where the right row has some.

    All of the row is 0, or three and more entries are equal, both within the tolerance; of shares
    also a row with a single one that counts, as 1, 0, 0. `follows` says whether an entry is what
    the own entries before it lead to; a row in which all do, and none from an idle row, is none. Of
    a single wrong number nobody can tell that it is no slip, so it needs an idle row before it.
    """
    in_vain: set[Cell] = set()
    for typed in _rows(question, values):
        if not _is_idle_row(question, typed, values) or _is_work(question, typed, in_vain, follows):
            continue
        wrong = [c for c in typed if not question.same(c, values[c], question.right(c))]
        if len(wrong) > 1 or _behind(question, typed) & in_vain:
            in_vain.update(typed)
    return frozenset(in_vain)


def constant(
    question: Question,
    values: Mapping[Cell, Number],
    idle_cells: Collection[Cell],
    follows: Callable[[Cell], bool],
) -> frozenset[Cell]:
    """The entries of rows with the same entry in all of three and more boxes, where some differ.

    Not those that follow from own numbers which are not idle.
    """
    alike: set[Cell] = set()
    for cells in question.rows.values():
        typed = {values.get(cell) for cell in cells}
        right = {question.right(cell) for cell in cells}
        same = len(cells) >= FEWEST_EQUAL and len(typed) == 1 < len(right)
        if same and not _is_work(question, cells, idle_cells, follows):
            alike.update(cells)
    return frozenset(alike)


def _rows(question: Question, values: Mapping[Cell, Number]) -> Iterator[list[Cell]]:
    """The rows in the order of computation, each with the boxes that hold a number."""
    for cells in question.rows.values():
        if typed := [cell for cell in cells if isinstance(values.get(cell), float)]:
            yield typed


def _behind(question: Question, row: Iterable[Cell]) -> frozenset[Cell]:
    """The asked cells from which a row is computed."""
    return frozenset[Cell]().union(*(question.rests_on.get(cell, ()) for cell in row))


def _is_work(
    question: Question,
    row: Collection[Cell],
    idle_cells: Collection[Cell],
    follows: Callable[[Cell], bool],
) -> bool:
    """Whether all of a row was computed, not copied, from numbers that leave something to do."""
    return all(
        question.is_computed(cell)
        and not isinstance(question.exercise.meaning(*cell), Ref)
        and question.rests_on[cell].isdisjoint(idle_cells)
        and follows(cell)
        for cell in row
    )


def _is_idle_row(question: Question, cells: Sequence[Cell], values: Mapping[Cell, Number]) -> bool:
    step = question.step(cells[0])
    slack = question.tolerance * unit(step) + NOISE
    tests = [_all_zero, _all_equal] + [_one_share] * is_share(step)
    own = [float(values[cell]) for cell in cells]
    right = [float(question.right(cell)) for cell in cells]
    return any(test(own, slack) and not test(right, slack) for test in tests)


def _all_zero(row: Collection[float], slack: float) -> bool:
    return max(map(abs, row)) <= slack


def _all_equal(row: Collection[float], slack: float) -> bool:
    return len(row) >= FEWEST_EQUAL and max(row) - min(row) <= 2 * slack


def _one_share(row: Collection[float], slack: float) -> bool:
    counting = [share for share in row if abs(share) > LEAST_SHARE - slack]
    return len(row) >= FEWEST_EQUAL and len(counting) <= 1
