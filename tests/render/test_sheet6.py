"""Sheet 6: no leak, declared counts, pages, an output of one's own, words, what it refuses."""

import re

import pytest

from generator.engine.model import compute
from generator.errors import UserError
from generator.presets.load import parse
from generator.render.worksheet.worksheet import page
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet6 import plan as sheet6
from tests.support import battery
from tests.support.covering import each, first
from tests.support.sheets import html, pdf, text, traces
from tests.support.words import no_german_word, own_phrases, refused

CASES = [("katze", "de", 2), ("ausgabe", "en", 3), ("random", "de", 1)]
WORD = "Donaudampfschifffahrtsgesellschaftskapitän"
LONG = f"Der {WORD} isst mit Appetit Kuchen"  # a vocabulary of 12 words with those of katze
NUMBERS = ("output.", "draw.cumulative")


@pytest.mark.parametrize(("preset", "language", "level"), first(1, CASES))
def test_blank_equals_solution_outside_the_answers(preset, language, level):
    trace, exact = traces(preset, language)
    options = SheetOptions(language=language, level=level)
    battery.blank_is_solution_without_answers("6", trace, exact, options)


def test_blank_equals_solution_with_a_long_word_and_a_line_that_is_full():
    trace, exact = traces("katze", "de", LONG)
    battery.blank_is_solution_without_answers("6", trace, exact, SheetOptions())


@pytest.mark.parametrize("preset", ["katze", "ausgabe", "random"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_blank_does_not_hang_on_the_asked_numbers(preset, level):
    trace, exact = traces(preset, "de")
    battery.blank_does_not_hang_on_answers("6", trace, exact, SheetOptions(level=level))


@pytest.mark.parametrize(("preset", "language", "level"), CASES)
def test_each_cell_shows_its_number_of_the_trace(preset, language, level):
    trace, exact = traces(preset, language)
    options = SheetOptions(language=language, level=level)
    battery.cells_are_the_traces("6", trace, exact, options, least=90)


@pytest.mark.parametrize(
    ("preset", "level", "count", "minutes"),
    [
        # Drawing takes about 5 minutes more.
        ("katze", 1, 10, 7),
        ("katze", 2, 25, 12),
        ("katze", 3, 44, 19),
        ("ausgabe", 1, 10, 7),
        ("ausgabe", 2, 25, 12),
        ("ausgabe", 3, 44, 19),
        # Four words: three or four rows instead of six, and four interval ends.
        ("random", 1, 10, 6),
        ("random", 2, 17, 9),
        ("random", 3, 27, 13),  # of which at T = 0.5 one P would be 0.00
    ],
)
def test_as_many_boxes_and_minutes_as_declared(preset, level, count, minutes):
    trace, exact = traces(preset, "de")
    assert battery.boxes("6", trace, exact, SheetOptions(level=level)) == count
    plan = sheet6.plan(trace, level)
    assert sum(name.startswith(NUMBERS) for name, _, _ in plan.asked) == count
    assert plan.minutes == minutes


@pytest.mark.parametrize(("level", "most"), [(1, 16), (2, 30), (3, 47)])
@pytest.mark.parametrize("words", [2, 7, 8, 9, 12])
def test_every_size_of_vocabulary_keeps_the_limits(level, most, words):
    names = "Ute Oma Eva Tom Udo Pia Leo Ina Kai Ben Lea Max"
    trace, exact = traces("random", "de", names[: 4 * words])
    assert 4 < battery.boxes("6", trace, exact, SheetOptions(level=level)) <= most


@pytest.mark.parametrize(
    ("preset", "language", "level", "pages"),
    each(
        2,
        [
            ("katze", "de", 1, 4),
            ("katze", "de", 2, 4),
            ("ausgabe", "en", 2, 4),
            ("katze", "en", 3, 5),
        ],
    ),
)
def test_two_leaves_and_nothing_off_the_page(preset, language, level, pages):
    trace, exact = traces(preset, language)
    options = SheetOptions(language=language, level=level)
    assert battery.stays_on_the_page(pdf(trace, exact, options, "blank", "6")) == pages


@pytest.mark.parametrize("sentence", each(2, [LONG, "Die Die Katze", "Matte <b> Matte"]))
def test_odd_sentences_stay_on_the_page(sentence):
    trace, exact = traces("katze", "de", sentence)
    document = pdf(trace, exact, SheetOptions(), "blank", "6")
    assert battery.stays_on_the_page(document) <= 5
    shown = re.sub(r"\s", "", text(document))
    assert all(token in shown or len(token) > 8 for token in trace.tokens)


def test_the_origin_of_the_last_vector_is_said():
    for preset, word in (("katze", "nach Block 1"), ("ausgabe", "vorgegeben")):
        trace, exact = traces(preset, "de")
        assert word in html(trace, exact, SheetOptions(), blank=True, sheet="6"), preset


OWN = """
format = 1
name = "own"
language = "de"
title = { de = "a", en = "a" }
sentence = { de = "ja nein", en = "yes no" }
rounding = "paper"
meaningful = true
[model]
d_model = 2
parts = ["output"]
[start]
kind = "vector"
value = [1.5, -0.5]
[softmax]
base = 2
[output]
kind = "own"
[sampling]
temperatures = [TEMPERATURES]
[vocabulary.words]
ja = [1.0, 0.0]
nein = [0.0, 1.0]
[translation.en]
ja = "yes"
nein = "no"
[weights]
"output.matrix" = [[1, 2], [0.5, -1]]
"output.bias" = [[0.3, -0.2]]
"""


def own(temperatures: str, softmax: str = "base = 2"):
    source = OWN.replace("TEMPERATURES", temperatures).replace("base = 2", softmax)
    return compute(parse(source, "own.toml"))


def test_an_output_of_its_own_with_a_bias_and_another_base():
    trace = own("1.0, 0.5")
    document = page(sheet6.plan(trace, 3), trace, trace, SheetOptions(), Formulas(), blank=False)
    assert "eigene Matrix" in document
    assert "1,5 · 1,5 + (−0,5) · 1,0 + 0,1 = <b>1,85</b>" in document  # the sum of the logits
    assert "<i>2</i><sup>" in document
    battery.cells_are_the_traces("6", trace, trace, SheetOptions(level=3))


@pytest.mark.parametrize(
    ("preset", "sentence", "parts"),
    [
        ("brille", None, ("no output", "'katze'", "'ausgabe'")),
        ("paris", None, ("no output", "'katze'")),
        ("random", "a b c d e f g h i j k l m", ("13 words", "at most 12", "--only xlsx")),
        ("random", "Hallo", ("one word only", "longer sentence")),
    ],
)
def test_what_the_sheet_cannot_take_is_said(preset, sentence, parts):
    trace, exact = traces(preset, "de", sentence)
    with refused(*parts):
        pdf(trace, exact, SheetOptions(), "blank", "6")


def test_one_temperature_or_a_shifted_softmax_is_said():
    with pytest.raises(UserError, match=r"one temperature only.*'katze'"):
        sheet6.plan(own("1.0"), 2)
    with pytest.raises(UserError, match=r"subtracts the largest logit.*'katze'"):
        sheet6.plan(own("1.0, 0.5", 'shifted = "always"'), 2)


def test_words_and_signs():
    german, english = own_phrases("sheet6.", "spoken.6.", least=90, task=16)
    for phrase in german.values():
        assert not [w for w in ("Punkte", "versteckt", "×", "/", "÷", "Wert ") if w in phrase]
        assert not re.search(r"\d, \d", phrase), phrase
    assert not [p for p in english.values() if "·" in p]


def test_no_german_word_on_an_english_sheet():
    trace, exact = traces("katze", "en")
    shown = text(pdf(trace, exact, SheetOptions(language="en", level=3), "solution", "6"))
    no_german_word(shown, 150, {"e", "k", "min", "z", "katze"})
