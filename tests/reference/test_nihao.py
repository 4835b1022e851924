"""Source 002: its own configuration, and its class GPT, against the engine and the preset."""

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

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


def names(heads: int, blocks: int) -> dict[str, tuple[str, int | None]]:
    """The engine's name of each weight: the source's, and the head it is cut for."""
    found: dict[str, tuple[str, int | None]] = {
        "position": ("position.weight", None),
        "final.gain": ("ln_f.weight", None),
        "final.beta": ("ln_f.bias", None),
        "output.matrix": ("head.weight", None),
        "output.bias": ("head.bias", None),
    }
    for b in range(blocks):
        at, own = f"block{b + 1}", f"blocks.{b}"
        for h, (letter, name) in product(
            range(heads), zip("QKV", ("query", "key", "value"), strict=True)
        ):
            found[f"{at}.head{h + 1}.weight.{name}"] = (f"{own}.{letter}.weight", h)
        found[f"{at}.weight.output"] = (f"{own}.O.weight", None)
        for name, other in (("hidden", "up"), ("feedforward", "down")):
            found[f"{at}.weight.{name}"] = (f"{own}.{other}.weight", None)
            found[f"{at}.bias.{name}"] = (f"{own}.{other}.bias", None)
        for n in (1, 2):
            found[f"{at}.gain{n}"] = (f"{own}.ln{n}.weight", None)
            found[f"{at}.beta{n}"] = (f"{own}.ln{n}.bias", None)
    return found


def as_preset(model, heads=HEADS, blocks=BLOCKS) -> Preset:
    """The preset with the source's configuration and this model's numbers."""
    state = {name: value.numpy() for name, value in model.state_dict().items()}
    d_model = state["token.weight"].shape[1]
    d_head = d_model // heads
    weights = {}
    for name, (source, head) in names(heads, blocks).items():
        array = state[source]
        if head is not None:
            array = array[head * d_head : (head + 1) * d_head]
        upright = name in ("position", "output.matrix")
        weights[name] = np.atleast_2d(array if upright else array.T).copy()
    words = dict(zip(CHARACTERS, map(tuple, state["token.weight"].tolist()), strict=True))
    return replace(
        load_preset("nihao"),
        d_model=d_model,
        heads=heads,
        d_head=d_head,
        d_ff=len(state["blocks.0.up.bias"]),
        blocks=blocks,
        epsilon=1e-5,
        words=words,
        weights=weights,
    )


def put_in(model, preset: Preset) -> None:
    """Give the source's class the numbers of a preset."""
    import torch

    state: Mapping[str, torch.Tensor] = model.state_dict()
    d_head = preset.d_head
    with torch.no_grad():
        state["token.weight"].copy_(torch.tensor(list(preset.words.values()), dtype=torch.float64))
        for name, (source, head) in names(preset.heads, preset.blocks).items():
            given = torch.tensor(preset.weights[name])
            given = given if name in ("position", "output.matrix") else given.T
            goal = state[source]
            goal = goal if head is None else goal[head * d_head : (head + 1) * d_head]
            goal.copy_(given.reshape(goal.shape))
    for norm in (m for m in model.modules() if isinstance(m, torch.nn.LayerNorm)):
        norm.eps = preset.epsilon


def test_the_sources_own_configuration():
    import torch

    from tests.reference.torch_model import reference

    model = source_model()
    assert sum(p.numel() for p in model.parameters()) == PARAMETERS
    preset = as_preset(model)
    trace = engine(preset, CHARACTERS, rounding="exact", worked=3, exercise=2)
    assert trace["count.total"].values[0, 0] == PARAMETERS
    want = reference(preset, trace.tokens)
    assert not list(disagreements(want, trace))
    assert cells(want) > 150_000
    with torch.no_grad():
        logits = model(torch.arange(len(CHARACTERS))).numpy()
    found = trace["output.all.logits"].values
    np.testing.assert_allclose(found, logits, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(trace["output.logits"].values, logits[-1:], rtol=0, atol=CLOSE)


def test_the_small_preset_is_the_sources_class():
    import torch

    preset = load_preset("nihao")
    sizes = preset.d_model, preset.heads, preset.blocks, preset.d_ff
    model = source_model(*sizes, longest=len(preset.weights["position"]))
    put_in(model, preset)
    assert set(names(preset.heads, preset.blocks)) == set(preset.weights)
    with torch.no_grad():
        logits = model(torch.arange(len(CHARACTERS))).numpy()
    trace = compute(preset="nihao", rounding="exact")
    np.testing.assert_allclose(trace["output.all.logits"].values, logits, rtol=0, atol=CLOSE)
    assert logits.argmax(1).tolist() == [1, 2, 3, 0]
    parameters = sum(p.numel() for p in model.parameters())
    assert trace["count.total"].values[0, 0] == parameters


def test_the_sources_program_gets_in_by_naming_its_tensors(tmp_path):
    import torch
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
    with torch.no_grad():
        logits = model(torch.arange(len(CHARACTERS))).numpy()
    np.testing.assert_allclose(trace["output.all.logits"].values, logits, rtol=0, atol=CLOSE)


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
