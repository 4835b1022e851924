"""The list for typing in what stands on paper, one row per pupil, one column per cell; its reading.

Its first cell holds a code drawn from the batch's seed, so that no pupil can hand in such a list.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.classroom.desk.key_rows import asked
from generator.classroom.files.pool import HERE, Pool, in_order, portions
from generator.classroom.pupils import columns as csv_cells
from generator.classroom.pupils.pupil_codes import code_of
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import UserError, first_of
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading.entries import CSV, Entries, PupilTask, Source, Stray, Taken
from generator.grading.reading.raw import NotOurs, Reason
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
    language = batch.lesson.teachers.language
    texts = of_norm(load(language), batch.lesson.preset.norm_form)
    rows: dict[str, set[ListColumn]] = {}
    titles: dict[ListColumn, str] = {}
    for code in batch.records:
        rows[code] = set()
        for task in batch.seat(code).tasks:
            for column, title in _columns(task, texts):
                rows[code].add(column)
                if titles.setdefault(column, title) != title:
                    titles[column] = f"{column.sheet} {placed(texts, column.step)}: {column.column}"
    order = _in_order(titles)
    lines = [[mark_of(batch), "", "", *map(str, order)]]
    lines.append([*ABOUT, *(titles[column] for column in order)])
    for code, record in batch.records.items():
        boxes = ("" if column in rows[code] else NOT_ASKED for column in order)
        lines.append([code, record.key, str(record.number or ""), *boxes])
    return csv_cells.written(lines, csv_cells.delimiter(language))


def _columns(task: PupilTask, texts: Catalogue) -> Iterator[tuple[ListColumn, str]]:
    """The columns of a pupil's task, each with what a reader calls it, in computation's order."""
    for sheet, plan in task.plans.items():
        assert isinstance(plan, Plan)
        for step, cell in asked(task.trace, plan):
            column = column_of(sheet, plan, task.trace, cell)
            row = "" if column.row == OWN or step.shape[0] == 1 else step.rows[cell[1]]
            parts = filter(None, (row and row_label(texts, row), step.columns[cell[2]]))
            yield column, f"{sheet} {placed(texts, step.name)}: {', '.join(parts)}"


def _in_order(columns: Iterable[ListColumn]) -> list[ListColumn]:
    """By sheet, then by step as first met, then own row first."""
    sheets: dict[str, int] = {}
    steps: dict[tuple[str, str], int] = {}
    for column in columns:
        sheets.setdefault(column.sheet, len(sheets))
        steps.setdefault((column.sheet, column.step), len(steps))

    def place(column: ListColumn) -> tuple[int, int, int, int]:
        row = 0 if column.row == OWN else int(column.row)
        return sheets[column.sheet], steps[column.sheet, column.step], row, column.column

    return sorted(columns, key=place)


# Reading -----------------------------------------------------------------------------------------


def entries_of(
    rows: Sequence[Sequence[str]], file: str, batch: Batch, workers: Pool = HERE
) -> Taken:
    """The entries of each row and sheet, and the rows that nobody has; `NotOurs` for other tables.

    A pupil is named by code, id or number, in the first of these columns that is filled.
    """
    mark = rows[0][0].strip() if rows and rows[0] else ""
    if not mark.startswith(MARK.partition("/")[0]):
        raise NotOurs("text")
    if mark != mark_of(batch):
        raise NotOurs("list")
    filled = [(n, row) for n, row in enumerate(rows[2:], 3) if any(cell.strip() for cell in row)]
    if not filled:
        raise NotOurs("list_empty")
    lines = ListLines(batch.folder, file, tuple(cell.strip() for cell in rows[0]))
    taken: Taken = [], []
    for _, (entries, problems) in in_order(workers, lines.read, portions(filled, CHUNK)):
        taken[0].extend(entries)
        taken[1].extend(problems)
    return taken


class ListLines(NamedTuple):
    """Reads lines of a batch's list with these columns; small enough to be sent to a process."""

    folder: Path
    file: str
    keys: tuple[str, ...]

    def read(self, lines: Iterable[tuple[int, Sequence[str]]]) -> Taken:
        """The entries of some lines, each with its number; and what stands where nothing is asked.

        The entries are one for each sheet of a pupil.
        """
        batch, entries, stray = batch_in(self.folder), list[Entries](), list[Stray]()
        for number, row in lines:
            name, wanted = f"{self.file}, line {number}", filter(str.strip, row[: len(ABOUT)])
            try:
                code = batch.manifest.entry(csv_cells.text(next(wanted, ""))).code
                typed = self._typed(row)
                for task in batch.seat(code).tasks:
                    entries += self._of_task(task, code, typed)
            except UserError as error:
                stray.append(Stray(name, Reason.of(error)))
                continue
            if typed:  # what no sheet has taken
                columns = ", ".join(first_of([f"{key!r}" for key in typed]))
                stray.append(Stray(name, Reason("not_asked", {"code": code, "columns": columns})))
        return entries, stray

    def _typed(self, row: Sequence[str]) -> dict[str, str]:
        """What stands in a line, by column."""
        return {
            key: csv_cells.text(cell).strip()
            for key, cell in list(zip(self.keys, row, strict=False))[len(ABOUT) :]
            if cell.strip() not in _BLANKS
        }

    def _of_task(self, task: PupilTask, code: str, typed: dict[str, str]) -> Iterator[Entries]:
        """The entries of each sheet, which are taken out of what was typed."""
        for sheet, plan in task.plans.items():
            columns = {c: str(column_of(sheet, plan, task.trace, c)) for c in sorted(plan.asked)}
            cells = {cell: typed.pop(key) for cell, key in columns.items() if key in typed}
            yield Entries(Source(self.file, CSV, code, (sheet,)), cells)
