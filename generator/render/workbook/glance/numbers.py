"""The numbers of the tab "At a glance": live links to the tab of the head that is chosen."""

from collections.abc import Sequence

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import write_formula
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.focus import focus_place
from generator.render.workbook.layout.glance import FOCUS, Glance, Panel, step_of
from generator.render.workbook.write.filling import shown

ROLES = {
    "input": "echo",
    "scores": "computed",
    "weights": "share",
    "output": "result",
    "query": "query",
    "key": "key",
    "value": "value",
    "weight.query": "query",
    "weight.key": "key",
    "weight.value": "value",
}


def write(draft: Draft, glance: Glance) -> None:
    """Every cell of every panel, live."""
    page, focus = draft.workbook[glance.sheet], focus_place(draft.trace, draft.exercise.asked)
    for panel in glance.panels:
        homes = homes_of(draft, glance, panel.part)
        number = draft.looks[homes[0].step].number
        style = draft.styles.look(ROLES.get(panel.part, "computed"), number, "center")
        for row, column, i, j in panel.cells():
            value = shown(draft, homes[0].step, focus if i is None else i, j)
            formula = Formula(link(glance, panel, homes, i, j), value)
            write_formula(page, row, column, formula, style)


def homes_of(draft: Draft, glance: Glance, part: str) -> list[Box]:
    """Where a part of each head is computed."""
    steps = (step_of(draft.trace, head.prefix, part) for head in glance.heads)
    return [draft.layout.home(step.name) for step in steps]


def link(glance: Glance, panel: Panel, homes: Sequence[Box], i: int | None, j: int) -> str:
    """The formula of a cell: what stands in the chosen head's tab, or turned in this one."""
    if panel.shows == "turned":
        keys = glance.panel(panel.part)
        return f"={at(keys.row + (i or 0), keys.column + j)}"
    if panel.part == "query" and i is None:
        queries = glance.panel("query")
        return f"={in_focus('', queries.row, queries.bottom, queries.column + j)}"
    return f"={of_chosen_head(glance, [_of_head(box, i, j) for box in homes])}"


def of_chosen_head(glance: Glance, of_heads: Sequence[str]) -> str:
    """An expression that gives that of the chosen head; they may all be the same."""
    if len(set(of_heads)) == 1:
        return of_heads[0]
    return f"CHOOSE({glance.head},{','.join(of_heads)})"


def in_focus(sheet: str, top: int, bottom: int, column: int) -> str:
    """The focus token's cell of a column; with two indices, as every program needs them."""
    area = f"{at(top, column)}:{at(bottom, column)}"
    return f"INDEX({on(sheet, area) if sheet else area},{FOCUS},1)"


def _of_head(box: Box, i: int | None, j: int) -> str:
    """A cell of a part where it is computed; of the focus token's row the one in that column."""
    if i is None:
        return in_focus(box.sheet, box.row, box.bottom, box.column + j)
    return on(box.sheet, box.cell(i, j))
