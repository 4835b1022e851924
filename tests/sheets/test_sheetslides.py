"""Sheet slides: a question page before each answer, numbers that stay, large type, clear limits."""

import io
import re
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from generator.render.worksheet.worksheet import render
from generator.sheets.options import SheetOptions
from tests.support.battery import (
    assert_blend,
    blank_does_not_hang_on_answers,
    cells_are_the_traces,
)
from tests.support.covering import each
from tests.support.sheets import Cells, html, pdf, pictures, traces

SHEET = "slides"
AT = "block1.head1"
CASES = [("paris", "de"), ("katze", "en"), ("brille", "de"), ("random", "de")]
POINTS = 0.75  # of a CSS pixel
PAGES = 15  # nine steps, of which six are asked for first
QUESTIONS = (2, 4, 6, 8, 10, 12)  # from 0


def pages_of(document):
    return re.findall(r'(?s)<section class="leaf projector[^"]*">.*?</section>', document)


@pytest.mark.ci
@pytest.mark.parametrize(("preset", "language"), each(4, CASES))
def test_pages_of_a_projector_with_nothing_small_and_nothing_off_the_page(preset, language):
    trace, exact = traces(preset, language)
    document = pdf(trace, exact, SheetOptions(language=language), "solution", SHEET)
    found = pypdfium2.PdfDocument(io.BytesIO(document))
    assert len(found) == PAGES
    for page in found:
        width, height = page.get_size()
        assert round(width / height, 2) == 1.78
        letters = page.get_textpage()
        sizes = {
            (chr(pdfium.FPDFText_GetUnicode(letters, k)),
             round(pdfium.FPDFText_GetFontSize(letters, k) * POINTS, 1))
            for k in range(letters.count_chars())
            if not pdfium.FPDFText_IsGenerated(letters, k)
        }  # fmt: skip
        assert min(size for _, size in sizes) >= 15
        assert {sign for sign, size in sizes if size < 20} <= set("0123456789,.−kxQKV")
    for picture in pictures(document, dpi=40):
        ink = (picture < 250).any(axis=2)
        edge = round(9 / 338 * picture.shape[1])
        assert not ink[:, :edge].any()
        assert not ink[:, -edge:].any()


@pytest.mark.parametrize(("preset", "language"), each(2, CASES[:2]))
def test_only_the_last_page_has_answers(preset, language):
    trace, exact = traces(preset, language)
    options = SheetOptions(language=language)
    blank, solution = (
        pictures(pdf(trace, exact, options, variant, SHEET), 60)
        for variant in ("blank", "solution")
    )
    same = [(a == b).all() for a, b in zip(blank, solution, strict=True)]
    assert same == [True] * (PAGES - 1) + [False]
    differs = (blank[-1] != solution[-1]).any(axis=2)
    assert (blank[-1][differs] > 250).all()
    assert_blend(solution[-1][differs].astype(float))
    blank_does_not_hang_on_answers(SHEET, trace, exact, options)
    cells_are_the_traces(SHEET, trace, exact, options)


def test_numbers_appear_step_by_step_and_stay():
    trace, exact = traces("paris", "de")
    pages = pages_of(html(trace, exact, SheetOptions(), blank=True, sheet=SHEET))
    shown = [{cell for cell, _, _ in Cells(page).found} for page in pages]
    boards = [{c for c in s if ".weight." not in c[0]} for s in shown[:-1]]
    assert [len(board) for board in boards] == [
        20,  # X
        20,  # the three matrices come below
        *(20, 24),  # + query, asked for first
        *(24, 44),  # + keys
        *(44, 52),  # + four scores, four scaled
        *(52, 61),  # + four powers, Σ, four shares
        *(61, 81),  # + values
        *(81, 85),  # + output
    ]
    assert all(earlier <= later for earlier, later in pairwise(boards))
    assert {(f"{AT}.weights", 4, j) for j in range(4)} <= shown[-1]


def test_a_question_page_has_a_place_for_each_number_of_the_next_page():
    trace, exact = traces("paris", "de")
    pages = pages_of(html(trace, exact, SheetOptions(), blank=True, sheet=SHEET))
    asked = [page.count('frame asked"') for page in pages]
    assert [k for k, count in enumerate(asked) if count] == list(QUESTIONS)
    assert [asked[k] for k in QUESTIONS] == [4, 20, 8, 9, 20, 4]
    assert [page.count('class="ask"') for page in pages[:-1]] == [bool(n) for n in asked[:-1]]
    answers = [html_page.count("<b>") for html_page in (pages[k + 1] for k in QUESTIONS)]
    assert all(answers)


def test_the_table_of_the_last_page_is_sorted():
    trace, exact = traces("paris", "de")
    last = pages_of(html(trace, exact, SheetOptions(), blank=True, sheet=SHEET))[-1]
    rows = re.findall(r'class="who">([^<]+)</span><span class="score">([^<]+)<', last)
    assert rows == [("Hauptstadt", "2,5"), ("ist", "2,0"), ("Paris", "1,5"), ("die", "1,5")]


def test_the_numbers_of_the_source():
    trace, exact = traces("paris", "en")
    options = SheetOptions(language="en")
    page = pages_of(html(trace, exact, options, blank=True, sheet=SHEET))[-2]
    shown = {cell: value for cell, _, value in Cells(page).found}
    assert [shown[f"{AT}.query", 4, c] for c in range(4)] == ["1", "2", "1", "0"]
    assert [shown[f"{AT}.scores", 4, j] for j in range(4)] == ["1.5", "2.0", "1.5", "2.5"]
    assert [shown[f"{AT}.exp", 4, j] for j in range(4)] == ["2.117", "2.718", "2.117", "3.490"]
    assert [shown[f"{AT}.weights", 4, j] for j in range(4)] == ["0.203", "0.260", "0.203", "0.334"]
    output = [shown[f"{AT}.output", 4, c] for c in range(4)]
    assert output == ["0.304", "0.529", "0.603", "0.399"]


def test_long_words_and_signs_cost_no_page():
    for sentence in ("Die Straßenbahnhaltestelle <b", "Katze Katze Katze"):
        trace, exact = traces("katze", "de", sentence)
        assert len(pictures(pdf(trace, exact, SheetOptions(), "blank", SHEET), 20)) == PAGES


def test_a_browser_gives_the_slides_their_own_width():
    trace, exact = traces("katze", "de")
    document = render(SHEET, trace, exact, SheetOptions(), kind="html", variant="blank").decode()
    assert "body:has(.projector) { max-width: 314mm; }" in document
