"""The vocabulary of one computation: the preset's words, then the sentence's new ones."""

import unicodedata
from typing import NamedTuple

import numpy as np

from generator.engine.bpe import letters
from generator.engine.draws import drawn_embedding
from generator.engine.embeddings import table_of
from generator.engine.preset import Preset
from generator.errors import UserError, did_you_mean

FOR_ANY = "for a sentence of your own take 'katze' or 'random'"  # presets that `refusal` lets pass
MOST = 40  # words, and characters of a word, in a message


class Vocabulary(NamedTuple):
    """Words in order of their ids, and their embeddings [words, d_model]."""

    words: tuple[str, ...]
    embeddings: np.ndarray


def vocabulary(preset: Preset, tokens: tuple[str, ...]) -> Vocabulary:
    """The preset's words in file order, then each new token once, sorted as in a dictionary.

    Sorted, because IDs in order of appearance would count the sentence's words from 0 on.
    Where there are new ones and the preset's words yield to them (`own = "yield"`), only those of
    its words stay that the sentence has: it would otherwise be continued with a word that nobody
    wrote. A new word gets a drawn embedding, the same for the same word and seed, with 0 in the
    dimensions that the preset reserves. Raises `UserError` where new words are not allowed.
    """
    new = sorted({token for token in tokens if token not in preset.words}, key=by_alphabet)
    table = table_of(preset.words, preset.d_model)
    if not new:
        return Vocabulary(tuple(preset.words), table)
    words = tuple(preset.words)
    if reason := refusal(preset):
        first = next(token for token in tokens if token in new)
        raise _unknown(preset, first, words, reason, f"; {FOR_ANY}")
    stay = [k for k, word in enumerate(words) if preset.own == "keep" or word in tokens]
    drawn = [drawn_embedding(word, preset.seed, preset.d_model, preset.reserved) for word in new]
    rows = np.vstack([table[stay], np.array(drawn, dtype=np.float64)])
    return Vocabulary((*(words[k] for k in stay), *new), rows)


def by_alphabet(token: str) -> tuple[str, str]:
    """The key that sorts tokens as a dictionary does: without case and accents, then with them."""
    apart = unicodedata.normalize("NFKD", token.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign)), token


def refusal(preset: Preset) -> str:
    """Why the preset takes no sentence with words of one's own; "" where it does."""
    if preset.start != "sentence":
        return f"it gives the numbers of its own sentence only ({preset.start} in the preset)"
    if preset.unknown == "error":
        return 'the preset takes only its own words ([vocabulary] unknown = "error")'
    if preset.output == "own" and "output" in preset.parts:
        return "the preset has its own output matrix, which has no row for a new word"
    if "output.bias" in preset.weights:
        return "the preset has an output bias, which has no number for a new word"
    return ""


def require_words(preset: Preset, tokens: tuple[str, ...], words: tuple[str, ...]) -> None:
    """Raise a `UserError` for a token that is none of the words (an edited token, say)."""
    for token in tokens:
        if token not in words:
            whose = " of this sentence" if token in preset.words else ""
            raise _unknown(preset, token, words, f"it is not in the vocabulary{whose}")


def _unknown(
    preset: Preset, word: str, words: tuple[str, ...], reason: str, way_out: str = ""
) -> UserError:
    named, hint = noun(preset.tokenizer, word), did_you_mean(word, words)
    return UserError(
        f"preset {preset.name!r} does not know the {named} {word!r}: {reason}{hint}; "
        f"known {named}s: {listed(words)}{way_out}"
    )


def noun(tokenizer: str, token: str) -> str:
    """What a message calls a token that a tokenizer of this kind makes."""
    if tokenizer == "word":
        return "word"
    return "character" if len(letters(token)) == 1 else "token"


def listed(words: tuple[str, ...]) -> str:
    """The words of a vocabulary for a message, at most 40 and of each at most 40 characters."""
    shown = (word if len(word) <= MOST else f"{word[:MOST]}…" for word in words[:MOST])
    return ", ".join(shown) + (", …" if len(words) > MOST else "")
