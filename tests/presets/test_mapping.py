"""`presets import --mapping`: a program's names become weights; what does not fit is refused."""

import re
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from generator import compute, load_preset
from generator.cli import main
from generator.errors import UserError
from generator.presets.foreign.mapping import import_mapped
from tests.presets.files import HERE, refusals
from tests.presets.mapping import shown

MAPPING = (HERE / "mapping.toml").read_text("utf-8")
QKV = """\
"block{block}.weight.query_key_value" = "layers.{block0}.qkv.weight"
"block{block}.bias.query_key_value" = "layers.{block0}.qkv.bias"
"""
FUSED = re.sub(r'("block\{block\}\.(head\{head\}|(weight|bias)\.(key|value)).*\n)+', QKV, MAPPING)


def numbers(fused: bool = False) -> dict[str, np.ndarray]:
    shapes: dict[str, tuple[int, ...]] = {"embed": (3, 4)}
    for b in range(2):
        at = f"layers.{b}"
        shapes |= {f"{at}.up": (3, 4), f"{at}.down": (4, 3)}
        if fused:
            shapes |= {f"{at}.qkv.weight": (12, 4), f"{at}.qkv.bias": (12,)}
            continue
        for h in range(2):
            shapes |= {f"{at}.heads.{h}.q.weight": (2, 4), f"{at}.heads.{h}.q.bias": (2,)}
        shapes |= {f"{at}.k.weight": (4, 4), f"{at}.k.bias": (4,), f"{at}.v.weight": (4, 4)}
    made, count = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        made[name] = np.sin(np.arange(count, count + size) * 0.7).reshape(shape)
        count += size
    return made


def put(folder: Path, text: str, arrays: dict[str, np.ndarray] | None = None) -> tuple[Path, Path]:
    weights, mapping = folder / "w.safetensors", folder / "map.toml"
    save_file(numbers() if arrays is None else arrays, weights)
    mapping.write_text(text, encoding="utf-8")
    return weights, mapping


def refused(folder: Path, text: str, arrays: dict[str, np.ndarray] | None = None) -> str:
    with pytest.raises(UserError) as caught:
        import_mapped(*put(folder, text, arrays), folder / "mine.toml")
    return str(caught.value)


def run(folder: Path, text: str, arrays: dict[str, np.ndarray] | None = None) -> Path:
    weights, mapping = put(folder, text, arrays)
    out = folder / "mine.toml"
    words = ["presets", "import", str(weights), "--mapping", str(mapping), "--out", str(out)]
    assert main(words) == 0
    return out


def test_heads_come_from_their_own_tensors_and_from_shared_ones(tmp_path):
    preset, given = load_preset(run(tmp_path, MAPPING)), numbers()
    for block in (0, 1):
        for head in (0, 1):
            at, own = f"block{block + 1}.head{head + 1}", f"layers.{block}"
            rows = slice(2 * head, 2 * head + 2)
            expected = {
                "weight.query": given[f"{own}.heads.{head}.q.weight"].T,
                "bias.query": given[f"{own}.heads.{head}.q.bias"][None],
                "weight.key": given[f"{own}.k.weight"][rows].T,
                "bias.key": given[f"{own}.k.bias"][None, rows],
                "weight.value": given[f"{own}.v.weight"][rows].T,
            }
            for name, matrix in expected.items():
                assert preset.weights[f"{at}.{name}"].tolist() == matrix.tolist()
            assert f"{at}.bias.value" not in preset.weights
    assert preset.words["b"] == tuple(given["embed"][1].tolist())
    trace = compute("c a", preset=preset)
    x = given["embed"][[2, 0]]
    query = x @ given["layers.0.heads.1.q.weight"].T + given["layers.0.heads.1.q.bias"]
    np.testing.assert_allclose(trace["block1.head2.query"].values, query, rtol=0, atol=1e-12)


def test_queries_keys_and_values_in_one_tensor_are_cut(tmp_path):
    given = numbers(fused=True)
    preset = load_preset(run(tmp_path, FUSED, given))
    for k, kind in enumerate(("query", "key", "value")):
        rows = slice(4 * k + 2, 4 * k + 4)
        found = preset.weights[f"block2.head2.weight.{kind}"]
        assert found.tolist() == given["layers.1.qkv.weight"][rows].T.tolist()
        bias = preset.weights[f"block2.head2.bias.{kind}"]
        assert bias.tolist() == [given["layers.1.qkv.bias"][rows].tolist()]


def test_matrices_may_be_kept_as_x_times_w(tmp_path):
    given = {k: v.T.copy() if "embed" not in k else v for k, v in numbers().items()}
    preset = load_preset(run(tmp_path, f'{MAPPING}layout = "in, out"\n', given))
    assert preset.weights["block1.weight.hidden"].tolist() == given["layers.0.up"].tolist()


def test_the_same_files_give_the_same_bytes(tmp_path):
    paths = put(tmp_path, MAPPING)
    first, second = (import_mapped(*paths, tmp_path / "mine.toml") for _ in range(2))
    assert first == second
    assert first.summary == "3 words, 172 parameters"


def test_words_come_from_a_file_too(tmp_path):
    (tmp_path / "words.txt").write_text("a\nb\nc\n")
    text = MAPPING.replace('["a", "b", "c"]', '"words.txt"')
    assert list(load_preset(run(tmp_path, text)).words) == ["a", "b", "c"]


@pytest.mark.parametrize(("old", "new", "message"), refusals()["mapped"])
def test_what_does_not_fit_is_said(tmp_path, old, new, message):
    text = MAPPING
    assert old in text
    assert message in refused(tmp_path, text.replace(old, new))


def test_a_tensor_that_nobody_names_is_refused_or_left_out(tmp_path):
    given = {**numbers(), "layers.0.mask": np.zeros((2, 2))}
    said = refused(tmp_path, MAPPING, given)
    assert "says nothing of layers.0.mask; name them, or leave them out" in said
    assert 'ignore = ["layers.0.mask"]' in said
    left = MAPPING + 'ignore = ["*.mask"]\n'
    run(tmp_path, left, given)


def test_a_turned_matrix_gets_a_hint(tmp_path):
    given = numbers()
    given["layers.1.up"] = given["layers.1.up"].T.copy()
    assert "(transposed: see layout)" in refused(tmp_path, MAPPING, given)


def test_options_that_the_mapping_says_itself_are_refused(tmp_path, capsys):
    weights, mapping = put(tmp_path, MAPPING)
    words = ["presets", "import", str(weights), "--mapping", str(mapping), "--sentence", "a"]
    assert main(words) == 1
    assert "--sentence: the mapping file says it" in capsys.readouterr().err


def test_the_guide_shows_a_mapping_that_is_read(tmp_path):
    from generator.presets.foreign.mapping import read_mapping

    place = tmp_path / "gpt.toml"
    place.write_text(shown(), encoding="utf-8")
    found = read_mapping(place)
    assert len({piece.tensor for piece in found.pieces.values()}) == 6 + 6 * 12
    assert found.pieces["block3.head2.weight.key"].tensor == "blocks.2.attn.W_K.weight"
