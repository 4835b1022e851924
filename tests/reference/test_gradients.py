"""Gradients of the engine against PyTorch's autograd, for every pair of options.

Differences are relative to the largest number of a gradient or of the weights, or to 1 where
these are smaller: a model that is sure of itself has gradients of the size of the last bit of its
probabilities.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pytest

import generator
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.presets.load import load_preset, shipped
from tests.reference.cases import Case, cases_of_round
from tests.reference.freeze import MOST_ROUNDS

pytestmark = [pytest.mark.sweep, pytest.mark.reference]

TOLERANCE = 1e-12
ROUNDS = MOST_ROUNDS
LEAST = 300  # models in all rounds whose loss exists


def own_words(trace: Trace) -> Preset:
    """The preset with all words of the computation, also those that were drawn for it."""
    words = trace["vocabulary.words"].values[:, 0].tolist()
    rows = map(tuple, trace["vocabulary.embedding"].values.tolist())
    return replace(trace.preset, words=dict(zip(words, rows, strict=True)))


def differences(trace: Trace, word: str, targets: str) -> Iterator[str]:
    """A line for each weight whose gradient is another one than autograd's."""
    from tests.reference.torch_gradients import gradients_of

    want = gradients_of(own_words(trace), trace.tokens, word, every=targets == "all")
    got: Mapping[str, np.ndarray] = generator.gradients(trace, next_word=word, targets=targets)
    largest = max(1.0, *(float(np.abs(one).max()) for one in trace.preset.weights.values()), 1.0)
    for name in want.keys() - got.keys():
        if want[name].any():  # e.g. queries of one token that sees itself alone
            yield f"{name}: a gradient that the engine does not have"
    for name in want.keys() & got.keys():
        expected = want[name][: len(got[name])]  # positions that the sentence has
        off = float(np.abs(got[name] - expected).max())
        if not off <= TOLERANCE * max(largest, float(np.abs(expected).max())):
            yield f"{name}: off by {off:g}"


def predicting() -> list[str]:
    found = {name: load_preset(name) for name in shipped()}
    return [
        name
        for name, preset in found.items()
        if "output" in preset.parts and preset.output != "none"
    ]


@pytest.mark.parametrize("name", predicting())
def test_shipped_presets(name: str):
    trace = generator.compute(preset=name, rounding="exact")
    words = trace["vocabulary.words"].values[:, 0].tolist()
    ways = ("last",) if trace.preset.start == "vector" else ("last", "all")
    for targets in ways:
        assert list(differences(trace, words[-1], targets)) == []


def compared(case: Case, targets: str) -> list[str] | None:
    """What differs in a drawn model; None where its loss does not exist in floating point."""
    trace = case.computed()
    word = next(iter(case.preset.words))
    try:
        return [f"{case.name} {line}" for line in differences(trace, word, targets)]
    except UserError as error:  # the model is sure, and wrong
        if "the probability is 0" in str(error) or "too large an exponent" in str(error):
            return None
        raise


def learning(round_: int) -> list[Case]:
    cases = cases_of_round(round_)
    return [c for c in cases if "output" in c.preset.parts and c.preset.output != "none"]


@pytest.mark.parametrize("round_", range(1, ROUNDS + 1))
def test_every_pair_of_options(round_: int):
    found = []
    for k, case in enumerate(learning(round_)):
        every = case.preset.start != "vector" and (k + round_) % 2
        found.append(compared(case, "all" if every else "last"))
    assert [line for lines in found for line in lines or ()] == []
    assert sum(lines is not None for lines in found) >= LEAST / ROUNDS


@pytest.mark.parametrize("name", ["katze", "katze-trained", "nihao"])
def test_five_steps_are_those_of_torchs_own_descent(name: str):
    import torch

    from tests.reference.torch_gradients import leaves_of, loss_of

    preset = load_preset(name)
    word, rate, steps = list(preset.words)[2], 0.02, 5
    trace = generator.compute(preset=name, rounding="exact", next_word=word, train=steps, rate=rate)
    leaves = leaves_of(preset)
    descent = torch.optim.SGD(list(leaves.values()), lr=rate)
    for step in range(1, steps + 2):
        loss = loss_of(preset, trace.tokens, leaves, word, every=False)
        at = f"step{step}." if step > 1 else ""
        mine = float(trace[f"{at}loss.cross_entropy"].values[0, 0])
        assert mine == pytest.approx(loss.item(), rel=1e-12)
        descent.zero_grad()
        torch.autograd.backward(loss)
        if step <= steps:
            descent.step()
            for weight, leaf in leaves.items():
                if (new := f"{at}update.{weight}") in trace:
                    mine = trace[new].values
                    theirs = leaf.detach().numpy()[: len(mine)]
                    np.testing.assert_allclose(mine, theirs, rtol=1e-11, atol=1e-12)


def test_the_frozen_file_is_what_autograd_finds_now():
    from tests.reference.freeze_gradients import FILE, text

    now, then = json.loads(text()), json.loads(FILE.read_text(encoding="utf-8"))
    assert {name: list(weights) for name, weights in now.items()} == {
        name: list(weights) for name, weights in then.items()
    }
    for name, weights in now.items():
        for weight, table in weights.items():
            np.testing.assert_allclose(then[name][weight], table, rtol=1e-11, atol=1e-12)
