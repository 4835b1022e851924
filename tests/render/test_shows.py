"""What there is to see in a model is told where teachers and pupils meet it, in their language."""

import io
import re
from itertools import product

import pytest
from openpyxl import load_workbook

from generator import compute
from generator.locales.catalogue import load
from generator.presets.load import load_preset, shipped
from generator.render.walk import pages
from generator.render.workbook.layout.start_layout import LONGEST_LINE
from generator.sheets.options import SheetOptions
from tests.support.covering import covering, each
from tests.support.sheets import html, pdf_of, text, traces
from tests.support.workbook import LANGUAGES, book

TELLING = [name for name in shipped() if load_preset(name).shows]
LABEL = {"de": "Zu sehen", "en": "What to look for"}
WALK = {"de": "Zu sehen: ", "en": "What to look for: "}


def words(document: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", document).split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TELLING)
def test_the_walk_begins_with_it(name, language):
    first, *others = pages(compute(preset=name, language=language), load(language))
    told = WALK[language] + load_preset(name).shows[language]
    assert told in first.notes
    assert not any(told in page.notes for page in others)


@pytest.mark.parametrize(("name", "language"), covering(TELLING, LANGUAGES))
def test_the_start_tab_says_it_in_lines_that_fit(name, language):
    made = book(compute(preset=name, language=language, controls=True), language)
    start = load_workbook(io.BytesIO(made.xlsx)).worksheets[0]
    found = [(start.cell(row, 1).value, start.cell(row, 3).value) for row in range(4, 40)]
    (first,) = [k for k, (label, _) in enumerate(found) if label == LABEL[language]]
    said = [found[first][1]]
    said += [line for label, line in found[first + 1 : first + 3] if label is None and line]
    assert " ".join(said) == load_preset(name).shows[language]
    assert all(len(line) <= LONGEST_LINE for line in said)


@pytest.mark.parametrize("language", ["de", "en"])
def test_it_does_not_say_what_comes_after_the_sentence_of_the_default_series(language):
    """Sheet 6 asks for that, and it is printed on 4a."""
    asked = compute(preset="katze-trained", language=language).sentence
    assert asked not in load_preset("katze-trained").shows[language]


def test_a_preset_that_says_nothing_has_no_such_line():
    trace = compute(preset="katze", controls=True)
    start = load_workbook(io.BytesIO(book(trace, "de").xlsx)).worksheets[0]
    assert LABEL["de"] not in {start.cell(row, 1).value for row in range(1, 20)}
    assert not any(WALK["de"] in note for page in pages(trace, load("de")) for note in page.notes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_teacher_page_says_it(name, sheet, language):
    trace, exact = traces(name, language)
    said = load_preset(name).shows[language]
    options = SheetOptions(language=language)
    solution = html(trace, exact, options, blank=False, sheet=sheet)
    page = solution.partition('class="leaf teacher"')[2]
    assert said in words(page).replace("&#39;", "'")
    silent, plain = traces("katze", language)
    page = html(silent, plain, options, blank=False, sheet=sheet).partition("leaf teacher")[2]
    assert load(language).t("sheet.shows") not in page


LONG = ("1", "2", "3", "slide", "4a", "4b", "5", "6", "generate", "7a", "7b", "7c", "8", "code")


@pytest.mark.parametrize(
    ("language", "sheet", "minutes"),
    [
        *each(5, list(product(LANGUAGES, ("4a", "4b", "6", "slide"), (45,)))),
        *each(5, list(product(LANGUAGES, LONG, (60,)))),  # with what goes further
    ],
)
def test_the_fullest_teacher_page_stays_one_page(language, sheet, minutes):
    made = pdf_of(sheet, "katze-trained", language, variant="solution", level=3, lesson=minutes)
    ends = {"de": "Für die Lehrkraft", "en": "For the teacher"}[language]
    assert text(made).count(ends) == 2  # above the page and below it
