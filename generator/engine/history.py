"""How a preset's numbers were learned: the loss on the way, and the numbers at some steps."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class State:
    """The numbers before a step: embeddings [words, d_model] and weights, by step name."""

    step: int
    numbers: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class History:
    """A training: `losses` are the mean −ln P of the words that followed, with their steps from 1.

    `free` of the `steps` went without rounding; the preset has the numbers of step `kept`, of which
    `numbers` is the SHA-256. `made` says what found the gradients, `begun` the preset that it went
    on from, "" where its numbers were drawn.
    """

    made: str
    begun: str
    steps: int
    free: int
    kept: int
    numbers: str
    losses: tuple[tuple[int, float], ...]
    states: tuple[State, ...]
