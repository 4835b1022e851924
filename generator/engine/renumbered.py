"""A model with other numbers, and a fingerprint of those that it has."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from generator.engine.learning import EMBEDDING
from generator.engine.preset import Preset


def with_numbers(preset: Preset, numbers: Mapping[str, np.ndarray]) -> Preset:
    """The preset with other embeddings [words, d_model] and weights, by step name."""
    words, table = preset.words, numbers.get(EMBEDDING)
    if table is not None:
        rows = zip(words, table.tolist(), strict=True)
        words = MappingProxyType({word: tuple(row) for word, row in rows})
    new = {name: x.copy() for name, x in numbers.items() if name != EMBEDDING}
    return replace(preset, words=words, weights=MappingProxyType({**preset.weights, **new}))


def digest(preset: Preset) -> str:
    """SHA-256 of all numbers of a model, whatever its words are called."""
    sha = hashlib.sha256()
    for row in preset.words.values():
        sha.update(np.array(row, dtype=np.float64).tobytes())
    for name in sorted(preset.weights):
        sha.update(name.encode("utf-8") + preset.weights[name].tobytes())
    return sha.hexdigest()
