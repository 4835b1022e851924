"""Adam (Kingma and Ba 2015, algorithm 1) with a rate that falls as half a cosine to 0."""

import math
from collections.abc import Mapping

import numpy as np

FIRST, SECOND, EPSILON = 0.9, 0.999, 1e-8


class Adam:
    """So many steps of Adam; a phase of training has its own."""

    def __init__(self, count: int, rate: float) -> None:
        self.count = count
        self.rate = rate
        self.done = 0
        self._means: dict[str, np.ndarray] = {}
        self._squares: dict[str, np.ndarray] = {}

    def step(self, numbers: Mapping[str, np.ndarray], gradients: Mapping[str, np.ndarray]) -> None:
        """Change the arrays that have a gradient, each of its own shape, in place."""
        rate = self.rate * (1.0 + math.cos(math.pi * self.done / self.count)) / 2.0
        self.done += 1
        first, second = (1.0 - share**self.done for share in (FIRST, SECOND))
        for name, g in gradients.items():
            mean = FIRST * self._means.get(name, 0.0) + (1.0 - FIRST) * g
            square = SECOND * self._squares.get(name, 0.0) + (1.0 - SECOND) * g * g
            self._means[name], self._squares[name] = mean, square
            size = np.sqrt(square) / math.sqrt(second) + EPSILON
            numbers[name][...] -= rate / first * mean / size
