"""The last page of a work leaf asks something: no page of squares, of a story, of hints alone."""

import io
import re

import pypdfium2
import pytest

from tests.support.sheets import pdf_of

PAGES = (("1", 2, 1), ("7a", 1, 1), ("4b", 1, 2))  # sheet, level, pages of the work leaf
NINE = "My old cat sleeps on the warm red mat"  # generate once ended with a story alone
LONG = "Der kleine Hund sieht heute die große alte Katze im schönen Garten"
ASKS = re.compile(r"^\d+\s+\S", re.MULTILINE)


def texts(document: bytes) -> list[str]:
    """The text of each page."""
    pages = pypdfium2.PdfDocument(io.BytesIO(document))
    return [page.get_textpage().get_text_range().replace("\r", "") for page in pages]


@pytest.mark.ci
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(("sheet", "level", "count"), PAGES)
def test_a_work_leaf_of_the_default_ends_with_a_task(sheet, level, count, language):
    pages = texts(pdf_of(sheet, "katze-trained", language, level=level, part="work"))
    assert len(pages) == count
    assert all(ASKS.search(page) for page in pages)


@pytest.mark.ci
def test_the_text_of_nine_words_ends_with_a_task():
    *_, last = texts(pdf_of("generate", "katze", "en", sentence=NINE, part="work"))
    assert "Compare P in rounds 1 and 2" in last


@pytest.mark.ci
@pytest.mark.parametrize(("sheet", "words"), [("4a", 8), ("4a", 11), ("4b", 12)])
def test_many_words_leave_no_page_without_a_task(sheet, words):
    """Tables are tighter: the info leaf has two pages, the work leaf three."""
    pages = texts(pdf_of(sheet, sentence=" ".join(LONG.split()[:words])))
    assert ["Arbeitsteil" in page for page in pages] == [False, False, True, True, True]
    assert all(ASKS.search(page) for page in pages[2:])
