"""The mean of several sentences' gradients: finite differences, and one model for all."""

import numpy as np
import pytest

import generator
from generator.engine.trace_gradients import mean_gradients
from generator.errors import UserError

SENTENCES = {"Die Katze sitzt": "auf", "Matte auf der": "Katze", "sitzt Die": "der"}


def traces(**edits: float):
    """Of one vocabulary: each sentence by its tokens in a sentence of all six words."""
    return [
        generator.compute(
            sentence, preset="katze-trained", rounding="exact", next_word=word, edits=edits
        )
        for sentence, word in SENTENCES.items()
    ]


def mean_loss(**edits: float) -> float:
    return float(np.mean([one.values("loss.cross_entropy")[0, 0] for one in traces(**edits)]))


def test_it_is_the_slope_of_the_mean_loss() -> None:
    found = mean_gradients(traces())
    assert len(found) == 10
    step = 1e-5
    for name, i, j in (
        ("block1.weight.feedforward", 2, 1),
        ("block1.head1.weight.value", 1, 0),
        ("block1.weight.hidden", 3, 4),
    ):
        old = float(traces()[0].values(name)[i, j])
        address = f"{name}[{i + 1},{j + 1}]"
        up, down = (mean_loss(**{address: old + s}) for s in (step, -step))
        assert found[name][i, j] == pytest.approx((up - down) / (2 * step), abs=1e-6)


def test_one_sentence_twice_is_that_sentence() -> None:
    one = traces()[0]
    twice, alone = mean_gradients([one, one]), generator.gradients(one)
    for name, array in twice.items():
        assert array == pytest.approx(alone[name], abs=1e-15)


def test_other_weights_and_a_single_sentence_are_refused() -> None:
    one, other = traces()[0], traces(**{"block1.weight.hidden[1,1]": 0.7})[1]
    with pytest.raises(UserError, match="learned together by one model"):
        mean_gradients([one, other])
    with pytest.raises(UserError, match="expected at least 2"):
        mean_gradients([one])
