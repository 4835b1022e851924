"""Whether a computation does what its preset promises: who looks at whom, what is predicted.

Also here:

* Which of some texts a model writes: what greedy decoding takes, how probable they are.
* Whether a preset does what it states, on the sentences that it has itself.
* What a computation's numbers mean: whether they do what the preset says of them.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from generator.engine.choices import ROUNDINGS, Rounding
from generator.engine.model import compute, recomputed
from generator.engine.preset import Preset, Promise
from generator.engine.trace import Trace
from generator.engine.vocabulary import readable, tokenize
from generator.generation.text_so_far import Written, begin
from generator.presets.language import in_language
from generator.presets.schema import PresetProblem

NEXT, EMBEDDING = "sampling.next", "embedding"

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """A token that the promise is about, the tokens that it ought to look at, their share."""

    token: int
    at: tuple[int, ...]
    share: float


def needed(promise: Promise) -> tuple[str, ...]:
    """The steps that are looked at to tell whether a promise is kept."""
    if promise.rule not in RULES:
        return (NEXT,)
    kinds = (EMBEDDING,) if promise.rule == "kinds" else ()
    return (f"{promise.head}.weights", *kinds)


def looks(trace: Trace, promise: Promise) -> tuple[Look, ...]:
    """Each case of a promise about attention in this sentence, with the share that it got.

    Of several earlier copies the smallest share counts for all, so that no copy is left out.
    """
    find, together = RULES[promise.rule]
    shares, mask = trace[f"{promise.head}.weights"].values, f"{promise.head}.mask"
    seen = trace[mask].values == 0.0 if mask in trace else np.ones_like(shares)
    looks_at = []
    for i in range(len(trace.tokens)):
        if at := tuple(j for j in find(trace, promise, i) if seen[i, j]):
            row = [float(shares[i, j]) for j in at]
            looks_at.append(Look(i, at, math.fsum(row) if together else min(row) * len(row)))
    return tuple(looks_at)


def predicted(trace: Trace, promise: Promise) -> tuple[tuple[str, ...], str]:
    """The words of which one ought to come next, and the one that the computation chooses.

    No words where the promise has no case: two words that followed, say, are no pattern.
    """
    tokens, chosen = trace.tokens, str(trace[NEXT].values[0, 0])
    # what followed each earlier copy of the last token; nothing unless one other word did
    after = {tokens[j + 1] for j in _copies(tokens, len(tokens) - 1)}
    pattern = tuple(after) if len(after) == 1 and tokens[-1] not in after else ()
    return {"predicts": promise.at, "repeats": tokens}.get(promise.rule, pattern), chosen


class Case(NamedTuple):
    """What a computation shows where a promise is about it, what was promised, whether it is so."""

    shown: str
    expected: str
    kept: bool


def cases(trace: Trace, promise: Promise) -> Iterator[Case]:
    """Each case of a promise in a computation, with words for a message."""
    least, tokens = f"{promise.least:g} or more", trace.tokens
    if promise.rule == "writes" and (written := writing(trace, promise.at)):
        for one in written.beginnings:
            start, allowed = readable(one.tokens, trace.preset.tokenizer), one.allowed
            shown = f"{one.greedy!r} as next token of {start!r}"
            yield Case(shown, " or ".join(map(repr, allowed)), one.greedy in allowed)
        share = f"a probability of {written.probability:.3f} that sampling writes one of the texts"
        yield Case(share, least, written.probability >= promise.least)
    elif promise.rule in RULES:
        for look in looks(trace, promise):
            who, at = tokens[look.token], ", ".join(tokens[j] for j in look.at)
            shown = f"a share of {look.share:.3f} from {who!r} to {at}"
            yield Case(shown, least, look.share >= promise.least)
    elif promise.rule != "writes":
        wanted, chosen = predicted(trace, promise)
        expected = " or ".join(map(repr, wanted))
        yield from [Case(f"{chosen!r} as next token", expected, chosen in wanted)] if wanted else ()


def holds(trace: Trace, promise: Promise) -> bool:
    """Whether a computation keeps a promise; False where it has no case of it."""
    found = [one.kept for one in cases(trace, promise)]
    return bool(found) and all(found)


def _copies(tokens: Tokens, i: int) -> list[int]:
    """The places of the earlier copies of token i."""
    return [j for j in range(i) if tokens[j] == tokens[i]]


def _listed(names: Sequence[str], promise: Promise, i: int) -> list[int]:
    """The places whose names are promised, if that of i is one that the promise is about."""
    return [j for j, name in enumerate(names) if name in promise.at and names[i] in promise.who]


def kinds(trace: Trace) -> list[str]:
    """The named dimension in which each token's embedding is largest."""
    rows = trace[EMBEDDING].values
    return [trace.preset.dimensions[int(row.argmax())] for row in rows]


Find = Callable[[Trace, Promise, int], list[int]]
# Where to look, and whether the shares of several targets count together.
RULES: Mapping[str, tuple[Find, bool]] = {
    "previous": (lambda trace, promise, i: [i - 1] if i else [], True),
    "same": (lambda trace, promise, i: _copies(trace.tokens, i), False),
    "after-same": (lambda trace, promise, i: [j + 1 for j in _copies(trace.tokens, i)], True),
    "kinds": (lambda trace, promise, i: _listed(kinds(trace), promise, i), True),
    "words": (lambda trace, promise, i: _listed(trace.tokens, promise, i), True),
}


@dataclass(frozen=True)
class TextBeginning:
    """The beginning of a text: what may follow it, what greedy decoding takes, each token's P."""

    tokens: Tokens
    allowed: tuple[str, ...]
    greedy: str
    shares: tuple[float, ...]


@dataclass(frozen=True)
class Writing:
    """All beginnings from a sentence on, and how probable it is to sample one of the texts."""

    beginnings: tuple[TextBeginning, ...]
    probability: float


def writing(trace: Trace, texts: Iterable[str]) -> Writing | None:
    """How a computation goes on among texts that its tokens begin; None where they begin none."""
    known = tuple(tokens_of(trace, text) for text in texts)
    if not any(_after(trace.tokens, known)):
        return None
    beginnings: list[TextBeginning] = []
    probability = _walk(begin(trace), known, beginnings)
    return Writing(tuple(beginnings), probability)


def tokens_of(trace: Trace, text: str) -> Tokens:
    """The tokens of a text, as the computation's preset splits it."""
    preset = trace.preset
    return tokenize(text, preset.tokenizer, preset.words, preset.merges).tokens


def goes_on(trace: Trace, word: str) -> bool:
    """Whether a text that the preset has learned to write goes on with a word here."""
    texts = (text for one in trace.preset.behaviour if one.rule == "writes" for text in one.at)
    return word in _after(trace.tokens, tuple(tokens_of(trace, text) for text in texts))


def _walk(text: Written, texts: tuple[Tokens, ...], beginnings: list[TextBeginning]) -> float:
    """The probability of all texts that go on here; writes down each beginning on the way."""
    shares = text.trace["sampling.share"].values[0]
    allowed = tuple(dict.fromkeys(_after(text.tokens, texts)))
    each = tuple(float(shares[text.words.index(token)]) for token in allowed)
    rank = text.trace["sampling.rank"].values[0]
    beginnings.append(TextBeginning(text.tokens, allowed, text.words[int(np.argmin(rank))], each))
    total = 0.0
    for token, share in zip(allowed, each, strict=True):
        whole = (*text.tokens, token) in texts
        total += share * (1.0 if whole else _walk(text.then(token), texts, beginnings))
    return total


def _after(tokens: Tokens, texts: tuple[Tokens, ...]) -> Iterator[str]:
    n = len(tokens)
    return (one[n] for one in texts if one[:n] == tokens and len(one) > n)


def broken(preset: Preset) -> Iterator[PresetProblem]:
    """Each `[[behaviour]]` that a computation does not show, where it has a case of it.

    Every language of the preset, in exact arithmetic, and on paper where it computes so itself.
    """
    roundings = ROUNDINGS if preset.rounding == "paper" else (preset.rounding,)
    for language, rounding in product(preset.sentences, roundings):
        one = in_language(preset, language)
        for number, promise in enumerate(one.behaviour, 1):
            trace = compute(one, promise.sentence or None, rounding=rounding)
            if promise.tokens and len(trace.tokens) > promise.tokens:
                continue
            where = f"{trace.sentence!r} ({language}, {rounding})"
            for case in (case for case in cases(trace, promise) if not case.kept):
                found = f"{case.shown} in {where}"
                yield PresetProblem(f"behaviour.{number}", found, case.expected)


# Edits of the model's own numbers; others take another word, a switch, a temperature.
NUMBERS = re.compile(r"vocabulary\.embedding|block|final|output\.(matrix|bias)|position|input|last")
OF_A_SENTENCE = ("predicts", "writes")  # promises about the sentence that they name


@dataclass(frozen=True)
class Like:
    """A preset by what says which it is: what depends on that alone is computed once."""

    key: tuple[object, ...]
    preset: Preset = field(compare=False)


def drawn_words(trace: Trace) -> tuple[str, ...]:
    """The sentence's words whose embeddings nobody has chosen or learned, each once."""
    preset = trace.preset
    if preset.start != "sentence":
        return ()
    return tuple(dict.fromkeys(token for token in trace.tokens if token not in preset.words))


def as_given(trace: Trace) -> bool:
    """Whether all numbers are the preset's: no word is drawn, and no number was changed."""
    return not drawn_words(trace) and not any(map(NUMBERS.match, trace.edits))


def to_see(trace: Trace) -> bool:
    """Whether this computation shows all that the preset's `shows` says.

    Each promise must have a case here and keep it, however long the sentence is. A promise about
    another sentence is kept by the preset's own numbers only.
    """
    whole = _whole(trace)
    return all(_shown(whole, one) for one in trace.preset.behaviour)


def meant(trace: Trace) -> bool:
    """Whether the result means something: the preset's own numbers, and no promise is broken."""
    if not trace.preset.meaningful or not as_given(trace):
        return False
    whole = _whole(trace)
    here = (one for one in trace.preset.behaviour if _is_here(trace, one))
    return all(case.kept for one in here for case in cases(whole, one))


def _whole(trace: Trace) -> Trace:
    """The computation with the steps that promises are about; a workbook's tabs may lack some."""
    promises = trace.preset.behaviour
    if all(name in trace for one in promises for name in needed(one)):
        return trace
    return recomputed(trace, training=trace.training)


def _shown(trace: Trace, promise: Promise) -> bool:
    if _is_here(trace, promise):
        return holds(trace, promise)
    if not as_given(trace):
        return False
    preset = trace.preset
    return _kept(Like((preset.sha256, preset.language), preset), trace.rounding, promise)


@cache
def _kept(by: Like, rounding: Rounding, promise: Promise) -> bool:
    """Whether a model keeps a promise about another sentence; looked up once for each model."""
    return holds(compute(by.preset, promise.sentence or None, rounding=rounding), promise)


def _is_here(trace: Trace, promise: Promise) -> bool:
    """Whether a promise is about every sentence, or about the one that is computed."""
    return promise.rule not in OF_A_SENTENCE or trace.sentence == (
        promise.sentence or trace.preset.sentences[trace.preset.language]
    )
