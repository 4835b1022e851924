"""Which printed cells a mask hides: the powers, shares and products of what a token may not see.

They are 0 in the computation, but nobody computes with them: tables mark them, lines leave them out.
"""

import numpy as np

from generator.engine.place import place_of
from generator.engine.trace import Trace

PER_PAIR = frozenset(("masked", "shifted", "exp", "weights"))  # [tokens, tokens]


def is_masked(trace: Trace, name: str, i: int, j: int) -> bool:
    """Whether the cell of a step belongs to a token that the mask hides from its row's token."""
    place = place_of(name)
    masked = f"{name.rpartition('.')[0]}.masked"
    if place.head is None or place.learning or masked not in trace:
        return False
    if place.kind == "contribution" and place.number is not None:
        return bool(np.isneginf(trace[masked].values[place.number - 1, i]))
    return place.kind in PER_PAIR and bool(np.isneginf(trace[masked].values[i, j]))
