"""A preset in another language: the same numbers, other words."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from generator.engine.preset import Preset, Promise
from generator.engine.vocabulary import joined, tokenize
from generator.errors import did_you_mean, refused
from generator.locales.catalogue import respelled
from generator.locales.folders import require_language, spelling

KINDS = ("sentences", "title", "shows")  # texts by language
WORDS = ("tokens", "loss.target")  # steps that an edit gives a word of the vocabulary


def spoken(preset: Preset, language: str) -> Preset:
    """The preset also in a language that is one of its own in other spellings; else itself."""
    base, words = spelling(language)
    if base == language or base not in preset.sentences:
        return preset
    table, given = preset.translation.get(base, {}), preset.compare
    own = {word: respelled(other, words) for word, other in table.items()}
    more: dict[str, Any] = {kind: _also(getattr(preset, kind), language) for kind in KINDS}
    if given:
        title, note = (_also(texts, language) for texts in (given.title, given.note))
        more["compare"] = dataclasses.replace(given, title=title, note=note)
    return dataclasses.replace(preset, translation={**preset.translation, language: own}, **more)


def _also(texts: Mapping[str, str], language: str) -> Mapping[str, str]:
    base, words = spelling(language)
    return {**texts, language: respelled(texts[base], words)} if base in texts else texts


def in_language(preset: Preset, language: str) -> Preset:
    """The preset with its words and sentence in a language; itself where it is that already.

    Raises `UserError`, naming the languages that there are, where it has no such sentence.
    """
    if language == preset.language:
        return preset
    preset = spoken(preset, language)
    if spelling(language)[0] == preset.language:  # its words are its own
        return dataclasses.replace(preset, language=language)
    if language not in preset.sentences:
        require_language(language)
        hint, has = did_you_mean(language, preset.sentences), ", ".join(preset.sentences)
        raise refused("presets.language", preset=preset, language=language, hint=hint, has=has)
    other = Translation(preset, language)
    table = other.table
    return dataclasses.replace(
        preset,
        language=language,
        corpus=None,  # its words are in the preset's own language
        words={table[word]: embedding for word, embedding in preset.words.items()},
        worked=other.focus(preset.worked),
        exercise=other.focus(preset.exercise),
        stop=None if preset.stop is None else table[preset.stop],
        behaviour=tuple(map(other.promise, preset.behaviour)),
    )


def translated(preset: Preset, language: str, sentence: str) -> str:
    """A sentence with those of the preset's words that it holds put into the language."""
    return Translation(spoken(preset, language), language).text(sentence)


def translated_edits(
    preset: Preset, language: str, edits: Mapping[str, object]
) -> dict[str, object]:
    """Edits with those of the preset's words that they set put into the language."""
    table = Translation(spoken(preset, language), language).table
    return {
        key: table.get(str(value), value) if key.partition("[")[0] in WORDS else value
        for key, value in edits.items()
    }


@dataclasses.dataclass(frozen=True)
class Translation:
    """A preset's words in one of its languages."""

    preset: Preset
    language: str

    @property
    def table(self) -> Mapping[str, str]:
        """From the preset's own words."""
        return self.preset.translation.get(self.language, {})

    def text(self, sentence: str) -> str:
        """A text with those of the words that it holds translated."""
        preset, table = self.preset, self.table
        tokens = tokenize(sentence, preset.tokenizer, preset.words, preset.merges).tokens
        if not any(token in table for token in tokens):
            return sentence
        return joined(tuple(table.get(token, token) for token in tokens), preset.tokenizer)

    def focus(self, words: Iterable[str]) -> tuple[str, ...]:
        """Tokens of the preset's sentence as the ones in their places in the other."""
        preset, kind, merges = self.preset, self.preset.tokenizer, self.preset.merges
        own = tokenize(preset.sentences[preset.language], kind, preset.words, merges).tokens
        sentence = preset.sentences[self.language]
        other = tokenize(sentence, kind, self.table.values(), merges).tokens
        return tuple(self.table.get(word) or other[own.index(word)] for word in words)

    def promise(self, one: Promise) -> Promise:
        """A promise with its words in the language; kinds are named the same in all of them."""
        who, at, start = one.who, one.at, one.sentence
        match one.rule:
            case "words":
                who, at = self.focus(who), self.focus(at)
            case "writes":
                at = tuple(map(self.text, at))
            case "predicts":
                at = tuple(self.table.get(word, word) for word in at)
        start = self.text(start) if start and one.rule in ("writes", "predicts") else start
        return dataclasses.replace(one, who=who, at=at, sentence=start)
