"""Rounds after the first: the whole computation again, with the chosen token appended."""

from collections.abc import Sequence

import numpy as np

from generator.engine.draws import draw
from generator.engine.ops import Append, Op
from generator.engine.trace import Step, Trace
from generator.errors import UserError

HUNDREDTHS = 100
_GROWING = ("position", "position.index")  # tables with one more row in each round


class Round(Trace):
    """The same Trace, seen from one of its later rounds: names get the prefix `round2.`.

    Steps go into the Trace that it was made from. What is given once (weights, vocabulary,
    switches, temperatures) is shared; a table with a row for each token grows by one row.
    """

    def __init__(self, first: Trace, number: int) -> None:
        self.__dict__.update(first.__dict__)  # one record, seen in two ways
        self.worked = self.exercise = None
        self.prefix = f"round{number}."
        self._before = f"round{number - 1}." if number > 2 else ""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(self._known(str(name)))

    def __getitem__(self, name: str) -> Step:
        return super().__getitem__(self._known(name))

    def give(
        self,
        name: str,
        values: np.ndarray,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        decimals: int | None = None,
    ) -> str:
        """The name of what round 1 was given; a grown table, or the round's random number."""
        if name in _GROWING:
            return self._grown(name, values, rows, columns)
        if name == "sampling.random":
            return super().give(self.prefix + name, self._random(), rows, columns, decimals)
        return super().__getitem__(name).name

    def apply(
        self,
        name: str,
        op: Op,
        *inputs: str,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        decimals: int | None = None,
    ) -> str:
        """Compute a step of this round from this round's inputs; gives the whole name back."""
        own = [self._known(x) for x in inputs]
        whole = name if name.startswith(self.prefix) else self.prefix + name
        return super().apply(whole, op, *own, rows=rows, columns=columns, decimals=decimals)

    def alias(self, name: str, target: str) -> str:
        """Let a step of this round be found under a further name."""
        return super().alias(self.prefix + name, self._known(target))

    def append_token(self) -> tuple[str, ...]:
        """Write the tokens of this round: those of the round before and its choice [n + 1, 1]."""
        before = [self._before + name for name in ("tokens", "sampling.next")]
        super().apply(f"{self.prefix}tokens", Append(), *before, columns=("token",))
        return self.tokens

    def _known(self, name: str) -> str:
        """The name in this round where the round has it, else the shared one."""
        own = self.prefix + name
        return own if own in self._steps or own in self._aliases else name

    def _grown(
        self,
        name: str,
        values: np.ndarray,
        rows: Sequence[str] | None,
        columns: Sequence[str] | None,
    ) -> str:
        last = None if rows is None else rows[-1:]
        new = super().give(f"{self.prefix}{name}.new", values[-1:].copy(), last, columns)
        return self.apply(name, Append(), self._before + name, new, rows=rows, columns=columns)

    def _random(self) -> np.ndarray:
        """A number of hundredths that hangs on the seed and the round only."""
        return np.array([[random_of(self.preset.seed, self.prefix)]])


def random_of(seed: int, prefix: str, parts: int = HUNDREDTHS) -> float:
    """The random number of a round (its names' prefix, "" for the first): k ÷ parts, below 1."""
    return draw("sampling.random", seed, prefix, 0, parts) / parts


def require_rounds(trace: Trace, rounds: int) -> None:
    """Raise a `UserError` for a number of rounds that this computation cannot have."""
    if rounds < 1:
        raise UserError(f"rounds: found {rounds}, expected a whole number from 1")
    if rounds == 1:
        return
    if "sampling.next" not in trace or trace.preset.start != "sentence":
        raise UserError(
            f"preset {trace.preset.name!r} cannot go on after its first round, because it "
            "computes no next token from a sentence; take one that does, such as 'katze'"
        )
