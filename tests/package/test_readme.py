"""The README tells the truth: its lines can be pasted, its presets, files and code exist."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from generator.engine.vocabulary import refusal
from generator.presets.load import load_preset

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PRESETS = sorted(file.stem for file in (ROOT / "generator" / "presets").glob("*.toml"))
COMMANDS = {"job": "paperformer make", "tests": "pytest"}


def command(name: str) -> str:
    """The fenced block after the marker, as `.ci/run` takes it."""
    block = re.search(rf"<!-- command: {name} -->\n```sh\n(.*?)```\n", README, re.S)
    assert block is not None, f"README.md has no fenced block after '<!-- command: {name} -->'"
    return block[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_one_line_to_paste(name: str):
    text = command(name)
    assert text.count("\n") == 1
    assert text.index("python3-venv") < text.index("-m venv .venv") < text.index("pip install")
    assert text.index("pip install") < text.index("doctor --fix") < text.index(COMMANDS[name])


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_command_is_a_shell_line(name: str, shell: str):
    subprocess.run([shell, "-n", "-c", command(name)], check=True)


def test_ci_runs_the_readme():
    script = ROOT / ".ci" / "run"
    subprocess.run(["bash", "-n", str(script)], check=True)
    taken = re.search(
        r"^readme_command\(\).*?^}\n", script.read_text(encoding="utf-8"), re.M | re.S
    )
    assert taken is not None
    for name in COMMANDS:
        line = subprocess.run(
            ["bash", "-c", f"{taken[0]}\nreadme_command {name}"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        assert line == command(name)


def test_every_preset_is_named():
    assert len(PRESETS) >= 5
    assert re.findall(r"^\| `(.+?)` \|", README, re.M) == sorted(
        PRESETS, key=lambda name: README.index(f"| `{name}` |")
    )


def test_it_says_which_presets_take_own_sentences():
    said = dict(re.findall(r"^\| `(.+?)` \|.*\| (yes|no) \|$", README, re.M))
    assert set(said.values()) == {"yes", "no"}
    assert said == {name: "no" if refusal(load_preset(name)) else "yes" for name in PRESETS}


def test_every_file_it_points_to_exists():
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert len(targets) >= 3
    assert [target for target in targets if not (ROOT / target).is_file()] == []


def test_the_address_to_clone_from_stands_in_one_place():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    holds = [
        page for page in pages if re.search("CLONE-ADDRESS|git clone", page.read_text("utf-8"))
    ]
    assert holds == [ROOT / "README.md"]
    assert len(re.findall("git clone", README)) == 1


def test_every_option_it_shows_exists():
    shown = set(re.findall(r"paperformer (\w+)[^\n`]*", README)) - {"presets"}
    assert {"make", "walk", "trace", "doctor"} <= shown
    for name in sorted(shown):
        lines = re.findall(rf"paperformer {name}([^\n`]*)", README)
        known = subprocess.run([sys.executable, "-m", "generator", name, "--help"],
                               cwd=ROOT, capture_output=True, text=True, check=True)  # fmt: skip
        for option in re.findall(r"(?<=\s)--[a-z-]+", " ".join(lines)):
            assert option in known.stdout, f"paperformer {name} has no {option}"


def test_its_commands_print_what_stands_below_them(tmp_path: Path):
    blocks = re.findall(r"```console\n(.*?)```", README, re.S)
    calls = [
        call.split("\n", 1) for block in blocks for call in re.split(r"^\$ ", block, flags=re.M)
    ]
    calls = [call for call in calls if call != [""]]
    assert len(calls) >= 2
    for line, printed in calls:
        program, *words = shlex.split(line)
        assert program == "paperformer"
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
        done = subprocess.run([sys.executable, "-m", "generator", *words], cwd=tmp_path,
                              env=environment, capture_output=True, encoding="utf-8")  # fmt: skip
        assert done.stdout == printed, line
    assert "Die Katze sitzt auf der Matte.\n" in calls[0][1]


@pytest.mark.ci
def test_its_python_runs(tmp_path: Path):
    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    assert blocks
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    for code in blocks:
        words = [sys.executable, "-c", code]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=env)
        assert done.returncode == 0, done.stderr
        assert done.stdout
    assert list(tmp_path.rglob("*.xlsx"))
