"""The last page of a work leaf asks something: no page of squares, of a story, of hints alone."""

import io
import re

import pypdfium2
import pytest

from generator.sheets.options import SheetOptions
from tests.support.sheets import pdf, traces

PAGES = (("1", 2, 1), ("7a", 1, 1), ("4b", 1, 2))  # sheet, level, pages of the work leaf
NINE = "My old cat sleeps on the warm red mat"  # generate once ended with a story alone
ASKS = re.compile(r"^\d+\s+\S", re.MULTILINE)


def texts(document: bytes) -> list[str]:
    """The text of each page."""
    pages = pypdfium2.PdfDocument(io.BytesIO(document))
    return [page.get_textpage().get_text_range().replace("\r", "") for page in pages]


@pytest.mark.ci
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(("sheet", "level", "count"), PAGES)
def test_a_work_leaf_of_the_default_ends_with_a_task(sheet, level, count, language):
    trace, exact = traces("katze-trained", language)
    options = SheetOptions(language=language, level=level, part="work")
    pages = texts(pdf(trace, exact, options, "blank", sheet))
    assert len(pages) == count
    assert all(ASKS.search(page) for page in pages)


@pytest.mark.ci
def test_the_text_of_nine_words_ends_with_a_task():
    trace, exact = traces("katze", "en", NINE)
    *_, last = texts(
        pdf(trace, exact, SheetOptions(language="en", part="work"), "blank", "generate")
    )
    assert "Explain: why can round 2" in last
