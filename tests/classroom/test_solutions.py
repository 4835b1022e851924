"""The solutions of a class: found by number, code and the page that is printed on each leaf."""

import io
import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from generator.classroom.pupils.pupil_codes import code_of
from tests.support.three import NAMES, SEED, three

LINE = re.compile(r"(?:^|\s)(\d+) ([0-9A-Z]{8}) (\d+)(?=\s|$)")


@pytest.fixture(scope="module")
def place() -> Path:
    """A class of three with PDFs and workbooks."""
    return three("numbers")


def pages(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(io.BytesIO(path.read_bytes()))
    texts = [page.get_textpage().get_text_bounded().replace("\r", "") for page in document]
    return ["\n".join(" ".join(line.split()) for line in text.split("\n")) for text in texts]


def test_the_index_has_number_code_and_the_page_that_is_printed(place: Path):
    found = pages(place / "teacher/solutions.pdf")
    lines = LINE.findall(found[0])
    codes = [code_of(SEED, key) for key in NAMES]
    assert [(number, code) for number, code, _ in lines] == [
        (str(k), code) for k, code in enumerate(codes, start=1)
    ]
    assert all(key in found[0] for key in NAMES)
    for number, code, page in lines:
        there = found[int(page) - 1]
        assert code in there
        assert f"Nr. {number} Name:" in there
        assert f"Lösungen · Seite {page}\n" in f"{there}\n"
    marks = [re.findall(r"Lösungen · Seite (\d+)", text) for text in found]
    assert marks == [[str(k)] if text else [] for k, text in enumerate(found, start=1)]


def test_the_lines_of_the_index_lead_to_the_leaves(place: Path):
    wanted = [int(page) for *_, page in LINE.findall(pages(place / "teacher/solutions.pdf")[0])]
    with pikepdf.open(place / "teacher/solutions.pdf") as book:
        notes = book.pages[0].obj.Annots
        found = [book.pages.index(pikepdf.Page(note.Dest[0])) + 1 for note in notes]
    assert sorted(found) == wanted
    assert len(found) == len(NAMES)


def test_the_page_of_the_file_is_printed_over_nothing_that_the_sheet_has(place: Path):
    document = pypdfium2.PdfDocument(place / "teacher/solutions.pdf")
    seen = 0
    for page in document:
        text = page.get_textpage()
        found = [text.search(words).get_next() for words in ("Lösungen · Seite", "paperformer/1")]
        if all(found):  # the index has no code of a sheet, and some pages are empty
            mark, code = (
                [text.get_charbox(k) for k in range(at, at + count)] for at, count in found
            )
            assert min(box[0] for box in mark) > max(box[2] for box in code) + 40
            seen += 1
    assert seen > 3
