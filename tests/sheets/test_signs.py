"""The story's picture-signs: one object a role, named in each language, dark enough for a copy."""

import re

import pytest

from generator.locales.catalogue import load
from generator.locales.folders import folders
from generator.resources import templates
from generator.sheets.context import STROKE, UNITS, signs
from generator.sheets.options import SheetOptions
from tests.support.filled import filling
from tests.support.sheets import html, traces

JOURNEY = ("1", "2", "3", "4a", "4b", "5", "6")
LEAST_LINE, POINT = 0.6, 25.4 / 72  # of a drawn line, in points; a point in millimetres
SIZE = re.compile(r'class="pictogram"><svg role="img" width="([\d.]+)mm".*?<title>([^<]+)</title>')


def shown(sheet: str, language: str, *, blank: bool, story: bool = True) -> list[tuple[str, str]]:
    """Size and name of all signs of a sheet, in order."""
    trace, exact = traces(filling(sheet), language)
    options = SheetOptions(language=language, story=story)
    return SIZE.findall(html(trace, exact, options, blank=blank, sheet=sheet))


@pytest.mark.parametrize("language", sorted(folders()))
def test_each_object_has_a_name_of_its_own(language):
    phrases = load(language).phrases
    drawings = dict(signs().values())
    named = {key: text for key, text in phrases.items() if key.startswith("sheet.sign.")}
    assert named.keys() == {f"sheet.sign.{name}" for name in drawings}
    assert len(set(named.values())) == len(named) == len(set(drawings.values()))


@pytest.mark.parametrize("sheet", JOURNEY)
def test_signs_stand_on_each_sheet_whatever_is_answered(sheet):
    solved = shown(sheet, "de", blank=False)
    assert len(solved) > 1
    assert shown(sheet, "de", blank=True) == solved
    assert len(shown(sheet, "en", blank=True)) == len(solved)
    assert shown(sheet, "de", blank=True, story=False) == []
    for size, name in solved:
        assert float(size) / UNITS * STROKE / POINT > LEAST_LINE, name


def test_each_role_that_a_page_names_has_a_sign_and_each_sign_a_page():
    pages = "".join(file.read_text("utf-8") for file in templates().rglob("page.html.j2"))
    assert {role for role in signs() if f"'{role}'" not in pages} == set()
