"""Sheet 1: right tokens and IDs, no leak, the declared counts, readable limits."""

from dataclasses import replace

import pytest

from generator import compute
from generator.engine.vocabulary import by_alphabet
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.plan import MOST_NUMBERS
from generator.sheets.series import SERIES
from generator.sheets.sheet1 import plan as sheet1
from generator.sheets.sheet1.plan import other_case, repeated, swapped, written
from tests.support import battery
from tests.support.sheets import html, traces
from tests.support.views import page

SHEET = "1"
LONG = "Der Donaudampfschifffahrtsgesellschaftskapitän isst mit Appetit Kuchen am Tisch"
ODD = [LONG, "a b c d e f g h i j k l", "ja nein ja", "<b> {{ 7*7 }} x", "Eins Zwei", "3 4 3 , 4 !"]


def view_of(trace, exact, options):
    """The view that the sheet's template is given."""
    plan = planned(SHEET, trace, options)
    whole = trace.with_steps(plan.extra)
    catalogue = load(options.language)
    return SERIES[SHEET].view(plan, whole, exact, options, catalogue, None, False)


@pytest.mark.parametrize(("level", "numbers", "minutes"), [(1, 12, 6), (2, 20, 10), (3, 26, 15)])
def test_as_many_boxes_and_minutes_as_declared(level, numbers, minutes):
    trace, exact = traces("katze", "de")
    options = SheetOptions(level=level)
    plan = sheet1.plan(trace, level)
    blank = html(trace, exact, options, blank=True, sheet=SHEET)
    assert blank.count('class="box free"') == plan.free
    assert battery.boxes(SHEET, trace, exact, options) == len(plan.asked)
    assert len(plan.asked) + plan.free == numbers <= MOST_NUMBERS[level]
    assert plan.minutes == minutes


@pytest.mark.parametrize(
    ("language", "back", "places", "entries"),
    [
        ("de", "Oma liest im Garten ein Buch", "9 15 13 6 7 11", "0 1 2 – – 5 2 –"),
        ("en", "My sister reads books after lunch", "10 6 15 11 8 13", "0 1 2 – 4 5 2 –"),
    ],
)
def test_the_ids_of_source_000_and_of_the_words_after_them(language, back, places, entries):
    trace, _ = traces("katze", language)
    whole = trace.with_steps(sheet1.plan(trace, 3).extra)
    assert column(whole, "ids") == "0 1 2 3 4 5"
    assert column(whole, "task1.ids") == "0 5 2 3 4 1"
    assert column(whole, "task2.ids") == places
    assert column(whole, "task2.words") == back
    assert column(whole, "task3.entries") == entries
    assert column(whole, "example.ids") == "3 4 5"


def column(trace, name):
    """A step's only column in a line."""
    cells = trace[name].values[:, 0]
    return " ".join(c if isinstance(c, str) else str(int(c)) for c in cells)


@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(
    ("preset", "sentence"),
    [("katze", None), ("random", ODD[1]), ("katze", "im Garten liest Oma"), ("nihao", None)],
)
def test_looking_up_is_no_copying(preset, sentence, language, level):
    trace, _ = traces(preset, language, sentence)
    whole = trace.with_steps(sheet1.plan(trace, level).extra)
    own = trace["vocabulary.words"].values[:, 0].tolist()
    words = column(whole, "listed.tokens").split()
    ids = [int(one) for one in column(whole, "listed.ids").split()]
    assert words == sorted(words, key=by_alphabet)
    assert len(words) == len(set(words)) >= len(own) + 6 <= 24
    assert ids != sorted(ids)
    assert all(own[k] == word for k, word in zip(ids, words, strict=True) if k < len(own))
    assert {word for k, word in zip(ids, words, strict=True) if k < len(own)} == set(own)
    asked = [int(one) for one in column(whole, "task1.ids").split()]
    assert asked != list(range(len(asked)))
    for task in ("task1.tokens", "task2.words"):
        assert set(column(whole, task).split()) <= set(words)


def test_new_words_are_numbered_as_in_a_dictionary():
    trace, _ = traces("random", "de", "Heute scheint die Sonne über dem Meer")
    words = column(trace, "vocabulary.words")
    assert words == "dem die Heute Meer scheint Sonne über"
    assert column(trace, "ids") == "2 4 1 5 6 0 3"


@pytest.mark.parametrize("language", ["de", "en"])
def test_characters_follow_each_other_without_a_gap(language):
    trace, exact = traces("nihao", language)
    whole = trace.with_steps(sheet1.plan(trace, 2).extra)
    assert whole["ids"].values[:, 0].tolist() == [0, 1, 2, 3]
    assert "".join(whole["task1.tokens"].values[:, 0]) == "你界世好"
    word = {"de": "S O M M E R", "en": "S U M M E R"}[language]
    assert column(whole, "task2.words") == word
    assert "".join(whole["task3.entries"].values[:, 0]) == "012–032–"
    document = html(trace, exact, SheetOptions(language=language), blank=True, sheet=SHEET)
    assert "你好世,你界世." in document
    said, unsaid = (load(language).phrases[f"sheet1.pieces{end}"] for end in (".characters", ""))
    assert said in document
    assert unsaid not in document


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_phrase_about_words_gives_way_to_one_about_characters(language):
    trace, exact = traces("nihao", language)
    options = SheetOptions(language=language, level=3)
    document = html(trace, exact, options, blank=False, sheet=SHEET)
    phrases = load(language).phrases
    listed = "sheet1.rule.unknown.list.characters"
    silent = (listed, "sheet1.everyday.tokens.characters", "sheet1.everyday.sentence.characters")
    special = [key for key in phrases if key.endswith(".characters") and key not in silent]
    assert len(special) == 21
    for key in special:
        keys = (key, key.removesuffix(".characters"))
        said, unsaid = (phrases[one].format(a="你", b="好") for one in keys)
        assert said in document, key
        assert unsaid not in document, key
    unknown = phrases["sheet1.rule.unknown.example"].format(unknown=phrases[listed][0])
    assert unknown in document


@pytest.mark.parametrize(
    ("sentence", "unknown"),
    [
        ("Das Xylofon klingt", "Quitte"),
        ("Das Banjo klingt", "Xylofon"),
        ("Xylofon Quitte Yak", "XylofonQuitteYak"),
    ],
)
def test_the_example_of_an_unknown_word_is_unknown(sentence, unknown):
    trace, exact = traces("random", "de", sentence)
    view = view_of(trace, exact, SheetOptions(level=1))
    assert view.unknown() == unknown
    assert unknown not in trace["vocabulary.words"].values


def test_sentences_made_from_a_sentence():
    tokens = ("Die", "Katze", "sitzt", "auf", "der", "Matte", "!")
    assert written(swapped(tokens)) == "Die Matte sitzt auf der Katze !"
    assert written(repeated(tokens)) == "Die Katze sitzt, die Matte sitzt."
    assert swapped(("ja", "nein", "nein")) == ("nein", "ja", "nein")
    assert written(repeated(("ja", "nein"))) == "ja nein nein, Ja nein nein."
    assert [other_case(w) for w in ("Äpfel", "äh", "3", "ß")] == ["äpfel", "Äh", "3", "ß"]


@pytest.mark.parametrize(
    ("language", "wrong"),
    [
        ("de", [("from_one", 2, "1"), ("place", 6, "2"), ("case", 0, "–")]),
        ("en", [("from_one", 2, "1"), ("place", 6, "2"), ("case", 0, "4")]),
    ],
)
def test_slips_give_these_wrong_numbers(language, wrong):
    trace, exact = traces("katze", language)
    view = view_of(trace, exact, SheetOptions(language=language, level=2))
    found = view.slips()
    assert [(s.key, s.wrong) for s in found] == [(key, number) for key, number, _ in wrong]
    assert view.place(found[0]).startswith("ID")
    solution = html(
        trace, exact, SheetOptions(language=language), blank=False, sheet=SHEET
    ).replace("\n", "")
    for _, number, right in wrong:
        row = f'<td class="number">{number}</td><td class="number">{right}</td>'
        assert row in solution, row


def test_a_long_vocabulary_is_printed_in_part_with_every_word_in_use():
    words = {f"w{k}": (0.1, 0.2, 0.3, 0.4) for k in range(30)}
    preset = replace(load_preset("katze"), words=words, worked=(), exercise=())
    trace = compute("w29 w3 w17 w21", preset=preset)
    plan = sheet1.plan(trace, 2)
    shown = column(trace.with_steps(plan.extra), "listed.tokens").split()
    assert len(plan.shown) == 24
    assert [w for w in shown if w in words] == sorted({*list(words)[:9], "w17", "w21", "w29"})
    document = page(plan, trace, trace, SheetOptions(), None, blank=True)
    assert "Ausschnitt aus dem Vokabular mit 42 Tokens" in document
