"""The Trace as CSV, one line per cell: for spreadsheets and statistics programs."""

import csv
import io
import math
from collections.abc import Iterable, Iterator

from generator.engine.trace import Trace
from generator.render.data.chosen import Chosen

HEADER = ("step", "row", "column", "row label", "column label", "value")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'")


def pieces(trace: Trace, chosen: Chosen) -> Iterator[str]:
    """All cells, rows and columns counted from 1; numbers with a point, masked cells empty.

    A text that a spreadsheet would take for a formula (it starts with = + - @, a tab or a line
    break) gets an apostrophe in front; so does one that starts with an apostrophe, so that taking
    one apostrophe away gives every text back.
    """
    yield _lines([HEADER])
    for step in chosen.steps:
        columns = [protected(label) for label in step.columns]
        for i, row in enumerate(step.values):
            label = protected(step.rows[i])
            cells = zip(columns, row.tolist(), strict=True)
            yield _lines(
                (step.name, i + 1, j, label, column, _cell(value))
                for j, (column, value) in enumerate(cells, start=1)
            )


def _lines(rows: Iterable[tuple[object, ...]]) -> str:
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    return table.getvalue()


def protected(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would compute it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _cell(value: float | str) -> str:
    if isinstance(value, str):
        return protected(value)
    return "" if math.isinf(value) else repr(value)
