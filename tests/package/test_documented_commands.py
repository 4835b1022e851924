"""Each command and each Python block of README, handbook and `--help` is run as it stands."""

import re
import shlex
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import openpyxl
import pytest

from generator.cli import commands, main
from generator.cli.parser import parser
from generator.locales.folders import ADDED
from generator.resources import table
from tests.support.own_sheets import own_sheets_are_forgotten  # noqa: F401
from tests.support.three import LIST, three

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^ *```(sh|console|powershell)\n(.*?)^ *```", re.S | re.M)
PYTHON = re.compile(r"^( *)```python\n(.*?)^ *```", re.S | re.M)
INDENTED = re.compile(r"^ {4,}(paperformer .*)$", re.M)
CALLED = re.compile(r"^(?:\$ )?(?:\.venv[/\\](?:bin|Scripts)[/\\])?paperformer\b")
VERBS = (
    "make|batch|exam|reissue|grade|walk|trace|generate|presets|languages|doctor|serve|page|gallery"
)
INLINE = re.compile(rf"`(?:paperformer )?((?:{VERBS}) [^`\n]+)`")
TO_FILL_IN = re.compile(r"[A-Z]{3,}|\bN\b|…|\[")  # as in `gallery DIR`: a form, no command

# Lines that are not run here, by their beginning, with the reason.
TABLES = tomllib.loads(Path(__file__).with_name("not_run.toml").read_text("utf-8"))
OTHERS = TABLES["others"]
NOT_RUN = TABLES["ours"] | dict.fromkeys((f"{name}\n" for name in TABLES["names"]), "a name")
QUICK = re.compile(r"(walk|trace|generate|languages|presets (list|show|check|what-if|new)) ?")


class Command(NamedTuple):
    """What stands after `paperformer`, without what the shell does with it, and where it stands."""

    line: str
    page: str

    @property
    def words(self) -> list[str]:
        """The words that the command gets."""
        return shlex.split(self.line)


def all_lines() -> list[tuple[str, str]]:
    """Each line of the fenced blocks with its page; of consoles those that are typed."""
    found = []
    for page in PAGES:
        for kind, block in FENCED.findall(page.read_text("utf-8")):
            typed = [one.strip() for one in block.splitlines()]
            typed = [one for one in typed if kind != "console" or one.startswith("$ ")]
            found += [(one.removeprefix("$ "), page.name) for one in typed if one]
    return found


def documented() -> list[Command]:
    """Each command once, from blocks, from lines that are set in, from sentences and `--help`."""
    lines = all_lines()
    found = [(part, page) for line, page in lines for part in re.split(r" && |; ", line)]
    for page in PAGES:
        text = page.read_text("utf-8")
        found += [(line, page.name) for line in INDENTED.findall(text)]
        inline = INLINE.findall(text)
        found += [(f"paperformer {one}", page.name) for one in inline if not TO_FILL_IN.search(one)]
    helps = list(table("cli/examples.toml").values())
    found += [(line.strip(), "--help") for text in helps for line in text.splitlines()]
    ours = {}
    for line, page in found:
        if CALLED.match(line):
            bare = re.split(r" +[|>#] | {4,}", CALLED.sub("", line))[0].strip()
            ours.setdefault(bare, page)
    return [Command(line, page) for line, page in ours.items() if " " in line or "-" in line]


def reason(line: str, table: dict[str, str]) -> str | None:
    """The beginning in a table that a line has."""
    return next((start for start in table if f"{line}\n".startswith(start)), None)


COMMANDS = documented()
RUN = [one for one in COMMANDS if reason(one.line, NOT_RUN) is None]
# Each of their values is tried by other proofs.
ALIKE = {"--preset", "--language", "--header", "--set", "--temperature", "--next-word", "--train"}


def kind(one: Command) -> tuple[str, frozenset[str]]:
    """The verb of a command and its options, without those that lead no other way."""
    words = one.words
    return words[0], frozenset(word for word in words if word.startswith("--")) - ALIKE


def marks(one: Command) -> list[pytest.MarkDecorator]:
    """Quick ones run always, of slow ones the first of a kind in CI, others for a release."""
    if QUICK.match(one.line):
        return []
    alike = (other for other in RUN if not QUICK.match(other.line) and kind(other) == kind(one))
    return [pytest.mark.ci if next(alike) is one else pytest.mark.whole]


NAMED = [
    pytest.param(one, id=re.sub(r"[^a-z0-9.]+", "-", one.line.lower()), marks=marks(one))
    for one in RUN
]


def test_every_line_is_ours_or_a_program_of_others_and_every_exception_is_needed():
    foreign = {
        line for line, _ in all_lines() if not CALLED.match(line) and not line.startswith("#")
    }
    assert [line for line in sorted(foreign) if reason(line, OTHERS) is None] == []
    assert {reason(line, OTHERS) for line in foreign} == OTHERS.keys()
    assert {reason(one.line, NOT_RUN) for one in COMMANDS} - {None} == NOT_RUN.keys()
    assert len(RUN) > 60
    assert sum(QUICK.match(one.line) is not None for one in RUN) > 20


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, also the reader's home; what languages a command adds end with the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(ADDED, "")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def block(page: str, kind: str, beginning: str) -> str:
    """What a page says that the reader's file holds."""
    text = (ROOT / "docs" / "how-to" / page).read_text("utf-8")
    blocks = re.findall(rf"```{kind}\n(.*?)```", text, re.S)
    (found,) = (one for one in blocks if one.startswith(beginning))
    return found


def done(words: str) -> Callable[[Path], None]:
    """A file that a command makes."""

    def make(path: Path) -> None:
        assert main(words.format(path.name).split()) == 0

    return make


def course(path: Path) -> None:
    """A class of two as a spreadsheet."""
    book = openpyxl.Workbook()
    for row in (("id", "name"), ("1", "Mia"), ("2", "Bo")):
        book.active.append(row)
    book.save(path)


def own_sheet(path: Path) -> None:
    """The guide's sheet, copied as it says."""
    shutil.copytree(ROOT / "tests" / "sheets" / "sheetshares", path)
    for file in filter(Path.is_file, path.iterdir()):
        text = file.read_text("utf-8").replace("sheetshares", "sheet7")
        file.write_text(text.replace('SHEET = "shares"', 'SHEET = "7"'), encoding="utf-8")


def batch(path: Path) -> None:
    """A class that was made, with what one pupil handed in."""
    shutil.copytree(three("numbers"), path)
    (book,) = [*path.glob("hand-out/*/*exercise.xlsx")][:1]
    for folder in (path / "collected", *map(Path, ("collected", "handed-in", "Downloads/8b"))):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(book, folder)


SPEC = ("train-a-preset.md", "toml", "# Two words")
TOGETHER = ("the-class-learns-together.md", "text", "")
SCHEME = ("grading.md", "toml", "# scheme.toml")
# What a command finds where its reader is, by a part of its line: a text, a page's block, or how it
# is made. What it makes itself it does not find.
FOUND: dict[str, tuple[str, str | tuple[str, str, str] | Callable[[Path], None]]] = {
    r"(?<!exam-)8b\.csv": ("8b.csv", LIST),
    r"course\.csv": ("course.csv", LIST),
    r"course\.xlsx": ("course.xlsx", course),
    r"(mine-spec|--from mine)\.toml": ("mine-spec.toml", SPEC),
    r"--from mine\.toml": ("mine.toml", done("presets train mine-spec.toml --out {}")),
    r"(check|--preset) mine\.toml": ("mine.toml", done("presets new {}")),
    r"sentences\.txt": ("sentences.txt", TOGETHER),
    r"\./sheet7": ("sheet7", own_sheet),
    r"(\./fr|check fr)\b": ("fr", done("languages new {}")),
    r"outputs/8b": ("outputs/8b", batch),
    r"outputs/class": ("outputs/class", batch),
    r"outputs/exam-24": ("outputs/exam-24", batch),
    r"outputs/exam-8b": ("outputs/exam-8b", batch),
    r"--scheme scheme\.toml": ("scheme.toml", SCHEME),
}


def make(path: Path, what: str | tuple[str, str, str] | Callable[[Path], None]) -> None:
    """One of these."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if callable(what):
        what(path)
    else:
        path.write_text(what if isinstance(what, str) else block(*what), encoding="utf-8")


def prepared(one: Command, place: Path) -> list[str]:
    """The words of a command in a folder that has what it names."""
    for pattern, (name, what) in FOUND.items():
        if re.search(pattern, one.line) and not (place / name).exists():
            make(place / name, what)
    codes = [path.name for path in place.glob("outputs/*/hand-out/*") if path.is_dir()]
    known = {"K7QX2MPD": codes[0] if codes else "", "/data/week3": "week3"}  # drawn; another disk
    words = [known.get(word, word) for word in one.words]
    return [word.replace("~", str(place)) for word in words]


@pytest.mark.parametrize("one", NAMED)
def test_a_documented_command_runs(one: Command, place: Path, capsys: pytest.CaptureFixture[str]):
    words = prepared(one, place)
    if "--resume" in words:
        assert main([word for word in words if word != "--resume"]) == 0
    capsys.readouterr()
    assert main(words) == 0, capsys.readouterr().err


def test_what_slow_commands_ask_for_can_be_computed(
    place: Path, capsys: pytest.CaptureFixture[str]
):
    """Rendering waits for `.ci/run`; a loss that does not exist shows here."""
    lines = [one for one in RUN if one.line.startswith("make") and "./fr" not in one.line]
    assert len(lines) > 15
    for one in lines:
        args = parser().parse_args(prepared(one, place))
        assert commands.computed(args, taught=True).tokens, one.line
