"""One step of learning for the output alone, small enough for paper: its steps, rate and word.

Also here:

* The wrong numbers of the usual slips in a step of learning and in the prediction after it.
* Cross-entropy and perplexity: the wrong numbers of the usual slips.
* What other learning rates would make of the same step: for the word, and for the other places.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from generator.engine.choices import Rounding
from generator.engine.edits import Edits
from generator.engine.learning import MATRIX, Training, train, write_losses
from generator.engine.loss import TARGET, write_each_loss
from generator.engine.ops.attention import Power, RowShare, RowSum
from generator.engine.ops.learning import ColumnMean, Descend, MatTMul, MinusLog, ShareError
from generator.engine.ops.linear import MatMulT
from generator.engine.place import step_prefix
from generator.engine.predict import drawing_row, predict
from generator.engine.scope import Run, Scope, Shifts
from generator.engine.trace import Labels, Step, Trace
from generator.errors import UserError, refused, require
from generator.insight.output_layer import LOGITS, SHARES, by_logit
from generator.insight.slips import Slip, changing
from generator.notation.shown import shown_decimals, shown_value

BIAS = "output.bias"
ERROR, GRADIENT, NEW = "grad.output.tempered", f"grad.{MATRIX}", f"update.{MATRIX}"
BIAS_ERROR, NEW_BIAS = f"grad.{BIAS}", f"update.{BIAS}"
CHANCE, LOSS = "loss.probability", "loss.cross_entropy"
AFTER = step_prefix(2)
RATES = (0.5, 0.2, 1.0, 0.1, 0.05)
DECIMALS = {"grad": 3, "update": 2, "loss.cross_entropy": 2, "loss.perplexity": 2}  # few: by hand
LEAST_GAIN = 0.05  # of P: less is no bar that grows visibly
LEAST_CHANCE = 0.005  # of P: −ln of less is a number about rounding
OURS = ("grad.", "update.", "learning.", "loss.", AFTER, MATRIX)
WRITTEN = ("output.", "sampling.", "temperature", "loss.")  # what is written anew
WORDS = ("A", "B", "C")
EXAMPLE = {"y": (1.0, -0.5), "A": (0.6, 0.2), "B": (0.1, 0.4), "C": (-0.2, 0.4), "rate": 0.5}


def right_word(trace: Trace) -> str:
    """The word that really comes next: the one that is named, else the second likeliest one.

    Nobody has named one in most lessons; that word makes a step that turns a prediction round.
    """
    if TARGET in trace:
        return str(trace[TARGET].values[0, 0])
    return trace[LOGITS].columns[by_logit(trace)[1]]


def fair(trace: Trace, word: str) -> tuple[float, tuple[Step, ...]]:
    """The first rate by which the word visibly gains, and its steps; `UserError` for none.

    The steps are gradients, new rows and what these predict. Where the output shares the
    embeddings, it gets a copy that learns alone: `output.matrix`.
    """
    row = drawing_row(trace.preset)
    at = trace[SHARES].columns.index(word)
    before = shown_value(trace[SHARES], row, at)
    require(before >= LEAST_CHANCE, "learning.chance", word=word, chance=before)
    for rate in RATES:
        scope, _ = passes(trace, word, rate)
        gain = shown_value(scope[f"{AFTER}{SHARES}"], row, at) - before
        if gain >= LEAST_GAIN:
            return rate, tuple(step for step in scope.new if step.name.startswith(OURS))
    raise refused("learning.rate", word=word, least=min(RATES), most=max(RATES))


def example_steps(trace: Trace) -> tuple[Step, ...]:
    """The worked example: three made-up words, a vector of two numbers, one step; `example.*`."""
    chain = trace.scratch()
    words = Labels(rows=("",), columns=WORDS)
    rows = Labels(rows=WORDS, columns=("d1", "d2"))
    chain.give("example.y", np.array([EXAMPLE["y"]]), rows=("y",), columns=("d1", "d2"))
    chain.give("example.table", np.array([EXAMPLE[word] for word in WORDS]), **rows)
    chain.give("example.right", np.array([[0.0, 1.0, 0.0]]), **words)
    chain.give("example.rate", np.array([[EXAMPLE["rate"]]]))
    share = _forward(chain, "example.", "example.table")
    error = chain.apply("example.error", ShareError(None), share, "example.right", **words)
    apply = partial(chain.apply, **rows, decimals=2)
    slope = apply("example.gradient", MatTMul(), error, "example.y")
    apply("example.new", Descend(), "example.table", "example.rate", slope)
    _forward(chain, "example.after.", "example.new")
    return chain.new


def _forward(chain: Scope, at: str, table: str) -> str:
    """Write the prediction of the example's words; gives the name of the shares."""
    apply, words = partial(chain.apply, decimals=2), Labels(rows=("",), columns=WORDS)
    logits = apply(f"{at}logits", MatMulT(), "example.y", table, **words)
    powers = apply(f"{at}exp", Power(None, masked=False), logits, **words)
    total = apply(f"{at}sum", RowSum(), powers)
    share = apply(f"{at}share", RowShare(), powers, total, **words)
    apply(f"{at}loss", MinusLog(), chain.give(f"{at}chance", chain[share].values[:, 1:2].copy()))
    return share


def write_again(part: Scope, trace: Trace, steps: Iterable[Step]) -> None:
    """Write steps into a part of a computation as they are; what they read and it lacks is given.

    `trace` has what they read.
    """
    for step in steps:
        for name in (name for name in step.inputs if name not in part):
            source = trace[name]
            part.give(source.name, source.values.copy(), **source.shown)
        labels = Labels(rows=step.rows, columns=step.columns)
        if step.kind == "given" and step.name in part:
            continue  # another sheet of the same workbook has brought it
        if step.kind == "given":
            part.give(step.name, step.values.copy(), **labels, decimals=step.decimals)
        else:
            decimals = step.decimals if step.rounded else None
            part.apply(step.name, step.op, *step.inputs, **labels, decimals=decimals)


def kept(trace: Trace) -> dict[str, Step]:
    """The steps of a computation that learning of the output does not write anew."""
    return {name: step for name, step in trace.steps.items() if not name.startswith(WRITTEN)}


def scope_of(trace: Trace, word: str, rounding: Rounding, new: np.ndarray | None = None) -> Scope:
    """The prediction from the last vector, and the loss of a word, with the decimals by hand.

    `new` is the matrix that it is made with, if not the given one.
    """
    preset = replace(trace.preset, decimals={**trace.preset.decimals, **DECIMALS})
    changes = Edits({TARGET: word}, drawing_row(preset))
    run = Run(preset, rounding, changes, given={} if new is None else {MATRIX: new}, untied=True)
    scope = Scope(run, kept(trace))
    predict(scope, "last")
    write_losses(scope, "last")
    return scope


def passes(
    trace: Trace, word: str, rate: float, *, rounding: Rounding | None = None
) -> tuple[Scope, Scope]:
    """The prediction before and after one step of learning of the output's own numbers."""
    scopes = [scope_of(trace, word, rounding or trace.rounding)]

    def forward(after: Scope) -> None:
        predict(after, "last")
        scopes.append(after)

    train(scopes[0], Training(1, rate, ("output.*",)), forward)
    return scopes[0], scopes[1]


POWER = f"{AFTER}output.exp"


def step_slips(trace: Trace, row: int, other: int, rate: float) -> list[Slip]:
    """Y − P instead of P − y, the decimal logarithm, a step uphill, without rate, from nothing.

    And from the row of the other word.
    """
    matrix, slope = trace[MATRIX].values[:, 0].tolist(), float(trace[GRADIENT].values[row, 0])
    downhill = {
        "uphill": matrix[row] + rate * slope,
        "no_rate": matrix[row] - slope,
        "nothing": -rate * slope,
        "other_row": matrix[other] - rate * slope,
    }
    candidates = [
        Slip("decimal", LOSS, 0, 0, -math.log10(trace[CHANCE].values[0, 0])),
        Slip("reversed", ERROR, 0, row, -float(trace[ERROR].values[0, row])),
        *(Slip(key, NEW, row, 0, wrong) for key, wrong in downhill.items()),
    ]
    return changing(trace, candidates)


def after_slips(trace: Trace, at: int, right: int) -> list[Slip]:
    """The old row, sum or share used once more, the largest power taken for the sum."""
    powers, share, loss = trace[POWER].values[at], f"{AFTER}{SHARES}", f"{AFTER}{LOSS}"
    power, logits = float(powers[right]), trace[LOGITS].values
    candidates = [
        Slip("old_row", f"{AFTER}{LOGITS}", 0, right, float(logits[0, right])),
        Slip("old_sum", share, at, right, power / float(trace["output.sum"].values[at, 0])),
        Slip("largest", share, at, right, power / float(powers.max())),
        Slip("old_share", loss, 0, 0, float(trace[LOSS].values[0, 0])),
        Slip("decimal", loss, 0, 0, -math.log10(trace[f"{AFTER}{CHANCE}"].values[0, 0])),
    ]
    return changing(trace, candidates)


PERCENT = 100.0


def slips(trace: Trace) -> list[Slip]:
    """The decimal logarithm taken for the natural one, and per cent typed in for the share."""
    if LOSS not in trace:
        return []
    share = float(trace[CHANCE].values[0, 0])
    wrong = {"decimal": -math.log10(share), "per_cent": -math.log(share * PERCENT)}
    return [Slip(key, LOSS, 0, 0, number) for key, number in wrong.items()]


RATE, CHANCE_THERE, HERE, OTHERS = (
    f"rates.{name}" for name in ("rate", "chance", "loss", "others")
)
HUGE = (100.0, 10.0)  # the first that still can be computed
SMALL = 0.1  # of the rate of the sheet
RATE_DECIMALS = 2


def rate_steps(trace: Trace, right: int, rate: float) -> tuple[Step, ...]:
    """`rates.rate`, `.chance` and `.loss` of the right word, `.others` [rates, 1]; or none.

    The rates are a tenth of the sheet's, the sheet's and a huge one; above them the numbers before
    learning, with the rate 0. P and loss of the right word are rounded as pupils round theirs, so
    that the table begins with the loss that they know and has their own row.
    `.others` is the mean loss of the words that the sentence itself has after each earlier token,
    exactly computed, as rounded shares of 0 have no logarithm; one that is missing leaves it out.
    """
    word = trace[LOGITS].columns[right]
    rows = [_row(trace, word, None)]
    for wanted in ((rate * SMALL,), (rate,), HUGE):
        rows.append(next((row for one in wanted if (row := _row(trace, word, one))), ()))
    if not all(rows):
        return ()
    chain, few = trace.scratch(), RATE_DECIMALS
    places = {RATE: None, CHANCE_THERE: shown_decimals(trace[SHARES]), HERE: few, OTHERS: few}
    for (name, decimals), numbers in zip(places.items(), zip(*rows, strict=True), strict=True):
        if None not in numbers:
            values = np.array(numbers, dtype=np.float64)[:, None]
            chain.give(name, values, decimals=decimals)
    return chain.new


def _row(trace: Trace, word: str, rate: float | None) -> tuple[float | None, ...]:
    """Rate, P and loss of the right word, mean loss elsewhere; without a rate before learning.

    Nothing where so large a step cannot be computed.
    """
    tried, at = (1.0, "") if rate is None else (rate, AFTER)
    try:
        rounded, _ = passes(trace, word, tried)
        exact = passes(trace, word, tried, rounding="exact")
    except UserError:
        return ()
    means = [_elsewhere(scope) for scope in exact]  # the later reads the earlier's states
    # the scope after the step has its P under the plain name: of the first, each name is the whole
    chance, loss = (float(rounded[f"{at}{name}"].values[0, 0]) for name in (CHANCE, LOSS))
    return rate or 0.0, chance, loss, means[rate is not None]


def _elsewhere(scope: Scope) -> float | None:
    """The mean loss of the words that follow the earlier tokens; None where there are none."""
    words = scope[LOGITS].columns
    if not scope["last"].inputs or len(scope.tokens) < 2 or not set(scope.tokens[1:]) <= set(words):
        return None
    scope.shifts = Shifts("always")
    each = write_each_loss(scope, scope.tokens[:-1])
    return float(ColumnMean().value(scope[each].values)[0, 0])
