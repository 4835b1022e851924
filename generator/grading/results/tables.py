"""The results as tables: grades.csv for the gradebook, every box for grading.xlsx, the journal.

Also here:

* How results name sheets, steps, causes and points, in the words of a language.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from generator.classroom.pupils import columns
from generator.engine.choices import NormForm
from generator.errors import refused
from generator.grading.marking.by_hand import address
from generator.grading.marking.causes import LISTED
from generator.grading.marking.marks import ClassMarks, PupilMarks, TaskMarks
from generator.grading.marking.rule import BoxMark
from generator.grading.marking.scheme import PERCENT, How
from generator.grading.reading.entries import WORKBOOK
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import USUAL, of_norm
from generator.notation.shown import MINUS, number, percent
from generator.render.workbook.plain_table import Column, Figure, Line, render
from generator.render.workbook.reading.read_back import BROKEN, lines_of
from generator.resources import table
from generator.sheets.fonts import missing_glyphs
from generator.sheets.titles import placed, row_label, title

BOX_COLUMNS: Final[dict[str, int]] = table("grading/results/boxes.toml")["columns"]
BOXES: Final = "grading.xlsx"
WORDS: Final = "words"  # in place of a box's address
Credits = Mapping[tuple[str, str, str], float]  # by code, sheet and address
JOURNAL: Final = (
    *("journal.run", "box.code", "box.sheet", "box.address"),
    *("journal.before", "journal.after"),
)


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
        """The causes of a box, probable or possible; "" for none."""
        if not mark.causes:
            return ""
        kind = "probably" if mark.probable else "possibly"
        return self.t(f"grading.{kind}", causes=self.either(task, mark))

    def how(self, mark: BoxMark) -> str:
        """Why a box has its credit."""
        if mark.decided or mark.percent:
            return self.t("grading.how.decided" if mark.decided else "grading.how.percent")
        if mark.how is How.OTHER_ROW:
            return self.t("grading.how.other_row", row=mark.remark)
        return self.t(f"grading.how.{mark.how.value}")

    def points(self, value: float) -> str:
        """Points with the decimals that they have, at most two."""
        shown = f"{value:.2f}".rstrip("0").rstrip(".")
        return number(float(shown), None, self.language).replace(MINUS, "-")


class Tables(NamedTuple):
    """A class's marks in the words of a language."""

    marks: ClassMarks
    words: ResultWords

    def files(self) -> list[tuple[str, bytes]]:
        """`grading.xlsx`, which may take a while: whichever process is free makes it."""
        t, language = self.words.t, self.words.language
        widths = [Column(t(f"grading.box.{name}"), width) for name, width in BOX_COLUMNS.items()]
        lines: Iterator[Line] = (
            [entry if isinstance(entry, str) else Figure(entry) for entry in line]
            for line in self.boxes()
        )
        title = t("grading.title")
        return [
            (BOXES, render(title, lambda k: t("grading.tab", number=k), widths, lines, language))
        ]

    def grades(self, *, names: bool) -> bytes:
        """`grades.csv`: one row a pupil, points by task and in all; empty where nothing came back.

        The first column is the id of the class list, which Moodle calls idnumber. Semicolons where
        the language has a decimal comma.
        """
        t = self.words.t
        heads = ["idnumber", t("grading.csv.code"), *[t("grading.csv.name")] * names]
        heads += [self.words.sheet(task) for task in self.marks.tasks]
        heads += [t(f"grading.csv.{key}") for key in ("total", "most", self.grade_key, "remarks")]
        rows = [heads]
        for pupil in self.marks.pupils:
            rows.append([pupil.key, pupil.code, *[pupil.name] * names, *self._grades_of(pupil)])
        return columns.written(rows, columns.delimiter(self.words.language))

    def _grades_of(self, pupil: PupilMarks) -> Iterator[str]:
        tasks = [pupil.task(name) for name in self.marks.tasks]
        yield from (self.words.points(task.points) if task else "" for task in tasks)
        if not any(tasks):
            yield from [""] * 4
            return
        yield from map(self.words.points, self.marks.total(pupil))
        yield self.grade_of(pupil)
        out = self.marks.left_out(pupil)
        twice = ", ".join(self.words.sheet(one.name) for one in tasks if one and one.name in out)
        note = [self.words.t("grading.csv.twice", tasks=twice)] if twice else []
        yield " · ".join([*pupil.remarks, *note])

    @property
    def grade_key(self) -> str:
        """What stands above the grades: a share of the points is none."""
        return "percent" if self.marks.scheme.grades == PERCENT else "grade"

    def grade_of(self, pupil: PupilMarks) -> str:
        """The grade of a pupil who handed something in; "" while answers in words are unmarked."""
        earned, most = self.marks.total(pupil)
        if any(task.waits for task in pupil.tasks):
            return ""
        if self.marks.scheme.grades == PERCENT:  # without the spaces of print, for other programs
            return " ".join(percent(earned / most, 0, self.words.language).split())
        return self.marks.scheme.grade(earned / most)

    def boxes(self) -> Iterator[list[str | float]]:
        """A row for every box of everybody, in the columns `BOX_COLUMNS`."""
        words, decided = self.words.t("exam.words"), self.words.t("grading.how.decided")
        for pupil in self.marks.handed_in:
            for task in pupil.tasks:
                for mark in task.marks:
                    yield [pupil.code, task.name, *self._box(task, mark)]
                if (share := task.share_by_hand) is not None:
                    blanks = [""] * 5
                    yield [pupil.code, task.name, words, *blanks, share, decided, "", WORDS, ""]

    def _box(self, task: TaskMarks, mark: BoxMark) -> Iterator[str | float]:
        step, catalogue = task.step(mark.cell), self.words.catalogue
        yield placed(catalogue, step.name)
        yield row_label(catalogue, step.rows[mark.cell[1]])
        yield step.columns[mark.cell[2]]
        yield "" if mark.typed is None else mark.typed
        yield mark.right
        yield "" if mark.expected is None else mark.expected
        yield mark.credit
        yield self.words.how(mark)
        yield self.words.causes(task.name, mark)
        yield address(mark.cell)
        yield " ".join((mark.how.value, *mark.causes))


def credits(marks: ClassMarks) -> Credits:
    """What each box earned, and the answers in words of each task."""
    shares: dict[tuple[str, str, str], float] = {}
    for pupil in marks.handed_in:
        for task in pupil.tasks:
            for mark in task.marks:
                shares[pupil.code, task.name, address(mark.cell)] = mark.credit
            if (share := task.share_by_hand) is not None:
                shares[pupil.code, task.name, WORDS] = share
    return shares


def journal(before: Credits | None, after: Credits, written: bytes, words: ResultWords) -> bytes:
    """The journal with what this run changed below what it says already; no clock in it.

    `before` are the credits of the run before; None for the first one.
    """
    lines = list(csv.reader(io.StringIO(written.decode("utf-8-sig", errors="replace"))))[1:]
    run = int(lines[-1][0]) + 1 if lines and lines[-1][0].isdigit() else 1
    for key in sorted({**(before or {}), **after}):
        old, new = (before or {}).get(key), after.get(key)
        if before is not None and old != new:
            lines.append([str(run), *key, *("" if x is None else f"{x:g}" for x in (old, new))])
    if before is None:
        said = words.t("grading.journal.first", count=len(after))
        lines.append([str(run), "", "", said, "", ""])
    return columns.written([[words.t(f"grading.{head}") for head in JOURNAL], *lines], ",")


def written_before(place: Path) -> Credits | None:
    """What each box earned in the run before; None for no run, `UserError` for a damaged file."""
    path = place / BOXES
    content = path.read_bytes() if path.is_file() else b""
    if not content:
        return None
    code, sheet, credit, cell = map([*BOX_COLUMNS].index, ("code", "sheet", "credit", "address"))
    try:
        return {
            (str(line[code]), str(line[sheet]), str(line[cell])): float(str(line[credit]))
            for line in lines_of(content)
        }
    except BROKEN as error:  # a teacher may have edited or damaged it
        raise refused("grade.before", path=path, error=error) from error
