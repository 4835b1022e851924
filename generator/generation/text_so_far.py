"""A text while it is written: its tokens, the numbers of its last round, what the cache holds.

Also here:

* How many multiplications the matrix products of a computation take, from their shapes.
* Whether a softmax subtracts its maximum first, where rows are computed one after the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from generator.engine.cache import STORED, Cache
from generator.engine.choices import Shift
from generator.engine.controls import give_switches
from generator.engine.masks import MASKS
from generator.engine.model import forward
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.scope import Scope, Shifts
from generator.engine.trace import Step, Trace
from generator.engine.vocabulary import joined
from generator.generation.again import all_again, new_row
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
        scope.shifts = shifts = Grown(self.first.preset.shifted, self.shifted)
        cache = Cache(tokens[:-1], keys)
        with scope.at_once():
            forward(scope, cache)
        trace = _trace(scope, tokens)
        done, whole = multiplications(trace), multiplications(trace, len(tokens))
        return Written(self.first, trace, tokens, cache.grown, shifts.decided, done, whole)

    def whole_of(self, tokens: tuple[str, ...], random: float = 0.0) -> "Written":
        """A text of these tokens, words of the vocabulary, with everything computed anew."""
        scope = all_again(self.first, tokens, random)
        if scope.run.controls:
            give_switches(scope)
        scope.shifts = shifts = Grown(self.first.preset.shifted, {})
        with scope.at_once():
            forward(scope)
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
    preset = trace.preset
    blind = preset.mask != "none" and not MASKS[preset.mask].looks_ahead
    return ("attention" not in preset.parts or blind) and not trace.edits


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


NEXT, LAST = "sampling.next", "last"


def needed(trace: Trace, goal: str) -> set[str]:
    """The names of the steps that a step is computed from, its own among them."""
    names: set[str] = set()
    waiting = [trace[goal].name]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += trace.steps[name].inputs
    return names


def multiplications(trace: Trace, times: int = 1) -> int:
    """Those for the next token: rows · columns · terms of each matrix product that it needs.

    `times` counts what leads to the last vector so often: a trace of one token's row, counted for
    every token. Masked scores count too, because the engine computes the whole table.
    """
    rows = needed(trace, LAST)
    total = 0
    for name in needed(trace, NEXT):
        total += _products(trace, trace.steps[name]) * (times if name in rows else 1)
    return total


def _products(trace: Trace, step: Step) -> int:
    if not isinstance(step.op, MatMul | MatMulT):
        return 0
    return step.values.size * trace.steps[step.inputs[0]].shape[1]


class Outgrown(Exception):
    """A new row's softmax needs a shift that the earlier rows were computed without."""


class Grown(Shifts):
    """The decisions of one round. A shift that an earlier row needed stays for all later rows.

    `before` are the decisions of the round before; nothing where all rows are computed together.
    `decided` are those of this round, by the name that the softmax's steps begin with.
    """

    def __init__(self, rule: Shift, before: Mapping[str, bool]) -> None:
        super().__init__(rule)
        self._before = before
        self.decided: dict[str, bool] = {}

    def needed(self, scope: Scope, x: str) -> bool:
        """Whether the softmax at this place is shifted; `Outgrown` where only from now on."""
        now = super().needed(scope, x)
        at = scope.at.removesuffix(".")
        if at != "output" and at in self._before:  # the output has one row in every round
            if now and not self._before[at]:
                raise Outgrown
            now = now or self._before[at]
        self.decided[at] = now
        return now
