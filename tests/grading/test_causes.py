"""Probable causes: each slip of a page for teachers is found again; none is told at random."""

import pytest

from generator.engine.step import Cell
from generator.grading.marking.causes import LISTED, MOST, WrongEntry
from generator.grading.marking.rule import Paper
from generator.grading.marking.scheme import How
from generator.grading.reading.entries import Number
from generator.locales.catalogue import load
from generator.locales.folders import languages
from tests.grading.papers import FILLED, listed, question, right
from tests.support.covering import each

HEAD = "block1.head1."
SCORE, SCALED = (HEAD + "scores", 2, 3), (HEAD + "scaled", 2, 3)


def told(sheet: str, entries: dict[Cell, Number], of: Cell) -> tuple[str, ...]:
    paper = Paper(question(sheet), right(question(sheet)) | entries)
    return WrongEntry(paper, paper.judged()[of]).causes()


@pytest.mark.parametrize("sheet", each(4, FILLED))
def test_each_listed_slip_is_found_again(sheet: str) -> None:
    asked, slips, found = question(sheet), listed(sheet), 0
    assert slips
    for slip in slips:
        box = asked.boxes[slip.step, slip.i, slip.j]
        decimals = 3 if box.step.decimals is None else box.step.decimals
        wrong = (box.read(slip.wrong) or "") if box.step.text else round(slip.wrong, decimals)
        paper = Paper(asked, right(asked) | {box.cell: wrong})
        one = paper.judged()[box.cell]
        # A slip that changes less than the tolerance costs nothing.
        if one.how is not How.ORIGINAL:
            found += 1
            assert LISTED + slip.key in WrongEntry(paper, one, slips).causes()
    assert found


@pytest.mark.parametrize(
    ("sheet", "cell", "key", "of"),
    [
        ("4a", SCALED, "not_divided", lambda q: q[SCORE]),
        ("4a", (f"unmasked.{HEAD}exp", 2, 3), "exponent_sign",
         lambda q: 1 / q[f"unmasked.{HEAD}exp", 2, 3]),
        ("4a", (f"unmasked.{HEAD}weights", 2, 3), "by_largest", lambda q: 1.0),
        ("5", ("block1.normalised1", 2, 2), "not_divided", lambda q: q["norm1.deviations", 2, 2]),
        ("7a", ("loss.cross_entropy", 0, 0), "decimal_logarithm",
         lambda q: 0.4342945 * q["loss.cross_entropy", 0, 0]),
    ],
)  # fmt: skip
def test_a_change_of_the_expression_is_named(sheet, cell, key, of) -> None:
    decimals = question(sheet).boxes[cell].step.decimals
    wrong = round(of(right(question(sheet))), decimals)
    assert told(sheet, {cell: wrong}, cell) == (key,)


def test_query_and_key_that_change_roles_are_named() -> None:
    query, keys = (question("4a").trace[HEAD + name].values for name in ("query", "key"))
    wrong = round(float(keys[2] @ query[3]), 2)
    assert told("4a", {SCORE: wrong}, SCORE) == ("roles",)


def test_a_cause_is_found_in_the_pupils_own_numbers() -> None:
    """After a wrong score, the quotient that was forgotten is that of the pupil's own score."""
    assert told("4a", {SCORE: 2.75, SCALED: 2.75}, SCALED) == ("not_divided",)


def test_nothing_is_told_of_right_entries_or_of_numbers_that_no_slip_gives() -> None:
    asked = question("4a")
    paper = Paper(asked, right(asked))
    causes = {WrongEntry(paper, one, listed("4a")).causes() for one in paper.judged().values()}
    assert causes == {()}
    assert told("4a", {SCALED: 77.77}, SCALED) == ()


def test_zeros_have_no_cause() -> None:
    """Any number would give 0 with its comma far enough to the left, or its digits turned."""
    asked = question("4a")
    paper = Paper(asked, dict.fromkeys(asked.cells, 0.0))
    boxes = [one for one in paper.judged().values() if len(asked.rows[one.cell[:2]]) > 2]
    assert len(boxes) > 10
    assert {WrongEntry(paper, one).causes() for one in boxes} == {()}
    score = max(asked.rows[HEAD + "scores", 2], key=lambda box: box.right)
    assert not {"comma", "digits"} & {*told("4a", {score.cell: 0.0}, score.cell)}
    tenth = round(float(score.right) / 10, 2)
    assert "comma" in told("4a", {score.cell: tenth}, score.cell)


def test_at_most_three_causes_are_told_and_each_has_words() -> None:
    keys: set[str] = set()
    for cell in question("4a").cells[2:12:3]:
        for wrong in range(-50, 60, 9):
            found = told("4a", {cell: wrong / 20}, cell)
            assert len(found) <= MOST
            keys |= set(found)
    assert len(keys) >= 5
    for language in languages():
        assert all(load(language).t(f"grading.cause.{key}") for key in keys)
