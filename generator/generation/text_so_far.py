"""A text while it is written: its tokens, the numbers of its last round, what the cache holds.

Also here:

* A later round as a computation of its own: of all tokens, or of the new token alone.
* How long a text may become.
* How many multiplications the matrix products of a computation take, from their shapes.
* Whether a softmax subtracts its maximum first, where rows are computed one after the other.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from generator.engine.arrays import column
from generator.engine.choices import Shift
from generator.engine.controls import give_switches
from generator.engine.edits import Edits
from generator.engine.layers import STORED, Cache
from generator.engine.masks import MASKS
from generator.engine.model import forward
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.predict import drawing_row
from generator.engine.preset import Preset
from generator.engine.scope import Run, Scope, Shifts
from generator.engine.structure import steps_to
from generator.engine.trace import Trace
from generator.engine.vocabulary import MAX_TOKENS, joined
from generator.errors import refused


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
            with suppress(Outgrown):  # earlier rows change as well: all are computed anew, stored
                return self._row(tokens, random, Cache(self.tokens, self.keys))
        return self.whole_of(tokens, random)

    def _row(self, tokens: tuple[str, ...], random: float, cache: Cache) -> "Written":
        """The last token of a text alone, at its place: every step has one row, its own."""
        preset, place = self.first.preset, len(tokens) - 1
        given = {"position.index": np.array([[float(place)]])}
        if preset.positions == "learned":
            given["position"] = preset.weights["position"][place : place + 1].copy()
        scope = again(self.first, tokens[-1:], random, given)
        scope.shifts = shifts = Grown(preset.shifted, self.shifted)
        with scope.at_once():
            forward(scope, cache)
        trace = Trace.of(scope, joined(tokens, preset.tokenizer))
        done, whole = multiplications(trace), multiplications(trace, len(tokens))
        return Written(self.first, trace, tokens, cache.grown, shifts.decided, done, whole)

    def whole_of(self, tokens: tuple[str, ...], random: float = 0.0) -> "Written":
        """A text of these tokens, words of the vocabulary, with everything computed anew."""
        scope = again(self.first, tokens, random)
        if scope.run.controls:
            give_switches(scope)
        scope.shifts = shifts = Grown(self.first.preset.shifted, {})
        with scope.at_once():
            forward(scope)
        trace = Trace.of(scope, joined(tokens, scope.preset.tokenizer))
        count, keys = multiplications(trace), None if self.keys is None else stored(trace)
        return Written(self.first, trace, tokens, keys, shifts.decided, count, count)


def begin(first: Trace, *, cache: bool = True) -> Written:
    """A text that is still the sentence of a computation up to its next token.

    Without `cache`, and where nothing may be stored, each further token has everything computed
    anew: where tokens see later ones, or single numbers are edited, keys and values of earlier
    tokens do not stay as they are.
    """
    ends = [step.name.removesuffix(".exp") for step in first if step.name.endswith(".exp")]
    shifted = {at: f"{at}.shifted" in first for at in ends}
    preset, count = first.preset, multiplications(first)
    blind = preset.mask != "none" and not MASKS[preset.mask].looks_ahead
    may_store = ("attention" not in preset.parts or blind) and not first.edits
    keys = stored(first) if cache and may_store else None
    return Written(first, first, first.tokens, keys, shifted, count, count)


def stored(trace: Trace) -> dict[str, np.ndarray]:
    """What a cache keeps of a round."""
    return {step.name: step.values for step in trace if step.place.kind in STORED}


def again(
    first: Trace,
    tokens: tuple[str, ...],
    random: float = 0.0,
    given: Mapping[str, np.ndarray] | None = None,
) -> Scope:
    """Tokens of a text, to be computed with the vocabulary of its first round.

    `random` is the number that the next token is drawn with.
    """
    edits = {k: v for k, v in first.edits.items() if not k.startswith("tokens")}  # done
    changes = Edits(edits, drawing_row(first.preset))
    numbers = {"sampling.random": np.array([[random]]), **(given or {})}
    scope = Scope(Run(first.preset, first.rounding, changes, first.controls, given=numbers))
    for name in ("vocabulary.words", "vocabulary.embedding"):
        step = first[name]
        scope.give(name, step.values.copy(), rows=step.rows, columns=step.columns)
    scope.give("tokens", column(tokens), columns=("token",))
    return scope


def most_tokens(preset: Preset) -> int:
    """How many tokens a preset can read."""
    learned = preset.positions == "learned"
    return min(MAX_TOKENS, len(preset.weights["position"])) if learned else MAX_TOKENS


def require_room(preset: Preset, now: int, more: int) -> None:
    """Raise a `UserError` where a text of `now` tokens cannot take in `more` and be computed."""
    most = most_tokens(preset)
    left = most - now
    if more > left:
        why = f"preset {preset.name!r} has learned {most} positions"
        if most == MAX_TOKENS:
            why = f"the engine computes at most {most} tokens"
        be = "is" if more == 1 else "are"
        way_out = f"ask for --tokens {left + 1} at most" if left >= 0 else "shorten the sentence"
        raise refused("generation.room", why=why, now=now, more=more, be=be, way_out=way_out)


NEXT, LAST = "sampling.next", "last"


def multiplications(trace: Trace, times: int = 1) -> int:
    """Those for the next token: rows · columns · terms of each matrix product that it needs.

    `times` counts what leads to the last vector so often: a trace of one token's row, counted for
    every token. Masked scores count too, because the engine computes the whole table.
    """
    rows, total = {step.name for step in steps_to(trace, [LAST], ())}, 0
    for step in steps_to(trace, [NEXT], ()):
        if isinstance(step.op, MatMul | MatMulT):
            terms = trace.steps[step.inputs[0]].shape[1]
            total += step.values.size * terms * (times if step.name in rows else 1)
    return total


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
