"""The config.json of a GPT-2: its sizes, or every problem of it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import UserError
from generator.files import LARGEST_LIST, require_file
from generator.presets.schema import PresetError, PresetProblem, shown

ACTIVATIONS = {
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu": "gelu",
    "relu": "relu",
}
# What the engine computes; a key that is left out has this value in the family.
ONLY: Mapping[str, tuple[object, str]] = {
    "model_type": ("gpt2", "the only family that is read"),
    "scale_attn_weights": (True, "scores are always divided by √d_head"),
    "scale_attn_by_inverse_layer_idx": (False, "no block divides its scores by its number"),
    "add_cross_attention": (False, "there is no encoder to look at"),
    "quantization_config": (None, "numbers that are stored as such"),
}
MOST_WIDE, MOST = 4096, 128  # of the preset's keys, see `schema`
MOST_WORDS = 1_000_000


class Config(NamedTuple):
    """Sizes and choices of a GPT-2; `tied` is None where the file does not say."""

    d_model: int
    heads: int
    blocks: int
    d_ff: int
    positions: int
    words: int
    epsilon: float
    activation: str
    tied: bool | None


def read_config(path: Path) -> Config:
    """The config in a JSON file.

    Raises `UserError` for a file that cannot be read, `PresetError` with every key that is
    missing, wrong, or asks for what the engine does not compute.
    """
    raw = _json(path)
    positions = "n_positions" if "n_positions" in raw or "n_ctx" not in raw else "n_ctx"
    problems = [
        *_sizes(raw, positions),
        *_fitting(raw),
        *_numbers(raw),
        *_only(raw),
    ]
    if problems:
        raise PresetError(path.name, problems)
    return Config(
        d_model=raw["n_embd"],
        heads=raw["n_head"],
        blocks=raw["n_layer"],
        d_ff=raw.get("n_inner") or 4 * raw["n_embd"],
        positions=raw[positions],
        words=raw["vocab_size"],
        epsilon=float(raw["layer_norm_epsilon"]),
        activation=ACTIVATIONS[raw["activation_function"]],
        tied=raw.get("tie_word_embeddings"),
    )


def read_json(path: Path, what: str) -> Any:
    """What a JSON file holds; `UserError` where there is none or it is not JSON."""
    require_file(path, what, LARGEST_LIST)
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise UserError(f"{what} {path}: there is no such file") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{what} {path}: this is not JSON: {error}") from None
    except OSError as error:
        raise UserError(f"{what} {path}: cannot be read: {error.strerror}") from None


def _json(path: Path) -> dict[str, Any]:
    raw = read_json(path, "config")
    if not isinstance(raw, dict):
        raise UserError(f"config {path}: found {shown(raw)}, expected a table of keys and values")
    return raw


def _sizes(raw: Mapping[str, Any], positions: str) -> Iterator[PresetProblem]:
    limits = {
        "n_embd": MOST_WIDE,
        "n_head": MOST,
        "n_layer": MOST,
        positions: MOST_WORDS,
        "vocab_size": MOST_WORDS,
    }
    for key, most in limits.items():
        yield from _whole(raw, key, most)
    if raw.get("n_inner") is not None:
        yield from _whole(raw, "n_inner", MOST_WIDE)
    elif isinstance(raw.get("n_embd"), int) and MOST_WIDE < 4 * raw["n_embd"] <= 4 * MOST_WIDE:
        found = f"4 · n_embd = {4 * raw['n_embd']}"
        yield PresetProblem("n_inner", found, f"a feed-forward width of at most {MOST_WIDE}")


def _whole(raw: Mapping[str, Any], key: str, most: int) -> Iterator[PresetProblem]:
    expected = f"a whole number from 1 to {most}"
    if key not in raw:
        yield PresetProblem(key, "nothing", expected)
    elif type(raw[key]) is not int or not 1 <= raw[key] <= most:
        yield PresetProblem(key, shown(raw[key]), expected)


def _fitting(raw: Mapping[str, Any]) -> Iterator[PresetProblem]:
    d_model, heads = raw.get("n_embd"), raw.get("n_head")
    if type(d_model) is int and type(heads) is int and heads > 0 and d_model % heads:
        yield PresetProblem("n_head", str(heads), f"a divisor of n_embd = {d_model}")


def _numbers(raw: Mapping[str, Any]) -> Iterator[PresetProblem]:
    key = "layer_norm_epsilon"
    epsilon = raw.get(key)
    if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not 0 <= epsilon < 1:
        found = "nothing" if key not in raw else shown(epsilon)
        yield PresetProblem(key, found, "a number from 0 to below 1, such as 1e-05")
    key = "activation_function"
    if raw.get(key) not in tuple(ACTIVATIONS):
        found = "nothing" if key not in raw else shown(raw[key])
        yield PresetProblem(key, found, f"one of {', '.join(ACTIVATIONS)}")
    tied = raw.get("tie_word_embeddings")
    if tied is not None and not isinstance(tied, bool):
        yield PresetProblem("tie_word_embeddings", shown(tied), "true or false")


def _only(raw: Mapping[str, Any]) -> Iterator[PresetProblem]:
    for key, (value, reason) in ONLY.items():
        if raw.get(key, value) != value:
            yield PresetProblem(key, shown(raw[key]), f"{shown(value)}: {reason}")
