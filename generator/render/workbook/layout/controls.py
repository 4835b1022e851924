"""The controls: given cells that pupils change on the Start tab, and the rows they stand in."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.engine.place import place_of
from generator.engine.trace import Trace
from generator.steps import kind_of

SWITCHES = ("mask", "scale", "position")
LEARNED_HERE = ("target", "rate", "learns")  # kinds of entries on the tab Learn
SAMPLING = ("strategy", "k", "p", "random")


def is_control(step: str) -> bool:
    """Whether a step is at home on the Start tab: a switch, a temperature, a sampling choice."""
    return kind_of(step).tab == "start"


class ControlEntry(NamedTuple):
    """A given cell that has a row of its own on the Start tab, or on the Draw tab.

    `kind` says what may be typed in: switch, temperature, strategy, k, p, random or word. A
    `drawn` one stands on the Draw tab instead; a target, a rate and what learns on the tab Learn.
    """

    kind: str
    step: str
    i: int
    j: int
    row: int
    drawn: bool = False


class ControlGroup(NamedTuple):
    """Rows of the table of controls under one heading."""

    key: str
    row: int
    entries: tuple[ControlEntry, ...]


SWITCHED, CHOSEN = ("switches",), ("temperatures", "sampling")  # the groups of the controls


def place(
    trace: Trace, top: int, keys: Sequence[str] = (*SWITCHED, *CHOSEN), drawn: bool = False
) -> tuple[ControlGroup, ...]:
    """The groups of controls of these keys from row `top` on: only those that the trace has."""
    groups: list[ControlGroup] = []
    cells_of = {"switches": _switches, "temperatures": _temperatures, "sampling": _sampling}
    for key in keys:
        cells = [cell for cell in cells_of[key](trace) if cell[1] in trace]
        if cells:
            entries = (ControlEntry(*cell, top + 1 + k, drawn) for k, cell in enumerate(cells))
            groups.append(ControlGroup(key, top, tuple(entries)))
            top += 1 + len(cells)
    return tuple(groups)


def place_words(trace: Trace, top: int) -> tuple[ControlEntry, ...]:
    """One row per token from `top` on, where the trace looks its tokens up in a vocabulary."""
    if "onehot" not in trace:
        return ()
    return tuple(ControlEntry("word", "tokens", i, 0, top + i) for i in range(len(trace.tokens)))


def below(groups: Sequence[ControlGroup], top: int) -> int:
    """The first row that a table from `top` on leaves free."""
    return groups[-1].entries[-1].row + 1 if groups else top


def _switches(trace: Trace) -> Iterator[tuple[str, str, int, int]]:
    for name in SWITCHES:
        yield "switch", f"switch.{name}", 0, 0
    if "switch.heads" in trace:
        blocks, heads = trace["switch.heads"].shape
        for block in range(blocks):
            for head in range(heads):
                yield "switch", "switch.heads", block, head


def _temperatures(trace: Trace) -> Iterator[tuple[str, str, int, int]]:
    if "temperature" in trace:
        for row in range(trace["temperature"].shape[0]):
            yield "temperature", "temperature", row, 0


def _sampling(trace: Trace) -> Iterator[tuple[str, str, int, int]]:
    for name in SAMPLING:
        yield name, f"sampling.{name}", 0, 0
    for number in range(2, trace.rounds + 1):
        yield "random", f"round{number}.sampling.random", 0, 0


def entry_key(entry: ControlEntry) -> str:
    """The catalogue's key for what the row of a control is called."""
    place = place_of(entry.step)
    return f"workbook.control.{place.kind}" + ".later" * (place.round > 1)
