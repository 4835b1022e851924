"""The command itself: data, walk, presets, doctor, version, and how it ends."""

import json
import os
import pty
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import generator
from generator.cli import main
from tests.cli.command import ROOT, run
from tests.support.terminal import until


def test_version_and_the_two_ways_to_call(tmp_path: Path):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"]["paperformer"] == "generator.cli:main"
    done = run("--version", cwd=tmp_path)
    assert done.stdout == f"paperformer {generator.__version__}\n"
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0


@pytest.mark.parametrize("form", ["json", "csv", "latex", "text"])
def test_trace_prints_what_it_writes(form: str, tmp_path: Path, capsys):
    file = tmp_path / "new" / f"trace.{form}"
    assert main(["trace", "Größe 🐱", "--format", form]) == 0
    printed = capsys.readouterr().out
    assert main(["trace", "Größe 🐱", "--format", form, "--out", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == printed
    assert capsys.readouterr().out == f"{file}\n"


def test_trace_is_utf8_in_any_terminal(tmp_path: Path):
    done = run("trace", "Größe 🐱", cwd=tmp_path, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tokens"] == ["Größe", "🐱"]


def test_walk_shows_all_or_some(capsys):
    assert main(["walk", "The cat sits", "--language", "en"]) == 0
    whole = capsys.readouterr().out
    assert main(["walk", "The cat sits", "--language", "en", "--step", "block1.head1.*"]) == 0
    some = capsys.readouterr().out
    assert 0 < some.count("━━━") < whole.count("━━━")


def test_presets_list_show_check(tmp_path: Path, capsys):
    assert main(["presets", "list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {"katze", "brille", "ausgabe", "paris", "random"} <= set(listed)
    assert main(["presets", "check", *listed]) == 0
    assert capsys.readouterr().out.count("no problems") == len(listed)
    assert main(["presets", "show", "katze"]) == 0
    mine = tmp_path / "mine.toml"
    mine.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["presets", "check", str(mine)]) == 0


def test_presets_new_writes_a_preset_that_works(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["presets", "new", "mine"]) == 0
    assert capsys.readouterr().out == "mine.toml\n"
    assert main(["presets", "check", "mine.toml"]) == 0
    assert main(["make", "--preset", "mine.toml", "--only", "xlsx"]) == 0


def test_a_learned_model_says_which_words_it_has_not_learned(capsys):
    words = ["generate", "Die Eule", "--tokens", "1", "--preset"]
    assert main([*words, "katze"]) == 0
    assert capsys.readouterr().err == ""
    assert main([*words, "katze-trained"]) == 0
    assert "does not know Eule, so numbers are drawn" in capsys.readouterr().err
    assert main(["walk", "The owl", "--preset", "katze-trained", "--language", "en"]) == 0
    said = capsys.readouterr().err
    assert "does not know owl, so numbers are drawn; it knows: The, cat," in said


@pytest.mark.parametrize("words", [["trace"], ["presets", "list"], ["walk"]], ids=" ".join)
def test_a_reader_who_goes_away_ends_it_quietly(words: list[str], tmp_path: Path):
    with subprocess.Popen(
        [sys.executable, "-m", "generator", *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


PATIENCE = 30  # seconds


@pytest.mark.parametrize(("ending", "code"), [("q", 0), ("ctrl-c", 130)])
def test_the_walk_ends_by_key(ending: str, code: int, tmp_path: Path):
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "generator", "walk", "Die Katze"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "PYTHONUTF8": "1"},
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        preexec_fn=_heeds_ctrl_c,
    ) as running:
        try:
            assert b"1 von " in until(ours, b"q:")
            os.write(ours, b" ")
            assert b"2 von " in until(ours, b"q:")
        except AssertionError:
            running.kill()  # else leaving the block would wait for it
            raise
        if ending == "q":
            os.write(ours, b"q")
        else:
            running.send_signal(signal.SIGINT)
        try:
            assert running.communicate(timeout=PATIENCE)[1] == b""
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    assert running.returncode == code
    os.close(ours)
    os.close(theirs)


def _heeds_ctrl_c() -> None:
    """A program that was started in the background ignores it, and its children do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
