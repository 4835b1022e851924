"""Reads the entries out of a PDF form's fields; handwriting on its pages is left to a person."""

import re
from functools import cached_property

from generator.engine.step import Cell
from generator.grading.reading.entries import Entries
from generator.grading.reading.own_file import OwnFile
from generator.grading.reading.raw import NotOurs, Reason
from generator.render.owner import Owner, owner_in
from generator.render.worksheet.form_fields import field_name

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
        trace = self.batch.on_paper(self.owner.code, self.owner.sheets).trace
        names = {field_name(step.name): step for step in trace}
        typed: dict[Cell, str | float] = {}
        for name, text in self.raw["entries"].items():
            match = _PLACE.fullmatch(name)
            if match and (step := names.get(match[1])) is not None:
                i, j = int(match[2]), int(match[3])
                if i < step.shape[0] and j < step.shape[1]:
                    typed.setdefault((step.name, i, j), text)
        return typed
