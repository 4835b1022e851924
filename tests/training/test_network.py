"""The network that learns is the engine's model: every form and place of the norm."""

from itertools import product

import numpy as np
import pytest

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.presets.load import parse

pytestmark = pytest.mark.reference

PRESET = """
format = 1
name = "norms"
language = "en"
sentence.en = "a b c"
rounding = "exact"
model = {{ d_model = 3, d_ff = 4, blocks = 2 }}
norm = {{ kind = "{kind}", form = "{form}", epsilon = 0.01, final = true }}
vocabulary.words = {{ a = [1, -2, 0.5], b = [0, 1, 3], c = [2, 0.5, -1] }}
[weights]
"final.gain" = [1, 2, -1]
"""
DRAWN = [f"head1.weight.{w}" for w in ("query", "key", "value")]
DRAWN += ["weight.output", "weight.hidden", "weight.feedforward", "gain1", "gain2"]


def norms(kind: str, form: str) -> Preset:
    weights = [f'"block{b}.{w}" = "draw -1 1 0.1"' for b, w in product((1, 2), DRAWN)]
    return parse(PRESET.format(kind=kind, form=form) + "\n".join(weights), "norms.toml")


@pytest.mark.parametrize("form", ["layer", "rms"])
@pytest.mark.parametrize("kind", ["post", "pre"])
def test_its_logits_are_the_engines(kind: str, form: str):
    from tests.training import torch_learner

    preset = norms(kind, form)
    trace = compute(preset, "a b c")
    numbers = {n: np.array(w) for n, w in preset.weights.items()}
    numbers |= {torch_learner.EMBEDDING: trace["vocabulary.embedding"].values.copy()}
    found = torch_learner.Network(preset, [[0, 1, 2]]).values(numbers)
    np.testing.assert_allclose(found, trace["output.logits"].values, rtol=0, atol=1e-12)
