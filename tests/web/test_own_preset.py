"""A preset of the teacher's own: packed into an address, read from there, all problems said."""

import base64
import zlib
from dataclasses import replace

import pytest

from generator.errors import UserError
from generator.locales.catalogue import load
from generator.presets.load import parse, shipped, shipped_tables
from generator.presets.new import new_preset_text
from generator.presets.schema import PresetError
from generator.web import desk
from generator.web.desk import WebWork
from generator.web.form import Choices, read
from generator.web.own_preset import LONGEST, LONGEST_PACKED, own_preset, packed, unpacked
from generator.web.page import models

MINE = new_preset_text("mine")


def test_what_is_packed_is_the_same_model():
    code = packed(MINE.encode())
    assert unpacked(code) == MINE
    assert own_preset(code).sha256 == parse(MINE, "mine.toml").sha256
    assert len(code) < LONGEST_PACKED
    assert code.replace("-", "").replace("_", "").isalnum()


@pytest.mark.ci
def test_it_is_what_is_shown_and_made():
    choices = read({"lesson": ["attention"], "own": [packed(MINE.encode())]}, "en")
    found = WebWork(choices).overview()
    assert found.model == own_preset(choices.own).heading("en")
    assert "mine · " in WebWork(choices).look()
    assert "mine · " not in WebWork(replace(choices, own="")).look()


@pytest.mark.parametrize("code", ["x", "AAAA", "é", "a" * (LONGEST_PACKED + 1), "=="])
def test_a_link_that_was_cut_off_is_said(code: str):
    with pytest.raises(UserError, match="choose the file again"):
        unpacked(code)


def test_a_small_link_cannot_become_a_large_text():
    large = base64.urlsafe_b64encode(zlib.compress(b"#" * (LONGEST + 1), 9)).decode().rstrip("=")
    assert len(large) < 200
    with pytest.raises(UserError, match="choose the file again"):
        unpacked(large)


def test_what_is_no_text_or_too_long_is_said():
    with pytest.raises(UserError, match="UTF-8"):
        packed(b"\xff\xfe")
    with pytest.raises(UserError, match=f"found {LONGEST + 1} characters"):
        packed(b"#" * (LONGEST + 1))


@pytest.mark.parametrize("text", ["a = " + "[" * 900, f"{'a.' * 900}b = 1"])
def test_what_is_nested_too_deeply_is_said(text: str):
    with pytest.raises(UserError, match="nested too deeply"):
        desk.checked(text.encode(), "mine.toml")


def test_all_problems_are_said_at_once():
    text = MINE.replace("d_model = ", "d_modell = ").replace("heads = ", "head = ")
    with pytest.raises(PresetError) as caught:
        desk.checked(text.encode(), "mine.toml")
    assert len(caught.value.problems) >= 3
    assert str(caught.value).startswith("mine.toml: ")


def test_no_file_of_the_server_is_read(further: str, key: str):
    with pytest.raises(PresetError, match="reads no further file") as caught:
        own_preset(packed(f"format = 1\n{further}".encode()))
    assert key in str(caught.value)
    assert "root:" not in str(caught.value)


def test_a_word_may_be_called_file():
    text = MINE + '\n[translation.xx]\n"file" = "Datei"\n'
    with pytest.raises(PresetError) as caught:  # for the language, not for a file
        own_preset(packed(text.encode()))
    assert "reads no further file" not in str(caught.value)


def test_each_model_says_what_it_shows():
    stated = {name for name, tables in shipped_tables().items() if "shows" in tables}
    assert tuple(one.name for one in models()) == shipped()
    for language in ("de", "en"):
        assert {one.name for one in models() if one.shows.get(language)} == stated
        assert {f"web.models.for.{one.name}" for one in models()} <= load(language).phrases.keys()
        assert all(one.title[language] and one.sentences[language] for one in models())


@pytest.mark.ci
def test_the_complete_run_is_for_one_set_and_always_solved():
    choices = Choices(lesson="attention", words="de", complete="on")
    assert choices.chosen_sheets == ("4a", "run")
    assert replace(choices, who="number").chosen_sheets == ("4a",)
    shown = replace(choices, shown="run")
    assert WebWork(shown).look() == WebWork(replace(shown, variant="solution")).look()
    assert [one.minutes for one in WebWork(choices).overview().sheets][1] == 0
