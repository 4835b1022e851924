"""Wrong numbers of the teaching material that a preset comes from, beside its own sentence."""

from typing import NamedTuple

from generator.engine.trace import Trace
from generator.resources import table


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
    return [Erratum(**entry) for entry in table("insight/errata.toml").get(trace.preset.name, [])]
