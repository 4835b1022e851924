"""Which printed cells a mask hides: the powers, shares and products of what a token may not see.

They are 0 in the computation, but nobody computes with them: tables mark them, and lines of
arithmetic leave them out.
"""

import numpy as np

from generator.engine.place import place_of
from generator.engine.trace import Trace

PER_PAIR = frozenset(("masked", "shifted", "exp", "weights"))  # [tokens, tokens]


def is_masked(trace: Trace, name: str, i: int, j: int) -> bool:
    """Whether the cell of a step belongs to a token that the mask hides from its row's token."""
    hidden = _scores(trace, name)
    if hidden is None:
        return False
    token = place_of(name).number
    return bool(np.isneginf(hidden[i, j] if token is None else hidden[token - 1, i]))


def any_masked(trace: Trace, name: str) -> bool:
    """Whether a table of the step has cells that the mask hides."""
    hidden, token = _scores(trace, name), place_of(name).number
    if hidden is None:
        return False
    return bool(np.isneginf(hidden if token is None else hidden[token - 1]).any())


def _scores(trace: Trace, name: str) -> np.ndarray | None:
    """The masked scores [n, n] of a step's head, for steps of pairs of tokens; else None."""
    place = place_of(name)
    masked = f"{name.rpartition('.')[0]}.masked"
    if place.head is None or masked not in trace:
        return None
    of_pairs = place.kind in PER_PAIR or place.kind == "contribution"
    return trace[masked].values if of_pairs else None
