"""Pseudo-random draws: the same purpose, seed and key give the same number on every computer."""

import hashlib
import unicodedata
from collections.abc import Container
from typing import Final

HUNDREDTHS: Final = 100
RANGE: Final = 19  # embeddings: -0.9, -0.8, …, 0.9


def draw(purpose: str, seed: int | str, key: str, counter: int, size: int) -> int:
    """A number from 0 to size − 1: SHA-256 of `paperformer/1|purpose|seed|NFC(key)|counter`.

    Its first 8 bytes, read as a big-endian integer, modulo `size`. A class has a text as its seed.
    """
    text = f"paperformer/1|{purpose}|{seed}|{unicodedata.normalize('NFC', key)}|{counter}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % size


def drawn_embedding(
    word: str, seed: int, d_model: int, reserved: Container[int] = ()
) -> tuple[float, ...]:
    """The embedding of a word that has none: d_model multiples of 0.1 from −0.9 to 0.9.

    It depends on word and seed only, so a word keeps its numbers in every sentence. It is 0 in
    reserved dimensions (from 0): a number there would claim a meaning or a place.
    """
    tenths = (draw("embedding", seed, word, i, RANGE) - RANGE // 2 for i in range(d_model))
    return tuple(0.0 if i in reserved else tenth / 10 for i, tenth in enumerate(tenths))


def random_of(seed: int, prefix: str, parts: int = HUNDREDTHS) -> float:
    """The random number of a round (its names' prefix, "" for the first): k ÷ parts, below 1.

    It depends on the seed and the round only.
    """
    return draw("sampling.random", seed, prefix, 0, parts) / parts
