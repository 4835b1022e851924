"""Which word training visibly teaches, where nobody names the one that really comes next."""

from itertools import pairwise

from generator.engine.learning import Training
from generator.engine.loss import TARGET
from generator.engine.model import recomputed
from generator.engine.place import step_prefix
from generator.engine.predict import drawing_row
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.insight.output_layer import SHARES

LEAST_GAIN = 0.2  # of P
TRIED = 6  # words, the likeliest first


def visible_word(trace: Trace, training: Training) -> str | None:
    """The likeliest word whose P never falls while it learns and gains 20 points; None for none.

    So a curve goes down that a class looks at, whatever a preset's numbers are.
    """
    if SHARES not in trace:
        return None
    shares = trace[SHARES].values[drawing_row(trace.preset)]
    words = sorted(range(len(shares)), key=lambda j: -float(shares[j]))
    for word in [trace[SHARES].columns[j] for j in words[:TRIED]]:
        try:
            edits = {**trace.edits, TARGET: word}
            learned = recomputed(trace, edits=edits, training=training)
        except UserError:  # a rate too large for it
            continue
        passes = [f"{step_prefix(k)}loss.probability" for k in range(1, training.steps + 2)]
        chances = [float(learned[name].values[0, 0]) for name in passes if name in learned]
        rising = all(before <= after for before, after in pairwise(chances))
        if rising and chances[-1] - chances[0] >= LEAST_GAIN:
            return word
    return None
