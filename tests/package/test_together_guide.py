"""The guide to the class that learns together: its commands run with its own sentences."""

import re
import shlex
from pathlib import Path

import pytest

from generator.cli import main

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "the-class-learns-together.md"


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = GUIDE.read_text(encoding="utf-8")
    (sentences,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    Path("sentences.txt").write_text(sentences, encoding="utf-8")
    lines = re.findall(r"^\$ paperformer (.*)$", text, re.M)
    assert len(lines) == 3
    for line in lines:
        words = ["3" if word == "24" else word for word in shlex.split(line)]
        assert main([*words, "--only", "html"]) == 0
    assert len([*tmp_path.glob("outputs/class-3/hand-out/*/7d*.html")]) == 3
    solved = {path.parent.parent.name: path for path in tmp_path.rglob("katze*/teacher/*.html")}
    assert len(solved) == 2
    (own,) = (path for name, path in solved.items() if "class" in name)
    assert "Aber nicht in jeder Gruppe" in own.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "more", "message"),
    [
        (None, "--sheets 7d", "s.txt: there is no such file"),
        (" \n", "--sheets 7d", "found no sentence, expected 2 to 4"),
        ("Die Katze\n", "--sheets 4a", "add --sheets 7d"),
        ("Die Katze\n", "--only xlsx", "add --sheets 7d"),
    ],
)
def test_a_file_that_is_of_no_use_is_said(
    content: str | None,
    more: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        Path("s.txt").write_text(content, encoding="utf-8")
    assert main(["make", "--preset", "katze", "--sentences", "s.txt", *more.split()]) != 0
    assert message in capsys.readouterr().err
