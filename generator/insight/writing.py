"""Which of some texts a model writes: what greedy decoding takes, how probable they are."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from generator.engine.tokenizers import tokenize
from generator.engine.trace import Trace
from generator.generation.text_so_far import Written, begin

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Beginning:
    """The beginning of a text: what may follow it, what greedy decoding takes, each token's P."""

    tokens: Tokens
    allowed: tuple[str, ...]
    greedy: str
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Writing:
    """All beginnings from a sentence on, and how probable it is to sample one of the texts."""

    beginnings: tuple[Beginning, ...]
    probability: float

    @property
    def astray(self) -> tuple[Beginning, ...]:
        """Those after which greedy decoding takes a token that no text has there."""
        return tuple(one for one in self.beginnings if one.greedy not in one.allowed)


def writing(trace: Trace, texts: Iterable[str]) -> Writing | None:
    """How a computation goes on among texts that its tokens begin; None where they begin none."""
    known = tuple(tokens_of(trace, text) for text in texts)
    if not any(_after(trace.tokens, known)):
        return None
    beginnings: list[Beginning] = []
    probability = _walk(begin(trace), known, beginnings)
    return Writing(tuple(beginnings), probability)


def tokens_of(trace: Trace, text: str) -> Tokens:
    """The tokens of a text, as the computation's preset splits it."""
    preset = trace.preset
    return tokenize(text, preset.tokenizer, preset.words, preset.merges).tokens


def _walk(text: Written, texts: tuple[Tokens, ...], beginnings: list[Beginning]) -> float:
    """The probability of all texts that go on here; writes down each beginning on the way."""
    shares = text.trace["sampling.share"].values[0]
    allowed = tuple(dict.fromkeys(_after(text.tokens, texts)))
    each = tuple(float(shares[text.words.index(token)]) for token in allowed)
    rank = text.trace["sampling.rank"].values[0]
    beginnings.append(Beginning(text.tokens, allowed, text.words[int(np.argmin(rank))], each))
    total = 0.0
    for token, share in zip(allowed, each, strict=True):
        whole = (*text.tokens, token) in texts
        total += share * (1.0 if whole else _walk(text.then(token), texts, beginnings))
    return total


def _after(tokens: Tokens, texts: tuple[Tokens, ...]) -> Iterator[str]:
    n = len(tokens)
    return (one[n] for one in texts if one[:n] == tokens and len(one) > n)
