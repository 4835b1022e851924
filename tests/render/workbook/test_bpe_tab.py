"""The tab BPE: formulas equal the engine in two programs, also after edits; the exercise; looks."""

import re
from functools import cache

import pytest
from openpyxl.utils.cell import coordinate_to_tuple

from generator.api import compute
from generator.engine import bpe
from generator.engine.edits import Edits
from generator.engine.scope import Run, Scope
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.plans.workbook import MOST, plan
from generator.presets.load import parse
from generator.render.workbook.sheet_tabs import played
from generator.sheets.series import COMPLETE
from generator.sheets.sheetbpe import plan as sheetbpe
from generator.sheets.sheetbpe.plan import write_live
from tests.presets.files import changed
from tests.support.pupil import Desk
from tests.support.recalculate import libreoffice_values
from tests.support.workbook import LANGUAGES, Book, book, compare

PRESET = changed(
    (
        "[model]\n",
        '[tokenizer]\nkind = "bpe"\n[tokenizer.merges]\ncount = 4\n'
        "train = { anna = 5, Annas = 2, annana = 3, aaa = 2 }\n[model]\n",
    ),
    ('sentence.en = "a b"', 'sentence.en = "anna nanna"\ntitle.en = "Mini"'),
    ("[model]\nd_model", '[model]\nparts = ["attention", "output"]\nd_model'),
    ("d_ff = 2\n", ""),
    ('"block1.weight.hidden" = "identity"\n"block1.weight.feedforward" = "identity"\n', ""),
)


@cache
def made(language: str) -> Book:
    return book(played(compute(preset="katze", language=language), ("bpe",)), language)


def other(trace: Trace, edits: dict[str, object]) -> Trace:
    """The tab's steps of other words and counts, computed by the engine."""
    corpus = sheetbpe.corpus_of(trace)
    expected = Scope(Run(trace.preset, trace.rounding, Edits(edits)))
    write_live(expected, corpus.words, sheetbpe.MOST_ROUNDS, corpus.new)
    return Trace.of(expected, trace.sentence)


EDITS = [
    {"bpe.counts[1,4]": 30.0},  # another winner
    {"bpe.counts[1,2]": 0.0, "bpe.counts[1,3]": 0.0},
    {"bpe.words[1]": "Kauf"},  # a capital is another letter
    {"bpe.words[3]": "raufte", "bpe.words[4]": "aaaaaa"},  # pairs that overlap
    {"bpe.words[2]": "*?~"},  # what a search in a sheet takes for wild cards
    {"bpe.words[1]": "ä", "bpe.words[2]": "öö", "bpe.words[3]": "ß", "bpe.words[4]": "x"},
    {f"bpe.counts[1,{k}]": 1.0 for k in range(1, 5)},
    {"bpe.encoding.word[1]": "laufkauf"},
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_formula_equals_the_engine_and_the_cache(language, office):
    one = made(language)
    cached = {
        sheet: dict.fromkeys(one.formulas[sheet], "") | cells  # empty texts are left out
        for sheet, cells in one.cached.items()
    }
    for values in (one.values(), libreoffice_values([one.bare], office)[0], cached):
        assert compare(one, values) > 250


@pytest.mark.ci
def test_edited_words_and_counts_train_anew_in_both_programs(office):
    one, winners = made("de"), set()
    for edits, found in zip(EDITS, one.by_both(EDITS, office), strict=True):
        expected = other(one.trace, edits)
        assert all(compare(one, values, expected) > 250 for values in found), edits
        winners.add(str([expected[f"bpe.merge{m}.winner"].values[0, 0] for m in range(1, 5)]))
    assert len(winners) > 5, "the edits decide"


def test_a_tie_goes_to_the_pair_that_stands_first():
    one, words = made("de"), ("xy", "ab", "cd", "e")
    edits = {f"bpe.counts[1,{k}]": 1.0 for k in range(1, 5)}
    edits |= {f"bpe.words[{k}]": word for k, word in enumerate(words, 1)}
    sheet, cell = one.cell("bpe.merge1.winner")
    assert one.values(edits)[sheet][cell] == "x y"
    assert [bpe.learn(dict.fromkeys(words, 1), 1)[0].winner] == [("x", "y")]


def test_a_presets_own_corpus_where_it_fits():
    trace = played(compute(preset=parse(PRESET, "mini.toml")), ("bpe",))
    assert trace["bpe.words"].rows == ("anna", "Annas", "annana", "aaa")
    assert trace["bpe.encoding.word"].values[0, 0] == "nanna"
    one = book(trace, "en")
    compare(one, one.values())


def test_only_plain_functions():
    names = {"IF", "INDEX", "LEN", "MATCH", "MAX", "MID", "REPT", "ROUND", "SUBSTITUTE", "TRIM"}
    right = max(box.right for box in made("de").boxes)  # beyond, changes are counted
    formulas = made("de").formulas["BPE"].items()
    shown = [text for cell, text in formulas if coordinate_to_tuple(cell)[1] <= right]
    assert len(shown) > 100
    assert set(re.findall(r"([A-Z]+)\(", " ".join(shown))) <= names


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_exercise_asks_round_2_and_lengths(language, level):
    trace = played(compute(preset="katze", language=language), ("bpe",))
    asked = plan(trace, level).asked
    assert {name for name, _, _ in asked} == {
        "bpe.merge2.pairs", *(f"bpe.merge{m}.length" for m in range(2, level + 2))
    }  # fmt: skip
    assert len(asked) <= MOST[level]
    task = Desk(trace, level, language)
    assert all(task.exercise.hides(f"bpe.merge{m}.winner", 0, 0) for m in range(2, 5))
    # the pairs that stand in the rounds whose places are given: winners are not told by them
    told = {pair for m in (1, 2) for pair in trace[f"bpe.merge{m}.places"].values.ravel()}
    winners = {trace[f"bpe.merge{m}.winner"].values[0, 0] for m in range(2, 5)}
    assert not (winners - told) & set(task.values()["BPE"].values())


def test_the_tab_stands_beside_others_and_an_unknown_sheet_is_refused():
    trace = compute(preset="katze", language="de")
    both = book(played(trace, ("1", "bpe")), "de")
    assert [sheet.tab.kind for sheet, _ in both.tabs] == ["tokens", "bpe"]
    with pytest.raises(UserError, match="there is no sheet 'bp'; did you mean 'bpe'"):
        played(trace, ("bp",))
    for known in ("slides", COMPLETE):
        with pytest.raises(UserError, match=f"no tab of sheet {known}; take .* 7a, 7b"):
            played(trace, (known,))


def test_a_word_with_too_many_letters_is_named() -> None:
    one = made("en")
    for word, named in (("laufkauf", False), ("l" * 40, True), (None, True)):
        values = one.values({one.input("bpe.encoding.word"): word})
        assert ("a word of 1 to" in one.warning(values)) is named
