"""Who sees whom in a head: all everybody, only those before, not even oneself."""

from typing import Literal, TypeAlias

import numpy as np

from generator.engine.trace import Trace

Sight: TypeAlias = Literal["none", "causal", "strict", "other"]


def sight(trace: Trace, at: str) -> Sight:
    """The kind of mask that a head has in this computation, whatever its preset is called."""
    count = len(trace.tokens)
    visible = np.ones((count, count), dtype=bool)
    if f"{at}.mask" in trace:
        visible = trace[f"{at}.mask"].values == 0.0
    if visible.all():
        return "none"
    if (visible == np.tri(count, dtype=bool)).all():
        return "causal"
    return "strict" if (visible == np.tri(count, k=-1, dtype=bool)).all() else "other"
