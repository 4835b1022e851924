"""Classes for tests: lists as real files, as Excel, schools and mistakes write them; lessons."""

import io
import zipfile
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from openpyxl import Workbook

from generator.classroom.numbers.lesson import Lesson
from generator.classroom.numbers.task import Task
from generator.classroom.numbers.variation import parse
from generator.classroom.pupils.roster import Pupil, RefusedLine, read
from generator.classroom.pupils.seats import Seat, usual_seat
from generator.presets.load import load_preset
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES

FILLED = tuple(name for name, sheet in SERIES.items() if sheet.kind.filled)

SHEET = "xl/worksheets/sheet1.xml"
ROWS_END = b"</sheetData>"

PUPILS = (
    ("7", "Jörg Müßig", ""),
    ("8", "Zoë Ærøskøbing", "Der Hund schläft auf der Matte"),
    ("9", "Ana 🌱 Löwe", ""),
)


def text(separator: str = ";", end: str = "\r\n", heading: str = "id;name;sentence") -> str:
    """A list of three pupils."""
    rows = [tuple(heading.split(";")), *PUPILS]
    return "".join(separator.join(row) + end for row in rows)


def written(folder: Path, content: str | bytes, name: str = "8b.csv", code: str = "utf-8") -> Path:
    """A file with that content."""
    path = folder / name
    path.write_bytes(content.encode(code) if isinstance(content, str) else content)
    return path


def workbook(
    folder: Path, rows: Iterable[Sequence[object]], formats: dict[str, str] | None = None
) -> Path:
    """A workbook with those rows on its first sheet, and a second sheet that nobody asked for."""
    book = Workbook()
    page = book.active
    for row in rows:
        page.append(row)
    for cell, shown in (formats or {}).items():
        page[cell].number_format = shown
    book.create_sheet("Notes").append(["id", "name"])
    path = folder / "8b.xlsx"
    book.save(path)
    return path


END = b"</sheetData>"
OPEN_SHEET = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>{}</office:body>'
    "</office:document-content>"
)


def ods(rows: Iterable[Sequence[object]], empty: int = 0) -> bytes:
    """A spreadsheet as LibreOffice packs it: equal rows are counted, `empty` ones come last.

    A pair of number and text is a number that is shown so.
    """
    lines = [
        f'<table:table-row table:number-rows-repeated="{len([*some])}">'
        f"{''.join(map(_ods_cell, row))}</table:table-row>"
        for row, some in groupby(rows)
    ]
    if empty:
        lines.append(f'<table:table-row table:number-rows-repeated="{empty}"/>')
    sheet = f'<table:table table:name="A">{"".join(lines)}</table:table>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        body = f"<office:spreadsheet>{sheet}</office:spreadsheet>"
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("content.xml", OPEN_SHEET.format(body))
        packed.writestr("meta.xml", OPEN_SHEET.format(""))
    return out.getvalue()


def _ods_cell(value: object) -> str:
    if value is None:
        return '<table:table-cell table:number-columns-repeated="1"/>'
    number, shown = value if isinstance(value, tuple) else (value, value)
    kind = "string" if isinstance(number, str) else "float"
    said = f"<text:p>{escape(str(shown))}</text:p>"
    return (
        f'<table:table-cell office:value-type="{kind}" office:value="{escape(str(number))}">'
        f"{said}</table:table-cell>"
    )


def bomb(part: str, piece: bytes, size: int, before: bytes = ROWS_END) -> bytes:
    """A small workbook of a list whose part unpacks to so many bytes: the piece over and over."""
    book, out = Workbook(), io.BytesIO()
    book.active.append(["id", "name"])
    book.save(out)
    with zipfile.ZipFile(out) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    members[part] = members[part].replace(before, piece * (size // len(piece)) + before)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return out.getvalue()


def archive(folder: Path, member: str, name: str) -> Path:
    """An archive with one member, as office programs write their files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr(member, "<x/>")
    return written(folder, content.getvalue(), name)


def pupils(path: Path) -> list[Pupil]:
    """The pupils of a list in which no line is refused."""
    found = list(read(path))
    assert not [one for one in found if isinstance(one, RefusedLine)], found
    return [one for one in found if isinstance(one, Pupil)]


def one_line(folder: Path, line: str, heading: str = "id;name") -> Pupil | RefusedLine:
    """What comes of the only line below a heading."""
    (found,) = read(written(folder, f"{heading}\n{line}\n"))
    return found


def task(preset: str = "katze", sheets: str = "4a,6", level: int = 2, **more: object) -> Task:
    """What a class is asked, sheets with commas between them."""
    return Task(load_preset(preset), tuple(sheets.split(",")), level, **more)


def seated(
    preset: str = "katze", sheet: str = "4a", level: int = 2, vary: str = "focus", **more: object
) -> tuple[Lesson, Seat]:
    """A lesson of one sheet, and one pupil's seat in it."""
    worksheet = SheetOptions(level=level)
    own = Lesson(load_preset(preset), "9a", (sheet,), parse(vary), worksheet=worksheet, **more)
    return own, usual_seat(own, "K7QX2MPD", "4711")
