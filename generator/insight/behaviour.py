"""Whether a computation does what its preset promises: who looks at whom, what is predicted."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from generator.engine.promise import Promise
from generator.engine.tokenizers import readable
from generator.engine.trace import Trace
from generator.insight.writing import writing

NEXT, EMBEDDING = "sampling.next", "embedding"


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
    shares = trace[f"{promise.head}.weights"].values
    looks_at = []
    for i in range(len(trace.tokens)):
        if at := tuple(j for j in find(trace, promise, i) if _sees(trace, promise.head, i, j)):
            row = [float(shares[i, j]) for j in at]
            looks_at.append(Look(i, at, math.fsum(row) if together else min(row) * len(row)))
    return tuple(looks_at)


def predicted(trace: Trace, promise: Promise) -> tuple[tuple[str, ...], str]:
    """The words of which one ought to come next, and the one that the computation chooses.

    No words where the promise has no case: two words that followed, say, are no pattern.
    """
    chosen = str(trace[NEXT].values[0, 0])
    if promise.rule == "predicts":
        return promise.at, chosen
    if promise.rule == "repeats":
        return trace.tokens, chosen
    return _following(trace), chosen


def holds(trace: Trace, promise: Promise) -> bool:
    """Whether a computation keeps a promise; False where it has no case of it."""
    return _has_case(trace, promise) and not any(missed(trace, promise))


def _has_case(trace: Trace, promise: Promise) -> bool:
    if promise.rule == "writes":
        return writing(trace, promise.at) is not None
    return bool(looks(trace, promise) if promise.rule in RULES else predicted(trace, promise)[0])


def missed(trace: Trace, promise: Promise) -> Iterator[tuple[str, str]]:
    """What a computation shows against a promise, each with what was promised, for a message."""
    if promise.rule == "writes":
        yield from _unwritten(trace, promise)
        return
    if promise.rule not in RULES:
        wanted, chosen = predicted(trace, promise)
        if wanted and chosen not in wanted:
            yield f"{chosen!r} as next token", " or ".join(map(repr, wanted))
        return
    for look in looks(trace, promise):
        if look.share < promise.least:
            who, at = trace.tokens[look.token], ", ".join(trace.tokens[j] for j in look.at)
            yield f"a share of {look.share:.3f} from {who!r} to {at}", f"{promise.least:g} or more"


def _unwritten(trace: Trace, promise: Promise) -> Iterator[tuple[str, str]]:
    written = writing(trace, promise.at)
    if written is None:
        return
    for one in written.astray:
        start = readable(one.tokens, trace.preset.tokenizer)
        yield f"{one.greedy!r} as next token of {start!r}", " or ".join(map(repr, one.allowed))
    if written.probability < promise.least:
        share = f"a probability of {written.probability:.3f} that sampling writes one of the texts"
        yield share, f"{promise.least:g} or more"


def _sees(trace: Trace, head: str, i: int, j: int) -> bool:
    mask = f"{head}.mask"
    return mask not in trace or bool(trace[mask].values[i, j] == 0.0)


def _copies(trace: Trace, i: int) -> list[int]:
    """The places of the earlier copies of token i."""
    tokens = trace.tokens
    return [j for j in range(i) if tokens[j] == tokens[i]]


def _following(trace: Trace) -> tuple[str, ...]:
    """What followed each earlier copy of the last token; nothing unless one other word did."""
    last = trace.tokens[-1]
    after = {trace.tokens[j + 1] for j in _copies(trace, len(trace.tokens) - 1)}
    return tuple(after) if len(after) == 1 and last not in after else ()


def _previous(trace: Trace, promise: Promise, i: int) -> list[int]:
    return [i - 1] if i else []


def _same(trace: Trace, promise: Promise, i: int) -> list[int]:
    return _copies(trace, i)


def _after_same(trace: Trace, promise: Promise, i: int) -> list[int]:
    return [j + 1 for j in _copies(trace, i)]


def _kinds(trace: Trace, promise: Promise, i: int) -> list[int]:
    if kind(trace, i) not in promise.who:
        return []
    return [j for j in range(len(trace.tokens)) if kind(trace, j) in promise.at]


def _words(trace: Trace, promise: Promise, i: int) -> list[int]:
    if trace.tokens[i] not in promise.who:
        return []
    return [j for j, token in enumerate(trace.tokens) if token in promise.at]


def kind(trace: Trace, token: int) -> str:
    """The named dimension in which a token's embedding is largest."""
    embedding = trace[EMBEDDING].values[token]
    return trace.preset.dimensions[int(embedding.argmax())]


Find = Callable[[Trace, Promise, int], list[int]]
# Where to look, and whether the shares of several targets count together.
RULES: Mapping[str, tuple[Find, bool]] = {
    "previous": (_previous, True),
    "same": (_same, False),
    "after-same": (_after_same, True),
    "kinds": (_kinds, True),
    "words": (_words, True),
}
