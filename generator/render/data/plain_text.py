"""The Trace as plain text tables: for reading in an editor and for comparing with diff."""

from collections.abc import Iterator

from rich.cells import cell_len

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import load
from generator.locales.norms import of_norm
from generator.notation.symbols import Symbols
from generator.notation.worked import Worked
from generator.render.data.chosen import Chosen

GAP = "  "


def pieces(trace: Trace, chosen: Chosen) -> Iterator[str]:
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
