"""Sheet 1: right tokens and IDs, no leak, the declared counts, readable limits."""

import re
from dataclasses import replace

import pytest

from generator import compute
from generator.engine.vocabulary import by_alphabet
from generator.locales.catalogue import load
from generator.presets.load import load_preset
from generator.sheets.options import SheetOptions
from generator.sheets.plan import MOST_NUMBERS
from generator.sheets.sheet1.plan import other_case, repeated, swapped, written
from tests.support.sheets import Paper, paper

TWELVE = "a b c d e f g h i j k l"


@pytest.mark.parametrize("level", [1, 2, 3])
def test_boxes_without_a_set_answer_are_counted(level):
    one = paper("1", level=level)
    assert one.blank.count('class="box free"') == one.plan.free == (6 if level == 3 else 0)
    assert len(one.plan.asked) + one.plan.free <= MOST_NUMBERS[level]


def column(one, name):
    """A step's only column in a line."""
    cells = one.view.trace[name].values[:, 0]
    return " ".join(c if isinstance(c, str) else str(int(c)) for c in cells)


def test_the_ids_of_source_000_and_of_the_words_after_them(language, back, places, entries):
    one = paper("1", language=language, level=3)
    columns = {
        "ids": "0 1 2 3 4 5",
        "task1.ids": "0 5 2 3 4 1",
        "task2.ids": places,
        "task2.words": back,
        "task3.entries": entries,
        "example.ids": "3 4 5",
    }
    assert {name: column(one, name) for name in columns} == columns


@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(
    ("preset", "sentence"),
    [("katze", None), ("random", TWELVE), ("katze", "im Garten liest Oma"), ("nihao", None)],
)
def test_looking_up_is_no_copying(preset, sentence, language, level):
    one = paper("1", preset, language, sentence, level=level)
    own = one.trace["vocabulary.words"].values[:, 0].tolist()
    words = column(one, "listed.tokens").split()
    ids = [int(k) for k in column(one, "listed.ids").split()]
    assert words == sorted(words, key=by_alphabet)
    assert len(words) == len(set(words)) >= len(own) + 6 <= 24
    assert ids != sorted(ids)
    listed = {k: word for k, word in zip(ids, words, strict=True) if k < len(own)}
    assert listed == dict(enumerate(own))
    asked = [int(k) for k in column(one, "task1.ids").split()]
    assert asked != list(range(len(asked)))
    for task in ("task1.tokens", "task2.words"):
        assert set(column(one, task).split()) <= set(words)


def test_new_words_are_numbered_as_in_a_dictionary():
    one = paper("1", "random", sentence="Heute scheint die Sonne über dem Meer")
    assert column(one, "vocabulary.words") == "dem die Heute Meer scheint Sonne über"
    assert column(one, "ids") == "2 4 1 5 6 0 3"


@pytest.mark.parametrize(("language", "word"), [("de", "S O M M E R"), ("en", "S U M M E R")])
def test_characters_follow_each_other_without_a_gap(language, word):
    one = paper("1", "nihao", language)
    columns = {
        "ids": "0 1 2 3",
        "task1.tokens": "你 界 世 好",
        "task2.words": word,
        "task3.entries": "0 1 2 – 0 3 2 –",
    }
    assert {name: column(one, name) for name in columns} == columns
    assert "你好世,你界世." in one.blank


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_phrase_about_words_gives_way_to_one_about_characters(language):
    document, phrases = paper("1", "nihao", language, level=3).solution, load(language).phrases
    listed = "sheet1.rule.unknown.list.characters"
    lists = ("everyday.tokens", "everyday.sentence", "alike", "apart")
    silent = (listed, *(f"sheet1.{name}.characters" for name in lists))
    special = [key for key in phrases if key.endswith(".characters") and key not in silent]
    assert len(special) == 26
    names = {"signs": 4, "tokens": 4, "unknown": phrases[listed][0]}
    pairs = dict(zip("abcd", "IUSE", strict=True)) | {"a_id": 13, "b_id": 14, "c_id": 7, "d_id": 8}
    for key in special:
        given = names | pairs
        keys = (key, key.removesuffix(".characters"))
        said, unsaid = (phrases[k].format(**given) for k in keys)
        assert said in document, key
        assert unsaid not in document, key
    unknown = phrases["sheet1.rule.unknown.example"].format(unknown=phrases[listed][0])
    assert unknown in document


def test_the_example_of_an_unknown_word_is_unknown(sentence, unknown):
    one = paper("1", "random", sentence=sentence, level=1)
    assert one.view.unknown() == unknown
    assert unknown not in one.trace["vocabulary.words"].values


def test_sentences_made_from_a_sentence():
    tokens = ("Die", "Katze", "sitzt", "auf", "der", "Matte", "!")
    assert written(swapped(tokens)) == "Die Matte sitzt auf der Katze !"
    assert written(repeated(tokens)) == "Die Katze sitzt, die Matte sitzt."
    assert swapped(("ja", "nein", "nein")) == ("nein", "ja", "nein")
    assert written(repeated(("ja", "nein"))) == "ja nein nein, Ja nein nein."
    assert [other_case(w) for w in ("Äpfel", "äh", "3", "ß")] == ["äpfel", "Äh", "3", "ß"]


def test_slips_give_these_wrong_numbers(language, wrong):
    one = paper("1", language=language)
    slips = one.view.slips()
    assert [(s.key, s.wrong) for s in slips] == [(key, number) for key, number, _ in wrong]
    assert one.view.place(slips[0]).startswith("ID")
    solution = one.solution.replace("\n", "")
    for _, number, right in wrong:
        row = f'<td class="number">{number}</td><td class="number">{right}</td>'
        assert row in solution, row


def test_a_long_vocabulary_is_printed_in_part_with_every_word_in_use():
    words = {f"w{k}": (0.1, 0.2, 0.3, 0.4) for k in range(30)}
    preset = replace(load_preset("katze"), words=words, worked=(), exercise=())
    trace = compute("w29 w3 w17 w21", preset=preset)
    one = Paper("1", trace, trace, SheetOptions())
    shown = column(one, "listed.tokens").split()
    assert len(one.plan.shown) == 24
    assert [w for w in shown if w in words] == sorted({*list(words)[:9], "w17", "w21", "w29"})
    assert "Ausschnitt aus dem Vokabular mit 42 Tokens" in one.blank


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_last_task_compares_pairs_of_the_list_of_which_ids_tell_nothing(
    preset, language, sentence, pairs, level
):
    one = paper("1", preset, language, sentence, level=level)
    known, listed = column(one, "known.words").split(), column(one, "listed.tokens").split()
    a, b, c, d = (word for pair in pairs for word in pair.split())
    assert one.view.compared() == {"a": a, "b": b, "c": c, "d": d}
    assert {a, b, c, d} <= {*listed}
    assert abs(known.index(c) - known.index(d)) == 1
    finding = one.view.finding()
    assert re.findall(r"\d+", finding) == [str(known.index(word)) for word in (a, b, c, d)]
    assert finding not in one.blank
    assert finding in one.solution
