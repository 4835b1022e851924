"""The results as tables: grades.csv for the gradebook, every box for grading.xlsx, the journal."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from generator.classroom import csv_cells
from generator.grading.class_marks import ClassMarks, PupilMarks
from generator.grading.decisions import address
from generator.grading.entries import WORKBOOK
from generator.grading.marks import Mark, TaskMarks
from generator.grading.wording import cause_words, how_words, sheet_name
from generator.locales.catalogue import Catalogue
from generator.notation.numbers import MINUS, number
from generator.sheets.series import in_workbook
from generator.sheets.titles import placed, row_label

BOX_COLUMNS: Final = (
    *("code", "sheet", "step", "row", "column", "typed", "right", "carried"),
    *("credit", "how", "cause", "address", "key"),
)
Credits = Mapping[tuple[str, str, str], float]  # by code, sheet and address
JOURNAL: Final = ("run", "code", "sheet", "cell", "before", "after")


def grades(marks: ClassMarks, catalogue: Catalogue, *, names: bool) -> bytes:
    """`grades.csv`: one row per pupil, points by task and in all; empty where nothing came back.

    The first column is the id of the class list, which Moodle calls idnumber. Semicolons where the
    language has a decimal comma.
    """
    tasks = marks.tasks
    heads = ["idnumber", catalogue.t("grading.csv.code")]
    heads += [catalogue.t("grading.csv.name")] * names
    heads += [sheet_name(catalogue, task) for task in tasks]
    heads += [catalogue.t(f"grading.csv.{key}") for key in ("total", "most", "grade", "remarks")]
    rows = [_grade_row(pupil, marks, catalogue, names) for pupil in marks.pupils]
    return _csv([heads, *rows], catalogue.language)


def _grade_row(
    pupil: PupilMarks, marks: ClassMarks, catalogue: Catalogue, names: bool
) -> list[str]:
    tasks = [pupil.task(name) for name in marks.tasks]
    who = [pupil.key, pupil.code] + [pupil.name] * names
    points = [points_shown(task.points, catalogue) if task else "" for task in tasks]
    there = [task for task in tasks if task]
    if not there:
        return [*who, *points, "", "", "", ""]
    earned, most = total(pupil, marks)
    sums = [points_shown(earned, catalogue), points_shown(most, catalogue)]
    return [*who, *points, *sums, grade_of(pupil, marks), " · ".join(pupil.remarks)]


def grade_of(pupil: PupilMarks, marks: ClassMarks) -> str:
    """The grade of a pupil who handed something in; "" while answers in words are not marked."""
    earned, most = total(pupil, marks)
    return "" if any(task.waits for task in pupil.tasks) else marks.scheme.grade(earned / most)


def total(pupil: PupilMarks, marks: ClassMarks) -> tuple[float, float]:
    """A pupil's points and those that there are: a task that did not come back earns nothing.

    An exam's workbook is another edition of its sheets: it counts for who handed in none of these.
    """
    most = {task.name: task.most for one in marks.pupils for task in one.tasks}
    own = {task.name: task for task in pupil.tasks}
    if any(task.worth for one in marks.pupils for task in one.tasks):
        sheets = own.keys() - {WORKBOOK}
        left_out = (
            {WORKBOOK}
            if sheets or WORKBOOK not in own
            else {*in_workbook(most.keys() - {WORKBOOK})}
        )
        most = {name: points for name, points in most.items() if name not in left_out}
        own = {name: task for name, task in own.items() if name not in left_out}
    there = most | {name: task.most for name, task in own.items()}
    return sum(task.points for task in own.values()), sum(there.values())


def points_shown(value: float, catalogue: Catalogue) -> str:
    """Points with the decimals that they have, at most two."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return number(float(shown), None, catalogue.language).replace(MINUS, "-")


def _csv(rows: Iterable[Iterable[str]], language: str) -> bytes:
    out = io.StringIO()
    table = csv.writer(out, delimiter=csv_cells.delimiter(language), lineterminator="\r\n")
    table.writerows([csv_cells.cell(text) for text in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


# Every box ---------------------------------------------------------------------------------------


def boxes(marks: ClassMarks, catalogue: Catalogue) -> Iterator[list[str | float]]:
    """A row for every box of everybody, in the columns `BOX_COLUMNS`."""
    for pupil in marks.handed_in:
        for task in pupil.tasks:
            for mark in task.marks:
                yield _box(pupil, task, mark, catalogue)


def _box(pupil: PupilMarks, task: TaskMarks, mark: Mark, catalogue: Catalogue) -> list[str | float]:
    one, step = mark.judged, task.step(mark.cell)
    blank = ""
    return [
        pupil.code,
        task.name,
        placed(catalogue, step.name),
        row_label(catalogue, step.rows[mark.cell[1]]),
        step.columns[mark.cell[2]],
        blank if one.typed is None else one.typed,
        one.right,
        blank if one.expected is None else one.expected,
        mark.credit,
        how_words(catalogue, mark),
        cause_words(catalogue, task.name, mark),
        address(mark.cell),
        " ".join((one.how.value, *mark.causes)),
    ]


def credits(marks: ClassMarks) -> dict[tuple[str, str, str], float]:
    """What each box earned."""
    return {
        (pupil.code, task.name, address(mark.cell)): mark.credit
        for pupil in marks.handed_in
        for task in pupil.tasks
        for mark in task.marks
    }


def journal(before: Credits | None, after: Credits, written: bytes) -> bytes:
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
        lines.append([str(run), "", "", "", "0", f"{len(after)}"])
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(
        [csv_cells.cell(text) for text in line] for line in [JOURNAL, *lines]
    )
    return out.getvalue().encode("utf-8-sig")
