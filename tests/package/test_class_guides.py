"""The how-tos about classes tell the truth: their Python runs, their options and columns exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator.classroom.pupils.columns import synonyms
from tests.cli.command import ROOT, run

FOLDER = ROOT / "docs" / "how-to"
GUIDES = ("from-class-list-to-copier", "running-for-a-university", "how-stamping-works", "exams")


def guide(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", guide(name), re.S)


@pytest.mark.ci
def test_the_python_of_stamping_runs_from_top_to_bottom(tmp_path: Path) -> None:
    code = "\n".join(blocks("how-stamping-works", "python"))
    assert code.count("made.stamp(") == 3
    code += (
        '\nassert pdf.startswith(b"%PDF") and book.startswith(b"%PDF") and one.startswith(b"%PDF")'
    )
    code += "\nassert different_pixels(one, other) == [0, 0]\n"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", GUIDES)
def test_options_that_they_show_exist(name: str) -> None:
    text = guide(name)
    shown = {*re.findall(r"paperformer (batch|exam|grade|reissue)", text), "batch"}
    known = "".join(run(command, "--help", cwd=ROOT).stdout for command in sorted(shown))
    told = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert not [one for one in sorted(told) if one not in known]


def test_columns_and_headings_that_the_teachers_page_names_are_known() -> None:
    text = guide("from-class-list-to-copier")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+)\|", text, re.M)
    assert len(rows) == 6
    known = {name for names in synonyms().values() for name in names}
    for column, also in rows:
        assert column in synonyms()
        words = [word.strip(" …") for word in re.split(r", | and ", also)]
        assert not [word for word in words if re.sub(r"\W+", "", word).casefold() not in known]


@pytest.mark.ci
def test_the_batch_of_the_teachers_page_writes_the_files_that_it_names(tmp_path: Path) -> None:
    text = guide("from-class-list-to-copier")
    (heading, *lines), *_ = (
        block.splitlines() for block in re.findall(r"```\n(id;.*?)```", text, re.S)
    )
    (tmp_path / "8b.csv").write_text("\n".join([heading, *lines[:1]]) + "\n", encoding="utf-8")
    command = blocks("from-class-list-to-copier", "sh")[0].split()
    assert command[:2] == ["paperformer", "batch"]
    done = run(*command[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    there = {path.name for path in (tmp_path / "outputs/8b").rglob("*")}
    tree = re.search(r"```\noutputs/8b/\n(.*?)```", text, re.S)
    assert tree is not None
    named = re.findall(r"\b[\w-]+\.(?:pdf|xlsx|csv|json)\b", tree[1])
    assert len(named) >= 9
    assert not [name for name in named if name not in there]
