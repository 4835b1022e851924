"""What sheet 6 asks and brings: the words, the last vector, bars, boxes of the checks, skills."""

import re

import pytest

import generator
from generator.engine.model import compute
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import page
from generator.sheets.context import Context
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet6 import plan as sheet6
from tests.support.sheets import Cells, html, solved, traces


def row(view: Context, step: str, i: int = 0) -> list:
    return view.trace[step].values[i].tolist()


def test_another_temperature_that_is_drawn_with():
    trace = generator.compute(preset="katze", edits={"temperature": 0.7})
    plan = sheet6.plan(trace, 2)
    assert plan.drawn == 1
    assert plan.heated == (0,)
    assert "T = 0,7" in page(plan, trace, trace, SheetOptions(), Formulas(), blank=True)
    same = generator.compute(preset="katze", edits={"temperature": 0.5})
    assert sheet6.plan(same, 2).heated == (2,)


@pytest.mark.parametrize("preset", ["katze", "katze-trained", "nihao"])
def test_the_first_level_asks_the_words_that_may_come_next(preset):
    trace, _ = traces(preset, "de")
    plan = sheet6.plan(trace, 1)
    logits = trace["output.logits"].values[0]
    others = [j for j in range(len(logits)) if j not in plan.words]
    assert len(plan.words) == min(3, len(logits))
    assert min(logits[list(plan.words)]) >= max(logits[others])
    assert not any(cell[0] == "output.logits" for cell in plan.asked)
    assert trace["output.probabilities"].values[plan.heated[0], list(plan.words)].max() > 0.1


@pytest.mark.parametrize("preset", ["katze", "ausgabe", "katze-trained", "nihao", "induction"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_asked_shares_say_something(preset, level):
    """Beyond three words none is asked whose share is next to nothing."""
    plan = sheet6.plan(trace := traces(preset, "de")[0], level)
    shares = trace["output.probabilities"].values
    asked = {row: [j for step, i, j in plan.asked if step == "output.probabilities" and i == row]
             for row in plan.heated}  # fmt: skip
    for row, words in asked.items():
        assert len(words) >= min(3, len(shares[row]))
        assert len(words) <= 3 or min(shares[row, words]) >= 0.005
    counts = [(shares[row] >= 0.005).sum() for row in plan.shown if row != plan.drawn]
    assert (shares[plan.heated[0]] >= 0.005).sum() == max(counts)


def test_a_model_that_is_sure_is_heated():
    """Cold, all shares but three would be 0.00: the warm ones are asked."""
    trace, _ = traces("ausgabe", "de")
    probabilities = trace["output.probabilities"]
    sure = probabilities.values.copy()
    sure[0] = [0, 0, 0, 0.004, 0.006, 0.99]
    other = trace.with_steps([probabilities._replace(values=sure)])
    assert sheet6.plan(trace, 2).heated == (0,)
    assert sheet6.plan(other, 2).heated == (2,)
    third = sheet6.plan(other, 3)
    assert third.heated == (2, 0)
    cold = {j for step, i, j in third.asked if step == "output.probabilities" and i == 0}
    assert cold == {3, 4, 5} | set(
        sorted(range(6), key=lambda j: -trace["output.logits"].values[0, j])[:3]
    )


def test_the_last_vector_is_brought_from_sheet_5():
    """The row of "Matte" at the end of the only block, where pupils were asked for it there."""
    trace = compute(load_preset("katze"), exercise=5)
    given, own, early = (
        Cells(
            html(trace, trace, SheetOptions(carry=carry, level=level), blank=True, sheet="6")
        ).found
        for carry, level in (("given", 3), ("own", 3), ("own", 2))
    )
    assert not any(ask for (step, _, _), ask, _ in early if step == "last"), "level 2 ends before"
    vector = [(ask, value) for (step, _, _), ask, value in given if step == "last"]
    assert vector == [(False, value) for value in ("−1,47", "0,78", "−0,37", "1,06")]
    assert [(ask, v) for (step, _, _), ask, v in own if step == "last"] == [(True, "")] * 4
    trace, exact = traces("ausgabe", "de")
    pages = [
        html(trace, exact, SheetOptions(carry=carry), blank=True, sheet="6")
        for carry in ("given", "own")
    ]
    assert pages[0] == pages[1]


def test_a_long_last_vector_has_room_for_its_numbers():
    for preset, columns in (("katze", 4), ("induction", 8)):
        trace, exact = traces(preset, "de")
        document = html(trace, exact, SheetOptions(), blank=True, sheet="6")
        group = re.search(r'<table class="output given">\s*<colgroup>(.*?)</colgroup>', document)
        widths = [float(w) for w in re.findall(r"width: ([\d.]+)mm", group[1])]
        assert sum(widths) == pytest.approx(170, abs=0.1)
        assert len(widths) == 1 + columns + 4
        assert min(widths[1 : columns + 1]) >= 9


def test_bars_are_sorted_and_stand_on_one_page():
    for preset in ("katze", "katze-trained"):
        view = solved("6", preset, 2)
        given = [row(view, "draw.share")[j] for j in view.likeliest()]
        assert given == sorted(row(view, "draw.share"), reverse=True)[: len(given)]
        assert len(given) == min(8, len(view.words))
    trace, exact = traces("katze-trained", "de")
    document = html(trace, exact, SheetOptions(), blank=True, sheet="6")
    words = re.findall(r'<div class="group"><span class="word">([^<]+)<', document)
    view = solved("6", "katze-trained", 2)
    assert words == [view.words[j] for j in view.likeliest()] * 2


def test_the_boxes_of_the_check_are_filled_in_the_solution_only():
    view = solved("6", "katze", 3)
    full, blank = (
        html(*traces("katze", "de"), SheetOptions(level=3), blank=blank, sheet="6")
        for blank in (False, True)
    )
    boxes = [re.findall(r'<td class="own">.*?</td>', page) for page in (full, blank)]
    sums = [view.show(step, view.trace[name].values[i, 0]) for i in view.plan.heated
            for name, step in (("check.exponents", "output.tempered"),
                               ("check.shares", "output.probabilities"))]  # fmt: skip
    assert [re.search(r'answer">([^<]+)<', box)[1] for box in boxes[0]] == sums
    assert sums[:2] == ["−2,260", "0,998"]
    assert len(boxes[1]) == len(boxes[0]) == 4
    assert not any("answer" in box for box in boxes[1])


SKILL = re.compile(r'<th scope="row" class="skill">(\w+) · .*?</td>(<td>.*?</td>)', re.DOTALL)


@pytest.mark.parametrize(
    ("preset", "names"),
    [
        ("katze", ["1", "2", "3", "4a", "4b", "5", "6", "6"]),
        ("ausgabe", ["2", "6", "6"]),
        ("nihao", ["1", "2", "4a", "4b", "5", "6", "6"]),
    ],
)
def test_pupils_tick_what_they_can_do_on_the_sheets_of_this_model(preset, names):
    trace, exact = traces(preset, "en")
    found = [
        SKILL.findall(
            html(trace, exact, SheetOptions(language="en", story=story), blank=blank, sheet="6")
        )
        for story in (True, False)
        for blank in (True, False)
    ]
    assert sorted(name for name, _ in found[0]) == names
    assert found.count(found[0]) == 4, "it is no task: a solution leaves it open"
    computed = ['class="self"' in cell for _, cell in found[0]]
    assert computed.count(False) == 1, "the loop is to be explained only"
