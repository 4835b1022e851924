"""The questions of the page: which answers are taken, and what is said of others."""

from dataclasses import replace

import pytest

from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.presets.defaults import CLASS
from generator.sheets.series import SHEETS
from generator.web.form import CARDS, Choices, RefusedAnswers, read
from generator.web.said import said


def refused(**fields: str) -> dict[str, str]:
    """The phrases that a form's fields get."""
    given = {"lesson": ["attention"]} | {name: [value] for name, value in fields.items()}
    with pytest.raises(RefusedAnswers) as caught:
        read(given, "de")
    problems = caught.value.problems.items()
    return {name: said(one, load("de")) for name, one in problems}


def test_an_empty_form_is_the_usual_one():
    assert read({}, "en") == Choices(words="en")
    assert Choices().chosen_sheets == ("slide", "slides")
    assert Choices().chosen_preset == "paris"


def test_a_box_that_is_not_ticked_is_not_sent():
    assert Choices().story == "on"
    assert read({"lesson": ["attention"]}, "de").story == ""
    assert read({"lesson": ["attention"], "story": ["on"]}, "de").story == "on"


def test_answers_are_taken_as_they_stand():
    given = {"lesson": ["double"], "sentence": [" Die Katze "], "level": ["3"], "pupils": ["4"]}
    found = read(given | {"who": ["number"], "words": ["en"]}, "de")
    assert (found.sentence, found.level, found.pupils, found.words) == ("Die Katze", "3", 4, "en")
    assert found.chosen_sheets == ("4a", "4b")
    assert found.chosen_preset == CLASS


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("lesson", "nothing", "„nothing“ steht nicht zur Wahl"),
        ("level", "9", "„9“ steht nicht zur Wahl"),
        ("words", "xx", "„xx“ steht nicht zur Wahl"),
        ("preset", "../secret", "„../secret“ steht nicht zur Wahl"),
        ("shown", "<script>", "steht nicht zur Wahl"),
        ("sentence", "a" * 161, "161 Zeichen sind zu viele, höchstens 160"),
        ("header", "\ue000", "unsichtbares Sonderzeichen"),
        ("sentence", "Der 🦊 lacht", "nicht drucken lässt: 🦊"),
        ("own", "x", "noch einmal auswählen"),
    ],
)
def test_an_answer_that_is_none_is_said_at_its_field(field, value, part):
    assert part in refused(**{field: value})["preset" if field == "own" else field]


@pytest.mark.parametrize("number", ["0", "201", "-3", "2.5", "viele", "9" * 30, "²", "２"])
def test_a_number_of_pupils_that_is_none(number):
    assert "Zahl von 1 bis 200" in refused(who="number", pupils=number)["pupils"]
    assert read({"lesson": ["attention"], "pupils": [number]}, "de").pupils == Choices().pupils


def test_the_time_of_an_exam_is_asked_where_there_is_one():
    asked = {"exam": "on", "minutes": "0"}
    assert "Zahl von 1 bis 600" in refused(who="number", **asked)["minutes"]
    assert read({"lesson": ["attention"], "exam": ["on"], "minutes": ["0"]}, "de")  # for one set
    assert read({"lesson": ["attention"], "minutes": ["0"]}, "de").minutes == Choices().minutes
    found = read({"lesson": ["attention"], "exam": ["on"], "minutes": ["90"]}, "de")
    assert found.minutes == 90
    assert not found.as_exam  # nobody writes it but the teacher
    assert replace(found, who="number").as_exam


def test_several_problems_are_all_said():
    assert set(refused(level="0", who="number", pupils="0", vary="x")) == {
        "level",
        "pupils",
        "vary",
    }


def test_an_own_choice_needs_sheets_that_there_are():
    assert "mindestens ein Blatt" in refused(lesson="own")["sheets"]
    for lesson in ("own", "attention"):  # minutes are shown of every card
        for unknown in ("run", "4z", ""):
            assert f"„{unknown}“ steht" in refused(lesson=lesson, sheets=unknown)["sheets"]
    assert read({"lesson": ["own"], "sheets": ["4a", "6", "4a"]}, "de").sheets == ("4a", "6")
    found = read({"lesson": ["own"], "sheets": ["4a", "6"]}, "de")
    assert found.chosen_sheets == ("4a", "6")


def test_each_card_has_sheets_and_a_phrase():
    for name, card in CARDS.items():
        assert set(card.sheets) <= set(SHEETS)
        key = f"route.name.{name}" if card.level else f"web.card.{name}"
        assert all(load(code).t(key) for code in languages())
