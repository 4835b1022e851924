"""names.csv: opened by a spreadsheet, read by reissue, and what a corrected name leads to."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import generator
from generator.classroom.pupils import columns
from generator.classroom.pupils.pupil_codes import code_of
from generator.errors import UserError
from generator.grading.marking.task import batch_in
from tests.cli.command import files_below
from tests.support.sheets import pictures, text

SEED = "class 8b in autumn"
HARMFUL = ("=cmd|'/c calc'!A1", "@SUM(1)", "+1+1", "-2+3", "'=1+1")


def printed(folder: Path, names: dict[str, str], **options: object):
    """A batch of PDFs with names on them."""
    rows = "".join(f"{key};{name}\n" for key, name in names.items())
    (folder / "8b.csv").write_text("id;name\n" + rows, encoding="utf-8")
    chosen = {"sheets": ("1",), "seed": SEED, "only": ("pdf",), "print_names": True, **options}
    return generator.batch(folder / "8b.csv", folder / "8b", **chosen)


def leaf(folder: Path, key: str) -> Path:
    return folder / "8b/hand-out" / code_of(SEED, key) / "1-tokenizer-blank.pdf"


@pytest.mark.ci
def test_no_cell_is_a_formula_to_a_spreadsheet_and_reissue_prints_the_name(tmp_path: Path):
    names = {f"p{k}": name for k, name in enumerate(HARMFUL)}
    assert printed(tmp_path, names).problems == []
    told = (tmp_path / "8b/teacher/names.csv").read_text(encoding="utf-8-sig")
    for row in csv.reader(io.StringIO(told), delimiter=";"):
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@"))]
    for key, name in names.items():
        assert name in text(leaf(tmp_path, key).read_bytes())
        (again,) = generator.reissue(tmp_path / "8b/teacher/manifest.json", key, tmp_path / "again")
        assert again.read_bytes() == leaf(tmp_path, key).read_bytes()


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(tmp_path: Path):
    people = {"celik": "Ayşe Çelik", "2": "Mia Muster", "3": "李明", "4": "Mia Groß"}
    printed(tmp_path, people, print_names=False, only=("xlsx",))
    manifest = tmp_path / "8b/teacher/manifest.json"
    for wanted, near in (("Ayse Celik", "Ayşe Çelik"), ("Mia Gros", "Mia Groß"),
                         ("Mustr", "Mia Muster"), ("mia", "Mia Muster / Mia Groß")):  # fmt: skip
        with pytest.raises(UserError, match=rf"{wanted}': did you mean {near}\?"):
            generator.reissue(manifest, wanted, tmp_path / "again")
    for unlike in ("王", "Jonas", "99"):
        with pytest.raises(UserError, match="the manifest has no pupil"):
            generator.reissue(manifest, unlike, tmp_path / "again")
    assert generator.reissue(manifest, "celik", tmp_path / "again")  # an id is no name


@pytest.mark.parametrize("told", [*HARMFUL, "Bo O'Neill", "-7", "+49", "4,5", "", "'tHooft"])
def test_what_is_written_is_read_again(told: str):
    assert columns.text(columns.cell(told)) == told


@pytest.mark.parametrize("told", ["Bo O'Neill", "-7", "+49", "'tHooft", "Änne"])
def test_names_and_numbers_stay_as_they_are(told: str):
    assert columns.cell(told) == told


def test_a_corrected_name_is_printed_by_resume(tmp_path: Path):
    assert printed(tmp_path, {"1": "Anne Armel", "2": "Bo Ng"}).made == 2
    others = leaf(tmp_path, "2").read_bytes()
    found = printed(tmp_path, {"1": "Änne Ärmel", "2": "Bo Ng"}, resume=True)
    assert (found.made, found.kept, found.problems) == (1, 1, [])
    assert "Änne Ärmel" in text(leaf(tmp_path, "1").read_bytes())
    assert leaf(tmp_path, "2").read_bytes() == others
    assert "Änne Ärmel" in text((tmp_path / "8b/hand-out/class-1-blank.pdf").read_bytes())
    corrected = files_below(tmp_path / "8b")
    (tmp_path / "new").mkdir()
    printed(tmp_path / "new", {"1": "Änne Ärmel", "2": "Bo Ng"})
    assert files_below(tmp_path / "new/8b") == corrected


TWICE = "id;Code;name\n4711;x;Mia Müller\n4712;y;Bo Ng\n12;z;Mia Müller\n13;;\n14;;\n"


def test_people_of_one_name_are_told_apart_by_ids_however_names_csv_was_saved_again(
    tmp_path: Path, separator: str, code: str
):
    (tmp_path / "8b.csv").write_text(TWICE, encoding="utf-8")
    chosen = {"sheets": ("1",), "seed": SEED, "only": ("xlsx",)}
    assert generator.batch(tmp_path / "8b.csv", tmp_path / "8b", **chosen).made == 5
    names = tmp_path / "8b/teacher/names.csv"
    saved_again = names.read_text("utf-8-sig").replace(";", separator)
    names.write_text(saved_again, encoding=code)
    found = batch_in(tmp_path / "8b").names
    assert {key: found[code_of(SEED, key)] for key in ("4711", "4712", "12", "13", "14")} == {
        "4711": "Mia Müller (4711)",
        "4712": "Bo Ng",
        "12": "Mia Müller (12)",
        "13": "",
        "14": "",
    }


def test_a_name_that_is_not_printed_leaves_no_mark_and_may_change(tmp_path: Path):
    quick = {"print_names": False, "only": ("xlsx",)}
    printed(tmp_path, {"1": "Anne Armel"}, **quick)
    manifest = tmp_path / "8b/teacher/manifest.json"
    (record,) = json.loads(manifest.read_bytes())["pupils"]
    assert record["named"] == ""
    found = printed(tmp_path, {"1": "Änne Ärmel"}, resume=True, **quick)
    assert (found.made, found.kept) == (0, 1)
    assert "Änne" in (tmp_path / "8b/teacher/names.csv").read_text(encoding="utf-8-sig")


@pytest.mark.ci
def test_reissue_with_another_name_than_printed_says_so(tmp_path: Path):
    """The manifest has a mark of a name that is too short to tell it."""
    printed(tmp_path, {"1": "Änne Ärmel"})
    content = (tmp_path / "8b/teacher/manifest.json").read_text(encoding="utf-8")
    (record,) = json.loads(content)["pupils"]
    assert re.fullmatch("[0-9a-f]{4}", record["named"])
    assert "rmel" not in content
    names = tmp_path / "8b/teacher/names.csv"
    names.write_text(names.read_text("utf-8-sig").replace("Änne", "Anne"), encoding="utf-8-sig")
    with pytest.raises(UserError, match=r"was printed with another name than .+ has now"):
        generator.reissue(tmp_path / "8b/teacher/manifest.json", "1", tmp_path / "again")


@pytest.mark.ci
def test_a_name_without_spaces_stays_in_its_place(tmp_path: Path):
    assert printed(tmp_path, {"1": "x" * 200}).problems == []
    (page, *_) = pictures(leaf(tmp_path, "1").read_bytes(), dpi=50)
    assert page[:, -16:].min() == 255  # 8 mm at the right edge
