"""The wrong numbers of the usual slips when a class adds its gradients up."""

import math

from generator.engine.trace import Trace
from generator.insight.class_step import AFTER, MEAN, NEW, OLD, SUM, own, renewed
from generator.insight.output_step import ERROR, GRADIENT, LOSS
from generator.insight.slips import Slip, changing


def class_slips(trace: Trace, row: int, rate: float, groups: int, group: int = 0) -> list[Slip]:
    """Not divided by the groups, one gradient alone, uphill, a sign lost, the old loss kept.

    What a group does by itself, and alone, is that of `group`.
    """
    old, total, mean = (float(trace[name].values[row, 0]) for name in (OLD, SUM, MEAN))
    mine = float(trace[own(group, GRADIENT)].values[row, 0])
    lost = math.fsum(abs(float(trace[own(k, GRADIENT)].values[row, 0])) for k in range(groups))
    last = float(trace[own(groups - 1, LOSS)].values[0, 0])
    kept = float(trace[f"{AFTER}.sum"].values[0, 0])
    kept += last - float(trace[renewed(groups - 1, LOSS)].values[0, 0])
    error = own(group, ERROR)
    candidates = [
        Slip("reversed", error, 0, row, -float(trace[error].values[0, row])),
        Slip("signs", SUM, row, 0, lost),
        Slip("undivided", NEW, row, 0, old - rate * total),
        Slip("alone", NEW, row, 0, old - rate * mine),
        Slip("uphill", NEW, row, 0, old + rate * mean),
        Slip("kept", f"{AFTER}.mean", 0, 0, kept / groups),
    ]
    return changing(trace, candidates)
