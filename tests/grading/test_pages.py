"""The pages of results: what to teach again comes first, codes speak, right numbers are kept."""

import re
from dataclasses import replace
from html import unescape

import pytest

from generator.grading.grade import glance
from generator.grading.marking.marks import ClassMarks, Marks, PupilMarks, task_marks
from generator.grading.marking.practice import practice
from generator.grading.marking.rule import BoxMark, Paper
from generator.grading.marking.scheme import How
from generator.grading.reading.entries import Source, Stray
from generator.grading.reading.raw import Reason
from generator.grading.results.pages import (
    ClassPage,
    Feedback,
    Field,
    PageMaker,
    SheetPart,
    StepColumn,
    _headings,
    commonest,
    kind,
    to_teach,
)
from generator.grading.results.tables import ResultWords
from generator.locales.catalogue import load
from generator.locales.folders import languages
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from tests.classroom.test_check import page_texts
from tests.grading.papers import FILLED, question, right, slipped
from tests.grading.test_grade import SCALED, SCORES, class_of, paper, unscaled
from tests.grading.test_rule import on_a_calculator
from tests.support.covering import each
from tests.support.filled import filling
from tests.support.sheets import traces

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


@pytest.mark.ci
def test_the_section_that_is_named_explains_the_step():
    """The last heading of the info leaf is about something else than the work leaf's boxes."""
    trace, exact = traces(filling("6"), "de")
    found = _headings(PrintedSheet("6", trace, exact, SheetOptions(part="both")))
    assert found["output.exp"].startswith("1 ·") or found["output.exp"].startswith("2 ·")
    assert "tick" not in found, "what no section shows is said to be of the sheet"
    assert not any("KV" in heading for heading in found.values())


def test_the_class_at_a_glance_names_who_has_least_and_what_to_teach_again() -> None:
    came, mean, least, again = glance(page("en"))
    assert (came[:6], mean[:10]) == ("3 of 4", "on average")
    assert least.count("CODE") == 2
    assert again.endswith(f"{load('en').step(SCALED)}, {load('en').step(SCORES)}")
    assert len(glance(ClassPage(class_of(paper({})), maker("en")))) == 2  # all is right


def test_a_step_left_blank_is_to_be_taught_only_where_nothing_else_went_wrong() -> None:
    lost = BoxMark((SCORES, 0, 0), 1.0, 1.0, 2.0, 2.0, How.WRONG)
    wrong, blank = (
        StepColumn("4a", how.name, "", (Field((replace(lost, how=how, credit=0.0),)),) * 2)
        for how in (How.WRONG, How.BLANK)
    )
    assert to_teach([blank, wrong]) == [wrong]
    assert to_teach([blank]) == [blank]
    one_of_each = StepColumn("4a", "Scores", "", (wrong.fields[0], blank.fields[0]))
    assert (one_of_each.wrong, one_of_each.blank, one_of_each.lost) == (1, 1, 2)
    assert (wrong.wrong, blank.wrong) == (2, 0)


def test_who_left_all_blank_is_told_apart_from_who_was_wrong() -> None:
    both = class_of(paper(unscaled()), paper(dict.fromkeys(unscaled(), "")))
    html = unescape(ClassPage(both, maker("de")).files()[1][1].decode())
    first = re.search('<td class="many">.*?</tr>', html, re.S)[0]
    assert "<b>1</b> von 2" in first
    assert "1-mal leer gelassen" in first
    assert ">Code</th>" in html
    assert ">Name</th>" not in html
    named = replace(both, pupils=tuple(replace(one, name="Mia") for one in both.pupils))
    html = ClassPage(named, maker("de")).files()[1][1].decode()
    assert ">Name</th>" in html
    assert ">Code</th>" not in html


def test_what_was_only_not_rounded_is_told_once_and_not_taught_again() -> None:
    found = class_of(paper(on_a_calculator(1.41)))
    made = ClassPage(found, maker("en"))
    assert to_teach(made.columns) == commonest(made.columns) == []
    looks = unescape(made.files()[1][1].decode())
    assert looks.count("carried on without rounding, otherwise right") == 1
    ((_, feedback),) = Feedback(found.pupils[:1], maker("en"), False).files()
    text = " ".join("\n".join(page_texts(feedback)).split())
    assert "Taschenrechners weitergerechnet. Runde jede Zahl wie auf dem Blatt" in text
    assert load("en").t("grading.feedback.first") not in text


@pytest.mark.parametrize("language", each(2, languages()))
def test_the_class_page_says_it_in_words_and_names_what_was_not_marked(language: str) -> None:
    _, (_, html) = page(language).files()
    text = unescape(re.sub("<[^>]+>", " ", html.decode().partition("<body")[2]))
    t = load(language).t
    said = [t("grading.class.again"), t("grading.cause.not_divided"), "? b.jpg", "CODE0", "ABSENT"]
    said += ["2 · Example", t("grading.class.unread"), "77,0 ?"]
    assert all(one in text for one in said)
    assert not re.search(r"\w\.toml|block1|\[\d,\d\]", text)  # what a program calls them
    assert text.index(t("grading.class.again")) < text.index(t("grading.class.map"))


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("-1,55", "−1,55"), ("- 1,55 ?", "− 1,55 ?"), ("00-67", "00-67"), ("a-1", "a-1")],
)
def test_a_number_that_was_typed_with_a_hyphen_is_printed_with_a_minus(typed, shown) -> None:
    (pupil,) = class_of(paper(unscaled() | {(SCORES, 2, 0): typed + "!"})).handed_in
    (found,) = pupil.tasks
    part = SheetPart(found, maker("de"), False)
    told = [part.answer(mark)["typed"] for mark in found.marks if mark.cell == (SCORES, 2, 0)]
    assert told == [shown + "!"]


@pytest.mark.parametrize("show", each(2, (False, True)))
def test_right_numbers_stand_on_the_feedback_only_where_they_are_wanted(show: bool) -> None:
    ((_, made),) = Feedback(some().pupils[1:2], maker("de"), show).files()
    found = "\n".join(page_texts(made))
    expected = f"{right(question('4a'))[SCORES, 2, 0]:.2f}".replace(".", ",").replace("-", "−")
    assert load("de").t("grading.feedback.first") in found
    assert "77" in found
    assert load("de").t("grading.feedback.work") in found
    assert load("de").t("grading.feedback.unread") in " ".join(found.split())
    assert (expected in found) is show
    assert "K-1" not in found


def test_steps_of_the_output_are_explained_where_the_output_is() -> None:
    assert kind("block1.head1.sum") == "sum"
    assert kind("step2.output.sum") == kind("output.sum") == "output.sum"
    assert kind("norm1.token3.squares") == "squares"
    assert kind("block1.deviation2") == "deviation"


def test_the_calculation_to_do_again_has_the_own_numbers_and_another_one_its_result() -> None:
    asked = question("4a")
    scaled = (SCALED, 2, 3)
    first = {(SCORES, 2, k): float(asked.boxes[SCORES, 2, k].right) for k in range(6)}
    typed = slipped(asked, scaled, 0.7)
    found = task_marks(asked, typed | {scaled: 9.99}).practice
    score = f"{first[SCORES, 2, 3]:.2f}".replace(".", ",").replace("-", "−")
    assert score in found.own
    assert score not in found.other
    over, root = re.sub(r"[()\s]", "", found.other.replace("−", "-").replace(",", ".")).split(":")
    expected = f"{float(over) / float(root):.2f}".replace(".", ",").replace("-", "−")
    assert found.result == expected
    # After an earlier slip the own number stands there, not the right one.
    mean, after = ("block1.mean1", 2, 0), ("norm1.deviations", 2, 0)
    paper5 = slipped(question("5"), mean, 0.7)
    again = task_marks(question("5"), paper5 | {after: 9.99})
    assert again.practice.cell == mean
    own = practice(Paper(question("5"), paper5 | {after: 9.99}), question("5").boxes[after]).own
    assert f"{paper5[mean]:.2f}".replace(".", ",").replace("-", "−") in own


@pytest.mark.parametrize("sheet", each(4, FILLED))
def test_something_to_do_next_can_be_written_of_every_box(sheet: str) -> None:
    asked = question(sheet)
    paper_ = Paper(asked, right(asked))
    found = [made for box in asked.boxes.values() if (made := practice(paper_, box))]
    assert all("None" not in one.own + one.other and one.own != one.other for one in found)
    assert found or sheet == "1"  # where numbers are looked up


@pytest.mark.parametrize("sheet", each(2, FILLED))
def test_each_sheet_keeps_to_one_page_however_much_went_wrong(sheet: str) -> None:
    asked = question(sheet)
    wrong = {cell: 99.0 if isinstance(x, float) else "?" for cell, x in right(asked).items()}
    file = Marks(Source("a", "csv", "C", (sheet,)), (task_marks(asked, wrong),) * 2)
    pupil = PupilMarks("C", "K", "de", (file,))
    ((_, made),) = Feedback((pupil,), maker("de"), False).files()
    # That one is the whole class's.
    assert len(page_texts(made)) <= (4 if sheet == "7d" else 2)


def test_sheets_come_in_their_order_and_right_ones_share_a_page() -> None:
    files = tuple(
        Marks(
            Source(name, "csv", "C", (name,)), (task_marks(question(name), right(question(name))),)
        )
        for name in ("4b", "4a")
    )
    ((_, made),) = Feedback((PupilMarks("C", "K", "de", files),), maker("de"), False).files()
    (page,) = page_texts(made)
    assert page.index(load("de").t("sheet4a.title")) < page.index(load("de").t("sheet4b.title"))


def test_a_second_slip_gets_its_cause_in_the_words_of_the_sheet() -> None:
    asked = question("4a")
    minus = -float(asked.boxes[SCORES, 2, 1].right)
    typed = slipped(asked, (SCORES, 2, 1), minus + minus)
    unequal = next(cell for cell in typed if cell[0] == SCALED and cell[2] == 3)
    typed |= {unequal: typed[SCORES, 2, 3]}
    file = Marks(Source("a", "csv", "C", ("4a",)), (task_marks(asked, typed),))
    ((_, made),) = Feedback((PupilMarks("C", "K", "de", (file,)),), maker("de"), False).files()
    found, t = " ".join("\n".join(page_texts(made)).split()), load("de").t
    first, _, second = found.partition(t("grading.feedback.further", place=""))
    tokens = asked.trace.tokens
    assert f"{t('step.scores')}: „{tokens[2]}“ mit „{tokens[1]}“. Du hast" in first
    assert t("grading.cause.sign") in first
    assert f"{t('step.scaled')}: „{tokens[2]}“ mit „{tokens[3]}“. Du hast" in second
    assert t("grading.cause.not_divided") in second
    assert second.count(t("grading.cause.not_divided")) == 1


def test_a_place_is_said_as_the_sheets_say_it() -> None:
    said = {
        "5": "Skip-Verbindung (alt + neu): d₃ von „sitzt“",
        "6": "Logits durch Temperatur: „auf“ bei T = 0,5",
        "4a": "Query Q (Anfrage): q₁ von „sitzt“",
        "7a": "Kreuzentropie",
    }
    for sheet, place in said.items():
        task = task_marks(question(sheet), right(question(sheet)))
        answers = [SheetPart(task, maker("de"), True).answer(mark)["place"] for mark in task.marks]
        assert place in answers
