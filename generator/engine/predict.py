"""From the last vector to the next token: logits, temperatures, softmax, choice."""

import re

import numpy as np

from generator.engine.controls import RANDOM, give_limit, give_sampling
from generator.engine.layers import SoftmaxRows, labels, softmax
from generator.engine.ops import sampling
from generator.engine.ops.base import Op
from generator.engine.ops.linear import MatMulT, OverEach
from generator.engine.preset import Preset
from generator.engine.scope import Scope
from generator.engine.step import Labels, single
from generator.errors import refused, require

TEMPERATURE = "T="  # how the label of a row begins that a temperature names


def predict(scope: Scope, last: str) -> None:
    """Write logits [1, v], probabilities [t, v] and the choice of the next token [1, 1]."""
    words, inputs = scope.words, [last, _matrix(scope)]  # [1, d], [v, d]
    bias = scope.preset.weights.get("output.bias")
    if bias is not None:
        inputs.append(scope.give("output.bias", bias, rows=("",), columns=words))  # [1, v]
    logits = scope.apply("output.logits", MatMulT(), *inputs, rows=("",), columns=words)  # [1, v]
    each = Labels(rows=_temperatures(scope), columns=words)  # [t, v]
    tempered = scope.apply("output.tempered", OverEach(), logits, "temperature", **each)
    softmax(scope.within("output"), tempered, "probabilities", SoftmaxRows(**each))
    _choose(scope)


def drawing_row(preset: Preset) -> int:
    """The row of the temperature that the next token is drawn with: that of 1, else the first."""
    return preset.temperatures.index(1.0) if 1.0 in preset.temperatures else 0


def ended(scope: Scope) -> bool:
    """Whether the token that a round has chosen is the one that ends a text."""
    stop = scope.preset.stop
    return stop is not None and scope["sampling.next"].values[0, 0] == stop


def _matrix(scope: Scope) -> str:
    tied = scope.preset.output == "tied"
    if tied and not scope.run.untied:
        return "vocabulary.embedding"
    weights = scope.preset.weights
    table = scope["vocabulary.embedding"].values if tied else weights["output.matrix"]
    columns = labels("d", scope.preset.d_model)
    return scope.give("output.matrix", table.copy(), rows=scope.words, columns=columns)


def _temperatures(scope: Scope) -> tuple[str, ...]:
    column = np.array(scope.preset.temperatures, dtype=np.float64)[:, None]
    name = scope.give("temperature", column, columns=("T",))  # [t, 1]
    values = scope[name].values[:, 0].tolist()
    for value in values:
        require(value > 0, "engine.temperature", value=value)
    return tuple(f"{TEMPERATURE}{value:g}" for value in values)


def temperature_of(label: str) -> float | None:
    """The temperature that a row's label names; None for a label that names none."""
    match = re.fullmatch(f"{TEMPERATURE}([0-9.e+-]+)", label)
    return float(match[1]) if match else None


def _choose(scope: Scope) -> None:
    preset, controls = scope.preset, scope.run.controls
    row = drawing_row(preset)
    table = Labels(rows=scope["output.probabilities"].rows[row : row + 1], columns=scope.words)
    share = scope.apply("sampling.share", sampling.Compared(row), "output.probabilities", **table)
    rank = scope.apply("sampling.rank", sampling.Rank(), share, **table)  # [1, v]
    if preset.strategy == "greedy" and not controls:
        scope.apply("sampling.next", sampling.Winner(), rank, "vocabulary.words", **single("next"))
        return
    keep: Op = sampling.KeptBy() if controls else sampling.Kept(preset.strategy)
    limits = give_sampling(scope) if controls else _limit(scope)
    kept = scope.apply("sampling.kept", keep, share, rank, *limits, **table)
    even = scope.apply("sampling.renormalised", sampling.Renormalise(), share, kept, **table)
    ends = scope.apply("sampling.cumulative", sampling.Cumulative(), even, kept, **table)
    if controls:
        start = scope.apply("sampling.from", sampling.IntervalStart(), ends, **table)
        scope.apply("sampling.digits", sampling.TwoDigits(), start, ends, **table)
    random = scope.give("sampling.random", np.array([[_random(scope)]]), **single("r"))
    require(0 <= scope[random].values[0, 0] < 1, "engine.drawn", name=random)
    inputs = (ends, random, "vocabulary.words")
    scope.apply("sampling.next", sampling.Draw(), *inputs, **single("next"))


def _random(scope: Scope) -> float:
    preset = scope.preset
    if preset.random is not None:
        return preset.random
    if scope.run.controls and preset.strategy == "greedy":
        return RANDOM
    raise refused("engine.random", preset=preset)


def _limit(scope: Scope) -> tuple[str, ...]:
    preset = scope.preset
    limit = {"top-k": ("k", preset.k), "top-p": ("p", preset.p)}.get(preset.strategy)
    if limit is None:
        return ()
    name, value = limit
    if value is None:
        raise refused("engine.limit", preset=preset, name=name)
    return (give_limit(scope, name, value),)
