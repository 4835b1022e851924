"""Entries of an exercise workbook, read out of its named cells."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from generator.checks.exercise import Exercise
from generator.engine.step import Cell
from generator.grading.reading.entries import WORKBOOK, Entries, PupilTask
from generator.grading.reading.own_file import OwnFile
from generator.grading.reading.raw import NotOurs, Reason
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import load
from generator.render.owner import NAME, Owner, owner_in
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box, defined_name
from generator.render.workbook.layout.layout import Layout

OURS = "paperformer/"
FORMULA = "=…"  # in place of a formula that was saved without its value: nobody can read it


class FilledWorkbook(OwnFile):
    """A workbook that came back."""

    @cached_property
    def owner(self) -> Owner:
        """Whose it is: by its properties, or where a program dropped them by its first tab.

        Raises `NotOurs` for one that nobody in particular was given.
        """
        identifier = str(self.raw["identifier"])
        first = self.raw["tables"].get(NAME) or [[None]]
        owners = set(filter(None, map(owner_in, (identifier, str(first[0][0])))))
        if len(owners) > 1:
            one, other = sorted(map(str, owners))
            raise NotOurs("disagree", one=one, other=other)
        if owners:
            return owners.pop()
        if not identifier.startswith(OURS):
            raise NotOurs("foreign")
        raise NotOurs("older" if "|exercise|" in identifier else "solution")

    def entries(self) -> tuple[Entries, Reason | None]:
        """What was typed and what was given, and no remark; `NotOurs` where cells are not found."""
        asked, uncomputed = sorted(self._task.asked), set(self.raw["uncomputed"])
        homes = [(cell, self._layout.home(cell[0])) for cell in asked]
        unknown: dict[Cell, str | float] = {
            cell: FORMULA
            for cell, box in homes
            if f"{box.sheet}!{box.cell(*cell[1:])}" in uncomputed
        }
        typed = unknown | dict(self._filled(asked))
        given = dict(self._filled(self._given()))
        return Entries(self.source((WORKBOOK,)), typed, given, self.raw["changed"]), None

    @cached_property
    def _task(self) -> PupilTask:
        return self.batch.in_workbook(self.owner.code)

    @cached_property
    def _layout(self) -> Layout:
        return layout_of(self._task)

    def _given(self) -> Iterator[Cell]:
        """The cells of given steps that the file still has."""
        for step in self._task.trace:
            if step.kind == "given" and self._fits(self._layout.home(step.name)):
                height, width = step.shape
                yield from ((step.name, i, j) for i in range(height) for j in range(width))

    def _fits(self, box: Box) -> bool:
        rows = self.raw["tables"].get(defined_name(box.step), [])
        return len(rows) == box.height and all(len(row) == box.width for row in rows)

    def _filled(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, str | float]]:
        """The cells in which something stands, each with that."""
        for cell in cells:
            box = self._layout.home(cell[0])
            if not self._fits(box):
                raise NotOurs("moved", step=cell[0])
            row, column = box.place(*cell[1:])
            value = self.raw["tables"][defined_name(box.step)][row - box.row][column - box.column]
            if value is not None:
                yield cell, value


def layout_of(task: PupilTask) -> Layout:
    """Where the cells stood when the workbook was made."""
    trace = Exercise(task.trace, task.asked).without_numbers()
    catalogue = checked_catalogue(load(trace.language), task.trace)
    return lay_out(trace, catalogue, task.asked)
