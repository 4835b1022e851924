"""Entries of an exercise workbook, read out of its named cells."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.checks.exercise import Exercise
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import WORKBOOK, Entries, PupilTask, Source
from generator.grading.reading.raw import NotOurs, Raw
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import load
from generator.render.owner import NAME, Owner, owner_in
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box, defined_name
from generator.render.workbook.layout.layout import Layout

OURS = "paperformer/"
FORMULA = "=…"  # in place of a formula that was saved without its value: nobody can read it


def owner_of(raw: Raw) -> Owner:
    """Whose workbook it is: by its properties, or where a program dropped them by its first tab.

    Raises `NotOurs` for one that nobody in particular was given.
    """
    identifier = str(raw["identifier"])
    marked = [owner_in(identifier), owner_in(_marked_cell(raw["tables"]))]
    owners = {owner for owner in marked if owner}
    if len(owners) > 1:
        one, other = sorted(map(str, owners))
        raise NotOurs(f"its properties and its first tab disagree: {one} and {other}; ask whose")
    if owners:
        return owners.pop()
    if not identifier.startswith(OURS):
        raise NotOurs("it is no workbook of ours: no mark on its first tab nor in its properties")
    if "|exercise|" in identifier:
        raise NotOurs("it was made by an older version, which wrote no codes into its workbooks")
    raise NotOurs("it is a solution, not an exercise")


def _marked_cell(tables: Mapping[str, Any]) -> str:
    rows = tables.get(NAME) or [[None]]
    return str(rows[0][0])


def entries_of(raw: Raw, file: str, owner: Owner, batch: Batch) -> tuple[Entries, str]:
    """What was typed and what was given, and no remark; `NotOurs` where cells are not found."""
    task, tables = batch.in_workbook(owner.code), raw["tables"]
    layout = _layout(task)
    source = Source(
        file=file,
        kind=raw["kind"],
        code=owner.code,
        batch=owner.batch,
        sheets=(WORKBOOK,),
        level=batch.records[owner.code]["level"],
    )
    asked, uncomputed = sorted(task.asked), set(raw["uncomputed"])
    unknown = {cell: FORMULA for cell in asked if _address(layout, cell) in uncomputed}
    typed = unknown | dict(_cells(tables, layout, asked))
    given = dict(_cells(tables, layout, _given(task.trace, layout, tables)))
    return Entries(source, typed, given, raw["changed"]), ""


def _address(layout: Layout, cell: Cell) -> str:
    box = layout.home(cell[0])
    return f"{box.sheet}!{box.cell(*cell[1:])}"


def _layout(task: PupilTask) -> Layout:
    """Where the cells stood when the workbook was made."""
    trace = Exercise(task.trace, task.asked).without_numbers()
    catalogue = checked_catalogue(load(trace.language), task.trace)
    return lay_out(trace, catalogue, task.asked)


def _given(trace: Trace, layout: Layout, tables: Mapping[str, Any]) -> Iterator[Cell]:
    """The cells of given steps that the file still has."""
    for step in trace:
        if step.kind == "given" and _fits(layout.home(step.name), tables):
            height, width = step.shape
            yield from ((step.name, i, j) for i in range(height) for j in range(width))


def _fits(box: Box, tables: Mapping[str, Any]) -> bool:
    rows = tables.get(defined_name(box.step), [])
    return len(rows) == box.height and all(len(row) == box.width for row in rows)


def _cells(
    tables: Mapping[str, Any], layout: Layout, cells: Iterator[Cell] | list[Cell]
) -> Iterator[tuple[Cell, str | float]]:
    """The cells in which something stands, each with that."""
    for cell in cells:
        box = layout.home(cell[0])
        if not _fits(box, tables):
            raise NotOurs(
                f"the cells of {cell[0]} are not where they were: rows, columns or names were "
                "removed; mark it by hand"
            )
        row, column = box.place(*cell[1:])
        value = tables[defined_name(box.step)][row - box.row][column - box.column]
        if value is not None:
            yield cell, value
