"""The pages of results: the class's own, and one for everybody who handed something in."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol

from generator.classroom.lesson import teachers
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


class Results(Protocol):
    """Some files below `marks/` that are still to be made; small enough to be sent to a process."""

    def files(self) -> list[tuple[str, bytes]]:
        """Name and content of each."""
        ...


def pages(
    batch: Batch,
    marks: ClassMarks,
    catalogue: Catalogue,
    *,
    show_answers: bool,
) -> Iterator[Results]:
    """All pages, in parts that processes can make side by side: the longest part comes first."""
    sections, options = _all_sections(batch, marks, catalogue), teachers(batch.lesson)
    yield ClassPage(marks, sections[catalogue.language], options, catalogue.language)
    for k in range(0, len(marks.handed_in), CHUNK):
        yield Feedback(marks.handed_in[k : k + CHUNK], sections, options, show_answers)


class ClassPage(NamedTuple):
    """The page of the whole class."""

    marks: ClassMarks
    sections: Mapping[str, Sections]
    options: SheetOptions
    language: str

    def files(self) -> list[tuple[str, bytes]]:
        """It as PDF and for a browser."""
        pdf, html = class_page(self.marks, self.sections, self.options, load(self.language))
        return [(CLASS + ".pdf", pdf), (CLASS + ".html", html)]


class Feedback(NamedTuple):
    """The pages of some pupils."""

    pupils: tuple[PupilMarks, ...]
    sections: Mapping[str, Mapping[str, Sections]]
    options: SheetOptions
    show_answers: bool

    def files(self) -> list[tuple[str, bytes]]:
        """A PDF a pupil."""
        leaves = [
            leaf(
                *(one, self.sections[one.language], self.options, load(one.language)),
                show_answers=self.show_answers,
            )
            for one in self.pupils
        ]
        names = (f"{FEEDBACK}/{one.code}.pdf" for one in self.pupils)
        return list(zip(names, laid_out(leaves), strict=True))


def _all_sections(
    batch: Batch, marks: ClassMarks, catalogue: Catalogue
) -> dict[str, dict[str, Sections]]:
    """Where each sheet explains what, in each language that is needed."""
    languages = {catalogue.language, *(pupil.language for pupil in marks.handed_in)}
    return {language: _sections(batch, load(language)) for language in sorted(languages)}


def _sections(batch: Batch, catalogue: Catalogue) -> dict[str, Sections]:
    """Where each sheet explains what, by its name; for the workbook the sheet is named, too."""
    options = replace(
        teachers(batch.lesson), language=catalogue.language, part="both", code="", pupil=""
    )
    sections_by_name: dict[str, Mapping[str, str]] = {}
    anywhere: dict[str, str] = {}
    for sheet, page in batch.pages(next(iter(batch.records))).items():
        base, exact = page.task.base, page.task.trace({}, rounding="exact")
        name, plan = SERIES[sheet].name, planned(sheet, base, options)
        sections_by_name[name] = sections_of(plan, base, exact, options)
        if SERIES[sheet].kind.in_workbook:
            for kind, heading in sections_by_name[name].items():
                anywhere.setdefault(kind, f"{heading} ({sheet_name(catalogue, name)})")
    return {**sections_by_name, WORKBOOK: anywhere}
