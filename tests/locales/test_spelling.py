"""English as in the United States: `en` with other words, wherever a language can be named."""

import io
import re
from dataclasses import replace
from html import unescape

import openpyxl
import pytest

import generator
from generator.engine.preset import Compare
from generator.locales.catalogue import load, respelled
from generator.locales.folders import languages, spelling, written
from generator.locales.locale import locale_of, names_in
from generator.make import Request, make
from generator.presets.language import in_language, spoken
from generator.presets.load import load_preset, shipped
from generator.sheets.options import SheetOptions
from generator.site.asked import asked
from generator.web.form import allowed
from tests.support.classes import one_line
from tests.support.covering import covering
from tests.support.sheets import html, traces

US = "en-US"
BASE, WORDS = spelling(US)
# Endings and words of British spelling; what only looks like it is put right below.
BRITISH = re.compile(
    r"\b(\w+(our(s|ed|ing|ful|ite)?|is(e|es|ed|ing|ation|ations)|ys(e|es|ed|ing)|ogue|tre|tres"
    r"|tred|lled|lling|ller)|grey|greys|maths|programme|programmes|practis\w+|licence|defence"
    r"|anticlockwise|whilst|learnt|towards|pupils?|full stop|brackets)\b",
    re.IGNORECASE,
)
ALIKE = {
    *("called", "filled", "installed", "rolled", "smaller", "spelled", "spelling"),
    *("four", "hour", "pulling", "hours", "our", "your", "yours", "crosswise"),
    *("compromise", "exercise", "exercises", "otherwise", "precise", "raise", "raises", "rise"),
    *("counterclockwise", "rises", "rising", "surprise", "surprised", "surprises", "wise"),
}


def british(text: str) -> set[str]:
    found = {one[0].lower() for one in BRITISH.finditer(text)}
    return found - ALIKE


def plain(page: str) -> str:
    """What a reader sees of a page."""
    return unescape(re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", page, flags=re.S))


def test_it_is_a_language_of_its_own_that_says_no_less():
    assert languages() == (*written(), US)
    assert (BASE, locale_of(US).name, locale_of(US).babel) == ("en", "English (US)", "american")
    assert locale_of(US).spreadsheet == locale_of(BASE).spreadsheet
    english, american = load(BASE).phrases, load(US).phrases
    assert american.keys() == english.keys()
    assert all(names_in(american[key]) == names_in(english[key]) for key in english)
    changed = [key for key in english if american[key] != english[key]]
    assert 60 < len(changed) < 200


def test_each_word_of_the_table_is_one_that_english_says():
    said = " ".join(load(BASE).phrases.values())
    tables = (load_preset(name).translation.get(BASE, {}) for name in shipped())
    said += " ".join(word for table in tables for word in table.values())
    assert len(WORDS) > 15
    assert [word for word in WORDS if not re.search(rf"\b{word}\b", said, re.IGNORECASE)] == []
    assert not british(" ".join(WORDS.values()))


def test_no_phrase_and_no_preset_is_left_in_british_spelling():
    assert british("The colours of two programmes are centred, labelled and normalised.") == {
        "colours", "programmes", "centred", "labelled", "normalised"
    }  # fmt: skip
    left = {key: found for key, text in load(US).phrases.items() if (found := british(text))}
    assert left == {}
    for name in shipped():
        preset = in_language(load_preset(name), US)
        texts = [preset.title[US], preset.sentences[US], preset.shows.get(US, ""), *preset.words]
        texts += [preset.compare.note.get(US, "")] if preset.compare else []
        assert not british(" ".join(texts)), name


@pytest.mark.parametrize(
    ("sheet", "preset"),
    covering(("1", "2", "3", "4a", "4b", "5", "6", "7b", "slide"), ("katze", "katze-trained")),
)
def test_no_sheet_says_a_british_word_and_none_asks_anything_else(sheet, preset):
    english, american = traces(preset, BASE), traces(preset, US)
    seen = []
    for blank in (True, False):
        page = html(*american, SheetOptions(language=US), blank=blank, sheet=sheet)
        assert f'<html lang="{US}"' in page
        assert not british(plain(page))
        seen.append(page)
        other = html(*english, SheetOptions(language=BASE), blank=blank, sheet=sheet)
        assert re.findall(r'data-cell="[^"]*"', page) == re.findall(r'data-cell="[^"]*"', other)
    assert seen[0] != seen[1]


def test_workbooks_are_spelled_so_too():
    trace = generator.compute(preset="katze", language=US)
    made = make(trace, Request.asked(["xlsx"], jobs=1))
    assert not made.problems
    for content in made.files.values():
        book = openpyxl.load_workbook(io.BytesIO(content))
        texts = [
            str(cell.value)
            for tab in book
            for row in tab
            for cell in row
            if isinstance(cell.value, str)
        ]
        said = re.sub(r"\b\w+(\.\w+)+\b", "", " ".join(texts))  # without names of steps
        assert "normalized" in said.lower()
        assert not british(said)


def test_capitals_and_names_in_braces_stay():
    words = {"neighbour": "neighbor", "full stop": "period"}
    text = "Neighbour {neighbour}, neighbour’s neighbours; a full stop."
    assert respelled(text, words) == "Neighbor {neighbour}, neighbor’s neighbours; a period."
    assert respelled(text, {}) == text


def test_words_of_a_preset_are_respelled_and_its_own_language_keeps_them():
    preset = load_preset("mental")
    table = {word: "colourful" if k == 0 else f"w{k}" for k, word in enumerate(preset.words)}
    compare = Compare({"en": "grey"}, "output", 0, (1.0,), {"en": "two neighbours"})
    preset = replace(preset, translation={"en": table}, compare=compare)
    found = spoken(preset, US)
    assert "colorful" in found.translation[US].values()
    assert "colourful" in found.translation["en"].values()
    assert found.compare
    assert (found.compare.title[US], found.compare.note[US]) == ("gray", "two neighbors")
    own = replace(preset, language="en", sentences={"en": "The grey cat"})
    assert in_language(own, US).language == US
    assert in_language(own, US).words == own.words
    assert spoken(own, "de") is own


def test_lists_and_the_page_take_it_and_the_gallery_waits_to_be_asked(tmp_path):
    assert US in allowed("words")
    assert one_line(tmp_path, "1;American", heading="id;language").language == US
    assert one_line(tmp_path, "1;en-US", heading="id;language").language == US
    assert asked().languages == written()
    assert asked(languages=[US]).languages == (US,)


def test_a_german_sentence_with_its_words_is_translated():
    trace = generator.compute("Die Katze sitzt", preset="katze-trained", language=US)
    assert trace.tokens == ("The", "cat", "sits")
    assert generator.compute("The cat sits", language=US).preset.name == "katze-trained"
