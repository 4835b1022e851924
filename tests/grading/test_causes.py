"""Causes: each slip of a page for teachers is found again; none is called probable by chance."""

import math
from collections.abc import Iterable, Mapping

import pytest

from generator.api import compute
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.grading.marking.causes import LISTED, MOST, Slips, Told, told
from generator.grading.marking.question import Question
from generator.grading.marking.rule import Paper
from generator.grading.reading.entries import Number
from generator.insight.slips import Slip
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.plans.workbook import plan as workbook_plan
from generator.render.workbook.sheet_tabs import played
from tests.grading.papers import FILLED, listed, question, right
from tests.support.covering import each

HEAD = "block1.head1."
SCORE, SCALED = (HEAD + "scores", 2, 3), (HEAD + "scaled", 2, 3)
FREE, FED = f"unmasked.{HEAD}", "block1.feedforward"
NOBODY = Told()


def all_told(
    sheet: str, entries: Mapping[Cell, Number], slips: Iterable[Slip] = (), preset: str = ""
) -> dict[Cell, Told]:
    asked = question(sheet, preset)
    paper = Paper(asked, right(asked) | entries)
    return told(paper, paper.judged().values(), slips)


def of_box(sheet: str, entries: Mapping[Cell, Number], of: Cell) -> tuple[str, ...]:
    return all_told(sheet, entries).get(of, NOBODY).causes


def row_of(sheet: str, step: str, number, preset: str = "") -> dict[Cell, Number]:
    """A row in which each box holds what `number` says of its place, rounded as on paper."""
    boxes = question(sheet, preset).boxes
    return {
        cell: guarded_number(float(number(cell)), box.decimals)
        for cell, box in boxes.items()
        if cell[0] == step
    }


@pytest.mark.parametrize("sheet", each(4, FILLED))
def test_each_listed_slip_is_found_again(sheet: str) -> None:
    asked, slips, found = question(sheet), listed(sheet), 0
    assert slips
    for slip in slips:
        box = asked.boxes[slip.step, slip.i, slip.j]
        decimals = 3 if box.step.decimals is None else box.step.decimals
        wrong = (box.read(slip.wrong) or "") if box.step.text else round(slip.wrong, decimals)
        # A slip that changes less than the tolerance costs nothing.
        if not box.is_right(wrong):
            found += 1
            told_here = all_told(sheet, {box.cell: wrong}, slips)[box.cell]
            assert LISTED + slip.key in told_here.causes
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
    assert of_box(sheet, {cell: wrong}, cell) == (key,)


def test_query_and_key_that_change_roles_are_named() -> None:
    query, keys = (question("4a").trace[HEAD + name].values for name in ("query", "key"))
    wrong = round(float(keys[2] @ query[3]), 2)
    assert of_box("4a", {SCORE: wrong}, SCORE) == ("roles",)


def test_a_cause_is_found_in_the_pupils_own_numbers() -> None:
    """After a wrong score, the quotient that was forgotten is that of the pupil's own score."""
    assert of_box("4a", {SCORE: 2.75, SCALED: 2.75}, SCALED) == ("not_divided",)


def test_nothing_is_told_of_right_entries_or_of_numbers_that_no_slip_gives() -> None:
    assert all_told("4a", {}, listed("4a")) == {}
    assert of_box("4a", {SCALED: 77.77}, SCALED) == ()


def test_a_sum_of_zero_by_which_masked_shares_are_divided_stops_no_marking() -> None:
    """What a product with such a share would be is no number."""
    trace = played(compute(preset="katze"), ("4a", "4b"))
    asked = Question("workbook", trace, workbook_plan(trace, 3))
    output = next(cell for cell in asked.cells if cell[0] == f"{HEAD}output")
    entries = {(f"{HEAD}sum", output[1], 0): 0.0, output: 77.77}
    paper = Paper(asked, right(asked) | entries)
    assert told(paper, paper.judged().values(), ()).get(output, NOBODY) == NOBODY


def test_zeros_have_no_cause() -> None:
    """Any number would give 0 with its comma far enough to the left, or its digits turned."""
    asked = question("4a")
    rows = [cell for cell in asked.cells if len(asked.rows[cell[:2]]) > 2]
    assert len(rows) > 10
    causes = all_told("4a", dict.fromkeys(asked.cells, 0.0))
    assert {causes.get(cell, NOBODY) for cell in rows} == {NOBODY}
    score = max(asked.rows[HEAD + "scores", 2], key=lambda box: box.right)
    assert not {"comma", "digits"} & {*of_box("4a", {score.cell: 0.0}, score.cell)}
    tenth = round(float(score.right) / 10, 2)
    assert "comma" in of_box("4a", {score.cell: tenth}, score.cell)


# Habits and chance -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "step", "key", "number"),
    [
        ("4a", FREE + "exp", "undivided", lambda q, c: math.exp(q[SCORE[0], *c[1:]])),
        ("4a", FREE + "weights", "by_count", lambda q, c: q[FREE + "exp", *c[1:]] / 6),
        ("4a", HEAD + "scaled", "by_count", lambda q, c: q[SCORE[0], *c[1:]] / 6),
        ("4a", HEAD + "scaled", "rounded_early", lambda q, c: guarded_number(q[c], 1)),
        ("4a", FREE + "weights", "rounded_early", lambda q, c: guarded_number(q[c], 1)),
        ("4a", FREE + "output", "keys_for_values", lambda q, c: of_keys(c[2])),
        ("5", "block1.residual2", "other_skip",
         lambda q, c: sum(question("5").trace[n].values[c[1:]] for n in ("input", FED))),
    ],
)  # fmt: skip
def test_what_several_boxes_tell_is_one_probable_habit(sheet, step, key, number) -> None:
    asked = right(question(sheet))
    entries = row_of(sheet, step, lambda cell: number(asked, cell))
    found = all_told(sheet, entries)
    assert len(entries) > 1
    assert set(found.values()) == {Told((key,), True)}


def of_keys(column: int) -> float:
    trace = question("4a").trace
    shares = trace[FREE + "weights"].values[2]
    return float(shares @ trace[HEAD + "key"].values[:, column])


def test_one_box_that_another_error_may_well_give_is_possible_at_most() -> None:
    """A sum of two decimals: of so many slips with a term one gives nearly any number."""
    asked = question("5", "katze-trained")
    mean = next(cell for cell in asked.cells if cell[0] == "block1.mean1")
    found = [
        all_told("5", {mean: k / 100}, preset="katze-trained").get(mean, NOBODY)
        for k in range(-350, 350, 7)
    ]
    assert sum(bool(one.causes) for one in found) > 3
    assert sum(one.probable for one in found) <= 1
    # The same slip in four decimals is told by no chance.
    total = (FREE + "sum", 2, 0)
    doubled = {total: round(right(question("4a"))[total] / 6, 4)}
    assert all_told("4a", doubled)[total] == Told(("mean",), True)


def test_a_transposed_matrix_is_not_taken_for_a_missing_term() -> None:
    asked = question("5", "katze")
    trace, values = asked.trace, right(asked)
    before = trace["block1.normalised1"].values[2]
    turned = trace["block1.weight.hidden"].values.reshape(8, 4)
    entries = row_of("5", "block1.hidden", lambda cell: before @ turned[cell[2]], "katze")
    wrong = {cell: x for cell, x in entries.items() if abs(x - values[cell]) > 0.02}
    found = all_told("5", wrong, preset="katze")
    assert len(wrong) > 4
    assert not any(one.probable for one in found.values())


def test_at_most_three_causes_are_told_and_each_has_words() -> None:
    keys: set[str] = set()
    for cell in question("4a").cells[2:12:3]:
        for wrong in range(-50, 60, 9):
            found = of_box("4a", {cell: wrong / 20}, cell)
            assert len(found) <= MOST
            keys |= set(found)
    assert len(keys) >= 5
    for sheet in ("3", "4a", "5", "slide"):
        asked = question(sheet)
        computed = [box for box in asked.boxes.values() if isinstance(box.right, float)]
        keys |= {key for box in computed for key, _ in Slips(asked.all_right, box).of(box.right)}
    assert {"undivided", "by_count", "keys_for_values", "other_skip"} <= keys
    for language in languages():
        assert all(load(language).t(f"grading.cause.{key}") for key in keys)


def test_zeros_are_not_told_to_be_rounded_too_coarsely() -> None:
    """To no decimals a small number is 0, and so is what somebody left undone."""
    entries = row_of("4a", HEAD + "scaled", lambda _: 0.0)
    assert len(entries) > 3
    some = dict(list(entries.items())[:2])
    found = all_told("4a", some).values()
    assert all("rounded_early" not in one.causes and not one.probable for one in found)
