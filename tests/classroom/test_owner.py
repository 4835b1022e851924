"""Workbooks say whose they are in three places, papers on each page; no two are equal."""

import io

import openpyxl
import pytest

from generator.classroom.pupils.pupil_codes import code_of
from generator.grading.marking.task import batch_in
from generator.render.owner import NAME, Owner, batch_mark, owner_in
from generator.render.workbook.reading.read_back import read_back
from generator.render.worksheet.binding import page_count
from tests.support.sheets import text
from tests.support.three import NAMES, SEED, SHEETS, three


def workbooks(vary: str) -> dict[str, bytes]:
    """The exercise workbook of each pupil of a class of three, by code."""
    codes = [code_of(SEED, key) for key in NAMES]
    place = three(vary) / "hand-out"
    return {code: (place / code / "workbook-exercise.xlsx").read_bytes() for code in codes}


@pytest.mark.parametrize("vary", ["numbers", pytest.param("focus", marks=pytest.mark.ci)])
def test_each_workbook_knows_whose_it_is(vary: str):
    books, batches = workbooks(vary), set()
    assert len(set(books.values())) == len(books) == 3
    for code, content in books.items():
        owner = owner_in(read_back(content).identifier)
        assert owner is not None
        assert owner == Owner(owner.batch, code, SHEETS, 1)
        book = openpyxl.load_workbook(io.BytesIO(content))
        ((sheet, cell),) = book.defined_names[NAME].destinations
        assert sheet == book.sheetnames[0]
        assert owner_in(book[sheet][cell].value) == owner
        batches.add(owner.batch)
    assert len(batches) == 1


def test_each_page_of_a_paper_says_whose_it_is_and_of_which_batch():
    place = three("numbers")
    lesson = batch_in(place).lesson
    for code in (code_of(SEED, key) for key in NAMES):
        paper = (place / "hand-out" / code / "4a-self-attention-blank.pdf").read_bytes()
        told, pages = text(paper), page_count(paper)
        assert pages
        assert (told.count(batch_mark(lesson.batch)), told.count(f"{code} · 4a · ")) == (
            pages,
            pages,
        )


def test_a_mark_is_read_as_it_was_written(batch: str, code: str, sheets: list[str], level: int):
    owner = Owner(batch, code, tuple(sheets), level)
    assert owner_in(f"katze · 0.1.0 · {owner} and more") == owner
    assert owner_in(str(owner).replace(" ", "\N{NO-BREAK SPACE}")) == owner


def test_other_texts_hold_no_mark(text: str):
    assert owner_in(text) is None
