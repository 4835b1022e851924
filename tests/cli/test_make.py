"""What must work: which files `make` writes, from which sentences, with which options."""

import os
from pathlib import Path

import openpyxl
import pytest

import generator
from generator.cli import main
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from tests.cli.command import files_below, run, written
from tests.support.covering import each
from tests.support.sheets import traces

SENTENCE = "Die Katze sitzt auf der Matte"
NAME = "katze-trained-die-katze-sitzt-auf-der-matte"
BLANK = ["hand-out/4a-self-attention-blank"]
HELP = ["hand-out/4a-self-attention-help"]
SOLUTION = ["teacher/4a-self-attention-solution"]
EXERCISE = ["hand-out/workbook-exercise.xlsx"]
WORKBOOK = ["teacher/workbook-solution.xlsx"]
BOTH = [*EXERCISE, *WORKBOOK]
FORMULAS = "hand-out/formulas-formula-sheet"
MATH, TEACHERS_MATH = (
    f"{one}.html"
    for one in ("hand-out/math-mathematics-blank", "teacher/math-mathematics-solution")
)
SERIES_OF_THREE = [  # one with help cards, one that is not printed
    "hand-out/1-tokenizer-blank.pdf",
    "hand-out/5-add-norm-feed-forward-blank.pdf",
    "hand-out/5-add-norm-feed-forward-help.pdf",
    "hand-out/worksheets-blank.pdf",
    "teacher/1-tokenizer-solution.pdf",
    "teacher/5-add-norm-feed-forward-solution.pdf",
    "teacher/slides-projector.pdf",
    "teacher/worksheets-solution.pdf",
]
OPTIONS = ["--level 1", "--level 3", "--part info", "--part work", "--no-story", "--budget 60",
           "--header Klasse", "--author Ada", "--licence CC0", "--rounding exact",
           "--language en", "--set tokens[2]=Matte"]  # fmt: skip
TOKENS = ["=1+1", "#N/A", "?", "*", "TRUE", "1/2", "The the", "a" * 60, "<b>", "{{ 7*7 }}", "-1"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch) -> Path:
    """Every test in an empty folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder: Path) -> list[str]:
    """The files below the one result folder in a folder."""
    (result,) = folder.iterdir()
    return list(files_below(result))


def test_make_writes_workbook_and_worksheets(here: Path, capsys):
    assert main(["make", SENTENCE, "--sheets", "4a"]) == 0
    said = capsys.readouterr()
    (folder,) = (here / "outputs").iterdir()
    assert folder.name.startswith(f"{NAME}-")
    assert folder.name.endswith("-de")
    expected = [f"{BLANK[0]}.pdf", f"{HELP[0]}.pdf", *EXERCISE, f"{SOLUTION[0]}.pdf", *WORKBOOK]
    assert names(here / "outputs") == expected
    assert sorted(said.out.splitlines()) == [f"outputs/{folder.name}/{n}" for n in expected]
    assert said.err == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--only xlsx", BOTH),
        ("--only xlsx --variant blank --level 3", EXERCISE),
        ("--only xlsx --rounds 2 --preset katze", BOTH),
        ("--only xlsx --sheets 2,3", BOTH),
        ("--only xlsx --sheets 1 --preset katze-trained", BOTH),
        ("--only xlsx --sheets 1 --preset previous-word", BOTH),
        # Nobody fills it in, and no page for teachers ends it: one file, and no tab.
        ("--sheets formulas --variant blank", [f"{FORMULAS}.pdf"]),
        ("--only html --sheets formulas,math", [f"{FORMULAS}.html", MATH, TEACHERS_MATH]),
        ("--only html --sheets formulas,math --variant blank", [f"{FORMULAS}.html", MATH]),
        (
            "--only html --sheets formulas,math --variant solution",
            [f"{FORMULAS}.html", TEACHERS_MATH],
        ),
        ("--only html --sheets 4a", [f"{one[0]}.html" for one in (BLANK, HELP, SOLUTION)]),
        ("--only html --variant blank --sheets 4a", [f"{one[0]}.html" for one in (BLANK, HELP)]),
        ("--only html --variant solution --sheets 4a", [f"{SOLUTION[0]}.html"]),
        ("--only html,xlsx --variant solution --sheets 4a", [f"{SOLUTION[0]}.html", *WORKBOOK]),
        ("--only pdf --sheets 1,5,slides --level 1", SERIES_OF_THREE),
    ],
)
def test_only_what_is_asked_for(words: str, expected: list[str], here: Path):
    assert main(["make", *words.split(), "--out", "made"]) == 0
    assert names(here / "made") == expected


@pytest.mark.parametrize("option", each(2, OPTIONS))
def test_no_option_of_a_sheet_does_nothing(option: str, here: Path):
    brille = ["make", "--preset", "brille", "--only", "html", "--sheets", "4a", "--out"]
    assert main([*brille, "plain"]) == 0
    assert main([*brille, "changed", *option.split()]) == 0
    solution = "4a-self-attention-solution.html"
    plain, other = written(here / "plain", solution), written(here / "changed", solution)
    assert plain.read_bytes() != other.read_bytes()


@pytest.mark.ci
def test_options_of_the_output_change_the_numbers_and_the_content(here: Path):
    trace = ["trace", "--format", "json", "--out"]
    assert main([*trace, "plain.json"]) == 0
    before = (here / "plain.json").read_bytes()
    for option in ("--temperature 0.5,3", "--strategy sample --random 0.9", "--strategy top-p "
                   "--p 0.5 --random 0.1", "--strategy top-k --k 2 --random 0.1",
                   "--set temperature=2"):  # fmt: skip
        assert main([*trace, "changed.json", *option.split()]) == 0
        assert (here / "changed.json").read_bytes() != before
        assert main(["make", "--only", "xlsx", *option.split()]) == 0
    assert len(list((here / "outputs").iterdir())) == 5


@pytest.mark.ci
def test_same_bytes_on_repeat(here: Path):
    for seed in ("1", "2"):
        done = run("make", SENTENCE, "--only", "xlsx,pdf,html", "--sheets", "1,4a", "--out", seed,
                   cwd=here, PYTHONHASHSEED=seed)  # fmt: skip
        assert done.returncode == 0, done.stderr
    first, second = files_below(here / "1"), files_below(here / "2")
    assert len(first) == 2 * 2 * 2 + 2 + 2 + 2  # sheets in two kinds, cards, booklets, workbooks
    assert first == second


@pytest.mark.parametrize("token", each(4, TOKENS))
def test_any_token_works(token: str, here: Path):
    words = f"{token} sitzt auf Matte"
    assert main(["make", "--only", "html", "--sheets", "4a", "--", words]) == 0
    assert main(["make", "--only", "xlsx", "--", words]) == 0
    trace = generator.compute(words)
    book = openpyxl.load_workbook(written(here, "workbook-solution.xlsx"))
    texts = {c.value for sheet in book for row in sheet.iter_rows() for c in row
             if c.data_type == "s"}  # fmt: skip
    assert set(trace.tokens) <= texts


def test_markup_in_a_sentence_is_text(here: Path):
    html = ["--only", "html", "--sheets", "4a"]
    assert main(["make", "<img src=x onerror=y> {{ 7*7 }}", *html]) == 1  # 15 tokens
    assert main(["make", "<script> {{ 7*7 }}", *html]) == 0
    for name in ("4a-self-attention-blank.html", "4a-self-attention-solution.html"):
        html = written(here, name).read_text(encoding="utf-8")
        assert "<script" not in html
        assert "&lt;" in html


def test_a_sheet_that_cannot_be_made_is_named_and_the_rest_written(
    words: list[str], named: str, here: Path, capsys
):
    assert main(["make", *words, "--sheets", "4a"]) == 1
    said = capsys.readouterr()
    assert said.out.count("\n") == 2
    assert said.err.count("paperformer:") == 1
    assert named in said.err
    assert names(here / "outputs") == BOTH
    assert main(["walk", *words, "--all"]) == 0
    assert main(["trace", *words]) == 0


def test_removed_control_characters_are_said(capsys):
    assert main(["trace", "Die\x07 Katze\x1b[31m", "--format", "csv"]) == 0
    said = capsys.readouterr()
    assert "removed control characters" in said.err
    assert "U+0007" in said.err
    assert "\x1b" not in said.out + said.err


def test_sheets_that_a_preset_cannot_fill_are_left_out(here: Path, capsys):
    assert main(["make", "--preset", "ausgabe", "--only", "html", "--variant", "blank"]) == 0
    said = capsys.readouterr().err
    assert "left out: 1, 3, slide, slides, 4a, 4b, 5, generate, 7c, 7d, 8, code" in said
    made = names(here / "outputs")
    assert "hand-out/6-output-blank.html" in made
    assert not [name for name in made if "4a" in name]


def test_workbooks_have_the_tabs_of_the_sheets_and_only_those(here: Path):
    assert main(["make", "--only", "xlsx,html", "--sheets", "4a,6,math"]) == 0
    book = openpyxl.load_workbook(written(here, "workbook-solution.xlsx"))
    assert book.sheetnames == ["Start", "Auf einen Blick", "Head 1", "Output", "Ziehen"]
    book = openpyxl.load_workbook(written(here, "workbook-exercise.xlsx"))
    assert book.sheetnames == ["Start", "Head 1", "Output"]


@pytest.mark.ci
def test_fewer_rounds_than_asked_for_are_said_with_the_reason(here: Path, capsys):
    words = ["make", "--only", "xlsx", "--variant", "solution", "--rounds", "3"]
    assert main(words) == 0
    said = capsys.readouterr().err
    assert said.startswith("paperformer: the text ends in round 1 of 3 with the stop token '.', a")
    assert said.count("\n") == 1
    assert main([*words, "Die Katze"]) == 0
    assert capsys.readouterr().err == ""


def test_rounds_have_tabs_of_their_own(here: Path):
    assert main(["make", "Die Katze", "--only", "xlsx", "--rounds", "3"]) == 0
    book = openpyxl.load_workbook(written(here, "workbook-solution.xlsx"))
    assert {"Output", "R2 Output", "R3 Output"} <= set(book.sheetnames)
    assert (
        main(["trace", "Die Katze", "--rounds", "2", "--format", "csv", "--out", "rounds.csv"]) == 0
    )
    assert "round2.sampling.next" in (here / "rounds.csv").read_text(encoding="utf-8")


def test_more_tokens_than_a_workbook_takes_leave_the_rest(here: Path, capsys):
    long = " ".join(["Katze"] * 31)
    assert main(["make", long, "--only", "xlsx,html", "--variant", "blank"]) == 1
    said = capsys.readouterr().err
    assert "31 tokens" in said
    assert "left out: 1, 2, 3, slide, slides, 4a, " in said
    assert not [name for name in names(here / "outputs") if "workbook" in name]


@pytest.mark.ci
def test_without_pango_html_takes_the_place_of_pdf(here: Path):
    (here / "libpango-1.0.so.0").touch()  # found first by the loader, and no library
    environment = {"LD_LIBRARY_PATH": str(here), "PATH": str(here)}  # nor a browser
    done = run("make", "--sheets", "4a", cwd=here, **environment)
    assert done.returncode == 1
    assert "apt-get install libpango" in done.stderr
    expected = [f"{BLANK[0]}.html", f"{HELP[0]}.html", *EXERCISE, f"{SOLUTION[0]}.html", *WORKBOOK]
    assert names(here / "outputs") == expected
    asked = run("make", "--only", "pdf", "--out", "pdf", cwd=here, **environment)
    assert asked.returncode == 1
    assert "--only html" in asked.stderr
    assert "install Chrome, Edge or Chromium" in asked.stderr
    assert not (here / "pdf").exists()


def test_paths_elsewhere_are_printed_in_full(tmp_path_factory: pytest.TempPathFactory, capsys):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert main(["make", "--only", "xlsx", "--out", str(elsewhere)]) == 0
    assert capsys.readouterr().out.startswith(f"{elsewhere}{os.sep}")


def test_python_writes_what_the_command_writes(here: Path):
    words = ["--only", "xlsx,html", "--sheets", "4a", "--level", "1", "--no-story", "--out", "made"]
    assert main(["make", SENTENCE, *words]) == 0
    trace = generator.compute(SENTENCE)
    chosen = {"sheets": ["4a"], "level": 1, "story": False}
    paths = generator.write(trace, here / "own", only=["xlsx", "html"], **chosen)
    assert [path.relative_to(here / "own").as_posix() for path in paths] == [
        *BOTH, f"{BLANK[0]}.html", f"{SOLUTION[0]}.html", f"{HELP[0]}.html"]  # fmt: skip
    (made,) = (here / "made").iterdir()
    assert files_below(here / "own") == files_below(made)
    assert "Erlebnispark" not in (here / "own" / f"{BLANK[0]}.html").read_text(encoding="utf-8")
    with pytest.raises(UserError, match=r"U\+1F431"):
        generator.write(generator.compute("Die 🐱 sitzt da"), here / "cat", sheets=["4a"])
    assert list(files_below(here / "cat")) == BOTH
    with pytest.raises(UserError, match="there is no level 7"):
        generator.write(trace, here / "own", ["html"], level=7)


@pytest.mark.ci
@pytest.mark.parametrize("preset", ["katze", "ausgabe"])
def test_all_are_those_that_the_preset_can_fill(preset: str, tmp_path: Path, capsys):
    trace, _ = traces(preset, "de")
    words = ["make", "--preset", preset, "--only", "html", "--level", "1", "--variant", "blank"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    names = [name.rpartition("/")[2] for name in files_below(tmp_path)]
    said = capsys.readouterr().err
    left = said.partition("left out: ")[2].partition(" (")[0].split(", ")
    for sheet, one in SERIES.items():
        made = one.file("blank", "html") in names
        why = _refused(sheet, trace)
        assert made is (why == "")
        assert (sheet in left) is (why != "")
    assert not [name for name in names if name.startswith("worksheets")]


def _refused(sheet: str, trace: Trace) -> str:
    try:
        planned(sheet, trace, SheetOptions(level=1))
    except UserError as error:
        return str(error)
    return ""
