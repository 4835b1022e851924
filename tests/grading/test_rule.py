"""The marking rule: right, carried on, filled up, misplaced; nothing out of zeros everywhere."""

import math
from dataclasses import dataclass
from itertools import pairwise

import pytest

from generator.api import compute
from generator.checks.verdict import RIGHT
from generator.engine.step import Cell
from generator.grading.marking.marks import task_marks
from generator.grading.marking.question import Question
from generator.grading.marking.rule import BoxMark
from generator.grading.marking.scheme import EARNED, USUAL, How, Scheme
from generator.grading.marking.task import PupilTask
from generator.grading.reading.entries import WORKBOOK
from generator.plans.workbook import plan as workbook_plan
from generator.render.workbook.sheet_tabs import played
from generator.sheets.series import in_workbook
from tests.grading.papers import FILLED, LEARNED, judge, question, right, slipped
from tests.grading.pupils import solved
from tests.reference.options import Draws
from tests.support.covering import covering, each
from tests.support.filled import reason
from tests.support.judge import judge as verdicts

HEAD = "block1.head1."
FREE = f"unmasked.{HEAD}"


def boxes(name: str) -> list[Cell]:
    """The boxes of a step of sheet 4a's head."""
    return [cell for cell in question("4a").cells if cell[0] in (HEAD + name, FREE + name)]


def failed(found: dict[Cell, BoxMark]) -> set[Cell]:
    return {cell for cell, one in found.items() if one.how not in EARNED}


@pytest.mark.parametrize("sheet", each(3, FILLED))
def test_right_papers_earn_everything_and_empty_ones_nothing(sheet: str) -> None:
    asked = question(sheet)
    assert asked.cells
    assert {one.how for one in judge(asked, right(asked)).values()} == {How.ORIGINAL}
    assert {one.how for one in judge(asked, {}).values()} == {How.BLANK}
    # Also by way of the rows that a sheet prints.
    for box in (box for box in asked.boxes.values() if box.is_computed):
        assert asked.all_right.value(box) == pytest.approx(box.right, abs=1e-9)


@pytest.mark.parametrize(("sheet", "number"), covering(FILLED, (0.0, 1.0, 0.5, -1.0)))
def test_the_same_number_everywhere_earns_only_where_it_is_right(sheet: str, number: float) -> None:
    # Elsewhere 7d has three small groups, 9 of 82; and ReLU leaves each 1 of sheet 5 as it is.
    asked = question(sheet, "katze" if sheet in ("5", "7d") else "")
    found = judge(asked, dict.fromkeys(asked.cells, number)).values()
    wrong = (one for one in found if one.how is not How.ORIGINAL)
    assert sum(USUAL.share(one.how) for one in wrong) <= max(2, 0.1 * len(asked.cells))


@pytest.mark.parametrize("by", each(2, (0.5, 60.0)))
def test_zeros_to_which_own_numbers_lead_are_work(by: float) -> None:
    """A wrong μ, carried on rightly, makes f all 0: nobody put these zeros there."""
    asked, wrong = question("5", "katze"), ("block1.mean1", 2, 0)
    typed = slipped(asked, wrong, by)
    assert {typed[cell] for cell in asked.cells if cell[0] == "block1.feedforward"} == {0.0}
    assert failed(judge(asked, typed)) == {wrong}


@pytest.mark.parametrize(
    ("sheet", "step"),
    [
        ("4a", FREE + "sum"),
        ("5", "norm1.deviations"),
        ("5", "norm1.token3.squares"),
        ("5", "block1.residual2"),
        ("7c", "grad.block1.head1.weights"),
        ("slide", "covered.sum"),
    ],
)
def test_a_slip_costs_its_box_alone_also_in_a_row_that_the_sheet_prints(sheet, step) -> None:
    asked = question(sheet)
    wrong = next(cell for cell in asked.cells if cell[0] == step)
    typed = slipped(asked, wrong, 0.9)
    found = judge(asked, typed)
    assert failed(found) == {wrong}
    assert How.CARRIED in {one.how for one in found.values()}
    # Who computed the way of the formulas, past the box, has nothing to lose either.
    assert failed(judge(asked, right(asked) | {wrong: typed[wrong]})) == {wrong}


@pytest.mark.parametrize("sheet", each(3, ("5", "slide", "4a", "6", "7c", "generate")))
def test_a_right_number_is_right_whatever_stands_beside_it(sheet: str) -> None:
    asked = question(sheet)
    papers = [solved(asked, Draws(f"beside {sheet} {k}"), 0.3).typed for k in range(4)]
    papers += [dict.fromkeys(asked.cells, number) for number in (0.0, 1.0)]
    found = [one for typed in papers for one in judge(asked, typed).values()]
    hits = [one.how for one in found
            if one.value is not None and asked.boxes[one.cell].is_right(one.value)]  # fmt: skip
    assert set(hits) == {How.ORIGINAL}


def test_a_blank_box_keeps_nobody_from_credit_for_what_follows() -> None:
    scaled, power, total, weight = (boxes(n)[0] for n in ("scaled", "exp", "sum", "weights"))
    typed = right(question("4a"))
    typed[scaled] += 0.5  # a slip before, so that neither right nor own numbers alone explain
    typed[power] = typed[power] * 2.718281828**0.5
    typed[weight] = round(typed[power] / typed.pop(total), 3)
    found = judge(question("4a"), typed)
    how = [found[cell].how for cell in (power, total, weight)]
    assert how == [How.CARRIED, How.BLANK, How.FILLED]


def test_what_follows_from_a_blank_is_told_with_the_right_number_in_its_place() -> None:
    """e^x of a blank is none; a cell that shows 0 where it is hidden must not say 0."""
    trace = compute(preset="katze")
    asked = Question(WORKBOOK, trace, workbook_plan(trace, 2))
    power = next(cell for cell in asked.cells if cell[0].endswith("head1.exp"))
    blank = (power[0].replace("exp", "scaled"), *power[1:])
    typed = {cell: value for cell, value in right(asked).items() if cell not in (power, blank)}
    assert judge(asked, typed)[power].expected == asked.boxes[power].right != 0


def test_one_unit_of_the_last_decimal_is_right_and_two_are_not() -> None:
    typed = right(question("4a"))
    box = boxes("scaled")[3]
    for units, expected in ((1, How.ORIGINAL), (-1, How.ORIGINAL), (2, How.WRONG), (-2, How.WRONG)):
        assert judge(question("4a"), typed | {box: typed[box] + units / 100})[box].how is expected


def on_a_calculator(root: float) -> dict:
    """Sheet 4a by somebody who writes rounded numbers down and goes on with all digits."""
    asked = question("4a")
    typed, value = right(asked), asked.trace[HEAD + "value"].values
    scaled = [typed[cell] / root for cell in boxes("scores")]
    powers = [math.exp(x) for x in scaled]
    shares = [x / sum(powers) for x in powers]
    output = [sum(a * b for a, b in zip(shares, column, strict=True)) for column in value.T]
    for step, numbers in {
        "scaled": scaled, "exp": powers, "sum": [sum(powers)], "weights": shares, "output": output
    }.items():  # fmt: skip
        for cell, x in zip(boxes(step), numbers, strict=True):
            typed[cell] = round(x, asked.boxes[cell].decimals)
    return typed


@pytest.mark.parametrize("root", [1.41, math.sqrt(2)])
def test_who_never_rounds_is_told_so_once_and_the_teacher_decides_whether_it_counts(root) -> None:
    asked, typed = question("4a"), on_a_calculator(root)
    wrong = {cell for cell, one in judge(asked, typed).items() if one.how not in EARNED}
    assert len(wrong) >= 4
    for rule, credit in (("as-printed", 0.0), ("ok", 1.0)):
        scheme = Scheme(unrounded=rule)
        marks = task_marks(Question("4a", asked.trace, asked.plan, scheme), typed).marks
        lost = {one.cell: one for one in marks if one.how is How.UNROUNDED}
        assert lost.keys() == wrong
        assert {(one.credit, one.understood) for one in lost.values()} == {(credit, 1.0)}
        assert {(one.causes, one.probable) for one in lost.values()} == {(("unrounded",), True)}
    # One box alone may be any error, and a slip of several units is one.
    (one, *_) = wrong
    single = judge(asked, right(asked) | {one: typed[one]})[one]
    assert single.how is How.WRONG
    slip = judge(asked, typed | {one: typed[one] + 0.3})
    assert slip[one].how is How.WRONG
    assert sum(mark.how is How.UNROUNDED for mark in slip.values()) == len(wrong) - 1


def test_comma_point_and_per_cent_are_read() -> None:
    asked, box, after = question("4a"), boxes("weights")[3], boxes("output")[0]
    typed = right(asked)
    share = typed[box]
    per_cent = f"{share * 100:.1f}"
    texts = (f"{share:.3f}".replace(".", ","), f"{share}", f"{per_cent} %", f" {share}")
    for text, bare in (*((text, False) for text in texts), (per_cent.replace(".", ","), True)):
        found = judge(asked, typed | {box: text})
        assert (found[box].how, found[box].percent) == (How.ORIGINAL, bare)
        assert found[after].how is How.ORIGINAL
    odd = judge(asked, typed | {box: "zero"})
    assert (odd[box].how, odd[after].how) == (How.UNREADABLE, How.ORIGINAL)


def test_large_shares_are_per_cent_only_where_most_of_the_row_are() -> None:
    """Σ divided by a power is above 1, too, and one of these may happen to fit."""
    asked = question("4a")
    typed = right(asked)
    turned = {cell: round(5 / typed[cell], 2) for cell in boxes("weights")}
    first = boxes("weights")[0]
    found = judge(asked, typed | turned | {first: round(100 * typed[first], 1)})
    assert not any(found[cell].percent for cell in turned)


def test_intervals_are_read_however_they_are_written() -> None:
    asked = question("6", "katze")
    wanted = {cell: asked.boxes[cell].right for cell in asked.cells if cell[0] == "draw.digits"}
    assert len(wanted) > 3
    for written in ("{0}-{1}", "{0} – {1}", "{0} bis {1}", "{0} to {1}"):
        typed = {cell: written.format(*x.split("–")) for cell, x in wanted.items()}
        found = judge(asked, right(asked) | typed)
        assert {found[cell].how for cell in wanted} == {How.ORIGINAL}
    (first, *_) = wanted
    short = wanted[first].replace("00", "0")
    assert judge(asked, right(asked) | {first: short})[first].how is How.ORIGINAL
    assert judge(asked, right(asked) | {first: "01–04"})[first].how is How.WRONG


def test_a_fraction_is_rounded_where_it_is_copied() -> None:
    asked = question("4b")
    output, copied = (HEAD + "output", 2, 0), ("block1.concat", 2, 0)
    typed = right(asked) | {output: 0.33}
    assert judge(asked, typed | {copied: "1/3"})[copied].how is How.CARRIED
    assert judge(asked, typed | {copied: "1/4"})[copied].how is How.WRONG


def test_what_the_sheet_prints_counts_as_printed_after_an_own_slip() -> None:
    """Sheet 5 prints some of f: it does not follow anew from the own y, which W₁ is to meet."""
    asked = question("5", LEARNED)
    before, after = ("block1.normalised1", 2, 0), ("block1.residual2", 2, 0)
    assert ("block1.feedforward", 2, 0) in asked.exercise.waiting
    slip = {cell: float(asked.boxes[cell].right) + 3 for cell in (before, after)}
    found = judge(asked, right(asked) | slip)
    assert (found[before].how, found[after].how) == (How.WRONG, How.CARRIED)


def test_before_the_relu_counts_what_the_sheet_prints() -> None:
    """An own y would make some h negative that stand printed: their 0 is no number of anybody's."""
    asked = question("5")
    printed = [c for c in asked.cells if c[0].endswith("activation") and asked.boxes[c].right]
    printed = [c for c in printed if ("block1.hidden", *c[1:]) not in asked.cells]
    slips = [c for c in asked.cells if c[0].endswith("normalised1")]
    away = [right(asked) | dict.fromkeys(slips, by) for by in (-3.0, 3.0, 9.0)]
    for typed in away:
        found = judge(asked, typed | dict.fromkeys(printed, 0.0))
        assert {found[cell].how for cell in printed} == {How.WRONG}


def test_a_number_that_the_slip_of_its_row_gives_is_not_taken_for_a_mended_one() -> None:
    """Each holds f alone; one of them is by chance old + f as it was before a wrong f."""
    asked = question("5", "katze")
    fed, both = ([c for c in asked.cells if c[0].endswith(x)] for x in ("feedforward", "residual2"))
    typed = slipped(asked, next(c for c in asked.cells if c[0].endswith("normalised1")), 0.5)
    typed[fed[0]] = typed[both[0]]
    habit = typed | {cell: typed[f] for cell, f in zip(both, fed, strict=True)}
    assert judge(asked, habit)[both[0]].how is How.MENDED
    marks = {mark.cell: mark.how for mark in task_marks(asked, habit).marks}
    assert {marks[cell] for cell in both} == {How.WRONG}
    # Where the others of the row are right it is what it seems.
    marks = {mark.cell: mark.how for mark in task_marks(asked, typed).marks}
    assert marks[both[0]] is How.MENDED


def test_numbers_in_neighbouring_boxes_are_recognised() -> None:
    asked, typed = question("4a"), right(question("4a"))
    one, other = boxes("scores")[2], boxes("scores")[3]
    swapped = judge(asked, typed | {one: typed[other], other: typed[one]})
    misplaced = {cell for cell, mark in swapped.items() if mark.how is How.MISPLACED}
    assert misplaced == {one, other}
    # Also those that follow from an own slip before.
    after_slip = slipped(asked, boxes("query")[0], 0.9)
    changed = judge(asked, after_slip | {one: after_slip[other], other: after_slip[one]})
    assert {cell for cell, mark in changed.items() if mark.how is How.MISPLACED} == {one, other}
    moved = {cell: typed[after] for cell, after in pairwise(boxes("scores"))}
    found = judge(asked, typed | moved)
    assert sum(found[cell].how is How.MISPLACED for cell in boxes("scores")[:-1]) >= 3


def test_numbers_whose_signs_were_lost_are_not_exchanged_ones() -> None:
    """Of two deviations that differ in sign alone each has the other's number then."""
    asked = question("5", "katze")
    mean, first, second = (("norm1.deviations", 2, k) for k in (0, 1, 2))
    row = [cell for cell in asked.cells if cell[0] == "block1.residual1"]
    before = {row[0]: 1.0, row[1]: -1.0, row[2]: 1.0, row[3]: -1.0, ("block1.mean1", 2, 0): 0.0}
    own = dict.fromkeys([mean, second], 1.0) | dict.fromkeys(
        [first, ("norm1.deviations", 2, 3)], -1.0
    )
    turned = judge(asked, right(asked) | before | {cell: -x for cell, x in own.items()})
    assert not any(turned[cell].how is How.MISPLACED for cell in own)


def test_another_tokens_row_is_named() -> None:
    asked = question("4a")
    step = asked.trace[HEAD + "query"]
    wrong = {cell: float(step.values[1, cell[2]]) for cell in asked.cells if cell[0] == step.name}
    found = judge(asked, right(asked) | wrong)
    assert {(found[c].how, found[c].remark) for c in wrong} == {(How.OTHER_ROW, step.rows[1])}


def test_ticks_are_blank_until_one_is_set() -> None:
    asked = question("6")
    ticks = [cell for cell in asked.cells if cell[0] == "topk.tick"]
    wanted = [cell for cell in ticks if asked.boxes[cell].right]
    assert 0 < len(wanted) < len(ticks)
    assert {judge(asked, {})[cell].how for cell in ticks} == {How.BLANK}
    found = judge(asked, dict.fromkeys(wanted, "x"))
    assert {found[cell].how for cell in ticks} == {How.ORIGINAL}
    assert judge(asked, dict.fromkeys(ticks, "x"))[ticks[-1]].how is not How.ORIGINAL


@dataclass
class Asked:
    asked: frozenset[Cell]


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
    column = verdicts(asked.trace, Asked(asked.exercise.asked), typed)
    assert {RIGHT} < set(column.values())
    for cell, one in judge(asked, typed).items():
        if column[cell] == RIGHT:
            assert one.how in EARNED | {How.IDLE}
        else:
            assert one.how is not How.CARRIED


def test_a_workbook_is_marked_though_many_ways_lead_through_it() -> None:
    """Layers lie between its boxes: each number is worked out once, not once for each way there."""
    tabs = tuple(in_workbook(sheet for sheet in FILLED if not reason(sheet, LEARNED)))
    trace = played(compute(preset=LEARNED), tabs)
    asked = Question(WORKBOOK, trace, workbook_plan(trace, 2))
    assert len(asked.exercise.waiting) > 4 * len(asked.cells) > 800
    typed = right(asked)
    wrong = {cell: typed[cell] + 7.77 for cell in asked.cells[5::20]}
    found = judge(asked, typed | wrong)
    assert {cell for cell, one in found.items() if one.how is How.WRONG} == wrong.keys()


def test_own_numbers_go_on_to_the_next_sheet_where_pupils_carry_them() -> None:
    """A slip on 4a: what 4b makes of the pupil's own powers counts."""
    first, second = question("4a"), question("4b")
    task = PupilTask(
        first.trace.with_steps(second.plan.extra), {"4a": first.plan, "4b": second.plan}
    )
    _, carrying = task.questions(carries=True)
    power = round(math.exp(1.5), 4)
    slip = right(first) | {(HEAD + "scaled", 2, 0): 1.5, ("unmasked." + HEAD + "exp", 2, 0): power}
    others, total = second.trace[HEAD + "exp"].values[2, 1:3], (HEAD + "sum", 2, 0)
    entry = {total: round(power + float(sum(others)), 4)}
    typed = slip | right(second) | entry
    assert judge(second, typed)[total].how is How.WRONG
    assert judge(carrying, typed)[total].how is How.CARRIED
    power_alone = typed | {(HEAD + "scaled", 2, 0): right(first)[HEAD + "scaled", 2, 0]}
    assert judge(carrying, power_alone)[total].how is How.CARRIED
    assert judge(carrying, right(second))[total].how is How.ORIGINAL
    assert judge(carrying, right(second) | entry)[total].how is How.WRONG
