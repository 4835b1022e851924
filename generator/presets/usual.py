"""The preset that is taken where none is named: the learned one, for words that it has learned."""

from typing import NamedTuple

from generator.engine.preset import Preset
from generator.engine.vocabulary import listed, tokenize
from generator.presets.defaults import LEARNED, OPEN
from generator.presets.language import in_language, translated
from generator.presets.load import load_preset


class Usual(NamedTuple):
    """A preset, lines that say why it is not the usual one, and the words that one lacks."""

    preset: Preset
    notices: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def usual(sentence: str | None, language: str | None) -> Usual:
    """The learned preset where it knows each word of the sentence, else the open one.

    Without a sentence the learned one's own is taken.
    """
    learned = load_preset(LEARNED)
    if language is not None and language not in learned.sentences:
        return Usual(load_preset(OPEN))
    new = _unknown(learned, sentence, learned.language if language is None else language)
    if not new:
        return Usual(learned)
    others = [one for one in learned.sentences if not _unknown(learned, sentence, one)]
    hint = "".join(f"; with --language {one} it knows them" for one in others)
    return Usual(
        load_preset(OPEN),
        (
            f"preset {LEARNED!r} does not know {listed(new)}{hint}: {OPEN!r} is taken, which takes "
            "any words, but its numbers are set by hand and mean little",
        ),
        new,
    )


def _unknown(learned: Preset, sentence: str | None, language: str) -> tuple[str, ...]:
    """The sentence's words that the learned preset does not have in a language, each once."""
    if sentence is None or not sentence.strip():
        return ()
    chosen = in_language(learned, language)
    text = sentence if chosen is learned else translated(learned, language, sentence)
    tokens = tokenize(text, chosen.tokenizer, chosen.words, chosen.merges).tokens
    return tuple(dict.fromkeys(token for token in tokens if token not in chosen.words))
