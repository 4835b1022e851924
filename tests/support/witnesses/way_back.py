"""Witnesses of the claims of sheet 7c: printed gradients, and the loss computed twice more."""

from decimal import Decimal

import numpy as np

from generator.engine.model import compute
from tests.support.witnesses.seen import Seen, printed


def one_score_is_wanted(seen: Seen) -> bool:
    """Whether one token alone has the smallest gradient at its score, below 0."""
    head = seen.plan.way.at
    last = len(seen.trace.tokens) - 1
    looked_at = tuple(np.flatnonzero(seen.trace.values(f"{head}.weights")[last]).tolist())
    slopes = seen.row(f"grad.{head}.scores", last, looked_at)
    return min(slopes) < 0 and slopes.count(min(slopes)) == 1


def of_the_weight(seen: Seen) -> Decimal:
    """The printed gradient of the number of W_Q that the sheet ends with."""
    way = seen.plan.way
    return seen.number(f"grad.{way.at}.weight.query", way.line, way.column)


def measured(seen: Seen) -> bool:
    """Whether the loss rises as the gradient says when that number of W_Q is a little larger."""
    way, trace = seen.plan.way, seen.trace
    weight = f"{way.at}.weight.query"
    name = f"grad.{weight}"
    gradient = of_the_weight(seen)
    old = float(trace.values(weight)[way.line, way.column])
    word = trace["output.logits"].columns[seen.plan.right]
    unit = Decimal(1).scaleb(-int(trace[name].decimals or 0))
    before = _loss(seen, weight, word, old, unit / 10)
    off = max(Decimal("0.05") * abs(gradient), min(2 * unit, Decimal("0.25") * abs(gradient)))

    def fits(far: float) -> bool:
        rise = _loss(seen, weight, word, old + far, unit / 10) - before
        slope = printed(trace, name, float(rise) / far)
        return slope * gradient > 0 and abs(slope - gradient) <= off

    return fits(0.1) or fits(0.01)


def _loss(seen: Seen, weight: str, word: str, value: float, unit: Decimal) -> Decimal:
    way, trace = seen.plan.way, seen.trace
    edits = {**trace.edits, "loss.target": word}
    edits[f"{weight}[{way.line + 1},{way.column + 1}]"] = round(value, 10)
    again = compute(trace.preset, trace.sentence, rounding="exact", edits=edits)
    return Decimal(repr(float(again.values("loss.cross_entropy")[0, 0]))).quantize(unit)
