"""The Trace as JSON, "paperformer-trace/1": for programs, and for keeping a computation."""

import json
import math
from collections.abc import Iterator
from typing import Any

from generator.engine.trace import Step, Trace
from generator.render.data.chosen import Chosen
from generator.version import __version__

FORMAT = "paperformer-trace/1"
BETWEEN = ", "  # as `json.dumps` writes it


def pieces(trace: Trace, chosen: Chosen) -> Iterator[str]:
    """One JSON object, one step a line; masked cells are null, numbers the shortest exact ones.

    `left_out` names weights that are not there, where there are any.
    """
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": __version__,
        "preset": trace.preset.name,
        "preset_sha256": trace.preset.sha256,
        "sentence": trace.sentence,
        "rounding": trace.rounding,
        "tokens": list(trace.tokens),
        "aliases": dict(trace.aliases),
    }
    head |= {"left_out": chosen.left_out} if chosen.left_out else {}
    lines = [f"{_text(key)}: {_text(value)}," for key, value in head.items()]
    yield "{\n" + "\n".join(lines) + '\n"steps": [\n'
    for k, step in enumerate(chosen.steps):
        yield ",\n" if k else ""
        yield from _step(step)
    yield "\n]\n}\n"


def _step(step: Step) -> Iterator[str]:
    """A step's object, row by row: a real model's table holds millions of numbers."""
    entries = {
        "name": step.name,
        "op": type(step.op).__name__,
        "inputs": list(step.inputs),
        "kind": step.kind,
        "shape": list(step.shape),
        "rows": list(step.rows),
        "columns": list(step.columns),
        "decimals": step.decimals,
    }
    yield f'{_text(entries)[:-1]}, "values": ['
    for k, row in enumerate(step.values):
        yield (BETWEEN if k else "") + _text([_cell(value) for value in row.tolist()])
    yield "]}"


def _cell(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and math.isinf(value) else value


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
