"""The Trace as CSV, one line a cell: for spreadsheets and statistics programs."""

import csv
import io
import math

from generator.engine.trace import Trace

HEADER = ("step", "row", "column", "row label", "column label", "value")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'")


def render(trace: Trace) -> str:
    """All cells, rows and columns counted from 1; numbers with a point, masked cells empty.

    A text that a spreadsheet would take for a formula (it starts with = + - @, a tab or a line
    break) gets an apostrophe in front; so does one that starts with an apostrophe, so that taking
    one apostrophe away gives every text back.
    """
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(HEADER)
    for step in trace:
        for i, row in enumerate(step.values.tolist()):
            for j, value in enumerate(row):
                labels = protected(step.rows[i]), protected(step.columns[j])
                writer.writerow((step.name, i + 1, j + 1, *labels, _cell(value)))
    return table.getvalue()


def protected(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would compute it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _cell(value: float | str) -> str:
    if isinstance(value, str):
        return protected(value)
    return "" if math.isinf(value) else repr(value)
