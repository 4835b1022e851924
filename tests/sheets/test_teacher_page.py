"""The teacher page speaks to the teacher: in German never with the pupils' "du"."""

import re

import pytest

from generator.locales.catalogue import load
from generator.sheets.series import SHEETS

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
