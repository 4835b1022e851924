"""The last task of sheet 6, where the word that really comes next is given."""

import pytest

import generator
from generator.locales.catalogue import load
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.sheet6 import plan as sheet6
from generator.sheets.sheet6.view import View6
from tests.support import battery
from tests.support.covering import each
from tests.support.recalculate import edit_cells, ironcalc_values
from tests.support.sheets import html, pdf, text
from tests.support.workbook import book, compare

WORDS = {"de": "Matte", "en": "mat"}


def traces(preset: str, language: str):
    options = {"preset": preset, "language": language, "edits": {"loss.target": WORDS[language]}}
    return generator.compute(**options), generator.compute(rounding="exact", **options)


def test_blank_equals_solution_outside_the_answers():
    battery.blank_is_solution_without_answers("6", *traces("katze", "de"), SheetOptions())


@pytest.mark.parametrize("level", [1, 2, 3])
def test_counts_cells_and_no_leak(level):
    trace, exact = traces("ausgabe", "en")
    options = SheetOptions(language="en", level=level)
    assert battery.boxes("6", trace, exact, options) == {1: 13, 2: 28, 3: 47}[level]
    assert sheet6.plan(trace, level).minutes == {1: 8, 2: 14, 3: 21}[level]
    battery.blank_does_not_hang_on_answers("6", trace, exact, options)
    battery.cells_are_the_traces("6", trace, exact, options)


@pytest.mark.parametrize(
    ("preset", "language", "level", "pages"),
    each(2, [("katze", "de", 2, 4), ("ausgabe", "en", 3, 5)]),
)
def test_it_takes_no_page_more(preset, language, level, pages):
    options = SheetOptions(language=language, level=level)
    document = pdf(*traces(preset, language), options, "blank", "6")
    assert battery.stays_on_the_page(document) == pages
    assert WORDS[language] in text(document)


def test_the_numbers_and_the_slips_by_hand():
    trace, exact = traces("katze", "de")
    document = html(trace, exact, SheetOptions(), blank=False, sheet="6")
    assert "In Wirklichkeit kommt „Matte“" in document
    for number in ("0,366", "1,005", "2,732"):
        assert number in document
    plan = sheet6.plan(trace, 2)
    whole = trace.with_steps(plan.extra)
    view = View6(plan, whole, exact, SheetOptions(), load("de"), Formulas(), False)
    wrong = {slip.key: round(slip.wrong, 3) for slip in view.slips() if "loss." in slip.step}
    assert wrong == {"decimal": 0.437, "per_cent": -3.600}  # −log₁₀ 0.366 and −ln 36.6


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_the_workbook_computes_it_live_from_the_word(rounding):
    options = {"preset": "katze", "rounding": rounding, "controls": True}
    made = book(generator.compute(edits={"loss.target": "Matte"}, **options), "de")
    assert compare(made, ironcalc_values(made.xlsx)) > 500
    typed = {"loss.target": "Katze", "temperature": 0.5}
    values = ironcalc_values(edit_cells(made.xlsx, made.typed(typed)))
    expected = generator.compute(edits=typed, **options)
    assert expected["loss.perplexity"].values != made.trace["loss.perplexity"].values
    compare(made, values, expected)
