"""A class's exercise workbooks filled into a shell, against each rendered in full.

`python -m tests.benchmarks.shells` prints milliseconds for one workbook; a pupil's computation
with its controls is part of both.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from generator.classroom.own_numbers import own_numbers
from generator.classroom.task import Task
from generator.engine.trace import Trace
from generator.presets.load import load_preset
from generator.render.workbook import shell
from generator.render.workbook.exercise import render
from generator.render.workbook.parts import played
from generator.text.catalogue import load
from tests.benchmarks.measure import medians, processor_seconds

SHEETS = (("4a",), ("4a", "6"))
VARIED = ("focus", "numbers")
PUPILS = 30
MEASURED = 10  # pupils whose workbooks are made in both ways, in turn


class Filling(NamedTuple):
    """Milliseconds: a workbook in full, the shell with its first workbook, and each further one."""

    full: float
    first: float
    filled: float

    @property
    def faster(self) -> float:
        """Full rendering by filling."""
        return self.full / self.filled

    def of_a_class(self, pupils: int = PUPILS) -> float:
        """The same for a whole class that shares one shell."""
        return pupils * self.full / (self.first + (pupils - 1) * self.filled)


def measured(sheets: tuple[str, ...], varied: str, pupils: int = MEASURED) -> Filling:
    """One run of both, in turn; numbers are drawn as in a batch, or all have the same."""
    task = Task(load_preset("katze"), sheets)
    catalogue = load(task.base.language)
    drawn = [own_numbers(task, "shells", str(k)).edits for k in range(pupils)]
    traces = [task.trace(edits if varied == "numbers" else {}) for edits in drawn]

    def filled(trace: Trace) -> bytes:
        return shell.filled_or_rendered(played(trace, sheets), catalogue)

    render(played(traces[0], sheets), catalogue)  # styles, catalogues: loaded for both
    shell._shells.cache_clear()
    start = processor_seconds()
    filled(traces[0])
    first = 1000 * (processor_seconds() - start)
    full, further = (itertools.cycle(traces) for _ in range(2))
    jobs = (
        lambda: render(played(next(full), sheets), catalogue),
        lambda: filled(next(further)),
    )
    return Filling(first=first, **dict(zip(("full", "filled"), medians(jobs, pupils), strict=True)))


def lines() -> Iterator[str]:
    """A line for each set of sheets and each kind of class."""
    for sheets, varied in itertools.product(SHEETS, VARIED):
        found = measured(sheets, varied)
        yield (
            f"{','.join(sheets):<6}{varied:<9}full {found.full:6.1f} ms  first {found.first:6.1f}"
            f" ms  filled {found.filled:5.1f} ms  {found.faster:4.1f}x, "
            f"class of {PUPILS} {found.of_a_class():4.1f}x"
        )


if __name__ == "__main__":
    for line in lines():
        print(line, flush=True)
