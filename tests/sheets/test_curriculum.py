"""What curricula say: each line is whole, names sheets that there are, and says if unchecked."""

import re
from html import unescape

import pytest

from docs.curriculum_page import PAGE, page
from generator.locales.catalogue import load
from generator.render.worksheet.worksheet import environment
from generator.sheets.context import typesetting
from generator.sheets.curriculum import LINES, curriculum
from generator.sheets.options import SheetOptions
from generator.sheets.series import SHEETS
from tests.support.sheets import html, traces


def test_each_line_is_whole_and_names_sheets_of_the_series():
    assert len(LINES) >= 12
    assert {line.checked for line in LINES} == {True, False}
    for line in LINES:
        texts = (line.short, line.source, line.date, line.language, line.wording)
        assert all(text.strip() for text in texts), line
        assert line.url.startswith("https://")
        assert line.readers
        assert set(line.sheets) <= set(SHEETS), line
        assert line.sheets
        assert bool(line.read) is not line.checked, "an unchecked line says where it was read"
    assert len({line.short for line in LINES}) == len(LINES)


@pytest.mark.parametrize("language", ["de", "en", "en-US"])
def test_every_sheet_but_those_that_no_curriculum_knows_has_a_line_in_each_language(language):
    taught = [sheet for sheet in SHEETS if sheet != "formulas"]
    without = {sheet for sheet in taught if not curriculum(language, sheet)}
    assert without <= {"bpe", "3"}, "nothing that was found speaks of subwords or of positions"
    assert all(language[:2] in line.readers for line in curriculum(language))


def test_the_page_is_up_to_date_and_says_what_is_not_checked():
    assert PAGE.read_text("utf-8") == page(), "run: python -m docs.curriculum_page"
    chapters = page().split("\n## ")[1:]
    assert len(chapters) == len(LINES)
    for line, chapter in zip(LINES, chapters, strict=True):
        assert line.wording in chapter
        assert ("not checked against the source" in chapter) is not line.checked


def test_a_teachers_page_names_those_that_were_read_at_their_source(sheet, language):
    trace, exact = traces("katze-trained", language)
    solved = html(trace, exact, SheetOptions(language=language), blank=False, sheet=sheet)
    said = unescape(re.sub(r"<[^>]+>", "", solved))
    lines = curriculum(language, sheet)
    assert lines
    for line in lines:
        assert (f"{line.short} " in " ".join(said.split())) is line.checked
    blank = html(trace, exact, SheetOptions(language=language), blank=True, sheet=sheet)
    assert lines[0].short not in blank


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_quoted_line_says_so_where_it_is_not_checked(language):
    quoted = environment().get_template("_curriculum.j2").module.quoted
    t = typesetting(load(language))
    for line in curriculum(language):
        said = unescape(str(quoted(line, t)))
        assert line.wording in said
        assert line.date in said
        assert (t("curriculum.unchecked", read=line.read) in said) is not line.checked
