"""Facts about positions: a word at a further place, equal words, waves, usual slips."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from generator.engine.ops.base import Op
from generator.engine.ops.linear import Angle, Plus, SineCosine
from generator.engine.rounding import GUARD, guarded, guarded_number
from generator.engine.step import Labels
from generator.engine.trace import Step, Trace
from generator.insight.slips import Slip
from generator.notation.shown import shown_decimals, shown_value

SAME = 1e-9
NEARLY_ROUND = 44  # steps: 44 radians are 7 turns and a fiftieth


def stamped(trace: Trace, prefix: str, row: int, position: float) -> tuple[Step, ...]:
    """The steps of one more word: the embedding of `row` at another position, by the same rules.

    Their names are those of the trace behind the prefix; every step has one row.
    """
    chain = trace.scratch()
    divisor = trace["position.divisor"]
    word, dimensions = (trace.tokens[row],), trace["embedding"].columns
    at = np.array([[position]])
    index = chain.give(f"{prefix}position.index", at, rows=word, columns=("pos",))
    by = chain.give(f"{prefix}position.divisor", divisor.values.copy(), columns=divisor.columns)
    embedding = trace["embedding"].values[row : row + 1].copy()
    decimals = shown_decimals(trace["embedding"])
    labels = Labels(rows=word, columns=dimensions)
    given = chain.give(f"{prefix}embedding", embedding, **labels, decimals=decimals)
    rules: tuple[tuple[str, Op, tuple[str, ...]], ...] = (
        ("position.angle", Angle(), (index, by)),
        ("position", SineCosine(trace.preset.d_model), (f"{prefix}position.angle",)),
        ("input", Plus(), (given, f"{prefix}position")),
    )
    for name, op, inputs in rules:
        like = trace[name]
        places = like.decimals if like.rounded else None
        chain.apply(prefix + name, op, *inputs, rows=word, columns=like.columns, decimals=places)
    return chain.new


def equal_words(trace: Trace) -> tuple[int, int] | None:
    """The first two tokens with the same embedding, equal words before others; None for none."""
    pairs = list(combinations(range(len(trace.tokens)), 2))
    embedding = trace["embedding"].values
    alike = [(i, j) for i, j in pairs if (embedding[i] == embedding[j]).all()]
    return min(alike, key=lambda p: trace.tokens[p[0]] != trace.tokens[p[1]], default=None)


def wave(trace: Trace, column: int, positions: Sequence[float]) -> np.ndarray:
    """A dimension's positions formula at these places, unrounded, for curves: [m]."""
    index = np.array(positions, dtype=np.float64)[:, None]
    angle = Angle().value(index, trace["position.divisor"].values)
    values: np.ndarray = SineCosine(trace.preset.d_model).value(angle)[:, column]
    return values


def square_sum(trace: Trace, name: str, row: int, pair: int) -> tuple[float, bool]:
    """sin² + cos² of a pair as printed, with the step's decimals, and whether they cut it short."""
    step = trace[name]
    sine, cosine = (shown_value(step, row, 2 * pair + k) for k in (0, 1))
    total = sine**2 + cosine**2
    shown = guarded_number(total, shown_decimals(step))
    return shown, abs(shown - total) > SAME


def turn(trace: Trace, pair: int) -> float:
    """How many positions a pair's hand needs for one turn."""
    return float(2 * math.pi * trace["position.divisor"].values[0, pair])


def per_position(trace: Trace, pair: int) -> float:
    """By how much a pair's angle grows from one position to the next."""
    return float(Angle().value(np.ones((1, 1)), trace["position.divisor"].values)[0, pair])


def most_different(one: np.ndarray, other: np.ndarray) -> int:
    """The column in which two rows [m] lie furthest apart; the first of equals."""
    return int(np.argmax(guarded(np.abs(one - other), GUARD)))


def sine_of_one(trace: Trace, *, degrees: bool) -> float:
    """What a calculator shows for sin 1, in radians or wrongly in degrees."""
    angle = math.radians(1.0) if degrees else 1.0
    return float(_again(trace, np.array([[angle]]))[0, 0])


def position_slips(trace: Trace, row: int) -> list[Slip]:
    """What usual slips make of a row of positions, each in the first number that shows it.

    Degrees instead of radians, divisor forgotten, sine and cosine swapped, counted from 1. A slip
    that changes nothing here is left out.
    """
    index = trace["position.index"].values[row : row + 1]
    divisor = trace["position.divisor"].values
    angle = trace["position.angle"].values[row : row + 1]
    swapped = _again(trace, angle)
    whole = swapped.shape[1] // 2 * 2
    swapped[:, :whole] = swapped[:, :whole].reshape(-1, 2)[:, ::-1].reshape(1, -1)
    wrong = {
        "degrees": _again(trace, np.radians(angle)),
        "divisor": _again(trace, np.repeat(index, divisor.shape[1], axis=1)),
        "swapped": swapped,
        "from_one": _again(trace, Angle().value(index + 1, divisor)),
    }
    right = trace["position"].values[row]
    slips = []
    for key, values in wrong.items():
        if (places := np.flatnonzero(values[0] != right)).size:
            j = int(places[0])
            slips.append(Slip(key, "position", row, j, float(values[0, j])))
    return slips


def _again(trace: Trace, angle: np.ndarray) -> np.ndarray:
    """The positions of other angles, rounded as the Trace's: [n, d_model]."""
    chain = trace.scratch()
    chain.give("position.angle", angle.copy())
    like = trace["position"]
    decimals = like.decimals if like.rounded else None
    wave = SineCosine(trace.preset.d_model)
    return chain[chain.apply("position", wave, "position.angle", decimals=decimals)].values.copy()
