"""Bad input: one clear message, exit code 1, nothing written, no traceback."""

from pathlib import Path

import pytest

from generator.cli import main
from tests.cli.command import SMALL, files_below, run
from tests.support.covering import each

QUERY = '"block1.head1.weight.query" = "select d1 d2"'
WORDS = [f"w{k}" for k in range(600)]

# What a user is most likely to get wrong: in this process, and some through the real command.
BAD = {
    "empty": (["make", ""], ["the sentence is empty", "Die Katze"]),
    "blank": (["make", " \t "], ["the sentence is empty"]),
    "nothing left after cleaning": (["walk", "\u200b"], ["the sentence is empty"]),
    "too many for the engine": (["trace", " ".join(WORDS)], ["600 tokens", "512"]),
    "too many for the workbook": (
        ["make", " ".join(WORDS[:31]), "--only", "xlsx"],
        ["31 tokens", "30", "workbook"],
    ),
    "too many for paper": (
        ["make", " ".join(WORDS[:13]), "--only", "pdf", "--sheets", "4a"],
        ["13 tokens", "12", "--only xlsx"],
    ),
    "preset unknown": (
        ["make", "--preset", "kaze"],
        ["'kaze'", "did you mean 'katze'", "brille", "random"],
    ),
    "preset missing": (["make", "--preset", "no.toml"], ["no.toml", "no"]),
    "preset a folder": (["make", "--preset", "./folder"], ["folder"]),
    "preset not TOML": (["make", "--preset", "text.toml"], ["text.toml", "not TOML", "line 1"]),
    "preset shapes": (["make", "--preset", "shapes.toml"], ["weights.", "3×", "expected"]),
    "preset NaN": (["make", "--preset", "nan.toml"], ["vocabulary.words.Ja", "nan", "finite"]),
    "preset key": (["make", "--preset", "key.toml"], ["model.d_modell", "did you mean 'd_model'"]),
    "σ = 0": (["trace", "--preset", "flat.toml"], ["block1.normalised2, row 2 (Nein)", "epsilon"]),
    "empty sum": (
        ["make", "--preset", "steep.toml"],
        ["block1.head1.weights, row 1 (Die)", "sum", "shifted"],
    ),
    "sheet": (["make", "--sheets", "9"], ["sheet '9'", "choose from: 1, bpe, 2, 3, slide, slides"]),
    "language": (["make", "--language", "fr"], ["'fr'", "de, en"]),
    "no language": (["make", "--language", ""], ["language ''", "de, en", "--language ./fr"]),
    "folder that nobody may make": (["make", "--out", "/proc/none"], ["cannot write /proc/none"]),
    "rounding": (["make", "--rounding", "papier"], ["did you mean 'paper'", "paper, exact"]),
    "level": (["make", "--level", "4"], ["level '4'", "1, 2, 3"]),
    "check": (["make", "--check", "onec"], ["did you mean 'once'?", "off, block, once"]),
    "tolerance": (["make", "--tolerance", "0.5"], ["--tolerance", "last decimal, 0 to 5"]),
    "folder is a file": (
        ["make", "--only", "html", "--sheets", "4a", "--out", "text.toml"],
        ["cannot write", "text.toml", "--out"],
    ),
    "folder below a file": (
        ["make", "--only", "html", "--sheets", "4a", "--out", "text.toml/x"],
        ["cannot write", "a file is where"],
    ),
    "folder of a long name": (
        ["make", "--only", "html", "--sheets", "4a", "--out", "x" * 300],
        ["cannot write", "name too long"],
    ),
}

# Every other option, one wrong value or more each.
WRONG = {
    "--only": (["make", "--only", "xls"], ["output 'xls'", "did you mean 'xlsx'", "xlsx, pdf"]),
    "--only ,": (["make", "--only", ","], ["--only", "expected a name"]),
    "--variant": (["make", "--variant", "solved"], ["variant 'solved'", "blank, solution, both"]),
    "--part": (["make", "--part", "inf"], ["part 'inf'", "did you mean 'info'"]),
    "--budget": (["make", "--budget", "lang"], ["--budget", "'lang'", "minutes"]),
    "--budget 1": (
        ["make", "--budget", "1", "--only", "html", "--sheets", "4a"],
        ["at least", "budget is 1"],
    ),
    "--sheets ausgabe": (
        ["make", "--preset", "ausgabe", "--sheets", "4a", "--only", "html"],
        ["'ausgabe'", "4a", "brille"],
    ),
    "tabs": (
        ["make", "--only", "xlsx", "--sheets", "9"],
        ["sheet '9'", "choose from: 1, bpe, 2, 3"],
    ),
    "--rounds": (["make", "--rounds", "0"], ["--rounds: found '0'", "from 1 to 30"]),
    "--rounds, too many": (
        ["make", "--preset", "katze", "--only", "xlsx", "--rounds", "29"],
        ["6 tokens", "28 further rounds", "workbook takes 30"],
    ),
    "--rounds, no output": (
        ["make", "--only", "xlsx", "--preset", "brille", "--rounds", "2"],
        ["'brille'", "first round"],
    ),
    "--set switch": (["make", "--set", "switch.mask=2"], ["switch.mask: found 2", "1 (on)"]),
    "other sentence": (["make", "Ein Hund", "--preset", "paris"], ["'paris'", "own sentence"]),
    "--set": (["trace", "--set", "temperature"], ["--set", "KEY=VALUE"]),
    "--set unknown": (["trace", "--set", "temperatur=1"], ["did you mean 'temperature'"]),
    "--set computed": (["trace", "--set", "block1.concat[1,1]=1"], ["computed", "given steps"]),
    "--set word": (["trace", "--set", "temperature=warm"], ["'warm'", "expected a number"]),
    "--set outside": (["trace", "--set", "tokens[9]=auf"], ["[1,1] to [6,1]"]),
    "--temperature": (["trace", "--temperature", "0"], ["--temperature", "above 0"]),
    "--temperature nan": (["trace", "--temperature", "1,nan"], ["'nan'", "above 0"]),
    "--temperature brille": (
        ["trace", "--preset", "brille", "--temperature", "2"],
        ["'brille'", "--temperature would change nothing", "katze"],
    ),
    "--strategy": (["trace", "--strategy", "topk"], ["did you mean 'top-k'", "greedy"]),
    "--strategy sample": (["trace", "--strategy", "sample"], ["--random"]),
    "--k": (["trace", "--strategy", "top-k", "--k", "1.5"], ["--k", "whole number"]),
    "--k alone": (["trace", "--k", "2"], ["--k belongs to strategy top-k", "greedy"]),
    "--k inf": (["trace", "--strategy", "top-k", "--k", "inf"], ["--k", "whole number"]),
    "--p": (["trace", "--strategy", "top-p", "--p", "1.1"], ["--p", "up to 1"]),
    "--random": (["trace", "--strategy", "sample", "--random", "1"], ["--random", "below 1"]),
    "--format": (["trace", "--format", "jsn"], ["did you mean 'json'", "latex"]),
    "trace --out": (["trace", "--out", "folder"], ["folder", "in its place"]),
    "trace --out .": (["trace", "--out", "."], ["cannot write .", "folder", "name a file"]),
    "trace --out ..": (["trace", "--out", ".."], ["cannot write ..", "folder", "name a file"]),
    "presets new .": (["presets", "new", "."], ["presets new .", "folder", "./mine.toml"]),
    "presets new ..": (["presets", "new", "folder/.."], ["this is a folder", "./mine.toml"]),
    "--step": (["walk", "--step", "block1.head1.score"], ["did you mean 'block1.head1.scores'"]),
    "presets check": (["presets", "check", "katze", "nan.toml", "key.toml"], ["Ja", "d_modell"]),
    "presets check computes": (["presets", "check", "flat.toml"], ["deviation", "row 2"]),
    "presets show": (["presets", "show", "kaze"], ["did you mean 'katze'"]),
    "presets new of a bad name": (["presets", "new", "Mein Netz.toml"], ["'Mein Netz'", "letters"]),
    "presets new": (["presets", "new", "text.toml"], ["text.toml", "exists already"]),
}
USAGE = [[], ["paint"], ["make", "--colour"], ["make", "--lang", "de"], ["make", "a", "b"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with presets that are broken in one place each."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.toml").write_text("Die Katze\n", encoding="utf-8")
    broken = {
        "shapes": SMALL.replace('hidden" = "identity"', 'hidden" = [[1, 0], [0, 1], [1, 1]]'),
        "nan": SMALL.replace("Ja = [1.0,", "Ja = [nan,"),
        "key": SMALL.replace("d_model", "d_modell"),
        "flat": SMALL,
    }
    for name, text in broken.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    (tmp_path / "steep.toml").write_text(steep(), encoding="utf-8")
    return tmp_path


def steep() -> str:
    """`katze` with queries so large that every exp of a row rounds to 0."""
    from generator.presets.load import FOLDER

    katze = (FOLDER / "katze.toml").read_text(encoding="utf-8")
    assert QUERY in katze
    return katze.replace(
        QUERY, QUERY.replace('"select d1 d2"', "[[-60, 0], [0, -60], [0, 0], [0, 0]]")
    )


def holds(message: str, parts: list[str]) -> None:
    assert message.startswith("paperformer: "), message
    assert "Traceback" not in message
    for part in parts:
        assert part in message, f"{part!r} is not in {message!r}"


@pytest.mark.parametrize(("words", "parts"), each(8, tuple(BAD.values())), ids=BAD)
def test_bad_input_through_the_command(words: list[str], parts: list[str], folder: Path):
    before = files_below(folder)
    done = run(*words, cwd=folder)
    assert done.returncode == 1, done
    assert done.stdout == ""
    holds(done.stderr, parts)
    assert files_below(folder) == before
    assert not (folder / "outputs").exists()


@pytest.mark.parametrize(("words", "parts"), BAD.values(), ids=BAD)
def test_bad_input_in_this_process(
    words: list[str],
    parts: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(folder)
    before = files_below(folder)
    assert main(words) == 1
    said = capsys.readouterr()
    assert said.out == ""
    holds(said.err, parts)
    assert files_below(folder) == before


@pytest.mark.parametrize(("words", "parts"), WRONG.values(), ids=WRONG)
def test_wrong_values(
    words: list[str],
    parts: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(folder)
    before = files_below(folder)
    assert main(words) == 1
    holds(capsys.readouterr().err, parts)
    assert files_below(folder) == before
    assert not (folder / "outputs").exists()


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_usage_errors(words: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert "usage: paperformer" in capsys.readouterr().err
