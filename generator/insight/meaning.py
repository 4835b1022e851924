"""What a computation's numbers mean: whether they do what the preset says of them."""

import re
from dataclasses import dataclass, field
from functools import cache

from generator.engine.choices import Rounding
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.promise import Promise
from generator.engine.trace import Trace
from generator.insight.behaviour import holds, missed, needed

# Edits of the model's own numbers; others take another word, a switch, a temperature.
NUMBERS = re.compile(r"vocabulary\.embedding|block|final|output\.(matrix|bias)|position|input|last")
OF_A_SENTENCE = ("predicts", "writes")  # promises about the sentence that they name


@dataclass(frozen=True)
class Elsewhere:
    """A promise about another sentence than the one computed, and the model that gives it."""

    sha256: str
    language: str
    rounding: Rounding
    promise: Promise
    preset: Preset = field(compare=False)  # the first two say which it is


def drawn_words(trace: Trace) -> tuple[str, ...]:
    """The sentence's words whose embeddings nobody has chosen or learned, each once."""
    preset = trace.preset
    if preset.start != "sentence":
        return ()
    return tuple(dict.fromkeys(token for token in trace.tokens if token not in preset.words))


def as_given(trace: Trace) -> bool:
    """Whether all numbers are the preset's: no word is drawn, and no number was changed."""
    return not drawn_words(trace) and not any(map(NUMBERS.match, trace.edits))


def to_see(trace: Trace) -> bool:
    """Whether this computation shows all that the preset's `shows` says.

    Each promise must have a case here and keep it, however long the sentence is. A promise about
    another sentence is kept by the preset's own numbers only.
    """
    whole = _whole(trace)
    return all(_shown(whole, one) for one in trace.preset.behaviour)


def meant(trace: Trace) -> bool:
    """Whether the result means something: the preset's own numbers, and no promise is broken."""
    if not trace.preset.meaningful or not as_given(trace):
        return False
    whole = _whole(trace)
    here = (one for one in trace.preset.behaviour if _is_here(trace, one))
    return not any(True for one in here for _ in missed(whole, one))


def _whole(trace: Trace) -> Trace:
    """The computation with the steps that promises are about; a workbook's tabs may lack some."""
    promises = trace.preset.behaviour
    if all(name in trace for one in promises for name in needed(one)):
        return trace
    return compute(
        trace.preset,
        trace.sentence,
        rounding=trace.rounding,
        edits=trace.edits,
        training=trace.training,
    )


def _shown(trace: Trace, promise: Promise) -> bool:
    if _is_here(trace, promise):
        return holds(trace, promise)
    if not as_given(trace):
        return False
    preset = trace.preset
    return _kept(Elsewhere(preset.sha256, preset.language, trace.rounding, promise, preset))


@cache
def _kept(promise: Elsewhere) -> bool:
    """Whether a model keeps a promise about another sentence; looked up once for each model."""
    other = compute(promise.preset, promise.promise.sentence or None, rounding=promise.rounding)
    return holds(other, promise.promise)


def _is_here(trace: Trace, promise: Promise) -> bool:
    """Whether a promise is about every sentence, or about the one that is computed."""
    return promise.rule not in OF_A_SENTENCE or trace.sentence == (
        promise.sentence or trace.preset.sentences[trace.preset.language]
    )
