"""A Trace as data: JSON, CSV, LaTeX or plain text; renderers give text piece by piece.

Also here:

* The Trace as CSV, one line per cell: for spreadsheets and statistics programs.
* The Trace as JSON, "paperformer-trace/1": for programs, and for keeping a computation.
* The Trace as a LaTeX document that stands alone.
* The Trace as plain text tables: for reading in an editor and for comparing with diff.
* Which steps are printed: by name, and without a large model's weights.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from rich.cells import cell_len

from generator.engine.trace import Step, Trace
from generator.errors import require_known
from generator.locales.catalogue import load
from generator.locales.locale import locale_of, of_norm
from generator.notation.latex import Latex, escaped, in_maths
from generator.notation.symbols import Symbols
from generator.notation.worked import Worked
from generator.render.owner import steps_named
from generator.render.walk.show import padded
from generator.resources import template
from generator.version import __version__

GAP = "  "
COLUMNS = 8  # of one table; wider steps go on in the next
EMBEDDING = "vocabulary.embedding"
MOST_WEIGHTS = 10_000  # numbers of weights that are printed unasked; GPT-2 small has 124 million


class ChosenSteps(NamedTuple):
    """The steps to print, in order, and the names of weights that are left out."""

    steps: tuple[Step, ...]
    left_out: tuple[str, ...]

    @property
    def message(self) -> str:
        """What to tell of the weights that are left out; "" where none is."""
        count = len(self.left_out)
        return f"left out: {count:,} tables of weights; --weights prints them" if count else ""


def chosen(trace: Trace, patterns: Sequence[str] = (), *, weights: bool = False) -> ChosenSteps:
    """The steps that fit a pattern, all without one.

    A model's weights with more than 10,000 numbers in all are left out, unless they are asked for:
    with `weights`, or a table by its whole name. Raises `UserError` where a pattern fits no step.
    """
    steps = steps_named(trace, patterns) if patterns else tuple(trace)
    count = sum(step.values.size for step in trace if _is_weight(trace, step))
    if weights or count <= MOST_WEIGHTS:
        return ChosenSteps(steps, ())
    out = {one.name for one in steps if _is_weight(trace, one) and one.name not in patterns}
    kept = tuple(step for step in steps if step.name not in out)
    return ChosenSteps(kept, tuple(step.name for step in steps if step.name in out))


def _is_weight(trace: Trace, step: Step) -> bool:
    return step.name == EMBEDDING or step.name in trace.preset.weights


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
        yield f"\n{step.name}: {catalogue.step(step.name)}{formula}\n"
        # Twice, as no memory holds the cells of a real model's table.
        widths = [0] * (step.shape[1] + 1)
        for row in _rows(step, worked):
            widths = [max(pair) for pair in zip(widths, map(cell_len, row), strict=True)]
        for row in _rows(step, worked):
            pairs = zip(row, widths, strict=True)
            cells = (padded(cell, wide, bool(k) and not step.text)
                     for k, (cell, wide) in enumerate(pairs))  # fmt: skip
            yield f"{(GAP + GAP.join(cells)).rstrip()}\n"


def _rows(step: Step, worked: Worked) -> Iterator[list[str]]:
    yield ["", *step.columns]
    for i, label in enumerate(step.rows):
        yield [label, *(worked.spelled(step.name, i, j) for j in range(step.shape[1]))]


def latex_pieces(trace: Trace, chosen: ChosenSteps) -> Iterator[str]:
    """A complete document for lualatex or xelatex: every step a labelled table with its formula."""
    catalogue = of_norm(load(trace.language), trace.preset.norm_form)
    worked = Worked(trace, trace.language)
    latex = Latex(trace, trace.language)
    yield template("trace.tex").read_text("utf-8") % locale_of(trace.language).babel
    yield f"\\section*{{{escaped(trace.sentence)}}}\n"
    for step in chosen.steps:
        title = escaped(catalogue.step(step.name))
        yield rf"\subsection*{{{title} \quad\texttt{{{escaped(step.name)}}}}}" + "\n"
        if step.kind == "computed":
            yield rf"\[ {latex.step(step.name)} \]" + "\n"
        for start in range(0, step.shape[1], COLUMNS):
            yield _latex_table(step, worked, range(step.shape[1])[start : start + COLUMNS])
    yield "\\end{document}\n"


def _latex_table(step: Step, worked: Worked, places: range) -> str:
    """Some columns of a step; what is infinite is a sign, as no decimals fit it."""

    def shown(i: int, j: int) -> str:
        value = step.values[i, j]
        if step.text:
            return escaped(str(value))
        number = r"-\infty" if math.isinf(value) else in_maths(worked.spelled(step.name, i, j))
        return f"${number}$"

    lines = [["", *(escaped(step.columns[j]) for j in places)]]
    for i, label in enumerate(step.rows):
        lines.append([escaped(label), *(shown(i, j) for j in places)])
    head, *rows = (" & ".join(line) for line in lines)
    layout = "l|" + ("l" if step.text else "r") * len(places)
    body = " \\\\\n".join(rows)
    begin = f"\\begin{{longtable}}[l]{{{layout}}}\n{head} \\\\ \\hline"
    return f"{begin}\n{body}\n\\end{{longtable}}\n\n"


FORMATS: dict[str, Callable[[Trace, ChosenSteps], Iterator[str]]] = {
    "json": json_pieces,
    "csv": csv_pieces,
    "latex": latex_pieces,
    "text": text_pieces,
}


def pieces(trace: Trace, form: str, of: ChosenSteps | None = None) -> Iterator[str]:
    """The chosen steps in that format, a piece at a time: no memory holds a real model's text.

    Raises `UserError` naming the known formats for an unknown one.
    """
    require_known("format", form, tuple(FORMATS))
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
OF_STEP = ("inputs", "kind", "shape", "rows", "columns", "decimals")
BETWEEN = ", "  # as `json.dumps` writes it


def _step(step: Step) -> Iterator[str]:
    """A step's object, row by row: a real model's table holds millions of numbers."""
    entries = {"name": step.name, "op": type(step.op).__name__}
    entries |= {key: getattr(step, key) for key in OF_STEP}
    yield f'{_text(entries)[:-1]}, "values": ['
    for k, row in enumerate(step.values):
        yield (BETWEEN if k else "") + _text([_json_cell(value) for value in row.tolist()])
    yield "]}"


def _json_cell(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and math.isinf(value) else value


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
