"""Sheet slides: a question before each answer, one thought a page, large type, clear limits."""

import io
import re
from collections import Counter

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from tests.support.at_hand import made_of
from tests.support.covering import each
from tests.support.sheets import Cells, paper, pictures, traces
from tests.support.views import render

AT = "block1.head1"
CASES = [("paris", "de"), ("katze", "en"), ("brille", "de"), ("random", "de")]
POINTS = 0.75  # of a CSS pixel
PAGES = 21  # the opening, eleven steps, of which eight are asked for first, and the stop
QUESTIONS = (2, 4, 6, 8, 10, 12, 15, 17)  # from 0, of the pages of steps
BOARDS = (0, *range(2, 14), 15, 16)  # pages that grow a board


def pages_of(language="de"):
    """The pages of steps of the source's slides, in HTML."""
    blank = paper("slides", "paris", language).blank
    return re.findall(r'(?s)<section class="leaf projector(?: asks)?">.*?</section>', blank)


@pytest.mark.ci
@pytest.mark.parametrize(("preset", "language"), each(4, CASES))
def test_pages_of_a_projector_with_nothing_small_and_nothing_off_the_page(preset, language):
    document = paper("slides", preset, language).pdf()
    for page in pypdfium2.PdfDocument(io.BytesIO(document)):
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
    shots = pictures(document, dpi=40)
    assert len(shots) == PAGES
    for picture in shots:
        ink = (picture < 250).any(axis=2)
        edge = round(9 / 338 * picture.shape[1])
        assert not ink[:, :edge].any()
        assert not ink[:, -edge:].any()


def boards():
    """The cells of each page's board, without those of the matrices below it."""
    shown = [{cell for cell, _, _ in Cells(page).found} for page in pages_of()]
    return shown, [{cell for cell in cells if ".weight." not in cell[0]} for cells in shown]


def test_numbers_appear_step_by_step_and_each_page_has_what_its_step_needs():
    """One thought a page: what it makes, and all that this is made from."""
    shown, found = boards()
    # X; the three matrices, with a page of their own; asked for first: query, keys; with these two
    # four scores and scaled ones; from these four powers, Σ and four shares; from X values; with
    # shares the output; the own row from its query and the keys; all shares
    counts = [20, 0, 20, 24, 20, 40, 24, 32, 4, 13, 20, 40, 24, 28, 0, 24, 37, 10, 10]
    assert [len(one) for one in found] == counts
    trace, _ = traces("paris", "de")
    for k in QUESTIONS[:-1]:
        assert found[k] < found[k + 1]
        new = found[k + 1] - found[k]
        from_them = {one for cell in new for one in made_of(trace, *cell)}
        # A score that no mask hides is the scaled one.
        needed = {(name.replace("masked", "scaled"), i, j) for name, i, j in from_them}
        assert len(needed) >= 8
        assert {one for one in needed - shown[k + 1] if one[0] != "scale"} == set(), k
    assert {(f"{AT}.weights", 3, j) for j in range(3)} <= found[16] & found[17]


@pytest.mark.parametrize(("preset", "language"), CASES)
def test_the_board_is_as_large_as_its_page_takes(preset, language):
    """Larger than 20 pt on each page, at least half as large again where it stands alone."""
    blank = paper("slides", preset, language).blank
    found = re.findall(r'class="board" style="width: ([\d.]+)mm; font-size: ([\d.]+)pt', blank)
    assert len(found) == len(BOARDS)
    assert all(float(width) <= 314 for width, _ in found)
    sizes = [float(size) for _, size in found]
    assert min(sizes) >= 20
    alone = [sizes[BOARDS.index(k)] for k in (0, 2, 3, 4, 8, 9, 12, 13)]
    assert min(alone) >= 24
    assert max(alone) >= 30


def test_a_question_page_has_a_place_for_each_number_of_the_next_page():
    pages = pages_of()
    asked = [page.count('frame asked"') for page in pages]
    assert {k: count for k, count in enumerate(asked) if count} == dict(
        zip(QUESTIONS, (4, 20, 8, 9, 20, 4, 13), strict=False)
    )
    assert [page.count('class="ask"') for page in pages] == [bool(n) for n in asked]
    assert all(pages[k + 1].count("<b>") for k in QUESTIONS)


@pytest.mark.parametrize(("preset", "language"), CASES)
def test_of_all_rows_the_next_page_frames_the_largest_share_and_counts_them(preset, language):
    """Equal ones are framed both; a row of equals has no frame, and counts for nobody."""
    pages = re.findall(r"(?s)<section.*?</section>", paper("slides", preset, language).blank)
    framed = [
        [int(j) for j in re.findall(r'class="new frame" data-cell="[^"|]*\|\d+\|(\d+)"', row)]
        for row in re.findall(r"(?s)<tr.*?</tr>", pages[-1])
    ]
    assert "new frame" not in pages[-2]
    (said,) = re.findall(r'(?s)class="finding">(.*?)</p>', pages[-1])
    counted = Counter(j for row in framed for j in row)
    most = max(counted.values())
    trace, _ = traces(preset, language)
    assert f"{most} " in said
    quoted = [trace.tokens[j] for j, count in sorted(counted.items()) if count == most]
    assert re.findall("[„“]([^„“”]+)[“”]", said) == quoted


@pytest.mark.parametrize(("preset", "language"), CASES)
def test_the_slides_open_with_the_sentence_and_stop_before_the_worksheet_is_solved(
    preset, language
):
    one = paper("slides", preset, language)
    pages = re.findall(r"(?s)<section.*?</section>", one.blank)
    opening = [k for k, page in enumerate(pages) if "projector opening" in page]
    assert opening == [0, 16]
    assert one.trace.sentence in pages[0]
    assert one.view.own in pages[16]
    own = re.compile(rf'data-cell="[^"|]*weights\|{one.plan.own}\|')
    assert not any(own.search(page) for page in pages[:17])
    assert own.search(pages[18])


def test_a_page_of_its_own_has_the_shares_sorted():
    rows = re.findall(r'class="who">([^<]+)</span><span class="score">([^<]+)<', pages_of()[14])
    assert rows == [("Hauptstadt", "2,5"), ("ist", "2,0"), ("Paris", "1,5"), ("die", "1,5")]


def test_the_numbers_of_the_source():
    pages = pages_of("en")[:14]
    shown = {cell: value for page in pages for cell, _, value in Cells(page).found}
    source = {
        "query": "1 2 1 0",
        "scores": "1.5 2.0 1.5 2.5",
        "exp": "2.117 2.718 2.117 3.490",
        "weights": "0.203 0.260 0.203 0.334",
        "output": "0.304 0.529 0.603 0.399",
    }
    for name, numbers in source.items():
        assert " ".join(shown[f"{AT}.{name}", 4, k] for k in range(4)) == numbers


def test_a_browser_gives_the_slides_their_own_width():
    document = render(*paper("slides").given, kind="html", variant="blank").decode()
    assert "body:has(.projector) { max-width: 314mm; }" in document
