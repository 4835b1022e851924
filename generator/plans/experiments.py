"""Ready experiments for a class: which given numbers change, and what to call the change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations, islice

import numpy as np

from generator.engine.model import recomputed
from generator.engine.predict import drawing_row
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import UserError
from generator.locales.catalogue import Catalogue
from generator.notation.shown import number

MOST = 4
LEAST, NOISE = 0.02, 1e-9  # a change of a probability that can be seen
SHARED = ("weights", "output")  # of a head, where there is no next token
TRIES = 16  # candidates at most
SHARP, FLAT = 0.5, 2.0
LOW, HIGH = 0.15, 0.85  # random numbers that lie far apart

Change = Mapping[Cell, float | str]


@dataclass(frozen=True)
class Experiment:
    """A change to try: its key in the catalogue, the cells that change and their new content.

    `names` are what its texts in the catalogue need to know.
    """

    key: str
    changes: Change
    names: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def edits(self) -> Mapping[str, object]:
        """The changes as the engine takes them, rows and columns counted from 1."""
        return {f"{step}[{i + 1},{j + 1}]": value for (step, i, j), value in self.changes.items()}

    def title(self, catalogue: Catalogue) -> str:
        """What is changed, in words."""
        language, names = catalogue.language, dict[str, str]()
        for name, value in self.names.items():
            names[name] = value if isinstance(value, str) else number(value, None, language)
        return catalogue.t(f"workbook.experiment.{self.key}", **names)


def experiments(trace: Trace) -> tuple[Experiment, ...]:
    """Up to four experiments that change something to be seen, by the engine's own numbers.

    T = 0.5, two words swapped, a head removed, and so on, whatever changes the next token or its
    probabilities here; where there is no next token, the attention weights. If a candidate
    changes the next token, one of the four does. All is computed anew: an exercise hides numbers.
    """
    before = _computed(trace, None)
    taken: list[Experiment] = []
    turns = False
    for tried, candidate in enumerate(chain(_candidates(trace), _word(trace))):
        if len(taken) == MOST and (turns or tried >= TRIES or "sampling.next" not in trace):
            break
        after = _computed(trace, candidate)
        if before is None or after is None or not is_seen(trace, before, after):
            continue
        turning = _turns(trace, before, after)
        if len(taken) == MOST and turning:
            taken[-1] = candidate
        elif len(taken) < MOST and candidate.key not in {one.key for one in taken}:
            taken.append(candidate)
        turns = turns or (turning and candidate in taken)
    return tuple(taken)


def possible(trace: Trace) -> tuple[Experiment, ...]:
    """The first four that the engine can compute, whether they change much or nothing."""
    computable = (one for one in _candidates(trace) if _computed(trace, one) is not None)
    return tuple(islice(computable, MOST))


def is_seen(trace: Trace, before: Trace, after: Trace) -> bool:
    """Whether two computations differ in what the tabs of a trace end with, by 0.02 or more."""
    if "sampling.next" in trace:
        apart = _apart(before, after, "sampling.share")
        return _turns(trace, before, after) or apart >= LEAST - NOISE
    heads = [step for step in trace if step.place.kind in SHARED and step.kind == "computed"]
    return max((_moved(before, after, step) for step in heads), default=0.0) >= LEAST - NOISE


def _turns(trace: Trace, before: Trace, after: Trace) -> bool:
    """Whether another token is next."""
    if "sampling.next" not in trace:
        return False
    words = [str(one["sampling.next"].values[0, 0]) for one in (before, after)]
    return words[0] != words[1]


def _moved(before: Trace, after: Trace, step: Step) -> float:
    """The largest change of a head's output, or of what each place gives to each word."""
    if step.place.kind != "weights":
        return _apart(before, after, step.name)
    words = list(dict.fromkeys((*before.tokens, *after.tokens)))
    given = []
    for trace in (before, after):
        is_word = np.array([[float(token == word) for word in words] for token in trace.tokens])
        given.append(trace[step.name].values @ is_word)
    return float(np.abs(given[1] - given[0]).max())


def _apart(before: Trace, after: Trace, name: str) -> float:
    return float(np.abs(after[name].values - before[name].values).max())


def _candidates(trace: Trace) -> Iterator[Experiment]:
    several = len(trace.tokens) > 1
    if several:
        yield from _off(trace, "mask")
    yield from _temperature(trace, "sharper", SHARP)
    yield from _swap(trace)
    yield from _head(trace)
    if several:
        yield from _off(trace, "scale")
    yield from _off(trace, "position")
    yield from _repeat(trace)
    yield from _temperature(trace, "flatter", FLAT)
    yield from _strategy(trace)
    yield from _random(trace)


def _off(trace: Trace, key: str) -> Iterator[Experiment]:
    name = f"switch.{key}"
    if name in trace and trace[name].values[0, 0]:
        yield Experiment(key, {(name, 0, 0): 0.0})


def _temperature(trace: Trace, key: str, value: float) -> Iterator[Experiment]:
    if "temperature" in trace:
        row = drawing_row(trace.preset)
        before = float(trace["temperature"].values[row, 0])
        if value != before and (value < before) == (key == "sharper"):
            names = {"before": before, "after": value}
            yield Experiment(key, {("temperature", row, 0): value}, names)


def _swap(trace: Trace) -> Iterator[Experiment]:
    """The second and the last word change places, or the first two that differ."""
    tokens = trace.tokens
    if "onehot" not in trace:
        return
    pairs = [(1, len(tokens) - 1), *combinations(range(len(tokens)), 2)]
    for i, k in pairs:
        if i < k and tokens[i] != tokens[k]:
            changes = {("tokens", i, 0): tokens[k], ("tokens", k, 0): tokens[i]}
            yield Experiment("swap", changes, {"first": tokens[i], "second": tokens[k]})
            return


def _head(trace: Trace) -> Iterator[Experiment]:
    if "switch.heads" in trace:
        last = trace["switch.heads"].shape[1] - 1
        if trace["switch.heads"].values[0, last]:
            yield Experiment("head", {("switch.heads", 0, last): 0.0}, {"head": last + 1})


def _repeat(trace: Trace) -> Iterator[Experiment]:
    """The last word becomes the second one, where positions can tell the two apart."""
    tokens = trace.tokens
    if "position" in trace and "onehot" in trace and len(tokens) > 2 and tokens[-1] != tokens[1]:
        changes = {("tokens", len(tokens) - 1, 0): tokens[1]}
        yield Experiment("repeat", changes, {"first": tokens[-1], "second": tokens[1]})


def _strategy(trace: Trace) -> Iterator[Experiment]:
    if "sampling.strategy" in trace:
        before = str(trace["sampling.strategy"].values[0, 0])
        after = "sample" if before == "greedy" else "greedy"
        names = {"before": before, "after": after}
        yield Experiment("strategy", {("sampling.strategy", 0, 0): after}, names)


def _random(trace: Trace) -> Iterator[Experiment]:
    if "sampling.strategy" in trace and trace["sampling.strategy"].values[0, 0] != "greedy":
        before = float(trace["sampling.random"].values[0, 0])
        after = HIGH if before < (LOW + HIGH) / 2 else LOW
        names = {"before": before, "after": after}
        yield Experiment("random", {("sampling.random", 0, 0): after}, names)


def _word(trace: Trace) -> Iterator[Experiment]:
    """One word of the sentence becomes another of them, the later words first."""
    tokens = trace.tokens
    if "onehot" not in trace or "sampling.next" not in trace:
        return
    for place in reversed(range(len(tokens))):
        for word in dict.fromkeys(tokens):
            if word != tokens[place]:
                names: dict[str, float | str] = {"first": tokens[place], "second": word}
                names["number"] = place + 1
                yield Experiment("word", {("tokens", place, 0): word}, names)


def _computed(trace: Trace, experiment: Experiment | None) -> Trace | None:
    """The computation with an experiment; None where the engine finds no result.

    σ = 0 or an empty sum would show as errors in a file.
    """
    edits = experiment.edits if experiment else {}
    try:
        edited = {**trace.edits, **edits}
        return recomputed(trace, edits=edited, controls=True, rounds=trace.rounds)
    except UserError:
        return None
