"""From a sentence to tokens: what is split, kept, cleaned and refused."""

import pytest

from generator.engine.model import compute
from generator.engine.vocabulary import MAX_TOKENS, SPACE, tokenize
from generator.errors import UserError
from tests.engine.models import small

FAMILY = "👨‍👩‍👧‍👦"


def characters(sentence: str) -> tuple[str, ...]:
    return tokenize(sentence, "character", ()).tokens


def test_words(sentence, vocabulary, tokens):
    assert tokenize(sentence, "word", vocabulary).tokens == tuple(tokens)


def test_nfc_makes_one_word_of_two_spellings():
    trace = compute(small(), "e\u0301te \u00e9te")
    assert trace.tokens == ("éte", "éte")
    assert trace["ids"].values.ravel().tolist() == [3, 3]


def test_a_repeated_word_has_one_id_and_case_counts():
    trace = compute(small(), "the The a the")
    assert trace["ids"].values.ravel().tolist() == [4, 3, 0, 4]
    assert trace["vocabulary.words"].values.ravel().tolist() == ["a", "b", "c", "The", "the"]


def test_characters_are_those_a_reader_sees():
    assert characters("ab, c") == ("a", "b", ",", SPACE, "c")
    assert characters(f"x{FAMILY}e\u0301") == ("x", FAMILY, "é")


@pytest.mark.parametrize(
    ("sentence", "clean", "named"),
    [
        ("a\x00b\x07c", "abc", "U+0000, U+0007"),
        ("a \u202eb", "a b", "U+202E"),
        ("\ufeffa\u200bb", "ab", "U+200B, U+FEFF"),
        ("\ud800a", "a", "U+D800"),
    ],
)
def test_control_characters_are_removed_and_said(sentence, clean, named):
    found = tokenize(sentence, "word", ())
    assert found.sentence == clean
    assert found.notices == (f"removed control characters from the sentence: {named}",)
    assert compute(small(), sentence).notices == found.notices


def test_a_clean_sentence_has_no_notices():
    assert tokenize(f"Ça va {FAMILY}? שלום", "word", ()).notices == ()


@pytest.mark.parametrize("kind", ["word", "character"])
@pytest.mark.parametrize("sentence", ["", "   ", "\t\n", "\x00", "\u200b \ufeff", "\u00a0"])
def test_an_empty_sentence_is_refused(sentence, kind):
    with pytest.raises(UserError, match="the sentence is empty: expected at least one word"):
        tokenize(sentence, kind, ())


def test_the_engine_takes_512_tokens_and_no_more():
    assert len(tokenize("a " * MAX_TOKENS, "word", ()).tokens) == MAX_TOKENS == 512
    with pytest.raises(UserError, match="513 tokens; the engine computes at most 512: shorten"):
        tokenize("a " * 513, "word", ())
