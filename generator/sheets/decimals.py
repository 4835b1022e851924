"""To how many decimals the asked numbers of a sheet are rounded: said once, before the first task.

The decimals are the steps' own, so that what pupils are told is what the solution prints.
"""

from collections.abc import Iterable

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.notation.shown import shown_decimals


def places(trace: Trace, asked: Iterable[Cell], names: Iterable[str]) -> dict[int, list[str]]:
    """By number of decimals, which of the asked steps have it, by their last names in this order.

    Of a name that stands in several heads each number of decimals is listed.
    """
    wanted = {(step.rpartition(".")[2], shown_decimals(trace[step])) for step, _, _ in asked}
    found: dict[int, list[str]] = {}
    for name in names:
        for count in sorted(count for last, count in wanted if last == name):
            found.setdefault(count, []).append(name)
    return found
