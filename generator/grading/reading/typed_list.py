"""The list for typing in what stands on paper, one row per pupil, one column per cell; its reading.

Its first cell holds a code drawn from the batch's seed, so that no pupil can hand in such a list.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.classroom.desk.key_rows import asked
from generator.classroom.desk.manifest import entry
from generator.classroom.files.pool import HERE, Pool, in_order
from generator.classroom.numbers.lesson import teachers
from generator.classroom.pupils import columns as csv_cells
from generator.classroom.pupils.pupil_codes import code_of
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError, first_of
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading.entries import CSV, Entries, PupilTask, Source, Stray
from generator.grading.reading.raw import NotOurs
from generator.locales.catalogue import Catalogue, load
from generator.locales.locale import of_norm
from generator.plans.workbook import WorkbookPlan
from generator.sheets.plan import Plan
from generator.sheets.titles import placed, row_label

MARK = "paperformer-list/1"
ABOUT = ("code", "id", "number")
NOT_ASKED = "–"
OWN = "own"  # in the place of a row's number: the row that the pupil computes
_BLANKS = ("", "-", NOT_ASKED)
CHUNK = 8  # lines that a process reads at a time, for it makes each pupil's numbers again


class ListColumn(NamedTuple):
    """A cell of a sheet, the same for pupils who compute other rows: "4a block1.head1.sum own 1".

    `row` and `column` count from 1.
    """

    sheet: str
    step: str
    row: str
    column: int

    def __str__(self) -> str:
        return f"{self.sheet} {self.step} {self.row} {self.column}"


def column_of(sheet: str, plan: Plan | WorkbookPlan, trace: Trace, cell: Cell) -> ListColumn:
    """The column of an asked cell."""
    name, i, j = cell
    own = i == plan.own and trace[name].rows == trace.tokens
    return ListColumn(sheet, name, OWN if own else str(i + 1), j + 1)


def mark_of(batch: Batch) -> str:
    """What stands in the first cell of the batch's own list."""
    lesson = batch.lesson
    return f"{MARK} · {lesson.batch} · {code_of(lesson.seed, f'list {lesson.batch}')}"


# Writing -----------------------------------------------------------------------------------------


def template(batch: Batch) -> bytes:
    """The empty list as a CSV: two heading lines, one row per pupil; "–" where nothing is asked.

    Semicolons where the language of the lesson has a decimal comma, else commas.
    """
    language = teachers(batch.lesson).language
    texts = of_norm(load(language), batch.lesson.preset.norm_form)
    rows: dict[str, set[ListColumn]] = {}
    titles: dict[ListColumn, str] = {}
    for code in batch.records:
        rows[code] = set()
        for column, title in _columns(batch, code, texts):
            rows[code].add(column)
            if titles.setdefault(column, title) != title:
                titles[column] = f"{column.sheet} {placed(texts, column.step)}: {column.column}"
    order = _in_order(titles, batch)
    out = io.StringIO()
    table = csv.writer(out, delimiter=csv_cells.delimiter(language), lineterminator="\r\n")
    table.writerow([mark_of(batch), "", "", *map(str, order)])
    table.writerow([*ABOUT, *(csv_cells.cell(titles[column]) for column in order)])
    for code, record in batch.records.items():
        boxes = ("" if column in rows[code] else NOT_ASKED for column in order)
        table.writerow([code, csv_cells.cell(record["key"]), record["number"] or "", *boxes])
    return out.getvalue().encode("utf-8-sig")


def _columns(batch: Batch, code: str, texts: Catalogue) -> Iterator[tuple[ListColumn, str]]:
    """The columns of a pupil, each with what a reader calls it, in the order of computation."""
    for task in batch.tasks(code):
        for sheet, plan in task.plans.items():
            assert isinstance(plan, Plan)
            for step, cell in asked(task.trace, plan):
                column = column_of(sheet, plan, task.trace, cell)
                row = "" if column.row == OWN or step.shape[0] == 1 else step.rows[cell[1]]
                parts = (row_label(texts, row) if row else "", step.columns[cell[2]])
                place = ", ".join(part for part in parts if part)
                yield column, f"{sheet} {placed(texts, step.name)}: {place}"


def _in_order(columns: Mapping[ListColumn, str], batch: Batch) -> list[ListColumn]:
    """By sheet, then by step as first met, then own row first."""
    steps: dict[tuple[str, str], int] = {}
    for column in columns:
        steps.setdefault((column.sheet, column.step), len(steps))
    sheets = list(dict.fromkeys(column.sheet for column in columns))

    def place(column: ListColumn) -> tuple[int, int, int, int]:
        row = 0 if column.row == OWN else int(column.row)
        return sheets.index(column.sheet), steps[column.sheet, column.step], row, column.column

    return sorted(columns, key=place)


# Reading -----------------------------------------------------------------------------------------


def entries_of(
    rows: Sequence[Sequence[str]], file: str, batch: Batch, workers: Pool = HERE
) -> tuple[list[Entries], list[Stray]]:
    """The entries of each row and sheet, and the rows that nobody has; `NotOurs` for other tables.

    A pupil is named by code, id or number, in the first of these columns that is filled.
    """
    mark = rows[0][0].strip() if rows and rows[0] else ""
    if not mark.startswith(MARK.partition("/")[0]):
        raise NotOurs("it is text, but not the list that `grade --template` writes")
    if mark != mark_of(batch):
        raise NotOurs("it is a list for another batch, or its first cell was changed")
    if not any(cell.strip() for row in rows[2:] for cell in row):
        raise NotOurs("it is a list without a line for any pupil")
    filled = [(n, row) for n, row in enumerate(rows[2:], 3) if any(cell.strip() for cell in row)]
    keys = tuple(cell.strip() for cell in rows[0])
    portions = (
        LinePortion(batch.folder, file, keys, tuple(filled[k : k + CHUNK]))
        for k in range(0, len(filled), CHUNK)
    )
    entries: list[Entries] = []
    stray: list[Stray] = []
    for _, (entries_of_portion, problems) in in_order(workers, _of_portion, portions):
        entries += entries_of_portion
        stray += problems
    return entries, stray


class LinePortion(NamedTuple):
    """Some lines of a list with their numbers; small enough to be sent to a process."""

    folder: Path
    file: str
    keys: tuple[str, ...]
    rows: tuple[tuple[int, Sequence[str]], ...]


def _of_portion(portion: LinePortion) -> tuple[list[Entries], list[Stray]]:
    batch, entries, stray = batch_in(portion.folder), list[Entries](), list[Stray]()
    for line, row in portion.rows:
        try:
            of_row, problem = _of_row(portion.keys, row, portion.file, batch)
        except UserError as error:
            of_row, problem = [], str(error)
        entries += of_row
        if problem:
            stray.append(Stray(f"{portion.file}, line {line}", problem))
    return entries, stray


def _of_row(
    keys: Sequence[str], row: Sequence[str], file: str, batch: Batch
) -> tuple[list[Entries], str]:
    """The entries of one pupil, one for each sheet; and what stands where nothing is asked."""
    wanted = next((cell for cell in row[: len(ABOUT)] if cell.strip()), "")
    code = entry(batch.manifest, csv_cells.text(wanted))["code"]
    typed = {
        key: csv_cells.text(cell).strip()
        for key, cell in list(zip(keys, row, strict=False))[len(ABOUT) :]
        if cell.strip() not in _BLANKS
    }
    entries = [
        _of_sheet(typed, task, sheet, file, batch, code)
        for task in batch.tasks(code)
        for sheet in task.plans
    ]
    names = [f"{key!r}" for key in typed]  # those that no sheet has taken
    if not names:
        return entries, ""
    several = ", ".join(first_of(names))
    return entries, f"something stands where {code} is asked nothing, column {several}"


def _of_sheet(
    typed: dict[str, str], task: PupilTask, sheet: str, file: str, batch: Batch, code: str
) -> Entries:
    """The entries of one sheet, which are taken out of what was typed."""
    plan, typed_cells = task.plans[sheet], dict[Cell, str | float]()
    for cell in sorted(plan.asked):
        key = str(column_of(sheet, plan, task.trace, cell))
        if key in typed:
            typed_cells[cell] = typed.pop(key)
    source = Source(file, CSV, code, batch.lesson.batch, (sheet,), plan.level)
    return Entries(source, typed_cells)
