"""The vocabulary of one computation: the preset's words, then the sentence's new ones.

Also here:

* From a sentence to tokens: cleaning (NFC, no control characters), words, characters, pieces.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import regex

from generator.engine import bpe_text
from generator.engine.bpe import Pair, letters
from generator.engine.bpe_text import SPACE as SPACE  # the same sign everywhere
from generator.engine.choices import Tokenizer
from generator.engine.draws import drawn_embedding
from generator.engine.preset import Preset, table_of
from generator.errors import UserError, did_you_mean, message, refused, require, require_shown

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
    said = {"named": named, "word": word, "why": reason, "hint": hint, "way_out": way_out}
    return refused("engine.unknown", preset=preset, known=listed(words), **said)


def noun(tokenizer: str, token: str) -> str:
    """What a message calls a token that a tokenizer of this kind makes."""
    if tokenizer == "word":
        return "word"
    return "character" if len(letters(token)) == 1 else "token"


def listed(words: tuple[str, ...]) -> str:
    """The words of a vocabulary for a message, at most 40 and of each at most 40 characters."""
    shown = (word if len(word) <= MOST else f"{word[:MOST]}…" for word in words[:MOST])
    return ", ".join(shown) + (", …" if len(words) > MOST else "")


MAX_TOKENS = 512
# The level of the kinds that have merges, and how they split a text before it is merged.
BPE = {"bpe": "character", "bpe-bytes": "byte", "bpe-gpt2": "byte"}
SPLITS = {"bpe-gpt2": bpe_text.split_gpt2}

# Kept: joiners inside emoji and scripts. Dropped: controls, bidi overrides, non-characters.
_UNWANTED = regex.compile(r"[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b\ufeff\ufffe\uffff]")
_WORD = regex.compile(r"[\w\p{M}]+(?:[-'’\u200c\u200d][\w\p{M}]+)*|\X")
_LETTER = regex.compile(r"\X")


class Tokens(NamedTuple):
    """The tokens, the cleaned sentence, and what cleaning did (in words, for the user)."""

    tokens: tuple[str, ...]
    sentence: str
    notices: tuple[str, ...]


def tokenize(
    sentence: str, kind: Tokenizer, words: Collection[str], merges: Sequence[Pair] = ()
) -> Tokens:
    """Split a sentence into tokens: `word`, `character`, `bpe`, `bpe-bytes` or `bpe-gpt2`.

    `word` splits at white space; a piece that stands in the vocabulary (`words`) stays whole, of
    any other each punctuation mark becomes a token of its own. `character` takes each character
    as its reader sees it, white space as "␣". The other ones apply the merges to characters and
    to bytes, see `bpe_text`. Raises `UserError` for an empty sentence, for a
    private-use character and for more than 512 tokens.
    """
    require_shown("the sentence", sentence)
    clean, notices = cleaned(sentence)
    require(clean, "engine.empty")
    if kind in BPE:
        tokens = bpe_text.pieces(clean, merges, BPE[kind], SPLITS.get(kind, bpe_text.split))
    elif kind == "character":
        tokens = tuple(SPACE if c == " " else c for c in _LETTER.findall(clean))
    else:
        whole = ([one] if one in words else _WORD.findall(one) for one in clean.split(" "))
        tokens = tuple(chain.from_iterable(whole))
    require(len(tokens) <= MAX_TOKENS, "engine.tokens", count=len(tokens), most=MAX_TOKENS)
    return Tokens(tokens, clean, notices)


def joined(tokens: tuple[str, ...], kind: Tokenizer) -> str:
    """The sentence that some tokens stand for."""
    if kind in BPE:
        return bpe_text.text_of(tokens, BPE[kind])
    if kind == "character":
        return "".join(tokens).replace(SPACE, " ")
    return " ".join(tokens)


def readable(tokens: tuple[str, ...], kind: Tokenizer) -> str:
    """The sentence as it is printed: as `joined`, but no space before a mark that closes a part."""
    text = joined(tokens, kind)
    return re.sub(r" ([.,;:!?…])(?= |$)", r"\1", text) if kind == "word" else text


def cleaned(sentence: str) -> tuple[str, tuple[str, ...]]:
    """The sentence in NFC, white space folded, unwanted characters removed; and what those were."""
    folded = " ".join(sentence.split())
    unwanted = unwanted_in(folded)
    text = " ".join(_UNWANTED.sub("", folded).split())
    notice = message("engine.cleaned", unwanted=", ".join(unwanted))
    return unicodedata.normalize("NFC", text), (notice,) if unwanted else ()


def unwanted_in(text: str) -> list[str]:
    """The characters that no page can show or that turn the text around, as "U+202E"."""
    return sorted({f"U+{ord(c):04X}" for c in _UNWANTED.findall(" ".join(text.split()))})
