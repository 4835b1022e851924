"""README and handbook tell the truth: what can be pasted runs, what is named is there."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs.architecture_picture import GROUND, PACKAGE, PAGE, imports, page, reach, without_shortcuts
from generator.classroom.pupils.columns import synonyms
from generator.cli import main
from generator.cli.parser import parser
from generator.engine.vocabulary import refusal
from generator.presets.load import load_preset
from generator.render.worksheet.pdf_engine import INSTALL_PANGO
from tests.cli.command import ROOT, run
from tests.package.test_documented_commands import PAGES, PYTHON

TEXTS = {one.name: one.read_text("utf-8") for one in PAGES}
README = TEXTS["README.md"]
PRESETS = sorted(file.stem for file in (ROOT / "generator" / "presets").glob("*.toml"))
COMMANDS = {"job": "paperformer make", "tests": "pytest"}
CLASS_PAGE = "from-class-list-to-copier.md"


def blocks(name: str, kind: str) -> list[str]:
    """A page's fenced blocks of a kind."""
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", TEXTS[name], re.S | re.M)
    found = [text for word, text in fences if word == kind]
    assert found
    return found


# Lines to paste -------------------------------------------------------------------------------


def command(name: str) -> str:
    """The README's fenced block after the marker, as `.ci/run` takes it."""
    block = re.search(rf"<!-- command: {name} -->\n```sh\n(.*?)```\n", README, re.S)
    assert block is not None, f"README.md has no fenced block after '<!-- command: {name} -->'"
    return block[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_one_shell_line_to_paste_which_ci_runs(name: str):
    text, script = command(name), ROOT / ".ci" / "run"
    assert text.count("\n") == 1
    assert text.index("python3-venv") < text.index("-m venv .venv") < text.index("pip install")
    assert text.index("pip install") < text.index("doctor --fix") < text.index(COMMANDS[name])
    for words in (["bash", "-n", "-c", text], ["sh", "-n", "-c", text], ["bash", "-n", script]):
        subprocess.run(words, check=True)
    taken = re.search(r"^readme_command\(\).*?^}\n", script.read_text("utf-8"), re.M | re.S)
    assert taken is not None
    words = ["bash", "-c", f"{taken[0]}\nreadme_command {name}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == text


def test_the_readmes_commands_print_what_stands_below_them(tmp_path: Path):
    calls = [one.split("\n", 1) for block in blocks("README.md", "console")
             for one in re.split(r"^\$ ", block, flags=re.M) if one]  # fmt: skip
    assert len(calls) >= 2
    for line, printed in calls:
        program, *words = shlex.split(line)
        assert program == "paperformer"
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
        done = subprocess.run([sys.executable, "-m", "generator", *words], cwd=tmp_path,
                              env=environment, capture_output=True, encoding="utf-8")  # fmt: skip
        assert done.stdout == printed, line
    assert "Die Katze sitzt auf der Matte.\n" in calls[0][1]


@pytest.mark.parametrize(
    "name", ["README.md", CLASS_PAGE, "running-for-a-university.md", "exams.md"]
)
def test_each_option_that_a_page_shows_is_one_of_its_command(name: str, capsys) -> None:
    calls = re.findall(r"paperformer ((?:presets )?[a-z]+)([^\n`&;|]*)", TEXTS[name])
    known = {}
    for shown in {"batch", *dict(calls)}:
        with pytest.raises(SystemExit):
            main([*shown.split(), "--help"])
        known[shown] = options(capsys.readouterr().out)
    told = {(shown, one) for shown, rest in calls for one in options(rest)}
    assert told
    assert not [(shown, one) for shown, one in told if one not in known[shown]]
    if name == "README.md":  # other programs have options there, too
        assert {"make", "walk", "trace", "doctor"} <= known.keys()
    else:
        assert options(TEXTS[name]) <= set().union(*known.values())


def options(text: str) -> set[str]:
    """Each long option that a text names."""
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


# Python blocks --------------------------------------------------------------------------------

PARTS = {
    "add-an-operation.md": "of files of the program",
    "real-weights.md": "of the reader's own program",
    "tests.md": "of a test",
}
QUICK = ("how-a-formula-is-made.md", "one-training-step.md")
WITH_PYTHON = {
    name: "\n".join(code for _, code in found)
    for name, text in TEXTS.items()
    if (found := PYTHON.findall(text))
}
OWN = sorted(WITH_PYTHON.keys() - PARTS.keys())


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.ci]) for n in OWN]
)
def test_the_python_of_a_page_runs_from_top_to_bottom(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    assert WITH_PYTHON.keys() >= PARTS.keys()
    assert len(OWN) >= 9
    monkeypatch.chdir(tmp_path)
    if "workbook-exercise.xlsx" in WITH_PYTHON[name]:
        assert main(["make", "--only", "xlsx", "--variant", "blank", "--preset", "katze"]) == 0
        (book,) = tmp_path.rglob("workbook-exercise.xlsx")
        book.rename(tmp_path / book.name)
    capsys.readouterr()
    made: dict = {"__name__": "__main__"}
    exec(compile(WITH_PYTHON[name], name, "exec"), made)
    out = capsys.readouterr().out
    match name:
        case "README.md":
            assert list(tmp_path.rglob("*.xlsx"))
        case "one-training-step.md":
            assert out == "".join(blocks(name, "text"))
        case "how-stamping-works.md":
            assert all(made[one].startswith(b"%PDF") for one in ("pdf", "book", "one"))
            assert made["different_pixels"](made["one"], made["other"]) == [0, 0]
            assert WITH_PYTHON[name].count("made.stamp(") == 3
            return
    assert out


def test_the_commands_of_one_training_step_show_what_the_guide_says(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = "".join(blocks("one-training-step.md", "console")).splitlines()
    assert len(lines) == 5
    for line in lines:
        small = ["--variant", "solution"] if "make" in line else []
        assert main([*shlex.split(line)[2:], *small]) == 0
    out = capsys.readouterr().out
    for said in ("−0,634", "W_U⁺ = W_U − η · ∂W_U", "-train-3-rate-0.5-output"):
        assert said in out
    assert "step6.loss.cross_entropy" in Path("learning.csv").read_text(encoding="utf-8")


@pytest.mark.ci
def test_the_commands_of_the_class_that_learns_together_make_what_the_guide_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "the-class-learns-together.md"
    Path("sentences.txt").write_text("".join(blocks(name, "text")), encoding="utf-8")
    lines = "".join(blocks(name, "console")).splitlines()
    assert len(lines) == 3
    for line in lines:
        words = ["3" if word == "24" else word for word in shlex.split(line)[2:]]
        assert main([*words, "--only", "html"]) == 0
    assert len(list(tmp_path.glob("outputs/class-3/hand-out/*/7d*.html"))) == 3
    solved = {path.parent.parent.name: path for path in tmp_path.rglob("katze*/teacher/*.html")}
    assert len(solved) == 2
    (own,) = (path for folder, path in solved.items() if "class" in folder)
    assert "Aber nicht in jeder Gruppe" in own.read_text(encoding="utf-8")


def test_a_file_of_sentences_that_is_of_no_use_is_said(
    content: str | None, more: str, message: str, tmp_path: Path, capsys
) -> None:
    file = tmp_path / "s.txt"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert main(["make", "--preset", "katze", "--sentences", str(file), *more.split()]) != 0
    assert message in capsys.readouterr().err


# What is named and counted --------------------------------------------------------------------


def test_every_preset_is_named_and_whether_it_takes_own_sentences():
    said = dict(re.findall(r"^\| `(.+?)` \|.*\| (yes|no) \|$", README, re.M))
    assert len(said) >= 5
    assert set(said.values()) == {"yes", "no"}
    assert said == {name: "no" if refusal(load_preset(name)) else "yes" for name in PRESETS}


def test_the_address_to_clone_from_stands_in_one_place():
    holds = [name for name, text in TEXTS.items() if re.search("CLONE-ADDRESS|git clone", text)]
    assert holds == ["README.md"]
    assert len(re.findall("git clone", README)) == 1


def test_columns_and_headings_that_the_teachers_page_names_are_known() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+)\|", TEXTS[CLASS_PAGE], re.M)
    assert len(rows) == 6
    known = {name for names in synonyms().values() for name in names}
    for column, also in rows:
        assert column in synonyms()
        words = [word.strip(" …") for word in re.split(r", | and ", also)]
        assert not [word for word in words if re.sub(r"\W+", "", word).casefold() not in known]


@pytest.mark.ci
def test_the_batch_of_the_teachers_page_writes_the_files_that_it_names(tmp_path: Path) -> None:
    heading, line, *_ = next(one for one in blocks(CLASS_PAGE, "") if one[:3] == "id;").splitlines()
    (tmp_path / "8b.csv").write_text(f"{heading}\n{line}\n", encoding="utf-8")
    program, *words = blocks(CLASS_PAGE, "sh")[0].split()
    done = run(*words, cwd=tmp_path)
    assert (program, done.returncode) == ("paperformer", 0), done.stderr
    there = {path.name for path in (tmp_path / "outputs/8b").rglob("*")}
    (tree,) = (one for one in blocks(CLASS_PAGE, "") if one.startswith("outputs/8b/\n"))
    named = re.findall(r"\b[\w-]+\.(?:pdf|xlsx|csv|json)\b", tree)
    assert len(named) >= 9
    assert not [name for name in named if name not in there]


# Architecture ---------------------------------------------------------------------------------


def test_the_picture_is_that_of_todays_imports_and_loses_no_dependency():
    assert PAGE.read_text("utf-8") == page(), "run: python -m docs.architecture_picture"
    graph = imports()
    drawn = without_shortcuts(graph)
    assert sum(map(len, drawn.values())) < sum(map(len, graph.values()))
    assert all(reach(drawn, package) == reach(graph, package) for package in graph)


def test_every_package_has_its_row_and_every_file_is_there():
    text = PAGE.read_text("utf-8")
    found = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|[^|]*\|([^|]*)\|$", text, re.MULTILINE)
    rows = [(re.findall(r"`(\w+)`", packages), files) for packages, files in found]
    assert {package for packages, _ in rows for package in packages} == imports().keys()
    assert not GROUND & imports().keys()
    named = [
        (packages, name) for packages, files in rows for name in re.findall("`([^`]+)`", files)
    ]
    everywhere = ["..", *(package for packages, _ in rows for package in packages)]
    files = re.findall(r"`(\w+/[\w/]*\w+\.(?:py|toml|html\.j2))`", text)
    assert len(files) >= 15
    for packages, name in [*named, *((everywhere, file) for file in files)]:
        assert any((PACKAGE / package / name).exists() for package in [*packages, "."]), name


# The container --------------------------------------------------------------------------------


CONTAINER = ROOT / "docs" / "container"
FILE = (CONTAINER / "Containerfile").read_text("utf-8")


def test_the_container_installs_the_same_system_packages():
    (line,) = re.findall(r"--no-install-recommends (.*?) \\", FILE)
    (debian,) = re.findall(r"apt-get install (.*)", INSTALL_PANGO)
    assert set(line.split()) == set(debian.split())


def test_it_copies_what_a_wheel_needs_and_runs_as_nobody_special():
    copied = {name for line in re.findall(r"^COPY (.*) /src/", FILE, re.M) for name in line.split()}
    assert all((ROOT / name).exists() for name in copied)
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = built["targets"]["wheel"]
    assert {*wheel["packages"], *wheel["force-include"]} <= copied
    (user,) = re.findall(r"^USER (\d+):\d+$", FILE, re.M)  # a number: clusters refuse a name
    assert f"--uid {user} " in FILE
    assert int(user) > 0
    assert FILE.index(f"USER {user}") < FILE.index("ENTRYPOINT")


def test_the_page_knows_its_public_name_and_from_where_caddy_asks():
    compose = (CONTAINER / "compose.yaml").read_text("utf-8")
    caddy = (CONTAINER / "Caddyfile").read_text("utf-8")
    (command,) = re.findall(r"command: (\[.*\])", compose)
    (address,) = re.findall(r"^\{\$(\w+)\} \{$", caddy, re.M)
    filled = re.sub(rf"\$\{{{address}:\?[^}}]*\}}", "paperformer.school.example", command)
    args = parser().parse_args(["serve", *json.loads(filled)])
    assert args.public_name == ("paperformer.school.example",)
    assert list(args.trusted_proxy) == re.findall(r"subnet: (\S+)", compose)
