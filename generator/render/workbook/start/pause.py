"""Judging pauses while an experiment is on: its numbers are not those that the exercise asks for.

Otherwise a switch would turn right entries to ✗. A tab cannot hide its switches until all is right
(that takes macros), and a cell that is only coloured white still takes an entry; a pause needs no
more than one comparison, which every program computes alike.
"""

from generator.render.workbook.layout.box import on
from generator.render.workbook.start.pen import Pen


def write(pen: Pen) -> None:
    """The cell that says whether anything differs from as delivered."""
    layout = pen.draft.layout
    cell = layout.paused[1]
    start = layout.start
    rows = [(start.page(entry), start.cells(entry)) for entry in start.entries]
    pairs = [(on(page, row.force), on(page, row.delivered)) for page, row in rows]
    force, delivered = (
        ('&"|"&'.join(cells) for cells in zip(*pairs, strict=True)) if pairs else ('""',) * 2
    )
    formula = f"=IF(EXACT({force},{delivered}),0,1)"
    pen.formula(cell, formula, 0, "tag")


def announced(pen: Pen, warning: str) -> str:
    """The formula of the sentence on all tabs: that judging pauses, else the warning."""
    cell = pen.draft.layout.paused[1]
    sentence = pen.t("exercise.paused")
    return f'=IF({cell}>0,"{sentence}",{warning.removeprefix("=")})'
