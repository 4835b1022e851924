"""The Trace as a LaTeX document that stands alone: every step a labelled table with its formula."""

import math
from collections.abc import Iterator

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import locale_of, of_norm
from generator.notation.latex import Latex, escaped, in_maths
from generator.notation.worked import Worked
from generator.render.data.chosen import ChosenSteps

COLUMNS = 8  # of one table; wider steps go on in the next
HEAD = r"""%% Compile with lualatex or xelatex.
\documentclass[a4paper]{article}
\usepackage[margin=20mm]{geometry}
\usepackage{amsmath}
\usepackage{fontspec}
\usepackage{longtable}
\usepackage[%s]{babel}
\setlength{\parindent}{0pt}
\allowdisplaybreaks
\begin{document}
"""


def pieces(trace: Trace, chosen: ChosenSteps) -> Iterator[str]:
    """A complete document for lualatex or xelatex, in the Trace's language."""
    catalogue = of_norm(load(trace.language), trace.preset.norm_form)
    worked = Worked(trace, trace.language)
    latex = Latex(trace, trace.language)
    title = rf"\section*{{{escaped(trace.sentence)}}}"
    yield HEAD % locale_of(trace.language).babel + title + "\n"
    for step in chosen.steps:
        yield _step(step, catalogue, worked, latex) + "\n"
    yield "\\end{document}\n"


def _step(step: Step, catalogue: Catalogue, worked: Worked, latex: Latex) -> str:
    title = escaped(catalogue.step(step.name))
    lines = [rf"\subsection*{{{title} \quad\texttt{{{escaped(step.name)}}}}}"]
    if step.kind == "computed":
        lines.append(rf"\[ {latex.step(step.name)} \]")
    width = step.shape[1]
    for start in range(0, width, COLUMNS):
        lines.append(_table(step, worked, start, min(width, start + COLUMNS)))
    return "\n".join(lines)


def _table(step: Step, worked: Worked, start: int, stop: int) -> str:
    height, alignment = step.shape[0], "l" if step.text else "r"
    header = " & ".join(["", *(escaped(label) for label in step.columns[start:stop])])
    places = range(start, stop)
    rows = [
        " & ".join([escaped(step.rows[i]), *(_cell(step, worked, i, j) for j in places)])
        for i in range(height)
    ]
    layout = "l|" + alignment * (stop - start)
    body = " \\\\\n".join(rows)
    head = f"\\begin{{longtable}}[l]{{{layout}}}\n{header} \\\\ \\hline"
    return f"{head}\n{body}\n\\end{{longtable}}\n"


def _cell(step: Step, worked: Worked, i: int, j: int) -> str:
    if step.text:
        return escaped(str(step.values[i, j]))
    if math.isinf(step.values[i, j]):
        return r"$-\infty$"
    return f"${in_maths(worked.spelled(step.name, i, j))}$"
