"""What one file holds, as plain data that a pipe can carry, or why it is none of ours.

This runs in a process that may be killed; only texts, numbers and lists leave it.

Also here:

* What stands in the fields of a PDF, whichever program filled and saved it.
* Rows of a CSV text, whichever program saved it.
"""

from __future__ import annotations

import codecs
import csv
import datetime
import io
import math
import re
import zipfile
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from generator.errors import UserError
from generator.grading.reading.page_codes import codes_on
from generator.render.worksheet.pdf_libraries import pikepdf

LARGEST = 25_000_000  # bytes of one file
MOST_CELLS = 300_000  # in all names of a workbook together
LONGEST = 200  # characters of an entry that are kept

Raw = dict[str, Any]

# How files begin that are neither workbooks nor forms nor text.
BEGINS = {
    b"{\\rtf": "a text document (RTF)",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"RIFF": "a picture or a film",
    b"Rar!": "an archive that is no zip; unpack it",
    b"7z\xbc\xaf": "an archive that is no zip; unpack it",
    b"\x1f\x8b": "an archive that is no zip; unpack it",
}
INSIDE = {
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation",
    "xl/workbook.bin": "a binary workbook (.xlsb); save it as .xlsx",
    "Index/Document.iwa": "a document of Apple's Numbers or Pages; export it as .xlsx",
}
OLD = b"\xd0\xcf\x11\xe0"
LOCKED = "EncryptedPackage".encode("utf-16-le")
OUTLOOK = "__properties_version1.0".encode("utf-16-le")
MAIL = "a mail; save its attachments into the folder"
PHONE = b"ftyp"  # from the fifth byte on: pictures of telephones (HEIC) and films
_MAIL = re.compile(rb"(?:[A-Z][\w-]*: [^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){3}")
HEAD = 20_000  # bytes in which a mail's first lines stand
_WEB = re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
MACROS = "xl/vbaProject.bin"


class NotOurs(Exception):
    """What a file is in place of ours, in words that end a sentence."""


def kind_of(data: bytes) -> str:
    """One of "pdf", "zip", "workbook", "text", told from the content; `NotOurs` for the rest."""
    if not data:
        raise NotOurs("it is empty")
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(OLD):
        if LOCKED in data:
            raise NotOurs("it has a password; save it without one")
        if OUTLOOK in data:
            raise NotOurs(f"it is {MAIL}")
        raise NotOurs("it is a file of old Excel or Word versions; save it as .xlsx")
    for begin, what in BEGINS.items():
        if data.startswith(begin):
            raise NotOurs(f"it is {what}")
    if data[4:8] == PHONE:
        raise NotOurs("it is a picture or a film")
    if _MAIL.match(data[:HEAD]):
        raise NotOurs(f"it is {MAIL}")
    if _WEB.match(data):
        raise NotOurs("it is a web page, perhaps of a login; download the file again")
    return _packed(data) if data.startswith(b"PK") else "text"


def _packed(data: bytes) -> str:
    """Whether a zip is a workbook; `NotOurs` for other documents and broken ones."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
    # Exchanged bytes in the directory: also names that are no text, offsets below 0, versions.
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise NotOurs("it is damaged; ask for it again") from error
    if other_kind := next((what for name, what in INSIDE.items() if name in names), ""):
        raise NotOurs(f"it is {other_kind}")
    if MACROS in names:
        raise NotOurs("it holds macros, which no file of ours does; save it as .xlsx")
    return "workbook" if names & {"xl/workbook.xml", "content.xml"} else "zip"


def raw_of(data: bytes) -> Raw:
    """The content of one file, `{"problem": …}` where it cannot be read."""
    if len(data) > LARGEST:
        return {"problem": f"it has {len(data) / 1e6:.0f} MB, at most {LARGEST / 1e6:.0f} are read"}
    try:
        match kind_of(data):
            case "workbook":
                return _workbook(data)
            case "pdf":
                return _form(data)
            case "text":
                return _text(data)
            case _:
                return {"problem": "it is an archive within an archive; unpack it"}
    except (NotOurs, UserError) as error:
        return {"problem": str(error)}


def _workbook(data: bytes) -> Raw:
    # Late: each kind of file loads its own library only.
    from generator.render.workbook.reading.read_back import contents

    entries = contents(data)
    cells = sum(len(row) for table in entries.tables.values() for row in table)
    if cells > MOST_CELLS:
        raise NotOurs(f"its names cover {cells} cells, at most {MOST_CELLS} are read")
    return {
        "kind": entries.kind,
        "identifier": entries.identifier[:LONGEST],
        "changed": entries.changed,
        "tables": _plain_tables(entries.tables),
        "uncomputed": sorted(entries.uncomputed),
    }


def _plain_tables(tables: Mapping[str, list[list[object]]]) -> dict[str, Any]:
    return {
        name: [[plain(value) for value in row] for row in rows] for name, rows in tables.items()
    }


def plain(value: object) -> str | float | None:
    """An entry as it was typed: a number or a text; None in an empty cell."""
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)[:LONGEST] if str(value).strip() else None


def _number(value: float) -> str | float:
    try:
        number = float(value)
    except OverflowError:
        return f"{str(value)[:LONGEST]}"
    return number if math.isfinite(number) else str(number)


def _form(data: bytes) -> Raw:

    return dict(form_in(data)._asdict(), kind="pdf")


def _text(data: bytes) -> Raw:

    return {"kind": "csv", "rows": rows_of(data)}


MOST_FIELDS, DEEPEST = 5_000, 20
MOST_PAGES = 200
# What a pen, a text box or a stamp leaves on a page, beside the fields.
WRITTEN = ("/Ink", "/FreeText", "/Stamp", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine")
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d)?'?)?")


class FilledForm(NamedTuple):
    """The fields that hold something; `identifier` is where our mark may stand.

    `fields` says how many there are in all, `written` how many notes are on the pages beside them,
    `mended` whether the file was damaged, so that some of it may be lost. `printed` are the codes
    on each page.
    """

    identifier: str
    changed: str | None
    entries: dict[str, str]
    fields: int
    written: int
    mended: bool
    printed: list[list[str]]


def form_in(data: bytes) -> FilledForm:
    """The form of a PDF; `NotOurs` for one that cannot be opened or has absurdly many parts."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            form_fields = list(islice(_fields(pdf.Root.get("/AcroForm"), "", 0), MOST_FIELDS))
            return FilledForm(
                identifier=_identifier(pdf),
                changed=_changed(pdf),
                entries={name: text for name, text in form_fields if text.strip()},
                fields=len(form_fields),
                written=_written(pdf),
                mended=bool(pdf.get_warnings()),
                printed=codes_on(pdf) if form_fields else [],
            )
    except pikepdf.PasswordError as error:
        raise NotOurs("it has a password; save it without one") from error
    except (pikepdf.PdfError, RecursionError, TypeError, ValueError, KeyError) as error:
        raise NotOurs("it is a damaged PDF; ask for it again, or mark it by hand") from error


def _fields(node: Any, above: str, depth: int) -> Iterator[tuple[str, str]]:
    """Name and content of each field below a form or a group of fields."""
    if node is None or depth > DEEPEST:
        return
    name = ".".join(part for part in (above, str(node.get("/T", ""))) if part)
    inner = node.get("/Fields" if depth == 0 else "/Kids", ())
    kids = [kid for kid in inner if depth == 0 or "/T" in kid]
    if depth and not kids:
        yield name, _typed(node.get("/V"))
    for kid in kids:
        yield from _fields(kid, name, depth + 1)


def _typed(value: Any) -> str:
    """The text of a field: programs write it as a string, a name, or a stream of text."""
    if isinstance(value, pikepdf.Stream):
        return value.read_bytes().decode("utf-8", errors="replace")[:LONGEST]
    if isinstance(value, pikepdf.Array):
        return ""
    return "" if value is None else str(value)[:LONGEST]


def _identifier(pdf: pikepdf.Pdf) -> str:
    """The keywords, by the document's information or by its metadata."""
    texts = [str(pdf.docinfo.get("/Keywords", ""))]
    if "/Metadata" in pdf.Root:
        texts.append(pdf.Root.Metadata.read_bytes()[:20_000].decode("utf-8", errors="replace"))
    return "\n".join(texts)


def _changed(pdf: pikepdf.Pdf) -> str | None:
    """When a program says that it saved the file (ISO 8601)."""
    match = _DATE.match(str(pdf.docinfo.get("/ModDate", "")))
    if not match:
        return None
    *parts, hours, minutes = match.groups()
    zone = f"{hours}:{minutes or '00'}" if hours else "+00:00"
    text = "{}-{}-{}T{}:{}:{}".format(*parts) + zone
    try:
        return datetime.datetime.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _written(pdf: pikepdf.Pdf) -> int:
    """How many marks of a pen, texts and stamps lie on the pages."""
    if len(pdf.pages) > MOST_PAGES:
        raise NotOurs(f"it has {len(pdf.pages)} pages")
    notes = (note for page in pdf.pages for note in page.get("/Annots", ()))
    return sum(str(note.get("/Subtype", "")) in WRITTEN for note in notes)


DELIMITERS = ";\t,"
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
MOST_ROWS, MOST_COLUMNS = 20_000, 5_000


def rows_of(data: bytes) -> list[list[str]]:
    """The rows of a CSV; the first line decides the separator.

    Raises `UserError` for what is no text, is no table, or has absurdly many rows or columns.
    """
    text = _decoded(data)
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            rows.append(row)
            if len(rows) > MOST_ROWS or len(row) > MOST_COLUMNS:
                raise UserError(
                    f"it is a table of more than {MOST_ROWS} rows or {MOST_COLUMNS} columns"
                )
    except csv.Error as error:
        raise UserError(f"it is no CSV that can be read ({error})") from error
    return rows


def _decoded(data: bytes) -> str:
    marked = next((name for mark, name in MARKS.items() if data.startswith(mark)), "")
    for name in (marked,) if marked else ("utf-8", "cp1252"):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise UserError("it is neither a workbook, nor a PDF, nor text")
