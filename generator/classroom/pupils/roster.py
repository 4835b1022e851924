"""The class list: one pupil after the other, and what is wrong with the lines that are refused.

Also here:

* Which ids can stand on paper, in tables and in names of files on every system.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, filterfalse, islice, repeat
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from generator.classroom.pupils.columns import (
    ABOVE,
    NAMES,
    TABLES,
    BrokenRow,
    ListColumns,
    ListRow,
    bare,
    bare_columns,
    csv_rows,
    encoding_of,
    filled_of,
    found_columns,
    head_row,
    is_name,
    kind_of,
    ods_rows,
    parted,
    shortened,
    xlsx_rows,
)
from generator.errors import UserError, message, private_use, require
from generator.locales.folders import languages
from generator.locales.locale import locale_of
from generator.render.workbook.reading.read_back import UNPACKED
from generator.sheets.titles import LETTERS

OURS = ("sentence", "preset")  # columns that only we have
SHOWN = (*NAMES, "sentence")
MOST_NUMBERED = 100_000


class Pupil(NamedTuple):
    """One line of a class list; what is None is as for the whole batch.

    `id` is NFC without spaces around it, `line` the line of the file, or the row of the workbook,
    counted from 1; `extra` are the columns that are not known, or may mean something else, each
    with the pupil's text; `unread` says which of them hold nothing that can be used. `counted` says
    that the list has no ids: the id is the line's number below the heads, which is `number` in
    every list.
    """

    id: str
    name: str
    line: int
    sentence: str | None = None
    preset: str | None = None
    level: int | None = None
    language: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    counted: bool = False
    group: str | None = None
    number: int = 0
    unread: tuple[str, ...] = ()


class RefusedLine(NamedTuple):
    """A line that gives no pupil: why, in words that hold the id at most, never a name.

    `read` is what stands in it, for whoever sent the list.
    """

    line: int
    id: str
    message: str
    read: str = ""


Entry: TypeAlias = Pupil | RefusedLine


def read(path: str | Path, largest: int = UNPACKED) -> Iterator[Entry]:
    """The pupils of a class list, CSV, XLSX or ODS, in its order; a bad line is a `RefusedLine`.

    CSV: any of `columns.DELIMITERS`, in any encoding of `columns.encoding_of`; which heads are
    known see `columns.synonyms`, titles may stand above, names need none. Workbooks: the first
    sheet that holds something. Lines of CSV and XLSX stream: only the ids seen so far are kept, for
    ids that occur twice. Raises `UserError` at once, before the first pupil, where the file cannot
    be read, is no list, unpacks to more than `largest` bytes, has neither ids nor names or no line
    under its heads.
    """
    source = Path(path)
    rows: Iterator[ListRow | BrokenRow]
    if (kind := kind_of(source)) == "csv":
        rows = csv_rows(source)
    else:
        rows = (ods_rows if kind == "ods" else xlsx_rows)(source, largest)
    filled: Iterator[ListRow | BrokenRow] = filter(_filled, rows)
    top = list(islice(filled, ABOVE + 1))
    require(top, "list.empty", source=source)
    if isinstance(top[0], BrokenRow):
        raise UserError(f"class list {source}, line {top[0].line}: {top[0].why}")
    cells = [row.cells for row in top]
    heads = head_row(cells)
    if heads is None:
        # Where few names have a number, as one that was typed later has, none is an id.
        counted = 2 * sum(parted(row) != row for row in top) > len(top)
        top = [parted(row, counted=counted) for row in top]
        filled = (parted(row, counted=counted) for row in filled)
        if any(len(row.cells) > 1 for row in top):
            top, filled = list(filterfalse(_nobody, top)), filterfalse(_nobody, filled)
        above, columns = bare_columns(top, source)
    else:
        above, columns = heads + 1, found_columns(cells[heads], source)
        require(top[above:], "list.nobody", source=source, line=top[heads].line)
        below, named = cells[above:], columns.places.keys() & {*NAMES}
        if named and len(below) > 1 and not any(map(columns.id_of, below)):
            columns.places.pop("id", None)  # a column that nobody fills in
    return _entries(chain(top[above:], filled), columns)


SHOWN_PEOPLE = 5


class Doubt(NamedTuple):
    """A line of a class list to look at twice: what was read in it, and what is wrong or left."""

    line: int
    read: str
    what: str = ""


class ListSummary(NamedTuple):
    """Who stands on a class list, to be looked at before anything is made for them.

    `shown` are the names, or ids where there are none, or some. `table` calls the table of signs
    where that was found out by the names only: then some that tell are shown. `doubts` are lines to
    look at twice, by the reason: "refused", "name" (it is none), "word" (one, where most have
    more), "more" (what stands behind the name and is not used), "twice".
    """

    people: int
    shown: tuple[str, ...]
    table: str
    doubts: Mapping[str, Sequence[Doubt]]

    def __str__(self) -> str:
        people = "1 person" if self.people == 1 else f"{self.people:,} people"
        said = f"{people}: {', '.join(self.shown)}"
        twice = sorted({one.read for one in self.doubts.get("twice", ())})
        said += f"; twice: {', '.join(twice)}" if twice else ""
        return f"{said} ({message('list.guessed', table=self.table)})" if self.table else said


def summary(path: Path, largest: int = UNPACKED, most: int = SHOWN_PEOPLE) -> ListSummary:
    """What a class list was read as, with at most so many names; `UserError` as `read`."""
    entries = list(read(path, largest))
    people = [(one, _seen(one.name or one.id)) for one in entries if isinstance(one, Pupil)]
    names = [name for _, name in people]
    table = TABLES.get(encoding_of(path), "") if kind_of(path) == "csv" else ""
    first = sorted(names, key=str.isascii) if table and len(names) > most else names
    shown = (*first[:most], *["…"] * (len(first) > most))
    lost = [Doubt(one.line, one.read, one.message) for one in entries if not isinstance(one, Pupil)]
    doubts, counts = {"refused": lost} if lost else {}, Counter(names)
    some, whole = any(map(is_name, names)), 2 * sum(" " in one for one in names) > len(names)
    for one, name in people:
        unheaded = (text for head, text in one.extra if head.startswith("column "))
        left = ", ".join(filter(is_name, unheaded))
        reasons = {
            "name": some and not is_name(name),
            "word": whole and is_name(name) and " " not in name,
            "more": left,
            "twice": counts[name] > 1,
        }
        for reason in (reason for reason, holds in reasons.items() if holds):
            doubts.setdefault(reason, []).append(Doubt(one.line, name, _seen(left)))
    return ListSummary(len(people), shown, table, doubts)


def numbered(count: int) -> Iterator[Pupil]:
    """So many pupils without a list: ids "01", "02", …, as long as the last one, and no names.

    Raises `UserError` at once for a number of pupils below 1 or above 100000.
    """
    require(1 <= count <= MOST_NUMBERED, "list.count", count=count, most=MOST_NUMBERED)
    width = max(2, len(str(count)))
    return (Pupil(str(k).zfill(width), "", k, number=k) for k in range(1, count + 1))


def listed(pupils: str | Path | int) -> Iterator[Entry]:
    """The pupils of a class list, or so many without one; `UserError` as `read` and `numbered`."""
    return numbered(pupils) if isinstance(pupils, int) else read(pupils)


def same_id(pupil_id: str) -> str:
    """What two spellings of one id have in common: NFC, without capitals."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", pupil_id).casefold())


def _entries(rows: Iterator[ListRow | BrokenRow], columns: ListColumns) -> Iterator[Entry]:
    seen, known = dict[str, int](), choices()
    for number, row in enumerate(rows, start=1):
        if isinstance(row, BrokenRow):
            yield RefusedLine(row.line, "", row.why)
            continue
        line = _Line(row, columns, number, known)
        problem = next(line.problems(seen), "")
        read = shortened(" · ".join(filter(None, map(bare, row.cells))))
        yield RefusedLine(row.line, shortened(line.id), problem, read) if problem else line.pupil()


class _Line(NamedTuple):
    """A row below the heading, the so many-th of those that hold something."""

    row: ListRow
    columns: ListColumns
    number: int
    choices: "ListChoices"

    def text(self, what: str) -> str:
        """What stands in a known column, without spaces around it; "" where there is none."""
        cells = self.row.cells
        place = self.columns.places.get(what, len(cells))
        return bare(cells[place]) if place < len(cells) else ""

    @property
    def name(self) -> str:
        """First name, then last name; lists that have a first name call the last one just name."""
        last = self.text("last") or self.text("name")
        name = " ".join(map(bare, f"{self.text('first')} {last}".split()))  # in one line
        return parted(ListRow(self.row.line, (name,)), counted=False).cells[0]

    @property
    def extra(self) -> tuple[tuple[str, str], ...]:
        """What a pupil has in columns that administrations may mean otherwise, by their heads."""
        headings, places = self.columns
        used = {places.get(what) for what in ("id", *NAMES, *OURS)}
        pairs = enumerate(zip(chain(headings, repeat("")), self.row.cells, strict=False))
        return tuple(
            (heading or f"column {k + 1}", cell.strip())
            for k, (heading, cell) in pairs
            if k not in used and (heading or cell.strip())
        )

    @property
    def counted(self) -> bool:
        """Whether the list has no ids."""
        return "id" not in self.columns.places

    @property
    def id(self) -> str:
        """The pupil's id, or the line's number."""
        own = str(self.number) if self.counted else self.text("id")
        return unicodedata.normalize("NFC", own)

    def problems(self, seen: dict[str, int]) -> Iterator[str]:
        """What is wrong with it; texts are told by their columns and never by themselves."""
        yield from filter(None, [unsafe(self.id)])
        first = seen.setdefault(same_id(self.id), self.row.line)
        if first != self.row.line:
            yield message("list.same_id", id=shortened(self.id), line=first)
        for what in SHOWN:
            if what in self.columns.places:
                column = f"column {self.columns.heading(what)!r}"
                yield from filter(None, [private_use(column, self.text(what))])

    @property
    def unread(self) -> Iterator[str]:
        """Which columns have a text that is not among their choices, told as the problems are."""
        for what, (known, expected) in self.choices.items():
            text = self.text(what)
            if text and text.casefold() not in known:
                number = what == "level" and text.isdecimal() and len(text) < 4
                found = text if number else "another text"  # maybe a name
                heading = self.columns.heading(what)
                yield message("list.unread", heading=heading, found=found, expected=expected)

    def pupil(self) -> Pupil:
        """The pupil of a line without problems."""
        known = ((what, meant) for what, (meant, _) in self.choices.items())
        chosen = {what: meant.get(self.text(what).casefold()) for what, meant in known}
        return Pupil(
            id=self.id,
            name=self.name,
            line=self.row.line,
            sentence=self.text("sentence") or None,
            preset=self.text("preset") or None,
            number=self.number,
            extra=self.extra,
            counted=self.counted,
            unread=tuple(self.unread),
            **chosen,
        )


# By column, what each text in it means, without capitals, and how a refusal calls these.
ListChoices: TypeAlias = Mapping[str, tuple[Mapping[str, Any], str]]


def choices() -> ListChoices:
    """What may stand in the columns of choices, in any of the languages."""
    called = {code: (code, *locale_of(code).called) for code in languages()}
    codes = {name.casefold(): code for code, names in called.items() for name in names}
    groups = {str(k): letter for k, letter in enumerate(LETTERS, 1)}
    groups |= {letter.casefold(): letter for letter in LETTERS}
    return {
        "level": ({"1": 1, "2": 2, "3": 3}, "1, 2, 3 or nothing"),
        "language": (codes, f"{', '.join(languages())} or nothing"),
        "group": (groups, f"A to {LETTERS[-1]}, 1 to {len(LETTERS)} or nothing"),
    }


def _filled(row: ListRow | BrokenRow) -> bool:
    return isinstance(row, BrokenRow) or bool(filled_of(row.cells))


def _nobody(row: ListRow | BrokenRow) -> bool:
    """Whether it is a number and nothing else, as where a name is still to be written: "3."."""
    return len(row.cells) == 1 and bool(re.fullmatch(r"\(?\d{1,4}[.):]?\)?", bare(row.cells[0])))


def _seen(text: str) -> str:
    """As it is shown to whoever sent it."""
    return "".join(sign if sign.isprintable() else "?" for sign in shortened(text))


LONGEST = 64
FORBIDDEN = '<>:"/\\|?*'  # Windows; the slash everywhere
RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.I)
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control, direction, none at all, lines


def unsafe(pupil_id: str) -> str:
    """Why an id (NFC, without spaces around it) cannot be used, and what would work; "" if it can.

    A file name must not be a device of Windows ("CON"), lead elsewhere ("../x"), or lose its end.
    """
    forbidden = " ".join(sign for sign in FORBIDDEN if sign in pupil_id)
    reasons = {
        message("list.id_empty"): not pupil_id,
        message("list.id_length", count=len(pupil_id), most=LONGEST): len(pupil_id) > LONGEST,
        message("list.id_tabs"): "\t" in pupil_id,
        message("list.id_unseen"): any(unicodedata.category(k) in INVISIBLE for k in pupil_id),
        message("list.id_signs", signs=forbidden): forbidden,
        message("list.id_device"): RESERVED.fullmatch(pupil_id),
        message("list.id_dot"): pupil_id.endswith("."),
    }
    return next((why for why, holds in reasons.items() if holds), "")
