"""A spec with mistakes is refused before anything is trained, with all of them at once."""

import re

import pytest

from generator.errors import UserError
from generator.training.spec import read_spec
from tests.training.specs import MISTAKES, TINY, written


def message(path) -> str:
    with pytest.raises(UserError) as caught:
        read_spec(path)
    return str(caught.value)


def test_what_a_spec_says(tmp_path):
    spec = read_spec(written(tmp_path, ('"j | a", "a | j"', '"j | aj", "a | ja"')))
    assert spec.prompts == {("j",): "a", ("j", "a"): "j", ("a",): "j", ("a", "j"): "a"}
    assert spec.words == ("j", "a")
    assert spec.head == TINY.partition("\n\n[training]")[0]
    assert spec.training.margin == 20


def test_words_are_split_as_the_engine_splits_them(tmp_path):
    lines = '"Die Katze | sitzt, sitzt!"'
    changes = ('"j | a", "a | j"', lines), ('kind = "character"', 'kind = "word"')
    spec = read_spec(written(tmp_path, *changes))
    assert list(spec.prompts.values()) == ["sitzt", ",", "sitzt", "!"]
    assert spec.words == ("Die", "Katze", "sitzt", ",", "!")


def test_texts_count_what_follows(tmp_path):
    texts = '[corpus.texts]\n"j | ja" = 3\n"j | aj" = 2\n"j | jj" = 2'
    spec = read_spec(written(tmp_path, ('[corpus]\nlines = ["j | a", "a | j"]', texts)))
    assert spec.counts == {("j",): {"j": 5, "a": 2}, ("j", "j"): {"a": 3, "j": 2},
                           ("j", "a"): {"j": 2}}  # fmt: skip
    assert spec.prompts == {("j",): "j", ("j", "j"): "a", ("j", "a"): "j"}
    assert spec.words == ("j", "a")
    lines = read_spec(written(tmp_path))
    assert lines.counts == {("j",): {"a": 1}, ("a",): {"j": 1}}


@pytest.mark.parametrize(("old", "new", "expected"), MISTAKES["spec"])
def test_a_mistake_is_named(tmp_path, old, new, expected):
    assert expected in message(written(tmp_path, (old, new)))


def test_all_problems_at_once(tmp_path):
    text = message(written(tmp_path, ("seed = 1", ""), ("margin = 20", "margin = -1")))
    assert text.startswith("spec.toml: 2 problems\n")


def test_files_that_cannot_be_read(tmp_path):
    assert re.search("there is no such file", message(tmp_path / "x.toml"))
    path = tmp_path / "latin.toml"
    path.write_bytes(b"\xe4")
    assert "not UTF-8 text (byte 1)" in message(path)
    assert "cannot be read" in message(tmp_path)
