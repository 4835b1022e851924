"""A folder graded: the tables, a teacher's decisions and scheme, the journal, the same bytes."""

import csv
import io
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from itertools import chain
from pathlib import Path

import pytest

from generator.api import grade
from generator.classroom.desk.manifest import Manifest
from generator.classroom.pupils.seats import SeatRecord
from generator.cli import main
from generator.errors import UserError
from generator.grading.grade import GRADES, JOURNAL, NOT_MARKED, Graded
from generator.grading.marking.by_hand import DECISIONS, DecidedByHand, read_decisions
from generator.grading.marking.marks import ClassMarks, Marks, PupilMarks, TaskMarks, task_marks
from generator.grading.marking.question import Question
from generator.grading.marking.scheme import USUAL, Scheme, read_scheme
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading.entries import WORKBOOK, Number, Source, Stray, by_reason
from generator.grading.reading.raw import Reason
from generator.grading.reading.whose import columns_of, list_rows
from generator.grading.results.pages import FEEDBACK, ClassPage, PageMaker
from generator.grading.results.tables import BOXES, ResultWords, Tables, credits, journal
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.sheets.options import SheetOptions
from tests.grading.papers import question, right
from tests.grading.pupils import solved
from tests.grading.test_collect import zipped
from tests.reference.options import Draws
from tests.support.handed_in import filled, workbook
from tests.support.three import three

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to"
SCALED, SCORES = "block1.head1.scaled", "block1.head1.scores"


def paper(changes: Mapping = {}, scheme: Scheme = USUAL) -> Marks:
    usual = question("4a")
    asked = Question("4a", usual.trace, usual.plan, scheme)
    source = Source("typed.csv", "csv", "B7KQ", ("4a",))
    return Marks(source, (task_marks(asked, right(usual) | changes),))


def unscaled() -> dict:
    typed = right(question("4a"))
    return {cell: typed[SCORES, *cell[1:]] for cell in typed if cell[0] == SCALED}


def class_of(*files: Marks, key: str = "K-1") -> ClassMarks:
    pupils = [PupilMarks(f"CODE{n}", f"{key}{n}", "de", (one,)) for n, one in enumerate(files)]
    return ClassMarks((*pupils, PupilMarks("ABSENT", "K-9", "de")), (), USUAL, ("4a",))


def rows(content: bytes, delimiter: str = ";") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=delimiter))


def grades(marks: ClassMarks, language: str) -> list[list[str]]:
    content = Tables(marks, ResultWords(language)).grades(names=False)
    return rows(content, ";" if language == "de" else ",")


def test_the_gradebook_has_a_row_a_pupil_and_nothing_for_who_handed_in_nothing() -> None:
    found = class_of(paper(), paper(unscaled()), key="=1+")
    for language in ("de", "en"):
        head, *lines = grades(found, language)
        assert head[:3] == ["idnumber", load(language).t("grading.csv.code"), "4a"]
        assert [(line[0], line[2]) for line in lines] == [
            ("'=1+0", "29"), ("'=1+1", "23"), ("K-9", ""),
        ]  # fmt: skip
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
    lines = grades(marks, "de")[1:]
    assert [line[4:7] for line in lines] == [["29", "29", "100 %"]] * 2 + [["20", "29", "69 %"]]
    assert [line[-1] for line in lines] == ["", "", "doppelt abgegeben, zählt nicht: 4a"]
    assert [line[6] for line in grades(marks, "en")[1:]] == ["100%", "100%", "69%"]
    # A scheme that gives the workbook points of its own makes it a task beside the sheets.
    own = replace(marks, scheme=Scheme.model_validate({"points": {WORKBOOK: 10}}))
    assert {line[-3] for line in grades(own, "de")[1:]} == {"58"}
    # In an exam the sheets count for who handed in both, and those that nobody has yet handed in.
    exam = replace(marks, printed={"4a": 29.0, "6": 20.0})
    assert [line[4:6] for line in grades(exam, "de")[1:]] == [
        ["29", "49"], ["29", "29"], ["10", "49"]
    ]  # fmt: skip


def test_a_scheme_gives_points_halves_and_grades() -> None:
    scheme = Scheme.model_validate({"points": {"4a": 10}, "half": True, "grades": "15"})
    (task,) = paper(unscaled(), scheme).tasks
    assert (task.most, task.points) == (10, 8.0)  # 23 of 29 is 7.93
    own = [{"grade": "pass", "from": 50}, {"grade": "fail", "from": 0}]
    for table, share, grade_ in (
        ("15", 0.95, "15"), ("15", 0.949, "14"), ("15", 0.19, "0"), ("1-6", 0.6, "3"),
        ("1-6", 0.0, "6"), ("percent", 0.5, ""), ("none", 1.0, ""), (own, 0.49, "fail"),
        (own, 0.5, "pass"),
    ):  # fmt: skip
        assert Scheme(grades=table).grade(share) == grade_


def test_a_scheme_decides_what_carried_and_misplaced_numbers_earn() -> None:
    strict = Scheme.model_validate({"credit": {"carried": 0.5, "misplaced": 0}})
    changes = {(SCORES, 2, 0): 5.0, (SCALED, 2, 0): 3.54}  # one slip, and what follows from it
    near = {(SCALED, 2, 3): right(question("4a"))[SCALED, 2, 3] + 0.01}
    for entries, scheme, points in (
        (changes, USUAL, 28), (changes, strict, 27.5), (near, USUAL, 29),
        (near, Scheme(tolerance=0), 28),
    ):  # fmt: skip
        assert paper(entries, scheme).points == points


def test_all_problems_of_a_scheme_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('half = 3\nmark = 1\ngrades = "20"\n[credit]\ncarried = 2\n', "utf-8")
    with pytest.raises(UserError) as error:
        read_scheme(path)
    for said in ("half", "mark", "grades", "credit.carried", "mine.toml"):
        assert said in str(error.value)


def test_decisions_change_credit_and_those_that_fit_nothing_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, pupils = tmp_path / "decisions.toml", class_of(paper(unscaled())).pupils
    seat = SeatRecord.model_construct(code="CODE0", key="K-1", number=1)
    listed = Manifest.model_construct(pupils=[seat])
    monkeypatch.setattr(DecidedByHand, "most", {})
    by_hand = DecidedByHand(Batch(listed, None, path), tmp_path)
    path.write_text(load("de").t("grading.decisions"), "utf-8")
    assert by_hand.applied(pupils) == pupils
    path.write_text('[[decision]]\ncause = "not_divided"\ncredit = 0.5\n', "utf-8")
    after = by_hand.applied(pupils)[0].files[0]
    assert sum(mark.decided for task in after.tasks for mark in task.marks) == 6
    assert after.points == pupils[0].files[0].points + 3
    for asked in ("1", "'k-1'", "'code0'"):
        path.write_text(f"[[decision]]\ncode = {asked}\ncause = 'blank'\ncredit = 1\n", "utf-8")
        assert [one.code for one in by_hand.decisions()] == ["CODE0"]
    for text, said in {
        '[[decision]]\ncell = "nowhere[1,1]"\ncredit = 1\n': "no box fits",
        "[[decision]]\ncode = 9\ncause = 'blank'\ncredit = 1\n":
            r"decisions\.toml: the manifest has no pupil '9'",
        "[[decision]]\ncredit = 7\n[[decision]]\nbecause = 1\n": r"(?s)0\.credit.*1\.credit",
    }.items():  # fmt: skip
        path.write_text(text, "utf-8")
        with pytest.raises(UserError, match=said):
            by_hand.applied(pupils)


ENGLISH = re.compile(
    r"\b(?:the|of|is|it|not|and|with|line|file|run|boxes|expected|found|ask|open|error|cannot)\b",
    re.IGNORECASE,
)


@pytest.mark.ci
def test_no_result_in_german_has_a_word_of_english(tmp_path: Path) -> None:
    """Whatever was handed in, however damaged, and whatever a person decides about it."""
    place = three("numbers")
    code, other, _ = batch_in(place).records
    book = workbook(place, code)
    junk = {
        "a.docx": zipped({"word/document.xml": b""}), "b.xlsx": book[: len(book) // 2],
        "c.png": b"\x89PNG", "d.csv": b'paperformer-list/1;"a;b\n', "e.pdf": b"%PDF-1.7 torn",
        "f.csv": b"paperformer-list/1;;\n;;\nx", "g.xlsx": zipped({"xl/workbook.xml": b"<a"}),
        "h.zip": zipped({"1.zip": zipped({"2.txt": b"x"}), "2.xlsx": b"PK"}), "i": b"",
        "list.csv": typed_list(place, {other: "7 oder 8"}),
        "j.xlsx": book, "k.xlsx": filled(place, code, {}, "2026-11-20T10:00:00Z"),
    }  # fmt: skip
    for name, content in junk.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "link.pdf").symlink_to(tmp_path / "e.pdf")
    found = grade(tmp_path, place, jobs=1)
    assert {one.reason.key for one in found.marks.stray} >= {"word", "csv", "unreadable", "link"}
    said = [path for path in found.paths if path.suffix in (".csv", ".html", ".toml")]
    assert {path.name for path in said} >= {GRADES, JOURNAL, NOT_MARKED, DECISIONS, "class.html"}
    for path in said:
        text = re.sub(r"(?s)<style.*?</style>|<[^>]+>", " ", path.read_text("utf-8-sig"))
        assert ENGLISH.findall(unescape(text)) == [], path.name


def test_the_journal_says_what_changed_and_nothing_where_nothing_did() -> None:
    first, second = (credits(class_of(one)) for one in (paper(), paper(unscaled())))
    words = ResultWords("de")
    one = journal(None, first, b"", words)
    assert journal(first, first, one, words) == one
    lines = rows(journal(first, second, one, words), ",")[2:]
    assert len(lines) == 6
    assert lines[0] == ["2", "CODE0", "4a", f"{SCALED}[3,1]", "1", "0"]


@pytest.mark.parametrize("language", languages())
def test_every_box_says_why(language: str) -> None:
    found = class_of(paper(unscaled() | {(SCORES, 2, 0): "?"}))
    lines = list(Tables(found, ResultWords(language)).boxes())
    assert [len(line) for line in lines] == [13] * 29
    told = {line[9] for line in lines}
    assert {load(language).t(f"grading.how.{how}") for how in ("wrong", "unreadable")} <= told


def typed_list(place: Path, changed: Mapping[str, Number | str]) -> bytes:
    """The batch's list filled with right numbers, but for some pupils' first score on 4a."""
    batch, wrong = batch_in(place), dict(changed)
    table = [*map(list, list_rows(batch))]
    for line in table[2:]:
        for column, step, cell in chain.from_iterable(map(columns_of, batch.seat(line[0]).tasks)):
            value = step.values[cell[1:]]
            if line[0] in wrong and str(column).startswith(f"4a {SCORES} "):
                value = wrong.pop(line[0])
            line[table[0].index(str(column))] = str(value).replace(".", ",")
    assert not wrong
    out = io.StringIO()
    csv.writer(out, delimiter=";").writerows(zip(*table, strict=True))
    return out.getvalue().encode()


@pytest.mark.ci
def test_a_folder_is_graded_by_one_process_and_by_two_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two that are forked where there is forking; that others write the same, a batch shows."""
    monkeypatch.setattr("generator.processes._may_fork", lambda: sys.platform == "linux")
    place = three("numbers")
    batch = batch_in(place)
    code, other, third = batch.records
    content = typed_list(place, {code: 77.0})
    (asked,) = batch.seat(third).in_workbook.questions()
    typed = solved(asked, Draws("on a computer"), slip=0.15)
    book = filled(place, third, typed.typed, "2026-11-20T10:00:00Z")
    folders = [tmp_path / name for name in ("one", "two")]
    for jobs, folder in enumerate(folders, start=1):
        folder.mkdir()
        (folder / "list.csv").write_bytes(content)
        (folder / "book (1).xlsx").write_bytes(book)
        (folder / "holiday.txt").write_text("nothing of ours", "utf-8")
        found = grade(folder, place, names=True, show_answers=True, jobs=jobs)
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
    # What was typed into the workbook earns as it would on paper, and nobody has to look at it.
    assert typed.slips
    assert found.marks.pupils[2].task(WORKBOOK).marks == task_marks(asked, typed.typed).marks
    assert found.marks.pupils[2].remarks == ()
    for options, differ in (({"show_answers": True}, ()), ({}, (code, third))):
        again = grade(folders[0], place, names=True, **options).paths
        written = {path.relative_to(folders[0]): path.read_bytes() for path in again}
        assert written.keys() <= files[0].keys()
        # Who has errors and is not shown the answers has another page; all else is the same.
        changed = {path for path, content in written.items() if content != files[0][path]}
        assert changed == {Path("marks", FEEDBACK, f"{one}.pdf") for one in differ}


def test_the_end_says_how_many_were_marked_and_how_many_files_were_not() -> None:
    word, same = Reason("word"), Reason("same", {"file": "b.csv"})
    stray = (Stray("a.docx", word), Stray("b (1).csv", same), Stray("c.pdf", Reason("pen_taken")))
    marks = class_of(paper({(SCORES, 2, 0): "?"}), paper())
    marks = replace(marks, stray=stray, pupils=marks.pupils)
    found = Graded(marks, [])
    assert found.lost == 1  # of the others something was marked
    assert found.summary.startswith("2 of 3 pupils marked; 1 files not marked")
    assert "; 1 things to look at" in found.summary
    decided = [one.changed(lambda _, task: by_hand(task)) for one in marks.pupils]
    assert "; 0 things to look at" in Graded(replace(marks, pupils=tuple(decided)), []).summary


def by_hand(task: TaskMarks) -> TaskMarks:
    return replace(task, marks=tuple(replace(one, decided=True) for one in task.marks))


def test_ten_thousand_files_of_one_kind_are_one_line() -> None:
    stray = [Stray(f"{k}.docx", Reason("word")) for k in range(10_000)]
    lines = by_reason([*stray, Stray("x.png", Reason("picture"))], load("de"))
    assert lines == [
        ("0.docx, 1.docx, 2.docx, 3.docx, 4.docx … (10,000)", load("de").t("handed_in.word")),
        ("x.png", load("de").t("handed_in.picture")),
    ]
    marks = replace(class_of(paper()), stray=tuple(stray))
    words = ResultWords("de")
    html = dict(ClassPage(marks, PageMaker(SheetOptions(), words, {"de": {}})).files())
    assert html["class.html"].count(b".docx") == 5


@pytest.mark.ci
def test_the_command_tells_by_its_exit_code_that_files_were_not_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = three("numbers")
    code = next(iter(batch_in(place).records))
    (tmp_path / "list.csv").write_bytes(typed_list(place, {code: 77.0}))
    command = ["grade", str(tmp_path), "--batch", str(place)]
    assert main(command) == 0
    assert "3 of 3 pupils marked; 0 files not marked" in capsys.readouterr().err
    (tmp_path / "poem.txt").write_text("nothing of ours", "utf-8")
    assert main(command) == 1
    *_, why, last = capsys.readouterr().err.splitlines()
    assert "poem.txt: it is no workbook" in why
    assert "3 of 3 pupils marked; 1 files not marked" in last
    listed = rows((tmp_path / "marks" / NOT_MARKED).read_bytes())
    assert [line[0] for line in listed] == ["Datei", "poem.txt"]
    (tmp_path / "marks" / GRADES).unlink()
    (tmp_path / "marks" / GRADES).symlink_to("/dev/full")
    assert main(command) == 1
    assert "grades.csv: its disk is full; free some space there" in capsys.readouterr().err


def test_what_cannot_be_graded_is_told(tmp_path: Path) -> None:
    (tmp_path / "handed in").mkdir()
    (tmp_path / "handed in" / "x.csv").write_text("a,b\n", "utf-8")
    scheme = tmp_path / "scheme.toml"
    scheme.write_text("[points]\n4a = 1\n9z = 2\n", "utf-8")
    ours = {"batch": three("numbers")}
    for folder, options, said in (
        ("", {}, "--batch"),
        ("away", {}, "away: there is no such folder"),
        ("handed in", {**ours, "scheme": scheme}, r"found 9z, .* expected some of 4a, 6, workbook"),
        ("handed in", {**ours, "prefer": "all"}, r"no preference 'all'"),
        ("handed in", {**ours, "unrounded": "yes"}, "choose from: ok, as-printed"),
        ("handed in", ours, r"nothing in it can be marked\nx\.csv"),
    ):
        with pytest.raises(UserError, match=said):
            grade(tmp_path / folder, **options)


@pytest.mark.parametrize("page", ["grading.md", "marking-rule.md"])
def test_the_examples_of_the_guides_are_read(page: str, tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    assert examples
    for number, example in enumerate(examples):
        path = tmp_path / f"{number}.toml"
        path.write_text(example, "utf-8")
        assert (read_decisions if "[[decision]]" in example else read_scheme)(path)
