"""Whether a softmax subtracts its maximum first, where rows are computed one after the other."""

from collections.abc import Mapping

from generator.engine.choices import Shift
from generator.engine.scope import Scope
from generator.engine.softmax import Rows, Shifts


class Outgrown(Exception):
    """A new row's softmax needs a shift that the earlier rows were computed without."""


class Grown(Shifts):
    """The decisions of one round. A shift that an earlier row needed stays for all later rows.

    `before` are the decisions of the round before; nothing where all rows are computed together.
    `decided` are those of this round, by the name that the softmax's steps begin with.
    """

    def __init__(self, rule: Shift, before: Mapping[str, bool]) -> None:
        super().__init__(rule)
        self._before = before
        self.decided: dict[str, bool] = {}

    def needed(self, scope: Scope, x: str, rows: Rows) -> bool:
        """Whether the softmax at this place is shifted; `Outgrown` where only from now on."""
        now = super().needed(scope, x, rows)
        at = scope.at.removesuffix(".")
        if at != "output" and at in self._before:  # the output has one row in every round
            if now and not self._before[at]:
                raise Outgrown
            now = now or self._before[at]
        self.decided[at] = now
        return now
