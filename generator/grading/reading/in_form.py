"""Reads the entries out of a PDF form's fields; handwriting on its pages is left to a person."""

import re

from generator.engine.step import Cell
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import Entries, Source
from generator.grading.reading.raw import NotOurs, Raw
from generator.render.owner import Owner, owner_in
from generator.render.worksheet.form_fields import field_name

BY_HAND = "mark it by hand"
_PLACE = re.compile(r"(\w+)\[(\d{1,4})\]\[(\d{1,4})\](?:~\d+)?")


def owner_of(raw: Raw) -> Owner:
    """Whose form it is; `NotOurs` where its properties do not say."""
    if owner := owner_in(str(raw["identifier"])):
        return owner
    if raw["fields"]:
        raise NotOurs(f"its properties do not say whose it is; {BY_HAND}")
    raise NotOurs(
        f"it is a PDF without fields of ours: a blank, a scan or another paper; {BY_HAND}"
    )


def entries_of(raw: Raw, file: str, owner: Owner, batch: Batch) -> tuple[Entries | None, str]:
    """What was typed, and what else lies on the pages; no entries where all of it is by hand.

    Raises `NotOurs` for a form whose fields are gone: printed into a PDF, as some programs do; and
    where a page has another pupil's code on it than the properties have.
    """
    if not raw["fields"]:
        raise NotOurs(f"its fields are gone, what was typed is part of the page; {BY_HAND}")
    _require_own_pages(raw, owner, batch)
    source = Source(
        file=file,
        kind="pdf",
        code=owner.code,
        batch=owner.batch,
        sheets=owner.sheets,
        level=batch.records[owner.code]["level"],
    )
    typed = _typed(raw, owner, batch)
    entries = Entries(source, typed, changed=raw["changed"])
    if not (raw["written"] or raw["mended"]):
        return entries, ""
    damage = "is damaged" if raw["mended"] else "was written on beside its fields"
    if not typed:
        return None, f"it {damage}, and nothing stands in its fields; {BY_HAND}"
    return entries, f"it {damage}; what stands in its fields is taken: have a look"


def _require_own_pages(raw: Raw, owner: Owner, batch: Batch) -> None:
    """Raise `NotOurs` for pages of somebody else; nobody can tell whose numbers were computed."""
    for number, codes in enumerate(raw["printed"], 1):
        if others := [code for code in codes if code != owner.code and code in batch.records]:
            raise NotOurs(
                f"its properties say {owner.code}, its page {number} says {others[0]}; ask whose"
            )


def _typed(raw: Raw, owner: Owner, batch: Batch) -> dict[Cell, str | float]:
    """Each field's text at its cell; of two boxes for one cell the first that is filled."""
    trace = batch.on_paper(owner.code, owner.sheets).trace
    names = {field_name(step.name): step for step in trace}
    typed: dict[Cell, str | float] = {}
    for name, text in raw["entries"].items():
        match = _PLACE.fullmatch(name)
        if match and (step := names.get(match[1])) is not None:
            i, j = int(match[2]), int(match[3])
            if i < step.shape[0] and j < step.shape[1]:
                typed.setdefault((step.name, i, j), text)
    return typed
