"""What each row of `contracts.toml` promises, and what holds of the words of every sheet.

What is particular to a sheet (numbers of its source, slips by hand) stands in its own tests.
"""

import re
import tomllib
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from string import Template
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from generator.locales.catalogue import load
from generator.presets.load import shipped
from generator.render.worksheet.worksheet import planned, unfit
from generator.sheets.options import SheetOptions
from generator.sheets.plan import LEVELS
from generator.sheets.series import SERIES, SHEETS
from tests.support import battery
from tests.support.filled import filling
from tests.support.sheets import both, html, pdf, pictures, traces
from tests.support.structure import stays_within
from tests.support.words import no_german_word, refused


class Page(NamedTuple):
    """A sheet of a preset, language and level, with the pages of its blank."""

    preset: str
    language: str
    level: int
    pages: int
    sentence: str = ""
    teacher: int = 1  # pages that only the solution has

    def given(self):
        options = SheetOptions(language=self.language, level=self.level)
        return *traces(self.preset, self.language, said(self.sentence)), options


TABLE = tomllib.loads(Path(__file__).with_name("contracts.toml").read_text(encoding="utf-8"))
SENTENCES = TABLE.pop("sentences")
USUAL = TABLE.pop("usual")
CONTRACTS = {sheet: SimpleNamespace(**USUAL | row) for sheet, row in TABLE.items()}


def said(sentence: str) -> str | None:
    """A sentence of the table; None for the preset's own."""
    long = Template(sentence).substitute(SENTENCES)
    return Template(long).substitute(SENTENCES) or None


PAGES = [
    pytest.param(sheet, Page(*page), marks=() if k == 0 else pytest.mark.ci, id=f"{sheet}-{k}")
    for sheet, row in CONTRACTS.items()
    for k, page in enumerate(row.pages)
]
ALONE = PAGES[1::2]  # whose pages are counted on the blank alone
EFFORTS = [
    (sheet, preset, efforts)
    for sheet, row in CONTRACTS.items()
    for presets, efforts in row.efforts.items()
    for preset in presets.split()
]
REFUSALS = [
    (sheet, preset, sentence, parts)
    for sheet, row in CONTRACTS.items()
    for preset, sentence, *parts in row.refuses
]
ALIKE = ("1", "3", "4a", "4b", "5")  # of which the information does not name the own token
FILLED = [sheet for sheet in SHEETS if SERIES[sheet].kind.filled]
AVOIDED = {  # in words of the sheets, but in those that mean something else by it
    "de": {"Punkte": "", "Residuum": "", "versteckt": "", "×": "", "/": "", "÷": "",
           "Aufmerksamkeits-Gewicht": "", "Wert ": ""},
    "en": {"points": "", "hidden word": "", "·": "4b 7c"},
}  # fmt: skip
DOT = re.compile(r"[\d)}] ?·|· ?[\d({]")  # in English numbers have a cross; vectors have the dot


def test_each_sheet_of_the_series_has_a_row():
    assert CONTRACTS.keys() == set(SHEETS)


@pytest.mark.parametrize(("sheet", "page"), [pytest.param(*one.values, id=one.id) for one in PAGES])
def test_cells_are_the_traces_and_none_leaks(sheet, page):
    given = (sheet, *page.given())
    battery.cells_are_the_traces(*given, least=CONTRACTS[sheet].least)
    if SERIES[sheet].kind.filled:
        battery.blank_does_not_hang_on_answers(*given)
        assert 0 < battery.boxes(*given) <= battery.most_boxes(sheet, page.level)


@pytest.mark.ci
@pytest.mark.parametrize("preset", shipped())
def test_no_blank_of_any_preset_and_level_hangs_on_what_it_asks(preset):
    given, looked = traces(preset, "de"), 0
    for sheet, level in product(FILLED, LEVELS):
        options = SheetOptions(level=level)
        if SERIES[sheet].kind.together or unfit(sheet, given[0], options):
            continue  # what groups learn together: see test_together
        battery.blank_does_not_hang_on_answers(sheet, *given, options)
        looked += 1
    assert looked


@pytest.mark.ci
@pytest.mark.parametrize(("sheet", "page"), [pytest.param(*one.values, id=one.id) for one in ALONE])
def test_a_blank_has_so_many_pages(sheet, page):
    assert stays_within(pdf(*page.given(), "blank", sheet)) == page.pages


@pytest.mark.parametrize(
    ("sheet", "page"),
    [
        pytest.param(
            *one.values,
            id=one.id,
            marks=pytest.mark.whole if one in ALONE and one.marks else one.marks,
        )
        for one in PAGES
    ],
)
def test_a_blank_is_its_solution_without_answers_and_has_so_many_pages(sheet, page):
    given, row = page.given(), CONTRACTS[sheet]
    documents = both(*given, sheet)
    if row.efforts:
        battery.blank_is_solution_without_answers(sheet, *given, least=100, teacher=page.teacher)
    else:  # nothing is asked
        shots = [pictures(document, 40) for document in documents]
        assert all((a == b).all() for a, b in zip(*shots, strict=False))
    blank, solution = map(stays_within, documents)
    assert (blank, solution) == (page.pages, page.pages + page.teacher)
    if row.info:
        info = pdf(*given[:2], replace(given[2], part="info"), "blank", sheet)
        assert stays_within(info) == row.info


@pytest.mark.parametrize(("sheet", "preset", "efforts"), EFFORTS)
def test_as_many_boxes_and_minutes_as_declared_and_a_budget_takes_the_largest_level(
    sheet, preset, efforts
):
    trace, exact = traces(preset, "de")
    for level, (count, computing, minutes) in enumerate(efforts, 1):
        options = SheetOptions(level=level)
        assert battery.boxes(sheet, trace, exact, options) == count
        assert count <= battery.most_boxes(sheet, level)
        plan = planned(sheet, trace, options)
        assert (plan.minutes, plan.in_all) == (computing, minutes)
        largest = max(k for k in LEVELS if efforts[k - 1][2] <= minutes)
        within = planned(sheet, trace, SheetOptions(budget=minutes))
        assert within.bare == planned(sheet, trace, SheetOptions(level=largest)).bare
    least = min(minutes for *_, minutes in efforts)
    with refused(f"at least {least} minutes"):
        planned(sheet, trace, SheetOptions(budget=least - 1))


@pytest.mark.parametrize("preset", shipped())
def test_a_mark_means_something_and_a_sheet_without_one_is_the_same_at_every_level(preset):
    given = traces(preset, "de")

    def tasks(sheet: str, level: int) -> tuple[object, ...]:
        options = SheetOptions(level=level, part="work")
        page = html(*given, options, blank=True, sheet=sheet).partition("<body")[2]
        if SERIES[sheet].kind.alike:
            assert not re.search("[●▲■] ≈", page)
            return (page,)
        return page.count("gap"), *re.findall(r'class="task".*?</p>', page, re.DOTALL)

    for sheet in SHEETS:
        levels = [one for one in LEVELS if not unfit(sheet, given[0], SheetOptions(level=one))]
        asked = {k: planned(sheet, given[0], SheetOptions(level=k)).asked for k in levels}
        for one, other in combinations(levels, 2):
            same = asked[one] == asked[other] and tasks(sheet, one) == tasks(sheet, other)
            assert same == SERIES[sheet].kind.alike, (sheet, one, other)


@pytest.mark.parametrize(("sheet", "preset", "sentence", "parts"), REFUSALS)
def test_what_a_sheet_cannot_take_is_said(sheet, preset, sentence, parts):
    trace, _ = traces(preset, "de", said(sentence))
    with refused(*parts):
        planned(sheet, trace, SheetOptions())


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_information_is_the_same_at_every_level_and_for_the_whole_class(sheet):
    trace, exact = traces(filling(sheet), "de")
    tokens = (trace.exercise, trace.exercise + 1) if sheet in ALIKE else (trace.exercise,)
    leaves = {
        html(replace(trace, exercise=own), exact, options, blank=True, sheet=sheet)
        for options in (SheetOptions(level=level, part="info") for level in LEVELS)
        for own in tokens
    }
    assert len(leaves) == 1


@pytest.mark.parametrize("sheet", FILLED)
def test_each_part_stands_alone_and_the_story_may_be_left_out(sheet):
    given = traces(filling(sheet), "de")
    info, work, told = (
        html(*given, SheetOptions(part=part, story=story), blank=True, sheet=sheet)
        for part, story in (("info", False), ("work", False), ("work", True))
    )
    assert ("Infoteil" in info, "Infoteil" in work) == (True, False)
    assert "Arbeitsteil" in work
    assert sheet == "7a" or "Arbeitsteil" not in info  # it says where its numbers are needed
    assert "Erlebnispark" not in info + work
    assert sheet in ("7a", "bpe") or "Erlebnispark" in told  # there on the information


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sentence_of_signs_is_text(sheet):
    """Tokens of HTML and of Jinja are printed as they stand."""
    trace, exact = traces(filling(sheet), "de")
    if "vocabulary.words" in trace and sheet != "8":
        trace, exact = traces("random", "de", "<b> {{ x" if sheet == "slides" else said("$signs"))
    shown = html(trace, exact, SheetOptions(), blank=True, sheet=sheet)
    assert "<b> {{" not in shown
    assert "49 }}" not in shown


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_german_word_on_an_english_sheet(sheet):
    options = SheetOptions(language="en", level=3)
    shown = html(*traces(filling(sheet), "en"), options, blank=False, sheet=sheet)
    words = re.sub("<[^>]*>", " ", shown.partition("</head>")[2])
    no_german_word(words, 80, {"min", "bpe", "katze", "trained", "er"}, letters=2)


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_tasks_and_stories_are_short_and_some_words_and_signs_are_avoided(sheet, language):
    starts = (f"sheet{sheet}.", f"spoken.{sheet}.")
    own = {key: one for key, one in load(language).phrases.items() if key.startswith(starts)}
    assert len(own) >= 4
    for key, phrase in own.items():
        if ".story." in key or ".task." in key:
            long = 60 if re.search(r"\.story\.(open|close)", key) else 20  # a line beside a sign
            most = long if ".story." in key else CONTRACTS[sheet].task
            assert len(phrase.split()) <= most, key
        for word, meant in AVOIDED[language].items():
            assert word not in phrase or sheet in meant.split(), (key, word)
        assert language == "de" or not DOT.search(phrase), key
        assert sheet == "math" or not re.search(r"\d, \d", phrase), key
