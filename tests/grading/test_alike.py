"""Another pupil's numbers are shown to the teacher; honest pupils, however weak, are not."""

from functools import cache
from pathlib import Path

import pytest

from generator.api import compute, grade
from generator.grading.marking.alike import looked_at
from generator.grading.marking.marks import Marks, PupilMarks, task_marks
from generator.grading.marking.question import Question
from generator.grading.marking.task import batch_in
from generator.grading.reading.entries import Source
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.sheets.series import SERIES
from tests.grading.papers import question, right, slipped
from tests.grading.pupils import solved
from tests.grading.test_grade import rows, typed_list
from tests.reference.options import Draws
from tests.support.three import three

PUPILS = 12
WEAK = 0.2  # slips a box: four times as many as usual


@cache
def own(number: int, sheet: str = "4a") -> Question:
    """A sheet with a pupil's own numbers."""
    draws = Draws(f"own {number}")
    edits = {
        f"vocabulary.embedding[{word},{column}]": draws.choice(range(-9, 10)) / 10
        for word in range(1, 7)
        for column in range(1, 5)
    }
    trace = compute(preset="katze", edits=edits)
    return Question(sheet, trace, SERIES[sheet].plan(trace, 3))


def of(code: str, asked: Question, typed: dict) -> PupilMarks:
    source = Source(f"{code}.pdf", "pdf", code, (asked.name,))
    return PupilMarks(code, code, "de", (Marks(source, (task_marks(asked, typed),)),))


def honest(number: int, asked: Question, slip: float) -> PupilMarks:
    paper = solved(asked, Draws(f"honest {asked.name} {number} {slip}"), slip)
    return of(f"P{number}", asked, paper.typed)


def remarks(pupils: list[PupilMarks], language: str = "en") -> dict[str, tuple[str, ...]]:
    found = looked_at(pupils, (), load(language))
    return {one.code: one.remarks for one in found if one.remarks}


@pytest.mark.parametrize("slip", [0.05, WEAK])
def test_nothing_is_said_of_honest_pupils(slip: float) -> None:
    assert remarks([honest(k, own(k), slip) for k in range(PUPILS)]) == {}
    assert remarks([honest(k, question("4a"), slip) for k in range(3 * PUPILS)]) == {}


@pytest.mark.ci
@pytest.mark.parametrize("sheet", ["6", "slide"])
def test_nothing_is_said_of_many_honest_pupils(sheet: str) -> None:
    for slip in (0.05, WEAK):
        assert remarks([honest(k, own(k, sheet), slip) for k in range(2 * PUPILS)]) == {}
        assert remarks([honest(k, question(sheet), slip) for k in range(4 * PUPILS)]) == {}


@pytest.mark.parametrize("language", languages())
def test_who_enters_another_pupils_numbers_is_shown_and_marked_as_ever(language: str) -> None:
    pupils = [honest(k, own(k), 0.05) for k in range(PUPILS)]
    pupils[7] = of("P7", own(7), right(own(3)))
    found = remarks(pupils, language)
    assert found.keys() == {"P7"}
    (said,) = found["P7"]
    assert "P7.pdf" in said
    assert "P3" in said
    after = looked_at(pupils, (), load(language))[7].files[0]
    assert after.tasks == pupils[7].files[0].tasks


def test_the_numbers_of_who_handed_in_nothing_are_known_too() -> None:
    (theirs,) = of("P3", own(3), {}).files
    pupils = [of("P7", own(7), right(own(3)))]
    assert remarks(pupils) == {}
    (found,) = looked_at(pupils, [("P3", theirs)], load("en"))
    assert "P3" in found.remarks[0]


def test_two_files_alike_with_their_errors_are_shown_both() -> None:
    """One made an early slip and went on; the other copied it all, other numbers or not."""
    slip = slipped(own(3), own(3).cells[0], 0.7)
    pupils = [honest(k, own(k), 0.05) for k in range(PUPILS)]
    pupils[3], pupils[7] = of("P3", own(3), slip), of("P7", own(7), slip)
    assert remarks(pupils).keys() >= {"P7"}


def test_one_number_in_many_boxes_tells_no_more_than_in_one() -> None:
    """As where W selects a coordinate: a number stands again and again, copied along."""
    pupils = [honest(k, own(k), 0.05) for k in range(PUPILS)]
    for k in (3, 7):
        boxes = own(k).cells[2:12]
        pupils[k] = of(f"P{k}", own(k), right(own(k)) | dict.fromkeys(boxes, 3.33))
    assert remarks(pupils) == {}


def test_of_the_same_numbers_only_the_same_errors_tell() -> None:
    asked = question("4a")
    pupils = [honest(k, asked, 0.05) for k in range(PUPILS)]
    pupils[3], pupils[7] = of("P3", asked, right(asked)), of("P7", asked, right(asked))
    assert remarks(pupils) == {}
    slip = slipped(asked, asked.cells[0], 0.77)  # one slip, and all that follows from it
    pupils[3], pupils[7] = of("P3", asked, slip), of("P7", asked, slip)
    assert remarks(pupils) == {}
    wrong = right(asked) | {c: right(asked)[c] + 7.13 + k for k, c in enumerate(asked.cells[::4])}
    pupils[3], pupils[7] = of("P3", asked, wrong), of("P7", asked, wrong)
    found = remarks(pupils)
    assert found.keys() == {"P3", "P7"}
    assert "P7" in found["P3"][0]


@pytest.mark.ci
@pytest.mark.parametrize("alone", [False, True])
def test_the_teacher_reads_it_in_the_gradebook_and_on_the_class_page(
    tmp_path: Path, alone: bool
) -> None:
    place = three("numbers")
    codes = list(batch_in(place).records)
    table = rows(typed_list(place, {}))
    line = {one[0]: one for one in table[2:]}
    line[codes[1]][3:] = line[codes[0]][3:]
    handed_in = [*table[:2], *([line[codes[1]]] if alone else table[2:])]
    text = "\n".join(";".join(cells) for cells in handed_in)
    (tmp_path / "list.csv").write_text(text, "utf-8")
    for jobs in (1, 2):
        marks = grade(tmp_path, place, jobs=jobs).marks
        said = {one.code: " ".join(one.remarks) for one in marks.pupils if one.remarks}
        assert said.keys() == {codes[1]}
        assert codes[0] in said[codes[1]]
    book = rows((tmp_path / "marks/grades.csv").read_bytes())
    assert codes[0] in next(cells[-1] for cells in book if codes[1] in cells)
    assert said[codes[1]].split(": ")[1] in (tmp_path / "marks/class.html").read_text("utf-8")
