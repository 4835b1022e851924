"""The class at a glance: what to teach again, a map of pupils and steps, common slips, hard boxes.

`class.pdf` and `class.html` are one template; a teacher is to see in ten seconds what tomorrow's
lesson is about.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from generator.grading.marking.class_marks import (
    ClassMarks,
    Field,
    PupilMarks,
    Sections,
    StepColumn,
    commonest,
    hardest,
    to_teach,
)
from generator.grading.marking.rule import How
from generator.grading.results.print_styles import OWN_STYLES, printed
from generator.grading.results.tables import grade_of, points_shown, total
from generator.grading.results.wording import (
    cause_word,
    drawable,
    reason_words,
    sheet_name,
    sheet_title,
)
from generator.locales.catalogue import Catalogue
from generator.notation.shown import percent
from generator.render.worksheet.edition import EditionPage, standalone
from generator.render.worksheet.worksheet import environment
from generator.sheets.options import SheetOptions
from generator.version import __version__

WIDEST: Final = 18  # steps side by side on a page
LONGEST: Final = 36  # pupils below each other
MOST: Final = 8  # slips and boxes that are listed
CAUSES: Final = 2  # beside a step to teach again
SHADES: Final = 4


class Again(NamedTuple):
    """A step to teach again: where the sheet explains it, how many lost something, why."""

    title: str
    where: str
    lost: int
    of: int
    blank: int
    causes: Sequence[tuple[str, int]]


class Shade(NamedTuple):
    """A field of the map: how dark (0 all earned, 4 nothing; -1 not handed in), and its text."""

    level: int
    text: str


class PupilLine(NamedTuple):
    """A pupil's line of the map."""

    who: str
    shades: Sequence[Shade]
    points: str
    grade: str


class Map(NamedTuple):
    """Steps side by side, below the sheets that they are from; the last line is the class's."""

    heads: Sequence[tuple[str, int]]
    titles: Sequence[str]
    lines: Sequence[PupilLine]
    foot: Sequence[str]


def class_page(
    marks: ClassMarks,
    sections: Mapping[str, Sections],
    options: SheetOptions,
    catalogue: Catalogue,
) -> tuple[bytes, bytes]:
    """`class.pdf` and `class.html`."""
    columns = marks.columns(catalogue, sections)
    html = environment().get_template("marks-class.html.j2").render(
        t=catalogue.t,
        options=options,
        language=catalogue.language,
        version=__version__,
        facts=_facts(marks, columns, catalogue),
        again=[_again(column, catalogue) for column in to_teach(columns)],
        maps=list(_maps(marks, columns, catalogue)),
        slips=[
            (cause_word(catalogue, column.task, key), _place(column, catalogue), count)
            for column, key, count in commonest(columns)[:MOST]
        ],
        boxes=[(box, sheet_name(catalogue, box.task)) for box in hardest(marks, catalogue)[:MOST]],
        looks=list(map(drawable, _looks(marks, catalogue))),
        stray=[
            (drawable(one.file), drawable(reason_words(catalogue, one.reason)))
            for one in marks.stray
        ],
    )  # fmt: skip
    pdf = printed(html, "the marks of the class")
    in_browser = html.replace("<body>", '<body class="in-browser">', 1)
    return pdf, standalone(EditionPage(in_browser, OWN_STYLES)).encode()


def _facts(
    marks: ClassMarks, columns: Sequence[StepColumn], catalogue: Catalogue
) -> dict[str, object]:
    shares = [earned / most for earned, most in (total(p, marks) for p in marks.handed_in)]
    return {
        "came": len(marks.handed_in),
        "of": len(marks.pupils),
        "mean": percent(sum(shares) / len(shares), 0, catalogue.language),
        "sheets": ", ".join(sheet_name(catalogue, task) for task in marks.tasks),
        "whole": sum(not column.lost for column in columns),
        "steps": len(columns),
    }


def _again(column: StepColumn, catalogue: Catalogue) -> Again:
    causes = [
        (cause_word(catalogue, column.task, k), n) for k, n in column.causes.most_common(CAUSES)
    ]
    title = sheet_title(catalogue, column.task)
    where = catalogue.t("grading.where", sheet=title, section=column.section)
    return Again(
        column.title,
        where if column.section else title,
        column.lost,
        column.handed_in,
        column.blank,
        causes,
    )


def _place(column: StepColumn, catalogue: Catalogue) -> str:
    return f"{sheet_name(catalogue, column.task)} · {column.title}"


# The map -----------------------------------------------------------------------------------------


def _maps(marks: ClassMarks, columns: Sequence[StepColumn], catalogue: Catalogue) -> Iterator[Map]:
    for some in _pages(columns):
        for start in range(0, len(marks.pupils), LONGEST):
            places = range(start, min(start + LONGEST, len(marks.pupils)))
            lines = [
                _line(marks, marks.pupils[k], [c.fields[k] for c in some], catalogue)
                for k in places
            ]
            foot = [percent(column.share, 0, catalogue.language) for column in some]
            heads = [(sheet_name(catalogue, task), n) for task, n in _counts(some)]
            yield Map(heads, [column.title for column in some], lines, foot)


def _pages(columns: Sequence[StepColumn]) -> list[list[StepColumn]]:
    """The columns as they fit side by side; the steps of a sheet stay together where they can."""
    pages: list[list[StepColumn]] = [[]]
    for task in dict.fromkeys(column.task for column in columns):
        own = [column for column in columns if column.task == task]
        if pages[-1] and len(pages[-1]) + len(own) > WIDEST:
            pages.append([])
        for start in range(0, len(own), WIDEST):
            if start:
                pages.append([])
            pages[-1] += own[start : start + WIDEST]
    return [page for page in pages if page]


def _counts(columns: Sequence[StepColumn]) -> list[tuple[str, int]]:
    tasks = [column.task for column in columns]
    return [(task, tasks.count(task)) for task in dict.fromkeys(tasks)]


def _line(
    marks: ClassMarks, pupil: PupilMarks, fields: Sequence[Field], catalogue: Catalogue
) -> PupilLine:
    shades = [_shade(field, catalogue) for field in fields]
    if not pupil.files:
        return PupilLine(drawable(pupil.shown), shades, "", "")
    points = points_shown(total(pupil, marks)[0], catalogue)
    return PupilLine(drawable(pupil.shown), shades, points, grade_of(pupil, marks, catalogue))


def _shade(field: Field, catalogue: Catalogue) -> Shade:
    """How dark a field is and what it says: boxes earned of those that there were."""
    if field.marks is None:
        return Shade(-1, "")
    if not field.lost:
        return Shade(0, "")
    level = max(1, -int(-(1 - field.share) * SHADES // 1))
    return Shade(level, f"{points_shown(field.earned, catalogue)}/{len(field.marks)}")


def _looks(marks: ClassMarks, catalogue: Catalogue) -> Iterator[str]:
    """What a person should look at: remarks on files, entries that nobody can read."""
    for pupil in marks.handed_in:
        for remark in pupil.remarks:
            yield f"{pupil.shown}: {remark}"
        dark = sum(mark.judged.how is How.UNREADABLE for task in pupil.tasks for mark in task.marks)
        if dark:
            yield f"{pupil.shown}: {catalogue.t('grading.class.unreadable', count=dark)}"
