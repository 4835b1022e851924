"""Whose a file is that came back, and what was typed into it.

A PDF form and an exercise workbook carry their owner's mark; handwriting on a form's pages is left
to a person. The list for typing in what stands on paper has one column per pupil, one row per cell.

Also here:

* That list, empty. Its first cell holds a code drawn from the batch's seed, so that no pupil can
  hand in such a list.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat, zip_longest
from types import MappingProxyType
from typing import NamedTuple

from generator.checks.exercise import Exercise
from generator.classroom.desk.key_rows import asked
from generator.classroom.files.pool import HERE, Pool, in_order, portions
from generator.classroom.pupils import columns as csv_cells
from generator.classroom.pupils.pupil_codes import code_of
from generator.engine.step import Cell, Step
from generator.errors import UserError, first_of, require
from generator.grading.marking.task import AskedSeat, Batch, PupilTask
from generator.grading.reading.entries import CSV, WORKBOOK, Entries, Found, Number, Source, Stray
from generator.grading.reading.raw import LIST, MOST_COLUMNS, NotOurs, Raw, Reason, require_ours
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import load
from generator.locales.locale import of_norm
from generator.render.owner import FORMAT, NAME, Owner, owner_in
from generator.render.workbook.layout.bands import lay_out
from generator.render.workbook.layout.box import Box, at, defined_name
from generator.render.workbook.layout.layout import Layout
from generator.render.workbook.plain_table import Column, render
from generator.render.worksheet.form_fields import field_name
from generator.sheets.plan import Plan
from generator.sheets.titles import placed, row_label


@dataclass(frozen=True)
class OwnFile(ABC):
    """What a file holds, its name as the teacher sees it, and the batch that it should be of."""

    raw: Raw
    file: str
    batch: Batch

    @cached_property
    @abstractmethod
    def owner(self) -> Owner:
        """Whose file it is; `NotOurs` where it does not say."""

    @abstractmethod
    def _entries(self) -> Iterator[Found]:
        """What was typed, and what a person should know of it; `NotOurs` where nobody can tell."""

    def found(self) -> Iterator[Found]:
        """What the file holds; `NotOurs` for what another version or nobody's batch made."""
        owner, ours = self.owner, self.batch.lesson.batch
        require_ours(owner.format == FORMAT, "version", found=owner.format, expected=FORMAT)
        require_ours(owner.batch, "make")
        require_ours(owner.batch == ours, "batch", theirs=owner.batch, ours=ours)
        require_ours(owner.code in self.batch.records, "code", code=owner.code)
        yield from self._entries()

    @cached_property
    def _seat(self) -> AskedSeat:
        return self.batch.seat(self.owner.code)

    def _of(
        self, sheets: tuple[str, ...], typed: dict[Cell, Number], given: dict[Cell, Number]
    ) -> Entries:
        """The entries for these sheets."""
        source = Source(self.file, self.raw["kind"], self.owner.code, sheets)
        return Entries(source, typed, given, self.raw["changed"])


_PLACE = re.compile(r"(\w+)\[(\d{1,4})\]\[(\d{1,4})\](?:~\d+)?")


class FilledForm(OwnFile):
    """A PDF that came back."""

    @cached_property
    def owner(self) -> Owner:
        """Whose form it is; `NotOurs` where its properties do not say."""
        if owner := owner_in(str(self.raw["identifier"])):
            return owner
        raise NotOurs("nobody" if self.raw["fields"] else "scan")

    def _entries(self) -> Iterator[Found]:
        """What was typed, and what else lies on the pages; no entries where all of it is by hand.

        Raises `NotOurs` for a form whose fields are gone: printed into a PDF, as some programs do;
        and where a page has another pupil's code on it than the properties have: nobody can tell
        whose numbers were computed.
        """
        require_ours(self.raw["fields"], "flat")
        code, typed = self.owner.code, self._typed()
        for page, codes in enumerate(self.raw["printed"], 1):
            if others := [one for one in codes if one != code and one in self.batch.records]:
                raise NotOurs("pages_disagree", code=code, page=page, other=others[0])
        damaged = self.raw["written"] or self.raw["mended"]
        if typed or not damaged:
            yield self._of(self.owner.sheets, typed, {})
        if damaged:
            key = ("mended" if self.raw["mended"] else "pen") + "_taken" * bool(typed)
            yield Stray(self.file, Reason(key))

    def _typed(self) -> dict[Cell, Number]:
        """Each field's text at its cell; of two boxes for one cell the first that is filled."""
        trace = self._seat.on_paper(self.owner.sheets).trace
        names = {field_name(step.name): step for step in trace}
        typed: dict[Cell, Number] = {}
        for name, text in sorted(self.raw["entries"].items()):  # "…~2" behind the first box
            match = _PLACE.fullmatch(name)
            if match and (step := names.get(match[1])) is not None:
                i, j = int(match[2]), int(match[3])
                if i < step.shape[0] and j < step.shape[1]:
                    typed.setdefault((step.name, i, j), text)
        return typed


OURS = "paperformer/"
FORMULA = "=…"  # in place of a formula that was saved without its value: nobody can read it


class FilledWorkbook(OwnFile):
    """A workbook that came back."""

    @cached_property
    def owner(self) -> Owner:
        """Whose it is: by its properties, or where a program dropped them by its first tab.

        Raises `NotOurs` for one that nobody in particular was given.
        """
        identifier = str(self.raw["identifier"])
        first = self.raw["tables"].get(NAME) or [[None]]
        owners = set(filter(None, map(owner_in, (identifier, str(first[0][0])))))
        if len(owners) > 1:
            one, other = sorted(map(str, owners))
            raise NotOurs("disagree", one=one, other=other)
        if owners:
            return owners.pop()
        require_ours(identifier.startswith(OURS), "foreign")
        raise NotOurs("older" if "|exercise|" in identifier else "solution")

    def _entries(self) -> Iterator[Found]:
        """What was typed and what was given; `NotOurs` where cells are not found."""
        asked, uncomputed = sorted(self._seat.in_workbook.asked), set(self.raw["uncomputed"])
        homes = [(cell, self._layout.home(cell[0])) for cell in asked]
        unknown: dict[Cell, Number] = {
            cell: FORMULA
            for cell, box in homes
            if f"{box.sheet}!{box.cell(*cell[1:])}" in uncomputed
        }
        typed = unknown | dict(self._filled(asked))
        yield self._of((WORKBOOK,), typed, dict(self._filled(self._given())))

    @cached_property
    def _layout(self) -> Layout:
        return layout_of(self._seat.in_workbook)

    def _given(self) -> Iterator[Cell]:
        """The cells of given steps that the file still has."""
        for step in self._seat.in_workbook.trace:
            if step.kind == "given" and self._fits(self._layout.home(step.name)):
                height, width = step.shape
                yield from ((step.name, i, j) for i in range(height) for j in range(width))

    def _fits(self, box: Box) -> bool:
        rows = self.raw["tables"].get(defined_name(box.step), [])
        return len(rows) == box.height and all(len(row) == box.width for row in rows)

    def _filled(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, Number]]:
        """The cells in which something stands, each with that."""
        for cell in cells:
            box = self._layout.home(cell[0])
            require_ours(self._fits(box), "moved", step=cell[0])
            row, column = box.place(*cell[1:])
            value = self.raw["tables"][defined_name(box.step)][row - box.row][column - box.column]
            if value is not None:
                yield cell, value


def layout_of(task: PupilTask) -> Layout:
    """Where the cells stood when the workbook was made."""
    trace = Exercise(task.trace, task.asked).without_numbers()
    catalogue = checked_catalogue(load(trace.language), task.trace)
    return lay_out(trace, catalogue, task.asked)


# The list from paper ------------------------------------------------------------------------------

TYPED = "typed.xlsx"
MARK = f"{LIST}1"
ABOUT = ("code", "id", "number")
NOT_ASKED = "–"
OWN = "own"  # in the place of a row's number: the row that the pupil computes
_BLANKS = ("", "-", NOT_ASKED)
WIDTHS, WIDTH = (0, 56), 12  # characters: of a column for the program, of titles, of others
MOST_NAMED = 3  # rows or heads of one column
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


def columns_of(task: PupilTask) -> Iterator[tuple[ListColumn, Step, Cell]]:
    """The column of each asked cell, in the order of computation, with its step."""
    for sheet, plan in task.plans.items():
        assert isinstance(plan, Plan)
        for step, (name, i, j) in asked(task.trace, plan):
            # The rows of a matrix are the vocabulary's words, of which a sentence may have all.
            own = i == plan.own and step.rows == task.trace.tokens and "matrix" not in name
            yield ListColumn(sheet, name, OWN if own else str(i + 1), j + 1), step, (name, i, j)


def mark_of(batch: Batch) -> str:
    """What stands in the first cell of the batch's own list."""
    lesson = batch.lesson
    return f"{MARK} · {lesson.batch} · {code_of(lesson.seed, f'list {lesson.batch}')}"


# Writing -----------------------------------------------------------------------------------------


def template(rows: Sequence[Sequence[str]], language: str) -> bytes:
    """The rows of the empty list as an xlsx file, turned: a sheet is typed downwards.

    Raises `UserError` for more pupils than a spreadsheet has columns.
    """
    require(len(rows) <= MOST_COLUMNS, "grade.columns", count=len(rows) - 2, most=MOST_COLUMNS - 2)
    heads, *lines = zip(*rows, strict=True)
    columns = list(map(Column, heads, chain(WIDTHS, repeat(WIDTH))))
    boxes = ([one or None for one in line] for line in lines)
    after, title = f"C{first_box(rows[0]) + 1}", load(language).t("grading.list")
    return render(title, lambda _: title, columns, boxes, language, after)


def first_box(keys: Sequence[str]) -> int:
    """Where in the first row of a list the boxes begin; before it stands who it is."""
    return next((k for k, key in enumerate(keys) if k and " " in key), len(ABOUT))


def list_rows(batch: Batch, names: Mapping[str, str] = MappingProxyType({})) -> list[Sequence[str]]:
    """The empty list, still to be turned: two heads, a row per pupil; "–" where nothing is asked.

    The pupil's name stands first where there are `names` by code.
    """
    language = batch.lesson.teachers.language
    texts = of_norm(load(language), batch.lesson.preset.norm_form)
    rows: dict[str, set[ListColumn]] = {code: set() for code in batch.records}
    titles: dict[ListColumn, tuple[str, dict[str, None], dict[str, None]]] = {}
    for code, own in rows.items():
        for column, step, (_, i, j) in chain.from_iterable(map(columns_of, batch.seat(code).tasks)):
            own.add(column)
            kind = f"{column.sheet} {placed(texts, step.name)}"
            _, places, heads = titles.setdefault(column, (kind, {}, {}))
            if step.shape[1] > 1:
                heads[step.columns[j]] = None
            if column.row != OWN and step.shape[0] > 1:
                places[row_label(texts, step.rows[i])] = None
    order = _in_order(titles)
    head = [texts.t("grading.csv.name")] if names else []
    lines: list[Sequence[str]] = [[mark_of(batch), *[""] * (len(head) + 2), *map(str, order)]]
    about = (texts.t(f"class.key.{one}") for one in ABOUT)
    lines.append([*head, *about, *(_title(column, *titles[column]) for column in order)])
    for code, record in batch.records.items():
        boxes = ("" if column in rows[code] else NOT_ASKED for column in order)
        who = [names.get(code, "")] if names else []
        lines.append([*who, code, record.key, str(record.number or ""), *boxes])
    return lines


def _title(column: ListColumn, kind: str, rows: Iterable[str], heads: Iterable[str]) -> str:
    """What a person reads above a column: its row and its own head, as far as they tell something.

    Where pupils have several, as with sentences of their own, number and names: "2: Katze/Hund".
    """
    parts = (_one_of(column.row, [*rows]), _one_of(str(column.column), [*heads]))
    return f"{kind}: {', '.join(filter(None, parts))}"


def _one_of(number: str, names: Sequence[str]) -> str:
    several = "/".join(names[:MOST_NAMED]) + " …" * (len(names) > MOST_NAMED)
    return f"{number}: {several}" if len(names) > 1 else several


def _in_order(columns: Collection[ListColumn]) -> list[ListColumn]:
    """By sheet, then by step as first met, then own row first."""
    steps = list(dict.fromkeys((column.sheet, column.step) for column in columns))
    sheets = list(dict.fromkeys(sheet for sheet, _ in steps))

    def place(column: ListColumn) -> tuple[int, ...]:
        row = 0 if column.row == OWN else int(column.row)
        return sheets.index(column.sheet), steps.index(column[:2]), row, column.column

    return sorted(columns, key=place)


# Reading -----------------------------------------------------------------------------------------


def entries_of(
    rows: Sequence[Sequence[str]], file: str, batch: Batch, workers: Pool = HERE
) -> Iterator[Found]:
    """The entries of each pupil and sheet, and columns of nobody; `NotOurs` for other tables.

    Each pupil has a column with code, id or number on top; the first of these counts.
    """
    mark = rows[0][0].strip() if rows and rows[0] else ""
    require_ours(mark.startswith(LIST.rstrip("/")), "text")
    require_ours(mark == mark_of(batch), "list")
    turned = list(zip_longest(*rows, fillvalue=""))
    filled = [
        (at(1, n).removesuffix("1"), one)
        for n, one in enumerate(turned[2:], 3)
        if "".join(one).strip()
    ]
    require_ours(filled, "list_empty")
    keys = tuple(map(str.strip, turned[0]))
    titles = dict(zip(keys, turned[1], strict=True))
    lines = ListLines(batch, file, keys, titles, first_box(keys))
    for _, found in in_order(workers, lines.read, portions(filled, CHUNK)):
        yield from found


class ListLines(NamedTuple):
    """Reads pupils' columns of a batch's list, as lines; small enough to be sent to a process.

    `asked` is where those begin that hold answers; before it stands who it is.
    """

    batch: Batch
    file: str
    keys: tuple[str, ...]
    titles: Mapping[str, str]
    asked: int

    def read(self, lines: Iterable[tuple[str, Sequence[str]]]) -> list[Found]:
        """The entries of some lines, each with its letter; and what stands where nothing is asked.

        The entries are one for each sheet of a pupil.
        """
        found: list[Found] = []
        for number, row in lines:
            name = f"{self.file}:{number}"
            try:
                found += self._line(name, row)
            except UserError as error:
                found.append(Stray(name, Reason.of(error)))
        return found

    def _line(self, name: str, row: Sequence[str]) -> Iterator[Found]:
        about = row[self.asked - len(ABOUT) : self.asked]  # after the name
        wanted = next(filter(str.strip, about), "")
        try:
            code = self.batch.code(csv_cells.text(wanted))
        except UserError as error:
            raise NotOurs("pupil", wanted=wanted.strip()) from error
        cells = dict(list(zip(self.keys, row, strict=False))[self.asked :])
        typed = {k: csv_cells.text(x).strip() for k, x in cells.items() if x.strip() not in _BLANKS}
        for task in self.batch.seat(code).tasks:
            entries: dict[str, dict[Cell, Number]] = {sheet: {} for sheet in task.plans}
            for column, _, cell in columns_of(task):
                if str(column) in typed:  # what no sheet takes is left over
                    entries[column.sheet][cell] = typed.pop(str(column))
            for sheet, own in entries.items():
                yield Entries(Source(self.file, CSV, code, (sheet,)), own)
        if typed:
            left = ", ".join(first_of([repr(self.titles.get(key) or key) for key in typed]))
            names = {"code": code, "columns": left, "count": len(typed)}
            yield Stray(name, Reason("not_asked_taken", names))
