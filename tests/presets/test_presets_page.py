"""The page "Presets and what they show" is the one that the presets give."""

import re

from docs.presets_page import PAGE, PROMISES, page
from generator.insight.behaviour import RULES
from generator.presets.load import shipped


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == page(), "run: python -m docs.presets_page"


def test_every_preset_has_its_chapter_with_what_it_does():
    text = PAGE.read_text("utf-8")
    chapters = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert tuple(chapter.split("\n", 1)[0] for chapter in chapters) == shipped()
    for chapter in chapters:
        assert "\n* Sentences: " in chapter
        assert chapter.count("\n* ") >= 3, chapter.split("\n", 1)[0]
        assert "| What if … |" in chapter


def test_every_rule_has_its_words():
    assert set(PROMISES) == {*RULES, "predicts", "writes", "continues", "repeats"}


def test_statements_stand_with_what_the_sentence_shows():
    text = PAGE.read_text("utf-8")
    assert "the token before it 80% or more (up to 7 tokens). Here: “cat” 96%" in text
    assert "Here: “build” 50%" in text
    assert "“chase” looked most at “dogs” (99%); now “chase” looks most at “cats” (99%)." in text
