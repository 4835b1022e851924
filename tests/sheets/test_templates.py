"""Templates can be read: no line is longer than a screen. Each sheet ends with its question."""

import re
from pathlib import Path

import pytest

from generator.locales import catalogue
from generator.resources import templates
from tests.support.sheets import html_of

LONGEST = 160
FILES = sorted(templates().rglob("*.j2"))


def test_every_template_is_looked_at():
    assert len(FILES) >= 30


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(templates()).as_posix())
def test_no_line_of_a_template_is_too_long(file: Path):
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [k for k, line in enumerate(lines, start=1) if len(line) > LONGEST] == []


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_sheet_ends_with_a_question_of_its_own(language):
    phrases = catalogue.load(language).phrases
    ends = [key for key in phrases if re.fullmatch(r"sheet[0-9a-z]+\.finding", key)]
    asked = {phrases[f"{key}.ask"] for key in ends}
    assert len(asked) == len(ends) >= 16
    assert all(one.endswith("?") for one in asked)
    assert "{question}" in phrases["sheet.finding"]
    assert phrases["sheet6.finding.ask"] in html_of("6", "katze", language)
