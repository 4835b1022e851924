"""Numbers drawn without chance: frozen, because a drawn preset must never change."""

from generator.engine.draws import draw, drawn_embedding
from generator.presets.load import load_preset


def test_frozen_draws(purpose, seed, key, counter, size, number):
    assert draw(purpose, seed, key, counter, size) == number


def test_frozen_embeddings():
    assert drawn_embedding("Hund", 1, 4) == (-0.8, -0.7, -0.4, -0.2)
    assert drawn_embedding("dog", 1, 6) == (-0.5, 0.0, 0.7, 0.4, -0.8, 0.9)
    assert drawn_embedding("Hund", 2, 4) == (-0.6, 0.3, -0.5, 0.8)


def test_frozen_weights():
    drawn = load_preset("random").weights["block1.head1.weight.query"].tolist()
    assert drawn == [[-1.0, -1.0], [1.0, -0.5], [0.0, 0.5], [0.0, 1.0]]


def test_two_spellings_of_a_letter_are_one_key():
    assert drawn_embedding("e\u0301", 1, 8) == drawn_embedding("\u00e9", 1, 8)


def test_a_longer_embedding_begins_like_the_shorter():
    assert drawn_embedding("Hund", 1, 8)[:4] == drawn_embedding("Hund", 1, 4)


def test_tenths_from_minus_9_to_9_all_occur():
    drawn = {tenth for k in range(100) for tenth in drawn_embedding(f"word{k}", 3, 4)}
    assert drawn == {k / 10 for k in range(-9, 10)}
