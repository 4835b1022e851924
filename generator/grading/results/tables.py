"""The results as tables: grades.csv for the gradebook, every box for grading.xlsx, the journal."""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from generator.classroom.pupils import columns
from generator.grading.marking.class_marks import ClassMarks, PupilMarks
from generator.grading.marking.decisions import address
from generator.grading.marking.marks import BoxMark, TaskMarks
from generator.grading.marking.scheme import PERCENT
from generator.grading.reading.entries import WORKBOOK
from generator.grading.results.wording import cause_words, how_words, sheet_name
from generator.locales.catalogue import Catalogue
from generator.notation.shown import MINUS, number, percent
from generator.sheets.series import in_workbook
from generator.sheets.titles import placed, row_label

BOX_COLUMNS: Final = (
    *("code", "sheet", "step", "row", "column", "typed", "right", "carried"),
    *("credit", "how", "cause", "address", "key"),
)
WORDS: Final = "words"  # in place of a box's address
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
    out = left_out(pupil, marks)
    remarks = [*pupil.remarks]
    if twice := [sheet_name(catalogue, task.name) for task in there if task.name in out]:
        remarks.append(catalogue.t("grading.csv.twice", tasks=", ".join(twice)))
    return [*who, *points, *sums, grade_of(pupil, marks, catalogue), " · ".join(remarks)]


def grade_of(pupil: PupilMarks, marks: ClassMarks, catalogue: Catalogue) -> str:
    """The grade of a pupil who handed something in; "" while answers in words are not marked."""
    earned, most = total(pupil, marks)
    if any(task.waits for task in pupil.tasks):
        return ""
    if marks.scheme.grades == PERCENT:
        return plain_spaces(percent(earned / most, 0, catalogue.language))
    return marks.scheme.grade(earned / most)


def plain_spaces(text: str) -> str:
    """The text without the spaces of print, for a table that other programs read."""
    return " ".join(text.split())


def total(pupil: PupilMarks, marks: ClassMarks) -> tuple[float, float]:
    """A pupil's points and those that there are: a task that did not come back earns nothing."""
    out = left_out(pupil, marks)
    most = [points for name, points in _most(pupil, marks).items() if name not in out]
    return sum(task.points for task in pupil.tasks if task.name not in out), sum(most)


def left_out(pupil: PupilMarks, marks: ClassMarks) -> Collection[str]:
    """The tasks that do not count for a pupil: a workbook is another edition of its sheets.

    One of the two counts, unless the scheme gives the workbook points of its own. Who handed in
    both has the one that earns the larger share; in an exam the sheets, for its workbook asks for
    no words.
    """
    if WORKBOOK in marks.scheme.points:
        return ()
    own = {task.name: task.points for task in pupil.tasks}
    most = _most(pupil, marks)
    tabs = {*in_workbook(most.keys() - {WORKBOOK})}
    if WORKBOOK not in own or (marks.printed and own.keys() - {WORKBOOK}):
        return (WORKBOOK,)
    on_sheets = sum(own.get(name, 0.0) for name in tabs) / (sum(most[n] for n in tabs) or 1)
    return (WORKBOOK,) if on_sheets > own[WORKBOOK] / most[WORKBOOK] else tabs


def _most(pupil: PupilMarks, marks: ClassMarks) -> dict[str, float]:
    return {**marks.most, **{task.name: task.most for task in pupil.tasks}}


def points_shown(value: float, catalogue: Catalogue) -> str:
    """Points with the decimals that they have, at most two."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return number(float(shown), None, catalogue.language).replace(MINUS, "-")


def _csv(rows: Iterable[Iterable[str]], language: str) -> bytes:
    out = io.StringIO()
    table = csv.writer(out, delimiter=columns.delimiter(language), lineterminator="\r\n")
    table.writerows([columns.cell(text) for text in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


# Every box ---------------------------------------------------------------------------------------


def boxes(marks: ClassMarks, catalogue: Catalogue) -> Iterator[list[str | float]]:
    """A row for every box of everybody, in the columns `BOX_COLUMNS`."""
    for pupil in marks.handed_in:
        for task in pupil.tasks:
            for mark in task.marks:
                yield _box(pupil, task, mark, catalogue)
            if task.most_by_hand and task.by_hand is not None:
                yield _words(pupil, task, catalogue)


def _words(pupil: PupilMarks, task: TaskMarks, catalogue: Catalogue) -> list[str | float]:
    """The line for a task's answers in words, whose points the teacher has typed in."""
    lead = [pupil.code, task.name, catalogue.t("exam.words")]
    decided = catalogue.t("grading.how.decided")
    return [*lead, "", "", "", "", "", _for_words(task), decided, "", WORDS, ""]


def _for_words(task: TaskMarks) -> float:
    return (task.by_hand or 0.0) / task.most_by_hand


def _box(
    pupil: PupilMarks, task: TaskMarks, mark: BoxMark, catalogue: Catalogue
) -> list[str | float]:
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
    """What each box earned, and the answers in words of each task."""
    shares: dict[tuple[str, str, str], float] = {}
    for pupil in marks.handed_in:
        for task in pupil.tasks:
            for mark in task.marks:
                shares[pupil.code, task.name, address(mark.cell)] = mark.credit
            if task.most_by_hand and task.by_hand is not None:
                shares[pupil.code, task.name, WORDS] = _for_words(task)
    return shares


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
        lines.append([str(run), "", "", f"first run, {len(after)} boxes", "", ""])
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(
        [columns.cell(text) for text in line] for line in [JOURNAL, *lines]
    )
    return out.getvalue().encode("utf-8-sig")
