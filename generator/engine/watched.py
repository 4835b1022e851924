"""A Trace that notes what is looked at: what must be the same in another that is to look alike."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np

from generator.engine.trace import Step, Trace

S = TypeVar("S", Step, Trace)
T = TypeVar("T")

Outcomes: TypeAlias = dict[Callable[[Any], object], object]


class NotRepeatable(Exception):
    """What was looked at cannot be the same in another Trace."""


class Notes:
    """What somebody looked at in a Trace's numbers.

    Whoever looks at numbers makes all numbers of their step a condition; whoever asks a
    `decision` over them only its outcome.
    """

    def __init__(self) -> None:
        self._seen: dict[str, np.ndarray] = {}
        self._decided: dict[str, tuple[np.ndarray, Outcomes]] = {}
        self._of_trace: Outcomes = {}
        self._edits: Mapping[str, object] = {}

    @property
    def seen(self) -> frozenset[str]:
        """The steps whose numbers were looked at."""
        return frozenset(self._seen)

    def see(self, step: Step) -> np.ndarray:
        """The numbers of a step, from now on a condition."""
        return self._seen.setdefault(step.name, step.values)

    def decide(self, rule: Callable[[S], T], subject: S) -> T:
        """What a rule says of a step or of the whole Trace, from now on a condition."""
        outcome = rule(subject)
        if isinstance(subject, Trace):
            self._edits, outcomes = subject.edits, self._of_trace
        else:
            _, outcomes = self._decided.setdefault(subject.name, (subject.values, {}))
        outcomes[rule] = outcome
        return outcome

    def hold(self, trace: Trace) -> bool:
        """Whether everything noted is the same in another Trace of the same shape.

        Of the same preset and sentence, that is, with the same steps but for their contents.
        """
        return (
            all(same(values, trace[name].values) for name, values in self._seen.items())
            and all(
                same(values, trace[name].values) or _agree(outcomes, trace[name])
                for name, (values, outcomes) in self._decided.items()
            )
            and (self._edits == trace.edits or _agree(self._of_trace, trace))
        )


class Watched(Step):
    """A step whose looked-at numbers are noted; its shape and its names may be looked at freely."""

    notes: Notes

    @property
    def plain(self) -> Step:
        """The step unwatched."""
        return Step(*self)

    @property
    def values(self) -> np.ndarray:
        """The numbers or words, noted."""
        return self.notes.see(self.plain)

    @property
    def text(self) -> bool:
        """Whether the cells are words."""
        return self.plain.text

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.plain.shape


class WatchedTrace(Trace):
    """A Trace of watched steps; what was asked for by edits cannot be looked at."""

    plain: Trace
    notes: Notes

    def __init__(self, trace: Trace, notes: Notes) -> None:
        steps = {step.name: _watched(step, notes) for step in trace}
        vars(self).update(vars(trace), steps=steps, plain=trace, notes=notes)

    @property
    def edits(self) -> Any:
        """Raises `NotRepeatable`: with other edits other things would be done."""
        raise NotRepeatable("found a look at edits, expected one at steps or a decision")


def decision(rule: Callable[[S], T]) -> Callable[[S], T]:
    """Makes a rule over the numbers of a step or a Trace one whose outcome is the condition."""

    @wraps(rule)
    def decided(subject: S) -> T:
        if isinstance(subject, Watched | WatchedTrace):
            return subject.notes.decide(rule, subject.plain)
        return rule(subject)

    return decided


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays hold the same words, or the same numbers to the last bit."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    words = one.dtype == object
    return one.tolist() == other.tolist() if words else one.tobytes() == other.tobytes()


def _agree(outcomes: Outcomes, subject: Step | Trace) -> bool:
    return all(rule(subject) == found for rule, found in outcomes.items())


def _watched(step: Step, notes: Notes) -> Watched:
    watched = Watched(*step)
    watched.notes = notes
    return watched
