"""The papers of those who mark an exam: what is expected, the grades, who sits where, a table."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from generator.classroom.lesson import teachers
from generator.classroom.pupil_files import exam_paper
from generator.classroom.seat_record import Record
from generator.classroom.work_sheets import Page
from generator.exams import seating
from generator.exams.costs import costs
from generator.exams.expected import Paper, Sheet, expected
from generator.grading.scheme import SCHEME, Scheme
from generator.grading.tables import points_shown
from generator.grading.task import Batch
from generator.locales.catalogue import Catalogue, load
from generator.locales.norms import of_norm
from generator.notation.numbers import number
from generator.render.worksheet.pdf import document_css, to_pdf
from generator.render.worksheet.styles import style
from generator.render.worksheet.worksheet import environment
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.version import __version__

LINES = 20  # pupils on a page of the table for marking
MOST_COLUMNS = 22  # tasks side by side; above, a column is a sheet
ROWS = 7  # of seats on a page


class Grade(NamedTuple):
    """One line of the table of grades: the share and the points from which on it is given."""

    grade: str
    share: str
    points: str


class Seat(NamedTuple):
    """Who sits somewhere: number and code, the version, the name where names are printed."""

    number: int
    code: str
    version: str
    name: str


def papers(batch: Batch, scheme: Scheme, width: int, names: Mapping[str, str]) -> dict[str, bytes]:
    """All papers for marking by their name in the batch's folder for the teacher."""
    options = replace(teachers(batch.lesson), header=batch.lesson.worksheet.header)
    catalogue = of_norm(load(options.language), batch.lesson.preset.norm_form)
    versions = _versions(batch)
    sheets = _sheets(batch, list(versions.values()))
    expectations = [expected(papers, catalogue) for papers in sheets]
    files = {SCHEME: toml(scheme)}
    content = _expectation(batch, scheme, sheets, expectations, versions, catalogue)
    files["expectation.pdf"] = _paper("expectation", options, catalogue, **content)
    files["seating.pdf"] = _paper("seating", options, catalogue, **_seating(batch, width, names))
    files["second-marking.pdf"] = _paper("marking", options, catalogue,
                                         **_table(batch, expectations, names))  # fmt: skip
    for letter, pages in versions.items() if batch.lesson.variation.groups else ():
        files[f"solution-{letter}.pdf"] = exam_paper(batch.lesson, pages, "solution")
    return files


def _versions(batch: Batch) -> dict[str, Mapping[str, Page]]:
    """The pages of each version by its letter; where everybody has own numbers, the first ones."""
    first: dict[str, Record] = {}
    for record in batch.records.values():
        first.setdefault(record["group"], record)
    return {
        letter: {
            sheet: page._replace(options=_unnamed(page.options, letter))
            for sheet, page in batch.pages(record["code"]).items()
        }
        for letter, record in sorted(first.items())
    }


def _unnamed(options: SheetOptions, letter: str) -> SheetOptions:
    """The choices of a page that is nobody's own."""
    return replace(options, code=letter, pupil="", number=0, qr=False)


def _sheets(batch: Batch, versions: Sequence[Mapping[str, Page]]) -> list[list[Paper]]:
    return [[Paper(sheet, pages[sheet]) for pages in versions] for sheet in batch.lesson.filled]


def _expectation(
    batch: Batch,
    scheme: Scheme,
    sheets: list[list[Paper]],
    expectations: Sequence[Sheet],
    versions: Mapping[str, object],
    catalogue: Catalogue,
) -> dict[str, object]:
    total = sum(sheet.marks for sheet in expectations)
    slips = [list(costs(papers, scheme, catalogue)) for papers in sheets]
    return {
        "sheets": [(sheet, of) for sheet, of in zip(expectations, slips, strict=True)],
        "versions": [letter for letter in versions if letter],
        "total": total,
        "grades": list(_grades(scheme, total, catalogue)),
        "table": scheme.grades if isinstance(scheme.grades, str) else "own",
        "scheme": scheme,
        "minutes": batch.lesson.worksheet.exam,
        "shown": lambda value: points_shown(value, catalogue),
        "percent": lambda share: number(100 * share, 0, catalogue.language),
    }


def _grades(scheme: Scheme, total: int, catalogue: Catalogue) -> Iterator[Grade]:
    """The table of grades for so many points, the best grade first."""
    unit = 0.5 if scheme.half else 0.01
    for percent, grade in sorted(scheme.steps, reverse=True):
        points = math.ceil(round(percent * total / 100 / unit, 6)) * unit
        share = number(percent, None, catalogue.language)
        yield Grade(grade, share, points_shown(points, catalogue))


def _seating(batch: Batch, width: int, names: Mapping[str, str]) -> dict[str, object]:
    records = list(batch.records.values())
    groups = [record["group"] for record in records]
    places = seating.plan(groups, batch.lesson.variation.groups, width)
    taken = {
        place: Seat(one["number"], one["code"], one["group"], names.get(one["code"], ""))
        for one, place in ((records[k], place) for k, place in places)
    }
    last = max(place.row for place in taken)
    rows = [
        [taken.get(seating.Place(row, seat)) for seat in range(width)] for row in range(last + 1)
    ]
    return {"pages": [rows[k : k + ROWS] for k in range(0, len(rows), ROWS)], "width": width}


def _table(
    batch: Batch, expectations: Sequence[Sheet], names: Mapping[str, str]
) -> dict[str, object]:
    columns: list[tuple[str, list[tuple[int | str, int]]]] = [
        (sheet.name, [(task.number, task.marks) for task in sheet.tasks]) for sheet in expectations
    ]
    if sum(len(tasks) for _, tasks in columns) > MOST_COLUMNS:
        columns = [(sheet.name, [("Σ", sheet.marks)]) for sheet in expectations]
    lines = [
        Seat(one["number"], one["code"], one["group"], names.get(one["code"], ""))
        for one in batch.records.values()
    ]
    return {
        "columns": columns,
        "total": sum(sheet.marks for sheet in expectations),
        "pages": [lines[k : k + LINES] for k in range(0, len(lines), LINES)],
    }


def _paper(name: str, options: SheetOptions, catalogue: Catalogue, **content: object) -> bytes:
    template = environment().get_template(f"exam-{name}.html.j2")
    html = template.render(t=catalogue.t, options=options, version=__version__, **content)
    css = (document_css(), style(), style("class.css"), style("exam.css"))
    return to_pdf(html, css, Formulas(), where=f"{name} of the exam")


def toml(scheme: Scheme) -> bytes:
    """A scheme as the file that `paperformer grade` reads."""
    lines = ["# How this exam is marked; `paperformer grade` reads it. Points stand on the paper.",
             f"half = {str(scheme.half).lower()}", f"tolerance = {scheme.tolerance}"]  # fmt: skip
    if isinstance(scheme.grades, str):
        lines.append(f'grades = "{scheme.grades}"')
    else:
        steps = (
            f"{{ grade = {json.dumps(step.grade)}, from = {step.percent:g} }}"
            for step in scheme.grades
        )
        lines.append(f"grades = [{', '.join(steps)}]")
    credit = (f"{name} = {share:g}" for name, share in scheme.credit)
    return "\n".join([*lines, "[credit]", *credit, ""]).encode()
