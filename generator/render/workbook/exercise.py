"""The exercise workbook: the same tabs with empty yellow cells, checked against one's own entries.

Everything is rendered from a Trace from which the asked numbers, and all that follow from them,
have been taken out, so nothing in the file can tell them.
"""

from generator.checks.exercise import Exercise
from generator.checks.judging import USUAL, Judging
from generator.engine.trace import Trace
from generator.errors import require
from generator.locales.catalogue import Catalogue
from generator.plans.workbook import plan
from generator.render.owner import Owner
from generator.render.workbook.build import build
from generator.render.workbook.draft import Draft
from generator.render.workbook.sheet_tabs import check


def render(
    trace: Trace,
    catalogue: Catalogue,
    level: int = 2,
    judging: Judging = USUAL,
    owner: Owner | None = None,
) -> bytes:
    """`workbook-exercise.xlsx`: given numbers, cells to fill, and checks over those cells.

    `judging` and the mark of the `owner` are fixed in the file, in locked cells. The trace is one
    with controls; tabs and texts are in the catalogue's language. Raises `UserError` as the
    solution does, for an unknown level, and where nothing could be asked.
    """
    check(trace)
    exercise = Exercise(trace, plan(trace, level).asked)
    require(exercise.asked, "workbook.asked", trace=trace)
    draft = Draft(exercise, catalogue, judging, owner)
    owner_mark = f"|{owner}" if owner else ""
    draft.workbook.properties.identifier += f"|exercise|{level}{owner_mark}"
    return build(draft)
