"""What is refused: one table of command and message; exit code 1, nothing written, no traceback."""

import os
import shlex
import tomllib
from pathlib import Path

import pytest

import generator
from generator.cli import main
from generator.files import require_file
from generator.presets.load import load_preset
from generator.typed import PLAINLY
from tests.cli.command import SMALL, files_below, run
from tests.support.classes import one_line
from tests.support.covering import each

QUERY = '"block1.head1.weight.query" = "select d1 d2"'
# In refused.toml: what is too long for it or no text, and what is said often.
LONG = {
    **{f"{{{n}}}": " ".join(f"w{k}" for k in range(n)) for n in (13, 31, 600)},
    "{x300}": "x" * 300,
    "{9s}": "9" * 5000,
    "{half}": "\udcff",
    "{plainly}": PLAINLY,
    "{empty}": "is a variable of the shell empty?",
    "{comma}": "nothing stands before or after one of its commas",
    "{endless}": "this is a device or a pipe, which may never end; expected a",
}
TABLES = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))
USAGE = [[], ["paint"], ["make", "--colour"], ["make", "--lang", "de"], ["make", "a", "b"]]
USAGE += [["walk", "--step", "output.*", "--sheets", "4a"]]


def cases(table: str, step: int = 1) -> list[object]:
    """The words of each command with the parts of its message; every so many run always."""
    lines = list(filter(None, TABLES[table].replace("\n    |", " |").splitlines()))
    found = []
    for command, *parts in (line.split(" | ") for line in lines):
        words = [LONG.get(word, word) for word in shlex.split(command)]
        found.append((words, [LONG.get(part, part) for part in parts]))
    names = [ascii(line.partition(" | ")[0]) for line in lines]
    marked = each(step, found)
    return [
        pytest.param(*one.values, marks=one.marks, id=n)
        for one, n in zip(marked, names, strict=True)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """The current folder: presets that are broken in one place each, lists, pipes."""
    katze = (Path(generator.__file__).parent / "presets/katze.toml").read_text(encoding="utf-8")
    assert QUERY in katze  # with queries so large, every exp of a row rounds to 0
    large = QUERY.replace('"select d1 d2"', "[[-60, 0], [0, -60], [0, 0], [0, 0]]")
    files = {
        "text.toml": "Die Katze\n",
        "shapes.toml": SMALL.replace('hidden" = "identity"', 'hidden" = [[1, 0], [0, 1], [1, 1]]'),
        "nan.toml": SMALL.replace("Ja = [1.0,", "Ja = [nan,"),
        "key.toml": SMALL.replace("d_model", "d_modell"),
        "flat.toml": SMALL,
        "steep.toml": katze.replace(QUERY, large),
        "word.toml": SMALL.replace("Nein = ", '"Ne\ue000in" = ').replace("Nein", "Ne\ue000in"),
        "title.toml": SMALL.replace("[model]", 'title = { de = "\\uE001" }\n[model]'),
        "own.txt": "[sheet4a.story.open]\nEin \ue000 Satz.\n",
        "none.csv": "id;name\n",
        "file": "mine",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    for pipe in ("pipe", "8b/teacher/manifest.json", "fr/language.toml", "fr/walk.toml"):
        (tmp_path / pipe).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(tmp_path / pipe)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(folder: Path, capsys, words: list[str], parts: list[str]):
    """The command says these parts of one message and writes nothing."""
    before = files_below(folder)
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    holds(err, parts)
    assert files_below(folder) == before
    assert words[0] == "batch" or not (folder / "outputs").exists()


def holds(message: str, parts: list[str]) -> None:
    assert message.startswith("paperformer: "), message
    assert "Traceback" not in message
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize(("words", "parts"), cases("likely", 8))
def test_through_the_command(folder: Path, words: list[str], parts: list[str]):
    before = files_below(folder)
    done = run(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    holds(done.stderr, parts)
    assert files_below(folder) == before


@pytest.mark.parametrize(("words", "parts"), cases("likely") + cases("wrong"))
def test_in_this_process(folder: Path, capsys, words: list[str], parts: list[str]):
    refused(folder, capsys, words, parts)


@pytest.mark.parametrize(("words", "parts"), cases("class"))
def test_of_a_class(folder: Path, capsys, words: list[str], parts: list[str]):
    only = [] if "--only" in words else ["--only", "xlsx"]
    refused(folder, capsys, ["batch", *words, *only], parts)


@pytest.mark.parametrize("place", ["/dev/zero", "./pipe"])
@pytest.mark.parametrize(("words", "parts"), cases("endless"))
def test_what_may_never_end_is_not_read(
    folder: Path, capsys, words: list[str], parts: list[str], place: str
):
    named = [f"{Path(place)}: {part}" for part in parts]
    refused(folder, capsys, [word.format(place) for word in words], named)


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_usage_errors(words: list[str], capsys):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert "usage: paperformer" in capsys.readouterr().err


def test_a_pupils_name_with_a_private_use_character_is_not_told(tmp_path: Path):
    found = one_line(tmp_path, "1;Mia \ue000")
    assert found.message.startswith("column 'name': found U+E000 as character 5")
    assert "Mia" not in found.message


def test_a_file_of_absurd_size_is_refused_with_the_limit(folder: Path, capsys):
    with (folder / "huge.toml").open("wb") as file:
        file.truncate(65_000_000)
    assert main(["make", "--preset", "./huge.toml"]) == 1
    holds(capsys.readouterr().err, ["huge.toml: found 65 MB, expected at most 64 MB"])


def test_shipped_presets_and_missing_files_pass(folder: Path):
    require_file(folder / "missing", "preset")
    require_file(folder, "preset")
    assert load_preset("katze").name == "katze"


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_an_overflow_is_its_message_alone(folder: Path, capsys, rounding: str):
    """NumPy's warnings are errors in tests."""
    query, key = (f"block1.head1.weight.{name}[1,1]=1e308" for name in ("query", "key"))
    words = ["trace", "--preset", "katze", "--rounding", rounding, "--set", query, "--set", key]
    parts = ["preset 'katze', step block1.head1.scores, row 1 (Die): ",
             "a number is too large to compute with; change the words or the weights"]  # fmt: skip
    refused(folder, capsys, words, parts)
