"""Imported GPT-2 models against Hugging Face: numbers, tokens, and a model of the real size."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from generator import compute, load_preset
from generator.cli import main
from generator.presets.foreign.gpt2 import read_config, read_tensors

pytestmark = pytest.mark.reference

IDS = [3, 17, 99, 0, 3, 42, 7, 7]
CLOSE = {"float32": 1e-6, "float64": 1e-12}
PARAMETERS = 124_439_808  # of GPT-2 small
SECONDS, GIGABYTES = 60, 2  # a loaded machine; alone it takes a tenth of that
# A process of its own: the highest memory of this one is that of whatever test ran here before,
# and `getrusage` hands that on to a process that is started from it.
WITH_MEMORY = """
import sys
from pathlib import Path
from generator.cli import main
code = main(sys.argv[1:])
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(status["VmHWM"].removesuffix(" kB"))
sys.exit(code)
"""


def gpt2(**options):
    """A randomly initialised GPT-2 whose gains, shifts and biases are not the usual 1 and 0."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    sizes = {"n_embd": 48, "n_head": 4, "n_layer": 3, "vocab_size": 100, "n_positions": 32}
    with torch.random.fork_rng():
        torch.manual_seed(2019)
        config = GPT2Config(**{**sizes, "bos_token_id": 0, "eos_token_id": 0, **options})
        model = GPT2LMHeadModel(config).eval()
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if "ln_" in name or name.endswith(".bias"):
                    parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def imported(model, folder: Path):
    model.save_pretrained(folder)
    return replace(load_preset(brought_in(folder)), output_positions="all")


def brought_in(folder: Path) -> Path:
    """The preset that the command makes of the files in a folder."""
    weights, config, out = (
        folder / name for name in ("model.safetensors", "config.json", "my.toml")
    )
    words = ["presets", "import", str(weights), "--config", str(config), "--out", str(out)]
    assert main(words) == 0
    return out


@pytest.mark.parametrize("kind", ["bfloat16", "float16"])
def test_short_numbers_are_read_as_torch_reads_them(tmp_path, kind):
    import torch
    from safetensors.torch import load_file

    model = gpt2().to(getattr(torch, kind))
    model.save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    known = load_file(path)
    assert {one.dtype for one in known.values()} == {getattr(torch, kind)}
    config = read_config(tmp_path / "config.json")
    found = read_tensors(path, config)
    assert found.keys() == {name.removeprefix("transformer.") for name in known}
    for name, tensor in known.items():
        numbers = found[name.removeprefix("transformer.")].astype(np.float64)
        assert numbers.tolist() == tensor.to(torch.float64).tolist(), name
    trace = compute("t3 t17", preset=imported(model, tmp_path))
    assert trace["output.all.logits"].shape == (2, 100)


def test_logits_and_hidden_states_are_hugging_faces(options, tmp_path):
    import torch

    model = gpt2(**options)
    trace = compute(" ".join(f"t{k}" for k in IDS), preset=imported(model, tmp_path))
    assert trace["ids"].values.ravel().tolist() == IDS
    for dtype, close in CLOSE.items():
        with torch.no_grad():
            found = model.to(getattr(torch, dtype))(torch.tensor([IDS]), output_hidden_states=True)
        want = {"output.all.logits": found.logits, "input": found.hidden_states[0]}
        want |= {f"block{b}.output": found.hidden_states[b] for b in (1, 2)}
        want["final.norm"] = found.hidden_states[3]
        for name, array in want.items():
            np.testing.assert_allclose(
                trace[name].values, array[0].numpy(), rtol=close, atol=close, err_msg=name
            )
    parameters = sum(p.numel() for p in model.parameters())
    assert trace["count.total"].values[0, 0] == parameters


def test_attention_is_hugging_faces_and_a_cut_head_keeps_it(tmp_path):
    import torch

    model = gpt2(initializer_range=0.3, attn_implementation="eager").double()
    preset = imported(model.float(), tmp_path)
    with torch.no_grad():
        shares = model.double()(torch.tensor([IDS]), output_attentions=True).attentions
    trace = compute(" ".join(f"t{k}" for k in IDS), preset=preset)
    for block, head in np.ndindex(3, 4):
        found = trace[f"block{block + 1}.head{head + 1}.weights"].values
        np.testing.assert_allclose(found, shares[block][0, head].numpy(), atol=1e-12)
    out = tmp_path / "head.toml"
    words = ["presets", "cut", trace.sentence, "--preset", str(tmp_path / "my.toml")]
    assert main([*words, "--head", "block3.head2", "--out", str(out)]) == 0
    small = compute(preset=out, rounding="exact")["block1.head1.weights"].values
    np.testing.assert_allclose(small, shares[2][0, 1].numpy()[:4, :4], atol=0.02)


TEXTS = [
    "The cat sat on the mat.",
    "It's 2026, isn't it? Größe: ½ äöüß",
    "日本 😀 (a_b) don't",
    "x",
]


@pytest.mark.parametrize("kind", ["tokenizer.json", "vocab.json"])
def test_a_byte_level_tokenizer_cuts_the_same_tokens(kind, tmp_path):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"]
    )
    tokenizer.train_from_iterator(TEXTS * 3 + ["The cat's mat isn't in the 2026s."], trainer)
    size = tokenizer.get_vocab_size()
    assert size > 300
    model = gpt2(vocab_size=size + 2)
    if kind == "tokenizer.json":
        tokenizer.save(str(tmp_path / kind))
    else:
        tokenizer.model.save(str(tmp_path))
    preset = imported(model, tmp_path)
    for text in TEXTS:
        found = compute(text, preset=preset)
        assert found["ids"].values.ravel().tolist() == tokenizer.encode(text).ids, text
        assert found.sentence == text
    again = load_preset(tmp_path / "my.toml")
    assert compute(preset=again).tokens[0] == "The"


@pytest.mark.sweep
def test_a_model_of_the_real_size_is_computed_walked_and_declined(tmp_path, capsys):
    from safetensors.numpy import save_file

    config = tmp_path / "config.json"
    config.write_text(json.dumps({
        "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257,
        "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new",
    }))  # fmt: skip
    draws = np.random.default_rng(7)
    tensors = {
        name: draws.standard_normal(shape, dtype=np.float32) * np.float32(0.02)
        for name, shape in read_config(config).tensors().items()
    }
    save_file(tensors, tmp_path / "model.safetensors")
    preset = brought_in(tmp_path)
    start = time.perf_counter()
    trace = compute(" ".join(f"t{k * 6000}" for k in range(8)), preset=preset)
    assert time.perf_counter() - start < SECONDS
    assert trace["count.total"].values[0].tolist() == [PARAMETERS, PARAMETERS]
    capsys.readouterr()
    for step in ("block5.head3.scores", "vocabulary.embedding", "output.probabilities"):
        assert main(["walk", "--preset", str(preset), "--step", step, "--all"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) < 120
        assert max(map(len, lines)) <= 100
    out, start = tmp_path / "trace.json", time.perf_counter()
    words = ["trace", trace.sentence, "--preset", str(preset), "--out", str(out)]
    command = [sys.executable, "-c", WITH_MEMORY, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert time.perf_counter() - start < 2 * SECONDS
    assert out.stat().st_size < 100e6  # with its weights about 2.7 GB
    assert 1e6 < int(done.stdout.split()[-1]) < GIGABYTES * 1e6
    assert "tables of weights; --weights prints them" in done.stderr
    assert main(["make", "--preset", str(preset), "--only", "xlsx", "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "found 768 for d_model; a workbook takes 32" in said
    assert "paperformer presets cut" in said
