"""Counting parameters, beside GPT-2 small, as source 000 does."""

import numpy as np

from generator.engine.norms import FORMS
from generator.engine.ops import SizeProduct, TimesSize, Total
from generator.engine.place import Place, place_of
from generator.engine.preset import Preset
from generator.engine.scope import Scope

COLUMNS = ("model", "GPT-2 small")
SIZES = (
    "vocabulary",
    "d_model",
    "heads",
    "d_head",
    "d_ff",
    "blocks",
    "context",
    "learned positions",
    "W_O",
    "norms",
    "biases",
    "output",
)
OWN_OUTPUT = ("output.matrix", "output.bias")
V, D, H, K, F, L, N, P, W, M, B, R, S = range(len(SIZES) + 1)
SCALES = "scales"  # one more size where a norm learns something else than GPT-2's gain and shift
GPT2_SCALES = 2

# Radford et al. 2019; 6,912 biases a block; the final norm's gain and shift stand under "output".
GPT2_SMALL = (50257, 768, 12, 64, 3072, 12, 1024, 1024, 1, 2, 6912, 1536)


def count_parameters(scope: Scope, words: int, tokens: int) -> None:
    """Write count.* [1, 2]: parameters of each component, of a block, of all, ours and GPT-2's.

    As in source 000 a norm counts all that its form may learn (2·d, RMSNorm d) even where a preset
    fixes it at 1 and 0; biases are counted where they exist.
    """
    scales = len(FORMS[scope.preset.norm_form].learned)
    differs = scales != GPT2_SCALES
    ours, gpt2 = ((scales,), (GPT2_SCALES,)) if differs else ((), ())
    table = [(*_sizes(scope.preset, words, tokens), *ours), (*GPT2_SMALL, *gpt2)]
    sizes = np.array(table, dtype=np.float64).T
    rows = (*SIZES, SCALES) if differs else SIZES
    size = scope.give("count.size", sizes, rows=rows, columns=COLUMNS)
    norm = SizeProduct(1, (M, S, D)) if differs else SizeProduct(scales, (M, D))
    parts = [
        _count(scope, "query_key_value", SizeProduct(3, (D, H, K)), size),
        _count(scope, "attention_output", SizeProduct(1, (W, H, K, D)), size),
        _count(scope, "feedforward", SizeProduct(2, (D, F)), size),
        _count(scope, "norm", norm, size),
        _count(scope, "bias", SizeProduct(1, (B,)), size),
    ]
    embedding = _count(scope, "embedding", SizeProduct(1, (V, D)), size)
    position = _count(scope, "position", SizeProduct(1, (P, D)), size)
    output = _count(scope, "output", SizeProduct(1, (R,)), size)
    block = scope.apply("count.block", Total(), *parts, columns=COLUMNS)
    blocks = scope.apply("count.blocks", TimesSize(L), block, size, columns=COLUMNS)
    scope.apply("count.total", Total(), embedding, position, blocks, output, columns=COLUMNS)


def _count(scope: Scope, name: str, op: SizeProduct, size: str) -> str:
    return scope.apply(f"count.{name}", op, size, columns=COLUMNS)


def _sizes(preset: Preset, words: int, tokens: int) -> tuple[int, ...]:
    heads = preset.heads if "attention" in preset.parts else 0
    layers = len(preset.parts & {"attention", "feedforward"})
    norms = layers if preset.norm != "none" else 0
    learned = len(preset.weights["position"]) if preset.positions == "learned" else 0
    scales = len(FORMS[preset.norm_form].learned)
    final = scales * preset.d_model if preset.final_norm else 0
    own = sum(preset.weights[k].size for k in OWN_OUTPUT if k in preset.weights)
    return (
        words,
        preset.d_model,
        heads,
        preset.d_head,
        preset.d_ff if "feedforward" in preset.parts else 0,
        preset.blocks,
        tokens,
        learned,
        int("block1.weight.output" in preset.weights),
        norms,
        sum(weight.size for name, weight in preset.weights.items() if _block_bias(place_of(name))),
        final + own,
    )


def _block_bias(place: Place) -> bool:
    return place.block == 1 and place.kind.startswith("bias.")
