"""Sheet 3: the source's numbers, places, slips, no leak through drawings, what it refuses."""

import re
from dataclasses import replace

import numpy as np
import pypdfium2
import pytest

from generator.engine.model import compute
from generator.errors import UserError
from generator.presets.load import load_preset
from generator.sheets.options import SheetOptions
from generator.sheets.sheet3 import plan as sheet3
from generator.sheets.sheet3.plan import WordAt, equal_words, stamped
from tests.support import battery
from tests.support.covering import each
from tests.support.sheets import Paper, paper, text, traces
from tests.support.structure import stays_within
from tests.support.views import render_help
from tests.support.words import words

TWELVE = "a b c d e f g h i j k l"


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("sentence", [None, "Die Katze", TWELVE])
def test_no_wave_and_no_mark_of_a_blank_stands_in_a_gap(level, sentence):
    waves = paper("3", sentence=sentence, level=level).view.grid()
    assert len(waves.gaps) == min(level, 2)
    for column in range(4):
        paths = "".join(waves.curves(column))
        drawn = [m.x for m in waves.marks(column)] + [
            float(x) for x in re.findall(r"[ML](\S+) ", paths)
        ]
        assert drawn
        for gap in waves.gaps:
            assert all(abs(x - waves.x(gap)) >= waves.unit / 2 - 0.01 for x in drawn)


def test_a_blank_draws_no_answer():
    one = paper("3", "brille")
    answers = [page.count('stroke="#1d3fb0"') for page in (one.blank, one.solution)]
    assert answers == [0, 2 * 2 * 4], "a wave and a mark for each number"


def bare(**fields: object) -> Paper:
    """The sheet of the preset of drawn numbers without attention, some fields put differently."""
    preset = replace(load_preset("random"), parts=frozenset(), **{"weights": {}} | fields)
    both = (compute(preset, rounding=rounding) for rounding in (None, "exact"))
    return Paper("3", *both, SheetOptions(level=3))


LEARNED = {"positions": "learned", "weights": {"position": np.full((8, 4), 0.1)}}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (LEARNED, r"learned positions.*'katze' or 'brille'"),
        ({"d_model": 8}, r"d_model = 8; .* 2 to 6.*'katze'"),
    ],
)
def test_learned_positions_and_wide_models_are_refused(fields, message):
    with pytest.raises(UserError, match=message):
        _ = bare(**fields).plan


def test_six_dimensions_give_their_divisors_and_angles():
    one = bare(d_model=6)
    assert battery.boxes(*one.given) == 36
    assert stays_within(one.pdf()) == 5
    assert "2 : 21,5443 ≈ 0,0928" in one.blank


@pytest.mark.parametrize(("preset", "level", "boxes"), each(2, [("brille", 1, 0), ("katze", 2, 8),
                                                        ("katze", 3, 12)]))  # fmt: skip
def test_the_embedding_is_brought_along_where_sheet_2_read_it_off(preset, level, boxes):
    one = paper("3", preset, level=level, carry="own")
    assert one.blank.count('class="ask carry') == boxes
    assert ("die Zeile u von Blatt 2" in one.blank) == bool(boxes)
    assert stays_within(one.pdf("blank")) == 4
    battery.blank_is_solution_without_answers(*one.given)


def test_no_table_leaves_its_caption_behind_in_large_print():
    document = paper("3", large_print=True).pdf("blank")
    pages = [" ".join(page.get_textpage().get_text_range().split())
             for page in pypdfium2.PdfDocument(document)]  # fmt: skip
    with_caption = [page for page in pages if re.search("“ an Position [26]", page)]
    tables = [page for page in with_caption if "„sitzt“ an Position" in page and "Winkel" in page]
    assert len(tables) == 2


def test_equals_and_roughly_stand_where_they_are_true():
    plain = re.sub(r"<[^>]+>", "", paper("3", "brille").solution).replace("\N{NO-BREAK SPACE}", " ")
    assert "d1: sin(1 : 1) = sin 1 ≈ 0,841; Summe: 0,0 + 0,841 ≈ 0,8" in plain
    assert "d4: cos(1 : 100) = cos 0,01 ≈ 1,000; Summe: 0,2 + 1,000 = 1,2" in plain


@pytest.mark.parametrize(("language", "sign"), [("de", ":"), ("en", "÷")])
def test_a_help_card_begins_as_the_sheet_does(language, sign):
    """The division that the sheet prints, not the angle with all its decimals."""
    one = paper("3", language=language)
    document = render_help(*one.given, kind="html").decode()
    place = one.plan.places[0].position
    joint = {"de": "und", "en": "and"}[language]
    angles = [f"({place:.0f} {sign} {divisor}) = …" for divisor in (1, 100)]
    starts = [f"sin{angle} {joint} cos{angle}" for angle in angles]
    assert re.findall(r'<p class="first"><b>.*?</b> (.*?)</p>', document) == starts


@pytest.mark.parametrize("carry", ["given", "own"])
def test_marks_and_qr_codes_leave_no_page_of_scratch_in_the_middle(carry):
    one = paper("3", points=True, qr=True, part="work", carry=carry)
    assert len(pypdfium2.PdfDocument(one.pdf("blank"))) == 2


@pytest.mark.parametrize("preset", ["katze", "brille"])
def test_what_is_said_of_the_waves(preset):
    view = paper("3", preset).view
    assert view.radian_test() == {"right": "0,841", "wrong": "0,017"}
    assert [(view.divisor(k), view.turn(k)) for k in (0, 1)] == [("1", "6,3"), ("100", "628,3")]
    assert view.tolerance() == "0,002"


def test_the_own_word_at_further_places():
    """„sitzt“ at 6 and at 46, by hand: sin 6 = −0,2794, cos 6 = 0,9602, sin 46 = 0,9018 …"""
    view = paper("3", "brille", level=3).view
    places = [(p.kind, p.prefix, p.position) for p in view.plan.places]
    assert places == [("own", "", 2.0), ("again", "task2.", 6.0), ("far", "task3.", 46.0)]
    assert {name: view.trace[name].values[0].tolist() for name in
            ("task2.position", "task2.input", "task3.position", "task3.input")} == {
        "task2.position": [-0.279, 0.96, 0.06, 0.998],
        "task2.input": [-0.3, 1.1, 1.0, 1.0],
        "task3.position": [0.902, -0.432, 0.444, 0.896],
        "task3.input": [0.9, -0.3, 1.3, 0.9],
    }  # fmt: skip


@pytest.mark.parametrize("preset", ["katze", "brille", "random"])
@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_further_place_follows_the_model(preset, row):
    """At a place of the sentence the extra steps are the sentence's own."""
    for trace in traces(preset, "de"):
        again = WordAt("again", "again.", 0, float(row))
        steps = {s.name: s for s in stamped(trace, row, again)}
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


def test_the_question_on_equal_words(sentence, level, question, names):
    assert paper("3", sentence=sentence, level=level).view.equal_question() == (question, names)


def test_equal_words_go_before_words_of_one_embedding():
    sentences = (None, "Die der Katze Matte Katze")
    assert [equal_words(traces("katze", "de", s)[0]) for s in sentences] == [(0, 4), (2, 4)]


def test_at_the_first_position_two_slips_change_nothing():
    one = paper("3", "brille")
    first = replace(one.view, plan=replace(one.plan, own=0))
    assert [s.key for s in first.slips()] == ["swapped", "from_one"]
    shown = text(one.pdf())
    assert "Grad statt Bogenmaß d₁ von „sitzt“ 0,035 0,909" in shown.replace("\r\n", " ")


def test_the_check_holds_within_its_tolerance():
    view = paper("3", sentence=TWELVE, level=1).view
    places = [WordAt("own", "", i, float(i)) for i in range(12)]
    sums = [view.square_sum(place, pair) for place in places for pair in (0, 1)]
    assert all(abs(float(one[2:].replace(",", ".")) - 1) <= 0.002 for one in sums)
    assert sums[0] == "= 1,000", "0² + 1² is 1 without rounding"
    assert view.square_sum(places[2], 0) == "≈ 0,999"


@pytest.mark.parametrize(("level", "unseen"), [(1, True), (2, False), (3, False)])
def test_that_the_slow_wave_does_not_reach_the_input_is_the_finding(level, unseen):
    """0.9 + 0.020 is 0.9 on paper; at position 6 0.9 + 0.060 is 1.0, so there it is seen."""
    one = paper("3", level=level)
    said, solved = (words(h) for h in (one.blank, one.solution))
    assert one.plan.unseen is unseen
    assert ("(Infoteil): Welches Paar ändert sich weniger" in said) is unseen
    assert ("In x ist davon nichts zu sehen: d₃ bleibt gerundet 0,9" in solved) is unseen
    if unseen:
        slow, trace = 2, one.view.trace
        for place in one.plan.places:
            rows = (trace[f"{place.prefix}{name}"] for name in ("position", "embedding", "input"))
            wave, embedding, x = (step.values[place.row, slow] for step in rows)
            assert wave > 0
            assert embedding == x


def test_where_the_slow_wave_reaches_the_input_nobody_says_otherwise():
    one = paper("3", sentence=TWELVE)
    reached = {p.kind for p in one.plan.places if p.printed(one.view.trace, "input")[2]
               != p.printed(one.view.trace, "embedding")[2]}  # fmt: skip
    assert one.plan.unseen is not bool(reached)
    assert ("(Infoteil): Welches Paar" in one.blank) is one.plan.unseen
    assert reached, "position 12 is seen: sin 0.12 is 0.120"
