"""Probable causes: each slip of a page for teachers is found again; none is told at random."""

import pytest

from generator.engine.step import Cell
from generator.grading.marking.causes import LISTED, MOST, WrongEntry
from generator.grading.marking.rule import How, Judged, Paper
from generator.grading.reading.meant import Number, read
from generator.insight.slips import Slip
from generator.locales.catalogue import load
from generator.locales.folders import languages
from tests.grading.papers import FILLED, listed, question, right
from tests.support.covering import each

HEAD = "block1.head1."


def told(sheet: str, cell: Cell, entry: Number, slips: tuple[Slip, ...] = ()) -> tuple[str, ...]:
    asked = question(sheet)
    paper = Paper(asked, right(asked) | {cell: entry})
    return WrongEntry(paper, paper.judged()[cell], slips).causes()


def wrong_entry(sheet: str, slip: Slip) -> Number:
    asked, cell = question(sheet), (slip.step, slip.i, slip.j)
    step = asked.step(cell)
    if step.text:
        return read(step, asked.right(cell), slip.wrong) or ""
    return round(slip.wrong, step.decimals if step.decimals is not None else 3)


@pytest.mark.parametrize("sheet", each(4, FILLED))
def test_each_listed_slip_is_found_again(sheet: str) -> None:
    asked, slips, found = question(sheet), listed(sheet), 0
    assert slips
    for slip in slips:
        cell = slip.step, slip.i, slip.j
        paper = Paper(asked, right(asked) | {cell: wrong_entry(sheet, slip)})
        one: Judged = paper.judged()[cell]
        if one.how is How.ORIGINAL:
            continue  # a slip that changes less than the tolerance costs nothing
        found += 1
        assert LISTED + slip.key in WrongEntry(paper, one, slips).causes()
    assert found


@pytest.mark.parametrize(
    ("sheet", "step", "key", "of"),
    [
        ("4a", HEAD + "scaled", "not_divided", lambda q: q[HEAD + "scores", 2, 3]),
        (
            "4a",
            f"unmasked.{HEAD}exp",
            "exponent_sign",
            lambda q: 1 / q[f"unmasked.{HEAD}exp", 2, 3],
        ),
        ("4a", f"unmasked.{HEAD}weights", "by_largest", lambda q: 1.0),
        ("4a", HEAD + "scores", "roles", None),
        ("5", "block1.normalised1", "not_divided", lambda q: q["norm1.deviations", 2, 2]),
        (
            "7a",
            "loss.cross_entropy",
            "decimal_logarithm",
            lambda q: 0.4342945 * q["loss.cross_entropy", 0, 0],
        ),
    ],
)
def test_a_change_of_the_expression_is_named(sheet, step, key, of) -> None:
    asked, typed = question(sheet), right(question(sheet))
    places = [cell for cell in asked.cells if cell[0] == step]
    cell = places[3] if len(places) > 3 else places[-1]
    if of is None:
        query, keys = (asked.trace[HEAD + name].values for name in ("query", "key"))
        wrong = float(keys[cell[1]] @ query[cell[2]])
    else:
        wrong = of(typed)
    if step == "block1.normalised1":
        cell = step, 2, 2
    assert told(sheet, cell, round(wrong, asked.step(cell).decimals)) == (key,)


def test_a_cause_is_found_in_the_pupils_own_numbers() -> None:
    """After a wrong score, the quotient that was forgotten is that of the pupil's own score."""
    asked, typed = question("4a"), right(question("4a"))
    score, scaled = (HEAD + "scores", 2, 3), (HEAD + "scaled", 2, 3)
    typed |= {score: 2.75, scaled: 2.75}
    paper = Paper(asked, typed)
    assert WrongEntry(paper, paper.judged()[scaled]).causes() == ("not_divided",)


def test_nothing_is_told_of_right_entries_or_of_numbers_that_no_slip_gives() -> None:
    asked = question("4a")
    paper = Paper(asked, right(asked))
    assert all(
        WrongEntry(paper, one, listed("4a")).causes() == () for one in paper.judged().values()
    )
    assert told("4a", (HEAD + "scaled", 2, 3), 77.77) == ()


def test_zeros_have_no_cause() -> None:
    """Any number would give 0 with its comma far enough to the left, or its digits turned."""
    asked = question("4a")
    papers = Paper(asked, dict.fromkeys(asked.cells, 0.0))
    boxes = [one for one in papers.judged().values() if len(asked.rows[one.cell[:2]]) > 2]
    assert len(boxes) > 10
    assert {WrongEntry(papers, one).causes() for one in boxes} == {()}
    score = max(asked.rows[HEAD + "scores", 2], key=asked.right)
    assert not {"comma", "digits"} & {*told("4a", score, 0.0)}
    assert "comma" in told("4a", score, round(float(asked.right(score)) / 10, 2))


def test_at_most_three_causes_are_told_and_each_has_words() -> None:
    asked, keys = question("4a"), set()
    for cell in asked.cells[2:12:3]:
        for wrong in range(-50, 60, 9):
            found = told("4a", cell, wrong / 20)
            assert len(found) <= MOST
            keys |= set(found)
    assert len(keys) >= 5
    for language in languages():
        assert all(load(language).t(f"grading.cause.{key}") for key in keys)
