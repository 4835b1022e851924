"""What other learning rates would make of the same step: for the word, and for the other places."""

import numpy as np

from generator.engine.learning import MATRIX
from generator.engine.ops import (
    AtIds,
    ColumnMean,
    FirstRows,
    MatMulT,
    MinusLog,
    MinusRow,
    Power,
    RowMax,
    RowShare,
    RowSum,
)
from generator.engine.predict import drawing_row
from generator.engine.rounding import guarded
from generator.engine.scope import Scope
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.insight.output_step import (
    AFTER,
    BIAS,
    LOGITS,
    LOSS,
    NEW,
    NEW_BIAS,
    SHARES,
    learned_scope,
)

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
        found = next((row for one in wanted if (row := _tried(trace, word, one))), None)
        if found is None:
            return ()
        rows.append(found)
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
    scope = learned_scope(trace, word, 1.0 if rate is None else rate, rounding="exact")
    at, table = ("", MATRIX) if rate is None else (AFTER, NEW)
    row = drawing_row(trace.preset)
    j = trace[LOGITS].columns.index(word)
    chance = float(scope[f"{at}{SHARES}"].values[row, j])
    return rate or 0.0, chance, float(scope[f"{at}{LOSS}"].values[0, 0]), _elsewhere(scope, table)


def _elsewhere(scope: Scope, table: str) -> float | None:
    """The mean loss of the words that follow the earlier tokens; None where there are none."""
    tokens = scope["tokens"].values[:, 0].tolist()
    before = scope["last"].inputs
    words = list(scope[LOGITS].columns)
    if len(tokens) < 2 or not before or not set(tokens[1:]) <= set(words):
        return None
    scope.apply("elsewhere.states", FirstRows(len(tokens) - 1), before[0])
    ids = [[float(words.index(token))] for token in tokens[1:]]
    scope.give("elsewhere.id", np.array(ids))
    bias = NEW_BIAS if table == NEW else BIAS
    inputs = ("elsewhere.states", table, *((bias,) if bias in scope else ()))
    logits = scope.apply("elsewhere.logits", MatMulT(), *inputs)
    largest = scope.apply("elsewhere.largest", RowMax(), logits)
    shifted = scope.apply("elsewhere.shifted", MinusRow(masked=False), logits, largest)
    powers = scope.apply("elsewhere.exp", Power(None, masked=False), shifted)
    total = scope.apply("elsewhere.sum", RowSum(), powers)
    shares = scope.apply("elsewhere.share", RowShare(), powers, total)
    chances = scope.apply("elsewhere.chance", AtIds(), shares, "elsewhere.id")
    losses = scope.apply("elsewhere.losses", MinusLog(), chances)
    mean = scope.apply("elsewhere.mean", ColumnMean(), losses)
    return float(scope[mean].values[0, 0])
