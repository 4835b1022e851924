"""The teacher page speaks to the teacher: in German never with the pupils' "du"."""

import re

import pytest

from generator.locales.catalogue import load
from generator.sheets.options import SheetOptions
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
