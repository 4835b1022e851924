"""The pages of results: the class's own, and one for everybody who handed something in.

Also here:

* A page for each pupil: what was right, where it began to go wrong, where to look again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Protocol

from generator.classroom.numbers.lesson import teachers
from generator.engine.choices import NormForm
from generator.engine.step import Cell, Step
from generator.grading.marking.class_marks import (
    WHOLE,
    ClassMarks,
    PupilMarks,
    Sections,
    by_title,
    titles_of,
)
from generator.grading.marking.marks import BoxMark, TaskMarks
from generator.grading.marking.question import kind, sections_of
from generator.grading.marking.rule import GOES_ON, How
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import WORKBOOK
from generator.grading.reading.meant import is_tick
from generator.grading.results.class_page import class_page
from generator.grading.results.print_styles import printed
from generator.grading.results.tables import points_shown
from generator.grading.results.wording import cause_word, drawable, sheet_name, sheet_title
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import of_norm
from generator.notation.shown import number, shown_decimals
from generator.render.worksheet.worksheet import environment, planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.sheets.titles import row_label
from generator.version import __version__

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


class FeedbackLeaf(NamedTuple):
    """A pupil's page before it is laid out; small enough to be sent to another process."""

    code: str
    html: str


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

    def _leaf(self, pupil: PupilMarks) -> FeedbackLeaf:
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


SIGNS: Final = {
    How.ORIGINAL: "✓",
    **dict.fromkeys(GOES_ON, "→"),
    How.MISPLACED: "⇄",
    How.BLANK: "",
    How.UNREADABLE: "?",
}
NOT_YET: Final = "✗"


class StepStrip(NamedTuple):
    """A step's boxes: a sign and a style for each, and how many were earned."""

    title: str
    signs: Sequence[tuple[str, str]]
    earned: str
    of: int


class First(NamedTuple):
    """The first box that went wrong, in words: where, what was entered, why, where to look.

    `unread` says that nobody could tell which number was meant: it need not be wrong.
    """

    place: str
    typed: str
    right: str
    causes: str
    several: bool
    look: str
    unread: bool


class GradedAnswer(NamedTuple):
    """A box with the pupil's number and the right one."""

    place: str
    typed: str
    right: str


class SheetResult(NamedTuple):
    """One sheet of a pupil's page."""

    title: str
    points: str
    most: str
    strips: Sequence[StepStrip]
    first: First | None
    carried: int
    answers: Sequence[GradedAnswer]


def leaf(
    pupil: PupilMarks,
    sections: Mapping[str, Sections],
    options: SheetOptions,
    catalogue: Catalogue,
    *,
    show_answers: bool,
) -> FeedbackLeaf:
    """The pupil's page; right numbers stand on it only with `show_answers`."""
    parts = [
        _part(task, sections.get(task.name, {}), catalogue, show_answers) for task in pupil.tasks
    ]
    html = environment().get_template("marks-feedback.html.j2").render(
        t=catalogue.t,
        options=options,
        language=catalogue.language,
        version=__version__,
        who=drawable(pupil.shown),
        parts=parts,
    )  # fmt: skip
    return FeedbackLeaf(pupil.code, html)


def laid_out(leaves: Sequence[FeedbackLeaf]) -> list[bytes]:
    """Some pupils' pages as PDFs."""
    return [printed(one.html, f"the feedback for {one.code}") for one in leaves]


def _part(
    task: TaskMarks, sections: Sections, catalogue: Catalogue, show_answers: bool
) -> SheetResult:
    wrong = [mark for mark in task.marks if mark.credit < WHOLE]
    started = any(mark.judged.how is not How.BLANK for mark in task.marks)
    first = _first(task, wrong[0], sections, catalogue, show_answers) if wrong and started else None
    return SheetResult(
        sheet_title(catalogue, task.name),
        points_shown(task.points, catalogue),
        points_shown(task.most, catalogue),
        list(_strips(task, catalogue)),
        first,
        sum(mark.judged.how in GOES_ON for mark in task.marks),
        [_answer(task, mark, catalogue) for mark in wrong] if show_answers else [],
    )


def _strips(task: TaskMarks, catalogue: Catalogue) -> Iterator[StepStrip]:
    for title, marks in by_title(task, catalogue).items():
        earned = points_shown(sum(mark.credit for mark in marks), catalogue)
        yield StepStrip(title, [_sign(mark) for mark in marks], earned, len(marks))


def _sign(mark: BoxMark) -> tuple[str, str]:
    how = mark.judged.how
    if mark.decided:
        return (SIGNS[How.ORIGINAL], "right") if mark.credit >= WHOLE else (NOT_YET, "wrong")
    sign = SIGNS.get(how, NOT_YET)
    looks = {NOT_YET: "wrong", SIGNS[How.BLANK]: "blank", SIGNS[How.UNREADABLE]: "blank"}
    return sign, looks.get(sign, "right")


def _first(
    task: TaskMarks, mark: BoxMark, sections: Sections, catalogue: Catalogue, show_answers: bool
) -> First:
    words = [cause_word(catalogue, task.name, key) for key in mark.causes]
    section = sections.get(kind(mark.cell[0]), "")
    sheet = sheet_title(catalogue, task.name)
    look = catalogue.t("grading.where", sheet=sheet, section=section) if section else sheet
    answer = _answer(task, mark, catalogue)
    return First(
        answer.place,
        answer.typed,
        answer.right if show_answers else "",
        f" {catalogue.t('grading.or')} ".join(words),
        len(words) > 1,
        look,
        mark.judged.how is How.UNREADABLE and not mark.decided,
    )


def _answer(task: TaskMarks, mark: BoxMark, catalogue: Catalogue) -> GradedAnswer:
    step, one = task.step(mark.cell), mark.judged
    where = ", ".join(_where(step, mark.cell, catalogue))
    title = titles_of(task, catalogue)[step.name]
    place = catalogue.t("grading.feedback.place", step=title, where=where) if where else title
    right = one.right
    if isinstance(right, float):
        right = number(right, shown_decimals(step), catalogue.language)
    elif is_tick(step):
        right = right or catalogue.t("grading.class.none")
    return GradedAnswer(place, _typed(one.typed, catalogue), right)


def _where(step: Step, cell: Cell, catalogue: Catalogue) -> Iterator[str]:
    """Row and column in words, as far as they tell something."""
    row, column = row_label(catalogue, step.rows[cell[1]]), step.columns[cell[2]]
    if step.shape[0] > 1 and not row.isdecimal():
        yield catalogue.t("grading.feedback.row", row=row)
    if step.shape[1] > 1:
        yield catalogue.t("grading.feedback.column", column=column)


def _typed(typed: float | str | None, catalogue: Catalogue) -> str:
    if typed is None:
        return ""
    return drawable(typed) if isinstance(typed, str) else number(typed, None, catalogue.language)
