"""How results name sheets, steps, causes and points, in the words of a language."""

from collections.abc import Iterable
from typing import NamedTuple

from generator.engine.choices import NormForm
from generator.grading.marking.causes import LISTED
from generator.grading.marking.marks import BoxMark, TaskMarks
from generator.grading.marking.rule import How
from generator.grading.reading.entries import WORKBOOK
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import USUAL, of_norm
from generator.notation.shown import MINUS, number
from generator.sheets.fonts import missing_glyphs
from generator.sheets.titles import placed, title


def drawable(text: str) -> str:
    """A text from outside with "?" for each character that no font of ours can draw."""
    return text.translate(dict.fromkeys(map(ord, missing_glyphs(text)), "?"))


class ResultWords(NamedTuple):
    """The words of a language for a model with norms of a form; small, so that processes get it."""

    language: str
    form: NormForm = USUAL

    @property
    def catalogue(self) -> Catalogue:
        """The phrases."""
        return of_norm(load(self.language), self.form)

    def t(self, key: str, /, **names: object) -> str:
        """The phrase of that key with its names put in."""
        return self.catalogue.t(key, **names)

    def sheet(self, task: str) -> str:
        """What a task is called in a table: the sheet's short name, or the workbook."""
        return self.t("grading.workbook" if task == WORKBOOK else f"sheet{task}.name")

    def title(self, task: str) -> str:
        """The whole title of a task."""
        return self.t("grading.workbook" if task == WORKBOOK else f"sheet{task}.title")

    def where(self, task: str, section: str) -> str:
        """Where a sheet explains something: below a heading, as far as it is known which."""
        sheet = self.title(task)
        return self.t("grading.where", sheet=sheet, section=section) if section else sheet

    def step_titles(self, names: Iterable[str]) -> dict[str, str]:
        """The title of each step of a task; with its head or norm where several have the same."""
        known = {n: (title(self.catalogue, n), placed(self.catalogue, n)) for n in names}
        several = {
            short: len({long for one, long in known.values() if one == short})
            for short, _ in known.values()
        }
        return {n: long if several[short] > 1 else short for n, (short, long) in known.items()}

    def titles(self, task: TaskMarks) -> dict[str, str]:
        """The titles of a task's steps by name."""
        return self.step_titles(dict.fromkeys(mark.cell[0] for mark in task.marks))

    def by_title(self, task: TaskMarks) -> dict[str, list[BoxMark]]:
        """The marks of a task by the title of their step, in the order of computation."""
        marks_of: dict[str, list[BoxMark]] = {}
        titles = self.titles(task)
        for mark in task.marks:
            marks_of.setdefault(titles[mark.cell[0]], []).append(mark)
        return marks_of

    def cause(self, task: str, key: str) -> str:
        """One cause in words; those of a page for teachers in the words of that page."""
        return self.t(f"sheet{task}.{key}" if key.startswith(LISTED) else f"grading.cause.{key}")

    def either(self, task: str, mark: BoxMark) -> str:
        """The causes of a box, one or another; "" for none."""
        return f" {self.t('grading.or')} ".join(self.cause(task, key) for key in mark.causes)

    def causes(self, task: str, mark: BoxMark) -> str:
        """The causes of a box: one is probable, several are possible; "" for none."""
        if not mark.causes:
            return ""
        kind = "probably" if len(mark.causes) == 1 else "possibly"
        return self.t(f"grading.{kind}", causes=self.either(task, mark))

    def how(self, mark: BoxMark) -> str:
        """Why a box has its credit."""
        one = mark.judged
        if mark.decided or one.percent:
            return self.t("grading.how.decided" if mark.decided else "grading.how.percent")
        if one.how is How.OTHER_ROW:
            return self.t("grading.how.other_row", row=one.remark)
        return self.t(f"grading.how.{one.how.value}")

    def points(self, value: float) -> str:
        """Points with the decimals that they have, at most two."""
        shown = f"{value:.2f}".rstrip("0").rstrip(".")
        return number(float(shown), None, self.language).replace(MINUS, "-")
