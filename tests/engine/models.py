"""Small models with drawn weights, and the cells of a Trace, for the engine's tests."""

import dataclasses
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from generator.engine.evaluate import evaluate
from generator.engine.expr import Value
from generator.engine.learning import Training
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Step, Trace
from generator.presets.load import load_preset, parse
from tests.reference.cases import cases_of_round

LETTERS = tuple("abcdefgh")

TEXT = Path(__file__).with_name("small.toml").read_text("utf-8")
FINE = {"default": 6, "exp": 8, "variance": 8, "deviation": 8}
THROUGH = ("round1-058", "round1-052", "round1-041", "round1-024", "round1-006")
WEIGHTS = ("query", "key", "value")


def small(seed: int = 1, **changes: Any) -> Preset:
    """Two blocks of two heads, every weight drawn from the seed; any field changed as asked."""
    return dataclasses.replace(drawn(seed), **changes)


@lru_cache(maxsize=64)
def drawn(seed: int) -> Preset:
    names = [f"block{b}.head{h}.weight.{w}" for b in (1, 2) for h in (1, 2) for w in WEIGHTS]
    names += [f"block{b}.weight.{w}" for b in (1, 2) for w in ("output", "hidden", "feedforward")]
    lines = [f'"{name}" = "draw -1 1 0.1"' for name in names]
    return parse(TEXT.replace("seed = 1", f"seed = {seed}") + "\n".join(lines), "small.toml")


def with_words(preset: Preset, words: Mapping[str, tuple[float, ...]]) -> Preset:
    return dataclasses.replace(preset, words=words)


def with_weights(preset: Preset, **weights: object) -> Preset:
    """The preset with further or other weights; "__" in a name stands for a dot."""
    arrays = {k.replace("__", "."): np.array(v, dtype=np.float64) for k, v in weights.items()}
    return dataclasses.replace(preset, weights={**preset.weights, **arrays})


def computed(trace: Trace) -> list[Step]:
    return [step for step in trace if step.kind == "computed"]


def cells(trace: Trace, step: Step) -> Iterator[tuple[Value, Any]]:
    """What each cell's expression says, beside the number that the step holds."""
    for i, j in np.ndindex(*step.shape):
        yield evaluate(trace.cell(step.name, i, j), trace.values), step.values[i, j]


def heads(trace: Trace, name: str) -> list[Step]:
    """The steps of that last name in every head."""
    return [step for step in trace if ".head" in step.name and step.name.endswith(f".{name}")]


@lru_cache(maxsize=2)
def trained(rounding: str = "exact") -> tuple[Trace, ...]:
    """Steps of training through every operation: of shipped models and of some drawn ones."""
    katze, nihao = load_preset("katze"), load_preset("nihao")
    every = Training(1, 0.01, targets="all")
    word = {"loss.target": "Matte"}
    found = [
        compute(katze, edits=word, rounding=rounding, controls=True, training=Training(1)),
        compute(nihao, rounding=rounding, controls=True, training=every),
    ]
    for name in THROUGH:
        (case,) = (case for case in cases_of_round(1) if case.name == name)
        preset = dataclasses.replace(case.preset, decimals=FINE)
        edits = {"loss.target": case.tokens[0]}
        found.append(compute(preset, case.sentence, edits=edits, rounding=rounding, training=every))
    return tuple(found)
