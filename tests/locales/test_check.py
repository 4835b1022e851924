"""What a folder lacks is listed key by key; what is not complete is no language."""

import csv
import io
import json
from pathlib import Path

import pytest

from generator.cli import main
from generator.errors import UserError
from generator.locales.check import added, problems_in
from generator.locales.folders import add, written
from generator.locales.locale import SPREADSHEET, names_in, read_locale
from tests.support.french import french


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return french(tmp_path)


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def listed(folder: Path) -> set[tuple[str, str, str]]:
    return {(one.file, one.key, one.kind) for one in problems_in(folder) if one.kind != "same"}


def test_a_complete_folder_has_no_problem(place: Path):
    assert not listed(place)


def test_each_problem_is_listed(place: Path, file, old, new, problem):
    change(place / file, old, new)
    found = listed(place)
    assert (file, *problem) in found if problem else found
    with pytest.raises(UserError, match="languages check"):
        added(place)
    assert written() == ("de", "en")


def test_a_key_in_two_files_is_listed(place: Path):
    (place / "more.toml").write_text('"walk.block" = "x"\n', "utf-8")
    assert ("walk.toml", "walk.block", "wrong") in listed(place)


def test_all_problems_of_a_language_file_at_once(place: Path):
    file = place / "language.toml"
    change(file, 'times = "×"', 'times = "*"')
    change(file, 'SUM = "SOMME"\n', "")
    change(file, 'name = "Français"', "name = 1")
    _, problems = read_locale(file)
    said = [str(problem).removeprefix(f"{file}: ") for problem in problems]
    assert said == [
        "name: wrong, found '1', expected a valid string",
        "signs.times: wrong, found '*', expected '·' or '×'",
        "spreadsheet.functions: wrong, found '31 entries', expected a name for SUM",
    ]


def test_the_list_is_csv_or_json(place: Path, capsys):
    change(place / "walk.toml", "'walk.block' =", "'walk.blok' =")
    capsys.readouterr()
    assert main(["languages", "check", str(place)]) == 1
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert main(["languages", "check", str(place), "--format", "json"]) == 1
    out = capsys.readouterr()
    assert json.loads(out.out) == rows
    missing = [row for row in rows if row["kind"] == "missing" and row["file"] == "walk.toml"]
    assert missing == [
        {"file": "walk.toml", "key": "walk.block", "kind": "missing",
         "expected": "Block {block}", "found": ""}
    ]  # fmt: skip
    assert "1 unknown, 0 wrong" in out.err


def test_only_a_preset_that_is_begun_must_be_complete(place: Path, capsys):
    assert main(["languages", "check", str(place)]) == 0
    assert "presets.toml,mental" not in capsys.readouterr().out
    change(place / "presets.toml", "sentence =", "# sentence =")
    assert main(["languages", "check", str(place)]) == 1
    assert "presets.toml" in capsys.readouterr().out


def test_a_missing_or_broken_file_is_one_problem(place: Path):
    (place / "walk.toml").unlink()
    (place / "sheet.toml").write_text("'sheet.page' = 'Page", encoding="utf-8")
    found = listed(place)
    assert found == {("walk.toml", "", "missing"), ("sheet.toml", "", "wrong")}
    with pytest.raises(UserError, match="2 problems, listed in full by"):
        added(place)


def test_a_new_folder_is_english_and_complete(tmp_path: Path, capsys):
    folder = tmp_path / "pt-BR"
    assert main(["languages", "new", str(folder)]) == 0
    assert main(["languages", "check", str(folder)]) == 0
    assert {problem.kind for problem in problems_in(folder)} == {"same"}
    assert main(["languages", "new", str(folder)]) == 1
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["french", "FR", "de"])
def test_a_folder_is_called_by_a_free_code(tmp_path: Path, name, capsys):
    assert main(["languages", "new", str(tmp_path / name)]) == 1
    assert "expected the code of a new language" in capsys.readouterr().err
    assert not (tmp_path / name).exists()


def test_a_folder_that_is_no_language_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match=r"no language\.toml"):
        add(tmp_path)


def test_the_names_in_braces():
    assert names_in("{a} {b:.2f} {c!r}") == {"a", "b:.2f", "c!r"}
    assert len(SPREADSHEET) == len(set(SPREADSHEET))
