"""The arrays of words that steps hold."""

from collections.abc import Iterable

import numpy as np


def column(words: Iterable[str]) -> np.ndarray:
    """Words as an array of objects [n, 1]."""
    listed = list(words)
    cells = np.empty((len(listed), 1), dtype=object)
    cells[:, 0] = listed
    return cells
