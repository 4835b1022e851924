"""The range from which the numbers of single pupils are drawn."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Range:
    """The numbers from `start` to `to` in steps of `step`.

    `zeros` is the share of cells that are 0; None keeps the zeros of the preset where they are.
    """

    start: float
    to: float
    step: float
    zeros: float | None = None

    def numbers(self) -> tuple[float, ...]:
        """All numbers of the range but 0, each as its shortest decimal."""
        steps = round((self.to - self.start) / self.step, 6)
        numbers = (round(self.start + k * self.step, 6) + 0.0 for k in range(int(steps) + 1))
        return tuple(number for number in numbers if number)
