"""The vocabulary of one computation: the preset's words, then the sentence's new ones."""

from typing import NamedTuple

import numpy as np

from generator.engine.bpe import letters
from generator.engine.draws import drawn_embedding
from generator.engine.embeddings import table_of
from generator.engine.preset import Preset
from generator.errors import UserError, did_you_mean


class Vocabulary(NamedTuple):
    """Words in order of their ids, and their embeddings [words, d_model]."""

    words: tuple[str, ...]
    embeddings: np.ndarray


def vocabulary(preset: Preset, tokens: tuple[str, ...]) -> Vocabulary:
    """The preset's words in file order, then each new token once, in order of appearance.

    A new word gets a drawn embedding, the same for the same word and seed. Raises `UserError`
    where new words are not allowed: `unknown = "error"`, an untied output (its matrix has no
    row for them), or a given matrix or vector.
    """
    new = tuple(dict.fromkeys(token for token in tokens if token not in preset.words))
    if new:
        _allow(preset, new[0])
    drawn = [drawn_embedding(word, preset.seed, preset.d_model) for word in new]
    table = table_of(preset.words, preset.d_model)
    if new:
        table = np.vstack([table, np.array(drawn, dtype=np.float64)])
    return Vocabulary((*preset.words, *new), table)


def require_words(preset: Preset, tokens: tuple[str, ...], words: tuple[str, ...]) -> None:
    """Raise a `UserError` for a token that is none of the words (an edited token, say)."""
    for token in tokens:
        if token not in words:
            raise _unknown(preset, token, words, "it is not in the vocabulary")


def _allow(preset: Preset, word: str) -> None:
    reason = None
    if preset.unknown == "error":
        reason = 'the preset takes only its own words ([vocabulary] unknown = "error")'
    elif preset.output == "own" and "output" in preset.parts:
        reason = "the preset has its own output matrix, which has no row for a new word"
    elif "output.bias" in preset.weights:
        reason = "the preset has an output bias, which has no number for a new word"
    if reason:
        raise _unknown(preset, word, tuple(preset.words), reason)


def _unknown(preset: Preset, word: str, words: tuple[str, ...], reason: str) -> UserError:
    named, hint = noun(preset.tokenizer, word), did_you_mean(word, words)
    return UserError(
        f"preset {preset.name!r} does not know the {named} {word!r}: {reason}{hint}; "
        f"known {named}s: {listed(words)}"
    )


def noun(tokenizer: str, token: str) -> str:
    """What a message calls a token that a tokenizer of this kind makes."""
    if tokenizer == "word":
        return "word"
    return "character" if len(letters(token)) == 1 else "token"


def listed(words: tuple[str, ...]) -> str:
    """The words of a vocabulary for a message, at most 40."""
    return ", ".join(words[:40]) + (", …" if len(words) > 40 else "")
