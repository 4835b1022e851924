"""Presets with a byte-pair encoding: loaded, computed, refused."""

import pytest

from generator.api import compute, write
from generator.errors import UserError
from generator.locales.locale import locale_of
from generator.make import Request, make
from generator.presets.load import parse
from generator.render.workbook.sheet_tabs import played
from generator.sheets.sheetbpe import plan as sheetbpe
from tests.presets.files import HERE, bpe, changed, problems, sentence
from tests.render.test_walk import walked
from tests.support.recalculate import ironcalc_values, strip_caches
from tests.support.workbook import book, compare

LEARNED = "{ train = { kauf = 6, kaufen = 4, laufen = 2, laute = 3 }, count = 4 }"


def test_listed_merges_cut_the_sentence():
    preset = parse(changed(bpe('["a t", "m at", "␣ mat"]'), sentence("mat mat at")), "mini.toml")
    assert preset.tokenizer == "bpe"
    assert preset.merges == (("a", "t"), ("m", "at"), ("␣", "mat"))
    trace = compute(preset=preset)
    assert trace.tokens == ("mat", "␣mat", "␣", "at")
    assert trace.sentence == "mat mat at"
    assert trace["ids"].values.ravel().tolist() == [3, 5, 4, 2], "sorted, after a and b"


def test_learned_merges_are_those_of_the_corpus():
    preset = parse(changed(bpe(LEARNED), sentence("einkaufen")), "mini.toml")
    assert preset.merges == (("a", "u"), ("au", "f"), ("k", "auf"), ("e", "n"))
    assert dict(preset.corpus or {}) == {"kauf": 6, "kaufen": 4, "laufen": 2, "laute": 3}
    assert compute(preset=preset).tokens == ("e", "i", "n", "kauf", "en")
    text = parse(changed(bpe('{ train = "ab ab abc", count = 2 }')), "mini.toml")
    assert text.merges == (("a", "b"), ("␣", "ab"))
    assert text.corpus is None


def test_bytes_are_shown_as_the_letters_that_they_are():
    more = 'level = "byte"'
    preset = parse(changed(bpe('["⟨C3⟩ ⟨A4⟩", "ä h"]', more), sentence("äh öä")), "mini.toml")
    trace = compute(preset=preset)
    assert trace.tokens == ("äh", "␣", "⟨C3⟩", "⟨B6⟩", "ä")
    assert trace.sentence == "äh öä"


def test_an_edited_token_changes_the_sentence():
    preset = parse(changed(bpe('["a b"]'), sentence("ab a")), "mini.toml")
    trace = compute(preset=preset, edits={"tokens[3]": "ab"})
    assert trace.sentence == "ab ab"


def test_all_faults_of_a_list_are_told_at_once():
    found = problems(bpe('["e", "kauf en", "a b c"]'))
    assert [problem.split(":")[0] for problem in found] == [
        "tokenizer.merges[1]", "tokenizer.merges[2]", "tokenizer.merges[2]", "tokenizer.merges[3]"
    ]  # fmt: skip


def test_a_character_outside_a_closed_vocabulary_is_named_with_it():
    closed = bpe('["a b"]\n[vocabulary]\nunknown = "error"')
    preset = parse(changed(closed, sentence("a"), ("b = [0.2", "ab = [0.2")), "mini.toml")
    with pytest.raises(UserError) as caught:
        compute("aab q", preset=preset)
    assert "does not know the character '␣'" in str(caught.value)
    assert "known characters: a, ab" in str(caught.value)


SUBWORDS = (HERE / "subwords.toml").read_text("utf-8")


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_output_works_with_pieces_of_words(language, tmp_path):
    trace = compute(preset=parse(SUBWORDS, "mini.toml"), language=language)
    sheets = ["2", "4a", "4b", "bpe"]
    options = {"sheets": sheets, "only": ["xlsx", "html"], "level": 1}
    paths = write(trace, tmp_path, **options)
    names = {path.name for path in paths}
    assert {"workbook-solution.xlsx", "workbook-exercise.xlsx"} <= names
    pages = [path.read_text("utf-8") for path in paths if path.suffix == ".html"]
    assert len(pages) >= 2 * len(sheets)
    assert any(trace.tokens[-2] in page for page in pages)
    if language == "de":
        assert trace.tokens == ("e", "i", "n", "kauf", "en", "␣", "kauf", "t")
    made = book(played(trace, None), language)
    assert compare(made, ironcalc_values(strip_caches(made.xlsx))) > 200
    assert trace.tokens[-2] in walked(trace, language)


def test_sheet_bpe_takes_the_corpus_in_its_own_language_where_it_fits():
    preset = parse(SUBWORDS.replace("kaufen = 4", "kaufen = 5"), "mini.toml")
    german = sheetbpe.corpus_of(compute(preset=preset))
    assert german.words == {"kauf": 6, "kaufen": 5, "laufen": 2, "laute": 3}
    assert german.new == "einkaufen"
    own = {language: locale_of(language).corpus for language in ("de", "en")}
    assert sheetbpe.corpus_of(compute(preset=preset, language="en")) == own["en"]
    tied = parse(SUBWORDS.replace("kauf = 6, kaufen = 4, laufen = 2, laute = 3", "ab = 1, cd = 1")
                 .replace("count = 4", "count = 2"), "mini.toml")  # fmt: skip
    assert sheetbpe.corpus_of(compute(preset=tied)) == own["de"]


def test_why_sheet_bpe_takes_words_of_its_own_is_said(words, sentence, why, tmp_path):
    table = "kauf = 6, kaufen = 4, laufen = 2, laute = 3"
    assert table in SUBWORDS
    text = SUBWORDS.replace(table, words).replace("count = 4", "count = 2")
    trace = compute(sentence, preset=parse(text, "mini.toml"))
    made = make(trace, Request(only=("html",), sheets=("bpe",)), tmp_path)
    told = f"sheet bpe takes words of its own, not those of preset 'mini': {why}"
    assert made.notes == ([told] if why else [])
    assert (sheetbpe.corpus_of(trace) == locale_of("de").corpus) == bool(why)
