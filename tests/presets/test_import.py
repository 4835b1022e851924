"""`presets import`: a tiny GPT-2 written here, what becomes of it, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from generator import compute, load_preset
from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.presets.foreign.gpt2 import import_gpt2
from generator.render.walk import pages
from generator.render.walk.printed_numbers import short_sum
from tests.presets.files import refusals

CONFIG = {
    "model_type": "gpt2", "n_embd": 6, "n_head": 2, "n_layer": 2, "n_positions": 5, "vocab_size": 7,
    "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new", "n_inner": 8,
}  # fmt: skip
VECTORS = {"ln_1": 6, "ln_2": 6}
MATRICES = {"attn.c_attn": (6, 18), "attn.c_proj": (6, 6), "mlp.c_fc": (6, 8), "mlp.c_proj": (8, 6)}


def tensors() -> dict[str, np.ndarray]:
    shapes: dict[str, tuple[int, ...]] = {"wte.weight": (7, 6), "wpe.weight": (5, 6)}
    for b in range(2):
        for name, width in VECTORS.items():
            shapes |= {f"h.{b}.{name}.weight": (width,), f"h.{b}.{name}.bias": (width,)}
        for name, shape in MATRICES.items():
            shapes |= {f"h.{b}.{name}.weight": shape, f"h.{b}.{name}.bias": shape[1:]}
    shapes |= {"ln_f.weight": (6,), "ln_f.bias": (6,)}
    count = 0
    made = {}
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        made[f"transformer.{name}"] = np.sin(np.arange(count, count + size) * 0.7).reshape(shape)
        count += size
    return {name: array.astype(np.float32) for name, array in made.items()}


def put(folder: Path, config: dict | None = None, numbers: dict | None = None) -> list[Path]:
    paths = [folder / "model.safetensors", folder / "config.json"]
    save_file(tensors() if numbers is None else numbers, paths[0])
    paths[1].write_text(json.dumps(CONFIG if config is None else config))
    return paths


def run(folder: Path, *more: str, **changes) -> Path:
    return run_on(*put(folder, **changes), folder / "mine.toml", *more)


def refused(folder: Path, config=None, numbers=None, **more) -> str:
    with pytest.raises(UserError) as caught:
        import_gpt2(*put(folder, config, numbers), folder / "mine.toml", **more)
    return str(caught.value)


def test_the_fused_matrix_is_cut_into_heads(tmp_path):
    preset = load_preset(run(tmp_path))
    fused = tensors()["transformer.h.1.attn.c_attn.weight"].astype(np.float64)
    bias = tensors()["transformer.h.1.attn.c_attn.bias"].astype(np.float64)
    starts = {"query": 0, "key": 6, "value": 12}
    for kind, start in starts.items():
        columns = slice(start + 3, start + 6)
        found = preset.weights[f"block2.head2.weight.{kind}"]
        assert found.tolist() == fused[:, columns].tolist()
        assert preset.weights[f"block2.head2.bias.{kind}"].tolist() == [bias[columns].tolist()]
    assert preset.activation == "gelu_tanh"
    assert (preset.norm, preset.final_norm, preset.output) == ("pre", True, "tied")
    assert preset.words["t2"] == tuple(
        tensors()["transformer.wte.weight"][2].astype(float).tolist()
    )
    assert compute("t6 t0", preset=preset)["ids"].values.ravel().tolist() == [6, 0]


def test_numbers_in_bfloat16_are_the_upper_halves_of_float32(tmp_path):
    patterns = {0x3FC0: 1.5, 0xC060: -3.5, 0x3E20: 0.15625}  # written out by hand
    gains = np.array([*patterns, *patterns], dtype="<u2")
    weights, config = put(tmp_path)
    weights.write_bytes(stored({**tensors(), "transformer.ln_f.weight": gains}))
    load = load_preset(run_on(weights, config, tmp_path / "mine.toml"))
    assert load.weights["final.gain"].tolist() == [list(patterns.values()) * 2]
    gains[:] = 0x7FC0
    weights.write_bytes(stored({**tensors(), "transformer.ln_f.weight": gains}))
    with pytest.raises(UserError, match=r"ln_f.weight\[1\] is nan"):
        import_gpt2(weights, config, tmp_path / "other.toml")


def stored(arrays: dict[str, np.ndarray]) -> bytes:
    """A safetensors file; its 16-bit numbers are called bfloat16."""
    head, data = {}, b""
    for name, array in arrays.items():
        ends = [len(data), len(data) + array.nbytes]
        kind = {"uint16": "BF16", "float32": "F32"}[array.dtype.name]
        head[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": ends}
        data += array.tobytes()
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + data


def run_on(weights: Path, config: Path, out: Path, *more: str) -> Path:
    words = ["presets", "import", str(weights), "--config", str(config), "--out", str(out)]
    assert main([*words, *more]) == 0
    return out


def test_the_same_model_gives_the_same_bytes_and_replaces_nothing(tmp_path, capsys):
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        run(folder)
    names = {"mine.toml", "mine-weights.safetensors", "mine-words.txt"}
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    paths = [str(tmp_path / "a" / name) for name in ("model.safetensors", "config.json")]
    words = ["presets", "import", paths[0], "--config", paths[1]]
    assert main([*words, "--out", str(tmp_path / "a" / "mine.toml")]) == 1
    assert "exists already" in capsys.readouterr().err


def test_names_without_prefix_buffers_and_a_repeated_head_are_read(tmp_path):
    (tmp_path / "plain").mkdir()
    plain = {name.removeprefix("transformer."): array for name, array in tensors().items()}
    plain["h.0.attn.bias"] = np.ones((1, 1, 5, 5), np.float32)
    plain["h.1.attn.masked_bias"] = np.float32([-1e4])
    plain["lm_head.weight"] = plain["wte.weight"].copy()
    first = load_preset(run(tmp_path))
    second = load_preset(run(tmp_path / "plain", numbers=plain))
    assert first.sha256 == second.sha256


def test_another_head_is_an_output_of_its_own(tmp_path):
    numbers = tensors() | {"lm_head.weight": np.full((7, 6), 0.25, np.float32)}
    preset = load_preset(run(tmp_path, numbers=numbers))
    assert preset.output == "own"
    assert compute(preset=preset)["output.logits"].shape == (1, 7)
    tied = CONFIG | {"tie_word_embeddings": True}
    assert "lm_head.weight differs from wte.weight" in refused(
        tmp_path, config=tied, numbers=numbers
    )


def test_other_weights_are_refused(tmp_path):
    nan, endless = tensors(), tensors()
    nan["transformer.h.0.mlp.c_fc.weight"][2, 4] = np.nan
    endless["transformer.ln_f.bias"][1] = -np.inf
    turned = tensors()
    turned["transformer.h.1.attn.c_attn.weight"] = np.zeros((18, 6), np.float32)
    one_less = tensors()
    del one_less["transformer.h.1.ln_2.bias"]
    cases = [
        (nan, "transformer.h.0.mlp.c_fc.weight[3, 5] is nan"),
        (endless, "transformer.ln_f.bias[2] is -inf"),
        (turned, "c_attn.weight is 18×6, the config says 6×18 (transposed"),
        (one_less, "missing: transformer.h.1.ln_2.bias; surplus: none"),
        ({"model.layers.0.q_proj.weight": np.zeros((6, 6), np.float32)},
         "and 22 more; surplus: model.layers.0.q_proj.weight"),
    ]  # fmt: skip
    for numbers, part in cases:
        assert part in refused(tmp_path, numbers=numbers)
    assert "wte.weight is 7×6, the config says 9×6" in refused(
        tmp_path, config=CONFIG | {"vocab_size": 9}
    )


def test_a_file_cut_short_or_of_another_kind_is_no_safetensors_file(tmp_path):
    weights, config = put(tmp_path)
    whole = weights.read_bytes()
    for content in (whole[:-9], whole[:5], b"", b"PK\x03\x04 a zip of PyTorch"):
        weights.write_bytes(content)
        with pytest.raises(UserError, match="no whole safetensors file"):
            import_gpt2(weights, config, tmp_path / "mine.toml")
    with pytest.raises(UserError, match="there is no such file"):
        import_gpt2(tmp_path / "none.safetensors", config)
    config.write_text("{")
    with pytest.raises(UserError, match="this is not JSON"):
        import_gpt2(weights, config)


def tokenizer(**changes) -> dict:
    vocab = {letter: k for k, letter in enumerate(["a", "b", "Ġ", "c", "ab", "Ġab"])}
    model = {"type": "BPE", "vocab": vocab, "merges": [["a", "b"], "Ġ ab"]}
    return {"model": model | changes, "pre_tokenizer": {"type": "ByteLevel"}, "normalizer": None}


def test_tokens_beside_the_weights_become_words_and_merges(tmp_path):
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer()))
    preset = load_preset(run(tmp_path, "--sentence", "ab abc"))
    assert list(preset.words) == ["a", "b", "␣", "c", "ab", "␣ab", "⟨id6⟩"]
    assert preset.merges == (("a", "b"), ("␣", "ab"))
    assert compute(preset=preset).tokens == ("ab", "␣ab", "c")


@pytest.mark.parametrize("row", refusals()["imported"], ids=str)
def test_what_the_engine_does_not_compute_or_the_model_not_read_is_refused(row, tmp_path):
    if "tokens" in row or "content" in row:
        content = row.get("content") or json.dumps(tokenizer(**row["tokens"]))
        (tmp_path / "tokenizer.json").write_text(content)
    config = CONFIG | row.get("config", {})
    config.pop(row.get("without"), None)
    assert row["says"] in refused(tmp_path, config, **row.get("asked", {}))


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("a\nb\n", "vocabulary.table.file: found 7×6 numbers, expected 2×6, one row per word"),
        ("a\n" * 7, "vocabulary.table.words: found 'a' on 7 lines, expected each word once"),
        ("a\n\nb\n", "found '' on line 2"),
        (None, "vocabulary.table.words: found no file mine-words.txt"),
    ],
)
def test_a_table_and_its_words_must_fit_together(words, part, tmp_path):
    preset = run(tmp_path)
    place = tmp_path / "mine-words.txt"
    place.unlink()
    if words is not None:
        place.write_text(words)
    with pytest.raises(UserError) as caught:
        load_preset(preset)
    assert part in str(caught.value)


def test_a_cut_fills_sheet_4a_and_says_what_it_keeps(tmp_path, capsys):
    preset, out = run(tmp_path), tmp_path / "head.toml"
    words = ["presets", "cut", "t1 t2 t6 t0", "--preset", str(preset)]
    assert main([*words, "--head", "block2.head1", "--out", str(out)]) == 0
    assert "shares differ from the large model's by at most" in capsys.readouterr().err
    large = compute("t1 t2 t6 t0", preset=preset)["block2.head1.weights"].values
    for rounding in ("exact", "paper"):
        small = compute(preset=out, rounding=rounding)["block1.head1.weights"].values
        np.testing.assert_allclose(small, large, atol=0.02)
    made = ["make", "--preset", str(out), "--only", "html", "--sheets", "4a"]
    assert main([*made, "--level", "1", "--out", str(tmp_path)]) == 0
    for more, part in (
        (["--head", "block2.head7"], "has no head 'block2.head7'"),
        (["--tokens", "9"], "expected a whole number of tokens from 2 to 6"),
        (["--tokens", "5"], "the sentence has 4 tokens"),
    ):
        assert main([*words, *more, "--out", str(tmp_path / "other.toml")]) == 1
        assert part in capsys.readouterr().err


def test_a_cut_of_a_narrow_head_is_no_wider(tmp_path, capsys):
    out = tmp_path / "head.toml"
    assert main(["presets", "cut", "--preset", "katze", "--out", str(out)]) == 0
    assert "the 2 directions" in capsys.readouterr().err
    large = compute(preset="katze", rounding="exact")["block1.head1.weights"].values[:4, :4]
    small = compute(preset=out, rounding="exact")["block1.head1.weights"].values
    np.testing.assert_allclose(small, large, atol=0.02)


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_walk_cuts_long_tables_and_keeps_the_words_of_the_sentence(language, tmp_path):
    numbers = tensors() | {"transformer.wte.weight": np.eye(150, 6, dtype=np.float32) + 0.5}
    preset = load_preset(run(tmp_path, config=CONFIG | {"vocab_size": 150}, numbers=numbers))
    trace = compute("t120 t77", preset=preset)
    (page,) = pages(trace, load(language), "vocabulary.embedding")
    table = page.tables[0]
    assert table.rows[:10] == (*(f"t{k}" for k in range(8)), "…", "t77")
    assert {"t120", "t149"} < set(table.rows)
    assert table.cells[8] == ("…",) * 6
    assert all(len(line) == 6 for line in table.cells)
    assert "150" in page.notes[-1]
    (short,) = pages(trace, load(language), "block1.head1.scores")
    assert len(short.tables[0].rows) == 2
    assert short_sum(" + ".join("12345678901234567890" * 3)).count("…") == 1
