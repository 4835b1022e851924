"""Bad input to batch and reissue through the command: one clear message, no traceback."""

import json
import shutil
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.numbers import variation
from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.variation import parse
from generator.classroom.pupils.pupil_codes import code_of
from generator.classroom.pupils.roster import read
from generator.classroom.pupils.seats import Roll
from generator.cli import main
from generator.presets.load import load_preset
from generator.render.worksheet.pdf import RenderError
from tests.cli.command import files_below
from tests.support.batches import QUICK, resealed

SEED = QUICK[-1]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch) -> Path:
    """The current folder: class lists."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "8b.csv").write_text("id;name\n1;Ann\n2;Ben\n", encoding="utf-8")
    (tmp_path / "one.csv").write_text("id\n1\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def path(folder: Path) -> Path:
    """The manifest of a batch of two in the folder 8b."""
    assert main(["batch", "2", *QUICK, "--out", "8b"]) == 0
    return folder / "8b/teacher/manifest.json"


def refused(capsys, *words: str) -> str:
    """The message of a command that writes nothing."""
    before = files_below(Path())
    code, out, err = told(capsys, *words)
    assert (code, out) == (1, "")
    assert files_below(Path()) == before
    return err


RESUME = ("batch", "2", *QUICK, "--out", "8b", "--resume")


def told(capsys, *words: str) -> tuple[int, str, str]:
    """Exit code, output and messages of the command."""
    code = main(list(words))
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return code, out, err


def test_after_a_wrong_choice_the_folder_is_free_for_the_right_one(capsys):
    assert told(capsys, "batch", "2", *QUICK, "--preset", "ausgabe")[0] == 1
    assert not list(Path("outputs").iterdir())  # no empty folder of a class that got nothing
    assert told(capsys, "batch", "2", *QUICK)[0] == 0


def test_a_list_of_one_row(folder: Path, capsys):
    code, out, _ = told(capsys, "batch", "one.csv", *QUICK)
    assert code == 0
    assert out.startswith("outputs/one: 1 set; effort: ")
    assert out.endswith("for the class: outputs/one/hand-out\nfor you alone: outputs/one/teacher\n")
    assert len(list(folder.glob("outputs/one/hand-out/*/*.xlsx"))) == 1


def test_a_folder_with_files_of_somebody_else(folder: Path, capsys):
    (folder / "mine/teacher").mkdir(parents=True)
    (folder / "mine/teacher/plan.txt").write_text("mine")
    code, _, err = told(capsys, "batch", "2", *QUICK, "--out", "mine")
    assert (code, err) == (
        1,
        "paperformer: mine/teacher holds files that no batch made (plan.txt, …); take another "
        "folder (--out), or move them away\n",
    )


def test_a_folder_with_another_batch(path: Path, capsys):
    err = refused(capsys, *RESUME[:-1])
    assert err.startswith("paperformer: 8b holds a batch already; go on with it")
    for words, changed in (
        (("--seed", "other"), f"seed was '{SEED}', is 'other'"),
        (("--level", "3"), "level was 2, is 3; repeat its command"),
        (("--sheets", "6"), "sheets was ['4a'], is ['6']"),
    ):
        assert f"8b holds a batch of other choices: {changed}" in refused(capsys, *RESUME, *words)


def test_manifests_that_cannot_be_taken(path: Path, capsys):
    whole = path.read_text(encoding="utf-8")
    newer = json.dumps({"format": "paperformer-manifest/9", "made_with": {"paperformer": "9.1"}})
    half = '{"format": "paperformer-manifest/1", %s"x": "\\ud800"}'
    for text, message in {
        whole.replace('"level": 2', '"level": 1'): "its checksum does not fit its content",
        newer: "expected 'paperformer-manifest/1': it was made by Paperformer 9.1, this is",
        '{"format": 7, "made_with": 3}': "found format 7, expected",
        whole[: len(whole) // 2]: "this is no manifest",
        "[" * 100_000: "this is no manifest",
        "[]": "this is no manifest; expected teacher/manifest.json",
        half % "": "its checksum does not fit",
        half % '"sha256": "", ': "its checksum does not fit",  # half characters have no seal
    }.items():
        assert text != whole
        path.write_text(text, encoding="utf-8")
        for words in (["reissue", str(path), "01"], RESUME):
            assert message in refused(capsys, *words)
    path.write_text(whole, encoding="utf-8")
    code, out, _ = told(capsys, "reissue", str(path), "01", "--out", "again")
    assert code == 0
    assert Path(out.strip()).read_bytes() == Path(out.strip().replace("again", "8b")).read_bytes()


# A valid seal says that nobody edited the file by hand, not that a batch wrote it.
FORGED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "settings a list": (lambda m: m.update(settings=[]), "settings: Input should be"),
    "pupils a text": (lambda m: m.update(pupils="all"), "pupils: Input should be a valid"),
    "a pupil without level": (lambda m: m["pupils"][0].pop("level"), "pupils.0.level: Field req"),
    "level as text": (lambda m: m["pupils"][0].update(level="2"), "pupils.0.level: Input should"),
    "level 9": (lambda m: m["pupils"][0].update(level=9), "pupils.0.level: Input should be less"),
    "no presets": (lambda m: m.pop("presets"), "presets: Field required"),
    "no seed": (lambda m: m.pop("seed"), "seed: Field required"),
    "versions below 0": (lambda m: m["settings"].update(versions=-1), "settings.versions: Input"),
    "a file outside": (
        lambda m: m["pupils"][0].update(files={"hand-out/../../x": "0" * 64}),
        "String should match pattern",
    ),
    "made with nothing": (lambda m: m.update(made_with=None), "made_with: Input should be"),
    "worksheet level": (
        lambda m: m["settings"]["worksheet"].update(level=7),
        "settings.worksheet: there is no level",
    ),
}


def test_a_forged_manifest_with_a_valid_seal_is_one_message(path: Path, capsys):
    whole = path.read_bytes()
    for forge, message in FORGED.values():
        path.write_bytes(resealed(whole, forge))
        for words in (["reissue", str(path), "01"], RESUME):
            err = refused(capsys, *words)
            assert err.startswith("paperformer: ")
            assert "manifest.json: " in err
            assert message in err
            assert "no batch writes that: take a copy of the file as the batch wrote it" in err
            assert err.count("\n") == 1


def test_a_forged_preset_or_choice_is_one_message_of_reissue(path: Path, capsys):
    whole = path.read_bytes()
    for forge in (
        lambda m: m["presets"].clear(),
        lambda m: next(iter(m["presets"].values())).update(items=[["weights", 3]]),
        lambda m: next(iter(m["presets"].values())).update({"is": "Teapot"}),
        lambda m: m["settings"]["worksheet"].update(perfumed=True),
        lambda m: dict(next(iter(m["presets"].values()))["items"])["weights"]["items"].clear(),
    ):
        path.write_bytes(resealed(whole, forge))
        assert refused(capsys, "reissue", str(path), "01", "--out", "again").count("\n") == 1


def test_a_manifest_of_a_version_with_more_choices_says_which(path: Path, capsys):
    def newer(content: dict[str, Any]) -> None:
        content["settings"]["worksheet"]["perfumed"] = True
        content["made_with"]["paperformer"] = "9.1"

    path.write_bytes(resealed(path.read_bytes(), newer))
    err = refused(capsys, "reissue", str(path), "01")
    assert "it was made with paperformer 9.1 (here " in err


def test_that_there_are_no_fair_numbers_is_said_once_for_everybody(capsys, monkeypatch):
    monkeypatch.setattr(variation, "MOST_DRAWS", 12)
    code, out, err = told(capsys, "batch", "2", *QUICK, "--preset", "previous-word")
    assert (code, out) == (1, "")
    assert err.count("no fair numbers in 12 draws") == 1
    first, second = code_of(SEED, "01"), code_of(SEED, "02")
    assert f"line 1 ({first}), line 2 ({second}): preset 'previous-word'" in err


def test_a_mistake_of_the_program_costs_one_pupil_only(folder: Path, capsys, monkeypatch):
    real, victim = PupilSet.files, code_of(SEED, "2")

    def fails(self):
        if self.seat.code == victim:
            raise RenderError("sheet 4a: WeasyPrint says: Ignored `x` at 1:1")
        return real(self)

    monkeypatch.setattr(PupilSet, "files", fails)
    code, out, err = told(capsys, "batch", "8b.csv", *QUICK)
    assert code == 1
    people, problem = err.splitlines()
    assert people == "paperformer: 8b.csv: 2 people: Ann, Ben"
    assert (
        problem == f"paperformer: line 3 ({victim}): sheet 4a: WeasyPrint says: Ignored `x` at 1:1"
    )
    assert out.startswith("outputs/8b: 1 set; 1 problem; effort: ")


def test_without_the_extra_a_cluster_and_an_address_say_what_to_install(capsys, monkeypatch):
    for name in ("distributed", "fsspec", "fsspec.core"):
        monkeypatch.setitem(sys.modules, name, None)
    for words in (["--cluster", "tcp://127.0.0.1:8786"], ["--out", "s3://bucket/8b"]):
        code, _, err = told(capsys, "batch", "2", *QUICK, *words)
        assert code == 1
        assert "needs the extra `cluster`: pip install 'paperformer[cluster]'" in err


@pytest.mark.ci
def test_where_few_tokens_are_fit_a_way_out_is_named(capsys):
    _, _, err = told(capsys, "batch", "2", "--sheets", "4b,5", "--only", "xlsx")
    assert "'der' gets only zeros from the feed-forward network; to give everybody a fit one" in err
    assert err.endswith(" try another sentence or preset ('katze-trained')\n")
    learned = ("--preset", "katze-trained", "--out", "other")
    _, _, err = told(capsys, "batch", "2", "--sheets", "4b,5", "--only", "xlsx", *learned)
    assert err == ""


@pytest.mark.ci
def test_sheets_that_are_the_same_for_everybody_are_named(capsys):
    _, _, err = told(capsys, "batch", "2", "--sheets", "4a,6", "--only", "xlsx")
    assert err == "paperformer: the same for everybody with --vary focus: sheet 6\n"
    _, _, err = told(
        capsys, "batch", "3", "--sheets", "4a,6", "--only", "xlsx", "--vary", "numbers"
    )
    assert err == ""
    _, _, err = told(capsys, "batch", "4", "--sheets", "1,bpe", "--only", "xlsx")
    assert err == "paperformer: the same for everybody with --vary focus: sheets 1, bpe\n"


def test_who_left_the_list_is_told_and_papers_of_another_size_go(folder: Path, capsys):
    words = ("batch", "8b.csv", "--sheets", "1", "--only", "pdf", "--seed", SEED)
    (folder / "8b.csv").write_text("id;level\n1;1\n2;2\n", encoding="utf-8")
    assert told(capsys, *words)[0] == 0
    assert len(list(folder.glob("outputs/8b/hand-out/*info*.pdf"))) == 2
    (folder / "8b.csv").write_text("id;level\n1;1\n", encoding="utf-8")
    code, out, err = told(capsys, *words, "--resume")
    gone = code_of(SEED, "2")
    assert (code, err.splitlines()[1]) == (
        0,
        f"paperformer: the list has left out 1 whose sets are still there: {gone}",
    )
    assert out.startswith("outputs/8b: 1 set (1 of them there already); effort: ")
    (folder / "new").mkdir()
    assert told(capsys, *words, "--out", "new/8b")[0] == 0
    shutil.rmtree(folder / "outputs/8b/hand-out" / gone)
    assert files_below(folder / "outputs/8b") == files_below(folder / "new/8b")


def test_of_many_refused_lines_the_first_twenty_are_told(folder: Path, capsys):
    refused = "".join(f"{k};p{k}\n" for k in range(2, 52))
    (folder / "many.csv").write_text(f"id;preset\n1;\n{refused}", encoding="utf-8")
    code, out, err = told(capsys, "batch", "many.csv", *QUICK)
    lines = [line for line in err.splitlines() if line.startswith("paperformer: line ")]
    assert (code, len(lines)) == (1, 20)
    assert "and 30 more" in err.splitlines()[-1]
    assert "50 problems" in out


ROWS = 100_000
MOST_MEGABYTES = 60  # two tables of ids and codes; the list has 30 MB and a row 20 objects


@pytest.mark.ci
def test_a_list_of_a_hundred_thousand_rows_streams(folder: Path):
    with (folder / "all.csv").open("w", encoding="utf-8") as file:
        file.write("id;name;address\n")
        file.writelines(f"{k};Ann;{'x' * 280}\n" for k in range(ROWS))
    lesson = Lesson(load_preset("katze"), "9a", ("4a",), parse("numbers"))
    roll = Roll(lesson, lambda: read(folder / "all.csv"))
    tracemalloc.start()
    try:
        assert roll.size() == ROWS
        assert sum(1 for _ in roll.seats([])) == ROWS
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak / 1e6 < MOST_MEGABYTES
