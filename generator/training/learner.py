"""The interface of a learner: it looks at the loss of all prompts, then takes a step downhill.

Also here:

* Gradient descent: first free, then with every number rounded in each forward run.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from generator.engine.draws import draw
from generator.engine.preset import Preset
from generator.training.spec import TrainingKeys, margin, outside

NO_NUMBER = "the loss is no number any more"


class LearnerInput(NamedTuple):
    """What a learner is given: a model, start values, and which of these it may change.

    `prompts` are ids, `wanted` [b, v] the shares of the tokens that should follow each of them.
    """

    preset: Preset
    prompts: Sequence[Sequence[int]]
    wanted: np.ndarray
    start: Mapping[str, np.ndarray]
    learned: Collection[str]
    training: TrainingKeys


class StepLook(NamedTuple):
    """What is seen before a step: the loss that is made small, the logits [b, v], the numbers.

    The numbers are those that the logits come from; they may change with the next step.
    """

    loss: float
    logits: np.ndarray
    numbers: Mapping[str, np.ndarray]


class Learner(Protocol):
    """Numbers that change; `made` says in words what finds their gradients."""

    made: str

    def begin(self, count: int, rate: float) -> None:
        """Begin so many steps of Adam whose rate falls from `rate` to 0, as half a cosine."""
        ...

    def look(self, *, short: bool) -> StepLook:
        """The loss and the logits, with `short` those of rounded numbers.

        Raises `FloatingPointError` where the loss is no number any more.
        """
        ...

    def go(self) -> None:
        """Take a step against the gradients at the last look."""
        ...

    def logits_of(self, numbers: Mapping[str, np.ndarray]) -> np.ndarray:
        """The logits [b, v] after each prompt, with these numbers."""
        ...


LearnerKind: TypeAlias = Callable[[LearnerInput], Learner]


def require_finite(loss: float) -> None:
    """Raise a `FloatingPointError` for a loss that is no number any more."""
    if not np.isfinite(loss):
        raise FloatingPointError(NO_NUMBER)


UNITS = 1_000_000  # steps of the uniform draw that start values come from


class Moment(NamedTuple):
    """One step of training out of so many, counted from 1; `short`: numbers are rounded."""

    step: int
    of: int
    look: StepLook
    short: bool


Watcher: TypeAlias = Callable[[Moment], None]


@dataclass
class Best:
    """The rounded numbers that were ahead so far, and at which step; both in percentage points."""

    margin: float = -math.inf
    outside: float = math.inf
    loss: float = math.inf
    step: int = 0
    numbers: dict[str, np.ndarray] = field(default_factory=dict)

    def behind(self, other: "Best", training: TrainingKeys) -> bool:
        """Whether other numbers are better: by margin and outside as far as wanted, then loss."""
        mine, theirs = (
            (min(one.margin, training.margin), -max(one.outside, training.outside), -one.loss)
            for one in (self, other)
        )
        return theirs > mine


def descended(
    learner: Learner, wanted: np.ndarray, training: TrainingKeys, watcher: Watcher
) -> Best:
    """The best rounded numbers on the way; `watcher` hears of every step.

    `wanted` are the shares of the next tokens [b, v]. Raises `FloatingPointError` where the loss
    is no number any more.
    """
    best = Best()
    for moment in _moments(learner, training):
        if moment.short:
            look = moment.look
            ahead, beside = margin(look.logits, wanted), outside(look.logits, wanted)
            candidate = Best(ahead, beside, look.loss, moment.step)
            if best.behind(candidate, training):
                candidate.numbers = {name: x.copy() + 0.0 for name, x in look.numbers.items()}
                best = candidate
        watcher(moment)
    return best


def _moments(learner: Learner, training: TrainingKeys) -> Iterator[Moment]:
    of, rate, step = training.steps + training.rounding_steps, training.learning_rate, 0
    for short, count in ((False, training.steps), (True, training.rounding_steps)):
        learner.begin(count, rate / 2 if short else rate)
        for _ in range(count):
            step += 1
            yield Moment(step, of, learner.look(short=short), short)
            learner.go()


def start_values(
    shapes: Mapping[str, tuple[int, int]], training: TrainingKeys
) -> dict[str, np.ndarray]:
    """Start values of these shapes, drawn from the seed; gains begin at 1, shifts, biases at 0."""
    return {name: _start(name, shape, training) for name, shape in shapes.items()}


def _start(name: str, shape: tuple[int, int], training: TrainingKeys) -> np.ndarray:
    last = name.rpartition(".")[2].rstrip("0123456789")
    if last in ("gain", "beta") or ".bias." in f".{name}.":
        return np.full(shape, float(last == "gain"))
    cells = range(shape[0] * shape[1])
    drawn = [draw("training", training.seed, name, cell, UNITS) for cell in cells]
    spread = 2.0 * math.sqrt(3.0) * training.start  # of a uniform draw with that deviation
    return ((np.array(drawn) + 0.5) / UNITS - 0.5).reshape(shape) * spread
