"""The pages of results: the class's own, and one for everybody who handed something in."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from generator.classroom.lesson import teachers
from generator.classroom.pool import Pool, in_order
from generator.grading.class_marks import ClassMarks, PupilMarks, Sections
from generator.grading.class_page import class_page
from generator.grading.entries import WORKBOOK
from generator.grading.feedback import laid_out, leaf
from generator.grading.sections import sections_of
from generator.grading.task import Batch
from generator.grading.wording import sheet_name
from generator.locales.catalogue import Catalogue, load
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES

CLASS, FEEDBACK = "class", "feedback"
CHUNK = 8  # pupils' pages that a process lays out at a time


def pages(
    batch: Batch,
    found: ClassMarks,
    catalogue: Catalogue,
    *,
    show_answers: bool,
    workers: Pool,
) -> Iterator[tuple[str, bytes]]:
    """Name and content of each page; how many processes lay them out changes no byte."""
    sections = _all_sections(batch, found, catalogue)
    options = teachers(batch.lesson)
    pdf, html = class_page(found, sections[catalogue.language], options, catalogue)
    yield CLASS + ".pdf", pdf
    yield CLASS + ".html", html
    chunks = (
        Chunk(found.handed_in[k : k + CHUNK], sections, options, show_answers)
        for k in range(0, len(found.handed_in), CHUNK)
    )
    for chunk, contents in in_order(workers, _laid_out, chunks):
        for pupil, content in zip(chunk.pupils, contents, strict=True):
            yield f"{FEEDBACK}/{pupil.code}.pdf", content


class Chunk(NamedTuple):
    """Some pupils whose pages a process makes."""

    pupils: tuple[PupilMarks, ...]
    sections: Mapping[str, Mapping[str, Sections]]
    options: SheetOptions
    show_answers: bool


def _laid_out(chunk: Chunk) -> list[bytes]:
    return laid_out(
        [
            leaf(
                *(one, chunk.sections[one.language], chunk.options, load(one.language)),
                show_answers=chunk.show_answers,
            )
            for one in chunk.pupils
        ]
    )


def _all_sections(
    batch: Batch, found: ClassMarks, catalogue: Catalogue
) -> dict[str, dict[str, Sections]]:
    """Where each sheet explains what, in each language that is needed."""
    languages = {catalogue.language, *(pupil.language for pupil in found.handed_in)}
    return {language: _sections(batch, load(language)) for language in sorted(languages)}


def _sections(batch: Batch, catalogue: Catalogue) -> dict[str, Sections]:
    """Where each sheet explains what, by its name; for the workbook the sheet is named, too."""
    options = replace(
        teachers(batch.lesson), language=catalogue.language, part="both", code="", pupil=""
    )
    found: dict[str, Mapping[str, str]] = {}
    anywhere: dict[str, str] = {}
    for sheet, page in batch.pages(next(iter(batch.records))).items():
        base, exact = page.task.base, page.task.trace({}, rounding="exact")
        name, plan = SERIES[sheet].name, planned(sheet, base, options)
        found[name] = sections_of(plan, base, exact, options)
        if SERIES[sheet].kind.in_workbook:
            for kind, heading in found[name].items():
                anywhere.setdefault(kind, f"{heading} ({sheet_name(catalogue, name)})")
    return {**found, WORKBOOK: anywhere}
