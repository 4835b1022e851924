"""A page for each pupil: what was right, where it began to go wrong, where to look again.

Also here:

* Where each sheet explains what.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from generator.grading.marking.marks import WHOLE, BoxMark, PupilMarks, TaskMarks
from generator.grading.marking.question import kind, sections_of
from generator.grading.marking.rule import GOES_ON, How
from generator.grading.marking.task import Batch
from generator.grading.reading.entries import WORKBOOK
from generator.grading.reading.meant import is_tick
from generator.grading.results.class_page import Sections, printed
from generator.grading.results.tables import ResultWords, drawable
from generator.notation.shown import number, shown_decimals
from generator.render.worksheet.worksheet import PrintedSheet, environment
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from generator.sheets.titles import row_label
from generator.version import __version__

FEEDBACK: Final = "feedback"


class Feedback(NamedTuple):
    """The pages of some pupils, in the language of each; right numbers only where it is wanted."""

    pupils: tuple[PupilMarks, ...]
    sections: Mapping[str, Mapping[str, Sections]]
    options: SheetOptions
    words: ResultWords
    show_answers: bool

    def files(self) -> list[tuple[str, bytes]]:
        """A PDF a pupil."""
        return [
            (f"{FEEDBACK}/{one.code}.pdf", printed(self._html(one), f"the feedback for {one.code}"))
            for one in self.pupils
        ]

    def _html(self, pupil: PupilMarks) -> str:
        words = self.words._replace(language=pupil.language)
        sections = self.sections[pupil.language]
        parts = (SheetPart(t, sections.get(t.name, {}), words) for t in pupil.tasks)
        template = environment().get_template("marks-feedback.html.j2")
        return template.render(
            t=words.t,
            options=self.options,
            language=pupil.language,
            version=__version__,
            who=drawable(pupil.shown),
            parts=[part.content(show_answers=self.show_answers) for part in parts],
        )


def all_sections(batch: Batch, language: str) -> dict[str, dict[str, Sections]]:
    """Where each sheet explains what, in the teacher's language and in each that pupils have."""
    languages = {language, *(one.language for one in batch.records.values())}
    return {one: _sections(batch, ResultWords(one)) for one in sorted(languages)}


def _sections(batch: Batch, words: ResultWords) -> dict[str, Sections]:
    """Where each sheet explains what, by its name; for the workbook the sheet is named, too."""
    options = replace(
        batch.lesson.teachers, language=words.language, part="both", code="", pupil=""
    )
    sections_by_name: dict[str, Mapping[str, str]] = {}
    anywhere: dict[str, str] = {}
    for sheet, page in batch.seat(next(iter(batch.records))).pages.items():
        name, exact = SERIES[sheet].name, page.task.trace({}, rounding="exact")
        shown = PrintedSheet.of(sheet, page.task.base, exact, options)
        sections_by_name[name] = sections_of(shown)
        if SERIES[sheet].kind.in_workbook:
            for step, heading in sections_by_name[name].items():
                anywhere.setdefault(step, f"{heading} ({words.sheet(name)})")
    return {**sections_by_name, WORKBOOK: anywhere}


NOT_YET: Final = "✗"
SIGNS: Final = {
    How.ORIGINAL: "✓",
    **dict.fromkeys(GOES_ON, "→"),
    How.MISPLACED: "⇄",
    How.BLANK: "",
    How.UNREADABLE: "?",
}
LOOKS: Final = {NOT_YET: "wrong", SIGNS[How.BLANK]: "blank", SIGNS[How.UNREADABLE]: "blank"}


class SheetPart(NamedTuple):
    """One sheet of a pupil's page."""

    task: TaskMarks
    sections: Sections
    words: ResultWords

    def content(self, *, show_answers: bool) -> dict[str, Any]:
        """What the template prints: points, a sign a box, the first slip, perhaps right numbers."""
        task = self.task
        wrong = [mark for mark in task.marks if mark.credit < WHOLE]
        started = any(mark.judged.how is not How.BLANK for mark in task.marks)
        answers = [self._answer(mark) for mark in wrong] if show_answers else []
        return {
            "title": self.words.title(task.name),
            "points": self.words.points(task.points),
            "most": self.words.points(task.most),
            "strips": [
                {
                    "title": title,
                    "signs": list(map(_sign, marks)),
                    "earned": self.words.points(sum(mark.credit for mark in marks)),
                    "of": len(marks),
                }
                for title, marks in self.words.by_title(task).items()
            ],
            "first": self._first(wrong[0], answers) if wrong and started else None,
            "carried": sum(mark.judged.how in GOES_ON for mark in task.marks),
            "answers": answers,
        }

    def _first(self, mark: BoxMark, answers: list[dict[str, str]]) -> dict[str, object]:
        """The first box that went wrong: where, what was entered, why, where to look again.

        `unread` says that nobody could tell which number was meant: it need not be wrong.
        """
        answer = self._answer(mark)
        return {
            **answer,
            "right": answer["right"] if answers else "",
            "causes": self.words.either(self.task.name, mark),
            "several": len(mark.causes) > 1,
            "look": self.words.where(self.task.name, self.sections.get(kind(mark.cell[0]), "")),
            "unread": mark.judged.how is How.UNREADABLE and not mark.decided,
        }

    def _answer(self, mark: BoxMark) -> dict[str, str]:
        """A box with the pupil's number and the right one."""
        step, one, t = self.task.step(mark.cell), mark.judged, self.words.t
        where = ", ".join(self._where(mark))
        title = self.words.titles(self.task)[step.name]
        right, typed = one.right, one.typed
        if isinstance(right, float):
            right = number(right, shown_decimals(step), self.words.language)
        elif is_tick(step):
            right = right or t("grading.class.none")
        return {
            "place": t("grading.feedback.place", step=title, where=where) if where else title,
            "typed": drawable(typed) if isinstance(typed, str) else self._number(typed),
            "right": right,
        }

    def _number(self, typed: float | None) -> str:
        return "" if typed is None else number(typed, None, self.words.language)

    def _where(self, mark: BoxMark) -> Iterator[str]:
        """Row and column in words, as far as they tell something."""
        (_, i, j), step = mark.cell, self.task.step(mark.cell)
        row, column = row_label(self.words.catalogue, step.rows[i]), step.columns[j]
        if step.shape[0] > 1 and not row.isdecimal():
            yield self.words.t("grading.feedback.row", row=row)
        if step.shape[1] > 1:
            yield self.words.t("grading.feedback.column", column=column)


def _sign(mark: BoxMark) -> tuple[str, str]:
    """A box's sign and its style."""
    if mark.decided:
        return (SIGNS[How.ORIGINAL], "right") if mark.credit >= WHOLE else (NOT_YET, "wrong")
    sign = SIGNS.get(mark.judged.how, NOT_YET)
    return sign, LOOKS.get(sign, "right")
