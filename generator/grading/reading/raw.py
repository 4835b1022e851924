"""What one file holds, as plain data that a pipe can carry, or why it is none of ours.

This runs in a process that may be killed; only texts, numbers and lists leave it.
"""

import datetime
import io
import math
import re
import zipfile
from collections.abc import Mapping
from typing import Any

from generator.errors import UserError

LARGEST = 25_000_000  # bytes of one file
UNPACKED = 100_000_000  # bytes that it may unpack to: twenty times our largest workbook
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

    entries = contents(data, UNPACKED)
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
    from generator.grading.reading.pdf_form import form_in

    return dict(form_in(data)._asdict(), kind="pdf")


def _text(data: bytes) -> Raw:
    from generator.grading.reading.csv_text import rows_of

    return {"kind": "csv", "rows": rows_of(data)}
