"""Cross-entropy and perplexity: the wrong numbers of the usual slips."""

import numpy as np

from generator.engine.ops import MinusLog
from generator.engine.trace import Trace
from generator.insight.slips import Slip

STEP = "loss.cross_entropy"
PERCENT = 100.0


def slips(trace: Trace) -> list[Slip]:
    """The decimal logarithm taken for the natural one, and per cent typed in for the share."""
    if STEP not in trace:
        return []
    share = trace["loss.probability"].values
    logarithm = MinusLog()
    ten = logarithm.value(np.array([[0.1]]))  # ln 10
    decimal = logarithm.value(share) / ten
    per_cent = logarithm.value(share * PERCENT)
    candidates = (("decimal", decimal), ("per_cent", per_cent))
    return [Slip(key, STEP, 0, 0, float(wrong[0, 0])) for key, wrong in candidates]
