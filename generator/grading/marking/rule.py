"""The marking rule: what counts as right, carried on, misplaced or wrong; one rule for all sheets.

A cell earns credit for the right value; else for the value that follows from the pupil's own
earlier entries; else for the value that follows from these with the right value wherever one is
blank, or with what follows there for a blank or wrong one. All ask the expression of which the
workbook's verdict column is made.

Also here:

* Numbers worked on box by box: what follows for each from what was kept for those before it.
* Entries that leave nothing to compute, such as zeros everywhere, and so earn no credit.
* Right numbers in the wrong boxes: two exchanged, a row moved along, another row's numbers.
* How the credit of a cell came about.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from generator.checks.exercise import read_by
from generator.checks.verdict import RIGHT, unit
from generator.classroom.numbers.fairness import LEAST_SHARE
from generator.engine.expr import Area
from generator.engine.step import Cell
from generator.grading.marking.question import PaperNumbers, Question
from generator.grading.reading.meant import PERCENT, Number, blank, is_share, is_tick


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


GOES_ON = frozenset({How.CARRIED, How.FILLED, How.MENDED})  # right with own numbers before it
EARNED = GOES_ON | {How.ORIGINAL}


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


class Paper:
    """The entries of one pupil to one question, read and continued.

    `own` are all numbers as they follow from the entries; `filled` the same with the right value
    in each blank or unreadable cell.
    """

    def __init__(self, question: Question, typed: Mapping[Cell, Number]) -> None:
        self.question = question
        self.typed = {c: typed[c] for c in question.cells if not blank(typed.get(c))}
        self.earlier = question.read({c: typed[c] for c in question.before if c in typed})
        self.values = question.read(self.typed) | self._unticked()
        self._continue()
        self.percent = self._as_percent()
        if self.percent:
            self.values |= self.percent
            self._continue()
        self._guard(lambda cell: cell in self.values and self._carried(cell) in GOES_ON)

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
        self.own = question.numbers(known)
        self.filled = question.numbers(known | missing) if missing else self.own

    def _guard(self, follows: Callable[[Cell], bool]) -> None:
        """Find the entries with which there is nothing to compute."""
        idleness = Idleness(self.question, self.values, follows)
        self.idle = idleness.idle()
        self.constant = idleness.constant(self.idle)

    def _follows(self, cell: Cell) -> Number | None:
        """What a cell should hold with the pupil's own numbers, and right ones for blanks."""
        whole = self.filled is self.own or not self.own.lacks(cell)
        value = self.own.value(cell) if whole else None
        return self.filled.value(cell) if value is None else value

    def _as_percent(self) -> dict[Cell, Number]:
        """Shares written as per cent without the sign: read so where nothing else is right."""
        question = self.question
        shares: dict[Cell, Number] = {}
        for cell, value in self.values.items():
            if not is_share(question.step(cell)) or isinstance(value, str) or value <= 1:
                continue
            share = value / PERCENT
            expected = (question.right(cell), self._follows(cell))
            if any(one is not None and question.same(cell, share, one) for one in expected):
                shares[cell] = share
        return shares

    # Judging ------------------------------------------------------------------------------------

    def judged(self) -> dict[Cell, Judged]:
        """Every cell of the question with how it earns its credit, before a scheme gives points."""
        judgements = self._gone_on()
        if any(judgements[cell].how is How.MENDED for cell in self.idle | self.constant):
            # Zeros to which numbers in the head led are as honest as those from written ones.
            self._guard(lambda cell: judgements[cell].how in GOES_ON)
            judgements = self._gone_on()
        wrong = {
            cell: self.values[cell]
            for cell, one in judgements.items()
            if one.how is How.WRONG and cell not in self.constant
        }
        for cell, (how, remark) in Misplacement(self.question, wrong).misplaced().items():
            judgements[cell] = replace(judgements[cell], how=how, remark=remark)
        return judgements

    def _gone_on(self) -> dict[Cell, Judged]:
        """Every cell, before anything is looked for in other boxes."""
        judgements = {cell: self._judged(cell) for cell in self.question.cells}
        for cell in {*self._worked_on(judgements), *self._one_mended(judgements)}:
            judgements[cell] = replace(judgements[cell], how=How.MENDED)
        return judgements

    def _judged(self, cell: Cell) -> Judged:
        return Judged(
            cell,
            self.typed.get(cell),
            self.values.get(cell),
            self.question.right(cell),
            self._follows(cell),
            self._how(cell),
            cell in self.percent,
        )

    def _how(self, cell: Cell) -> How:
        question = self.question
        if cell not in self.values:
            return How.UNREADABLE if cell in self.typed else How.BLANK
        if question.same(cell, self.values[cell], question.right(cell)):
            return How.ORIGINAL
        carried = self._carried(cell)
        if carried in EARNED:
            # Nothing to compute: it rests on an idle row, or copies one number along.
            copied = cell in self.idle and question.is_copied(cell)
            if copied or question.rests_on[cell] & self.idle:
                return How.IDLE
        return carried

    def _carried(self, cell: Cell) -> How:
        if not self.question.is_computed(cell):
            return How.WRONG
        if self.own.verdict(cell) == RIGHT:
            return How.CARRIED
        if self.filled is not self.own and self.filled.verdict(cell) == RIGHT:
            return How.FILLED
        return How.WRONG

    def _open(self, one: Judged) -> bool:
        """Whether an entry is wrong so far, and could be right with other numbers before it."""
        computed = self.question.is_computed(one.cell) and one.cell not in self.constant
        return one.how is How.WRONG and one.value is not None and computed

    def _worked_on(self, judgements: Mapping[Cell, Judged]) -> Iterator[Cell]:
        """Wrong entries that follow where each blank or wrong one before holds what follows there.

        So somebody who computed on in the head, or with other numbers than were written down.
        """
        if not any(map(self._open, judgements.values())):
            return
        chain = Continued(self.question)
        for cell, value in self.earlier.items():
            chain.keep(cell, value)
        for cell, one in judgements.items():
            follows, right = chain.next(cell), one.how in EARNED
            if self._open(one) and self.question.same(cell, one.value or 0.0, follows):
                right = True
                yield cell
            chain.keep(cell, one.value if right and one.value is not None else follows)

    def _one_mended(self, judgements: Mapping[Cell, Judged]) -> Iterator[Cell]:
        """Wrong entries that follow from the own ones if one blank or wrong number is put right.

        Right is for it what follows from the own numbers: that one was miswritten or left out.
        """
        question = self.question
        for cell, one in judgements.items():
            asked = question.rests_on[cell] & judgements.keys() if self._open(one) else ()
            for before in asked:
                mended = judgements[before].expected
                if judgements[before].how not in EARNED and mended is not None:
                    chain = Continued(question, self.filled)
                    chain.keep(before, mended)
                    if question.same(cell, one.value or 0.0, chain.next(cell)):
                        yield cell
                        break


class Continued:
    """All numbers of a question; what is kept for a box goes on from there.

    At first all are right, or other `numbers` of the question. Boxes must be taken in their order.
    Numbers that nobody is asked for follow by themselves.
    """

    def __init__(self, question: Question, numbers: PaperNumbers | None = None) -> None:
        self.question = question
        first = (numbers or question.all_right).arrays
        self.numbers = PaperNumbers(question, {name: array.copy() for name, array in first.items()})
        self._waiting = set(question.exercise.waiting)

    def next(self, cell: Cell) -> Number:
        """What follows for a box; the right content where it has no expression or nothing does."""
        if self.question.is_computed(cell):
            self._before(cell)
        value = self.numbers.value(cell)
        return self.question.right(cell) if value is None else value

    def keep(self, cell: Cell, value: Number) -> Number:
        """Go on with this content of a box."""
        self.numbers.arrays[cell[0]][cell[1], cell[2]] = value
        return value

    def _before(self, cell: Cell) -> None:
        """Work out the numbers without a box that a cell reads."""
        for source in read_by(self.question.exercise.meaning(cell)):
            for ref in source.cells() if isinstance(source, Area) else [source]:
                one = ref.step, ref.i, ref.j
                if one in self._waiting:
                    self._waiting.remove(one)  # once: whatever it rests on is kept by now
                    self._before(one)
                    value = self.numbers.value(one)
                    self.keep(one, "" if value is None else value)


FEWEST: Final = 2  # numbers that tell another row or a move; a single one may be there by chance
Misses = Iterator[tuple[Cell, tuple[How, str]]]  # a cell, what is wrong, and where it belongs


class Misplacement(NamedTuple):
    """Wrong entries of a question that may be right in other boxes."""

    question: Question
    wrong: Mapping[Cell, Number]

    def misplaced(self) -> dict[Cell, tuple[How, str]]:
        """Those that would be right elsewhere in their step, each with what was noticed.

        Two entries of a step that each hold the other's right value are exchanged. Two or more
        neighbours that all hold the right value so many boxes on are moved along. Entries that all
        are the numbers of the same other row come from there, such as another token's; the row is
        named. PaperNumbers that are equal within the tolerance tell nothing.
        """
        elsewhere: dict[Cell, tuple[How, str]] = {}
        for name in dict.fromkeys(cell[0] for cell in self.wrong):
            for look in (self._other_row, self._moved, self._exchanged):
                left = [cell for cell in self.wrong if cell[0] == name and cell not in elsewhere]
                elsewhere.update(look(left))
        return elsewhere

    def _exchanged(self, cells: Sequence[Cell]) -> Misses:
        for cell in cells:
            partners = [one for one in cells if one != cell and self._crossed(cell, one)]
            if len(partners) == 1:
                yield cell, (How.MISPLACED, "")

    def _crossed(self, one: Cell, other: Cell) -> bool:
        return all(
            self.question.same(cell, self.wrong[cell], self.question.right(place))
            for cell, place in ((one, other), (other, one))
        )

    def _moved(self, cells: Sequence[Cell]) -> Misses:
        for row in dict.fromkeys(cell[:2] for cell in cells):
            asked = {cell[2]: self.question.right(cell) for cell in self.question.rows[row]}
            typed = {cell[2]: self.wrong[cell] for cell in cells if cell[:2] == row}
            for by in (1, -1):
                there = [
                    j
                    for j, value in typed.items()
                    if j + by in asked and self.question.same((*row, j), value, asked[j + by])
                ]
                if len(there) >= FEWEST and len({asked[j + by] for j in there}) >= FEWEST:
                    yield from (((*row, j), (How.MISPLACED, "")) for j in there)

    def _other_row(self, cells: Sequence[Cell]) -> Misses:
        for row in dict.fromkeys(cell[:2] for cell in cells):
            here = [cell for cell in cells if cell[:2] == row]
            step = self.question.step(here[0])
            several = len(here) >= FEWEST and len({self.wrong[cell] for cell in here}) >= FEWEST
            others = (k for k in range(step.shape[0]) if k != row[1]) if several else ()
            rows = [k for k in others if self._is_row(here, k)]
            if len(rows) == 1:
                yield from ((cell, (How.OTHER_ROW, step.rows[rows[0]])) for cell in here)

    def _is_row(self, cells: Sequence[Cell], k: int) -> bool:
        numbers = [self.question.right((name, k, j)) for name, _, j in cells]
        return len(set(numbers)) >= FEWEST and all(
            self.question.same(cell, self.wrong[cell], value)
            for cell, value in zip(cells, numbers, strict=True)
        )


FEWEST_EQUAL: Final = 3  # numbers in a row that can be equal by intent; two may well be by chance
NOISE: Final = 1e-9


class Idleness(NamedTuple):
    """Entries to a question with which there may be nothing to compute.

    `follows` says whether an entry is what the own entries before it lead to.
    """

    question: Question
    values: Mapping[Cell, Number]
    follows: Callable[[Cell], bool]

    def idle(self) -> frozenset[Cell]:
        """The entries that stand in a row with nothing to compute with; the right row has some.

        All of the row is 0, or three and more entries are equal, both within the tolerance; of
        shares also a row with a single one that counts, as 1, 0, 0. A row in which all entries
        follow, and none from an idle row, is none. Of a single wrong number nobody can tell that
        it is no slip, so it needs an idle row before it.
        """
        question, in_vain = self.question, set[Cell]()
        for cells in question.rows.values():
            typed = [cell for cell in cells if isinstance(self.values.get(cell), float)]
            if not (typed and self._is_idle_row(typed)) or self._is_work(typed, in_vain):
                continue
            wrong = [c for c in typed if not question.same(c, self.values[c], question.right(c))]
            behind = set[Cell]().union(*(question.rests_on.get(cell, ()) for cell in typed))
            if len(wrong) > 1 or behind & in_vain:
                in_vain.update(typed)
        return frozenset(in_vain)

    def constant(self, in_vain: Collection[Cell]) -> frozenset[Cell]:
        """The entries of rows with the same one in all of three and more boxes, where some differ.

        Not those that follow from own numbers which are not idle.
        """
        alike: set[Cell] = set()
        for cells in self.question.rows.values():
            typed = {self.values.get(cell) for cell in cells}
            right = {self.question.right(cell) for cell in cells}
            same = len(cells) >= FEWEST_EQUAL and len(typed) == 1 < len(right)
            if same and not self._is_work(cells, in_vain):
                alike.update(cells)
        return frozenset(alike)

    def _is_work(self, row: Iterable[Cell], in_vain: Collection[Cell]) -> bool:
        """Whether all of a row was computed, not copied, from numbers that leave work to do."""
        question = self.question
        return all(
            question.is_computed(cell)
            and not question.is_copied(cell)
            and question.rests_on[cell].isdisjoint(in_vain)
            and self.follows(cell)
            for cell in row
        )

    def _is_idle_row(self, cells: Sequence[Cell]) -> bool:
        step = self.question.step(cells[0])
        slack = self.question.tolerance * unit(step) + NOISE

        def signs(row: Sequence[float]) -> tuple[bool, bool, bool]:
            """Whether all are 0, all are equal, a single share counts."""
            several = len(row) >= FEWEST_EQUAL
            counting = sum(abs(share) > LEAST_SHARE - slack for share in row)
            equal = several and max(row) - min(row) <= 2 * slack
            return max(map(abs, row)) <= slack, equal, several and counting <= is_share(step)

        own = signs([float(self.values[cell]) for cell in cells])
        right = signs([float(self.question.right(cell)) for cell in cells])
        return any(mine and not wanted for mine, wanted in zip(own, right, strict=True))
