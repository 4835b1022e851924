"""Ready experiments for a class: which given numbers change, and what to call the change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from generator.engine.model import compute
from generator.engine.predict import drawing_row
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError

MOST = 4
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


def experiments(trace: Trace) -> tuple[Experiment, ...]:
    """Up to four experiments that this computation, made with its controls, allows.

    Mask off, T = 0.5, two words swapped, a head removed; where the preset lacks one of them, the
    next best. Each is one that the engine can compute.
    """
    found: list[Experiment] = []
    for candidate in _candidates(trace):
        if len(found) < MOST and _computable(trace, candidate):
            found.append(candidate)
    return tuple(found)


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


def _computable(trace: Trace, experiment: Experiment) -> bool:
    """Whether the engine finds a result: σ = 0 or an empty sum would show as errors in a file."""
    try:
        compute(
            trace.preset,
            trace.sentence,
            rounding=trace.rounding,
            edits={**trace.edits, **experiment.edits},
            controls=True,
            rounds=trace.rounds,
            worked=trace.worked,
            exercise=trace.exercise,
        )
    except UserError:
        return False
    return True
