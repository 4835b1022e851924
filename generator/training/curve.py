"""The loss of every step of training, told while it lasts and kept as a CSV."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

Told: TypeAlias = Callable[[int, int, float], None]
HEADER = "step,loss"


def untold(step: int, of: int, loss: float) -> None:
    """Say nothing."""


class Curve:
    """Records the loss of each step, counted from 1, and passes it on."""

    def __init__(self, told: Told = untold) -> None:
        self.losses: list[float] = []
        self._told = told

    def __call__(self, step: int, of: int, loss: float) -> None:
        """Take down the loss of a step out of so many."""
        self.losses.append(loss)
        self._told(step, of, loss)

    def csv(self) -> str:
        """One line a step; the numbers in full."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield HEADER
        for step, loss in enumerate(self.losses, start=1):
            yield f"{step},{loss!r}"
