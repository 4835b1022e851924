"""Fills the boxes of a band: given numbers, live formulas, empty yellow cells, echoes."""

from collections.abc import Iterable

from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.trace import Step
from generator.render.workbook.draft import Draft
from generator.render.workbook.file.cells import cell_at, put_number, put_text, write_formula
from generator.render.workbook.file.spelling import Formula
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.focus import focus_place
from generator.render.workbook.layout.layout import Band
from generator.render.workbook.write.filling import (
    cells_of,
    formula,
    in_focus,
    notation,
    repeated,
    shown,
)
from generator.steps import kind_of


def write(draft: Draft, page: Worksheet, band: Band) -> None:
    """All boxes of a band; a home gets its defined name."""
    for box in band.boxes:
        step = draft.trace[box.step]
        if not box.home:
            _echo(draft, page, box, step)
            continue
        (_given if step.kind == "given" else _computed)(draft, page, box, step)
        draft.name(box)
    if band.picked:
        _in_focus(draft, page, band.picked)


def _given(draft: Draft, page: Worksheet, box: Box, step: Step) -> None:
    """The home of a given step: typed-in cells, or what the Start tab decides."""
    style = draft.styles.look("given", draft.looks[step.name].number, "" if step.text else "right")
    if step.text:
        style = draft.styles.look("given", "@", "", True)
    for i, j in cells_of(step):
        in_force = draft.layout.in_force(step.name, i, j)
        if in_force is not None:
            _fill(draft, page, box, step, ((i, j, in_force),), "inforce")
            continue
        cell = cell_at(page, *box.place(i, j), style)
        if step.text:
            put_text(cell, step.values[i, j])
        else:
            put_number(cell, float(step.values[i, j]))


def _computed(draft: Draft, page: Worksheet, box: Box, step: Step) -> None:
    """The home of a computed step: what is asked is empty, all other cells are live formulas."""
    asked, excel = draft.exercise.asked, notation(draft, box)
    role = "result" if kind_of(step.name).shown.result else "computed"
    if step.name in draft.exercise.steps:
        role = "computed"
        number = "@" if step.text else draft.looks[step.name].number
        entry = draft.styles.look("entry", number, "right")
        for i, j in cells_of(step):
            if (step.name, i, j) in asked:
                cell_at(page, *box.place(i, j), entry)
    formulas = (
        (i, j, formula(draft, excel, step.name, i, j))
        for i, j in cells_of(step)
        if (step.name, i, j) not in asked
    )
    _fill(draft, page, box, step, formulas, role)


def _echo(draft: Draft, page: Worksheet, box: Box, step: Step) -> None:
    """A box that repeats a step."""
    role = "label" if step.text and box.column == 1 else "echo"
    formulas = ((i, j, repeated(draft, box, i, j)) for i, j in cells_of(step))
    _fill(draft, page, box, step, formulas, role)


def _in_focus(draft: Draft, page: Worksheet, box: Box) -> None:
    """The focus token's row of a table once more, live."""
    style = draft.styles.look("echo", draft.looks[box.step].number, "right")
    place = focus_place(draft.trace, draft.exercise.asked)
    for j in range(box.width):
        live = Formula(in_focus(draft, box, j), shown(draft, box.step, place, j))
        write_formula(page, box.row, box.column + j, live, style)


def _fill(
    draft: Draft,
    page: Worksheet,
    box: Box,
    step: Step,
    formulas: Iterable[tuple[int, int, str]],
    role: str,
) -> None:
    """Cells (i, j) of a box with their formulas, in the look of a role."""
    wrapped = step.text and box.column == 1
    align = "" if wrapped else "right"
    if kind_of(step.name).shown.centred:
        align = "center"
    style = draft.styles.look(role, draft.looks[step.name].number, align, wrapped)
    for i, j, text in formulas:
        live = Formula(text, shown(draft, step.name, i, j))
        write_formula(page, *box.place(i, j), live, style)
