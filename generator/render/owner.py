"""The mark by which a file is known again when it comes back: whose it is and what it asks.

Also here:

* Steps by name or pattern, as `--step` says them.
"""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from generator.engine.trace import Step, Trace
from generator.errors import UserError, did_you_mean, refused
from generator.sheets.plan import MARKS

FORMAT = "1"
APART, NOBODY = " · ", "–"
ALL = "all"  # in the place of sheets: every tab that the preset has
NAME = "Paperformer_file"  # the defined name of the cell with the mark

_LEVELS = {mark: level for level, mark in MARKS.items()}
_MARK = re.compile(
    r"paperformer/(\d+) · ([0-9A-Z]{8}|–) · ((?:[0-9A-Z]+-)?[0-9A-Z]{8}) · ([0-9a-z+]+) · ([●▲■])"
)


class Owner(NamedTuple):
    """Whose file it is: batch and code, the sheets (or tabs) that it asks, and their level.

    No name, no id, no seed: both codes are drawn. `batch` is "" for what `make` made; `code` is
    then that of the computation, which is the same for everybody who got it.
    """

    batch: str
    code: str
    sheets: tuple[str, ...]
    level: int
    format: str = FORMAT

    def __str__(self) -> str:
        """The mark, as `owner_in` reads it: "paperformer/1 · B2C3D4E5 · K7QX2MPD · 4a+6 · ▲"."""
        parts = (batch_mark(self.batch, self.format), self.code, "+".join(self.sheets))
        return APART.join((*parts, MARKS[self.level]))


def batch_mark(batch: str, number: str = FORMAT) -> str:
    """How a mark begins, and what paper shows beside a code: "paperformer/1 · B2C3D4E5"."""
    return f"paperformer/{number}{APART}{batch or NOBODY}"


def owner_in(text: str) -> Owner | None:
    """The owner whose mark stands somewhere in a text; None where there is no mark."""
    if not (match := _MARK.search(" ".join(text.split()))):
        return None
    number, batch, code, sheets, level = match.groups()
    batch = "" if batch == NOBODY else batch
    return Owner(batch, code, tuple(sheets.split("+")), _LEVELS[level], number)


MOST_NAMED = 40  # names in a message; a real model has thousands of steps


def steps_named(trace: Trace, patterns: Iterable[str]) -> tuple[Step, ...]:
    """The steps that any of the patterns fits, such as "block1.head1.*", in order.

    Raises `UserError` for a pattern that fits none.
    """
    wanted = tuple(patterns)
    for pattern in wanted:
        if not any(fnmatchcase(name, pattern) for name in trace.steps):
            raise no_step(trace, pattern)
    return tuple(step for step in trace if any(fnmatchcase(step.name, one) for one in wanted))


def no_step(trace: Trace, pattern: str) -> UserError:
    """What to say of a pattern that no step fits."""
    hint = did_you_mean(pattern, trace.steps)
    names = list(trace.steps)
    some = ", ".join(names[:MOST_NAMED]) + ", …" * (len(names) > MOST_NAMED)
    return refused("trace.step", preset=trace.preset, pattern=pattern, hint=hint, some=some)
