"""From a sentence to tokens: cleaning (NFC, no control characters), words, characters, pieces."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import NamedTuple

import regex

from generator.engine import bpe_text
from generator.engine.bpe import Pair
from generator.engine.bpe_bytes import SPACE as SPACE  # the same sign everywhere
from generator.engine.choices import Tokenizer
from generator.errors import UserError, require_shown

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
    if not clean:
        raise UserError(
            "the sentence is empty: expected at least one word, "
            'such as "Die Katze sitzt auf der Matte"'
        )
    tokens = _split(clean, kind, words, merges)
    if len(tokens) > MAX_TOKENS:
        raise UserError(
            f"the sentence has {len(tokens)} tokens; the engine computes at most {MAX_TOKENS}: "
            "shorten it"
        )
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
    unwanted = sorted({f"U+{ord(c):04X}" for c in _UNWANTED.findall(folded)})
    text = " ".join(_UNWANTED.sub("", folded).split())
    notices = (f"removed control characters from the sentence: {', '.join(unwanted)}",)
    return unicodedata.normalize("NFC", text), notices if unwanted else ()


def _split(
    sentence: str, kind: Tokenizer, words: Collection[str], merges: Sequence[Pair]
) -> tuple[str, ...]:
    if kind in BPE:
        return bpe_text.pieces(sentence, merges, BPE[kind], SPLITS.get(kind, bpe_text.split))
    return _characters(sentence) if kind == "character" else _words(sentence, words)


def _words(sentence: str, words: Collection[str]) -> tuple[str, ...]:
    tokens: list[str] = []
    for piece in sentence.split(" "):
        tokens += [piece] if piece in words else _WORD.findall(piece)
    return tuple(tokens)


def _characters(sentence: str) -> tuple[str, ...]:
    return tuple(SPACE if c == " " else c for c in _LETTER.findall(sentence))
