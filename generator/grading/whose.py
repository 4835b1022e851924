"""Compares a file's given cells with the batch: whose numbers are they? A remark, never a mark."""

from collections.abc import Iterable, Mapping
from typing import Final

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.entries import Entries
from generator.render.workbook.reading.read_back import to_number

NOISE: Final = 1e-6


def fits(given: Mapping[Cell, str | float], trace: Trace) -> bool:
    """Whether the given cells of a file hold the numbers of a computation; false for none."""
    return bool(given) and all(_same(cell, content, trace) for cell, content in given.items())


def owners(entries: Entries, own: Trace, others: Iterable[tuple[str, Trace]]) -> tuple[str, ...]:
    """The codes whose numbers stand in a file's given cells, where these are not its own pupil's.

    Nothing where the file says nothing of its given cells, or where they are as they should be.
    """
    if not entries.given or fits(entries.given, own):
        return ()
    return tuple(code for code, trace in others if fits(entries.given, trace))


def _same(cell: Cell, content: str | float, trace: Trace) -> bool:
    name, i, j = cell
    if name not in trace:
        return False
    step = trace[name]
    if not (i < step.shape[0] and j < step.shape[1]):
        return False
    if step.text:
        return str(content) == str(step.values[i, j])
    number = to_number(content)
    right = float(step.values[i, j])
    return number is not None and (number == right or abs(number - right) <= NOISE)
