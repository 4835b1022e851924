"""The vocabulary of a sentence with new words: what stays, what leaves, what is drawn."""

import dataclasses

import pytest

from generator import compute
from generator.engine.draws import drawn_embedding
from generator.errors import UserError
from generator.insight.behaviour import looks
from generator.presets.load import load_preset
from tests.engine.models import small

OWN = "Heute scheint die Sonne am Meer"


def test_new_words_stand_after_the_known_ones_or_take_their_place(sentence, own, words):
    trace = compute(sentence, preset=small(own=own))
    assert trace["vocabulary.words"].values[:, 0].tolist() == words


def test_words_that_stay_keep_their_numbers():
    trace = compute("c x a", preset=small(own="yield"))
    rows = trace["vocabulary.embedding"].values.tolist()
    assert rows[:2] == [[0.9, 0.1, 0.0, 0.1], [0.0, 0.1, 0.9, 0.0]]
    assert rows[2] == list(drawn_embedding("x", 1, 4))
    ids = trace["ids"].values[:, 0].astype(int).tolist()
    assert [trace["vocabulary.words"].values[k, 0] for k in ids] == ["c", "x", "a"]
    assert trace["output.probabilities"].columns == ("a", "c", "x")


@pytest.mark.parametrize("edit", [{"tokens[1]": "b"}, {"loss.target": "b"}])
def test_a_word_that_has_left_cannot_be_put_in(edit):
    with pytest.raises(UserError, match="is not in the vocabulary"):
        compute("c x a", preset=small(own="yield"), edits=edit)
    assert compute("c x a", preset=small(), edits=edit).edits == edit


@pytest.mark.parametrize("preset", ["katze", "brille", "random"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_no_other_word_stands_beside_an_own_sentence(preset, language):
    trace = compute(OWN, preset=preset, language=language)
    assert set(trace["vocabulary.words"].values[:, 0]) == set(OWN.split())
    if "sampling.next" in trace:
        assert trace["sampling.next"].values[0, 0] in OWN.split()


def test_drawn_words_are_0_in_reserved_dimensions():
    free, kept = (small(reserved=reserved) for reserved in ((), (1, 3)))
    drawn, zeroed = (compute("a x", preset=one)["embedding"].values for one in (free, kept))
    assert (drawn[1] != 0).all()
    assert zeroed[1].tolist() == [drawn[1, 0], 0.0, drawn[1, 2], 0.0]
    assert zeroed[0].tolist() == drawn[0].tolist(), "the preset's own words stay as they are"


def test_the_head_that_looks_back_does_so_in_any_sentence(sentence):
    preset = load_preset("previous-word")
    (promise,) = preset.behaviour
    shares = [one.share for one in looks(compute(sentence, preset=preset), promise)]
    assert len(shares) == len(sentence.split()) - 1
    assert min(shares) >= promise.least
    disturbed = compute(sentence, preset=dataclasses.replace(preset, reserved=()))
    assert min(one.share for one in looks(disturbed, promise)) < promise.least
