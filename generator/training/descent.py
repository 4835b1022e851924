"""Gradient descent: first free, then with every number rounded in each forward run."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from generator.engine.draws import draw
from generator.training.learner import Learner, Look
from generator.training.shares import margin, outside
from generator.training.spec import Training

UNITS = 1_000_000  # steps of the uniform draw that start values come from


class Moment(NamedTuple):
    """One step of training out of so many, counted from 1; `short`: numbers are rounded."""

    step: int
    of: int
    look: Look
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

    def behind(self, other: "Best", training: Training) -> bool:
        """Whether other numbers are better: by margin and outside as far as wanted, then loss."""
        mine, theirs = (
            (min(one.margin, training.margin), -max(one.outside, training.outside), -one.loss)
            for one in (self, other)
        )
        return theirs > mine


def descended(learner: Learner, wanted: np.ndarray, training: Training, watcher: Watcher) -> Best:
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


def _moments(learner: Learner, training: Training) -> Iterator[Moment]:
    of, rate, step = training.steps + training.rounding_steps, training.learning_rate, 0
    for short, count in ((False, training.steps), (True, training.rounding_steps)):
        learner.begin(count, rate / 2 if short else rate)
        for _ in range(count):
            step += 1
            yield Moment(step, of, learner.look(short=short), short)
            learner.go()


def start_values(
    shapes: Mapping[str, tuple[int, int]], training: Training
) -> dict[str, np.ndarray]:
    """Start values of these shapes, drawn from the seed; gains begin at 1, shifts, biases at 0."""
    return {name: _start(name, shape, training) for name, shape in shapes.items()}


def _start(name: str, shape: tuple[int, int], training: Training) -> np.ndarray:
    last = name.rpartition(".")[2].rstrip("0123456789")
    if last in ("gain", "beta") or ".bias." in f".{name}.":
        return np.full(shape, float(last == "gain"))
    cells = range(shape[0] * shape[1])
    drawn = [draw("training", training.seed, name, cell, UNITS) for cell in cells]
    spread = 2.0 * math.sqrt(3.0) * training.start  # of a uniform draw with that deviation
    return ((np.array(drawn) + 0.5) / UNITS - 0.5).reshape(shape) * spread
