"""What usual slips cost by the marking rule: a paper with the slip, gone on with, is marked."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.engine.rounding import rounded_number
from generator.engine.step import Cell
from generator.exams.expected import Paper
from generator.grading.entries import Entries, Source
from generator.grading.marks import marked
from generator.grading.meant import Number
from generator.grading.question import Question
from generator.grading.scheme import Scheme
from generator.insight.slips import Slip
from generator.locales.catalogue import Catalogue
from generator.notation.shown import shown_decimals
from generator.render.worksheet.worksheet import planned, view
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.phrases import typesetting
from generator.sheets.series import SERIES


class Cost(NamedTuple):
    """A slip in words: where it shows, its wrong number and the right one in each version.

    `marks` is what it costs in a box in which it is made, `boxes` in how many of the row it may be.
    What is carried on from there is not in it: a scheme may credit a share of that only.
    """

    slip: str
    place: str
    numbers: tuple[tuple[str, str], ...]
    marks: float
    boxes: int


def costs(papers: Sequence[Paper], scheme: Scheme, catalogue: Catalogue) -> Iterator[Cost]:
    """The slips of a sheet that show in one of its boxes; of versions the one that costs most."""
    slips_of = [_slips(paper) for paper in papers]
    first = papers[0]
    for key, slip in slips_of[0].items():
        cell = slip.step, slip.i, slip.j
        if cell in first.worth.cells and all(key in others for others in slips_of):
            shown = _view(first)
            yield Cost(
                typesetting(catalogue)(f"sheet{shown.plan.sheet}.slip.{key}"),
                shown.place(slip),
                tuple(_numbers(paper, of[key]) for paper, of in zip(papers, slips_of, strict=True)),
                max(
                    _lost(paper, of[key], scheme)
                    for paper, of in zip(papers, slips_of, strict=True)
                ),
                sum(other[:2] == cell[:2] for other in first.worth.cells),
            )


def _slips(paper: Paper) -> dict[str, Slip]:
    return {slip.key: slip for slip in _view(paper).slips()}


def _view(paper: Paper) -> Context:
    plan = planned(paper.sheet, paper.page.both.trace, paper.page.options)
    return view(plan, *paper.page.both, paper.page.options, Formulas(), blank=False)


def _numbers(paper: Paper, slip: Slip) -> tuple[str, str]:
    shown = _view(paper)
    right = shown.trace[slip.step].values[slip.i, slip.j]
    return shown.show(slip.step, slip.wrong), shown.show(slip.step, float(right))


def _lost(paper: Paper, slip: Slip, scheme: Scheme) -> float:
    """The marks that the box loses in which somebody makes the slip, and goes on correctly."""
    sheet, trace = SERIES[paper.sheet].name, paper.page.both.trace
    plan = planned(paper.sheet, trace, paper.page.options)
    question = Question(sheet, trace, plan, scheme.tolerance)
    typed = dict(_entries(question, paper, slip))
    source = Source("", "", None, None, (sheet,), paper.page.options.level)
    entries = Entries(source, typed, {}, None)
    full = scheme.credit.model_copy(update={"carried": 1.0})
    credit = scheme.model_copy(update={"credit": full})
    task = marked([question], entries, credit, worth={sheet: paper.worth}).tasks[0]
    return math.fsum((1 - mark.credit) * paper.worth.cells[mark.cell] for mark in task.marks)


def _entries(question: Question, paper: Paper, slip: Slip) -> Iterator[tuple[Cell, Number]]:
    """What stands in the boxes: the slip's number, before it what is right, then what follows."""
    known: dict[Cell, Number] = {}
    for cell in question.cells:
        follows = question.value(cell, question.arrays(known)) if known else None
        value = question.right(cell) if follows is None else follows
        if cell == (slip.step, slip.i, slip.j):
            value = rounded_number(slip.wrong, shown_decimals(question.step(cell)))
        known[cell] = value
        if cell in paper.worth.cells:
            yield cell, value
