"""Source 002: its own configuration, and its class GPT, against the engine and the preset."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from generator import compute, load_preset
from generator.cli import main
from generator.engine.model import compute as engine
from generator.engine.preset import Preset
from tests.presets.mapping import shown
from tests.reference.agreement import cells, disagreements

pytestmark = pytest.mark.reference

CHARACTERS = "你好世界"
D_MODEL, HEADS, BLOCKS, D_FF, LONGEST = 512, 8, 6, 2048, 128
PARAMETERS = 18_972_676  # of the source's class GPT
CLOSE = 1e-9


def source_model(d_model=D_MODEL, heads=HEADS, blocks=BLOCKS, d_ff=D_FF, longest=LONGEST):
    """The source's class GPT from torch's own modules, in float64; W_O and b belong to MHA."""
    import torch
    from torch import nn

    def block() -> nn.ModuleDict:
        linear = {name: nn.Linear(d_model, d_model, bias=False) for name in "QKVO"}
        network = {"up": nn.Linear(d_model, d_ff), "down": nn.Linear(d_ff, d_model)}
        norms = {"ln1": nn.LayerNorm(d_model), "ln2": nn.LayerNorm(d_model)}
        return nn.ModuleDict({**linear, **network, **norms})

    class GPT(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.token = nn.Embedding(len(CHARACTERS), d_model)
            self.position = nn.Embedding(longest, d_model)
            self.blocks = nn.ModuleList([block() for _ in range(blocks)])
            self.ln_f = nn.LayerNorm(d_model)
            self.head = nn.Linear(d_model, len(CHARACTERS))

        def forward(self, ids):
            x = self.token(ids) + self.position(torch.arange(len(ids)))
            for one in self.blocks:
                x = x + self.attention(one, one["ln1"](x))
                x = x + one["down"](torch.relu(one["up"](one["ln2"](x))))
            return self.head(self.ln_f(x))

        def attention(self, one, x):
            q, k, v = (one[n](x).view(len(x), heads, -1).transpose(0, 1) for n in "QKV")
            scores = q @ k.transpose(1, 2) / math.sqrt(d_model // heads)
            future = torch.ones(len(x), len(x)).triu(1).bool()
            shares = scores.masked_fill(future, -math.inf).softmax(2)
            return one["O"]((shares @ v).transpose(0, 1).reshape(len(x), d_model))

    with torch.random.fork_rng():
        torch.manual_seed(2)
        model = GPT().double()
        with torch.no_grad():  # fresh gains and shifts are 1 and 0, which would hide a mistake
            for norm in (m for m in model.modules() if isinstance(m, nn.LayerNorm)):
                norm.weight.normal_(1, 0.2)
                norm.bias.normal_(0, 0.2)
    return model


def shared(model, heads: int, blocks: int) -> Iterator[tuple[str, Any]]:
    """The engine's name of each weight, and the source's numbers for it as the engine lays them."""
    state = model.state_dict()
    yield "position", state["position.weight"]
    yield from (("final.gain", state["ln_f.weight"]), ("final.beta", state["ln_f.bias"]))
    yield from (("output.matrix", state["head.weight"]), ("output.bias", state["head.bias"]))
    for b in range(blocks):
        at, own = f"block{b + 1}", f"blocks.{b}"
        for letter, name in zip("QKV", ("query", "key", "value"), strict=True):
            for h, rows in enumerate(state[f"{own}.{letter}.weight"].chunk(heads), 1):
                yield f"{at}.head{h}.weight.{name}", rows.T
        yield f"{at}.weight.output", state[f"{own}.O.weight"].T
        for name, other in (("hidden", "up"), ("feedforward", "down")):
            yield f"{at}.weight.{name}", state[f"{own}.{other}.weight"].T
            yield f"{at}.bias.{name}", state[f"{own}.{other}.bias"]
        for n, (name, other) in product((1, 2), (("gain", "weight"), ("beta", "bias"))):
            yield f"{at}.{name}{n}", state[f"{own}.ln{n}.{other}"]


def as_preset(model) -> Preset:
    """The preset with the source's configuration and this model's numbers."""
    found = shared(model, HEADS, BLOCKS)
    table = model.token.weight.detach().numpy()
    sizes = {"d_model": D_MODEL, "heads": HEADS, "d_head": D_MODEL // HEADS, "d_ff": D_FF}
    return replace(
        load_preset("nihao"),
        **sizes,
        blocks=BLOCKS,
        epsilon=1e-5,
        words=dict(zip(CHARACTERS, map(tuple, table.tolist()), strict=True)),
        weights={name: np.atleast_2d(numbers.numpy()).copy() for name, numbers in found},
    )


def put_in(model, preset: Preset) -> None:
    """Give the source's class the numbers of a preset."""
    import torch

    with torch.no_grad():
        model.token.weight.copy_(torch.tensor(list(preset.words.values()), dtype=torch.float64))
        for name, goal in shared(model, preset.heads, preset.blocks):
            goal.copy_(torch.tensor(preset.weights[name]).reshape(goal.shape))
    for norm in (m for m in model.modules() if isinstance(m, torch.nn.LayerNorm)):
        norm.eps = preset.epsilon


def logits_of(model) -> np.ndarray:
    """What the source's class finds for the four characters."""
    import torch

    with torch.no_grad():
        return model(torch.arange(len(CHARACTERS))).numpy()


def test_the_sources_own_configuration():
    from tests.reference.torch_model import reference

    model = source_model()
    assert sum(p.numel() for p in model.parameters()) == PARAMETERS
    preset = as_preset(model)
    trace = engine(preset, CHARACTERS, rounding="exact", worked=3, exercise=2)
    assert trace["count.total"].values[0, 0] == PARAMETERS
    want = reference(preset, trace.tokens)
    assert not list(disagreements(want, trace))
    assert cells(want) > 150_000
    logits = logits_of(model)
    found = trace["output.all.logits"].values
    np.testing.assert_allclose(found, logits, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(trace["output.logits"].values, logits[-1:], rtol=0, atol=CLOSE)


def test_the_small_preset_is_the_sources_class():
    preset = load_preset("nihao")
    sizes = preset.d_model, preset.heads, preset.blocks, preset.d_ff
    model = source_model(*sizes, longest=len(preset.weights["position"]))
    put_in(model, preset)
    assert {name for name, _ in shared(model, preset.heads, preset.blocks)} == set(preset.weights)
    logits = logits_of(model)
    trace = compute(preset="nihao", rounding="exact")
    np.testing.assert_allclose(trace["output.all.logits"].values, logits, rtol=0, atol=CLOSE)
    assert logits.argmax(1).tolist() == [1, 2, 3, 0]
    parameters = sum(p.numel() for p in model.parameters())
    assert trace["count.total"].values[0, 0] == parameters


def test_the_sources_program_gets_in_by_naming_its_tensors(tmp_path):
    from safetensors.torch import save_file

    model = source_model()
    state = {_in_the_source(name): array for name, array in model.state_dict().items()}
    save_file(state, tmp_path / "gpt.safetensors")
    (tmp_path / "gpt.toml").write_text(shown(), encoding="utf-8")
    words = ["gpt.safetensors", "--mapping", "gpt.toml", "--out", "my-gpt.toml"]
    paths = [word if word.startswith("--") else str(tmp_path / word) for word in words]
    assert main(["presets", "import", *paths]) == 0
    trace = compute(CHARACTERS, preset=load_preset(tmp_path / "my-gpt.toml"), rounding="exact")
    assert trace["count.total"].values[0, 0] == PARAMETERS
    found = trace["output.all.logits"].values
    np.testing.assert_allclose(found, logits_of(model), rtol=0, atol=CLOSE)


def _in_the_source(name: str) -> str:
    """What the source's program calls a tensor of the model above."""
    for ours, theirs in (
        ("token.", "token_embedding."),
        ("position.", "position_embedding."),
        (".up.", ".ffn.net.0."),
        (".down.", ".ffn.net.2."),
        *((f".{letter}.", f".attn.W_{letter}.") for letter in "QKVO"),
    ):
        name = name.replace(ours, theirs)
    return name
