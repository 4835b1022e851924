"""The numbers of a large model as data: piece by piece, without its weights unless asked for."""

import csv
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from generator import compute
from generator.cli import main
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.presets.foreign.gpt2 import read_config
from generator.render.data import FORMATS, chosen, pieces, render
from tests.support.covering import first

CONFIG = {
    "model_type": "gpt2", "n_embd": 96, "n_head": 12, "n_layer": 4, "n_positions": 64,
    "vocab_size": 6000, "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new",
}  # fmt: skip
SENTENCE = "t3 t17 t5999 t0 t3 t42"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of GPT-2's build with a million weights, imported."""
    folder = tmp_path_factory.mktemp("large")
    config, weights, out = (folder / f"large.{end}" for end in ("json", "safetensors", "toml"))
    config.write_text(json.dumps(CONFIG))
    draws, shapes = np.random.default_rng(7), read_config(config).tensors()
    drawn = {k: draws.standard_normal(one, dtype=np.float32) for k, one in shapes.items()}
    save_file(drawn, weights)
    words = ["presets", "import", str(weights), "--config", str(config), "--out", str(out)]
    assert main(words) == 0
    return out


@pytest.fixture(scope="module")
def trace(large: Path) -> Trace:
    return compute(SENTENCE, preset=large)


def test_a_large_model_is_printed_without_its_weights(large, trace, tmp_path, capsys):
    out = tmp_path / "trace.json"
    assert main(["trace", SENTENCE, "--preset", str(large), "--out", str(out)]) == 0
    said = capsys.readouterr().err
    record = json.loads(out.read_text("utf-8"))
    names = [step["name"] for step in record["steps"]]
    weights = {*trace.preset.weights, "vocabulary.embedding"}
    assert len(weights) > 4 * 12 * 6
    assert set(record["left_out"]) == weights
    assert set(names) == set(trace.steps) - weights
    assert f"left out: {len(weights)} tables of weights; --weights prints them" in said
    assert record["steps"][names.index("block4.head12.weights")]["values"] == (
        trace["block4.head12.weights"].values.tolist()
    )


@pytest.mark.parametrize("form", first(1, list(FORMATS)))
def test_steps_are_chosen_by_name_and_pattern(large, trace, form, capsys):
    words = ["trace", SENTENCE, "--preset", str(large), "--format", form]
    asked = ["--step", "block3.head2.*", "--step", "block1.head1.weight.query"]
    assert main([*words, *asked]) == 0
    said = capsys.readouterr()
    assert "left out: 6 tables" in said.err  # three weights and three biases of the head
    for name in ("block3.head2.scores", "block1.head1.weight.query"):
        assert printed(name, form) in said.out
    for name in ("block3.head2.weight.key", "block3.head1.scores", "block1.head1.weight.key"):
        assert printed(name, form) not in said.out
    with pytest.raises(UserError, match=r"no step .* is called 'block3.head2.score'; did you mean"):
        chosen(trace, ["block3.head2.score"])


def printed(name: str, form: str) -> str:
    """A step's name as a format writes it."""
    shown = {"json": f'"name": "{name}"', "csv": f"\n{name},", "text": f"\n{name}: "}
    return shown.get(form, rf"\texttt{{{name}}}")


def test_weights_come_where_they_are_asked_for(large, trace, capsys):
    name = "block2.head1.weight.value"
    words = ["trace", SENTENCE, "--preset", str(large), "--format", "csv", "--weights"]
    assert main([*words, "--step", "block2.head1.weight.*"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    lines = [line for line in csv.reader(io.StringIO(said.out)) if line[0] == name]
    found = np.array([float(line[5]) for line in lines]).reshape(96, 8)
    assert (found == trace[name].values).all()


@pytest.mark.parametrize("preset", ["katze", "nihao", "paris"])
def test_a_small_model_is_printed_with_them(preset):
    found = compute(preset=preset)
    assert chosen(found).left_out == ()
    assert chosen(found).steps == tuple(found)
    assert "left_out" not in json.loads(render(found, "json"))


@pytest.mark.parametrize("form", ["json", "csv"])
def test_no_memory_holds_the_whole_text(trace, form):
    of = chosen(trace, ["block1.weight.*"], weights=True)
    characters = sum(len(piece) for piece in pieces(trace, form, of))
    assert characters > 1_000_000
    assert peak(lambda: [None for _ in pieces(trace, form, of)]) < characters / 4
    assert peak(lambda: list(pieces(trace, form, of))) > characters  # what it measures


def peak(work: Callable[[], object]) -> int:
    """The most bytes that Python held at once while doing it."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
