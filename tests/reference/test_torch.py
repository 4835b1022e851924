"""The engine in exact arithmetic against PyTorch float64, for every pair of options.

torch is imported inside, so that collecting the README's tests does not need it.
"""

import json
from itertools import count

import numpy as np
import pytest

from tests.reference.agreement import cells, disagreements
from tests.reference.cases import ROUNDS, Case, all_cases, build, cases_of_round, kept_options
from tests.reference.freeze import FROZEN_FILE, frozen_steps, frozen_text
from tests.reference.options import OPTIONS, Options, pairs, possible_pairs

pytestmark = [pytest.mark.sweep, pytest.mark.reference]

CASES = 385
PAIRS = 3957
CELLS_PER_ROUND = 45_000

LAYER: Options = {
    "start": "sentence", "parts": "ARF", "tokenizer": "word", "length": 5, "positions": "none",
    "blocks": 1, "heads": 2, "d_head": 2, "mask": "causal", "norm": "post", "gain": "all",
    "beta": "all", "final": "no", "epsilon": 1e-5, "activation": "gelu", "base": "e",
    "shifted": "never", "size": "usual", "w_o": "yes", "bias_query": "yes", "bias_key": "yes",
    "bias_value": "yes", "bias_output": "yes", "bias_hidden": "yes", "bias_feedforward": "yes",
}  # fmt: skip


@pytest.mark.parametrize("round_", range(1, ROUNDS + 1))
def test_engine_equals_torch(round_: int):
    from tests.reference.torch_model import reference

    problems, compared = [], 0
    for case in cases_of_round(round_):
        want = reference(case.preset, case.tokens)
        trace = case.computed()
        problems += [f"{case.name} {line}" for line in disagreements(want, trace)]
        compared += cells(want)
    assert problems == []
    assert compared >= CELLS_PER_ROUND


def test_every_value_and_every_pair_occurs_in_every_round():
    wanted = set(possible_pairs())
    assert len(wanted) >= PAIRS
    for round_ in range(1, ROUNDS + 1):
        run = cases_of_round(round_)
        assert len(run) == len(kept_options()[str(round_)]), "python -m tests.reference.freeze"
        assert set().union(*(pairs(case.options) for case in run)) == wanted
        values = {item for case in run for item in case.options.items()}
        assert values == {(name, value) for name, column in OPTIONS.items() for value in column}
    assert len(all_cases()) >= CASES
    assert len({case.name for case in all_cases()}) == len(all_cases())


def test_torch_was_shifted_and_left_alone_where_auto_decides():
    from tests.reference.torch_model import reference

    found = {False: 0, True: 0}
    for case in cases_of_round(1):
        if case.options.get("shifted") == "auto":
            names = reference(case.preset, case.tokens)
            found[any(name.endswith("shifted") for name in names)] += 1
    assert min(found.values()) >= 5


def test_the_frozen_file_is_what_torch_finds_now():
    now, then = json.loads(frozen_text()), json.loads(FROZEN_FILE.read_text(encoding="utf-8"))
    assert now.keys() == then.keys()
    for name, case in now.items():
        new, old = frozen_steps(case["steps"]), frozen_steps(then[name]["steps"])
        assert new.keys() == old.keys()
        for step, want in new.items():
            if want.dtype == object:
                assert want.tolist() == old[step].tolist(), (name, step)
            else:
                np.testing.assert_allclose(old[step], want, rtol=1e-11, atol=1e-11, err_msg=step)


# ---- the reference itself, against the modules that ship with torch ----------------------------


def square_case(options: Options) -> Case:
    """A case whose heads side by side are as wide as the model, as torch's modules need it."""
    drawn = (build(f"layer{i}", options) for i in count())
    return next(c for c in drawn if c.preset.d_model == c.preset.heads * c.preset.d_head)


def set_up(module, case: Case) -> None:
    """Copies the case's weights into a MultiheadAttention: torch keeps them as [out, in]."""
    import torch

    w, heads = case.preset.weights, range(1, case.preset.heads + 1)
    names = [f"block1.head{h}.{{}}.{n}" for n in ("query", "key", "value") for h in heads]
    with torch.no_grad():
        columns = [torch.tensor(w[name.format("weight")]).T for name in names]
        module.in_proj_weight.copy_(torch.cat(columns))
        module.in_proj_bias.copy_(torch.cat([torch.tensor(w[n.format("bias")])[0] for n in names]))
        module.out_proj.weight.copy_(torch.tensor(w["block1.weight.output"]).T)
        module.out_proj.bias.copy_(torch.tensor(w["block1.bias.output"])[0])


def causal(n: int):
    import torch

    return torch.ones(n, n, dtype=torch.bool).triu(1)


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_attention_equals_torchs_own_module(heads: int):
    import torch

    from tests.reference.torch_model import reference

    case = square_case(LAYER | {"heads": heads, "d_head": 4 if heads == 1 else 2, "norm": "none"})
    steps = reference(case.preset, case.tokens)
    module = torch.nn.MultiheadAttention(case.preset.d_model, heads, dtype=torch.float64)
    set_up(module, case)
    x = torch.tensor(steps["input"])
    out, shares = module(
        x, x, x, attn_mask=causal(len(x)), need_weights=True, average_attn_weights=False
    )
    np.testing.assert_allclose(steps["block1.attention"], out.detach(), atol=1e-12)
    for h in range(heads):
        mine = steps[f"block1.head{h + 1}.weights"]
        np.testing.assert_allclose(mine, shares[h].detach(), atol=1e-12)


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("activation", ["relu", "gelu", "gelu_tanh"])
def test_a_block_equals_torchs_own_layer(norm: str, activation: str):
    import torch

    from tests.reference.torch_model import reference

    case = square_case(LAYER | {"norm": norm, "activation": activation})
    layer = torch.nn.TransformerEncoderLayer(
        case.preset.d_model, case.preset.heads, case.preset.d_ff, dropout=0.0,
        activation={"relu": torch.nn.ReLU(), "gelu": torch.nn.GELU()}.get(
            activation, torch.nn.GELU(approximate="tanh")
        ),
        layer_norm_eps=case.preset.epsilon, norm_first=norm == "pre", dtype=torch.float64,
    )  # fmt: skip
    set_up(layer.self_attn, case)
    own = {
        "linear1.weight": "weight.hidden", "linear1.bias": "bias.hidden",
        "linear2.weight": "weight.feedforward", "linear2.bias": "bias.feedforward",
        "norm1.weight": "gain1", "norm1.bias": "beta1",
        "norm2.weight": "gain2", "norm2.bias": "beta2",
    }  # fmt: skip
    with torch.no_grad():
        for target, name in own.items():
            parameter = layer.get_parameter(target)
            given = torch.tensor(case.preset.weights[f"block1.{name}"])
            parameter.copy_(given.T if parameter.ndim == 2 else given[0])
    steps = reference(case.preset, case.tokens)
    x = torch.tensor(steps["input"])
    out = layer(x, src_mask=causal(len(x)))
    np.testing.assert_allclose(steps["block1.output"], out.detach(), atol=1e-12)
