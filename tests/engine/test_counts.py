"""The parameter count: this model's numbers beside the published ones of GPT-2 small."""

import numpy as np
import pytest

from generator.engine.model import COLUMNS, compute
from generator.presets.load import load_preset
from tests.engine.models import small, with_weights


def test_source_000_and_gpt2_small():
    trace = compute(load_preset("katze"))
    steps = [step for step in trace if step.name.startswith("count.") and step.kind == "computed"]
    counted = {step.name: step.values[0].tolist() for step in steps}
    assert counted == {
        "count.query_key_value": [48, 1_769_472],
        "count.attention_output": [16, 589_824],
        "count.feedforward": [64, 4_718_592],
        "count.norm": [16, 3_072],
        "count.bias": [0, 6_912],
        "count.embedding": [24, 38_597_376],
        "count.position": [0, 786_432],
        "count.output": [0, 1_536],
        "count.block": [144, 7_087_872],
        "count.blocks": [144, 85_054_464],
        "count.total": [168, 124_439_808],  # as published (Radford et al. 2019)
    }
    assert trace["count.total"].columns == trace["count.size"].columns == COLUMNS


@pytest.mark.parametrize("w_o", [True, False])
def test_every_number_of_a_model_is_counted_once(w_o):
    preset = with_weights(small(d_head=2), position=np.zeros((5, 4)), output__bias=[[1, 2, 3]])
    weights = {k: v for k, v in preset.weights.items() if w_o or not k.endswith("weight.output")}
    changes = {"norm": "none", "positions": "learned", "weights": weights}
    trace = compute(small(**changes), "a b c")
    given = sum(matrix.size for matrix in weights.values())
    assert trace["count.total"].values[0, 0] == given + 3 * 4
