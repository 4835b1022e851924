"""Sheet 3: the source's numbers, further places, equal words, slips and the check."""

import re

import numpy as np
import pytest

from generator.engine.model import compute
from generator.insight.position import equal_words, position_slips, square_sum, stamped
from generator.presets.load import load_preset
from generator.sheets.options import SheetOptions
from generator.sheets.sheet3 import plan as sheet3
from tests.support.sheet3 import view
from tests.support.sheets import pdf, text, traces

POSITIONS = [  # source 000, lines 49 to 54
    [0.000, 1.000, 0.000, 1.000],
    [0.841, 0.540, 0.010, 1.000],
    [0.909, -0.416, 0.020, 1.000],
    [0.141, -0.990, 0.030, 1.000],
    [-0.757, -0.654, 0.040, 0.999],
    [-0.959, 0.284, 0.050, 0.999],
]
INPUTS = [  # source 000, lines 61 to 66
    [0.9, 1.1, 0.0, 1.1],
    [0.8, 1.4, 0.1, 1.2],
    [0.9, -0.3, 0.9, 1.0],
    [0.6, -1.0, 0.3, 1.4],
    [0.1, -0.6, 0.0, 1.1],
    [-1.0, 0.3, 0.1, 1.9],
]


def test_the_numbers_are_the_sources():
    for preset in ("katze", "brille"):
        trace, _ = traces(preset, "de")
        assert trace["position"].values.tolist() == POSITIONS
        assert trace["input"].values.tolist() == INPUTS
    shown = view("brille", "de", 2)
    assert shown.radian_test() == {"right": "0,841", "wrong": "0,017"}
    assert [shown.divisor(k) for k in (0, 1)] == ["1", "100"]
    assert [shown.turn(k) for k in (0, 1)] == ["6,3", "628,3"]
    assert shown.tolerance() == "0,002"


def test_the_own_word_at_further_places():
    """„sitzt“ at 6 and at 46, by hand: sin 6 = −0,2794, cos 6 = 0,9602, sin 46 = 0,9018 …"""
    trace, _ = traces("brille", "de")
    plan = sheet3.plan(trace, 3)
    whole = trace.with_steps(plan.extra)
    assert [(p.kind, p.prefix, p.position) for p in plan.places] == [
        ("own", "", 2.0),
        ("again", "task2.", 6.0),
        ("far", "task3.", 46.0),
    ]
    assert whole["task2.position"].values.tolist() == [[-0.279, 0.96, 0.06, 0.998]]
    assert whole["task2.input"].values.tolist() == [[-0.3, 1.1, 1.0, 1.0]]
    assert whole["task3.position"].values.tolist() == [[0.902, -0.432, 0.444, 0.896]]
    assert whole["task3.input"].values.tolist() == [[0.9, -0.3, 1.3, 0.9]]


@pytest.mark.parametrize("preset", ["katze", "brille", "random"])
@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_further_place_follows_the_model(preset, row):
    """At a place of the sentence the extra steps are the sentence's own."""
    for trace in traces(preset, "de"):
        steps = {s.name: s for s in stamped(trace, "again.", row, float(row))}
        for name in ("position.angle", "position", "embedding", "input"):
            extra = steps[f"again.{name}"]
            assert extra.values.tolist() == trace[name].values[row : row + 1].tolist()
            assert extra.columns == trace[name].columns
        assert steps["again.input"].decimals == trace["input"].decimals


def test_a_repeated_word_is_asked_where_it_stands():
    sentence = "Matte auf Matte sitzt auf Katze"
    trace = compute(load_preset("katze"), sentence, worked=5, exercise=4)
    places = sheet3.plan(trace, 2).places
    assert [(p.prefix, p.row, p.position) for p in places] == [("", 4, 4.0), ("", 1, 1.0)]


@pytest.mark.parametrize(
    ("sentence", "level", "question", "names"),
    [
        (None, 1, "alike", ("Die", "der")),
        ("Katze sitzt auf Katze Matte", 1, "repeated", ("Katze", "Katze")),
        ("Katze sitzt auf Matte", 1, "generic", None),
        (None, 2, "again", None),
    ],
)
def test_the_question_on_equal_words(sentence, level, question, names):
    shown = view("katze", "de", level, sentence)
    assert shown.equal_question() == question
    if names:
        assert tuple(shown.equal_names().values()) == names


def test_equal_words_go_before_words_of_one_embedding():
    assert equal_words(traces("katze", "de")[0]) == (0, 4)
    assert equal_words(traces("katze", "de", "Die der Katze Matte Katze")[0]) == (2, 4)


def test_the_slips_give_these_wrong_numbers():
    """„sitzt“ at 2: sin 2° = 0,0349; sin 2 instead of sin 0,02; cos 2 = −0,416; sin 3 = 0,141."""
    trace, exact = traces("brille", "de")
    found = {s.key: (s.i, s.j, s.wrong) for s in position_slips(trace, 2)}
    assert found == {
        "degrees": (2, 0, 0.035),
        "divisor": (2, 2, 0.909),
        "swapped": (2, 0, -0.416),
        "from_one": (2, 0, 0.141),
    }
    assert [s.key for s in position_slips(trace, 0)] == ["swapped", "from_one"]
    shown = text(pdf(trace, exact, SheetOptions(), "solution", "3"))
    assert "Grad statt Bogenmaß d₁ von „sitzt“ 0,035 0,909" in shown.replace("\r\n", " ")


def test_the_check_holds_within_its_tolerance():
    trace, _ = traces("katze", "de", "a b c d e f g h i j k l")
    sums = [square_sum(trace, "position", i, k) for i in range(12) for k in (0, 1)]
    assert max(abs(value - 1) for value, _ in sums) <= 0.002
    assert sums[0] == (1.0, False), "0² + 1² is 1 without rounding"
    assert square_sum(trace, "position", 2, 0) == (0.999, True)


def test_numbers_of_the_solution_come_from_the_engine():
    trace, exact = traces("brille", "de")
    plan = sheet3.plan(trace, 2)
    whole = trace.with_steps(plan.extra)
    names = ("position", "position.angle", "embedding", "input")
    allowed = {"0,002", "0,841", "0,017", "6,3", "628,3", "0,5", "0,999", "1,000", "0,01"}
    for name in (*names, *(f"task2.{n}" for n in names)):
        for value in np.abs(whole[name].values.ravel()):
            shown = (f"{value:.{d}f}" for d in (1, 2, 3))
            allowed |= {s.replace(".", ",") for s in shown if float(s) == value}
    slips = {"0,035"}
    found = set(re.findall(r"\d+,\d+", text(pdf(trace, exact, SheetOptions(), "solution", "3"))))
    assert len(found) > 30
    assert found <= allowed | slips
