"""No preset named: the learned one for words that it knows, `katze` for others, in one line."""

import pytest

import generator
from generator.classroom.numbers.lesson import Lesson
from generator.cli import main
from generator.errors import UserError

OWN = "Die Katze sitzt auf der Matte"


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        (None, None),
        (None, "en"),
        (OWN, None),
        (OWN, "en"),
        ("Die Maus schläft.", None),
        ("The mouse sleeps.", "en"),
        ("Matte", "de"),
    ],
)
def test_words_that_it_knows_are_for_the_learned_one(sentence, language):
    for make in (generator.compute, generator.generate):
        if make is generator.generate and str(sentence).endswith("."):
            continue
        made = make(sentence, language=language)
        trace = made if make is generator.compute else made.trace
        assert trace.preset.name == "katze-trained"
        assert trace.notices == ()


@pytest.mark.parametrize(
    ("sentence", "language", "said"),
    [
        ("Heute scheint die Sonne", None, "does not know Heute, scheint, die, Sonne: 'katze' is"),
        ("Die Eule sitzt", "en", "does not know Eule: 'katze' is taken, which takes any words"),
        ("The cat sleeps", None, "The, cat, sleeps; with --language en it knows them: 'katze'"),
        (f"Die {'E' * 99}", None, f"does not know {'E' * 40}…: 'katze' is taken"),
        ("Die Katze", "en", None),
    ],
)
def test_other_words_are_for_katze_and_one_line_says_so(sentence, language, said):
    for make in (generator.compute, generator.generate):
        made = make(sentence, language=language)
        trace = made if make is generator.compute else made.trace
        assert trace.preset.name == ("katze-trained" if said is None else "katze")
        assert len(trace.notices) == (said is not None)
        assert said is None or said in trace.notices[0]


def test_a_named_preset_is_never_exchanged():
    for name in ("katze-trained", "katze", "random"):
        assert generator.compute("Die Eule sitzt", preset=name).preset.name == name
    assert "numbers are drawn" in generator.compute("Die Eule", preset="katze-trained").notices[0]
    with pytest.raises(UserError, match="does not know"):
        generator.compute("Die Eule", preset="nihao")


def test_the_command_says_it_once(capsys):
    for command in (["trace", "--format", "csv"], ["walk", "--all"], ["generate"]):
        assert main([command[0], "Die Eule tanzt", *command[1:]]) == 0
        said = capsys.readouterr().err
        assert said.count("'katze-trained' does not know Eule, tanzt: 'katze' is taken") == 1
        assert main([command[0], OWN, *command[1:]]) == 0
        assert capsys.readouterr().err == ""


def test_what_cannot_be_read_is_told_as_ever():
    with pytest.raises(UserError, match="the sentence is empty"):
        generator.compute(" ")
    with pytest.raises(UserError, match="there is no language 'xx'"):
        generator.compute(language="xx")


def test_a_class_gets_katze():
    assert Lesson.asked(seed="a", outputs=("xlsx",)).preset.name == "katze"
