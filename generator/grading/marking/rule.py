"""The marking rule: what counts as right, carried on, misplaced or wrong; one rule for all sheets.

A cell earns credit for the right value; else for the value that follows from the pupil's own
earlier entries; else for the value that follows from these with the right value wherever one is
blank, or with what follows there for a blank or wrong one. All ask the expression of which the
workbook's verdict column is made.

Also here:

* Numbers worked on box by box: what follows for each from what was kept for those before it.
* Entries that leave nothing to compute, such as zeros everywhere, and so earn no credit.
* Right numbers in the wrong boxes: two exchanged, a row moved along, another row's numbers.
* Who goes on with all digits of a calculator, for which the scheme has a rule.
* How the credit of a cell came about.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Final, NamedTuple

from generator.checks.exercise import cells_read
from generator.classroom.numbers.fairness import LEAST_SHARE
from generator.engine.expr import Expr
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking.question import (
    NOISE,
    PERCENT,
    AskedBox,
    OnPaper,
    PaperNumbers,
    Question,
    Row,
    blank,
    is_tick,
)
from generator.grading.marking.scheme import EARNED, GOES_ON, How
from generator.grading.reading.entries import Number


@dataclass(frozen=True, slots=True)
class BoxMark:
    """One box as the rule sees it, and what share of its points it earns.

    `value` is the entry as it was read, None where there is none. `expected` is what the cell
    would hold with the pupil's own numbers, None where these lead to nothing. `percent`: it was
    read as per cent without a sign. `remark` names what was noticed: the other row's label.
    `causes` are the keys of possible ones, `probable` says that it is one and hardly by chance.
    `decided`: a teacher's decision set the credit.
    """

    cell: Cell
    typed: Number | None
    value: Number | None
    right: Number
    expected: Number | None
    how: How
    percent: bool = False
    remark: str = ""
    credit: float = 0.0
    causes: tuple[str, ...] = ()
    probable: bool = False
    decided: bool = False

    @property
    def understood(self) -> float:
        """Its credit, and all of it where only roundings were left out."""
        return 1.0 if self.how is How.UNROUNDED and not self.decided else self.credit


class Paper:
    """The entries of one pupil to one question, read and continued.

    `own` are all numbers as they follow from the entries; `filled` the same with the right value
    in each blank or unreadable cell. `unrounded` are entries that follow only without rounding.
    """

    def __init__(self, question: Question, typed: Mapping[Cell, Number]) -> None:
        self.unrounded = set[Cell]()
        self.question = question
        self.boxes = [question.boxes[cell] for cell in question.cells]
        self.typed = {c: typed[c] for c in question.cells if not blank(typed.get(c))}
        self.earlier = question.read({c: typed[c] for c in question.before if c in typed})
        self.values = question.read(self.typed) | self._unticked()
        self._continue()
        self.percent = self._as_percent()
        if self.percent:
            self.values |= self.percent
            self._continue()
        self._guard(lambda box: box.cell in self.values and self._carried(box) in GOES_ON)

    def _unticked(self) -> dict[Cell, Number]:
        """An empty place counts as an answer where somebody ticked others of the row."""
        rows = [
            [box.cell for box in row] for row in self.question.rows.values() if is_tick(row[0].step)
        ]
        begun = [cells for cells in rows if any(cell in self.typed for cell in cells)]
        return {cell: "" for cells in begun for cell in cells if cell not in self.typed}

    def _continue(self) -> None:
        known = self.earlier | self.values
        boxes = self.question.boxes.items()
        missing = {cell: box.right for cell, box in boxes if cell not in known}
        self.own = self.question.numbers(known)
        self.filled = self.question.numbers(known | missing) if missing else self.own

    def _guard(self, follows: Callable[[AskedBox], bool]) -> None:
        """Find the entries with which there is nothing to compute."""
        idleness = Idleness(self.question, self.values, follows)
        self.idle = idleness.idle()
        self.constant = idleness.constant(self.idle)

    def _follows(self, box: AskedBox) -> Number | None:
        """What a cell should hold with the pupil's own numbers, and right ones for blanks."""
        whole = self.filled is self.own or not self.own.lacks(box)
        value = self.own.value(box) if whole else None
        return self.filled.value(box) if value is None else value

    def _as_percent(self) -> dict[Cell, Number]:
        """Shares as per cent without the sign: read so where most of a row is then right."""
        shares: dict[Cell, Number] = {}
        for row in self.question.rows.values():
            large = {box: self.values.get(box.cell) for box in row if box.is_share}
            per_cent = {b: x / PERCENT for b, x in large.items() if isinstance(x, float) and x > 1}
            fits = {box.cell: share for box, share in per_cent.items() if self._fits(box, share)}
            shares |= fits if 2 * len(fits) > len(per_cent) else {}
        return shares

    def _fits(self, box: AskedBox, value: float) -> bool:
        """Whether a number is right, or follows from the own ones."""
        follows = self._follows(box)
        return box.is_right(value) or (follows is not None and box.same(value, follows))

    # Judging ------------------------------------------------------------------------------------

    def judged(self) -> dict[Cell, BoxMark]:
        """Every cell of the question with how it earns its credit, before a scheme gives points."""
        judgements = self._gone_on()
        if any(judgements[cell].how is How.MENDED for cell in self.idle | self.constant):
            # Zeros to which numbers in the head led are as honest as those from written ones.
            self._guard(lambda box: judgements[box.cell].how in GOES_ON)
            judgements = self._gone_on()
        if self._keeps_digits(judgements):
            for cell in self.unrounded:
                judgements[cell] = replace(judgements[cell], how=How.UNROUNDED)
        wrong = {
            cell: self.values[cell]
            for cell, one in judgements.items()
            if one.how is How.WRONG and cell not in self.constant
        }
        follows = {c: x.right if x.expected is None else x.expected for c, x in judgements.items()}
        for cell, (how, remark) in Misplacement(self.question, wrong, follows).misplaced().items():
            judgements[cell] = replace(judgements[cell], how=how, remark=remark)
        return judgements

    def _gone_on(self) -> dict[Cell, BoxMark]:
        """Every cell, before anything is looked for in other boxes."""
        judgements = {box.cell: self._judged(box) for box in self.boxes}
        for cell in {*self._worked_on(judgements), *self._one_mended(judgements)}:
            judgements[cell] = replace(judgements[cell], how=How.MENDED)
        return judgements

    def _judged(self, box: AskedBox) -> BoxMark:
        cell, expected, how = box.cell, self._follows(box), self._how(box)
        typed, value = self.typed.get(cell), self.values.get(cell)
        return BoxMark(cell, typed, value, box.right, expected, how, cell in self.percent)

    def _how(self, box: AskedBox) -> How:
        if box.cell not in self.values:
            return How.UNREADABLE if box.cell in self.typed else How.BLANK
        if box.is_right(self.values[box.cell]):
            return How.ORIGINAL
        carried = self._carried(box)
        if carried in EARNED:
            # Nothing to compute: it rests on an idle row, or copies one number along.
            copied = box.cell in self.idle and box.is_copied
            if copied or box.rests_on & self.idle:
                return How.IDLE
        return carried

    def _carried(self, box: AskedBox) -> How:
        if not box.is_computed:
            return How.WRONG
        if self.own.is_right(box) or self._printed.is_right(box):
            return How.CARRIED
        return (
            How.FILLED if self.filled is not self.own and self.filled.is_right(box) else How.WRONG
        )

    @cached_property
    def _printed(self) -> PaperNumbers:
        """The own numbers among those that nobody is asked for as the sheet prints them."""
        arrays = {name: array.copy() for name, array in self.own.arrays.items()}
        for name, i, j in self.question.exercise.waiting:
            arrays[name][i, j] = self.question.trace[name].values[i, j]
        return PaperNumbers(self.question, arrays)

    def unseen(self, mark: BoxMark) -> bool:
        """Whether it is right only with other numbers than the sheet prints for those not asked."""
        box, on_paper = self.question.boxes[mark.cell], isinstance(self.question.exercise, OnPaper)
        return mark.how is How.CARRIED and on_paper and not self._printed.is_right(box)

    def _open(self, judgements: Mapping[Cell, BoxMark]) -> dict[AskedBox, Number]:
        """The entries that are wrong so far, and could be right with other numbers before them."""
        return {
            box: self.values[box.cell]
            for box in self.boxes
            if box.is_computed
            and judgements[box.cell].how is How.WRONG
            and box.cell not in self.constant
        }

    def _worked_on(self, judgements: Mapping[Cell, BoxMark]) -> Iterator[Cell]:
        """Wrong entries that follow where each blank or wrong one before holds what follows there.

        So somebody who computed on in the head, or with other numbers than were written down.
        """
        if not (open_ := self._open(judgements)):
            return
        chain = Continued(self.question.all_right)
        for cell, value in self.earlier.items():
            chain.keep(cell, value)
        for box in self.boxes:
            follows, right = chain.next(box), judgements[box.cell].how in EARNED
            if box in open_ and box.same(open_[box], follows):
                right = True
                yield box.cell
            chain.keep(box.cell, self.values[box.cell] if right else follows)

    def _keeps_digits(self, judgements: Mapping[Cell, BoxMark]) -> bool:
        """Whether several wrong entries may follow without rounding, more than follow with it."""
        for box, value in self._open(judgements).items():
            whole, room = self.filled.unrounded(box)
            # One that was rounded to fewer decimals is no such number.
            coarse = value in [guarded_number(whole, n) for n in range(box.decimals)]
            if isinstance(value, float) and abs(value - whole) <= room + box.slack and not coarse:
                self.unrounded.add(box.cell)
        if len(self.unrounded) < FEWEST:
            return False
        others = (box for box in self.boxes if judgements[box.cell].how in EARNED and box.unit)
        rounded = [box for box in others if self.filled.unrounded(box)[1] > TELLING * box.unit]
        return len(self.unrounded) > len(rounded)

    def _one_mended(self, judgements: Mapping[Cell, BoxMark]) -> Iterator[Cell]:
        """Wrong entries that follow from the own ones if one blank or wrong number is put right.

        Right is for it what follows from the own numbers: that one was miswritten or left out.
        """
        for box, value in self._open(judgements).items():
            for before in box.rests_on & judgements.keys():
                mended = judgements[before].expected
                if judgements[before].how not in EARNED and mended is not None:
                    chain = Continued(self.filled)
                    chain.keep(before, mended)
                    if box.same(value, chain.next(box)):
                        yield box.cell
                        break


class Continued(PaperNumbers):
    """All numbers of a question; what is kept for a box goes on from there.

    Boxes must be taken in their order. Numbers that nobody is asked for follow by themselves.
    """

    def __init__(self, first: PaperNumbers) -> None:
        arrays = {name: array.copy() for name, array in first.arrays.items()}
        super().__init__(first.question, arrays)
        self._waiting = set(first.question.exercise.waiting)

    def next(self, box: AskedBox) -> Number:
        """What follows for a box; the right content where it has no expression or nothing does."""
        if box.is_computed:
            self._before(box.meaning)
        value = self.value(box)
        return box.right if value is None else value

    def keep(self, cell: Cell, value: Number) -> Number:
        """Go on with this content of a box."""
        self.arrays[cell[0]][cell[1:]] = value
        return value

    def _before(self, meaning: Expr) -> None:
        """Work out the numbers without a box that an expression reads."""
        for one in cells_read(meaning):
            if one in self._waiting:
                self._waiting.remove(one)  # once: whatever it rests on is kept by now
                inner = self.question.exercise.meaning(one)
                self._before(inner)
                value = self.computed(inner)
                self.keep(one, "" if value is None else value)


TELLING: Final = 10  # units that lost digits must be able to change, to tell who kept them
FEWEST: Final = 2  # numbers that tell another row or a move; a single one may be there by chance
Misses = Iterator[tuple[Cell, tuple[How, str]]]  # a cell, what is wrong, and where it belongs


class Misplacement(NamedTuple):
    """Wrong entries of a question that may belong in other boxes, where `follows` stands."""

    question: Question
    wrong: Mapping[Cell, Number]
    follows: Mapping[Cell, Number]

    def misplaced(self) -> dict[Cell, tuple[How, str]]:
        """Those that belong elsewhere in their step, each with what was noticed.

        Two numbers of a step that each belong in the other's box are exchanged. Two or more
        neighbours that all hold what belongs so many boxes on are moved along. Entries that all
        are the numbers of the same other row come from there, such as another token's; the row is
        named. Numbers that are equal within the tolerance tell nothing.
        """
        elsewhere: dict[Cell, tuple[How, str]] = {}
        for name in dict.fromkeys(cell[0] for cell in self.wrong):
            for look in (self._other_row, self._moved, self._exchanged):
                left = [cell for cell in self.wrong if cell[0] == name and cell not in elsewhere]
                boxes = map(self.question.boxes.__getitem__, left)
                elsewhere.update(look([box for box in boxes if not self._turned(box)]))
        return elsewhere

    def _turned(self, box: AskedBox) -> bool:
        """Whether an entry has lost its sign alone: another box may well hold that number."""
        value = self.wrong[box.cell]
        return isinstance(value, float) and box.same(-value, self.follows[box.cell])

    def _exchanged(self, boxes: Sequence[AskedBox]) -> Misses:
        follows, wrong = self.follows, self.wrong
        for box in boxes:
            partners = [
                one
                for one in boxes
                if one is not box
                and box.same(wrong[box.cell], follows[one.cell])
                and one.same(wrong[one.cell], follows[box.cell])
            ]
            if len(partners) == 1 and not box.step.text:  # of a few words two may be by chance
                yield box.cell, (How.MISPLACED, "")

    def _moved(self, boxes: Sequence[AskedBox]) -> Misses:
        for row, here in _by_row(boxes):
            asked = {box.cell[2]: self.follows[box.cell] for box in self.question.rows[row]}
            for by in (1, -1):
                # Where each entry would be right, so many boxes on.
                found = {
                    box.cell: asked[box.cell[2] + by]
                    for box in here
                    if box.cell[2] + by in asked
                    and box.same(self.wrong[box.cell], asked[box.cell[2] + by])
                }
                if len({*found.values()}) >= FEWEST:
                    yield from ((cell, (How.MISPLACED, "")) for cell in found)

    def _other_row(self, boxes: Sequence[AskedBox]) -> Misses:
        for row, here in _by_row(boxes):
            step = here[0].step
            several = len({self.wrong[box.cell] for box in here}) >= FEWEST
            others = (k for k in range(step.shape[0]) if k != row[1]) if several else ()
            rows = [k for k in others if self._is_row(here, step.values[k].tolist())]
            if len(rows) == 1:
                yield from ((box.cell, (How.OTHER_ROW, step.rows[rows[0]])) for box in here)

    def _is_row(self, boxes: Sequence[AskedBox], row: Sequence[Number]) -> bool:
        numbers = [row[box.cell[2]] for box in boxes]
        return len(set(numbers)) >= FEWEST and all(
            box.same(self.wrong[box.cell], value) for box, value in zip(boxes, numbers, strict=True)
        )


def _by_row(boxes: Sequence[AskedBox]) -> Iterator[tuple[Row, list[AskedBox]]]:
    for row, some in groupby(boxes, lambda box: box.cell[:2]):
        yield row, list(some)


FEWEST_EQUAL: Final = 3  # numbers in a row that can be equal by intent; two may well be by chance


class Idleness(NamedTuple):
    """Entries to a question with which there may be nothing to compute.

    `follows` says whether an entry is what the own entries before it lead to.
    """

    question: Question
    values: Mapping[Cell, Number]
    follows: Callable[[AskedBox], bool]

    def idle(self) -> frozenset[Cell]:
        """The entries that stand in a row with nothing to compute with; the right row has some.

        All of the row is 0, or three and more entries are equal, both within the tolerance; of
        shares also a row with a single one that counts, as 1, 0, 0. A row in which all entries
        follow, and none from an idle row, is none. Of a single wrong number nobody can tell that
        it is no slip, so it needs an idle row before it.
        """
        in_vain = set[Cell]()
        for boxes in self.question.rows.values():
            typed = [box for box in boxes if isinstance(self.values.get(box.cell), float)]
            if not (typed and self._is_idle_row(typed)) or self._is_work(typed, in_vain):
                continue
            wrong = [box for box in typed if not box.is_right(self.values[box.cell])]
            behind = set[Cell]().union(*(box.rests_on for box in typed))
            if len(wrong) > 1 or behind & in_vain:
                in_vain.update(box.cell for box in typed)
        return frozenset(in_vain)

    def constant(self, in_vain: Collection[Cell]) -> frozenset[Cell]:
        """The entries of rows with the same one in all of three and more boxes, where some differ.

        Not those that follow from own numbers which are not idle.
        """
        alike: set[Cell] = set()
        for boxes in self.question.rows.values():
            typed = {self.values.get(box.cell) for box in boxes}
            same = len(boxes) >= FEWEST_EQUAL and len(typed) == 1 < len(
                {box.right for box in boxes}
            )
            if same and not self._is_work(boxes, in_vain):
                alike.update(box.cell for box in boxes)
        return frozenset(alike)

    def _is_work(self, row: Iterable[AskedBox], in_vain: Collection[Cell]) -> bool:
        """Whether all of a row was computed, not copied, from numbers that leave work to do."""
        return all(
            box.is_computed
            and not box.is_copied
            and box.rests_on.isdisjoint(in_vain)
            and self.follows(box)
            for box in row
        )

    def _is_idle_row(self, boxes: Sequence[AskedBox]) -> bool:
        slack, is_share = boxes[0].slack + NOISE, boxes[0].is_share

        def signs(row: Sequence[float]) -> tuple[bool, bool, bool]:
            """Whether all are 0, all are equal, a single share counts."""
            several = len(row) >= FEWEST_EQUAL
            counting = sum(abs(share) > LEAST_SHARE - slack for share in row)
            equal = several and max(row) - min(row) <= 2 * slack
            return max(map(abs, row)) <= slack, equal, several and counting <= is_share

        own = signs([float(self.values[box.cell]) for box in boxes])
        right = signs([float(box.right) for box in boxes])
        return any(mine and not wanted for mine, wanted in zip(own, right, strict=True))
