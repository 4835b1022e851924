"""What `presets check` lets pass, `make` makes: shipped presets' files, changed by a draw."""

import re
from pathlib import Path

import pytest

from generator.cli import main
from generator.presets.load import FOLDER
from tests.reference.options import Draws

PRESETS = ("katze", "paris", "ausgabe", "mental", "brille", "same-word")
NUMBERS = ("0", "-1", "1e308", "nan", "inf", "1e-300", "12345678901234567890", "0.5", "1.0", "7")
ODD = ("", " ", "\\u202e", "\\u0007x", "\\ue000", "\\n", "a" * 300, "<b>", "{x}")
TEXTS = (*ODD, "katze", "none", "exact")
NUMBER, TEXT = re.compile(r"(?<![\w\"])-?\d+(\.\d+)?"), re.compile(r'"[^"]*"')


def changed(text: str, draws: Draws) -> str:
    """The file with a line left out or doubled, or with another number or text in it."""
    lines = text.splitlines()
    at = draws.choice([k for k, line in enumerate(lines) if line.strip() and line[0] != "#"])
    how = draws.choice(("left out", "doubled", "number", "number", "text"))
    if how in ("left out", "doubled"):
        lines[at : at + 1] = [lines[at]] * (2 if how == "doubled" else 0)
    elif found := list((NUMBER if how == "number" else TEXT).finditer(lines[at])):
        one, other = draws.choice(found), draws.choice(found)[0]
        new = draws.choice((*NUMBERS, other)) if how == "number" else f'"{draws.choice(TEXTS)}"'
        lines[at] = lines[at][: one.start()] + new + lines[at][one.end() :]
    return "\n".join(lines) + "\n"


def made(number: int, folder: Path, capsys) -> bool:
    """Whether the check lets a drawn file pass; then every worksheet's blank is made of it."""
    draws = Draws(f"paperformer/checked/{number}")
    file = folder / f"drawn{number}.toml"
    source = (FOLDER / f"{draws.choice(PRESETS)}.toml").read_text(encoding="utf-8")
    file.write_text(changed(source, draws), encoding="utf-8")
    if main(["presets", "check", str(file)]):
        assert "Traceback" not in capsys.readouterr().err
        return False
    words = ["--only", "html", "--variant", "blank", "--jobs", "1", "--out", str(folder / "out")]
    assert main(["make", "--preset", str(file), *words]) == 0, capsys.readouterr().err
    return True


@pytest.mark.ci
def test_whatever_is_drawn(tmp_path: Path, capsys):
    passed = [made(number, tmp_path, capsys) for number in range(60)]
    assert 10 < sum(passed) < 50


def test_the_check_refuses(old: str, new: str, said: str, tmp_path: Path, capsys):
    source = (FOLDER / "katze.toml").read_text(encoding="utf-8")
    assert old in source
    file = tmp_path / "mine.toml"
    file.write_text(source.replace(old, new), encoding="utf-8")
    assert main(["presets", "check", str(file)]) == 1
    assert said in capsys.readouterr().err
    assert main(["make", "--preset", str(file), "--only", "html", "--out", str(tmp_path)]) == 1
    assert said in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.html"))


def test_a_given_vector_whose_sentence_has_a_word_without_an_embedding(tmp_path: Path, capsys):
    """A drawn file found it: sheet 2 ended in a traceback, and nothing was made."""
    source = (FOLDER / "ausgabe.toml").read_text(encoding="utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(re.sub("(?m)^sitzt = .*\n", "", source), encoding="utf-8")
    words = ["make", "--preset", str(file), "--only", "html", "--out", str(tmp_path)]
    assert main(["presets", "check", str(file)]) == 0
    assert main([*words, "--sheets", "2"]) == 1
    assert "has no embedding for 'sitzt', which sheet 2 compares" in capsys.readouterr().err
    assert main([*words, "--variant", "blank", "--jobs", "1"]) == 0
