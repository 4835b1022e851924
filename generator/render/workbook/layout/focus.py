"""The focus token of a tab: where it is chosen, and on which tabs there is one."""

from collections.abc import Collection

from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.layout.tabs import by_token, tokens_of, trainings

ROW = 3
OWN, FOCUS, WORD = "B3", "$C$3", "$D$3"  # its number as typed and in force, its word


def focus_place(trace: Trace, asked: Collection[Cell]) -> int:
    """The place of the focus token, from 0, before anybody chooses another.

    In an exercise it is the token that is asked; where one word is learned otherwise the last one,
    for the way back begins there, and in a model of one block the others' rows hold zeros.
    """
    if not asked and trainings(trace) and "loss.probability" in trace:
        return len(trace.tokens) - 1
    return trace.exercise or 0


def focusable(trace: Trace, sheet: Sheet) -> tuple[str, ...]:
    """The tokens of a tab's round, where some of its tables have a row for each."""
    tokens = tokens_of(trace, sheet.tab.prefix)
    steps = {box.step for band in sheet.bands for box in band.boxes}
    steps -= {f"{sheet.tab.prefix}tokens"}
    return tokens if any(by_token(trace[name], tokens)[0] for name in steps) else ()
