"""Sheet slides: nine pages 16:9, numbers that stay, type of 20 pt and more, clear limits."""

import io
import re
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from generator.render.worksheet.worksheet import render
from generator.sheets.options import SheetOptions
from generator.sheets.sheetslides import plan as sheetslides
from tests.support.battery import (
    assert_blend,
    blank_does_not_hang_on_answers,
    boxes,
    cells_are_the_traces,
)
from tests.support.covering import each
from tests.support.sheets import Cells, html, pdf, pictures, traces
from tests.support.words import refused

SHEET = "slides"
AT = "block1.head1"
CASES = [("paris", "de"), ("katze", "en"), ("brille", "de"), ("random", "de")]
POINTS = 0.75  # of a CSS pixel


def pages_of(document):
    return re.findall(r'(?s)<section class="leaf projector">.*?</section>', document)


@pytest.mark.parametrize(("preset", "language"), each(4, CASES))
def test_nine_pages_of_a_projector_with_nothing_small_and_nothing_off_the_page(preset, language):
    trace, exact = traces(preset, language)
    document = pdf(trace, exact, SheetOptions(language=language), "solution", SHEET)
    found = pypdfium2.PdfDocument(io.BytesIO(document))
    assert len(found) == 9
    for page in found:
        width, height = page.get_size()
        assert round(width / height, 2) == 1.78
        letters = page.get_textpage()
        sizes = {
            round(pdfium.FPDFText_GetFontSize(letters, k) * POINTS, 1)
            for k in range(letters.count_chars())
            if not pdfium.FPDFText_IsGenerated(letters, k)
        }
        assert min(sizes) >= 20, sizes
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
    assert same == [True] * 8 + [False]
    differs = (blank[8] != solution[8]).any(axis=2)
    assert (blank[8][differs] > 250).all()
    assert_blend(solution[8][differs].astype(float))
    blank_does_not_hang_on_answers(SHEET, trace, exact, options)
    cells_are_the_traces(SHEET, trace, exact, options)


def test_numbers_appear_step_by_step_and_stay():
    trace, exact = traces("paris", "de")
    pages = pages_of(html(trace, exact, SheetOptions(), blank=True, sheet=SHEET))
    shown = [{cell for cell, _, _ in Cells(page).found} for page in pages]
    assert [len({c for c in s if ".weight." not in c[0]}) for s in shown[:8]] == [
        20,  # X
        20,  # the three matrices come below
        24,  # + query
        44,  # + keys
        52,  # + four scores, four scaled
        61,  # + four powers, Σ, four shares
        81,  # + values
        85,  # + output
    ]
    boards = [{c for c in s if ".weight." not in c[0]} for s in shown[:8]]
    assert all(earlier <= later for earlier, later in pairwise(boards))
    assert {(f"{AT}.weights", 4, j) for j in range(4)} <= shown[8]


def test_the_numbers_of_the_source():
    trace, exact = traces("paris", "en")
    options = SheetOptions(language="en")
    page = pages_of(html(trace, exact, options, blank=True, sheet=SHEET))[7]
    shown = {cell: value for cell, _, value in Cells(page).found}
    assert [shown[f"{AT}.query", 4, c] for c in range(4)] == ["1", "2", "1", "0"]
    assert [shown[f"{AT}.scores", 4, j] for j in range(4)] == ["1.5", "2.0", "1.5", "2.5"]
    assert [shown[f"{AT}.exp", 4, j] for j in range(4)] == ["2.117", "2.718", "2.117", "3.490"]
    assert [shown[f"{AT}.weights", 4, j] for j in range(4)] == ["0.203", "0.260", "0.203", "0.334"]
    output = [shown[f"{AT}.output", 4, c] for c in range(4)]
    assert output == ["0.304", "0.529", "0.603", "0.399"]


def test_asked_are_the_own_shares_at_every_level():
    trace, exact = traces("paris", "de")
    for level in (1, 2, 3):
        assert boxes(SHEET, trace, exact, SheetOptions(level=level)) == 3
        assert sheetslides.plan(trace, level).minutes <= 8


@pytest.mark.parametrize(
    ("preset", "sentence", "parts"),
    [
        ("ausgabe", None, ("no attention", "'paris'")),
        ("katze", "a b c d e f g", ("7 tokens", "at most 6")),
        ("katze", "Hallo", ("1 tokens", "longer sentence")),
        (
            "katze",
            "Der Donaudampfschifffahrtsgesellschaftskapitän isst im Hafen Kuchen",
            ("9 lines", "room for 7", "Donau"),
        ),
    ],
)
def test_what_the_slides_cannot_take_is_said(preset, sentence, parts):
    trace, _ = traces(preset, "de", sentence)
    with refused(*parts):
        sheetslides.plan(trace, 2)


def test_long_words_and_signs_keep_to_nine_pages():
    for sentence in ("Die Straßenbahnhaltestelle <b", "Katze Katze Katze"):
        trace, exact = traces("katze", "de", sentence)
        assert len(pictures(pdf(trace, exact, SheetOptions(), "blank", SHEET), 20)) == 9


def test_a_browser_gives_the_slides_their_own_width():
    trace, exact = traces("katze", "de")
    document = render(SHEET, trace, exact, SheetOptions(), kind="html", variant="blank").decode()
    assert "body:has(.projector) { max-width: 314mm; }" in document
