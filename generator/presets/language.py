"""A preset in another language: the same numbers, other words."""

import dataclasses
from collections.abc import Iterable, Mapping

from generator.engine.preset import Preset, Promise
from generator.engine.vocabulary import joined, tokenize
from generator.errors import UserError, did_you_mean
from generator.locales.folders import require_language

WORDS = ("tokens", "loss.target")  # steps that an edit gives a word of the vocabulary


def in_language(preset: Preset, language: str) -> Preset:
    """The preset with its words and sentence in a language; itself where it is that already.

    Raises `UserError`, naming the languages that there are, where it has no such sentence.
    """
    if language == preset.language:
        return preset
    if language not in preset.sentences:
        require_language(language)
        known = tuple(preset.sentences)
        raise UserError(
            f"preset {preset.name!r} has no language {language!r}{did_you_mean(language, known)}; "
            f"it has: {', '.join(known)}"
        )
    table = preset.translation.get(language, {})
    return dataclasses.replace(
        preset,
        language=language,
        corpus=None,  # its words are in the preset's own language
        words={table[word]: embedding for word, embedding in preset.words.items()},
        worked=_focus(preset, preset.worked, language, table),
        exercise=_focus(preset, preset.exercise, language, table),
        stop=None if preset.stop is None else table[preset.stop],
        behaviour=tuple(_promise(preset, one, language, table) for one in preset.behaviour),
    )


def translated(preset: Preset, language: str, sentence: str) -> str:
    """A sentence with those of the preset's words that it holds put into the language."""
    table = preset.translation.get(language, {})
    tokens = tokenize(sentence, preset.tokenizer, preset.words, preset.merges).tokens
    if not table or not any(token in table for token in tokens):
        return sentence
    return joined(tuple(table.get(token, token) for token in tokens), preset.tokenizer)


def translated_edits(
    preset: Preset, language: str, edits: Mapping[str, object]
) -> dict[str, object]:
    """Edits with those of the preset's words that they set put into the language."""
    table = preset.translation.get(language, {})
    return {
        key: table.get(str(value), value) if key.partition("[")[0] in WORDS else value
        for key, value in edits.items()
    }


def _focus(
    preset: Preset, words: Iterable[str], language: str, table: Mapping[str, str]
) -> tuple[str, ...]:
    kind, merges = preset.tokenizer, preset.merges
    own = tokenize(preset.sentences[preset.language], kind, preset.words, merges).tokens
    other = tokenize(preset.sentences[language], kind, table.values(), merges).tokens
    return tuple(table.get(w) or other[own.index(w)] for w in words)


def _promise(preset: Preset, one: Promise, language: str, table: Mapping[str, str]) -> Promise:
    """A promise with its words in the language; kinds are named the same in all of them."""
    if one.rule == "words":
        who, at = (_focus(preset, words, language, table) for words in (one.who, one.at))
        return dataclasses.replace(one, who=who, at=at)
    if one.rule == "writes":
        texts = tuple(translated(preset, language, text) for text in one.at)
        start = translated(preset, language, one.sentence) if one.sentence else ""
        return dataclasses.replace(one, at=texts, sentence=start)
    if one.rule == "predicts":
        at = tuple(table.get(word, word) for word in one.at)
        sentence = translated(preset, language, one.sentence) if one.sentence else ""
        return dataclasses.replace(one, at=at, sentence=sentence)
    return one
