"""The live training is the training: the same winners and corpora, after edits too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.engine import bpe
from generator.engine.edits import Edits
from generator.engine.scope import Run, Scope
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.sheets.sheetbpe.plan import write_live
from tests.engine.models import cells, computed, small

KAUF = {"kauf": 6, "kaufen": 4, "laufen": 2, "laute": 3}
WORDS = st.dictionaries(
    st.text("abAß", min_size=1, max_size=6), st.integers(1, 9), min_size=1, max_size=5
)


def live(words: dict[str, int], rounds: int = 4, new: str = "einkaufen", **edits: object) -> Trace:
    changes = {name.replace("_", "."): value for name, value in edits.items()}
    scope = Scope(Run(small(), "paper", Edits(changes)))
    write_live(scope, words, rounds, new)
    return Trace.of(scope, "a b c")


@given(WORDS, st.integers(1, 6))
def test_winners_corpora_and_lengths_are_those_of_the_training(words, rounds):
    trace, merges = live(words, rounds, "abba"), bpe.learn(words, rounds)
    for m, merge in enumerate(merges, start=1):
        at = f"bpe.merge{m}"
        assert trace[f"{at}.winner"].values[0, 0] == " ".join(merge.winner)
        assert trace[f"{at}.most"].values.max() == max(merge.counts)
        assert trace[f"{at}.corpus"].values[:, 0].tolist() == [" ".join(p) for p in merge.corpus]
        assert trace[f"{at}.length"].values[0, 0] == sum(
            len(p) * n for p, n in zip(merge.corpus, words.values(), strict=True)
        )
        counted = dict(zip(map(" ".join, merge.pairs), merge.counts, strict=True))
        places, pairs = trace[f"{at}.places"].values, trace[f"{at}.pairs"].values
        found = {p: n for p, n in zip(places.ravel(), pairs.ravel(), strict=True) if p}
        assert found == counted
    for m in range(len(merges) + 1, rounds + 1):
        assert trace[f"bpe.merge{m}.winner"].values[0, 0] == "", "no pair is left"
    cut = bpe.encode("abba", [merge.winner for merge in merges])
    assert trace[f"bpe.encoding.rule{rounds}"].values[0, 0] == " ".join(cut)


@given(WORDS)
def test_every_cell_equals_its_expression(words):
    trace = live(words, 3, "aAß")
    for step in computed(trace):
        for found, expected in cells(trace, step):
            assert found == expected, step.name


def test_an_edited_count_and_an_edited_word_change_the_rounds():
    changed = {"bpe.counts[1,4]": 30.0, "bpe.words[2]": "raufen"}
    trace = Scope(Run(small(), "paper", Edits(changed)))
    write_live(trace, KAUF, 4, "einkaufen")
    merges = bpe.learn({"kauf": 6, "raufen": 4, "laufen": 2, "laute": 30}, 4)
    winners = [trace[f"bpe.merge{m}.winner"].values[0, 0] for m in range(1, 5)]
    assert winners == [" ".join(merge.winner) for merge in merges]
    assert winners != [" ".join(merge.winner) for merge in bpe.learn(KAUF, 4)]


def test_a_word_with_more_letters_than_there_is_room_is_marked():
    trace = Scope(Run(small(), "paper", Edits({"bpe.words[1]": "kaufhaus"})))
    write_live(trace, KAUF, 1, "einkaufen")
    assert trace["bpe.corpus"].values[0, 0] == "?"


def test_the_new_word_rule_by_rule():
    trace = live(KAUF)
    rules = [trace[f"bpe.encoding.rule{m}"].values[0, 0] for m in range(1, 5)]
    assert rules[1:] == ["e i n k auf e n", "e i n kauf e n", "e i n kauf en"]
    assert trace["bpe.encoding.ratio"].values[0, 0] == 1.8
    assert np.array_equal(trace["bpe.counts"].values, [[6, 4, 2, 3]])


def test_letters_that_a_spreadsheet_cuts_otherwise_are_refused():
    with pytest.raises(UserError, match="the word 'a🐈' has the letter '🐈'"):
        live({"a🐈": 1, "ab": 2})
