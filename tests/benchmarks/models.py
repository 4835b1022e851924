"""The models that the rows compute, built from presets as a user's own files are."""

import math

from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.engine.vocabulary import MAX_TOKENS
from generator.presets.load import parse

TOKENS = 30
DRAW = '"draw -1 1 0.1"'


def large(tokens: int = TOKENS) -> Preset:
    """4 blocks of 4 heads, d_model 16, d_ff 64, as many words as tokens; post-norm, tied."""
    return parse(_toml(4, 4, 16, 64, tokens), "large.toml")


def longest() -> Preset:
    """The same model with as many tokens as the engine takes: for its peak memory."""
    return large(MAX_TOKENS)


def trace(tokens: int) -> Trace:
    """What the large workbook shows."""
    preset = large(tokens)
    return compute(preset, sentence(preset), controls=True)


def sentence(preset: Preset) -> str:
    """The preset's own sentence."""
    return preset.sentences[preset.language]


def _toml(blocks: int, heads: int, d_model: int, d_ff: int, tokens: int) -> str:
    words = [f"w{k}" for k in range(tokens)]
    rows = [f"{word} = [{', '.join(_embedding(k, d_model))}]" for k, word in enumerate(words)]
    drawn = [f'"block{b}.{name}" = {DRAW}' for b in range(1, blocks + 1) for name in _names(heads)]
    return f"""format = 1
name = "large"
language = "en"
title = {{ en = "Large" }}
sentence = {{ en = "{" ".join(words)}" }}
rounding = "exact"
meaningful = false
[model]
d_model = {d_model}
heads = {heads}
d_ff = {d_ff}
blocks = {blocks}
parts = ["attention", "residual", "feedforward", "output"]
[positions]
kind = "sinusoidal"
[mask]
kind = "causal"
[norm]
kind = "post"
epsilon = 0.0
[output]
kind = "tied"
[sampling]
temperatures = [0.5, 1.0, 2.0]
[vocabulary]
seed = 1
[vocabulary.words]
{chr(10).join(rows)}
[weights]
{chr(10).join(drawn)}
"""


def _embedding(k: int, d_model: int) -> list[str]:
    return [f"{math.sin(1 + k * d_model + j):.1f}" for j in range(d_model)]


def _names(heads: int) -> list[str]:
    projections = [
        f"head{h}.weight.{kind}" for h in range(1, heads + 1) for kind in ("query", "key", "value")
    ]
    return [*projections, "weight.output", "weight.hidden", "weight.feedforward"]
