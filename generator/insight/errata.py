"""Wrong numbers of the teaching material that a preset comes from, beside its own sentence."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.engine.trace import Trace

TABLE = Path(__file__).with_name("errata.toml")


class Erratum(NamedTuple):
    """A number printed wrongly: its cell and what stood there; `reason` is a catalogue key."""

    step: str
    i: int
    j: int
    printed: float
    reason: str


def errata(trace: Trace) -> list[Erratum]:
    """What a preset's source printed wrongly; only for its own sentence, without edits."""
    own = trace.sentence in trace.preset.sentences.values()
    if trace.edits or not own:
        return []
    return [Erratum(**entry) for entry in _table().get(trace.preset.name, [])]


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))
