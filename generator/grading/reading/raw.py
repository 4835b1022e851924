"""What one file holds, as plain data that a pipe can carry, or why it is none of ours.

This runs in a process that may be killed; only texts, numbers and lists leave it.

Also here:

* Why a file is not marked, to be said in any language.
* What stands in the fields of a PDF, whichever program filled and saved it, and the codes that are
  printed on its pages: the foot of each says whose it is.
* Rows of a CSV text, whichever program saved it.
"""

from __future__ import annotations

import csv
import datetime
import io
import math
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from generator.errors import UserError
from generator.files import begun, marked, packed
from generator.locales.catalogue import Catalogue, load
from generator.locales.folders import ENGLISH
from generator.render.worksheet.pdf_libraries import pikepdf

LARGEST = 25_000_000  # bytes of one file
MOST_FILES = 5_000  # in one archive
UNPACKED_ARCHIVE = 2_000_000_000  # bytes of all its files; a bomb of 200 kB says 100 GB
MOST_CELLS = 300_000  # in all names of a workbook together
LONGEST = 200  # characters of an entry that are kept

Raw = dict[str, Any]


class Reason(NamedTuple):
    """Why a file is not marked: a phrase's key below `handed_in.` and the names in it.

    Without a key it is a text as another part of the program or a library said it.
    """

    key: str
    names: Mapping[str, object] = {}

    def said(self, catalogue: Catalogue) -> str:
        """It in the catalogue's language."""
        if not self.key:
            return str(self.names["text"])
        return catalogue.t(f"handed_in.{self.key}", **self.names)

    def __str__(self) -> str:
        return self.said(load(ENGLISH))

    @classmethod
    def of(cls, error: UserError) -> Reason:
        """Why an error stops a file."""
        return error.reason if isinstance(error, NotOurs) else cls("", {"text": str(error)})


class NotOurs(UserError):
    """What a file is in place of ours: a `Reason` by its key and names."""

    def __init__(self, key: str, **names: object) -> None:
        self.reason = Reason(key, names)
        super().__init__(str(self.reason))


def require_ours(holds: object, key: str, **names: object) -> None:
    """Raise `NotOurs` with that reason unless something holds."""
    if not holds:
        raise NotOurs(key, **names)


LOCKED = "EncryptedPackage".encode("utf-16-le")
OUTLOOK = "__properties_version1.0".encode("utf-16-le")
PHONE = b"ftyp"  # from the fifth byte on: pictures of telephones (HEIC) and films
_MAIL = re.compile(rb"(?:[A-Z][\w-]*: [^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){3}")
HEAD = 20_000  # bytes in which a mail's first lines stand
_WEB = re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)
MOST_FIELDS, MOST_PAGES = 5_000, 200
# What a pen, a text box or a stamp leaves on a page, beside the fields.
WRITTEN = ("/Ink", "/FreeText", "/Stamp", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine")
DELIMITERS = ";\t,"
MOST_ROWS, MOST_COLUMNS = 20_000, 16_384  # of the latter a spreadsheet has no more
LIST = "paperformer-list/"  # how the first cell of a list from paper begins


class FileContent(NamedTuple):
    """The bytes of a file, told by what they are, never by its name."""

    data: bytes

    def kind(self) -> str:
        """One of "pdf", "zip", "workbook", "text"; `NotOurs` for the rest and what is broken."""
        if b"%PDF-" in self.data[:1024]:
            return "pdf"
        if other_kind := self._other_kind():
            raise NotOurs(other_kind)
        if not self.data.startswith(b"PK"):
            return "text"
        try:
            with self.archive() as archive:
                names = set(archive.namelist())
        # Exchanged bytes in the directory: also names that are no text, offsets below 0, versions.
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise NotOurs("damaged") from error
        if other_kind := packed(names):
            raise NotOurs(other_kind)
        return "workbook" if names & {"xl/workbook.xml", "content.xml"} else "zip"

    def _other_kind(self) -> str:
        """What it is that is none of ours by how it begins, as a reason's key; "" where it may."""
        data = self.data
        if not data:
            return "empty"
        if (kind := begun(data)) == "old":
            return "password" if LOCKED in data else "mail" if OUTLOOK in data else kind
        if kind:
            return kind
        if data[4:8] == PHONE:
            return "film"
        if _MAIL.match(data[:HEAD]):
            return "mail"
        return "web" if _WEB.match(data) else ""

    def archive(self) -> zipfile.ZipFile:
        """It opened as a zip."""
        return zipfile.ZipFile(io.BytesIO(self.data))

    def names(self) -> list[str]:
        """The names of the files in it; `NotOurs` for more than anybody hands in."""
        with self.archive() as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
        count = len(members)
        require_ours(count <= MOST_FILES, "files", count=count, most=MOST_FILES)
        if (size := sum(member.file_size for member in members)) > UNPACKED_ARCHIVE:
            raise NotOurs("unpacks", size=megabytes(size), most=megabytes(UNPACKED_ARCHIVE))
        return sorted({member.filename for member in members})

    def member(self, name: str) -> FileContent:
        """One of these files; `NotOurs` for one that is too large or locked."""
        with self.archive() as archive:
            member = archive.getinfo(name)
            size = member.file_size
            require_ours(size <= LARGEST, "unpacked", size=megabytes(size))
            require_ours(not member.flag_bits & 1, "locked")
            return FileContent(archive.read(member))

    def raw(self) -> Raw:
        """All that is in it; `NotOurs` where it cannot be read."""
        if len(self.data) > LARGEST:
            raise NotOurs("large", size=megabytes(len(self.data)), most=megabytes(LARGEST))
        match self.kind():
            case "workbook":
                return self._workbook()
            case "pdf":
                return self._form()
            case "text":
                return {"kind": "csv", "rows": self.rows()}
            case _:
                raise NotOurs("nested")

    def _workbook(self) -> Raw:
        # Late: each kind of file loads its own library only.
        from generator.render.workbook.reading.read_back import contents

        try:
            entries = contents(self.data)
        except UserError as error:
            raise NotOurs("unreadable") from error
        if not entries.identifier and (rows := self._listed(entries.kind)):
            return {"kind": "csv", "rows": rows}
        cells = sum(len(row) for table in entries.tables.values() for row in table)
        require_ours(cells <= MOST_CELLS, "names", cells=cells, most=MOST_CELLS)
        return {
            "kind": entries.kind,
            "identifier": entries.identifier[:LONGEST],
            "changed": entries.changed,
            "tables": {
                name: [list(map(plain, row)) for row in rows]
                for name, rows in entries.tables.items()
            },
            "uncomputed": sorted(entries.uncomputed),
        }

    def _listed(self, kind: str) -> list[list[str]]:
        """The rows of a list from paper that was saved as a workbook; none for another workbook."""
        from generator.classroom.pupils.columns import ods_rows, xlsx_rows

        opened = (ods_rows if kind == "ods" else xlsx_rows)(io.BytesIO(self.data))
        rows: list[list[str]] = []
        for row in opened:
            if not rows and not row.cells[0].startswith(LIST):
                return []
            rows += [[]] * (row.line - len(rows) - 1)  # empty ones between, so that lines count
            rows.append([*row.cells])
            require_size(rows)
        return rows

    def _form(self) -> Raw:
        """The form of a PDF: the `entries` with something in them, the `identifier` with our mark.

        `fields` says how many there are in all, `written` how many notes are on the pages beside
        them, `mended` whether the file was damaged, so that some of it may be lost, `printed` the
        codes on each page. `NotOurs` for one that cannot be opened or has absurdly many parts.
        """
        try:
            with pikepdf.open(io.BytesIO(self.data)) as pdf:
                form_fields = [
                    (field.fully_qualified_name, _typed(field.value))
                    for field in islice(pdf.acroform.fields, MOST_FIELDS)
                ]
                return {
                    "kind": "pdf",
                    "identifier": _identifier(pdf),
                    "changed": _changed(pdf),
                    "entries": {name: text for name, text in form_fields if text.strip()},
                    "fields": len(form_fields),
                    "written": _written(pdf),
                    "mended": bool(pdf.get_warnings()),
                    "printed": [sorted(_codes(page)) for page in pdf.pages] if form_fields else [],
                }
        except pikepdf.PasswordError as error:
            raise NotOurs("password") from error
        except (pikepdf.PdfError, RecursionError, TypeError, ValueError, KeyError) as error:
            raise NotOurs("pdf") from error

    def rows(self) -> list[list[str]]:
        """The rows of a CSV; the first line decides the separator.

        Raises `NotOurs` for what is no text, is no table, or has absurdly many rows or columns.
        """
        text = self._text()
        delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)
        lines = io.StringIO(text, newline="")
        rows: list[list[str]] = []
        lines_read = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            for row in lines_read:
                rows.append(row)
                require_size(rows)
        except csv.Error as error:
            raise NotOurs("csv", line=lines_read.line_num) from error
        return rows

    def _text(self) -> str:
        known = marked(self.data)
        for name in (known,) if known else ("utf-8", "cp1252"):
            with suppress(UnicodeDecodeError):
                if "\0" not in (text := self.data.decode(name)):
                    return text
        raise NotOurs("other")


def require_size(rows: list[list[str]]) -> None:
    """Raise `NotOurs` for absurdly many rows or cells of the last one."""
    few = len(rows) <= MOST_ROWS and len(rows[-1]) <= MOST_COLUMNS
    require_ours(few, "table", rows=MOST_ROWS, columns=MOST_COLUMNS)


def megabytes(size: float) -> str:
    """How many million bytes that is."""
    return f"{size / 1e6:.0f}"


def plain(value: object) -> str | float | None:
    """An entry as it was typed: a number or a text; None in an empty cell."""
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:
            return str(value)[:LONGEST]
        return number if math.isfinite(number) else str(number)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)[:LONGEST] if str(value).strip() else None


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
    """When a program says that it saved the file (ISO 8601), without a zone in UTC."""
    try:
        time = pikepdf.models.metadata.decode_pdf_date(str(pdf.docinfo.get("/ModDate", "")))
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=datetime.UTC)).isoformat()


def _written(pdf: pikepdf.Pdf) -> int:
    """How many marks of a pen, texts and stamps lie on the pages."""
    require_ours(len(pdf.pages) <= MOST_PAGES, "pages", count=len(pdf.pages))
    notes = (note for page in pdf.pages for note in page.get("/Annots", ()))
    return sum(str(note.get("/Subtype", "")) in WRITTEN for note in notes)


# The codes on a form's pages ---------------------------------------------------------------------

# Only text as we write it is read: two bytes a sign, each with its letter in the font's ToUnicode
# table. On a page that a program has drawn anew none is found, which says nothing.
CODE = re.compile(r"(?:[0-9A-Z]+-)?[2-9A-HJ-NP-Z]{8}")
_LETTERS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_LETTER = re.compile(rb"<([0-9a-fA-F]{4})>\s*<([0-9a-fA-F]{4})>")
SHOWING = "Tf TJ Tj"


def _codes(page: pikepdf.Page) -> set[str]:
    """What may be a code on a page; no page has another one's word on it by chance."""
    found: set[str] = set()
    fonts = {name: _table(font) for name, font in page.resources.get("/Font", {}).items()}
    letters: dict[bytes, str] = {}
    for instruction in pikepdf.parse_content_stream(page, SHOWING):
        operands = instruction.operands
        if str(instruction.operator) == "Tf":
            letters = fonts.get(str(operands[0]), {})
        else:
            text = "".join(letters.get(sign, "") for sign in _signs(operands[0]))
            found.update(filter(CODE.fullmatch, text.split()))
    return found


def _signs(shown: pikepdf.Object) -> Iterator[bytes]:
    parts = shown if isinstance(shown, pikepdf.Array) else [shown]
    for part in parts:
        if isinstance(part, pikepdf.String):
            data = bytes(part)
            yield from (data[k : k + 2] for k in range(0, len(data), 2))


def _table(font: pikepdf.Object) -> dict[bytes, str]:
    """The letter of each sign of a font."""
    if "/ToUnicode" not in font:
        return {}
    blocks = _LETTERS.findall(font.ToUnicode.read_bytes())
    return {
        bytes.fromhex(sign.decode()): chr(int(letter, 16))
        for block in blocks
        for sign, letter in _LETTER.findall(block)
    }
