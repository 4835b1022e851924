"""The marking rule: what counts as right, carried on, misplaced or wrong; one rule for all sheets.

A cell earns credit for the right value (unless its whole row has one and the same entry); else for
the value that follows from the pupil's own earlier entries; else for the value that follows from
these with the right value wherever one is blank, or with what follows there for a blank or wrong
one. All ask the expression of which the workbook's verdict column is made.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from generator.checks.verdict import RIGHT
from generator.engine.expr import Ref
from generator.engine.step import Cell
from generator.grading.continued import Continued
from generator.grading.credit import EARNED, How, Judged
from generator.grading.guard import constant, idle
from generator.grading.meant import PERCENT, Number, blank, is_share, is_tick, read
from generator.grading.misplaced import misplaced
from generator.grading.question import Question

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
        self.idle = idle(question, self.values)
        self.constant = constant(question, self.values)

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


def judged(paper: Paper) -> dict[Cell, Judged]:
    """Every cell of a question with how it earns its credit, before a scheme gives points."""
    question = paper.question
    judgements = {cell: _judged(paper, cell) for cell in question.cells}
    for cell in {*_worked_on(paper, judgements), *_one_mended(paper, judgements)}:
        judgements[cell] = replace(judgements[cell], how=How.MENDED)
    wrong = {
        cell: paper.values[cell]
        for cell, one in judgements.items()
        if one.how is How.WRONG and cell not in paper.constant
    }
    for cell, (how, remark) in misplaced(question, wrong).items():
        judgements[cell] = replace(judgements[cell], how=how, remark=remark)
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
        return How.IDLE if cell in paper.constant else How.ORIGINAL
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
