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
from generator.grading.marking.by_hand import WORDS_LIST, DecidedByHand
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
def batch(tmp_path_factory) -> Batch:
    """An exam of three in two versions, as paper, as forms and as workbooks."""
    folder = tmp_path_factory.mktemp("exam")
    listed = "id;name\n" + "".join(f"{key};{name}\n" for key, name in NAMES.items())
    (folder / "8b.csv").write_text(listed, encoding="utf-8")
    made = generator.exam(
        folder / "8b.csv", folder / "8b", sheets=SHEETS, minutes=30, level=1, seed="an exam",
        fillable=True, only=["pdf", "xlsx"], language="de",
    )  # fmt: skip
    assert (made.made, made.problems) == (3, [])
    return batch_in(folder / "8b")


def right(batch: Batch, code: str, sheet: str) -> dict:
    """The right content of every box of a pupil's sheet."""
    task = batch.seat(code).on_paper([sheet])
    cells = batch.seat(code).worth[sheet].cells
    return {(s, i, j): task.trace[s].values[i, j] for s, i, j in cells}


def of_teacher(batch: Batch, name: str) -> str:
    return " ".join(text((batch.folder / "teacher" / name).read_bytes()).split())


def paper(batch: Batch, code: str) -> str:
    return " ".join(text((batch.folder / "hand-out" / code / "exam.pdf").read_bytes()).split())


def test_the_folder_has_what_an_exam_needs_and_nothing_for_a_lesson(batch: Batch):
    place = batch.folder
    files = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    own = {"exam.pdf", "workbook-exercise.xlsx", *FILES.values()}
    hand_out = {f"hand-out/{code}/{name}" for code in batch.records for name in own}
    teacher = ("expectation.pdf", "seating.pdf", "second-marking.pdf", "scheme.toml", "names.csv",
               "solution-A.pdf", "solution-B.pdf", "answer-key.xlsx", "manifest.json")  # fmt: skip
    assert files == {*hand_out, "hand-out/class-exam.pdf", *(f"teacher/{one}" for one in teacher)}
    assert (place / "teacher/scheme.toml").read_text("utf-8").startswith("# So wird diese Arbeit")


def test_the_papers_hold_no_name_no_seed_and_nobodys_answers(batch: Batch):
    secrets = ("an exam", *(part for name in NAMES.values() for part in name.split()[1:]))
    files = [path for path in (batch.folder / "hand-out").rglob("*") if path.is_file()]
    assert len(files) == 13
    for path in files:
        assert not [one for one in secrets if one in readable(path.name, path.read_bytes())], path
    for code in batch.records:
        sums = [batch.seat(code).on_paper(["4a"]).trace["unmasked.block1.head1.sum"].values[2, 0],
                batch.seat(code).on_paper(["6"]).trace["output.sum"].values[0, 0]]  # fmt: skip
        shown = [f"{one:.4f}".rstrip("0").replace(".", ",") for one in sums]
        assert all(one in of_teacher(batch, f"solution-{code[0]}.pdf") for one in shown)
        assert not any(one in paper(batch, code) for one in shown)


def test_each_page_says_whose_it_is_and_which_of_how_many(batch: Batch):
    for code in batch.records:
        said = [f"Seite {page} von 5" for page in range(1, 6)]
        assert all(one in paper(batch, code) for one in said)
        assert all(f"{code} · {sheet} · 1" in paper(batch, code) for sheet in SHEETS)
    with pikepdf.open(batch.folder / "hand-out/class-exam.pdf") as book:
        assert len(book.pages) == 6 + 6 + 5, "each begins on an odd page"


def test_the_workbook_offers_no_help_and_judges_nothing(batch: Batch):
    t = load("de").t
    for code in batch.records:
        book = load_workbook(batch.folder / "hand-out" / code / "workbook-exercise.xlsx")
        texts = [str(cell.value) for tab in book for row in tab.iter_rows() for cell in row]
        assert len(texts) > 1000
        assert t("exercise.help") not in texts
        assert not any(text.startswith(t("exercise.help.results")) for text in texts)
        assert t("workbook.judge.off") in texts


def test_versions_differ_and_so_do_neighbours(batch: Batch):
    records = batch.records.values()
    assert [one.group for one in records] == ["A", "B", "A"]
    for of in (lambda one: one.edits, *(
        lambda one, sheet=sheet: right(batch, one.code, sheet) for sheet in SHEETS
    )):  # fmt: skip
        first, second, third = map(of, records)
        assert first == third != second


def test_late_joiners_do_not_change_the_versions_of_the_others(batch: Batch):
    kept = {"sheets": SHEETS, "minutes": 30, "level": 1, "fillable": True, "language": "de"}
    with pytest.raises(UserError, match="row was 6, is 4; repeat its command"):
        generator.exam(4, batch.folder, only=["pdf", "xlsx"], resume=True, row=4, **kept)


def test_a_lost_paper_is_made_again_byte_by_byte(batch: Batch):
    for path, content in reissue(batch.path, list(batch.records)[1]).items():
        assert (batch.folder / path).read_bytes() == content


def handed_in(batch: Batch, folder: Path) -> None:
    """The first by forms with all right, the second with a slip, the third by workbook."""
    first, second, third = batch.records
    folder.mkdir()
    for code in (first, second):
        for sheet, name in FILES.items():
            typed = right(batch, code, sheet)
            if (code, sheet) == (second, "4a"):
                typed[max(cell for cell in typed if cell[0].endswith("output"))] += 3
            texts = {f"{field_name(s)}[{i}][{j}]": str(v) for (s, i, j), v in typed.items()}
            with pikepdf.open(batch.folder / "hand-out" / code / name) as form:
                for field in form.Root.AcroForm.Fields:
                    if value := texts.get(str(field.T)):
                        field.V = pikepdf.String(value)
                form.save(folder / f"{code}-{name}")
    (asked,) = batch.seat(third).in_workbook.questions()
    typed = {cell: asked.boxes[cell].right for cell in asked.cells}
    (folder / f"{third}.xlsx").write_bytes(filled(batch.folder, third, typed))


def table(path: Path, delimiter: str = ";") -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text("utf-8-sig")), delimiter=delimiter))


def test_what_comes_back_is_marked_with_the_points_of_the_paper(batch: Batch, tmp_path: Path):
    folder, place = tmp_path / "collected", batch.folder
    handed_in(batch, folder)
    results, (first, second, third) = folder / "marks", batch.records
    made = generator.grade(folder, place)
    assert not made.marks.stray
    worth = batch.seat(first).worth
    most = {name: sum(one.cells.values()) for name, one in worth.items()}
    found = {one.code: {task.name: task for task in one.tasks} for one in made.marks.pupils}
    for name in SHEETS:  # what the paper prints is what there is
        assert load("de").t("sheet.marks.of", count=worth[name].marks) in paper(batch, first)
        task = found[first][name]
        assert (task.points, task.most) == (pytest.approx(most[name]), worth[name].marks)
    assert task.most_by_hand == {"4a": 3, "6": 2}[name]
    assert found[second]["4a"].points == most["4a"] - 1
    workbook = found[third]["workbook"]
    assert workbook.points == workbook.most == pytest.approx(most["workbook"])
    assert most["workbook"] == pytest.approx(most["4a"] + most["6"])
    # Answers in words wait for a person, and so do the grades of those who wrote some.
    assert "2 without points for their answers in words" in made.notes[-1]
    heads = (results / WORDS_LIST).read_text("utf-8-sig").splitlines()[0]
    assert heads == "code;Blatt 4a / 3;Blatt 6 / 2"  # a spreadsheet makes a date of "6 / 2"
    assert [line[-2] for line in table(results / "grades.csv")[1:]] == ["", "", "15"]
    assert [line[-3] for line in table(results / "grades.csv")[1:3]] != ["", ""]
    words = "\n".join([heads, f"{first.lower()};3;2", "2;1,5;0", f"{third};;", ";;"])
    (results / WORDS_LIST).write_text(words, encoding="utf-8")
    assert not generator.grade(folder, place).notes
    (_, one, two, _) = table(results / "grades.csv")
    total = worth["4a"].marks + worth["6"].marks
    assert one[-4:-1] == [str(total), str(total), "15"]
    assert two[-4] == f"{total - 1 - 1.5 - 2:g}".replace(".", ",")
    assert (results / WORDS_LIST).read_text("utf-8") == words  # never written over
    changed = table(results / "journal.csv", ",")
    assert ["2", first, "4a", "words", "", "1"] in changed
    assert ["2", second, "4a", "words", "", "0.5"] in changed
    scheme = tmp_path / "own.toml"
    scheme.write_text("[points]\n4a = 3\n")
    with pytest.raises(UserError, match="an exam prints its points"):
        generator.grade(folder, place, scheme=scheme)


def test_points_for_words_that_cannot_be_are_told_by_their_line(batch: Batch, tmp_path: Path):
    first, path = next(iter(batch.records)), tmp_path / WORDS_LIST
    for content, said in {
        f"code;Sheet 4a / 4;a column of mine;6 / 2\n{first};9;me;x\nQQ;1;;1\n":
            rf"words\.csv, line 2 \({first}\), sheet 4a: .*\n"
            rf"words\.csv, line 2 \({first}\), sheet 6: .*\nwords\.csv, line 3: [^\n]*$",
        "\0": r"words\.csv: it is the wrong kind of file",
        "code;Blatt 4a / 4;06. Apr\n": "no column is headed as in 'Sheet 6 / 4'",
    }.items():  # fmt: skip
        path.write_text(content, encoding="utf-8")
        with pytest.raises(UserError, match=said):
            DecidedByHand(batch, tmp_path).words()


def test_a_slip_costs_its_box_whatever_is_credited_of_numbers_carried_on(batch: Batch):
    pages = batch.seat(next(iter(batch.records))).pages
    sheet = ExpectedSheet([ExpectedPaper("6", pages["6"])], ResultWords("en"))
    full, half = (list(sheet.costs(Scheme(credit=Credit(carried=share)))) for share in (1, 0.5))
    assert {one["marks"] for one in full} == {1.0}
    assert half == full


def test_whoever_marks_is_told_each_answer_in_words(batch: Batch):
    pages = batch.seat(next(iter(batch.records))).pages
    for name in SHEETS:
        paper = ExpectedPaper(name, pages[name])
        asked = {task.number for task in paper.worth.tasks if task.by_hand}
        assert asked
        assert asked <= {number for number, answer in paper.answers.items() if answer}


def test_an_exam_asks_for_nothing_that_has_no_place(batch: Batch):
    asked = paper(batch, next(iter(batch.records)))
    assert "Ergänze zu jeder Zufallszahl das Token." in asked
    assert "20 · P" not in asked  # there is no table to count in


def test_the_papers_for_marking_say_what_is_printed(batch: Batch):
    worth = batch.seat(next(iter(batch.records))).worth
    total = sum(worth[name].marks for name in SHEETS)
    said = {
        "expectation.pdf": [*(f"{worth[name].marks} BE" for name in SHEETS), f"{total} BE"],
        "seating.pdf": [f"{k} · {code}" for k, code in enumerate(batch.records, start=1)],
        "second-marking.pdf": [f"/ {total}", *batch.records],
    }
    for name, texts in said.items():
        assert not [one for one in texts if one not in of_teacher(batch, name)]
    assert "Notenschlüssel" in of_teacher(batch, "expectation.pdf")
