"""The wrong numbers of the usual slips in a step of learning and in the prediction after it."""

import math

from generator.engine.learning import MATRIX
from generator.engine.trace import Trace
from generator.insight.output_layer import LOGITS, SHARES
from generator.insight.output_step import (
    AFTER,
    CHANCE,
    ERROR,
    GRADIENT,
    LOSS,
    NEW,
)
from generator.insight.slips import Slip, changing

POWER = f"{AFTER}output.exp"


def step_slips(trace: Trace, row: int, other: int, rate: float) -> list[Slip]:
    """Y − P instead of P − y, the decimal logarithm, a step uphill, without rate, from nothing.

    And from the row of the other word.
    """
    old, slope = (float(trace[name].values[row, 0]) for name in (MATRIX, GRADIENT))
    chance = float(trace[CHANCE].values[0, 0])
    error = float(trace[ERROR].values[0, row])
    candidates = [
        Slip("decimal", LOSS, 0, 0, -math.log10(chance)),
        Slip("reversed", ERROR, 0, row, -error),
        Slip("uphill", NEW, row, 0, old + rate * slope),
        Slip("no_rate", NEW, row, 0, old - slope),
        Slip("nothing", NEW, row, 0, -rate * slope),
        Slip("other_row", NEW, row, 0, float(trace[MATRIX].values[other, 0]) - rate * slope),
    ]
    return changing(trace, candidates)


def after_slips(trace: Trace, at: int, right: int) -> list[Slip]:
    """The old row, sum or share used once more, the largest power taken for the sum."""
    power = float(trace[POWER].values[at, right])
    share, loss = f"{AFTER}{SHARES}", f"{AFTER}{LOSS}"
    candidates = [
        Slip("old_row", f"{AFTER}{LOGITS}", 0, right, float(trace[LOGITS].values[0, right])),
        Slip("old_sum", share, at, right, power / float(trace["output.sum"].values[at, 0])),
        Slip("largest", share, at, right, power / float(trace[POWER].values[at].max())),
        Slip("old_share", loss, 0, 0, float(trace[LOSS].values[0, 0])),
        Slip("decimal", loss, 0, 0, -math.log10(float(trace[f"{AFTER}{CHANCE}"].values[0, 0]))),
    ]
    return changing(trace, candidates)
