"""Writes what autograd finds for some models: `python -m tests.reference.freeze_gradients`.

`frozen_gradients.json` lets the README's tests hold the gradients where torch is not installed.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import generator
from generator.engine.trace import Trace
from tests.reference.cases import cases_of_round
from tests.reference.freeze import rows

FILE = Path(__file__).with_name("frozen_gradients.json")
SHIPPED = (("katze", "Matte", "last"), ("katze-trained", "und", "last"), ("nihao", "好", "all"))
# Between them: every option of the norms, activations, bases, masks, biases; three blocks. The last
# one has five tokens, a strict mask and shares to base 2 that queries and keys learn through.
DRAWN = ("round1-058", "round1-052", "round1-041", "round1-024", "round1-006", "round1-046")


def asked() -> Iterator[tuple[str, Trace, str, str]]:
    """Name, exact computation, next word and targets of each model."""
    for name, word, targets in SHIPPED:
        yield name, generator.compute(preset=name, rounding="exact"), word, targets
    for name in DRAWN:
        (case,) = (one for one in cases_of_round(1) if one.name == name)
        yield name, case.computed(), case.tokens[0], "all"


def text() -> str:
    """The file's text: one line a weight, so that a change can be read."""
    from tests.reference.torch_gradients import gradients_of  # torch is an extra: only to write

    parts = []
    for name, trace, word, targets in asked():
        found = gradients_of(trace.preset, trace.tokens, word, every=targets == "all")
        lines = [
            f"{json.dumps(weight)}: {rows(cut(trace, weight, g))}" for weight, g in found.items()
        ]
        parts.append(f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def cut(trace: Trace, weight: str, gradient: np.ndarray) -> np.ndarray:
    """Of learned positions those that the sentence has."""
    return gradient[: len(trace.tokens)] if weight == "position" else gradient


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
