"""A page for each pupil: what was right, where it began to go wrong, where to look again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from generator.engine.step import Cell, Step
from generator.grading.class_marks import WHOLE, PupilMarks, Sections, by_title, titles_of
from generator.grading.credit import GOES_ON, How
from generator.grading.marks import Mark, TaskMarks
from generator.grading.meant import is_tick
from generator.grading.print_styles import printed
from generator.grading.sections import kind
from generator.grading.tables import points_shown
from generator.grading.wording import cause_word, drawable, sheet_title
from generator.locales.catalogue import Catalogue
from generator.notation.numbers import number
from generator.notation.shown import shown_decimals
from generator.render.worksheet.worksheet import environment
from generator.sheets.options import SheetOptions
from generator.sheets.titles import row_label
from generator.version import __version__

SIGNS: Final = {
    How.ORIGINAL: "✓",
    **dict.fromkeys(GOES_ON, "→"),
    How.MISPLACED: "⇄",
    How.BLANK: "",
    How.UNREADABLE: "?",
}
NOT_YET: Final = "✗"


class Strip(NamedTuple):
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


class Answer(NamedTuple):
    """A box with the pupil's number and the right one."""

    place: str
    typed: str
    right: str


class Part(NamedTuple):
    """One sheet of a pupil's page."""

    title: str
    points: str
    most: str
    strips: Sequence[Strip]
    first: First | None
    carried: int
    answers: Sequence[Answer]


class Leaf(NamedTuple):
    """A pupil's page before it is laid out; small enough to be sent to another process."""

    code: str
    html: str


def leaf(
    pupil: PupilMarks,
    sections: Mapping[str, Sections],
    options: SheetOptions,
    catalogue: Catalogue,
    *,
    show_answers: bool,
) -> Leaf:
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
    return Leaf(pupil.code, html)


def laid_out(leaves: Sequence[Leaf]) -> list[bytes]:
    """Some pupils' pages as PDFs."""
    return [printed(one.html, f"the feedback for {one.code}") for one in leaves]


def _part(task: TaskMarks, sections: Sections, catalogue: Catalogue, show_answers: bool) -> Part:
    wrong = [mark for mark in task.marks if mark.credit < WHOLE]
    started = any(mark.judged.how is not How.BLANK for mark in task.marks)
    first = _first(task, wrong[0], sections, catalogue, show_answers) if wrong and started else None
    return Part(
        sheet_title(catalogue, task.name),
        points_shown(task.points, catalogue),
        points_shown(task.most, catalogue),
        list(_strips(task, catalogue)),
        first,
        sum(mark.judged.how in GOES_ON for mark in task.marks),
        [_answer(task, mark, catalogue) for mark in wrong] if show_answers else [],
    )


def _strips(task: TaskMarks, catalogue: Catalogue) -> Iterator[Strip]:
    for title, marks in by_title(task, catalogue).items():
        earned = points_shown(sum(mark.credit for mark in marks), catalogue)
        yield Strip(title, [_sign(mark) for mark in marks], earned, len(marks))


def _sign(mark: Mark) -> tuple[str, str]:
    how = mark.judged.how
    if mark.decided:
        return (SIGNS[How.ORIGINAL], "right") if mark.credit >= WHOLE else (NOT_YET, "wrong")
    sign = SIGNS.get(how, NOT_YET)
    looks = {NOT_YET: "wrong", SIGNS[How.BLANK]: "blank", SIGNS[How.UNREADABLE]: "blank"}
    return sign, looks.get(sign, "right")


def _first(
    task: TaskMarks, mark: Mark, sections: Sections, catalogue: Catalogue, show_answers: bool
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


def _answer(task: TaskMarks, mark: Mark, catalogue: Catalogue) -> Answer:
    step, one = task.step(mark.cell), mark.judged
    where = ", ".join(_where(step, mark.cell, catalogue))
    title = titles_of(task, catalogue)[step.name]
    place = catalogue.t("grading.feedback.place", step=title, where=where) if where else title
    right = one.right
    if isinstance(right, float):
        right = number(right, shown_decimals(step), catalogue.language)
    elif is_tick(step):
        right = right or catalogue.t("grading.class.none")
    return Answer(place, _typed(one.typed, catalogue), right)


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
