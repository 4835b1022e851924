"""A Trace as data: JSON, CSV, LaTeX or plain text; renderers give text piece by piece.

Also here:

* The Trace as CSV, one line per cell: for spreadsheets and statistics programs.
* The Trace as JSON, "paperformer-trace/1": for programs, and for keeping a computation.
* The Trace as plain text tables: for reading in an editor and for comparing with diff.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rich.cells import cell_len

from generator.engine.trace import Step, Trace
from generator.errors import UserError, did_you_mean
from generator.locales.catalogue import load
from generator.locales.locale import of_norm
from generator.notation.symbols import Symbols
from generator.notation.worked import Worked
from generator.render.data.chosen import ChosenSteps, chosen
from generator.render.data.latex_document import pieces as latex_document
from generator.version import __version__


def csv_pieces(trace: Trace, chosen: ChosenSteps) -> Iterator[str]:
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


def json_pieces(trace: Trace, chosen: ChosenSteps) -> Iterator[str]:
    """One JSON object, one step a line; masked cells are null, numbers the shortest exact ones.

    `left_out` names weights that are not there, where there are any.
    """
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": __version__,
        "preset": trace.preset.name,
        "preset_sha256": trace.preset.sha256,
        "sentence": trace.sentence,
        "rounding": trace.rounding,
        "tokens": list(trace.tokens),
        "aliases": dict(trace.aliases),
    }
    head |= {"left_out": chosen.left_out} if chosen.left_out else {}
    lines = [f"{_text(key)}: {_text(value)}," for key, value in head.items()]
    yield "{\n" + "\n".join(lines) + '\n"steps": [\n'
    for k, step in enumerate(chosen.steps):
        yield ",\n" if k else ""
        yield from _step(step)
    yield "\n]\n}\n"


def text_pieces(trace: Trace, chosen: ChosenSteps) -> Iterator[str]:
    """Each step with title, formula and table, in the Trace's language."""
    catalogue = of_norm(load(trace.language), trace.preset.norm_form)
    worked = Worked(trace, trace.language)
    symbols = Symbols(trace, trace.language)
    yield f"{trace.preset.name} · {trace.rounding} · {trace.sentence}\n"
    for step in chosen.steps:
        formula = f"   {symbols.step(step.name)}" if step.kind == "computed" else ""
        title = f"{step.name}: {catalogue.step(step.name)}{formula}"
        yield f"\n{title}\n"
        yield from (f"{line}\n" for line in table(step, worked))


FORMATS: dict[str, Callable[[Trace, ChosenSteps], Iterator[str]]] = {
    "json": json_pieces,
    "csv": csv_pieces,
    "latex": latex_document,
    "text": text_pieces,
}


def pieces(trace: Trace, form: str, of: ChosenSteps | None = None) -> Iterator[str]:
    """The chosen steps in that format, a piece at a time: no memory holds a real model's text.

    Raises `UserError` naming the known formats for an unknown one.
    """
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS)
        raise UserError(f"there is no format {form!r}{hint}; choose from: {', '.join(FORMATS)}")
    return FORMATS[form](trace, chosen(trace) if of is None else of)


def render(trace: Trace, form: str) -> str:
    """The whole text of a Trace in that format."""
    return "".join(pieces(trace, form))


__all__ = ["FORMATS", "ChosenSteps", "chosen", "pieces", "render"]


HEADER = ("step", "row", "column", "row label", "column label", "value")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'")


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


FORMAT = "paperformer-trace/1"
BETWEEN = ", "  # as `json.dumps` writes it


def _step(step: Step) -> Iterator[str]:
    """A step's object, row by row: a real model's table holds millions of numbers."""
    entries = {
        "name": step.name,
        "op": type(step.op).__name__,
        "inputs": list(step.inputs),
        "kind": step.kind,
        "shape": list(step.shape),
        "rows": list(step.rows),
        "columns": list(step.columns),
        "decimals": step.decimals,
    }
    yield f'{_text(entries)[:-1]}, "values": ['
    for k, row in enumerate(step.values):
        yield (BETWEEN if k else "") + _text([_json_cell(value) for value in row.tolist()])
    yield "]}"


def _json_cell(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and math.isinf(value) else value


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


GAP = "  "


def table(step: Step, worked: Worked) -> Iterator[str]:
    """The lines of a step's table, its columns as wide as their cells appear on a screen."""
    widths = [0] * (step.shape[1] + 1)
    for row in _rows(step, worked):  # twice, as no memory holds the cells of a real model's table
        widths = [max(pair) for pair in zip(widths, map(cell_len, row), strict=True)]
    return (_line(row, widths, step.text) for row in _rows(step, worked))


def _rows(step: Step, worked: Worked) -> Iterator[list[str]]:
    yield ["", *step.columns]
    for i, label in enumerate(step.rows):
        yield [label, *(worked.spelled(step.name, i, j) for j in range(step.shape[1]))]


def _line(cells: list[str], widths: list[int], left: bool) -> str:
    padded = []
    for k, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - cell_len(cell))
        padded.append(cell + space if left or k == 0 else space + cell)
    return (GAP + GAP.join(padded)).rstrip()
