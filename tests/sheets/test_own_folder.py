"""An author's own sheet from one folder: made like a shipped one; what is wrong in it is said."""

import itertools
import re
import shutil
import tomllib
from pathlib import Path

import pytest

from generator import compute
from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.owner import ALL
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS, in_order, resolved
from tests.support import battery
from tests.support.sheets import traces
from tests.support.views import render

EXAMPLE = Path(__file__).parent / "sheetshares"
NUMBERS = itertools.count()
TABLE = tomllib.loads(Path(__file__).with_name("own_folder.toml").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example under a name that no other test has read."""
    place = tmp_path / f"sheetown{next(NUMBERS)}"
    shutil.copytree(EXAMPLE, place, ignore=shutil.ignore_patterns("__pycache__"))
    for file in place.iterdir():
        name = place.name.removeprefix("sheet")
        text = file.read_text(encoding="utf-8").replace("sheetshares", place.name)
        file.write_text(text.replace('"shares"', f'"{name}"'), encoding="utf-8")
    return place


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def message(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What `make --sheets FOLDER` says where it can make nothing; never a traceback."""
    words = ["make", "--sheets", str(folder), "--only", "html", "--out", str(folder.parent / "o")]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


def test_it_is_made_beside_shipped_ones(tmp_path: Path):
    words = ["make", "--only", "html", "--language", "en", "--out", str(tmp_path)]
    assert main([*words, "--sheets", f"4a,{EXAMPLE}"]) == 0
    names = {path.name for path in tmp_path.rglob("*.html")}
    assert {f"shares-shares-{v}.html" for v in ("blank", "solution")} < names
    assert {f"4a-self-attention-{v}.html" for v in ("blank", "solution")} < names
    (solution,) = tmp_path.rglob("shares-shares-solution.html")
    assert "Divide each power by the sum." in solution.read_text(encoding="utf-8")


def test_it_has_its_place_between_others_but_is_not_one_of_all():
    assert in_order([str(EXAMPLE), "6", "4a"]) == ["4a", str(EXAMPLE), "6"]
    assert SERIES["shares"].name == "shares"
    assert "shares" not in SHEETS
    assert resolved(["4a", str(EXAMPLE)]) == ("4a", str(EXAMPLE.resolve()))


def test_a_class_gets_it_like_any_other(tmp_path: Path):
    words = ["batch", "2", "--seed", "a" * 16, "--vary", "focus", "--only", "pdf", "--jobs", "1"]
    assert main([*words, "--sheets", f"4a,{EXAMPLE}", "--out", str(tmp_path)]) == 0
    assert len(list(tmp_path.glob("hand-out/*/shares-shares-blank.pdf"))) == 2
    assert (tmp_path / "hand-out" / "class-shares-blank.pdf").is_file()


def test_the_battery_for_an_author(folder: Path, capsys: pytest.CaptureFixture[str]):
    both = traces("katze", "de")
    battery.blank_is_solution_without_answers(str(folder), *both, SheetOptions(), least=100)
    assert main(["sheets", "check", str(folder)]) == 0
    assert "66 blanks and solutions made, no problems" in capsys.readouterr().err


@pytest.mark.parametrize(("file", "old", "new", "said"), TABLE["battery"])
def test_the_battery_says_what_is_wrong_for_which_preset(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, said: str
):
    change(folder / file, old.replace("@", folder.name), new.replace("@", folder.name))
    assert main(["sheets", "check", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("brille, de, ●: ")
    assert said in lines[0]


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    there_is = f"there is no folder {tmp_path / 'sheet7'}"
    assert there_is in message(tmp_path / "sheet7", capsys)
    assert main(["sheets", "check", str(tmp_path / "sheet7")]) == 1
    assert there_is in capsys.readouterr().err


@pytest.mark.parametrize("name", ["shares7", "sheet4a", "sheetA", "sheet-7"])
def test_a_name_that_no_own_sheet_can_have(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    folder = folder.rename(folder.parent / name)
    said = message(folder, capsys)
    assert f"found the name {name!r}, expected 'sheet' and a name of small letters" in said


def test_every_missing_file_is_named(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "view.py").unlink()
    for language in ("de", "en"):
        (folder / f"{language}.toml").unlink()
    said = message(folder, capsys)
    for name in ("view.py", "de.toml", "en.toml"):
        assert f"{folder}: there is no file {name}" in said


def test_a_language_that_it_has_not(folder: Path, capsys: pytest.CaptureFixture[str]):
    (folder / "de.toml").unlink()
    assert "there is no file de.toml, so this sheet has no language 'de'; it has: en" in message(
        folder, capsys
    )


@pytest.mark.parametrize(("file", "old", "new", "said"), TABLE["wrong"])
def test_what_is_wrong_in_a_folder_is_said_with_its_place(
    file: str, old: str, new: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    old, new, said = (one.replace("@", folder.name) for one in (old, new, said))
    change(folder / file, old, new)
    place = "" if said.startswith("…") else f"{folder}/"
    assert f"{place}{said}".lstrip("…") in message(folder, capsys)


def test_what_was_mended_can_be_read_again(folder: Path):
    trace = compute(preset="katze", language="de")
    change(folder / "__init__.py", "order=55", "order=55 +")
    with pytest.raises(UserError, match="line 5: SyntaxError"):
        SERIES[str(folder)]
    change(folder / "__init__.py", "order=55 +", "order=55")
    made = render(str(folder), trace, trace, SheetOptions(), kind="html", variant="solution")
    assert "Teile jede Potenz" in made.decode()


def test_two_of_one_name(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    SERIES[str(folder)]
    other = Path(shutil.copytree(folder, tmp_path / "other" / folder.name))
    assert "another sheet of this name has been read" in message(other, capsys)


OWN_STEP = """    part = trace.scratch()
    part.give("scratch.doubled", 2 * trace.values(f"{AT}.sum")[:1], rows=("",), columns=("",))
    asked.add(("scratch.doubled", 0, 0))
    return Plan(
        extra=part.new,
"""


def test_a_step_of_its_own_that_no_phrase_names(folder: Path, tmp_path: Path):
    """It is called by its last name in forms and on the teacher's papers, or by its phrase."""
    change(folder / "plan.py", "    return Plan(\n", OWN_STEP)
    cell = "<p>{{ c.cell('scratch.doubled', 0, 0) }}</p>\n<table"
    change(folder / "page.html.j2", "<table", cell)
    out = tmp_path / "class"
    words = ["--sheets", str(folder), "--jobs", "1", "--out", str(out)]
    assert main(["batch", "2", "--seed", "a" * 16, "--only", "html", *words]) == 0
    trace = compute(preset="katze", language="en")
    options = SheetOptions(language="en")
    cell = ("scratch.doubled", 0, 0)
    assert PrintedSheet(str(folder), trace, trace, options).form(ALL).titles(cell) == "doubled"


def test_a_phrase_that_the_teachers_page_misses_in_both_languages(folder: Path):
    """Where a phrase is missing, the message has the key, the files and the line to write."""
    for language in ("de", "en"):
        lines = (folder / f"{language}.toml").read_text(encoding="utf-8").splitlines()
        left = [line for line in lines if not line.startswith(f'"{folder.name}.goal"')]
        (folder / f"{language}.toml").write_text("\n".join(left), encoding="utf-8")
    trace = compute(preset="katze", language="en")
    options = SheetOptions(language="en")
    line = f'write it into de.toml and en.toml of {folder}, as a line "{folder.name}.goal" = "…"'
    with pytest.raises(UserError, match=re.escape(line)):
        render(str(folder), trace, trace, options, variant="solution", kind="html")


def test_a_phrase_that_is_asked_for_outside_of_its_page(folder: Path):
    SERIES[str(folder)]
    catalogue = load("en")
    with pytest.raises(UserError, match=r'as a line "sheetown\d+\.slip\.round" = "…"'):
        catalogue.t(f"{folder.name}.slip.round")
    with pytest.raises(KeyError):
        catalogue.t("sheet4a.slip.nothing")
