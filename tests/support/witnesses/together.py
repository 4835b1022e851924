"""Witnesses of the claims of sheet 7d: the class's step worked out once more with plain NumPy."""

from decimal import Decimal

import numpy as np

from tests.support.witnesses.seen import Seen, softmax


def mean_is_less(seen: Seen) -> bool:
    """Whether the mean of the losses with the common step is below the mean before."""
    before, after = _losses(seen)
    return round(float(np.mean(after)), 2) < round(float(np.mean(before)), 2)


def a_group_has_more(seen: Seen) -> bool:
    """Whether some group's printed loss is larger afterwards."""
    return any(after > before for after, before in _printed(seen))


def each_group_has_less(seen: Seen) -> bool:
    """Whether every group's printed loss is smaller afterwards."""
    return all(after < before for after, before in _printed(seen))


def groups_disagree(seen: Seen) -> bool:
    """Whether a number of the board has printed gradients above 0 and below."""
    count, width = len(seen.plan.groups), seen.trace["last"].shape[1]
    names = [f"group{k + 1}.grad.output.matrix" for k in range(count)]
    columns = [[seen.number(n, j, d) for n in names] for j in seen.plan.rows for d in range(width)]
    return any(min(column) < 0 < max(column) for column in columns)


def _printed(seen: Seen) -> list[list[Decimal]]:
    names = [f"group{k + 1}.{{}}loss.cross_entropy" for k in range(len(seen.plan.groups))]
    return [[seen.number(name.format(when), 0, 0) for when in ("after.", "")] for name in names]


def _losses(seen: Seen) -> list[list[float]]:
    """Before and after one step with the mean gradient: from last vectors and the matrix alone."""
    trace, plan, count = seen.trace, seen.plan, len(seen.plan.groups)
    old = trace.values("together.output.matrix")
    last = [trace.values(f"group{k + 1}.last")[0] for k in range(count)]
    pairs = list(zip(last, plan.rights, strict=True))
    errors = [softmax(old @ y) - np.eye(len(old))[j] for y, j in pairs]
    slope = sum(np.outer(error, y) for error, y in zip(errors, last, strict=True)) / count
    matrices = (old, old - plan.rate * slope)
    return [[-float(np.log(softmax(w @ y)[j])) for y, j in pairs] for w in matrices]
