"""The marking rule: right, carried on, filled up, misplaced; nothing out of zeros everywhere."""

import math
from itertools import pairwise

import pytest

from generator.api import compute
from generator.checks.verdict import RIGHT
from generator.engine.step import Cell
from generator.grading.marking.marks import questions_of
from generator.grading.marking.question import Question
from generator.grading.marking.rule import EARNED, Continued, How
from generator.grading.marking.scheme import USUAL
from generator.grading.reading.entries import WORKBOOK
from generator.grading.reading.meant import Number
from generator.plans.workbook import plan as workbook_plan
from generator.render.workbook.sheet_tabs import played
from generator.sheets.series import in_workbook
from tests.grading.papers import FILLED, LEARNED, judge, question, right
from tests.grading.pupils import solved
from tests.reference.options import Draws
from tests.support.covering import covering, each
from tests.support.filled import reason
from tests.support.judge import judge as verdicts

HEAD = "block1.head1."
FREE = f"unmasked.{HEAD}"
MOST_FOR_ONE_NUMBER = 0.1  # of all boxes, for the same number in each


def earned(found: dict[Cell, object]) -> float:
    return sum(USUAL.share(one.how, percent=one.percent) for one in found.values())


def boxes(name: str) -> list[Cell]:
    """The boxes of a step of sheet 4a's head."""
    return [cell for cell in question("4a").cells if cell[0] in (HEAD + name, FREE + name)]


@pytest.mark.parametrize("sheet", each(3, FILLED))
def test_right_papers_earn_everything_and_empty_ones_nothing(sheet: str) -> None:
    asked = question(sheet)
    assert asked.cells
    assert {one.how for one in judge(asked, right(asked)).values()} == {How.ORIGINAL}
    assert {one.how for one in judge(asked, {}).values()} == {How.BLANK}


@pytest.mark.parametrize(("sheet", "number"), covering(FILLED, (0.0, 1.0, 0.5, -1.0)))
def test_the_same_number_everywhere_earns_only_where_it_is_right(sheet: str, number: float) -> None:
    asked = question(sheet)
    found = judge(asked, dict.fromkeys(asked.cells, number))
    right_ones = sum(one.how is How.ORIGINAL for one in found.values())
    assert earned(found) - right_ones <= max(2, MOST_FOR_ONE_NUMBER * len(asked.cells))


def slipped(asked: Question, wrong: Cell, by: float) -> dict[Cell, Number]:
    """The paper of somebody who makes one slip and goes on with it rightly."""
    head = Continued(asked)
    typed: dict[Cell, Number] = {}
    for cell in asked.cells:
        value = head.next(cell)
        typed[cell] = head.keep(cell, value + by if cell == wrong else value)
    return typed


@pytest.mark.parametrize("by", each(2, (0.5, 60.0)))
def test_zeros_to_which_own_numbers_lead_are_work(by: float) -> None:
    """A wrong μ, carried on rightly, makes f all 0: nobody put these zeros there."""
    asked, wrong = question("5", "katze"), ("block1.mean1", 2, 0)
    typed = slipped(asked, wrong, by)
    assert {typed[cell] for cell in asked.cells if cell[0] == "block1.feedforward"} == {0.0}
    found = judge(asked, typed)
    assert {cell for cell, one in found.items() if one.how not in EARNED} == {wrong}


@pytest.mark.parametrize(
    ("sheet", "step"),
    [
        ("5", "norm1.deviations"),
        ("5", "norm1.token3.squares"),
        ("5", "norm2.token3.squares"),
        ("slide", HEAD + "contribution3"),
    ],
)
def test_a_slip_in_a_row_that_the_sheet_prints_costs_that_box_alone(sheet: str, step: str) -> None:
    asked = question(sheet)
    wrong = next(cell for cell in asked.cells if cell[0] == step)
    typed = slipped(asked, wrong, 0.9)
    found = judge(asked, typed)
    assert {cell for cell, one in found.items() if one.how not in EARNED} == {wrong}
    assert any(one.how is How.CARRIED for one in found.values())
    # Who computed the way of the formulas, past the box, has nothing to lose either.
    past = judge(asked, right(asked) | {wrong: typed[wrong]})
    assert {cell for cell, one in past.items() if one.how not in EARNED} == {wrong}


@pytest.mark.parametrize("sheet", each(3, FILLED))
def test_the_way_over_printed_rows_leads_to_the_same_numbers(sheet: str) -> None:
    asked = question(sheet)
    for cell in filter(asked.is_computed, asked.cells):
        assert asked.all_right.value(cell) == pytest.approx(asked.right(cell), abs=1e-9)


@pytest.mark.parametrize("sheet", each(3, ("5", "slide", "4a", "6", "7c", "generate")))
def test_a_right_number_is_right_whatever_stands_beside_it(sheet: str) -> None:
    asked = question(sheet)
    papers = [solved(asked, Draws(f"beside {sheet} {k}"), 0.3).typed for k in range(4)]
    papers += [dict.fromkeys(asked.cells, number) for number in (0.0, 1.0)]
    hits = 0
    for typed in papers:
        for cell, one in judge(asked, typed).items():
            if one.value is not None and asked.same(cell, one.value, asked.right(cell)):
                assert one.how is How.ORIGINAL
                hits += 1
    assert hits


def test_a_slip_costs_one_box_and_what_follows_from_it_none() -> None:
    typed = right(question("4a"))
    wrong = boxes("sum")[0]
    typed[wrong] += 0.9
    for cell in boxes("weights"):
        typed[cell] = round(typed[(boxes("exp")[0][0], *cell[1:])] / typed[wrong], 3)
    found = judge(question("4a"), typed)
    assert found[wrong].how is How.WRONG
    assert {found[cell].how for cell in boxes("weights")} == {How.CARRIED}
    assert earned(found) >= len(found) - 1 - len(boxes("output"))


def test_a_blank_box_keeps_nobody_from_credit_for_what_follows() -> None:
    scaled, power, total, weight = (boxes(n)[0] for n in ("scaled", "exp", "sum", "weights"))
    typed = right(question("4a"))
    del typed[total]
    typed[scaled] += 0.5  # a slip before, so that neither right nor own numbers alone explain
    typed[power] = typed[power] * 2.718281828**0.5
    typed[weight] = round(typed[power] / question("4a").right(total), 3)
    found = judge(question("4a"), typed)
    how = [found[cell].how for cell in (power, total, weight)]
    assert how == [How.CARRIED, How.BLANK, How.FILLED]


def test_what_follows_from_a_blank_is_told_with_the_right_number_in_its_place() -> None:
    """e^x of a blank is none; a cell that shows 0 where it is hidden must not say 0."""
    trace = compute(preset="katze")
    asked = Question(WORKBOOK, trace, workbook_plan(trace, 2))
    power = next(cell for cell in asked.cells if cell[0].endswith("head1.exp"))
    blank_ = (power[0].replace("exp", "scaled"), *power[1:])
    typed = {cell: value for cell, value in right(asked).items() if cell not in (power, blank_)}
    assert judge(asked, typed)[power].expected == asked.right(power) != 0


def test_one_unit_of_the_last_decimal_is_right_and_two_are_not() -> None:
    typed = right(question("4a"))
    box = boxes("scaled")[3]
    for units, expected in ((1, How.ORIGINAL), (-1, How.ORIGINAL), (2, How.WRONG), (-2, How.WRONG)):
        assert judge(question("4a"), typed | {box: typed[box] + units / 100})[box].how is expected


def test_comma_point_and_per_cent_are_read() -> None:
    asked, box, after = question("4a"), boxes("weights")[3], boxes("output")[0]
    typed = right(asked)
    share = typed[box]
    per_cent = f"{share * 100:.1f}"
    for text in (f"{share:.3f}".replace(".", ","), f"{share}", f"{per_cent} %", f" {share}"):
        found = judge(asked, typed | {box: text})[box]
        assert (found.how, found.percent) == (How.ORIGINAL, False)
    found = judge(asked, typed | {box: per_cent.replace(".", ",")})
    assert (found[box].how, found[box].percent) == (How.ORIGINAL, True)
    odd = judge(asked, typed | {box: "zero"})
    assert odd[box].how is How.UNREADABLE
    assert found[after].how is odd[after].how is How.ORIGINAL


def test_numbers_in_neighbouring_boxes_are_recognised() -> None:
    asked, typed = question("4a"), right(question("4a"))
    one, other = boxes("scores")[2], boxes("scores")[3]
    swapped = judge(asked, typed | {one: typed[other], other: typed[one]})
    assert {swapped[one].how, swapped[other].how} == {How.MISPLACED}
    assert sum(one.how is How.MISPLACED for one in swapped.values()) == 2
    moved = {cell: typed[after] for cell, after in pairwise(boxes("scores"))}
    found = judge(asked, typed | moved)
    assert sum(found[cell].how is How.MISPLACED for cell in boxes("scores")[:-1]) >= 3


def test_another_tokens_row_is_named() -> None:
    asked, typed = question("4a"), right(question("4a"))
    step = asked.trace[HEAD + "query"]
    mine = [cell for cell in asked.cells if cell[0] == step.name]
    wrong = {cell: float(step.values[1, cell[2]]) for cell in mine}
    found = judge(asked, typed | wrong)
    assert {found[cell].how for cell in mine} == {How.OTHER_ROW}
    assert {found[cell].remark for cell in mine} == {step.rows[1]}


def test_ticks_are_blank_until_one_is_set() -> None:
    asked = question("6")
    ticks = [cell for cell in asked.cells if cell[0] == "topk.tick"]
    set_ = [cell for cell in ticks if asked.right(cell)]
    assert 0 < len(set_) < len(ticks)
    assert {judge(asked, {})[cell].how for cell in ticks} == {How.BLANK}
    found = judge(asked, dict.fromkeys(set_, "x"))
    assert {found[cell].how for cell in ticks} == {How.ORIGINAL}
    assert judge(asked, dict.fromkeys(ticks, "x"))[ticks[-1]].how is not How.ORIGINAL


@pytest.mark.parametrize("sheet", each(3, ("4a", "2", "3", "4b", "5", "7a", "7b")))
def test_the_workbooks_verdict_agrees(sheet: str) -> None:
    """What the verdict column calls right earns; what it does not is right or filled or neither."""
    asked = question(sheet)
    typed = right(asked)
    for place, cell in enumerate(asked.cells):
        if place % 5 == 2:
            typed[cell] = typed[cell] + 0.37
        elif place % 7 == 3:
            del typed[cell]
    found = judge(asked, typed)
    column = verdicts(asked.trace, _Asked(asked), typed)
    assert RIGHT in column.values()
    assert len(set(column.values())) > 1
    for cell, one in found.items():
        if column[cell] == RIGHT:
            assert one.how in EARNED | {How.IDLE}
        else:
            assert one.how is not How.CARRIED
        if one.how is How.CARRIED:
            assert column[cell] == RIGHT


class _Asked:
    def __init__(self, asked: Question) -> None:
        self.asked = asked.exercise.asked


def test_a_workbook_is_marked_though_many_ways_lead_through_it() -> None:
    """Layers lie between its boxes: each number is worked out once, not once for each way there."""
    tabs = tuple(in_workbook(sheet for sheet in FILLED if not reason(sheet, LEARNED)))
    trace = played(compute(preset=LEARNED), tabs)
    asked = Question(WORKBOOK, trace, workbook_plan(trace, 2))
    assert len(asked.exercise.waiting) > 4 * len(asked.cells) > 800
    typed = right(asked)
    slipped = {cell: typed[cell] + 7.77 for cell in asked.cells[5::20]}
    found = judge(asked, typed | slipped)
    assert {cell for cell, one in found.items() if one.how is How.WRONG} == slipped.keys()


def test_own_numbers_go_on_to_the_next_sheet_where_pupils_carry_them() -> None:
    """A slip on 4a: what 4b makes of the pupil's own scaled scores counts."""
    first, second = question("4a"), question("4b")
    plans = {"4a": first.plan, "4b": second.plan}
    carrying = questions_of(first.trace.with_steps(second.plan.extra), plans, carries=True)[1]
    step = HEAD + "scaled"
    slipped = right(first) | {(step, 2, 0): 1.5}
    power = math.exp(1.5)
    others = sum(second.trace[HEAD + "exp"].values[2, 1:3])
    entry = {(HEAD + "sum", 2, 0): round(power + float(others), 4)}
    typed = slipped | right(second) | entry
    assert judge(second, typed)[HEAD + "sum", 2, 0].how is How.WRONG
    assert judge(carrying, typed)[HEAD + "sum", 2, 0].how is How.CARRIED
    assert judge(carrying, right(second))[HEAD + "sum", 2, 0].how is How.ORIGINAL
    assert judge(carrying, right(second) | entry)[HEAD + "sum", 2, 0].how is How.WRONG
