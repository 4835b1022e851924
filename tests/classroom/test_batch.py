"""A class in one command: what is written, that nothing leaks, that nobody depends on others."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

import generator
from generator.classroom.pupils.pupil_codes import code_of
from generator.errors import UserError
from tests.cli.command import files_below
from tests.support.leaks import readable
from tests.support.sheets import text
from tests.support.three import NAMES, SEED, three

LIST = "id;name;seat\n7;Ärmel, Änne;window\n8;Zoë Quandt;door\n9;Bo Ng;wall\n"


def class_list(folder: Path, text: str = LIST) -> Path:
    path = folder / "8b.csv"
    path.write_text(text, encoding="utf-8")
    return path


def quick(pupils, folder: Path, **options):
    """A batch without PDFs, which needs a tenth of a second a pupil."""
    settings = {"sheets": ("4a",), "seed": SEED, "only": ("xlsx",), "vary": "numbers", **options}
    return generator.batch(pupils, folder, **settings)


@pytest.fixture
def whole() -> Path:
    """A class of three with PDFs and workbooks."""
    return three("numbers")


def test_everybody_gets_a_set_and_the_teacher_the_rest(whole: Path):
    codes = [code_of(SEED, key) for key in NAMES]
    own = ("4a-self-attention-blank.pdf", "6-output-blank.pdf", "workbook-exercise.xlsx")
    expected = {f"hand-out/{code}/{name}" for code in codes for name in own}
    books = ("class-4a-blank", "class-6-blank", "class-blank")
    expected |= {f"hand-out/{name}.pdf" for name in books}
    expected |= {f"hand-out/{n}-info.pdf" for n in ("4a-self-attention", "6-output")}
    expected |= {f"teacher/{n}-solution.pdf" for n in ("4a-self-attention", "6-output")}
    teachers = ("solutions.pdf", "check.pdf", "board.pdf", "answer-key.xlsx", "names.csv")
    expected |= {f"teacher/{name}" for name in (*teachers, "manifest.json")}
    assert set(files_below(whole)) == expected


def test_nobody_has_anothers_numbers(whole: Path):
    """Below the line for the name, on which stands whose it is, and but for the code."""
    sheets = [(text(one.read_bytes()), one.parent.name) for one in whole.glob("hand-out/*/4a-*")]
    assert len(sheets) == len({it.partition("Datum:")[2].replace(code, "") for it, code in sheets})
    assert len(sheets) == 3


def test_names_and_further_columns_stand_in_one_file_only(whole: Path):
    text = (whole / "teacher/names.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter=";"))
    assert rows[0] == ["code", "id", "name", "seat"]
    assert rows[1] == [code_of(SEED, "K-90417"), "K-90417", "Änne Ärmel", "Fensterplatz"]
    for path, content in files_below(whole).items():
        if path != "teacher/names.csv":
            for name in ("Ärmel", "Änne", "Quandt", "O’Neill"):
                assert name not in readable(path, content), f"{path} names {name}"


@pytest.mark.ci
def test_a_late_joiner_and_another_order_change_nobodys_files(tmp_path: Path):
    quick(class_list(tmp_path), tmp_path / "a")
    lines = LIST.splitlines()
    joined = "\n".join([lines[0], "10;New;-", *reversed(lines[1:])]) + "\n"
    quick(class_list(tmp_path, joined), tmp_path / "b")
    first, second = files_below(tmp_path / "a/hand-out"), files_below(tmp_path / "b/hand-out")
    assert first.items() <= second.items()
    assert len(second) == 4


def test_a_batch_is_enlarged_with_resume_and_equals_one_made_at_once(tmp_path: Path):
    quick(class_list(tmp_path), tmp_path / "a", seed=None)
    more = class_list(tmp_path, LIST + "10;New;-\n")
    found = quick(more, tmp_path / "a", seed=None, resume=True)
    assert (found.made, found.kept) == (1, 3)
    seed = json.loads((tmp_path / "a/teacher/manifest.json").read_bytes())["seed"]
    quick(more, tmp_path / "b", seed=seed)
    assert files_below(tmp_path / "a") == files_below(tmp_path / "b")


def test_a_damaged_file_is_made_again_by_resume(tmp_path: Path):
    quick(3, tmp_path / "a")
    before = files_below(tmp_path / "a")
    victim = next((tmp_path / "a/hand-out").glob("*/*.xlsx"))
    victim.write_bytes(b"half")
    found = quick(3, tmp_path / "a", resume=True)
    assert (found.made, found.kept) == (1, 2)
    assert files_below(tmp_path / "a") == before


def test_without_a_seed_no_two_classes_are_alike(tmp_path: Path):
    for name in "ab":
        quick(2, tmp_path / name, seed=None)
    assert (
        not files_below(tmp_path / "a/hand-out").keys()
        & files_below(tmp_path / "b/hand-out").keys()
    )


@pytest.mark.ci
def test_several_processes_write_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Also processes that load everything anew, as elsewhere than on Linux."""
    monkeypatch.setattr("generator.processes._may_fork", lambda: False)
    quick(18, tmp_path / "a", jobs=1)
    quick(18, tmp_path / "b", jobs=2)
    assert files_below(tmp_path / "a") == files_below(tmp_path / "b")


def test_versions_go_by_the_last_digits_of_the_id(tmp_path: Path):
    found = quick(class_list(tmp_path, "id\n1203\n1214\n1223\nx\n"), tmp_path / "a", versions=3)
    assert found.made == 3
    text = (tmp_path / "a/teacher/names.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    assert [row["code"][0] for row in rows[:3]] == [
        str(int(i) % 3) for i in ("1203", "1214", "1223")
    ]
    assert rows[3]["code"][0] in "012"


def test_one_pupil_fails_the_others_get_theirs(tmp_path: Path):
    long = " ".join(f"Wort{k}" for k in range(13))
    text = f"id;sentence;preset\n1;;\n2;;no-such\n3;{long};\n2;;\n4;;\n"
    found = generator.batch(class_list(tmp_path, text), tmp_path / "a", seed=SEED, only=("html",))
    assert found.made == 2
    told = "\n".join(found.problems)
    assert "line 3: there is no preset 'no-such'" in told
    assert "line 4" in told
    assert "13 tokens" in told
    assert "line 5" in told
    assert "already in line 3" in told


@pytest.mark.ci
def test_an_id_without_glyphs_costs_one_pupil_and_not_the_papers_of_the_class(tmp_path: Path):
    listed = class_list(tmp_path, "id\n1\n\N{GRINNING FACE}\n")
    found = generator.batch(listed, tmp_path / "a", sheets=("1",), seed=SEED, only=("pdf",))
    assert found.made == 1
    assert len(found.problems) == 1
    assert "line 3 (" in found.problems[0]
    assert "the id: the fonts of the sheets have no glyph for" in found.problems[0]
    assert {"teacher/check.pdf", "teacher/solutions.pdf"} <= files_below(tmp_path / "a").keys()


def test_versions_say_which_columns_they_leave_out(tmp_path: Path):
    listed = class_list(tmp_path, "id;level;language\n1;3;\n2;;en\n")
    said = "with --versions nobody has an own level or language: what the list says of it is not"
    assert [said in note for note in quick(listed, tmp_path / "a", versions=2).notes] == [True]
    assert quick(class_list(tmp_path), tmp_path / "b", versions=2).notes == []


def test_where_nobody_gets_anything_all_reasons_are_told_and_nothing_is_finished(tmp_path: Path):
    with pytest.raises(UserError, match="line 2: there is no preset"):
        quick(class_list(tmp_path, "id;preset\n1;no-such\n"), tmp_path / "a")


def test_wrong_choices_are_told_before_anything_is_written(tmp_path: Path, options, message):
    with pytest.raises(UserError) as caught:
        quick(2, tmp_path / "a", **options)
    assert message in str(caught.value)
    assert not list(tmp_path.rglob("*.xlsx"))


def test_a_file_in_the_way_is_one_pupils_problem(tmp_path: Path):
    quick(2, tmp_path / "a")
    code = code_of(SEED, "03")
    (tmp_path / "a/hand-out" / code).write_text("in the way")
    found = quick(4, tmp_path / "a", resume=True)
    assert (found.made, found.kept, len(found.problems)) == (1, 2, 1)
    assert code in found.problems[0]
    assert "a file is where a folder is needed" in found.problems[0]


def test_a_preset_file_that_changes_during_the_run_is_read_once(tmp_path: Path):
    mine = tmp_path / "mine.toml"
    shipped = Path(generator.__file__).parent / "presets/katze.toml"
    shutil.copy(shipped, mine)
    text = f"id;preset\n1;{mine}\n2;{mine}\n"

    def spoil(done: int, of: int) -> None:
        mine.write_text("no longer a preset", encoding="utf-8")

    found = quick(class_list(tmp_path, text), tmp_path / "a", told=spoil)
    assert (found.made, found.problems) == (2, [])
    for code in (code_of(SEED, "1"), code_of(SEED, "2")):
        again = generator.reissue(tmp_path / "a/teacher/manifest.json", code, tmp_path / "again")
        for path in again:
            there = tmp_path / "a" / path.relative_to(tmp_path / "again")
            assert path.read_bytes() == there.read_bytes()


def test_a_list_of_names_alone_says_that_its_order_counts(tmp_path: Path):
    found = quick(class_list(tmp_path, "Nachname;Vorname\nÄrmel;Änne\nNg;Bo\n"), tmp_path / "a")
    assert (found.made, found.problems) == (2, [])
    assert [note for note in found.notes if "its lines are numbered" in note]
    assert "2;Bo Ng" in (tmp_path / "a/teacher/names.csv").read_text("utf-8-sig")


def test_reissue_gives_the_same_bytes(whole: Path, tmp_path: Path):
    manifest = whole / "teacher/manifest.json"
    paths = generator.reissue(manifest, "K-90418", tmp_path)
    assert len(paths) == 3
    for other in (code_of(SEED, "K-90418").lower(), "k-90418", "2", " 02 "):
        assert generator.reissue(manifest, other, tmp_path) == paths
    for path in paths:
        assert path.read_bytes() == (whole / path.relative_to(tmp_path)).read_bytes()


def test_a_number_that_is_another_pupils_id_is_not_guessed(tmp_path: Path):
    quick(class_list(tmp_path, "id\n1\n3\n2\n"), tmp_path / "a")
    manifest, one, other = tmp_path / "a/teacher/manifest.json", *(code_of(SEED, k) for k in "23")
    with pytest.raises(UserError) as caught:
        generator.reissue(manifest, "2", tmp_path / "again")
    assert str(caught.value) == (
        f"'2' is the id of {one} and stands beside the name line of {other}: give the code"
    )
    (path,) = generator.reissue(manifest, "1", tmp_path / "again")
    assert path.parent.name == code_of(SEED, "1")


def test_reissue_tells_what_is_wrong(whole: Path, tmp_path: Path):
    manifest = whole / "teacher/manifest.json"
    with pytest.raises(UserError, match="the manifest has no pupil 'nobody'; it has 3, such as"):
        generator.reissue(manifest, "nobody", tmp_path)
    with pytest.raises(UserError, match=r"expected the teacher/manifest\.json"):
        generator.reissue(tmp_path / "none.json", "7", tmp_path)


def test_an_address_of_fsspec_holds_the_same_files(tmp_path: Path):
    quick(3, tmp_path / "a")
    quick(3, f"file://{tmp_path}/b")
    assert files_below(tmp_path / "a") == files_below(tmp_path / "b")


@pytest.mark.ci
def test_progress_is_told(tmp_path: Path):
    told: list[tuple[int, int]] = []
    quick(17, tmp_path / "a", preset="ausgabe", sheets=("6",), told=lambda *how: told.append(how))
    assert told == [(8, 17), (16, 17), (17, 17)]


def test_the_groups_of_a_list_are_taken(tmp_path: Path):
    listed = class_list(tmp_path, "id;group\n1;C\n2;a\n3;\n4;3\n")
    found = quick(listed, tmp_path / "a", vary="groups=3")
    assert (found.made, found.problems) == (4, [])
    manifest = json.loads((tmp_path / "a/teacher/manifest.json").read_bytes())
    groups = {one["key"]: (one["group"], one["code"][0]) for one in manifest["pupils"]}
    drawn = groups.pop("3")
    assert drawn[0] in "ABC"
    assert groups == {"1": ("C", "C"), "2": ("A", "A"), "4": ("C", "C")}
    numbers = {one["key"]: one["edits"] for one in manifest["pupils"]}
    assert numbers["1"] == numbers["4"] != numbers["2"]


@pytest.mark.parametrize("vary", ["focus", "numbers"])
def test_what_a_list_says_of_groups_counts_only_where_there_are_some(tmp_path: Path, vary):
    listed = class_list(tmp_path, "id;Gruppe;Stufe\n1;C;8\n2;red;8\n3;;2\n4;;8\n5;;8\n")
    found = quick(listed, tmp_path / "a", vary=vary)
    listed = class_list(tmp_path, "id;Stufe\n1;\n2;\n3;2\n4;\n5;\n")
    other = quick(listed, tmp_path / "b", vary=vary)
    assert (found.made, found.problems) == (5, [])
    assert found.notes == [
        f"with --vary {vary} nobody has an own group: what the list says of it is not used",
        "line 2, line 3, line 5 and 1 more: column 'Stufe': found 8, expected 1, 2, 3 or nothing; "
        "it is kept, and what all get is taken",
        "line 3: column 'Gruppe': found another text, expected A to F, 1 to 6 or nothing; "
        "it is kept, and what all get is taken",
    ]
    assert other.notes == []
    first, second = (files_below(tmp_path / one) for one in "ab")
    assert first.pop("teacher/names.csv").decode("utf-8-sig").splitlines()[1].endswith(";1;;C;8")
    handed_out = {name: data for name, data in first.items() if name.startswith("hand-out/")}
    assert len(handed_out) >= 5
    assert handed_out.items() <= second.items()


def test_a_group_that_there_is_none_of_is_refused_once_for_everybody(tmp_path: Path):
    listed = class_list(tmp_path, "id;group\n" + "".join(f"{k};C\n" for k in range(100)))
    with pytest.raises(UserError) as caught:
        quick(listed, tmp_path / "a", vary="groups=2")
    assert str(caught.value) == (
        "line 2, line 3, line 4 and 97 more: the list gives group C, --vary groups=2 has A to B; "
        "rename the column if it means something else"
    )
