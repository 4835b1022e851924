"""Byte-pair encoding of texts: letters and bytes, labels, ids, lists of merges, refusals."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.engine import bpe_text
from generator.engine.bpe_text import Bpe, from_list, learn, pieces, text_of
from generator.engine.vocabulary import joined, tokenize
from generator.errors import UserError

TEXT = "Die Katze sitzt auf der Matte und die Katzen sitzen auf der Matte ä ö ü ß größer müßig"
TEXTS = st.text("abä öüß🐈⟨⟩␣ſC3", max_size=24)
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def test_a_space_belongs_to_the_word_after_it():
    assert learn("ab ab ab", 2).merges == (("a", "b"), ("␣", "ab"))
    assert learn("ab ab ab", 2).tokens("ab abab") == ("ab", "␣ab", "ab")


def test_umlauts_are_shown_as_what_they_are_at_byte_level():
    assert learn("hö bö mö", 2, "byte").merges[0] == ("⟨C3⟩", "⟨B6⟩")
    model = learn("schön schön hören", 4, "byte")
    assert model.merges[:2] == (("h", "⟨C3⟩"), ("h⟨C3⟩", "⟨B6⟩"))
    assert "hö" in model.vocabulary
    assert learn("ää äß", 5, "byte").tokens("ää äß ß") == ("ää", "␣äß", "␣", "⟨C3⟩", "⟨9F⟩")


def test_words_with_counts_are_a_corpus_too():
    assert learn({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3).merges == (
        ("e", "s"), ("es", "t"), ("l", "o"),
    )  # fmt: skip


@pytest.mark.parametrize("level", ["character", "byte"])
def test_ids_are_the_alphabet_and_then_the_merges(level):
    model = learn(TEXT, 12, level)
    assert len(model.vocabulary) == len(model.alphabet) + 12
    assert len(model.alphabet) == (256 if level == "byte" else len(set(TEXT)))
    assert model.decode(model.encode("die größte Katze")) == "die größte Katze"
    assert [model.vocabulary[k] for k in model.encode("Matte")] == list(model.tokens("Matte"))


@given(TEXTS, st.sampled_from([0, 3, 20]))
def test_bytes_come_back_whatever_the_text(text, merges):
    model = learn(TEXT, merges, "byte")
    assert model.decode(model.encode(text)) == text


@given(st.text("Katzesimuäöüß ", max_size=30))
def test_letters_come_back(text):
    model = learn(TEXT, 20)
    assert model.decode(model.encode(text)) == text
    tokens = model.tokens(text)
    made = {a + b for a, b in model.merges}
    assert all(len(token) == 1 or token in made for token in tokens)


@given(ANY)
def test_a_label_tells_its_bytes(text):
    signs = bpe_text.signs(text)
    assert bpe_text.read(bpe_text.shown(signs)) == signs
    for cut in range(len(signs)):
        assert bpe_text.read(bpe_text.shown(signs[cut:])) == signs[cut:]


@given(st.text("abcäß ", min_size=1, max_size=30), st.integers(0, 9))
def test_what_is_learned_leaves_no_pair_to_merge(text, merges):
    assume(merges < len(set(text)))
    model = learn(text + "".join(sorted(set(text))), merges)
    for word in text.split():
        assert not set(pairwise(model.tokens(word))) & set(model.merges)


def test_a_character_outside_the_vocabulary_is_named_with_the_vocabulary():
    with pytest.raises(UserError) as caught:
        learn("abc abd", 2).encode("abq")
    assert "the character 'q' is not in the vocabulary" in str(caught.value)
    assert "5 letters: a b c d ␣" in str(caught.value)
    with pytest.raises(UserError, match="no token with the id 9; expected 0 to 6"):
        learn("abc abd", 2).decode([9])


def test_a_merge_list_with_a_missing_part_is_refused(merges, message):
    with pytest.raises(UserError, match=message):
        from_list(merges)


def test_more_merges_than_a_corpus_has_and_an_unknown_level_are_refused():
    with pytest.raises(UserError, match="found 9 merges, expected at most 2: then each word"):
        learn("abc", 9)
    with pytest.raises(UserError, match="no level 'bytes'; did you mean 'byte'"):
        learn("abc", 1, "bytes")


@pytest.mark.parametrize(("kind", "level"), [("bpe", "character"), ("bpe-bytes", "byte")])
def test_the_tokenizer_takes_the_merges_and_gives_the_sentence_back(kind, level):
    model = learn(TEXT, 15, level)
    found = tokenize("  die  Katze\tist größer ", kind, (), model.merges)
    assert found.sentence == "die Katze ist größer"
    assert found.tokens == model.tokens("die Katze ist größer")
    assert joined(found.tokens, kind) == found.sentence


def test_a_list_at_byte_level_reads_labels():
    model = from_list(["⟨C3⟩ ⟨A4⟩", "ä h", "␣ äh"], "byte")
    assert model.tokens("äh äh") == ("äh", "␣äh")
    assert pieces("aä", model.merges, "byte") == ("a", "ä")
    assert text_of(["⟨C3⟩"], "byte") == "\ufffd"
    assert Bpe((), ("a",)).encode("aa") == (0, 0)
