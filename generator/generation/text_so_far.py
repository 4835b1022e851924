"""A text while it is written: its tokens, the numbers of its last round, what the cache holds."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from generator.engine.cache import STORED, Cache
from generator.engine.controls import give_switches
from generator.engine.model import forward
from generator.engine.scope import Scope
from generator.engine.tokenizers import joined
from generator.engine.trace import Trace
from generator.generation.again import all_again, new_row
from generator.generation.products import multiplications
from generator.generation.shifts import Grown, Outgrown
from generator.generation.text_length import require_room


@dataclass(frozen=True)
class Written:
    """A text and the round that follows its last token.

    `trace` holds that round: `output.probabilities`, `sampling.next` and what leads to them; with
    a cache only the last token's row of each step. `keys` are the stored keys and values [tokens,
    d_head] by step name; None without a cache. `done` are the multiplications of this round,
    `whole` those that all tokens together take (the same without a cache).
    """

    first: Trace
    trace: Trace
    tokens: tuple[str, ...]
    keys: Mapping[str, np.ndarray] | None
    shifted: Mapping[str, bool]
    done: int
    whole: int

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return tuple(self.first["vocabulary.words"].values[:, 0].tolist())

    def then(self, token: str, random: float = 0.0) -> "Written":
        """The text with one more token; `random` draws the token after that one.

        Raises `UserError` where the preset has no place for it.
        """
        require_room(self.first.preset, len(self.tokens), 1)
        tokens = (*self.tokens, token)
        if self.keys is not None:
            try:
                return self._row(tokens, random, self.keys)
            except Outgrown:
                pass  # earlier rows change as well: all are computed anew, and stored
        return self.whole_of(tokens, random)

    def _row(
        self, tokens: tuple[str, ...], random: float, keys: Mapping[str, np.ndarray]
    ) -> "Written":
        scope = new_row(self.first, tokens, random)
        shifts = Grown(self.first.preset.shifted, self.shifted)
        cache = Cache(tokens[:-1], keys)
        forward(scope, scope.tokens, self.words, shifts, cache)
        trace = _trace(scope, tokens)
        done, whole = multiplications(trace), multiplications(trace, len(tokens))
        return Written(self.first, trace, tokens, cache.grown, shifts.decided, done, whole)

    def whole_of(self, tokens: tuple[str, ...], random: float = 0.0) -> "Written":
        """A text of these tokens, words of the vocabulary, with everything computed anew."""
        scope = all_again(self.first, tokens, random)
        if scope.run.controls:
            give_switches(scope)
        shifts = Grown(self.first.preset.shifted, {})
        forward(scope, tokens, self.words, shifts)
        return _of(
            self.first, _trace(scope, tokens), tokens, shifts.decided, cache=self.keys is not None
        )


def begin(first: Trace, *, cache: bool = True) -> Written:
    """A text that is still the sentence of a computation up to its next token.

    Without `cache`, and where nothing may be stored (see `may_store`), each further token has
    everything computed anew.
    """
    shifted: dict[str, bool] = {}
    for step in first:
        if step.name.endswith(".exp"):
            at = step.name.removesuffix(".exp")
            shifted[at] = f"{at}.shifted" in first
    return _of(first, first, first.tokens, shifted, cache=cache and may_store(first))


def may_store(trace: Trace) -> bool:
    """Whether keys and values of earlier tokens stay as they are when a token is appended.

    Not where tokens see later ones, nor where single numbers are edited.
    """
    blind = "attention" not in trace.preset.parts or trace.preset.mask != "none"
    return blind and not trace.edits


def _of(
    first: Trace,
    trace: Trace,
    tokens: tuple[str, ...],
    shifted: Mapping[str, bool],
    *,
    cache: bool,
) -> Written:
    count = multiplications(trace)
    return Written(first, trace, tokens, _keys(trace) if cache else None, shifted, count, count)


def _keys(trace: Trace) -> dict[str, np.ndarray]:
    return {step.name: step.values for step in trace if step.place.kind in STORED}


def _trace(scope: Scope, tokens: tuple[str, ...]) -> Trace:
    return Trace.of(scope, joined(tokens, scope.preset.tokenizer))
