"""Several prompts as one long sentence whose mask hides the others: what the model is given."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from generator.engine.ops.attention import MASKED

MOST_ROWS = 128  # of a stack: its scores are a square of as many rows

Prompts = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Stack:
    """Prompts padded to n tokens below each other, R rows in all.

    `ids` [R, 1] and `onehot` [R, v] say which token stands where, `place` [R] at which place of its
    prompt, `hidden` [R, R] what it does not see, `last` [b] the row of each prompt's last token.
    `first` is the number of its first prompt.
    """

    first: int
    ids: np.ndarray
    onehot: np.ndarray
    place: np.ndarray
    hidden: np.ndarray
    last: np.ndarray

    @property
    def mask(self) -> np.ndarray:
        """0 for what a row sees, −∞ for the rest: [R, R]."""
        return np.where(self.hidden, MASKED, 0.0)


def stacks(prompts: Prompts, words: int, *, causal: bool) -> Iterator[Stack]:
    """The prompts in stacks of at most `MOST_ROWS` rows, or of one prompt."""
    longest = max(map(len, prompts))
    size = max(1, MOST_ROWS // longest)
    for first in range(0, len(prompts), size):
        yield _stack(prompts[first : first + size], first, longest, words, causal=causal)


def _stack(prompts: Prompts, first: int, longest: int, words: int, *, causal: bool) -> Stack:
    """Padded to the same length, as PyTorch's network is: rows of padding see their prompt."""
    count = len(prompts)
    ids = np.array([[*one, *[0] * (longest - len(one))] for one in prompts]).reshape(-1)
    place, owner = np.tile(np.arange(longest), count), np.repeat(np.arange(count), longest)
    lengths = np.array([len(one) for one in prompts])
    visible = (owner[:, None] == owner[None, :]) & (place < lengths[owner])[None, :]
    if causal:
        visible &= place[None, :] <= place[:, None]
    last = np.arange(count) * longest + lengths - 1
    whole = np.eye(words)[ids]
    return Stack(first, ids[:, None].astype(np.float64), whole, place, ~visible, last)
