"""What the exercise workbook asks of a step of training: as sheets 7a and 7b, the output alone."""

from collections.abc import Iterator

from generator.engine.learning import EMBEDDING, MATRIX
from generator.engine.loss import TARGET
from generator.engine.ops.learning import MatTMul
from generator.engine.place import RATE, step_prefix
from generator.engine.predict import drawing_row
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace

ROWS = 3  # rows of the output that pupils change: one more at each level
LOSS, ERROR, BIAS = "loss.cross_entropy", "grad.output.tempered", "output.bias"
SECOND = step_prefix(2)
AFTER = ("output.exp", "output.sum", "output.probabilities")


def asked_of(trace: Trace, step: Step) -> Iterator[tuple[int, list[Cell]]]:
    """The rows of a step that a class computes by hand, each with the level from which on.

    Of the weights those of the word that really comes next, then those after it in the vocabulary:
    which ones must not depend on what the model says.
    """
    if step.name.startswith(SECOND):
        yield from _again(trace, step)
    elif {RATE, TARGET, "loss.probability"} <= trace.steps.keys():
        yield from _first(trace, step)


def _again(trace: Trace, step: Step) -> Iterator[tuple[int, list[Cell]]]:
    """The prediction with the new weights, where its loss is that of one word."""
    own, row = step.name.removeprefix(SECOND), drawing_row(trace.preset)
    at = {"output.logits": 0, LOSS: 0, **dict.fromkeys(AFTER, row)}.get(own)
    if at is not None and f"{SECOND}loss.probability" in trace:
        yield 1, [(step.name, at, j) for j in range(step.shape[1])]


def _first(trace: Trace, step: Step) -> Iterator[tuple[int, list[Cell]]]:
    """The loss, P − y, rows of the gradient and of the new weight."""
    weight = MATRIX if f"update.{MATRIX}" in trace else EMBEDDING
    name, wide = step.name, step.shape[1]
    if name in (LOSS, ERROR):
        yield 1, [(name, 0, j) for j in range(wide)]
    elif name == f"update.{weight}" or (name == f"grad.{weight}" and isinstance(step.op, MatTMul)):
        for level, word in enumerate(_words(trace), start=1):
            yield level, [(name, word, j) for j in range(wide)]
    elif name in (f"update.{BIAS}", f"grad.{BIAS}"):
        for level, word in enumerate(_words(trace), start=1):
            yield level, [(name, 0, word)]


def _words(trace: Trace) -> list[int]:
    """The right word and those after it in the vocabulary, which begins again at its end."""
    words = trace["vocabulary.words"].values[:, 0].tolist()
    first = words.index(trace[TARGET].values[0, 0])
    return [(first + k) % len(words) for k in range(min(ROWS, len(words)))]
