"""Edits: each form of address, each message, and a structure that stays."""

import numpy as np
import pytest

from generator.engine.model import compute
from generator.errors import UserError
from generator.presets.load import load_preset
from tests.engine.models import small, with_words

W = "block1.head1.weight.query"


def refused(edits: dict[str, object], **changes: object) -> str:
    with pytest.raises(UserError) as caught:
        compute(small(**changes), edits=edits)
    return str(caught.value)


@pytest.mark.parametrize("address", [f"{W}[2,1]", f"{W}[2, 1]", f" {W}[2,1] "])
def test_one_cell_is_counted_from_1(address):
    plain, edited = compute(small()), compute(small(), edits={address: 0.3})
    assert edited[W].values[1, 0] == 0.3
    changed = plain[W].values != edited[W].values
    assert np.argwhere(changed).tolist() == [[1, 0]]
    assert not np.array_equal(plain["output.logits"].values, edited["output.logits"].values)


def test_one_index_counts_along_a_column_or_a_row():
    edited = compute(small(), edits={"tokens[3]": "a", "temperature[1]": 0.25})
    assert edited.tokens == ("a", "b", "a")
    assert edited["temperature"].values.tolist() == [[0.25]]


def test_a_whole_table():
    table = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]]
    assert compute(small(), edits={W: table})[W].values.tolist() == table


def test_temperature_alone_is_the_one_that_draws():
    preset = small(temperatures=(0.5, 1.0, 2.0))
    edited = compute(preset, edits={"temperature": 0.7})
    assert edited["temperature"].values.ravel().tolist() == [0.5, 0.7, 2.0]
    without_1 = compute(small(temperatures=(0.5, 2.0)), edits={"temperature": 0.7})
    assert without_1["temperature"].values.ravel().tolist() == [0.7, 2.0]


def test_a_plain_name_sets_a_single_number():
    preset = small(strategy="top-k", k=2, random=0.1)
    edited = compute(preset, edits={"sampling.k": 1, "sampling.random": "0.9"})
    assert edited["sampling.kept"].values.sum() == 1
    assert edited["sampling.random"].values[0, 0] == 0.9


def test_an_edited_token_takes_the_other_word_through():
    edited = compute(small(), edits={"tokens[1]": "c"})
    same = compute(small(), "c b c")
    assert np.array_equal(edited["output.logits"].values, same["output.logits"].values)


def test_an_edit_leaves_the_preset_alone():
    preset = small()
    before = preset.weights[W].copy()
    compute(preset, edits={f"{W}[1,1]": 9.0})
    assert np.array_equal(preset.weights[W], before)


def test_edits_are_kept_with_the_trace():
    assert compute(small(), edits={"temperature": 0.5}).edits == {"temperature": 0.5}
    assert compute(small()).edits == {}


def test_messages(edits, parts):
    message = refused(edits)
    for part in parts:
        assert part in message


def test_limits_and_random_numbers_are_checked_too():
    drawing = {"strategy": "top-k", "k": 2, "random": 0.5}
    assert "from 0 up to, but not including, 1" in refused({"sampling.random": 1}, **drawing)
    assert "expected a number above 0" in refused({"sampling.k": 0}, **drawing)


def test_an_automatic_shift_stays_as_it_was():
    plain = compute(small(shifted="auto"))
    assert "block1.head1.max" not in plain
    with pytest.raises(UserError, match=r"block1.head1.exp, row .* too large an exponent"):
        compute(small(shifted="auto"), edits={"vocabulary.embedding[1,1]": 1e4})
    large = with_words(small(shifted="auto"), {w: (90.0, k, 9.0, 1.0) for k, w in enumerate("abc")})
    shifted = compute(large)
    assert "block1.head1.max" in shifted
    tame = compute(large, edits={"vocabulary.embedding": [[0.1] * 4, [0.2] * 4, [0.3] * 4]})
    assert list(tame.steps) == list(shifted.steps)


@pytest.mark.parametrize("edits", [{"temperature": 0.01}, {"tokens[2]": "c"}, {f"{W}[1,1]": 5}])
def test_the_structure_never_depends_on_edits(edits):
    plain, edited = compute(small()), compute(small(), edits=edits)
    assert list(plain.steps) == list(edited.steps)
    assert [s.op for s in plain] == [s.op for s in edited]


def test_labels_name_the_edited_tokens():
    trace = compute(load_preset("katze"), edits={"tokens[3]": "auf"})
    assert trace.sentence == "Die Katze auf auf der Matte"
    assert trace.tokens == ("Die", "Katze", "auf", "auf", "der", "Matte")
    assert trace["block1.head1.scores"].rows == trace.tokens
    assert trace["vocabulary.words"].values[:, 0].tolist()[2] == "sitzt"
