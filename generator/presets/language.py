"""A preset in another language: the same numbers, other words."""

import dataclasses
from collections.abc import Iterable, Mapping

from generator.engine.preset import Preset
from generator.engine.tokenizers import joined, tokenize
from generator.errors import UserError, did_you_mean


def in_language(preset: Preset, language: str) -> Preset:
    """The preset with its words and sentence in a language; itself where it is that already.

    Raises `UserError`, naming the languages that there are, where it has no such sentence.
    """
    if language == preset.language:
        return preset
    if language not in preset.sentences:
        known = tuple(preset.sentences)
        raise UserError(
            f"preset {preset.name!r} has no language {language!r}{did_you_mean(language, known)}; "
            f"it has: {', '.join(known)}"
        )
    table = preset.translation.get(language, {})
    return dataclasses.replace(
        preset,
        language=language,
        words={table[word]: embedding for word, embedding in preset.words.items()},
        worked=_focus(preset, preset.worked, language, table),
        exercise=_focus(preset, preset.exercise, language, table),
    )


def translated(preset: Preset, language: str, sentence: str) -> str:
    """A sentence with those of the preset's words that it holds put into the language."""
    table = preset.translation.get(language, {})
    tokens = tokenize(sentence, preset.tokenizer, preset.words).tokens
    if not table or not any(token in table for token in tokens):
        return sentence
    return joined(tuple(table.get(token, token) for token in tokens), preset.tokenizer)


def _focus(
    preset: Preset, words: Iterable[str], language: str, table: Mapping[str, str]
) -> tuple[str, ...]:
    own = tokenize(preset.sentences[preset.language], preset.tokenizer, preset.words).tokens
    other = tokenize(preset.sentences[language], preset.tokenizer, table.values()).tokens
    return tuple(table.get(w) or other[own.index(w)] for w in words)
