"""To how many decimals the asked numbers of a sheet are rounded: the usual number and the others.

The decimals are the steps' own, so pupils are told what the solution prints.
"""

from collections.abc import Iterable

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.notation.shown import shown_decimals


def rounded_to(
    trace: Trace, asked: Iterable[Cell], names: Iterable[str]
) -> tuple[int | None, dict[int, list[str]]]:
    """The decimals that most of the named steps have, and by other decimals the names with these.

    Where as many have others there is no usual number, None, and all names are listed.

    A name is the last one of a step, without the number of the norm: `mean` for `block1.mean2`.
    Only asked steps count; without any there is nothing to say: ValueError.
    """
    found = {(_last(step), shown_decimals(trace[step])) for step, _, _ in asked}
    listed: dict[int, list[str]] = {}
    for name in names:
        for count in sorted(count for last, count in found if last == name):
            listed.setdefault(count, []).append(name)
    most = max(map(len, listed.values()))
    largest = [count for count, kinds in listed.items() if len(kinds) == most]
    usual = largest[0] if len(largest) == 1 else None
    return usual, {count: listed[count] for count in sorted(listed) if count != usual}


def _last(step: str) -> str:
    return step.rpartition(".")[2].rstrip("0123456789")
