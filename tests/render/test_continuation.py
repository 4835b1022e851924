"""The pages of a leaf after its first: whose they are stands above them, and it moves nothing."""

import io

import pypdfium2
import pytest

from tests.support.covering import covering
from tests.support.sheets import pdf_of

TITLE = {"de": "Du rechnest", "en": "our turn"}  # of sheets 4a and 4b
ABOVE = 14 / 297  # of a page: the margin at its head


def above(document: bytes) -> list[str]:
    """What stands in the margin at the head of each page."""
    found = []
    for page in pypdfium2.PdfDocument(io.BytesIO(document)):
        width, height = page.get_size()
        box = page.get_textpage().get_text_bounded(0, height * (1 - ABOVE), width, height)
        found.append(box.strip())
    return found


@pytest.mark.parametrize(("sheet", "language"), covering(("4a", "4b"), ("de", "en")))
@pytest.mark.parametrize("duplex", [False, True])
def test_a_further_page_says_whose_it_is(sheet, language, duplex):
    first, *further = above(pdf_of(sheet, "katze", language, part="work", duplex=duplex))
    assert first == ""
    assert further, "the leaf has one page only: nothing was looked at"
    for line in further:
        assert line.startswith(("Blatt 4", "Sheet 4"))
        assert TITLE[language] in line
        assert line.endswith("Name:")


@pytest.mark.ci
def test_a_printed_name_stands_there_too_and_not_on_what_is_for_all():
    pages = above(pdf_of("4a", variant="solution", pupil="Ada Byron"))
    named = [line.endswith("Name: Ada Byron") for line in pages]
    assert named == [False, False, False, True, False]
    assert pages[1] == "Blatt 4a · Self-Attention: Wer achtet auf wen?"
    assert pages[0] == pages[4] == ""
    assert pages[2] == "Lösung", "the mark of a solution"
