"""One training step: by hand, from both places of tied embeddings, and what is refused."""

import math
from contextlib import suppress

import numpy as np
import pytest

import generator
from generator.engine.choices import TARGETS
from generator.engine.draws import draw
from generator.errors import UserError
from generator.presets.load import shipped

LOSS = "loss.cross_entropy"


def learned(**options):
    options = {"preset": "katze", "next_word": "Matte", "train": 1} | options
    return generator.compute(**options)


def number(trace, name, i=0, j=0):
    return float(trace[name].values[i, j])


def test_the_gradient_at_the_logits_is_share_minus_target():
    trace = learned()
    shares = trace["output.probabilities"].values[1]  # the row of T = 1
    error = shares - trace["loss.onehot"].values[0]
    np.testing.assert_allclose(trace["grad.output.logits"].values[0], error, atol=1e-12)
    assert trace["grad.output.tempered"].rows == ("T=1",)


def test_by_hand_on_paper():
    """0.366 − 1 = −0.634; times y; the new row is the old one minus 0.1 times that."""
    trace = learned(only="output.matrix")
    y, error = trace["last"].values[0], number(trace, "grad.output.logits", 0, 5)
    assert error == -0.634
    row = [math.floor(abs(error * v) * 1000 + 0.5 + 1e-9) / 1000 for v in y]
    found = trace["grad.output.matrix"].values[5]
    np.testing.assert_allclose(found, np.copysign(row, -y), atol=1e-12)
    new = trace["output.matrix"].values[5] - 0.1 * found
    np.testing.assert_allclose(trace["update.output.matrix"].values[5], new, atol=1e-12)


def test_one_page_of_steps_where_the_output_learns_alone():
    trace = learned(only="output.matrix")
    mine = [step.name for step in trace if step.place.learning]
    assert mine == [
        *("learning.rate", "grad.output.tempered", "grad.output.logits", "grad.output.matrix"),
        *("update.output.matrix", "step2.output.logits", "step2.output.tempered"),
        *("step2.output.exp", "step2.output.sum", "step2.output.probabilities"),
        *("step2.sampling.share", "step2.sampling.rank", "step2.sampling.next"),
        *("step2.loss.probability", f"step2.{LOSS}", "step2.loss.perplexity"),
    ]
    plain = generator.compute(preset="katze", next_word="Matte")
    for step in plain:
        np.testing.assert_array_equal(step.values, trace[step.name].values)


def test_tied_embeddings_collect_gradients_in_both_places():
    trace = learned(rounding="exact")
    names = ("output.logits", "embedding")
    parts = [trace[f"grad.vocabulary.embedding.from.{name}"] for name in names]
    total = trace["grad.vocabulary.embedding"]
    assert total.inputs == tuple(part.name for part in parts)
    np.testing.assert_allclose(total.values, sum(part.values for part in parts), atol=1e-15)
    assert all(np.abs(part.values).max() > 0.01 for part in parts)


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_the_loss_falls_and_the_first_pass_stays_as_it_is(rounding):
    plain, trace = (learned(train=n, rounding=rounding) for n in (0, 2))
    assert list(plain.steps) == list(trace.steps)[: len(plain)]
    losses = [number(trace, f"{at}{LOSS}") for at in ("", "step2.", "step3.")]
    assert losses == sorted(losses, reverse=True)
    assert losses[2] < losses[0] - 0.3


def test_what_no_new_weight_reaches_is_not_computed_again():
    trace = learned(only="block1.weight.feedforward")
    assert "step2.block1.hidden" not in trace
    assert trace["step2.block1.feedforward"].inputs[0] == "block1.activation"
    assert trace["step2.block1.feedforward"].inputs[1] == "update.block1.weight.feedforward"


def test_every_position_and_its_mean():
    trace = generator.compute(preset="katze", train=1, targets="all", rounding="exact")
    each = trace["loss.all.cross_entropy"].values
    assert each.shape == (5, 1)
    assert trace["loss.all.target"].values[:, 0].tolist() == list(trace.tokens[1:])
    assert number(trace, LOSS) == pytest.approx(each.mean(), abs=1e-15)
    named = learned(targets="all", rounding="exact")
    assert named["loss.all.cross_entropy"].shape == (6, 1)
    last = number(learned(rounding="exact"), LOSS)
    assert number(named, "loss.all.cross_entropy", 5) == pytest.approx(last, abs=1e-12)


def test_finite_differences_agree():
    """The slope of the loss at single weights; katze's rounding of its input is straight through,
    so a model without one is asked.
    """
    options = {"preset": "nihao", "rounding": "exact", "next_word": "界"}
    found, h = generator.gradients(generator.compute(**options)), 1e-6
    for name in ("block1.head1.weight.query", "block2.gain1", "position", "output.bias"):
        i, j = np.unravel_index(np.abs(found[name]).argmax(), found[name].shape)
        base = generator.compute(**options)[name].values[i, j]
        up, down = (
            number(generator.compute(edits={f"{name}[{i + 1},{j + 1}]": x}, **options), LOSS)
            for x in (base + h, base - h)
        )
        assert (up - down) / (2 * h) == pytest.approx(found[name][i, j], rel=1e-6, abs=1e-9)


def test_gradients_of_a_trace_are_those_of_its_training():
    trace = learned(rounding="exact")
    found = generator.gradients(
        generator.compute(preset="katze", rounding="exact"), next_word="Matte"
    )
    again = generator.gradients(trace)
    assert list(found) == list(again)
    for name, gradient in found.items():
        np.testing.assert_array_equal(gradient, trace[f"grad.{name}"].values)


def test_a_rate_can_be_edited_and_the_words_are_put_into_the_language():
    doubled = learned(edits={"learning.rate": 0.2}, language="en")
    assert doubled["loss.target"].values[0, 0] == "mat"
    np.testing.assert_array_equal(
        doubled["update.vocabulary.embedding"].values,
        learned(rate=0.2)["update.vocabulary.embedding"].values,
    )


def test_a_weight_learns_only_while_its_switch_is_on():
    names = ("vocabulary.embedding", "block1.head1.weight.query")
    trace = learned(controls=True, edits={"switch.learning[1,1]": 0})
    assert trace["switch.learning"].rows[:2] == names
    for name, same in zip(names, (True, False), strict=True):
        assert np.array_equal(trace[f"update.{name}"].values, trace[name].values) == same
    np.testing.assert_array_equal(
        trace[f"update.{names[1]}"].values, learned()[f"update.{names[1]}"].values
    )
    with pytest.raises(UserError, match=r"switch\.learning: found 2, expected 1 \(on\) or 0"):
        learned(controls=True, edits={"switch.learning[1,1]": 2})
    assert "switch.learning" not in learned()


def test_what_is_refused(options, parts):
    with pytest.raises(UserError) as error:
        learned(**options)
    message = str(error.value)
    assert all(part in message for part in parts), message


@pytest.mark.parametrize("preset", shipped())
@pytest.mark.parametrize("targets", TARGETS)
def test_each_preset_learns_or_says_why_not(preset, targets):
    """Any other exception would reach the person who asked as a traceback."""
    tokens = generator.compute(preset=preset).tokens
    drawn = tokens[draw("learned", 0, f"{preset} {targets}", 0, len(tokens))]
    for next_word in (None, drawn, "⌂"):
        with suppress(UserError):
            assert learned(preset=preset, targets=targets, next_word=next_word).training


def test_a_strategy_that_cuts_words_off_is_told_apart_from_the_loss():
    from dataclasses import replace

    katze = generator.load_preset("katze")
    cut = replace(katze, strategy="top-k", k=2, random=0.5)
    trace = learned(preset=cut)
    assert any("loss is that of all words" in notice for notice in trace.notices)
    assert number(trace, LOSS) == number(learned(), LOSS)
