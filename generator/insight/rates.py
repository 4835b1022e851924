"""What other learning rates would make of the same step: for the word, and for the other places."""

import numpy as np

from generator.engine.loss import write_each_loss
from generator.engine.ops import ColumnMean
from generator.engine.rounding import guarded
from generator.engine.scope import Scope
from generator.engine.softmax import Shifts
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.output_layer import LOGITS
from generator.insight.output_step import AFTER, LOSS, passes
from generator.insight.output_step import CHANCE as ONE

RATE, CHANCE, HERE, OTHERS = (f"rates.{name}" for name in ("rate", "chance", "loss", "others"))
HUGE = (100.0, 10.0)  # the first that still can be computed
SMALL = 0.1  # of the rate of the sheet
DECIMALS = 2


def rate_steps(trace: Trace, right: int, rate: float) -> tuple[Step, ...]:
    """`rates.rate`, `.chance` and `.loss` of the right word, `.others` [rates, 1]; or none.

    The rates are a tenth of the sheet's and a huge one, exactly computed; above them the numbers
    before learning, with the rate 0. What the sheet's own rate gives is asked, so it is not there.
    `.others` is the mean loss of the words that the sentence itself has after each earlier token:
    one that is missing leaves it out.
    """
    word = trace[LOGITS].columns[right]
    rows = [_row(trace, word, None)]
    for wanted in ((rate * SMALL,), HUGE):
        row_of_rate = next((row for one in wanted if (row := _tried(trace, word, one))), None)
        if row_of_rate is None:
            return ()
        rows.append(row_of_rate)
    chain = trace.scratch()
    for name, numbers in zip((RATE, CHANCE, HERE, OTHERS), zip(*rows, strict=True), strict=True):
        if None not in numbers:
            values = np.array(numbers, dtype=np.float64)[:, None]
            chain.give(name, values if name == RATE else guarded(values, DECIMALS))
    return chain.new


def _tried(trace: Trace, word: str, rate: float) -> tuple[float | None, ...] | None:
    try:
        return _row(trace, word, rate)
    except UserError:
        return None


def _row(trace: Trace, word: str, rate: float | None) -> tuple[float | None, ...]:
    """Rate, P and loss of the right word, mean loss elsewhere; without a rate before learning."""
    before, after = passes(trace, word, 1.0 if rate is None else rate, rounding="exact")
    elsewhere = [_elsewhere(scope) for scope in (before, after)]
    at, mean = ("", elsewhere[0]) if rate is None else (AFTER, elsewhere[1])
    # `after` has its own P under the plain name: asked of `before`, each name is the whole one
    chance, loss = (float(before[f"{at}{name}"].values[0, 0]) for name in (ONE, LOSS))
    return rate or 0.0, chance, loss, mean


def _elsewhere(scope: Scope) -> float | None:
    """The mean loss of the words that follow the earlier tokens; None where there are none."""
    words = scope[LOGITS].columns
    if not scope["last"].inputs or len(scope.tokens) < 2 or not set(scope.tokens[1:]) <= set(words):
        return None
    each = write_each_loss(scope, words, Shifts("always"), named=False)
    return float(ColumnMean().value(scope[each].values)[0, 0])
