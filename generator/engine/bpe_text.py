"""Byte-pair encoding of whole texts: the words with the spaces before them, tokens, ids.

As with GPT-2 a space belongs to the word after it and is a letter like any other, shown as "␣".

Also here:

* Byte level: text as UTF-8 bytes, each one sign for the merges, each shown as what it means.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import regex

from generator.engine import bpe
from generator.engine.bpe import Pair
from generator.engine.ops.pieces import BETWEEN
from generator.errors import UserError, did_you_mean, refused, require, require_known

MOST_NAMED = 60
_GPT2 = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


@dataclass(frozen=True)
class Bpe:
    """Merges in order, over characters or bytes; `alphabet` are the letters it begins with.

    `merges` and `alphabet` are as a reader sees them ("ä", "␣").
    """

    merges: tuple[Pair, ...]
    alphabet: tuple[str, ...]
    level: str = "character"

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """All tokens in order of their ids: the alphabet, then what each merge makes."""
        joined_pairs = map(LEVELS[self.level].joined, self.merges)
        return tuple(dict.fromkeys((*self.alphabet, *joined_pairs)))

    def tokens(self, text: str) -> tuple[str, ...]:
        """The text in tokens, known letters or not."""
        return pieces(text, self.merges, self.level)

    def encode(self, text: str) -> tuple[int, ...]:
        """The text as ids from 0. Raises `UserError` for a character outside the vocabulary."""
        return tuple(self._id(token) for token in self.tokens(text))

    def decode(self, ids: Iterable[int]) -> str:
        """The text that ids stand for. Raises `UserError` for an id that there is not."""
        return text_of([self._token(number) for number in ids], self.level)

    @cached_property
    def _ids(self) -> Mapping[str, int]:
        return {token: number for number, token in enumerate(self.vocabulary)}

    def _id(self, token: str) -> int:
        if token not in self._ids:
            count, letters = len(self.alphabet), named(self.alphabet)
            raise refused("engine.letter", token=token, count=count, letters=letters)
        return self._ids[token]

    def _token(self, number: int) -> str:
        last = len(self.vocabulary) - 1
        require(0 <= number <= last, "engine.id", number=number, last=last)
        return self.vocabulary[number]


def learn(corpus: str | Mapping[str, int], merges: int, level: str = "character") -> Bpe:
    """Train on a text, or on words × counts: so many merges, the most frequent pair each time.

    Of equally frequent pairs the one met first wins, words in the order in which they first
    stand, each from left to right. Raises `UserError` for an unknown level, and where the corpus
    has not so many pairs to merge.
    """
    require_known("level", level, tuple(LEVELS))
    words = corpus if isinstance(corpus, Mapping) else Counter(split(corpus))
    counted: Counter[str] = Counter()
    for word, count in words.items():
        counted[LEVELS[level].spelled(word)] += count
    winners = [merge.winner for merge in bpe.learn(counted, merges)]
    require(len(winners) >= merges, "engine.merges", merges=merges, most=len(winners))
    letters = {letter for word in counted for letter in bpe.letters(word)}
    shown_as = LEVELS[level].shown
    merges_shown = tuple((shown_as(first), shown_as(second)) for first, second in winners)
    return Bpe(merges_shown, LEVELS[level].alphabet(letters), level)


def from_list(texts: Sequence[str], level: str = "character") -> Bpe:
    """The encoding of a list of merges such as "e n". Raises `UserError` for the first fault."""
    for number, found, expected in faults(texts, level):
        raise UserError(f"merge {number + 1}: found {found}, expected {expected}")
    merges = tuple(bpe.pair_of(text) for text in texts)
    letters = filter(LEVELS[level].is_letter, {part for pair in merges for part in pair})
    return Bpe(merges, LEVELS[level].alphabet(letters), level)


def faults(texts: Sequence[str], level: str) -> Iterator[tuple[int, str, str]]:
    """What is wrong in a list of merges: which one (from 0), what was found, what expected.

    A merge is two parts with a space between them; each part is a letter or what an earlier merge
    makes, and no merge stands twice.
    """
    made: dict[str, None] = {}  # found at once among the 50,000 merges of a real model
    seen: dict[str, int] = {}
    for number, text in enumerate(texts):
        parts = tuple(text.split(BETWEEN))
        if len(parts) != 2 or not all(parts):
            yield number, repr(text), 'two parts with one space between them, such as "e n"'
            continue
        if text in seen:
            yield number, repr(text), f"each merge once; this is merge {seen[text] + 1} too"
        seen.setdefault(text, number)
        for part in parts:
            if not LEVELS[level].is_letter(part) and part not in made:
                known = f"made so far: {named(list(made))}" if made else "none is made so far"
                expected = f"a letter or what an earlier merge makes ({known})"
                yield number, f"the part {part!r}", expected + did_you_mean(part, made)
        made[LEVELS[level].joined(parts)] = None


def split(text: str) -> tuple[str, ...]:
    """The words of a text, each but the first with the space before it."""
    first, *others = text.split(" ")
    return tuple(word for word in (first, *(f" {word}" for word in others)) if word)


def split_gpt2(text: str) -> tuple[str, ...]:
    """A text as GPT-2 splits it: letters, digits and other signs apart (Radford et al. 2019)."""
    return tuple(_GPT2.findall(text))


def pieces(
    text: str, merges: Sequence[Pair], level: str, cut: Callable[[str], tuple[str, ...]] = split
) -> tuple[str, ...]:
    """The tokens of a text as a reader sees them; `cut` gives the words that are merged within."""
    by = LEVELS[level]
    rules = [(by.read(first), by.read(second)) for first, second in merges]
    words = map(by.spelled, cut(text))
    return tuple(by.shown(piece) for word in words for piece in bpe.encode(word, rules))


def text_of(tokens: Iterable[str], level: str) -> str:
    """The text that tokens stand for; bytes that are no text become "\ufffd"."""
    return LEVELS[level].text("".join(tokens))


def named(tokens: Sequence[str]) -> str:
    """Some tokens as a list for messages, not endlessly many."""
    return " ".join(tokens[:MOST_NAMED]) + (" …" if len(tokens) > MOST_NAMED else "")


SPACE = "␣"
OPEN, CLOSE = "⟨", "⟩"

_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]
SIGNS = {byte: chr(byte) for byte in _PRINTED} | {b: chr(256 + k) for k, b in enumerate(_OTHERS)}
_BYTES = {sign: byte for byte, sign in SIGNS.items()}

_BYTE = regex.compile(r"⟨([0-9A-F]{2})⟩|(.)", regex.DOTALL)
_FIRST_ESCAPED = 0xDC00  # where Python's "surrogateescape" puts bytes that are no text


def signs(text: str) -> str:
    """The text as merges read it: one sign for each of its bytes."""
    return "".join(SIGNS[byte] for byte in text.encode("utf-8"))


def shown(piece: str) -> str:
    """A piece of signs as a reader sees it; no two pieces look the same."""
    text = raw(piece).decode("utf-8", "surrogateescape")
    return "".join(_shown_letter(letter) for letter in text)


def read(label: str) -> str:
    """The signs of a piece as it is shown: the inverse of `shown`."""
    data = b"".join(
        bytes.fromhex(match[1]) if match[1] else _written(match[2])
        for match in _BYTE.finditer(label)
    )
    return "".join(SIGNS[byte] for byte in data)


def raw(piece: str) -> bytes:
    """The bytes that a piece of signs stands for."""
    return bytes(_BYTES[sign] for sign in piece)


def _written(letter: str) -> bytes:
    return b" " if letter == SPACE else letter.encode("utf-8")


def _shown_letter(letter: str) -> str:
    if letter == " ":
        return SPACE
    code = ord(letter)
    if _FIRST_ESCAPED <= code < _FIRST_ESCAPED + 256:
        return f"{OPEN}{code - _FIRST_ESCAPED:02X}{CLOSE}"
    if letter in (SPACE, OPEN, CLOSE) or unicodedata.category(letter)[0] in "CZ":
        return "".join(f"{OPEN}{byte:02X}{CLOSE}" for byte in letter.encode("utf-8"))
    return letter


class Level(NamedTuple):
    """What merges work on: how a word is `spelled` for them, how a piece is `shown`, and `read`.

    `text` is that of tokens as they are shown; `alphabet` gives the letters to begin with, of those
    that were met.
    """

    spelled: Callable[[str], str]
    shown: Callable[[str], str]
    read: Callable[[str], str]  # the inverse of `shown`
    text: Callable[[str], str]
    alphabet: Callable[[Iterable[str]], tuple[str, ...]]

    def is_letter(self, part: str) -> bool:
        """Whether a part is one of those that words start as."""
        return len(bpe.letters(self.read(part))) == 1

    def joined(self, pair: Iterable[str]) -> str:
        """What a merge makes, as a reader sees it: at byte level two halves of "ä" make "ä"."""
        return self.shown("".join(map(self.read, pair)))


LEVELS: Mapping[str, Level] = {
    "character": Level(
        spelled=lambda word: word.replace(" ", SPACE),
        shown=str,
        read=str,
        text=lambda text: text.replace(SPACE, " "),
        alphabet=lambda letters: tuple(sorted(letters)),
    ),
    "byte": Level(
        spelled=signs,
        shown=shown,
        read=read,
        text=lambda text: raw(read(text)).decode("utf-8", "replace"),
        # all bytes, for none may be unknown
        alphabet=lambda letters: tuple(shown(SIGNS[byte]) for byte in range(256)),
    ),
}
