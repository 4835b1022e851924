"""From a preset and a sentence in some language to its Trace.

Also here:

* The preset that is taken where none is named: the learned one, for words that it has learned.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from generator.engine.fitness import require_short_numbers
from generator.engine.learning import Training
from generator.engine.model import compute
from generator.engine.preset import Preset
from generator.engine.trace import Trace
from generator.engine.vocabulary import cleaned, listed, tokenize
from generator.errors import message
from generator.presets.defaults import LEARNED, OPEN
from generator.presets.language import in_language, spoken, translated, translated_edits
from generator.presets.load import load_preset


class Usual(NamedTuple):
    """A preset, lines that say why it is not the usual one, and the words that one lacks."""

    preset: Preset
    notices: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


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
        known = listed(tuple(preset.words))
        yield message("presets.drawn", preset=preset, new=listed(tuple(new)), known=known)


def stopped(trace: Trace, rounds: int) -> Iterator[str]:
    """That a text ended earlier than asked for, and what would go on."""
    if trace.rounds < rounds:
        yield message("presets.stopped", trace=trace, rounds=rounds)


def usual(sentence: str | None, language: str | None) -> Usual:
    """The learned preset where it knows each word of the sentence, else the open one.

    Without a sentence the learned one's own is taken.
    """
    learned = spoken(load_preset(LEARNED), language or "")
    if language is not None and language not in learned.sentences:
        return Usual(load_preset(OPEN))
    new = _unknown(learned, sentence, learned.language if language is None else language)
    if not new:
        return Usual(learned)
    others = [one for one in learned.sentences if not _unknown(learned, sentence, one)]
    hint = "".join(f"; with --language {one} it knows them" for one in others)
    names = {"learned": LEARNED, "new": listed(new), "hint": hint, "open": OPEN}
    return Usual(load_preset(OPEN), (message("presets.usual", **names),), new)


def _unknown(learned: Preset, sentence: str | None, language: str) -> tuple[str, ...]:
    """The sentence's words that the learned preset does not have in a language, each once."""
    if sentence is None or not sentence.strip():
        return ()
    chosen = in_language(learned, language)
    text = sentence if chosen is learned else translated(learned, language, sentence)
    tokens = tokenize(text, chosen.tokenizer, chosen.words, chosen.merges).tokens
    return tuple(dict.fromkeys(token for token in tokens if token not in chosen.words))
