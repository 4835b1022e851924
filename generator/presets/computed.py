"""From a preset and a sentence in some language to its Trace."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from generator.engine.fitness import require_short_numbers
from generator.engine.learning import Training
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.engine.vocabulary import cleaned, listed
from generator.presets.language import in_language, translated, translated_edits
from generator.presets.load import load_preset
from generator.presets.usual import Usual, usual


def computed(
    sentence: str | None = None,
    *,
    preset: str | Path | Preset | None,
    rounding: str | None = None,
    language: str | None = None,
    edits: Mapping[str, object] | None = None,
    controls: bool = False,
    rounds: int = 1,
    worked: int | None = None,
    exercise: int | None = None,
    training: Training | None = None,
) -> Trace:
    """The Trace of a sentence, both in the language asked for; see `generator.compute`.

    Without a preset the `usual` one is taken.
    `worked` and `exercise` are other tokens than those that would be chosen, by position from 0;
    `training` is what follows the computation, see `learning`.

    Raises `UserError` for anything a user can mend.
    """
    loaded, reasons, _ = taken(preset, sentence, language)
    chosen = in_language(loaded, loaded.language if language is None else language)
    original = sentence
    if sentence is not None and chosen is not loaded:
        sentence = translated(loaded, chosen.language, sentence)
    if edits is not None and chosen is not loaded:
        edits = translated_edits(loaded, chosen.language, edits)
    if rounding == "paper" and chosen.rounding != "paper":
        require_short_numbers(chosen)
    trace = compute(
        chosen,
        sentence,
        rounding=rounding,
        edits=edits,
        controls=controls,
        rounds=rounds,
        worked=worked,
        exercise=exercise,
        training=training,
    )
    notices = trace.notices if original is None else (*cleaned(original)[1], *_drawn(trace))
    return replace(trace, notices=(*reasons, *notices, *stopped(trace, rounds)))


def taken(preset: str | Path | Preset | None, sentence: str | None, language: str | None) -> Usual:
    """The preset that is named, or the usual one for a sentence in a language."""
    if preset is None:
        return usual(sentence, language)
    return Usual(preset if isinstance(preset, Preset) else load_preset(preset))


def _drawn(trace: Trace) -> Iterator[str]:
    """Which words have drawn numbers, in a model whose own numbers mean something."""
    preset = trace.preset
    new = [token for token in dict.fromkeys(trace.tokens) if token not in preset.words]
    if preset.meaningful and preset.words and preset.start == "sentence" and new:
        yield (
            f"preset {preset.name!r} does not know {listed(tuple(new))}, so numbers are drawn; "
            f"it knows: {listed(tuple(preset.words))}"
        )


def stopped(trace: Trace, rounds: int) -> Iterator[str]:
    """That a text ended earlier than asked for, and what would go on."""
    if trace.rounds < rounds:
        yield (
            f"the text ends in round {trace.rounds} of {rounds} with the stop token "
            f"{trace.preset.stop!r}, after which nothing follows; another sentence, or a preset "
            "without a stop token, such as 'katze', goes on"
        )
