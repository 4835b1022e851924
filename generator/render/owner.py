"""The mark by which a file is known again when it comes back: whose it is and what it asks."""

import re
from typing import NamedTuple

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
