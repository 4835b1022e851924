"""Witnesses of the claims of sheet 8: the losses that are kept, and the texts written once more."""

import math
from dataclasses import replace

from generator import compute
from generator.engine.preset import Preset
from tests.support.witnesses.seen import Seen

LENGTH = 8
APART: dict[tuple[str, str], bool] = {}  # of shipped presets, which many sentences are of


def written_apart(seen: Seen) -> bool:
    """Whether the models of the three points append different tokens, each the likeliest one."""
    preset = seen.trace.preset
    key = preset.sha256, preset.language
    if key not in APART:
        APART[key] = _apart(preset)
    return APART[key]


def _apart(preset: Preset) -> bool:
    models = [preset]
    for state in preset.history.states:
        numbers = {name: x.copy() for name, x in state.numbers.items()}
        rows = numbers.pop("vocabulary.embedding").tolist()
        words = {word: tuple(row) for word, row in zip(preset.words, rows, strict=True)}
        models.append(replace(preset, words=words, weights={**preset.weights, **numbers}))
    return len({_written(model) for model in models}) == 3


def better_at_the_end(seen: Seen) -> bool:
    """Whether −ln P at the end is so much smaller that P is larger as printed, and texts differ."""
    _, middle, end = _losses(seen)
    return round(math.exp(-end), 2) > round(math.exp(-middle), 2) and written_apart(seen)


def crosses_one(seen: Seen) -> bool:
    """Whether the first kept loss is 1 or more, and a later one less."""
    losses = [loss for _, loss in seen.trace.preset.history.losses]
    return losses[0] >= 1 and min(losses) < 1


def die_between(seen: Seen) -> bool:
    """Whether ln v lies between the losses of end and start, as printed."""
    start, _, end = _losses(seen)
    return end < _die(seen) < start


def die_above(seen: Seen) -> bool:
    """Whether no loss is above ln v, as printed, and the last is below the first."""
    start, _, end = _losses(seen)
    return end < start <= _die(seen)


def set_ones(seen: Seen) -> bool:
    """Whether a matrix is the same at both kept steps, or a norm has neither gain nor shift."""
    first, second = (state.numbers for state in seen.trace.preset.history.states[:2])
    still = any((x == second[name]).all() for name, x in first.items())
    learned = {name.rpartition(".")[2] for name in first}
    known = len(seen.trace["vocabulary.words"].values) == len(seen.trace.preset.words)
    return known and (still or "gain1" not in learned)


def fast_at_first(seen: Seen) -> bool:
    """Whether 96 % of the fall came in the first quarter of all steps."""
    history = seen.trace.preset.history
    losses, (_, middle) = dict(history.losses), (state.step for state in history.states[:2])
    fall = losses[1] - losses[history.kept]
    return fall > 0 and losses[1] - losses[middle] >= 0.96 * fall and middle / history.steps <= 0.25


def _die(seen: Seen) -> float:
    return round(-math.log(round(1 / len(seen.trace.preset.words), 4)), 2)


def _losses(seen: Seen) -> tuple[float, float, float]:
    """At the first step, at 96 % of the way down, and at the step that was kept."""
    history = seen.trace.preset.history
    losses = dict(history.losses)
    start, end = losses[1], losses[history.kept]
    down = [one for step, one in sorted(losses.items()) if one <= start - 0.96 * (start - end)]
    return round(start, 2), round(down[0], 2), round(end, 2)


def _written(model: Preset) -> tuple[str, ...]:
    sentence, space = model.sentences[model.language], " "
    tokens = [sentence.split()[0]]
    if model.tokenizer == "character":
        tokens, space = [sentence[0]], ""
    while len(tokens) <= LENGTH and tokens[-1] != model.stop:
        trace = compute(space.join(tokens), preset=model, rounding="exact", language=model.language)
        logits = trace["output.logits"]
        tokens.append(logits.columns[int(logits.values[0].argmax())])
    return tuple(tokens)
