"""Sheet 3: the source's numbers, places, slips, no leak through drawings, what it refuses."""

import re
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

import generator
from generator.engine.model import compute
from generator.errors import UserError
from generator.presets.load import load_preset
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.worksheet import render_help
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet3 import plan as sheet3
from generator.sheets.sheet3.plan import WordAt, equal_words, stamped
from tests.support import battery
from tests.support.covering import each
from tests.support.sheet3 import view
from tests.support.sheets import html, pdf, text, traces
from tests.support.views import page


def test_a_blank_pdf_does_not_hang_on_the_asked_numbers_to_the_byte():
    trace, exact = traces("brille", "de")
    options = SheetOptions()
    other = tampered(trace.with_steps(sheet3.plan(trace, 1).extra), sheet3.plan(trace, 1), 0.37)
    first = pdf(trace, exact, options, "blank", "3")
    assert first == pdf(other, exact, options, "blank", "3")
    for answer in ("0,909", "−0,416", "−0,279", "0,960", "0,998"):
        assert answer not in text(first)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("sentence", [None, "Die Katze", "a b c d e f g h i j k l"])
def test_no_wave_and_no_mark_of_a_blank_stands_in_a_gap(level, sentence):
    waves = view("katze", "de", level, sentence).grid()
    assert len(waves.gaps) == min(level, 2)
    for column in range(4):
        drawn = [m.x for m in waves.marks(column)]
        for path in waves.curves(column):
            drawn += [float(x) for x in re.findall(r"[ML](\S+) ", path)]
        assert drawn
        for gap in waves.gaps:
            assert all(abs(x - waves.x(gap)) >= waves.unit / 2 - 0.01 for x in drawn)


def test_a_blank_draws_no_answer():
    trace, exact = traces("brille", "de")
    empty, solved = (
        html(trace, exact, SheetOptions(), blank=blank, sheet="3") for blank in (True, False)
    )
    assert 'stroke="#1d3fb0"' not in empty
    assert solved.count('stroke="#1d3fb0"') == 2 * 2 * 4, "a wave and a mark for each number"


def changed(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """The path of a variant of the preset of drawn numbers."""
    source = Path(generator.__file__).parent / "presets" / "random.toml"
    content = source.read_text(encoding="utf-8")
    for old, new in (('name = "random"', 'name = "other"'), *changes):
        assert old in content
        content = content.replace(old, new)
    path = tmp_path / "other.toml"
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_learned_positions_and_wide_models_are_refused(tmp_path):
    rows = ", ".join(["[0.1, 0.2, 0.3, 0.4]"] * 8)
    learned = (
        ('kind = "sinusoidal"', 'kind = "learned"'),
        ("[weights]", f"[weights]\nposition = [{rows}]\n#"),
    )
    with pytest.raises(UserError, match=r"learned positions.*'katze' or 'brille'"):
        sheet3.plan(traces(changed(tmp_path, *learned), "de")[0], 1)
    with pytest.raises(UserError, match=r"d_model = 8; .* 2 to 6.*'katze'"):
        sheet3.plan(traces(changed(tmp_path, ("d_model = 4", "d_model = 8")), "de")[0], 1)


def test_six_dimensions_give_their_divisors_and_angles(tmp_path):
    trace, exact = traces(changed(tmp_path, ("d_model = 4", "d_model = 6")), "de")
    options = SheetOptions(level=3)
    assert battery.boxes("3", trace, exact, options) == 36
    assert battery.stays_on_the_page(pdf(trace, exact, options, "solution", "3")) == 5
    assert "2 : 21,5443 ≈ 0,0928" in html(trace, exact, options, blank=True, sheet="3")


@pytest.mark.parametrize(("preset", "level", "boxes"), each(2, [("brille", 1, 0), ("katze", 2, 8),
                                                        ("katze", 3, 12)]))  # fmt: skip
def test_the_embedding_is_brought_along_where_sheet_2_read_it_off(preset, level, boxes):
    trace, exact = traces(preset, "de")
    options = SheetOptions(level=level, carry="own")
    blank = html(trace, exact, options, blank=True, sheet="3")
    assert blank.count('class="ask carry') == boxes
    assert ("die Zeile u von Blatt 2" in blank) == bool(boxes)
    assert battery.stays_on_the_page(pdf(trace, exact, options, "blank", "3")) == 4
    battery.blank_is_solution_without_answers("3", trace, exact, options)


def test_no_table_leaves_its_caption_behind_in_large_print():
    trace, exact = traces("katze", "de")
    document = pdf(trace, exact, SheetOptions(large_print=True), "blank", "3")
    pages = [" ".join(page.get_textpage().get_text_range().split())
             for page in pypdfium2.PdfDocument(document)]  # fmt: skip
    with_caption = [page for page in pages if re.search("“ an Position [26]", page)]
    tables = [page for page in with_caption if "„sitzt“ an Position" in page and "Winkel" in page]
    assert len(tables) == 2


def test_equals_and_roughly_stand_where_they_are_true():
    trace, exact = traces("brille", "de")
    shown = html(trace, exact, SheetOptions(), blank=False, sheet="3")
    plain = re.sub(r"<[^>]+>", "", shown).replace("\N{NO-BREAK SPACE}", " ")
    assert "d1: sin(1 : 1) = sin 1 ≈ 0,841; Summe: 0,0 + 0,841 ≈ 0,8" in plain
    assert "d4: cos(1 : 100) = cos 0,01 ≈ 1,000; Summe: 0,2 + 1,000 = 1,2" in plain


def test_the_info_leaf_is_the_same_for_every_own_token():
    trace, exact = traces("katze", "de")
    options = SheetOptions(part="info")
    other = replace(trace, exercise=4)
    first, second = (
        page(sheet3.plan(t, 2), t, exact, options, Formulas(), blank=True) for t in (trace, other)
    )
    assert first == second


@pytest.mark.parametrize(("language", "sign"), [("de", ":"), ("en", "÷")])
def test_a_help_card_begins_as_the_sheet_does(language, sign):
    """The division that the sheet prints, not the angle with all its decimals."""
    trace, exact = traces("katze", language)
    found = render_help("3", trace, exact, SheetOptions(language=language), kind="html").decode()
    lines = re.findall(r'<p class="first"><b>.*?</b> (.*?)</p>', found)
    place = view("katze", language, 2).plan.places[0].position
    assert lines == [f"sin({place:.0f} {sign} 1) = …", f"cos({place:.0f} {sign} 100) = …"]


def test_marks_and_qr_codes_leave_no_page_of_scratch_in_the_middle():
    trace, exact = traces("katze", "de")
    for carry in ("given", "own"):
        options = SheetOptions(points=True, qr=True, part="work", carry=carry)
        pages = pypdfium2.PdfDocument(pdf(trace, exact, options, "blank", "3"))
        assert len(pages) == 2


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
        steps = {s.name: s for s in stamped(trace, row, WordAt("again", "again.", 0, float(row)))}
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
    asked, filled = shown.equal_question()
    assert asked == question
    if names:
        assert tuple(filled.values()) == names


def test_equal_words_go_before_words_of_one_embedding():
    assert equal_words(traces("katze", "de")[0]) == (0, 4)
    assert equal_words(traces("katze", "de", "Die der Katze Matte Katze")[0]) == (2, 4)


def test_at_the_first_position_two_slips_change_nothing():
    trace, exact = traces("brille", "de")
    shown = view("brille", "de", 1)
    first = replace(shown, plan=replace(shown.plan, own=0))
    assert [s.key for s in first.slips()] == ["swapped", "from_one"]
    shown = text(pdf(trace, exact, SheetOptions(), "solution", "3"))
    assert "Grad statt Bogenmaß d₁ von „sitzt“ 0,035 0,909" in shown.replace("\r\n", " ")


def test_the_check_holds_within_its_tolerance():
    shown = view("katze", "de", 1, "a b c d e f g h i j k l")
    words = [WordAt("own", "", i, float(i)) for i in range(12)]
    sums = [shown.square_sum(word, pair) for word in words for pair in (0, 1)]
    assert all(abs(float(one[2:].replace(",", ".")) - 1) <= 0.002 for one in sums)
    assert sums[0] == "= 1,000", "0² + 1² is 1 without rounding"
    assert shown.square_sum(words[2], 0) == "≈ 0,999"
