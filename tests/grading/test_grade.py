"""A folder graded: the tables, a teacher's decisions and scheme, the journal, the same bytes."""

import csv
import io
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from generator.api import grade
from generator.errors import UserError
from generator.grading.grade import GRADES, JOURNAL
from generator.grading.marking.by_hand import (
    EMPTY,
    Decision,
    address,
    decided,
    read_decisions,
    with_codes,
)
from generator.grading.marking.marks import ClassMarks, Marks, PupilMarks, marked
from generator.grading.marking.question import Question
from generator.grading.marking.scheme import USUAL, Scheme, read_scheme
from generator.grading.marking.task import batch_in
from generator.grading.reading.entries import WORKBOOK, Entries, Source
from generator.grading.reading.meant import Number
from generator.grading.reading.typed_list import column_of, template
from generator.grading.results.tables import BOXES, ResultWords, Tables, credits, journal
from generator.locales.catalogue import load
from generator.locales.folders import languages
from tests.grading.papers import question, right
from tests.support.three import three

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to"
SCALED, SCORES = "block1.head1.scaled", "block1.head1.scores"


def paper(changes: Mapping = {}, code: str = "B7KQ", scheme: Scheme = USUAL) -> Marks:
    source = Source("typed.csv", "csv", code, ("4a",))
    entries = Entries(source, right(question("4a")) | changes)
    usual = question("4a")
    asked = Question("4a", usual.trace, usual.plan, scheme.tolerance)
    return marked([asked], entries, scheme)


def unscaled() -> dict:
    typed = right(question("4a"))
    return {cell: typed[SCORES, *cell[1:]] for cell in typed if cell[0] == SCALED}


def class_of(*files: Marks, scheme: Scheme = USUAL, key: str = "K-1") -> ClassMarks:
    pupils = [PupilMarks(f"CODE{n}", f"{key}{n}", "de", (one,)) for n, one in enumerate(files)]
    absent = PupilMarks("ABSENT", "K-9", "de")
    return ClassMarks((*pupils, absent), (), scheme, ("4a",))


def rows(content: bytes, delimiter: str = ";") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=delimiter))


def grades(marks: ClassMarks, language: str) -> bytes:
    return Tables(marks, ResultWords(language)).grades(names=False)


def test_the_gradebook_has_a_row_a_pupil_and_nothing_for_who_handed_in_nothing() -> None:
    found = class_of(paper(), paper(unscaled()), key="=1+")
    for language, delimiter in (("de", ";"), ("en", ",")):
        head, *lines = rows(grades(found, language), delimiter)
        assert head[:3] == ["idnumber", load(language).t("grading.csv.code"), "4a"]
        assert [line[0] for line in lines] == ["'=1+0", "'=1+1", "K-9"]
        assert [line[2] for line in lines] == ["29", "23", ""]
        assert lines[2][3:] == ["", "", "", ""]


def edition(name: str, right_boxes: int) -> Marks:
    """The marks of a file with so many of its boxes right; a workbook has no other rule."""
    (task,) = paper().tasks
    boxes = [replace(mark, credit=float(k < right_boxes)) for k, mark in enumerate(task.marks)]
    return replace(paper(), tasks=(replace(task, name=name, marks=tuple(boxes)),))


def test_a_workbook_counts_in_place_of_its_sheets_and_costs_nobody_else() -> None:
    both = PupilMarks("BOTH", "K-3", "de", (edition("4a", 10), edition(WORKBOOK, 20)))
    marks = class_of(edition("4a", 29), edition(WORKBOOK, 29))
    marks = replace(marks, pupils=(*marks.pupils[:2], both))
    lines = rows(grades(marks, "de"))[1:]
    assert [line[4:7] for line in lines] == [["29", "29", "100 %"]] * 2 + [["20", "29", "69 %"]]
    assert [line[-1] for line in lines] == ["", "", "doppelt abgegeben, zählt nicht: 4a"]
    english = rows(grades(marks, "en"), ",")
    assert [line[6] for line in english[1:]] == ["100%", "100%", "69%"]
    # A scheme that gives the workbook points of its own makes it a task beside the sheets.
    own = replace(marks, scheme=Scheme.model_validate({"points": {WORKBOOK: 10}}))
    assert {line[-3] for line in rows(grades(own, "de"))[1:]} == {"58"}
    # In an exam the sheets count for who handed in both, and those that nobody has yet handed in.
    exam = replace(marks, printed={"4a": 29.0, "6": 20.0})
    assert [line[4:6] for line in rows(grades(exam, "de"))[1:]] == [
        ["29", "49"], ["29", "29"], ["10", "49"]
    ]  # fmt: skip


def test_points_halves_and_tables_of_grades() -> None:
    scheme = Scheme.model_validate({"points": {"4a": 10}, "half": True, "grades": "15"})
    task = paper(unscaled(), scheme=scheme).tasks[0]
    assert (task.most, task.points) == (10, 8.0)  # 23 of 29 is 7.93
    for table, share, grade_ in (
        ("15", 0.95, "15"), ("15", 0.949, "14"), ("15", 0.19, "0"), ("1-6", 0.6, "3"),
        ("1-6", 0.0, "6"), ("percent", 0.5, ""), ("none", 1.0, ""),
    ):  # fmt: skip
        assert Scheme(grades=table).grade(share) == grade_
    own = [{"grade": "pass", "from": 50}, {"grade": "fail", "from": 0}]
    assert [Scheme(grades=own).grade(x) for x in (0.49, 0.5)] == ["fail", "pass"]


def test_a_scheme_decides_what_carried_and_misplaced_numbers_earn() -> None:
    strict = Scheme.model_validate({"credit": {"carried": 0.5, "misplaced": 0}})
    changes = {(SCORES, 2, 0): 5.0, (SCALED, 2, 0): 3.54}  # one slip, and what follows from it
    assert paper(changes).points == 28
    assert paper(changes, scheme=strict).points == 27.5
    near = {(SCALED, 2, 3): question("4a").right((SCALED, 2, 3)) + 0.01}
    assert paper(near).points == 29
    assert paper(near, scheme=Scheme(tolerance=0)).points == 28


def test_all_problems_of_a_scheme_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('half = 3\nmark = 1\ngrades = "20"\n[credit]\ncarried = 2\n', "utf-8")
    with pytest.raises(UserError) as error:
        read_scheme(path)
    for said in ("half", "mark", "grades", "credit.carried", "mine.toml"):
        assert said in str(error.value)


def test_decisions_change_credit_and_those_that_fit_nothing_are_told(tmp_path: Path) -> None:
    path = tmp_path / "decisions.toml"
    path.write_bytes(EMPTY)
    assert read_decisions(path) == ()
    path.write_text('[[decision]]\ncause = "not_divided"\ncredit = 0.5\n', "utf-8")
    found = class_of(paper(unscaled())).pupils
    before = found[0].files[0].points
    after = decided(found, read_decisions(path))[0].files[0]
    changed = [mark for task in after.tasks for mark in task.marks if mark.decided]
    assert len(changed) == 6
    assert after.points == before + 3
    path.write_text('[[decision]]\ncell = "nowhere[1,1]"\ncredit = 1\n', "utf-8")
    with pytest.raises(UserError, match="no box fits"):
        decided(found, read_decisions(path))
    listed = {"pupils": [{"code": "CODE0", "key": "K-1", "number": 1}]}
    for asked in ("1", "'k-1'", "'code0'"):
        path.write_text(f"[[decision]]\ncode = {asked}\ncause = 'blank'\ncredit = 1\n", "utf-8")
        assert [one.code for one in with_codes(read_decisions(path), listed)] == ["CODE0"]
    with pytest.raises(UserError, match=r"decisions\.toml: the manifest has no pupil '9'"):
        with_codes([Decision(credit=1, code="9", cause="blank")], listed)
    path.write_text("[[decision]]\ncredit = 7\n[[decision]]\nbecause = 1\n", "utf-8")
    with pytest.raises(UserError, match=r"(?s)0\.credit.*1\.credit"):
        read_decisions(path)


def test_the_journal_says_what_changed_and_nothing_where_nothing_did() -> None:
    first, second = credits(class_of(paper())), credits(class_of(paper(unscaled())))
    one = journal(None, first, b"")
    assert journal(first, first, one) == one
    lines = rows(journal(first, second, one), ",")[2:]
    assert len(lines) == 6
    assert lines[0][:3] == ["2", "CODE0", "4a"]
    assert lines[0][3].startswith(SCALED)
    assert lines[0][4:] == ["1", "0"]


@pytest.mark.parametrize("language", languages())
def test_every_box_says_why(language: str) -> None:
    found = class_of(paper(unscaled() | {(SCORES, 2, 0): "?"}))
    lines = list(Tables(found, ResultWords(language)).boxes())
    assert len(lines) == 29
    assert all(len(line) == 13 for line in lines)
    told = {line[9] for line in lines}
    assert {load(language).t(f"grading.how.{how}") for how in ("wrong", "unreadable")} <= told


def typed_list(place: Path, changed: Mapping[str, Mapping[str, Number]]) -> bytes:
    """The batch's list filled with right numbers, but those of some columns."""
    batch = batch_in(place)
    table = rows(template(batch), ";")
    for line in table[2:]:
        for task in batch.seat(line[0]).tasks:
            for sheet, plan in task.plans.items():
                for cell in plan.asked:
                    key = str(column_of(sheet, plan, task.trace, cell))
                    value = task.trace[cell[0]].values[cell[1], cell[2]]
                    value = changed.get(line[0], {}).get(key, value)
                    line[table[0].index(key)] = str(value).replace(".", ",")
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows(table)
    return out.getvalue().encode()


@pytest.mark.ci
def test_a_folder_is_graded_by_one_process_and_by_two_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that are forked where there is forking; that others write the same, a batch shows."""
    monkeypatch.setattr("generator.processes._may_fork", lambda: sys.platform == "linux")
    place = three("numbers")
    code, other, third = batch_in(place).records
    content = typed_list(place, {code: {f"4a {SCORES} own 1": 77.0}})
    folders = [tmp_path / name for name in ("one", "two")]
    for jobs, folder in enumerate(folders, start=1):
        folder.mkdir()
        (folder / "list.csv").write_bytes(content)
        (folder / "holiday.txt").write_text("nothing of ours", "utf-8")
        found = grade(folder, place, names=True, jobs=jobs)
        assert [note.partition(":")[0] for note in found.notes] == ["holiday.txt"]
    files = [{p.relative_to(f): p.read_bytes() for p in f.rglob("marks/**/*") if p.is_file()}
             for f in folders]  # fmt: skip
    assert files[0] == files[1]
    assert {Path("marks", name) for name in (GRADES, BOXES, JOURNAL)} <= files[0].keys()
    lines = rows(files[0][Path("marks", GRADES)])
    assert [line[1] for line in lines[1:]] == [code, other, third]
    assert "Änne" in lines[1][2]
    whole, box = found.marks.pupils[1].files, found.marks.pupils[0].files
    assert sum(m.points for m in whole) - sum(m.points for m in box) >= 1
    again = grade(folders[0], place, names=True)
    assert {p.relative_to(folders[0]): p.read_bytes() for p in again.paths}.items() <= files[
        0
    ].items()


def test_what_cannot_be_graded_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--batch"):
        grade(tmp_path)
    with pytest.raises(UserError, match="away: there is no such folder"):
        grade(tmp_path / "away")
    (tmp_path / "x.csv").write_text("a,b\n", "utf-8")
    scheme = tmp_path / "scheme.toml"
    scheme.write_text("[points]\n4a = 1\n9z = 2\n", "utf-8")
    with pytest.raises(UserError, match=r"found 9z, .* expected some of 4a, 6, workbook"):
        grade(tmp_path, three("numbers"), scheme=scheme)
    scheme.unlink()
    with pytest.raises(UserError, match=r"nothing in it can be marked\nx\.csv"):
        grade(tmp_path, three("numbers"))


@pytest.mark.parametrize("page", ["grading.md", "marking-rule.md"])
def test_the_examples_of_the_guides_are_read(page: str, tmp_path: Path) -> None:
    text = (DOCS / page).read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert examples
    for number, example in enumerate(examples):
        path = tmp_path / f"{number}.toml"
        path.write_text(example, "utf-8")
        read = read_decisions if "[[decision]]" in example else read_scheme
        assert read(path)


def test_addresses_count_from_one() -> None:
    assert address((SCALED, 2, 3)) == f"{SCALED}[3,4]"
