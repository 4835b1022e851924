"""The pages of results: the class's own, and one for everybody who handed something in."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol

from generator.classroom.lesson import teachers
from generator.engine.choices import NormForm
from generator.grading.class_marks import ClassMarks, PupilMarks, Sections
from generator.grading.class_page import class_page
from generator.grading.entries import WORKBOOK
from generator.grading.feedback import Leaf, laid_out, leaf
from generator.grading.sections import sections_of
from generator.grading.task import Batch
from generator.grading.wording import sheet_name
from generator.locales.catalogue import Catalogue, load
from generator.locales.norms import of_norm
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
    sections: Mapping[str, Mapping[str, Sections]],
    *,
    show_answers: bool,
) -> Iterator[Results]:
    """All pages, in parts that processes can make side by side: the longest part comes first.

    `sections` are those of `all_sections`.
    """
    options, form = teachers(batch.lesson), batch.lesson.preset.norm_form
    yield ClassPage(marks, sections[catalogue.language], options, catalogue.language, form)
    for k in range(0, len(marks.handed_in), CHUNK):
        yield Feedback(marks.handed_in[k : k + CHUNK], sections, options, show_answers, form)


class ClassPage(NamedTuple):
    """The page of the whole class."""

    marks: ClassMarks
    sections: Mapping[str, Sections]
    options: SheetOptions
    language: str
    form: NormForm

    def files(self) -> list[tuple[str, bytes]]:
        """It as PDF and for a browser."""
        catalogue = of_norm(load(self.language), self.form)
        pdf, html = class_page(self.marks, self.sections, self.options, catalogue)
        return [(CLASS + ".pdf", pdf), (CLASS + ".html", html)]


class Feedback(NamedTuple):
    """The pages of some pupils."""

    pupils: tuple[PupilMarks, ...]
    sections: Mapping[str, Mapping[str, Sections]]
    options: SheetOptions
    show_answers: bool
    form: NormForm

    def files(self) -> list[tuple[str, bytes]]:
        """A PDF a pupil."""
        leaves = [self._leaf(one) for one in self.pupils]
        names = (f"{FEEDBACK}/{one.code}.pdf" for one in self.pupils)
        return list(zip(names, laid_out(leaves), strict=True))

    def _leaf(self, pupil: PupilMarks) -> Leaf:
        catalogue = of_norm(load(pupil.language), self.form)
        sections = self.sections[pupil.language]
        return leaf(pupil, sections, self.options, catalogue, show_answers=self.show_answers)


def all_sections(batch: Batch, catalogue: Catalogue) -> dict[str, dict[str, Sections]]:
    """Where each sheet explains what, in the teacher's language and in each that pupils have."""
    languages = {catalogue.language, *(one["language"] for one in batch.records.values())}
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
