"""What `make` writes of the whole series: each sheet, its help cards, the booklet."""

from pathlib import Path

import pytest

from generator.cli import main
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from tests.cli.command import files_below
from tests.support.sheets import traces

pytestmark = pytest.mark.ci  # `test_make.py` writes fewer sheets every time

ASKED = ("1", "5", "slides")  # one with help cards, one that is not printed


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """All that `make` writes for some sheets, below its folder."""
    folder = tmp_path_factory.mktemp("series")
    words = ["make", "--sheets", ",".join(ASKED), "--only", "pdf", "--level", "1"]
    assert main([*words, "--out", str(folder)]) == 0
    return [name.partition("/")[2] for name in files_below(folder)]


def test_each_sheet_is_in_both_folders_and_its_answers_only_in_one(whole: list[str]):
    for sheet in ASKED:
        stem = f"{sheet}-{SERIES[sheet].kind.slug}"
        assert f"hand-out/{stem}-blank.pdf" in whole
        assert f"teacher/{stem}-solution.pdf" in whole
    assert not [name for name in whole if name.startswith("hand-out/") and "solution" in name]


def test_help_cards_are_handed_out_and_the_booklet_is_in_both(whole: list[str]):
    helps = [name for name in whole if name.endswith("-help.pdf")]
    assert helps == [f"hand-out/5-{SERIES['5'].kind.slug}-help.pdf"]
    assert [name for name in whole if "worksheets" in name] == [
        "hand-out/worksheets-blank.pdf",
        "teacher/worksheets-solution.pdf",
    ]
    assert len(whole) == 2 * len(ASKED) + len(helps) + 2


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
