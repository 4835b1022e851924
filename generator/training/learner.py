"""The interface of a learner: it looks at the loss of all prompts, then takes a step downhill."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from generator.engine.preset import Preset
from generator.training.spec import Training

NO_NUMBER = "the loss is no number any more"


class Given(NamedTuple):
    """What a learner is given: a model, start values, and which of these it may change.

    `prompts` are ids, `wanted` [b, v] the shares of the tokens that should follow each of them.
    """

    preset: Preset
    prompts: Sequence[Sequence[int]]
    wanted: np.ndarray
    start: Mapping[str, np.ndarray]
    learned: Collection[str]
    training: Training


class Look(NamedTuple):
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

    def look(self, *, short: bool) -> Look:
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


LearnerKind: TypeAlias = Callable[[Given], Learner]


def require_finite(loss: float) -> None:
    """Raise a `FloatingPointError` for a loss that is no number any more."""
    if not np.isfinite(loss):
        raise FloatingPointError(NO_NUMBER)
