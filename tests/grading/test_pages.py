"""The pages of results: what to teach again comes first, codes speak, right numbers are kept."""

import re
from dataclasses import replace
from html import unescape

import pytest

from generator.grading.marking.marks import ClassMarks
from generator.grading.marking.rule import BoxMark
from generator.grading.marking.scheme import How
from generator.grading.reading.entries import Stray
from generator.grading.reading.raw import Reason
from generator.grading.results.pages import (
    ClassPage,
    Feedback,
    Field,
    PageMaker,
    StepColumn,
    commonest,
    kind,
    to_teach,
)
from generator.grading.results.tables import ResultWords
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.sheets.options import SheetOptions
from tests.classroom.test_check import page_texts
from tests.grading.papers import question, right
from tests.grading.test_grade import SCALED, SCORES, class_of, paper, unscaled
from tests.support.covering import each

SECTIONS = {"4a": {"scaled": "2 · Example", "scores": "2 · Example"}}
MISWRITTEN = {(SCORES, 2, 0): "77,0 😀"}


def some() -> ClassMarks:
    found = class_of(paper(unscaled()), paper(unscaled() | MISWRITTEN), paper())
    return ClassMarks(
        found.pupils, (Stray("😀 b.jpg", Reason("", {"text": "a 🖼"})),), found.scheme, found.sheets
    )


def maker(language: str) -> PageMaker:
    words = ResultWords(language)
    return PageMaker(SheetOptions(language=language), words, {language: SECTIONS})


def page(language: str) -> ClassPage:
    return ClassPage(some(), maker(language))


def test_slips_as_common_as_each_other_keep_their_order() -> None:
    slips = [f"slip{k}" for k in (7, 3, 9, 1, 8, 2, 6, 4, 5, 0)]
    mark = BoxMark((SCORES, 0, 0), 1.0, 1.0, 2.0, 2.0, How.WRONG)
    field = Field(tuple(replace(mark, causes=(slip,)) for slip in (*slips, *slips)))
    column = StepColumn("4a", "Scores", "", (field, field))
    assert [(key, count) for _, key, count in commonest([column])] == [(key, 2) for key in slips]


def test_what_most_lost_is_to_be_taught_again_with_its_slip_and_section() -> None:
    columns = page("en").columns
    first, second = to_teach(columns)
    assert (first.title, first.kind) == (load("en").step(SCALED), "scaled")
    assert (first.lost, first.handed_in) == (2, 3)
    assert first.causes == {"not_divided": 2}
    assert (second.title, second.lost) == (load("en").step(SCORES), 1)
    column, key, count = commonest(columns)[0]
    assert (column, key, count) == (first, "not_divided", 2)


@pytest.mark.parametrize("language", each(2, languages()))
def test_the_class_page_says_it_in_words_and_names_what_was_not_marked(language: str) -> None:
    _, (_, html) = page(language).files()
    text = unescape(re.sub("<[^>]+>", " ", html.decode().partition("<body")[2]))
    t = load(language).t
    said = [t("grading.class.again"), t("grading.cause.not_divided"), "? b.jpg", "CODE0", "ABSENT"]
    said.append("2 · Example")
    assert all(one in text for one in said)
    assert text.index(t("grading.class.again")) < text.index(t("grading.class.map"))


@pytest.mark.ci
@pytest.mark.parametrize("language", languages())
def test_pages_are_the_same_bytes_twice(language: str) -> None:
    assert page(language).files() == page(language).files()


@pytest.mark.parametrize("show", each(2, (False, True)))
def test_right_numbers_stand_on_the_feedback_only_where_they_are_wanted(show: bool) -> None:
    ((_, made),) = Feedback(some().pupils[1:2], maker("de"), show).files()
    found = "\n".join(page_texts(made))
    expected = f"{right(question('4a'))[SCORES, 2, 0]:.2f}".replace(".", ",").replace("-", "−")
    assert load("de").t("grading.feedback.first") in found
    assert "77" in found
    assert load("de").t("grading.feedback.unread") in " ".join(found.split())
    assert (expected in found) is show
    assert "K-1" not in found


def test_steps_of_the_output_are_explained_where_the_output_is() -> None:
    assert kind("block1.head1.sum") == "sum"
    assert kind("step2.output.sum") == kind("output.sum") == "output.sum"
    assert kind("norm1.token3.squares") == "squares"
    assert kind("block1.deviation2") == "deviation"
