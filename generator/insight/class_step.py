"""One step of learning for several sentences together: each group's gradient, and their mean.

Also here:

* The wrong numbers of the usual slips when a class adds its gradients up.
* The worked example of sheet 7d: two groups, one row of two numbers, one step together.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from generator.engine.learning import MATRIX
from generator.engine.model import forward
from generator.engine.ops.learning import Descend
from generator.engine.predict import drawing_row
from generator.engine.scope import Run, Scope
from generator.engine.trace import Labels, Step, Trace
from generator.engine.trace_gradients import write_mean
from generator.engine.vocabulary import joined, tokenize
from generator.errors import refused, require
from generator.generation.text_so_far import again
from generator.insight import output_step
from generator.insight.output_layer import LOGITS, SHARES
from generator.insight.output_step import DECIMALS, ERROR, GRADIENT, LEAST_CHANCE, LOSS, RATES
from generator.insight.slips import Slip, changing
from generator.notation.shown import shown_decimals, shown_value
from generator.presets.language import translated
from generator.resources import table

AT, OLD, NEW, RATE = "together", f"together.{MATRIX}", "together.new", "together.rate"
SUM, MEAN = f"{AT}.gradient.sum", f"{AT}.gradient.mean"
BEFORE, AFTER = f"{AT}.before", f"{AT}.after"
FEWEST, MOST = 2, 4  # groups
MOST_CHANCE = 0.9  # of P: above it every gradient is nearly 0
SHOWN = ("last", "output.", "loss.", "grad.")  # what a group has of its own


@dataclass(frozen=True)
class GroupExercise:
    """What one group learns: the tokens that it reads, and the word that really comes next."""

    tokens: tuple[str, ...]
    word: str


def own(k: int, name: str) -> str:
    """A step of a group, counted from 0."""
    return f"group{k + 1}.{name}"


def renewed(k: int, name: str) -> str:
    """A step of a group's prediction with the new numbers."""
    return f"group{k + 1}.after.{name}"


def exercises(trace: Trace) -> tuple[GroupExercise, ...]:
    """What the groups learn: the last word of each of the class's sentences, from all before it.

    Without such sentences these are the ones that wait for the preset, else the beginnings of the
    sentence, each with the word that it has next, as a model learns from a text. Raises `UserError`
    for too few, too many or unknown words.
    """
    ready = table("insight/examples.toml")["groups"].get(trace.preset.name, ())
    ready = [translated(trace.preset, trace.language, text) for text in ready]
    if texts := trace.sentences or ready:
        return tuple(_of_sentence(trace, text) for text in texts)
    tokens, words = trace.tokens, trace[LOGITS].columns
    known = [GroupExercise(tokens[:k], w) for k, w in enumerate(tokens) if k > 1 and w in words]
    usable = [one for one in known if LEAST_CHANCE <= _chance(trace, one) <= MOST_CHANCE]
    names = {"sentence": trace.sentence, "found": len(usable), "fewest": FEWEST}
    require(len(usable) >= FEWEST, "7d.beginnings", **names)
    return tuple(usable[-MOST:])


def _chance(trace: Trace, group: GroupExercise) -> float:
    """The probability of a group's word before learning, as printed."""
    shares = read(trace, group)[SHARES]
    row, at = drawing_row(trace.preset), shares.columns.index(group.word)
    return shown_value(shares, row, at)


def _of_sentence(trace: Trace, text: str) -> GroupExercise:
    preset, words = trace.preset, trace[LOGITS].columns
    tokens = tokenize(text, preset.tokenizer, preset.words, preset.merges).tokens
    new = [token for token in tokens if token not in words]
    require(not new, "7d.unknown", text=text, token="".join(new[:1]), known=", ".join(words))
    require(len(tokens) > 1, "7d.short", text=text)
    group = GroupExercise(tokens[:-1], tokens[-1])
    chance = _chance(trace, group)
    require(LEAST_CHANCE <= chance <= MOST_CHANCE, "7d.chance", text=text, chance=chance)
    return group


def class_steps(trace: Trace, groups: tuple[GroupExercise, ...]) -> tuple[float, tuple[Step, ...]]:
    """The first rate by which the mean loss visibly falls, and all steps; `UserError` for none.

    `group1.last`, `.output.…`, `.loss.…`, `.grad.output.matrix` and so on for each group,
    `together.gradient.sum` and `.mean`, `together.new`, `group1.after.…` with the new numbers,
    `together.before.mean` and `together.after.mean` of the losses.
    """
    traces = [(k, read(trace, one), one.word) for k, one in enumerate(groups)]
    first = _befores(traces)
    for rate in RATES:
        chain = _writer(trace, first)
        mean = write_mean(chain, f"{AT}.gradient", [own(k, GRADIENT) for k, *_ in traces])
        chain.give(RATE, np.array([[rate]]))
        labels = Labels(rows=chain[OLD].rows, columns=chain[OLD].columns)
        new = chain[chain.apply(NEW, Descend(), OLD, RATE, mean, **labels)].values
        after = [step for one in traces for step in _after(*one, new)]
        losses = _writer(trace, [*first, *chain.new, *after])
        for at, name in ((BEFORE, own), (AFTER, renewed)):
            write_mean(losses, at, [name(k, LOSS) for k, *_ in traces])
        before, now = (shown_value(losses[f"{at}.mean"], 0, 0) for at in (BEFORE, AFTER))
        if before - now >= output_step.LEAST_GAIN:
            return rate, (*first, *chain.new, *after, *losses.new)
    raise refused("7d.rate", least=min(RATES), most=max(RATES))


def read(trace: Trace, group: GroupExercise) -> Trace:
    """The computation of what a group reads, with the vocabulary and weights of the class."""
    scope = again(trace, group.tokens)
    forward(scope)
    return Trace.of(scope, joined(group.tokens, trace.preset.tokenizer))


def _writer(trace: Trace, steps: Iterable[Step]) -> Scope:
    """A writer that reads these steps too, with the decimals of a step by hand."""
    whole = trace.with_steps(steps)
    decimals = {name: shown_decimals(whole[own(0, GRADIENT)]) for name in (SUM, MEAN)}
    decimals |= {f"{at}.{of}": DECIMALS[LOSS] for at in (BEFORE, AFTER) for of in ("sum", "mean")}
    ours = {**decimals, NEW: DECIMALS["update"]}
    preset = replace(trace.preset, decimals={**trace.preset.decimals, **ours})
    return Scope(Run(preset, trace.rounding), whole.steps, whole.aliases)


def _befores(traces: list[tuple[int, Trace, str]]) -> list[Step]:
    """The steps of all groups before learning; the matrix, which they share, comes first."""
    before: list[Step] = []
    for k, trace, word in traces:
        scope, _ = output_step.passes(trace, word, 1.0)
        steps = {name: step for name, step in scope.steps.items() if name.startswith(SHOWN)}
        before += _renamed(steps, {name: own(k, name) for name in steps} | {MATRIX: OLD})
    matrix = next(step for step in before if step.name == OLD)
    return [matrix, *(step for step in before if step.name != OLD)]


def _after(k: int, trace: Trace, word: str, new: np.ndarray) -> list[Step]:
    """A group's prediction and loss with the new numbers."""
    scope = output_step.scope_of(trace, word, trace.rounding, new)
    steps = {step.name: step for step in scope.new if step.name.startswith(("output.", "loss."))}
    names = {name: renewed(k, name) for name in steps} | {MATRIX: NEW, "last": own(k, "last")}
    return [step for step in _renamed(steps, names) if step.name != NEW]


def _renamed(steps: dict[str, Step], names: dict[str, str]) -> Iterator[Step]:
    for name, step in steps.items():
        inputs = tuple(names.get(one, one) for one in step.inputs)
        yield step._replace(name=names[name], inputs=inputs)


EXAMPLE_RATE, PLACES = 0.5, 2


def example_steps(trace: Trace) -> tuple[Step, ...]:
    """`example.first` and `.second`, their sum and mean, the old and the new row."""
    chain, columns = trace.scratch(), ("d1", "d2")
    for name, rows in table("insight/examples.toml")["7d"].items():
        chain.give(f"example.{name}", np.array(rows), columns=columns)
    mean = write_mean(chain, "example", ("example.first", "example.second"), PLACES)
    inputs = "example.old", chain.give("example.rate", np.array([[EXAMPLE_RATE]])), mean
    chain.apply("example.new", Descend(), *inputs, columns=columns, decimals=PLACES)
    return chain.new


def class_slips(trace: Trace, row: int, rate: float, groups: int, group: int = 0) -> list[Slip]:
    """Not divided by the groups, one gradient alone, uphill, a sign lost, the old loss kept.

    What a group does by itself, and alone, is that of `group`.
    """
    old, total, mean = (float(trace[name].values[row, 0]) for name in (OLD, SUM, MEAN))
    each = [float(trace[own(k, GRADIENT)].values[row, 0]) for k in range(groups)]
    names = (f"{AFTER}.sum", own(groups - 1, LOSS), renewed(groups - 1, LOSS))
    losses, before, after = (float(trace[name].values[0, 0]) for name in names)
    error = own(group, ERROR)
    candidates = [
        Slip("reversed", error, 0, row, -float(trace[error].values[0, row])),
        Slip("signs", SUM, row, 0, math.fsum(map(abs, each))),
        Slip("undivided", NEW, row, 0, old - rate * total),
        Slip("alone", NEW, row, 0, old - rate * each[group]),
        Slip("uphill", NEW, row, 0, old + rate * mean),
        Slip("kept", f"{AFTER}.mean", 0, 0, (losses + before - after) / groups),
    ]
    return changing(trace, candidates)
