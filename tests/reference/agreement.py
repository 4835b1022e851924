"""Compares a Trace of the engine with what torch found, cell by cell."""

import re
from collections.abc import Iterator, Mapping

import numpy as np

from generator.engine.trace import Trace

TOLERANCE = 1e-10  # absolute; relative for numbers above 1

# What a model is given, and counts of its parameters: not compared.
NOT_COMPARED = re.compile(
    r"tokens|vocabulary\.words|count\..+|switch\..+|output\.(matrix|bias)|sampling\.[kp]"
    r"|(block\d+\.)(head\d+\.)?(weight|bias)\.\w+|(block\d+|final)\.(gain|beta)\d?"
)


def disagreements(want: Mapping[str, np.ndarray], trace: Trace) -> Iterator[str]:
    """One line for every cell, shape or step in which the two differ."""
    for name in trace.steps:
        if name not in want and not NOT_COMPARED.fullmatch(name):
            yield f"{name}: a step of the engine that the reference does not know"
    for name, expected in want.items():
        if name not in trace.steps and name not in trace.aliases:
            yield f"{name}: a step that the engine does not have"
            continue
        got = trace[name].values
        if got.shape != expected.shape:
            yield f"{name}: shape {expected.shape} expected, the engine has {got.shape}"
            continue
        for cell in np.ndindex(expected.shape):
            if not agree(expected[cell], got[cell]):
                yield f"{name}{list(cell)}: {expected[cell]!r} expected, got {got[cell]!r}"


def agree(expected: object, got: object) -> bool:
    """Words and infinities exactly, numbers within the tolerance."""
    if isinstance(expected, str) or isinstance(got, str) or np.isinf(expected):
        return expected == got
    return bool(abs(got - expected) <= TOLERANCE * max(1.0, abs(expected)))


def cells(want: Mapping[str, np.ndarray]) -> int:
    """How many cells a comparison with these arrays looks at."""
    return sum(array.size for array in want.values())
