"""The tab BPE: formulas equal the engine in two programs, also after edits; the exercise; looks."""

import re

import pytest
from openpyxl.utils.cell import coordinate_to_tuple

from generator.api import compute
from generator.checks.exercise import Exercise
from generator.engine import bpe
from generator.engine.edits import Edits
from generator.engine.scope import Run, Scope
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.plans.workbook import MOST, plan
from generator.presets.load import parse
from generator.render.workbook import exercise
from generator.render.workbook.sheet_tabs import played
from generator.sheets.series import COMPLETE
from generator.sheets.sheetbpe import plan as sheetbpe
from generator.sheets.sheetbpe.plan import write_live
from tests.presets.files import changed
from tests.support.recalculate import (
    cached_values,
    edit_cells,
    formula_cells,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)
from tests.support.workbook import Book, book, compare

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


def made(language: str) -> Book:
    return book(played(compute(preset="katze", language=language), ("bpe",)), language)


def other(trace: Trace, edits: dict[str, object], new: str | None = None) -> Trace:
    """The tab's steps of other words and counts, computed by the engine."""
    corpus = sheetbpe.corpus_of(trace)
    expected = Scope(Run(trace.preset, trace.rounding, Edits(edits)))
    write_live(expected, corpus.words, sheetbpe.MOST_ROUNDS, new or corpus.new)
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


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_formula_equals_the_engine_and_the_cache(language, office):
    made_book = made(language)
    bare = strip_caches(made_book.xlsx)
    assert compare(made_book, ironcalc_values(bare)) > 250
    assert compare(made_book, libreoffice_values([bare], office)[0]) > 250
    cached = cached_values(made_book.xlsx)
    for sheet, formulas in formula_cells(made_book.xlsx).items():
        cached[sheet] = dict.fromkeys(formulas, "") | cached[sheet]  # empty texts are left out
    assert compare(made_book, cached) > 250


@pytest.mark.ci
def test_edited_words_and_counts_train_anew_in_both_programs(office):
    made_book = made("de")
    books = [edit_cells(made_book.xlsx, made_book.typed(edits)) for edits in EDITS]
    found = libreoffice_values(books, office)
    winners = set()
    for edits, bare, values in zip(EDITS, books, found, strict=True):
        expected = other(made_book.trace, edits)
        assert compare(made_book, values, expected) > 250, edits
        assert compare(made_book, ironcalc_values(bare), expected) > 250, edits
        winners.add(str([expected[f"bpe.merge{m}.winner"].values[0, 0] for m in range(1, 5)]))
    assert len(winners) > 5, "the edits decide"


def test_a_tie_goes_to_the_pair_that_stands_first():
    made_book = made("de")
    edits: dict[str, object] = {f"bpe.counts[1,{k}]": 1.0 for k in range(1, 5)}
    edits |= {"bpe.words[1]": "xy", "bpe.words[2]": "ab", "bpe.words[3]": "cd", "bpe.words[4]": "e"}
    values = ironcalc_values(edit_cells(made_book.xlsx, made_book.typed(edits)))
    sheet, cell = made_book.cell("bpe.merge1.winner", 0, 0)
    assert values[sheet][cell] == "x y"
    assert [bpe.learn({"xy": 1, "ab": 1, "cd": 1, "e": 1}, 1)[0].winner] == [("x", "y")]


def test_a_presets_own_corpus_where_it_fits():
    preset = parse(PRESET, "mini.toml")
    trace = played(compute(preset=preset), ("bpe",))
    assert trace["bpe.words"].rows == ("anna", "Annas", "annana", "aaa")
    assert trace["bpe.encoding.word"].values[0, 0] == "nanna"
    compare(book(trace, "en"), ironcalc_values(strip_caches(book(trace, "en").xlsx)))


def test_only_plain_functions():
    names = {"IF", "INDEX", "LEN", "MATCH", "MAX", "MID", "REPT", "ROUND", "SUBSTITUTE", "TRIM"}
    (sheet,) = (one for one in made("de").layout.sheets if one.tab.title == "BPE")
    right = max(box.right for band in sheet.bands for box in band.boxes)
    shown = {
        cell: formula
        for cell, formula in formula_cells(made("de").xlsx)["BPE"].items()
        if coordinate_to_tuple(cell)[1] <= right  # beyond, changes are counted
    }
    assert len(shown) > 100
    for formula in shown.values():
        assert set(re.findall(r"([A-Z]+)\(", formula)) <= names, formula


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_exercise_asks_round_2_and_lengths(language, level):
    trace = played(compute(preset="katze", language=language), ("bpe",))
    asked = plan(trace, level).asked
    assert {name for name, _, _ in asked} == {
        "bpe.merge2.pairs", *(f"bpe.merge{m}.length" for m in range(2, level + 2))
    }  # fmt: skip
    assert len(asked) <= MOST[level]
    task = Exercise(trace, asked)
    assert all(task.hides(f"bpe.merge{m}.winner", 0, 0) for m in range(2, 5))
    xlsx = exercise.render(trace, load(language), level)
    values = ironcalc_values(strip_caches(xlsx))
    rules = {trace[f"bpe.merge{m}.winner"].values[0, 0] for m in range(2, 5)}
    assert not rules & {v for v in values["BPE"].values() if isinstance(v, str)} - places(trace)


def places(trace: Trace) -> set[str]:
    """The pairs that stand in the rounds whose places are given: winners are not told by them."""
    return {pair for m in (1, 2) for pair in trace[f"bpe.merge{m}.places"].values.ravel()}


def test_the_tab_stands_beside_others_and_an_unknown_sheet_is_refused():
    trace = compute(preset="katze", language="de")
    both = book(played(trace, ("1", "bpe")), "de")
    assert [sheet.tab.kind for sheet in both.layout.sheets] == ["tokens", "bpe"]
    with pytest.raises(UserError, match="there is no sheet 'bp'; did you mean 'bpe'"):
        played(trace, ("bp",))
    for known in ("slides", COMPLETE):
        with pytest.raises(UserError, match=f"no tab of sheet {known}; take .* 7a, 7b"):
            played(trace, (known,))


def test_a_word_with_too_many_letters_is_named() -> None:
    made_book = made("en")
    where = made_book.input("bpe.encoding.word", 0, 0)
    for word, named in (("laufkauf", False), ("l" * 40, True), (None, True)):
        values = ironcalc_values(edit_cells(made_book.xlsx, {where: word}))
        sheet, cell = made_book.layout.warning
        assert ("a word of 1 to" in str(values[sheet][cell])) is named
