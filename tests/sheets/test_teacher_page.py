"""The teacher page speaks to the teacher, in German never with "du", and plans a lesson."""

import re
from dataclasses import replace

import pytest

from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan, seconds
from generator.sheets.series import SHEETS
from tests.support.covering import covering
from tests.support.sheets import html, traces

PARTS = r"goal|prerequisites|phase|discuss|board|differs|slip|use|errata|behaviour"
NAMES = "|".join(SHEETS)
SHEET = rf"sheet({NAMES})\.({PARTS})(\.|$).*"
KEYS = re.compile(rf"{SHEET}|sheet\.(phase|slip|prerequisites)")
PUPILS = re.compile(  # a pronoun, or a verb in the second person such as "Du berechnest"
    r"\b([Dd]u|[Dd]ein\w*|[Dd]ir|[Dd]ich|[Ee]uch|[Ee]ure?\w*|[Ii]hr (habt|seid|könnt|müsst))\b"
)
LEAST_MORE, MORE = 10, 15  # minutes left from which a lesson goes further, and for how many
OF_PUPILS = {"sheet.prerequisites"}  # stands on the pupils' pages; the teacher's has its own


def of_teachers() -> dict[str, str]:
    phrases = load("de").phrases
    return {k: v for k, v in phrases.items() if KEYS.match(k) and k not in OF_PUPILS}


def test_german_teacher_pages_do_not_say_du():
    found = of_teachers()
    assert len(found) > 250
    assert not {k: v for k, v in found.items() if PUPILS.search(v)}


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_goal_stands_on_pupils_and_teachers_pages_and_so_addresses_nobody(language):
    goals = {k: v for k, v in load(language).phrases.items() if re.match(r"sheet\w+\.goal", k)}
    assert len(goals) > 12
    assert not {k: v for k, v in goals.items() if re.match(r"(Du|You) ", v)}


@pytest.mark.parametrize(("sheet", "language"), covering(("slide", "4a", "4b"), ("de", "en")))
def test_a_class_matrix_is_filled_only_where_pupils_have_different_tokens(sheet, language):
    trace, exact = traces("katze", language)
    phrases = load(language).phrases
    said = [phrases[f"sheet{sheet}.phase.compare{end}"] for end in ("", ".alone")]
    for others in ((0, 1), ()):
        options = SheetOptions(language=language, others=others)
        page = html(trace, exact, options, blank=False, sheet=sheet)
        assert [phrase in page for phrase in said] == [bool(others), not others]


@pytest.mark.parametrize(
    ("lesson", "closing", "left"),
    [(25, (2, 2), -10), (45, (9, 5), 0), (60, (13, 7), 9), (90, (20, 10), 29)],
)
def test_the_parts_of_a_lesson_grow_with_it_but_for_what_the_sheet_asks(lesson, closing, left):
    plan = Plan(sheet="4a", level=2, minutes=16)
    plan = replace(plan, beside=(30 - plan.in_all) * 60 / seconds()["class_median"])
    assert plan.in_all == 30
    phases = plan.phases(lesson)
    assert phases["entry"] + phases["compute"] == 31  # reading takes 4, and an entry at least 5
    assert (phases["compare"], phases["secure"]) == closing
    assert phases["left"] == left
    assert sum(phases.values()) == lesson


@pytest.mark.parametrize(
    ("language", "said", "minutes", "rest"),
    [
        ("de", None, 45, ""),
        ("en", None, 60, "left"),
        ("en", 90, 90, "left"),
        ("de", 25, 25, "over"),
    ],
)
def test_a_lesson_is_as_long_as_said_or_as_usual_in_the_language(language, said, minutes, rest):
    trace, exact = traces("katze", language)
    options = SheetOptions(language=language, lesson=said)
    page, t = html(trace, exact, options, blank=False, sheet="4a"), load(language).t
    phases = planned("4a", trace, options).phases(minutes)
    assert t("sheet.phases", minutes=minutes) in page
    assert t("sheet.phase.minutes", minutes=phases["compare"]) in page
    further = min(phases["left"], MORE) if phases["left"] >= LEAST_MORE else 0
    assert (t("sheet4a.phase.more") in page) is bool(further)
    minutes = {"left": phases["left"] - further, "over": -phases["left"], "tight": 0}
    told = {key: t(f"sheet.phase.{key}", minutes=minutes[key]) in page for key in minutes}
    assert told == {key: key == rest for key in told}


@pytest.mark.parametrize("lesson", [0, 19, 241, -45])
def test_a_lesson_that_is_none_is_refused(lesson):
    with pytest.raises(UserError, match=f"a lesson of {lesson} minutes"):
        SheetOptions(lesson=lesson)


@pytest.mark.parametrize(("language", "called"), [("de", "katze"), ("en", "cat"), ("en-US", "cat")])
def test_pupils_read_a_preset_s_name_in_their_language_and_teachers_the_one_to_order(
    language, called
):
    trace, exact = traces("katze", language)
    page = html(trace, exact, SheetOptions(language=language), blank=False, sheet="4a")
    feet = re.findall(r'<span class="middle">(\S+) · (\w+) · ', page)
    assert feet[:2] == [(called, trace.preset.sha256[:6])] * 2
    ordered = "katze" if called == "katze" else "cat (katze)"
    assert f'<span class="middle">{ordered} · {trace.preset.sha256[:6]} · ' in page
    mine = replace(trace.preset, name="mine")
    page = html(replace(trace, preset=mine), exact, SheetOptions(language=language), blank=True)
    assert set(re.findall(r'<span class="middle">(\S+) ·', page)) == {"mine"}


def test_the_foot_has_the_presets_name_as_pupils_read_it_and_as_teachers_order_it():
    page = html(*traces("katze-trained", "en"), SheetOptions(language="en"), blank=False)
    assert "cat-trained · " in page
    assert "cat-trained (katze-trained) · " in page
    german = html(*traces("katze-trained", "de"), SheetOptions(), blank=False)
    assert "katze-trained (" not in german
