"""Input that no lesson needs but that must not hang, warn or end in a traceback."""

import os
from pathlib import Path

import pytest

from generator.cli import main
from generator.files import require_file
from generator.presets.load import load_preset
from tests.classroom.test_roster_refused import one_line
from tests.cli.command import SMALL

PRIVATE = {
    "sentence": (["make", "Die \ue000Katze"], "the sentence: found U+E000 as character 5"),
    "sentence, plane 15": (["trace", "\U000f0000"], "the sentence: found U+F0000 as character 1"),
    "header": (["make", "--header", "8b \ue001"], "header: found U+E001 as character 4"),
    "author": (["make", "--author", "\uf8ff"], "author: found U+F8FF as character 1"),
    "licence": (["make", "--licence", "\ue000"], "licence: found U+E000"),
    "next word": (["trace", "--next-word", "\ue000"], "loss.target': found U+E000"),
    "edit": (["trace", "--set", "tokens[1]=\ue001"], "'tokens[1]': found U+E001"),
    "preset's word": (
        ["make", "--preset", "./word.toml"],
        "found the private-use character U+E000",
    ),
    "preset's title": (["make", "--preset", "./title.toml"], "title.de: found the private-use"),
    "own text": (["make", "--texts", "own.txt"], "own text sheet4a.story.open: found U+E000"),
}
ENDLESS = {
    "preset": ["make", "--preset", "{}"],
    "class list": ["batch", "{}"],
    "own texts": ["make", "--texts", "{}"],
    "manifest": ["reissue", "{}", "01"],
    "spec": ["presets", "train", "{}", "--out", "new.toml"],
    "config": ["presets", "import", "weights", "--config", "{}", "--out", "new.toml"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with presets and own texts that hold a private-use character."""
    word = SMALL.replace("Nein", "Ne\ue000in")
    title = SMALL.replace("[model]", 'title = { de = "\\uE001" }\n[model]')
    for name, text in {
        "word.toml": word.replace("Ne\ue000in = ", '"Ne\ue000in" = '),
        "title.toml": title,
        "own.txt": "[sheet4a.story.open]\nEin \ue000 Satz.\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("words", "message"), PRIVATE.values(), ids=PRIVATE)
def test_private_use_characters_are_named(folder: Path, capsys, words: list[str], message: str):
    before = set(folder.iterdir())
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert set(folder.iterdir()) == before


def test_a_pupils_name_with_a_private_use_character_is_not_told(tmp_path: Path):
    found = one_line(tmp_path, "1;Mia \ue000")
    assert found.message.startswith("column 'name': found U+E000 as character 5")
    assert "Mia" not in found.message


@pytest.mark.parametrize("place", ["/dev/zero", "./pipe"])
@pytest.mark.parametrize("words", ENDLESS.values(), ids=ENDLESS)
def test_what_may_never_end_is_not_read(folder: Path, capsys, words: list[str], place: str):
    before = set(folder.iterdir())
    assert main([word.format(place) for word in words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert f"{Path(place)}: this is a device or a pipe, which may never end; expected a" in err
    assert set(folder.iterdir()) == before


def test_a_batch_whose_manifest_is_a_pipe_is_one_message(folder: Path, capsys):
    (folder / "8b/teacher").mkdir(parents=True)
    os.mkfifo(folder / "8b/teacher/manifest.json")
    assert main(["batch", "2", "--out", "8b", "--resume"]) == 1
    assert "8b/teacher/manifest.json: this is a device or a pipe" in capsys.readouterr().err


def test_a_language_with_a_pipe_in_it_is_one_message(folder: Path, capsys):
    (folder / "fr").mkdir()
    os.mkfifo(folder / "fr/language.toml")
    os.mkfifo(folder / "fr/walk.toml")
    assert main(["trace", "--language", "./fr"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_a_file_of_absurd_size_is_refused_with_the_limit(folder: Path, capsys):
    with (folder / "huge.toml").open("wb") as file:
        file.truncate(65_000_000)
    assert main(["make", "--preset", "./huge.toml"]) == 1
    assert "huge.toml: found 65 MB, expected at most 64 MB" in capsys.readouterr().err


def test_shipped_presets_and_missing_files_pass(folder: Path):
    require_file(folder / "missing", "preset")
    require_file(folder, "preset")
    assert load_preset("katze").name == "katze"


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_an_overflow_is_its_message_alone(capsys, rounding: str):
    """NumPy's warnings are errors in tests."""
    query, key = (f"block1.head1.weight.{name}[1,1]=1e308" for name in ("query", "key"))
    words = ["trace", "--preset", "katze", "--rounding", rounding]
    assert main([*words, "--set", query, "--set", key]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("paperformer: preset 'katze', step block1.head1.scores, row 1 (Die): ")
    assert "a number is too large to compute with; change the words or the weights" in err
