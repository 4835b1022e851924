"""A file that carries its owner's mark, as it came back: a PDF form, an exercise workbook.

Handwriting on a form's pages is left to a person.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from generator.checks.exercise import Exercise
from generator.engine.step import Cell
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import WORKBOOK, Entries, PupilTask, Source
from generator.grading.reading.raw import NotOurs, Raw, Reason
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import load
from generator.render.owner import FORMAT, NAME, Owner, owner_in
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box, defined_name
from generator.render.workbook.layout.layout import Layout
from generator.render.worksheet.form_fields import field_name


@dataclass(frozen=True)
class OwnFile(ABC):
    """What a file holds, its name as the teacher sees it, and the batch that it should be of."""

    raw: Raw
    file: str
    batch: Batch

    @cached_property
    @abstractmethod
    def owner(self) -> Owner:
        """Whose file it is; `NotOurs` where it does not say."""

    @abstractmethod
    def entries(self) -> tuple[Entries | None, Reason | None]:
        """What was typed, and what a person should know of it; `NotOurs` where nobody can tell."""

    def source(self, sheets: tuple[str, ...]) -> Source:
        """Where the entries for these sheets came from."""
        return Source(self.file, self.raw["kind"], self.owner.code, sheets)

    def require_of_batch(self) -> None:
        """Raise `NotOurs` for what another version, another batch or nobody's batch made."""
        owner, ours = self.owner, self.batch.lesson.batch
        if owner.format != FORMAT:
            raise NotOurs("version", found=owner.format, expected=FORMAT)
        if not owner.batch:
            raise NotOurs("make")
        if owner.batch != ours:
            raise NotOurs("batch", theirs=owner.batch, ours=ours)
        if owner.code not in self.batch.records:
            raise NotOurs("code", code=owner.code)


_PLACE = re.compile(r"(\w+)\[(\d{1,4})\]\[(\d{1,4})\](?:~\d+)?")


class FilledForm(OwnFile):
    """A PDF that came back."""

    @cached_property
    def owner(self) -> Owner:
        """Whose form it is; `NotOurs` where its properties do not say."""
        if owner := owner_in(str(self.raw["identifier"])):
            return owner
        raise NotOurs("nobody" if self.raw["fields"] else "scan")

    def entries(self) -> tuple[Entries | None, Reason | None]:
        """What was typed, and what else lies on the pages; no entries where all of it is by hand.

        Raises `NotOurs` for a form whose fields are gone: printed into a PDF, as some programs do;
        and where a page has another pupil's code on it than the properties have: nobody can tell
        whose numbers were computed.
        """
        if not self.raw["fields"]:
            raise NotOurs("flat")
        code = self.owner.code
        for page, codes in enumerate(self.raw["printed"], 1):
            if others := [one for one in codes if one != code and one in self.batch.records]:
                raise NotOurs("pages_disagree", code=code, page=page, other=others[0])
        entries = Entries(self.source(self.owner.sheets), self._typed(), {}, self.raw["changed"])
        if not (self.raw["written"] or self.raw["mended"]):
            return entries, None
        damage = "mended" if self.raw["mended"] else "pen"
        return (entries, Reason(f"{damage}_taken")) if entries.typed else (None, Reason(damage))

    def _typed(self) -> dict[Cell, str | float]:
        """Each field's text at its cell; of two boxes for one cell the first that is filled."""
        trace = self.batch.seat(self.owner.code).on_paper(self.owner.sheets).trace
        names = {field_name(step.name): step for step in trace}
        typed: dict[Cell, str | float] = {}
        for name, text in self.raw["entries"].items():
            match = _PLACE.fullmatch(name)
            if match and (step := names.get(match[1])) is not None:
                i, j = int(match[2]), int(match[3])
                if i < step.shape[0] and j < step.shape[1]:
                    typed.setdefault((step.name, i, j), text)
        return typed


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
        return self.batch.seat(self.owner.code).in_workbook

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
