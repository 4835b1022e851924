"""Whether the tasks about a token say something in a computation: one condition after the other.

A condition counts where the computation has the steps that its sheet is about. They look at what
is shown on paper, and only at what the sentence and the model decide, never at which sheets are
printed: a class gets sheet 4a today and sheet 4b next week.

Also here:

* Checks that a preset's given numbers are short enough for pupils to copy them out.
* A head's attention as it would be without the mask, as further steps of a Trace.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from generator.engine.layers import SoftmaxRows, softmax
from generator.engine.ops.linear import MatMul
from generator.engine.preset import Preset
from generator.engine.rounding import GUARD, guarded, guarded_number
from generator.engine.scope import Shifts
from generator.engine.trace import Step, Trace
from generator.errors import UserError, refused

HEAD = "block1.head1"
LEAST_SEVERAL, LEAST_VISIBLE = 2, 3  # tokens seen under the mask
LEAST_CHANGE = 0.02  # of a share by the mask
LEAST_TAKEN = 0.05  # of the largest value, in an output


class Fitness:
    """What a computation says of each of its tokens (by position from 0)."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def unmet(
        self, token: int, sheets: Iterable[str] | None = None, *, example: bool = False
    ) -> tuple[str, ...]:
        """The names of the conditions that a token does not meet, all or those of some sheets.

        As an `example`, worked through, it need not meet every one.
        """
        wanted = None if sheets is None else set(sheets)
        return tuple(
            one.name
            for one in CONDITIONS
            if (one.example or not example)
            and (wanted is None or not wanted.isdisjoint(one.sheets))
            and not one.holds(self, token)
        )

    def copies(self, token: int, other: int) -> bool:
        """Whether two tokens start from equal rows, so that all about them is equal."""
        rows = self._values("input")
        return rows is not None and bool(np.array_equal(rows[token], rows[other]))

    def is_word(self, token: int) -> bool:
        """Whether it has a letter or a digit."""
        return any(map(str.isalnum, self.trace.tokens[token]))

    def differs_in_similarity(self, token: int) -> bool:
        """Whether its word is not equally similar to all others of the vocabulary."""
        table, own = self._values("vocabulary.embedding"), self.trace.tokens[token]
        if table is None or own not in self._places:
            return True
        row = self._places[own]
        rows = np.delete(table, row, axis=0)
        with np.errstate(all="ignore"):  # a preset's numbers may be too large to compare
            return len(rows) < 2 or not _equal(rows @ table[row])

    def weighs(self, token: int) -> bool:
        """Whether it gives some tokens more attention than others, without the mask."""
        return self.free is None or not _equal(self.free[token])

    def takes(self, token: int) -> bool:
        """Whether there is something to see in its output, without the mask."""
        if self.outputs is None:
            return True
        most = np.abs(self.trace[f"{HEAD}.value"].values).max()
        return bool(np.abs(self.outputs[token]).max() >= LEAST_TAKEN * most)

    def weighs_seen(self, token: int) -> bool:
        """Whether it does so among those that it sees under the mask, if these are several."""
        if self.visible is None or self.visible[token].sum() < 2:
            return True
        return not _equal(self.trace[f"{HEAD}.weights"].values[token][self.visible[token]])

    def sees_several(self, token: int) -> bool:
        """Whether it sees two tokens at least: one alone has all."""
        return self.visible is None or int(self.visible[token].sum()) >= LEAST_SEVERAL

    def sees_enough(self, token: int) -> bool:
        """Whether it sees so many tokens that their shares say something."""
        return self.visible is None or int(self.visible[token].sum()) >= LEAST_VISIBLE

    def has_hidden(self, token: int) -> bool:
        """Whether the mask hides a token from it."""
        return self.visible is None or not self.visible[token].all()

    def is_changed(self, token: int) -> bool:
        """Whether the mask changes a share of a token that it sees."""
        if self.visible is None or self.free is None:
            return True
        masked = self.trace[f"{HEAD}.weights"].values[token]
        change = np.abs(masked - self.free[token])[self.visible[token]].max(initial=0.0)
        return guarded_number(float(change), GUARD) >= LEAST_CHANGE

    def is_moved(self, token: int) -> bool:
        """Whether the feed-forward network gives it anything but zeros."""
        rows = self._values("block1.feedforward")
        return rows is None or bool(rows[token].any())

    @cached_property
    def _places(self) -> dict[str, int]:
        """The row of each word of the vocabulary."""
        words = self.trace["vocabulary.words"].values[:, 0].tolist()
        return {str(word): place for place, word in enumerate(words)}

    @cached_property
    def visible(self) -> np.ndarray | None:
        """Which tokens each one sees under the mask, [n, n]; None without a mask."""
        mask = self._values(f"{HEAD}.mask")
        return None if mask is None else np.isfinite(mask)

    @property
    def free(self) -> np.ndarray | None:
        """The shares as without the mask, [n, n]; None without attention."""
        return self._unmasked("weights")

    @property
    def outputs(self) -> np.ndarray | None:
        """The outputs as without the mask, [n, d_head]; None without attention."""
        return self._unmasked("output")

    def _unmasked(self, name: str) -> np.ndarray | None:
        if self.visible is None:
            return self._values(f"{HEAD}.{name}")
        whole = FreeHead(HEAD, free=True).step(name)
        return next((step.values for step in self._without_mask if step.name == whole), None)

    @cached_property
    def _without_mask(self) -> tuple[Step, ...]:
        try:
            return unmasked(self.trace, HEAD)
        except UserError:  # without the mask this head cannot be computed
            return ()

    def _values(self, name: str) -> np.ndarray | None:
        return self.trace[name].values if name in self.trace else None


class Condition(NamedTuple):
    """A condition of some sheets by its name; `example` where a worked token is to meet it too."""

    name: str
    sheets: tuple[str, ...]
    holds: Callable[[Fitness, int], bool]
    example: bool = True


def _equal(values: np.ndarray) -> bool:
    return bool(np.ptp(guarded(values, GUARD)) == 0.0)


PREFIX = "unmasked."


STEPS = ("max", "shifted", "exp", "sum", "weights", "output")  # that the mask changes


class FreeHead(NamedTuple):
    """A head by its name, `free` where all tokens are seen: what its steps are called."""

    at: str
    free: bool = False

    def step(self, name: str) -> str:
        """The whole name of a step, known by the last part of it."""
        return f"{PREFIX if self.free and name in STEPS else ''}{self.at}.{name}"


def unmasked(trace: Trace, at: str) -> tuple[Step, ...]:
    """Powers, sums, shares and outputs of a head over all tokens, rounded as the head's own.

    `at` is the head's name; the steps are called `unmasked.<at>.exp` and so on, by the names in
    `STEPS`. What comes before the mask, down to the scaled scores, is the head's.
    """
    chain, tokens = trace.scratch().within(PREFIX + at), trace.tokens
    chain.shifts = Shifts("always" if f"{at}.shifted" in trace else "never")
    weights = softmax(chain, f"{at}.scaled", "weights", SoftmaxRows(tokens, tokens))
    names = trace[f"{at}.output"].columns
    chain.apply("output", MatMul(), weights, f"{at}.value", rows=tokens, columns=names)
    return chain.new


def seen_whole(trace: Trace, at: str) -> Trace:
    """The computation without the head's mask: the steps of `unmasked` are its own ones."""
    free = {_bare(step.name): step for step in unmasked(trace, at)}
    found = {}
    for name, step in trace.steps.items():
        step = free.get(name, step)
        found[name] = step._replace(name=name, inputs=tuple(map(_bare, step.inputs)))
        if name.startswith(f"{at}.contribution"):
            values = step.op.value(*(found[one].values for one in step.inputs))
            found[name] = step._replace(values=values)
    del found[f"{at}.mask"], found[f"{at}.masked"]
    return replace(trace, steps=found, preset=replace(trace.preset, mask="none", compare=None))


def _bare(name: str) -> str:
    return name.removeprefix(PREFIX)


CONDITIONS = (
    Condition("word", ("2", "3", "4a", "4b", "5"), Fitness.is_word),
    Condition("similar", ("2",), Fitness.differs_in_similarity, example=False),
    Condition("weighs", ("4a",), Fitness.weighs),
    Condition("takes", ("4a",), Fitness.takes),
    Condition("several", ("4b",), Fitness.sees_several),
    Condition("hidden", ("4b",), Fitness.has_hidden),
    Condition("enough", ("4b",), Fitness.sees_enough, example=False),
    Condition("changed", ("4b",), Fitness.is_changed),
    Condition("weighs seen", ("4b",), Fitness.weighs_seen),
    Condition("moved", ("5",), Fitness.is_moved),
)


def fit_tokens(trace: Trace, sheets: Iterable[str]) -> tuple[int, ...]:
    """The tokens that pupils may be asked on these sheets, beside the example's, in order.

    Each meets all conditions of the sheets and starts from another row than the example.
    """
    fitness, wanted = Fitness(trace), tuple(sheets)
    worked = trace.worked
    return tuple(
        token
        for token in range(len(trace.tokens))
        if token != worked
        and not (worked is not None and fitness.copies(token, worked))
        and not fitness.unmet(token, sheets=wanted)
    )


MOST_DECIMALS = 4


def require_short_numbers(preset: Preset) -> None:
    """Raise a `UserError` for a given number with more than four decimals.

    A preset whose own arithmetic is paper is checked when it is loaded; this is for one whose
    own is exact and that is asked for on paper.
    """
    given = dict(preset.weights)
    if _long(np.array(list(preset.words.values()))).any():
        given |= {word: np.array([embedding]) for word, embedding in preset.words.items()}
    if preset.start_value is not None:
        given["start"] = preset.start_value
    for name, values in given.items():
        if (long := values[_long(values)]).size:
            found, most = float(long[0]), MOST_DECIMALS
            raise refused("engine.decimals", preset=preset, name=name, found=found, most=most)


def _long(values: np.ndarray) -> np.ndarray:
    shifted = np.abs(values) * 10.0**MOST_DECIMALS
    long: np.ndarray = np.abs(shifted - np.rint(shifted)) > 1e-6
    return long
