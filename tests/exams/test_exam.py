"""A whole exam: its files, what they hold, and what comes back marked with the paper's points."""

import csv
import io
from pathlib import Path

import pikepdf
import pytest
from openpyxl import load_workbook

import generator
from generator.classroom.desk.reissue import reissue
from generator.errors import UserError
from generator.exams.papers import ExpectedPaper, ExpectedSheet
from generator.grading.marking.by_hand import WORDS_LIST, read_words
from generator.grading.marking.scheme import Credit, Scheme
from generator.grading.marking.task import Batch, batch_in
from generator.grading.results.tables import ResultWords
from generator.locales.catalogue import load
from generator.render.worksheet.form_fields import field_name
from tests.support.handed_in import filled
from tests.support.leaks import readable
from tests.support.sheets import text

pytestmark = pytest.mark.ci
SHEETS = ("4a", "6")
NAMES = {"K-1": "Änne Ärmel", "K-2": "Bo Ng", "K-3": "Zoë Quandt"}
FILES = {"4a": "4a-self-attention-fillable.pdf", "6": "6-output-fillable.pdf"}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """An exam of three in two versions, as paper, as forms and as workbooks."""
    folder = tmp_path_factory.mktemp("exam")
    listed = "id;name\n" + "".join(f"{key};{name}\n" for key, name in NAMES.items())
    (folder / "8b.csv").write_text(listed, encoding="utf-8")
    made = generator.exam(
        folder / "8b.csv", folder / "8b", sheets=SHEETS, minutes=30, level=1, seed="an exam",
        fillable=True, only=["pdf", "xlsx"], language="de",
    )  # fmt: skip
    assert (made.made, made.problems) == (3, [])
    return folder / "8b"


def codes(place: Path) -> list[str]:
    return list(batch_in(place).records)


def right(batch: Batch, code: str, sheet: str) -> dict:
    """The right content of every box of a pupil's sheet."""
    task = batch.seat(code).on_paper([sheet])
    cells = batch.seat(code).worth[sheet].cells
    return {(s, i, j): task.trace[s].values[i, j] for s, i, j in cells}


def test_the_folder_has_what_an_exam_needs_and_nothing_for_a_lesson(place: Path):
    files = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    own = {"exam.pdf", "workbook-exercise.xlsx", *FILES.values()}
    hand_out = {f"hand-out/{code}/{name}" for code in codes(place) for name in own}
    teacher = ("expectation.pdf", "seating.pdf", "second-marking.pdf", "scheme.toml", "names.csv",
               "solution-A.pdf", "solution-B.pdf", "answer-key.xlsx", "manifest.json")  # fmt: skip
    assert files == {*hand_out, "hand-out/class-exam.pdf", *(f"teacher/{one}" for one in teacher)}


def test_the_papers_hold_no_name_no_seed_and_nobodys_answers(place: Path):
    batch = batch_in(place)
    told = {path: readable(path.name, path.read_bytes()) for path in (place / "hand-out").rglob("*")
            if path.is_file()}  # fmt: skip
    assert len(told) == 13
    for path, words in told.items():
        for secret in ("an exam", *(part for name in NAMES.values() for part in name.split()[1:])):
            assert secret not in words, path
    for code in batch.records:
        paper = text((place / "hand-out" / code / "exam.pdf").read_bytes())
        solved = text((place / f"teacher/solution-{code[0]}.pdf").read_bytes())
        sums = [batch.seat(code).on_paper(["4a"]).trace["unmasked.block1.head1.sum"].values[2, 0],
                batch.seat(code).on_paper(["6"]).trace["output.sum"].values[0, 0]]  # fmt: skip
        shown = [f"{one:.4f}".rstrip("0").replace(".", ",") for one in sums]
        assert all(one in solved for one in shown)
        assert not any(one in paper for one in shown)


def test_each_page_says_whose_it_is_and_which_of_how_many(place: Path):
    for code in codes(place):
        with pikepdf.open(place / "hand-out" / code / "exam.pdf") as paper:
            count = len(paper.pages)
        pages = text((place / "hand-out" / code / "exam.pdf").read_bytes())
        assert count == 6
        for page in range(1, count + 1):
            assert f"Seite {page} von {count}" in pages
        for sheet in SHEETS:
            assert f"{code} · {sheet} · 1" in " ".join(pages.split())
    with pikepdf.open(place / "hand-out/class-exam.pdf") as book:
        assert len(book.pages) == 3 * 6


def test_the_workbook_offers_no_help_and_judges_nothing(place: Path):
    t = load("de").t
    for code in codes(place):
        book = load_workbook(place / "hand-out" / code / "workbook-exercise.xlsx")
        texts = [str(cell.value) for tab in book for row in tab.iter_rows() for cell in row]
        assert len(texts) > 1000
        assert t("exercise.help") not in texts
        assert not any(text.startswith(t("exercise.help.results")) for text in texts)
        assert t("workbook.judge.off") in texts


def test_versions_differ_and_so_do_neighbours(place: Path):
    batch = batch_in(place)
    one, two, three = batch.records.values()
    assert [one.group, two.group, three.group] == ["A", "B", "A"]
    assert one.edits == three.edits != two.edits
    assert right(batch, one.code, "4a") == right(batch, three.code, "4a")
    assert right(batch, one.code, "4a") != right(batch, two.code, "4a")
    assert right(batch, one.code, "6") != right(batch, two.code, "6")


def test_late_joiners_do_not_change_the_versions_of_the_others(place: Path):
    kept = {"sheets": SHEETS, "minutes": 30, "level": 1, "fillable": True, "language": "de"}
    with pytest.raises(UserError, match="row was 6, is 4; repeat its command"):
        generator.exam(4, place, only=["pdf", "xlsx"], resume=True, row=4, **kept)


def test_a_lost_paper_is_made_again_byte_by_byte(place: Path):
    code = codes(place)[1]
    for path, content in reissue(place / "teacher/manifest.json", code).items():
        assert (place / path).read_bytes() == content


def handed_in(place: Path, folder: Path) -> None:
    """The first by forms with all right, the second with a slip, the third by workbook."""
    batch, (first, second, third) = batch_in(place), codes(place)
    folder.mkdir()
    for code, slips in ((first, 0), (second, 1)):
        for sheet, name in FILES.items():
            with pikepdf.open(place / "hand-out" / code / name) as form:
                typed = right(batch, code, sheet)
                if slips and sheet == "4a":
                    last = max(cell for cell in typed if cell[0].endswith("output"))
                    typed[last] += 3
                _fill(form, typed)
                form.save(folder / f"{code}-{name}")
    asked = batch.seat(third).in_workbook.plans["workbook"].asked
    trace = batch.seat(third).in_workbook.trace
    answers = {(s, i, j): trace[s].values[i, j] for s, i, j in asked}
    typed = {c: v if isinstance(v, str) else float(v) for c, v in answers.items()}
    (folder / f"{third}.xlsx").write_bytes(filled(place, third, typed))


def _fill(form: pikepdf.Pdf, typed: dict) -> None:
    texts = {f"{field_name(s)}[{i}][{j}]": str(v) for (s, i, j), v in typed.items()}
    for field in form.Root.AcroForm.Fields:
        if value := texts.get(str(field.T)):
            field.V = pikepdf.String(value)


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))


def test_what_comes_back_is_marked_with_the_points_of_the_paper(place: Path, tmp_path: Path):
    folder = tmp_path / "collected"
    handed_in(place, folder)
    first, second, third = codes(place)
    made = generator.grade(folder, place)
    assert not made.marks.stray
    worth = batch_in(place).seat(first).worth
    most = {name: sum(one.cells.values()) for name, one in worth.items()}
    t = load("de").t
    for name in SHEETS:  # what the paper prints is what there is
        printed = t("sheet.marks.of", count=worth[name].marks)
        assert printed in text((place / "hand-out" / first / "exam.pdf").read_bytes())
    found = {one.code: {task.name: task for task in one.tasks} for one in made.marks.pupils}
    for name in SHEETS:
        assert found[first][name].points == pytest.approx(most[name])
        assert found[first][name].most == worth[name].marks
        assert found[first][name].most_by_hand == 4
    assert found[second]["4a"].points == most["4a"] - 1
    workbook = found[third]["workbook"]
    assert workbook.points == workbook.most == pytest.approx(most["workbook"])
    assert most["workbook"] == pytest.approx(most["4a"] + most["6"])
    # Answers in words wait for a person, and so do the grades of those who wrote some.
    assert "2 without points for their answers in words" in made.notes[-1]
    words = (folder / "marks" / WORDS_LIST).read_text("utf-8-sig").splitlines()
    assert words[0] == "code;Blatt 4a / 4;Blatt 6 / 4"  # a spreadsheet makes a date of "6 / 4"
    assert [line[-3] for line in table((folder / "marks/grades.csv").read_bytes())[1:3]] != ["", ""]
    grades = [line[-2] for line in table((folder / "marks/grades.csv").read_bytes())[1:]]
    assert grades == ["", "", "15"]
    lines = [words[0], f"{first.lower()};4;4", "2;1,5;0", f"{third};;", ";;"]
    (folder / "marks" / WORDS_LIST).write_text("\n".join(lines), encoding="utf-8")
    again = generator.grade(folder, place)
    assert not again.notes
    (_, one, two, _) = table((folder / "marks/grades.csv").read_bytes())
    total = worth["4a"].marks + worth["6"].marks
    assert one[-4:-1] == [str(total), str(total), "15"]
    assert two[-4] == f"{total - 1 - 2.5 - 4:g}".replace(".", ",")
    kept = (folder / "marks" / WORDS_LIST).read_text("utf-8").splitlines()
    assert kept == lines  # never written over
    journal = (folder / "marks/journal.csv").read_text("utf-8-sig")
    changed = list(csv.reader(io.StringIO(journal)))
    assert ["2", first, "4a", "words", "", "1"] in changed
    assert ["2", second, "4a", "words", "", "0.375"] in changed
    scheme = tmp_path / "own.toml"
    scheme.write_text("[points]\n4a = 3\n")
    with pytest.raises(UserError, match="an exam prints its points"):
        generator.grade(folder, place, scheme=scheme)


def test_points_for_words_that_cannot_be_are_told_by_their_line(place: Path, tmp_path: Path):
    first = codes(place)[0]
    (tmp_path / WORDS_LIST).write_text(
        f"code;Sheet 4a / 4;a column of mine;6 / 4\n{first};9;me;x\nQQ;1;;1\n", encoding="utf-8"
    )
    with pytest.raises(UserError) as refused:
        read_words(tmp_path / WORDS_LIST, batch_in(place))
    assert [line.split(":")[0] for line in str(refused.value).splitlines()] == [
        f"{WORDS_LIST}, line 2 ({first}), sheet 4a",
        f"{WORDS_LIST}, line 2 ({first}), sheet 6",
        f"{WORDS_LIST}, line 3",
    ]
    (tmp_path / WORDS_LIST).write_bytes(b"\0")
    with pytest.raises(UserError, match=r"words\.csv: it is neither"):
        read_words(tmp_path / WORDS_LIST, batch_in(place))
    (tmp_path / WORDS_LIST).write_text("code;Blatt 4a / 4;06. Apr\n", encoding="utf-8")
    with pytest.raises(UserError, match="no column is headed as in 'Sheet 6 / 4'"):
        read_words(tmp_path / WORDS_LIST, batch_in(place))


def test_a_slip_costs_its_box_whatever_is_credited_of_numbers_carried_on(place: Path):
    batch, code = batch_in(place), codes(place)[0]
    sheet = ExpectedSheet([ExpectedPaper("6", batch.seat(code).pages["6"])], ResultWords("en"))
    full, half = (list(sheet.costs(Scheme(credit=Credit(carried=share)))) for share in (1, 0.5))
    assert full
    assert {one["marks"] for one in full} == {1.0}
    assert half == full


def test_the_papers_for_marking_say_what_is_printed(place: Path):
    batch = batch_in(place)
    worth = batch.seat(codes(place)[0]).worth
    total = sum(worth[name].marks for name in SHEETS)
    told = " ".join(text((place / "teacher/expectation.pdf").read_bytes()).split())
    for name in SHEETS:
        assert f"{worth[name].marks} BE" in told
    assert f"{total} BE" in told
    assert "Notenschlüssel" in told
    seats = " ".join(text((place / "teacher/seating.pdf").read_bytes()).split())
    for k, code in enumerate(codes(place), start=1):
        assert f"{k} · {code}" in seats
    marking = text((place / "teacher/second-marking.pdf").read_bytes())
    assert f"/ {total}" in marking
    assert all(code in marking for code in codes(place))
