"""One step of learning for the output alone, small enough for paper: its steps, rate and word."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from generator.engine.choices import Rounding
from generator.engine.edits import Edits
from generator.engine.learning import MATRIX, Training, train, write_losses
from generator.engine.loss import TARGET
from generator.engine.ops import Descend, MatMulT, MatTMul, MinusLog, Power, RowShare, RowSum
from generator.engine.ops.slopes import ShareError
from generator.engine.place import step_prefix
from generator.engine.predict import drawing_row, predict
from generator.engine.scope import Run, Scope
from generator.engine.softmax import Shifts
from generator.engine.trace import Labels, Step, Trace
from generator.errors import UserError
from generator.insight.output_layer import LOGITS, SHARES, by_logit
from generator.notation.shown import shown_value

BIAS = "output.bias"
ERROR, GRADIENT, NEW = "grad.output.tempered", f"grad.{MATRIX}", f"update.{MATRIX}"
BIAS_ERROR, NEW_BIAS = f"grad.{BIAS}", f"update.{BIAS}"
CHANCE, LOSS = "loss.probability", "loss.cross_entropy"
AFTER = step_prefix(2)
RATES = (0.5, 0.2, 1.0, 0.1, 0.05)
DECIMALS = {"grad": 3, "update": 2, "loss.cross_entropy": 2}  # few: by hand
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
    if before < LEAST_CHANCE:
        raise UserError(
            f"“{word}” has the probability {before:g} here, and a loss of that is about rounding "
            "only: name another word with --next-word, or take 'katze'"
        )
    for rate in RATES:
        scope, _ = passes(trace, word, rate)
        gain = shown_value(scope[f"{AFTER}{SHARES}"], row, at) - before
        if gain >= LEAST_GAIN:
            return rate, tuple(step for step in scope.new if step.name.startswith(OURS))
    raise UserError(
        f"no learning rate from {min(RATES):g} to {max(RATES):g} makes “{word}” visibly likelier "
        "when rounded as on paper: take 'katze'"
    )


def example_steps(trace: Trace) -> tuple[Step, ...]:
    """The worked example: three made-up words, a vector of two numbers, one step; `example.*`."""
    chain = trace.scratch()
    words = Labels(rows=("",), columns=WORDS)
    rows = Labels(rows=WORDS, columns=("d1", "d2"))
    chain.give("example.y", np.array([EXAMPLE["y"]]), rows=("y",), columns=("d1", "d2"))
    chain.give("example.table", np.array([EXAMPLE[word] for word in WORDS]), **rows)
    chain.give("example.right", np.array([[0.0, 1.0, 0.0]]), **words)
    chain.give("example.rate", np.array([[EXAMPLE["rate"]]]))
    _forward(chain, "example.", "example.table", words)
    chain.apply("example.error", ShareError(None), "example.share", "example.right", **words)
    slope = chain.apply(
        "example.gradient", MatTMul(), "example.error", "example.y", **rows, decimals=2
    )
    before = ("example.table", "example.rate")
    chain.apply("example.new", Descend(), *before, slope, **rows, decimals=2)
    _forward(chain, "example.after.", "example.new", words)
    return chain.new


def _forward(chain: Scope, at: str, table: str, words: Labels) -> None:
    logits = chain.apply(f"{at}logits", MatMulT(), "example.y", table, **words, decimals=2)
    powers = chain.apply(f"{at}exp", Power(None, masked=False), logits, **words, decimals=2)
    total = chain.apply(f"{at}sum", RowSum(), powers, decimals=2)
    chain.apply(f"{at}share", RowShare(), powers, total, **words, decimals=2)
    chain.give(f"{at}chance", chain[f"{at}share"].values[:, 1:2].copy())
    chain.apply(f"{at}loss", MinusLog(), f"{at}chance", decimals=2)


def write_again(part: Scope, trace: Trace, steps: Iterable[Step]) -> None:
    """Write steps into a part of a computation as they are; what they read and it lacks is given.

    `trace` has what they read.
    """
    for step in steps:
        for name in (name for name in step.inputs if name not in part):
            source = trace[name]
            part.give(source.name, source.values.copy(), source.rows, source.columns,
                      source.decimals)  # fmt: skip
        labels = Labels(rows=step.rows, columns=step.columns)
        if step.kind == "given":
            part.give(step.name, step.values.copy(), **labels, decimals=step.decimals)
        else:
            decimals = step.decimals if step.rounded else None
            part.apply(step.name, step.op, *step.inputs, **labels, decimals=decimals)


def passes(
    trace: Trace, word: str, rate: float, *, rounding: Rounding | None = None
) -> tuple[Scope, Scope]:
    """The prediction before and after one step of learning of the output's own numbers."""
    preset = replace(trace.preset, decimals={**trace.preset.decimals, **DECIMALS})
    changes = Edits({TARGET: word}, drawing_row(preset))
    run = Run(preset, rounding or trace.rounding, changes, untied=True)
    scope = Scope(run, {k: step for k, step in trace.steps.items() if not k.startswith(WRITTEN)})
    words, shifts = trace[LOGITS].columns, Shifts(preset.shifted)
    scopes = [scope]

    def forward(after: Scope) -> None:
        predict(after, "last", words, shifts)
        scopes.append(after)

    predict(scope, "last", words, shifts)
    write_losses(scope, "last", words, shifts)
    train(scope, Training(1, rate, ("output.*",)), words, shifts, forward)
    return scopes[0], scopes[1]
