"""Byte-pair encoding: trainings checked by hand, encode, decode, steps, Hugging Face's library."""

import json
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.engine import bpe
from generator.engine.scope import Run, Scope
from generator.engine.trace import Trace
from tests.engine.models import cells, computed, small

SENNRICH = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # Sennrich et al. 2016, section 3.2
COURSE = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}  # Hugging Face course, chapter 6.5
WORDS = st.dictionaries(
    st.text("abc", min_size=1, max_size=6), st.integers(1, 9), min_size=1, max_size=5
)


def winners(words: dict[str, int], rounds: int) -> list[str]:
    return [" ".join(merge.winner) for merge in bpe.learn(words, rounds)]


def test_the_example_of_the_paper():
    merges = bpe.learn(SENNRICH, 7)
    assert [(" ".join(m.winner), max(m.counts)) for m in merges] == [
        ("e s", 9), ("es t", 9), ("l o", 7), ("lo w", 7), ("n e", 6), ("ne w", 6), ("new est", 6)
    ]  # fmt: skip
    assert merges[-1].corpus == (("low",), ("low", "e", "r"), ("newest",), ("w", "i", "d", "est"))


def test_the_example_of_the_course():
    merges = bpe.learn(COURSE, 3)
    assert [(m.winner, max(m.counts)) for m in merges] == [
        (("u", "g"), 20), (("u", "n"), 16), (("h", "ug"), 15)
    ]  # fmt: skip
    assert [m.tied for m in merges] == [False] * 3
    rules = [m.winner for m in merges]
    assert bpe.encode("bug", rules) == ("b", "ug")
    assert bpe.encode("hugs", rules) == ("hug", "s")
    assert bpe.encode("unhug", rules) == ("un", "hug")


def test_of_equal_pairs_the_one_met_first_wins():
    assert winners({"xy": 2, "ab": 2}, 1) == ["x y"]
    assert winners({"ab": 2, "xy": 2}, 1) == ["a b"]
    assert winners({"ab": 2, "xy": 3}, 1) == ["x y"]
    assert winners({"zab": 1}, 2) == ["z a", "za b"]
    assert bpe.learn({"ab": 2, "xy": 2}, 1)[0].tied


@pytest.mark.parametrize(("word", "times"), [("aa", 1), ("aaa", 1), ("aaaa", 2), ("aabaaa", 2)])
def test_overlapping_pairs_count_as_often_as_they_can_be_merged(word, times):
    pairs = bpe.learn({word: 1}, 1)[0].pairs
    assert pairs["a", "a"] == (times,)


def test_repeated_letters_from_left_to_right():
    assert bpe.merged("aaab", ("a", "a")) == ("aa", "a", "b")
    assert bpe.encode("aaaaa", [("a", "a"), ("aa", "aa")]) == ("aaaa", "a")
    assert winners({"aaabdaaabac": 1}, 1) == ["a a"]  # as in Wikipedia's example


def test_training_ends_where_no_pair_is_left():
    assert bpe.learn({"a": 3}, 5) == ()
    assert winners({"ab": 1, "c": 4}, 5) == ["a b"]


def test_letters_are_what_a_reader_sees():
    assert bpe.letters("Füße") == ("F", "ü", "ß", "e")
    assert bpe.letters("e\u0301a") == ("e\u0301", "a")
    assert bpe.pair_of("au f") == ("au", "f")


@given(WORDS)
def test_what_is_encoded_can_be_decoded_and_merges_shorten(words):
    rules = [merge.winner for merge in bpe.learn(words, 9)]
    for word in [*words, "cabbage", "xyz"]:
        pieces = bpe.encode(word, rules)
        assert bpe.decode(pieces) == word
        assert not [p for p in pairwise(pieces) if p in rules]
        assert len(word) - len(pieces) == len(list(bpe.joins(word, rules)))


def trained(words: dict[str, int], rounds: int) -> tuple[Trace, tuple[bpe.Merge, ...]]:
    scope = Scope(Run(small(), "paper"))
    merges = bpe.write(scope, words, rounds)
    bpe.write_encoding(scope, "slowest", [merge.winner for merge in merges])
    return Trace.of(scope, "a b c"), merges


@given(WORDS)
def test_the_steps_say_the_same(words):
    trace, merges = trained(words, 4)
    before = trace["bpe.length"].values[0, 0]
    assert before == sum(len(word) * count for word, count in words.items())
    for m, merge in enumerate(merges, start=1):
        pairs, winner = trace[f"bpe.merge{m}.pairs"], trace[f"bpe.merge{m}.winner"]
        assert pairs.shape == (len(merge.pairs), 1)
        assert tuple(pairs.values[:, 0]) == merge.counts
        assert winner.values.tolist() == [[" ".join(merge.winner)]]
        corpus = trace[f"bpe.merge{m}.corpus"].values[:, 0].tolist()
        assert corpus == [" ".join(pieces) for pieces in merge.corpus]
        length = trace[f"bpe.merge{m}.length"].values[0, 0]
        assert before - length == max(merge.counts), "shorter by exactly the winner's count"
        before = length


@pytest.mark.parametrize("words", [SENNRICH, COURSE])
def test_every_cell_equals_its_expression(words):
    trace, _ = trained(words, 5)
    count = 0
    for step in computed(trace):
        for found, expected in cells(trace, step):
            assert found == expected, step.name
            count += 1
    assert count > 50


def test_how_a_word_is_cut():
    trace, _ = trained(SENNRICH, 4)
    assert trace["bpe.encoding.pieces"].values[0, 0] == "s low est"
    assert trace["bpe.encoding.ratio"].values[0, 0] == 2.3  # 7 : 3
    assert trace["bpe.encoding.ratio"].decimals == 1


def unambiguous(words: dict[str, int], rounds: int) -> bool:
    """Whether both programs must agree: no ties, and no three equal neighbours.

    Hugging Face breaks ties by its numbers of the pieces and counts "aaa" as two pairs.
    """
    corpora = [tuple(map(bpe.letters, words)), *(m.corpus for m in bpe.learn(words, rounds))]
    triple = any(
        piece == pieces[k + 1] == pieces[k + 2]
        for corpus in corpora
        for pieces in corpus
        for k, piece in enumerate(pieces[:-2])
    )
    return not triple and not any(merge.tied for merge in bpe.learn(words, rounds))


@pytest.mark.reference
def test_hugging_face_learns_the_same_merges_and_encodes_the_same():
    from tokenizers import Tokenizer, models, trainers

    random, compared = Random(4), 0
    for _ in range(4000):
        letters, rounds = random.choice(["abc", "abcdef", "einstru"]), random.randint(1, 8)
        words = {
            "".join(random.choices(letters, k=random.randint(2, 8))): random.randint(1, 40)
            for _ in range(random.randint(2, 7))
        }
        merges = bpe.learn(words, rounds)
        if len(merges) < rounds or not unambiguous(words, rounds):
            continue
        alphabet = {letter for word in words for letter in word}
        theirs = Tokenizer(models.BPE())
        trainer = trainers.BpeTrainer(vocab_size=len(alphabet) + rounds, show_progress=False)
        theirs.train_from_iterator([w for w, n in words.items() for _ in range(n)], trainer)
        rules = [merge.winner for merge in merges]
        vocabulary = {"".join(rule) for rule in rules}
        if len(vocabulary) < rounds:  # they count a piece made in two ways once
            continue
        assert [tuple(m) for m in json.loads(theirs.to_str())["model"]["merges"]] == rules, words
        for word in [*words, "".join(random.choices(sorted(alphabet), k=9))]:
            assert tuple(theirs.encode(word).tokens) == bpe.encode(word, rules), (words, word)
        compared += 1
    assert compared > 300


def test_numbers_are_whole():
    trace, _ = trained(COURSE, 3)
    for step in trace:
        if not step.text and step.name != "bpe.encoding.ratio":
            assert step.decimals == 0
            assert np.array_equal(step.values, np.rint(step.values))
