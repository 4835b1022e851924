"""The Trace as JSON, "paperformer-trace/1": for programs, and for keeping a computation."""

import json
import math
from typing import Any

from generator.engine.trace import Step, Trace
from generator.version import __version__

FORMAT = "paperformer-trace/1"


def render(trace: Trace) -> str:
    """One JSON object, one step a line; masked cells are null, numbers the shortest exact ones."""
    head = {
        "format": FORMAT,
        "version": __version__,
        "preset": trace.preset.name,
        "preset_sha256": trace.preset.sha256,
        "sentence": trace.sentence,
        "rounding": trace.rounding,
        "tokens": list(trace.tokens),
        "aliases": dict(trace.aliases),
    }
    lines = [f"{_text(key)}: {_text(value)}," for key, value in head.items()]
    steps = ",\n".join(_text(_step(step)) for step in trace)
    return "{\n" + "\n".join(lines) + f'\n"steps": [\n{steps}\n]\n}}\n'


def _step(step: Step) -> dict[str, Any]:
    return {
        "name": step.name,
        "op": type(step.op).__name__,
        "inputs": list(step.inputs),
        "kind": step.kind,
        "shape": list(step.shape),
        "rows": list(step.rows),
        "columns": list(step.columns),
        "decimals": step.decimals,
        "values": [[_cell(value) for value in row] for row in step.values.tolist()],
    }


def _cell(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and math.isinf(value) else value


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
