"""The Trace as plain text tables: for reading in an editor and for comparing with diff."""

from rich.cells import cell_len

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import load
from generator.notation.symbols import Symbols
from generator.notation.worked import Worked

GAP = "  "


def render(trace: Trace) -> str:
    """Every step with title, formula and table, in the Trace's language."""
    catalogue, worked = load(trace.language), Worked(trace, trace.language)
    symbols = Symbols(trace, trace.language)
    parts = [f"{trace.preset.name} · {trace.rounding} · {trace.sentence}\n"]
    for step in trace:
        formula = f"   {symbols.step(step.name)}" if step.kind == "computed" else ""
        title = f"{step.name}: {catalogue.step(step.name)}{formula}"
        parts.append("\n".join([title, *table(step, worked)]) + "\n")
    return "\n".join(parts)


def table(step: Step, worked: Worked) -> list[str]:
    """The lines of a step's table, its columns as wide as their cells appear on a screen."""
    height, width = step.shape
    body = [[worked.spelled(step.name, i, j) for j in range(width)] for i in range(height)]
    rows = [
        ["", *step.columns],
        *([label, *cells] for label, cells in zip(step.rows, body, strict=True)),
    ]
    widths = [max(cell_len(row[k]) for row in rows) for k in range(width + 1)]
    return [_line(row, widths, step.text) for row in rows]


def _line(cells: list[str], widths: list[int], left: bool) -> str:
    padded = []
    for k, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        space = " " * (width - cell_len(cell))
        padded.append(cell + space if left or k == 0 else space + cell)
    return (GAP + GAP.join(padded)).rstrip()
