"""Sheets that nobody fills in: the class has them once, and alone they are no batch."""

import json
from pathlib import Path

import openpyxl

import generator
from tests.cli.command import files_below


def test_a_reference_is_handed_out_once_and_slides_stay_with_the_teacher(tmp_path: Path):
    found = generator.batch(
        2,
        tmp_path / "8b",
        sheets=("1", "math", "formulas", "slides"),
        seed="9a",
        only=("pdf",),
    )
    assert (found.made, found.problems) == (2, [])
    files = files_below(tmp_path / "8b")
    own = [path for path in files if path.count("/") == 2]
    assert {path.rpartition("/")[2] for path in own} == {"1-tokenizer-blank.pdf"}
    shared = {path for path in files if path.count("/") == 1 and path.startswith("hand-out/")}
    assert shared == {
        "hand-out/1-tokenizer-info.pdf",
        "hand-out/class-1-blank.pdf",
        "hand-out/class-blank.pdf",
        "hand-out/formulas-formula-sheet.pdf",
        "hand-out/math-mathematics-info.pdf",
    }
    assert {
        "teacher/slides-projector.pdf",
        "teacher/math-mathematics-solution.pdf",
        "teacher/answer-key.xlsx",
        "teacher/check.pdf",
    } <= files.keys()
    assert len([path for path in files if "formula-sheet" in path]) == 1
    (again,) = generator.reissue(
        tmp_path / "8b/teacher/manifest.json", own[0].split("/")[1], tmp_path / "again"
    )
    assert again.read_bytes() == files[own[0]]


def test_common_sheets_add_nothing_to_the_effort(tmp_path: Path):
    one, two = (
        generator.batch(2, tmp_path / "-".join(sheets), sheets=sheets, seed="9a", only=("xlsx",))
        for sheets in (("4a",), ("4a", "slides"))
    )
    assert one.effort == two.effort


def test_common_papers_say_whose_they_are_only_where_they_differ(
    tmp_path: Path, rows: str, marks: list[str]
):
    (tmp_path / "8b.csv").write_text(f"id;level;language\n{rows}", encoding="utf-8")
    place = tmp_path / "a"
    generator.batch(tmp_path / "8b.csv", place, sheets=("1",), seed="9a", only=("html",))
    names = sorted(path.stem for path in place.glob("hand-out/*-info*"))
    assert len(names) == len(marks)
    for name, mark in zip(names, marks, strict=True):
        assert name.startswith("1-tokenizer-info")
        assert name.endswith(mark)
        assert ("level" in name) == ("level" in mark)
        assert ("katze" in name) == mark.startswith(("de", "en"))


def test_beside_sheet_4a_the_first_lesson_has_its_own_numbers(tmp_path: Path):
    chosen = {"sheets": ("4a", "slide", "slides"), "seed": "9a", "only": ("html",)}
    found = generator.batch(3, tmp_path, preset="brille", **chosen)
    assert (found.made, found.problems) == (3, [])
    for path in sorted(tmp_path.glob("*/slide*.html")) + sorted(tmp_path.glob("*/*/slide*.html")):
        assert "Paris" in path.read_text(encoding="utf-8"), path
        assert "Katze" not in path.read_text(encoding="utf-8"), path
    pupils = json.loads((tmp_path / "teacher/manifest.json").read_bytes())["pupils"]
    for record in pupils:
        own = record["apart"]["slide"]
        assert (own["edits"], own["exercise"] in range(5)) == ({}, True)
        for path in generator.reissue(tmp_path / "teacher/manifest.json", record["code"]):
            assert path.is_file()
    tokens = {record["apart"]["slide"]["exercise"] for record in pupils}
    assert len(tokens) > 1


def test_each_of_both_has_own_numbers_and_the_key_has_them(tmp_path: Path):
    chosen = {"sheets": ("4a", "slide"), "seed": "9a", "only": ("xlsx",), "vary": "numbers"}
    found = generator.batch(2, tmp_path, **chosen)
    assert found.problems == []
    lines = list(openpyxl.load_workbook(tmp_path / "teacher/answer-key.xlsx").active.values)
    words = {sheet: {line[4] for line in lines if line[2] == sheet} for sheet in ("4a", "slide")}
    assert words["slide"] == {"Hauptstadt"}
    assert words["4a"]
    assert "Hauptstadt" not in words["4a"]
    (one, other) = json.loads((tmp_path / "teacher/manifest.json").read_bytes())["pupils"]
    assert one["edits"] != other["edits"]
    assert one["apart"]["slide"]["edits"] != other["apart"]["slide"]["edits"]
    total = sum(part["seconds"] for part in (one, one["apart"]["slide"]))
    assert f"{total / 60:.0f} minutes" in found.effort
