"""Reads what pupils typed out of a workbook that came back, as xlsx or as ods.

Also here:

* Whether a packed file can be unpacked safely: how large it gets, and no XML that grows.
* Formulas of an xlsx file that were saved without their value, as some libraries save them.
* Reads the lines of a long table of ours back, see `plain_table`.
"""

import io
import math
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from posixpath import join, normpath
from typing import NamedTuple
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.xml.constants import DCTERMS_NS, PKG_REL_NS, REL_NS, SHEET_MAIN_NS
from openpyxl.xml.functions import fromstring

from generator.errors import refused, require
from generator.render.workbook.reading import open_document
from generator.render.workbook.reading.open_document import Table, area_of
from generator.typed import meant_number

FORMAT = "1"

CORE = "docProps/core.xml"

_MARK = "paperformer/"
_IDENTIFIER = re.compile(
    r"paperformer/(\d+)\|([^|]+)\|([0-9a-f]{64})\|([^|]+?)(?:\|exercise\|[123](?:\|[^|]+)?)?"
)
# What zipfile, the XML parsers and openpyxl raise on damaged files.
DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, SyntaxError, OSError, EOFError),
    *(KeyError, ValueError, TypeError, IndexError, AttributeError, ArithmeticError),
    *(NotImplementedError, RuntimeError),
)


class Contents(NamedTuple):
    """What a workbook holds: its own mark, when it was saved, the values of each name.

    `identifier` is "" and `changed` None where it does not say. `kind` is "xlsx" or "ods".
    `uncomputed` are cells with a formula that was saved without its value, as "Tab!B5".
    """

    kind: str
    identifier: str
    changed: str | None
    tables: dict[str, Table]
    uncomputed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class WorkbookContent:
    """What stands in a workbook: which one it is and the values of every name.

    `tables` has one list of rows for each defined name (`box.defined_name(step)`), laid out as on
    its sheet, so a turned step is turned here too. Values are as typed: number, text, truth value,
    date, and None in an empty cell; of a formula its last value, `#DIV/0!` and the like as text.
    """

    identifier: str
    preset: str
    sha256: str
    version: str
    tables: Mapping[str, Table]


def read_back(data: bytes) -> WorkbookContent:
    """The entries of a workbook of ours, saved by Excel, by LibreOffice or by us.

    Raises `UserError` for a file that is no workbook, is broken, or was not made by Paperformer.
    """
    content = contents(data)
    return WorkbookContent(content.identifier, *_parsed(content.identifier), content.tables)


def contents(data: bytes) -> Contents:
    """What any workbook holds, whoever made it; `UserError` for what is none, broken or not tame.

    No more than `tame.UNPACKED` bytes are unpacked, and no XML that defines entities is read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of openpyxl, about looks that it drops
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                require_tame(archive)
                if "content.xml" in archive.namelist():
                    return Contents("ods", *open_document.read(archive, _MARK))
                return Contents("xlsx", *_from_xlsx(data, archive), uncomputed(archive))
        except DAMAGED as error:
            raise refused("workbook.unread", error=error) from error


def _from_xlsx(data: bytes, archive: zipfile.ZipFile) -> tuple[str, str | None, dict[str, Table]]:
    book = load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    pages = {page.title: partial(_value, page) for page in book.worksheets}
    named = book.defined_names.items()
    places = {name: area_of(defined.attr_text or "") for name, defined in named}
    tables, changed = open_document.tables(places, pages), None
    if CORE in archive.namelist():  # openpyxl would say now where it does not
        changed = fromstring(archive.read(CORE)).findtext(f"{{{DCTERMS_NS}}}modified")
    return book.properties.identifier or "", changed, tables


def _value(page: Worksheet, row: int, column: int) -> object:
    cell = page._cells.get((row, column))  # page.cell would fill the page with empty ones
    return None if cell is None or cell.value == "" else cell.value


def _parsed(identifier: str) -> tuple[str, str, str]:
    match = _IDENTIFIER.fullmatch(identifier)
    if not match:
        raise refused("workbook.foreign", found=identifier[:60])
    found, preset, sha256, version = match.groups()
    require(found == FORMAT, "workbook.format", found=found, expected=FORMAT, version=version)
    return preset, sha256, version


def to_number(value: object) -> float | None:
    """The number that a pupil meant, or None where that would be guessing.

    Texts are read by `meant_number`. A truth value and a date, which a spreadsheet makes of a
    decimal sign that it does not know, are None.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    return meant_number(value) if isinstance(value, str) else None


UNPACKED = 100_000_000  # bytes, of any workbook: twenty times our largest one
MOST_MEMBERS = 5_000
# An entity may repeat another one a thousand times, and so on; no spreadsheet program writes any.
_GROWING = tuple("<!DOCTYPE".encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be"))
_LOCKED = 1  # the bit of a member that has a password


def require_tame(archive: zipfile.ZipFile, largest: int = UNPACKED) -> None:
    """Raise ValueError for a password, too many members, too many bytes, or XML with a DTD.

    `zipfile` unpacks no more of a member than it says of itself.
    """
    members = archive.infolist()
    if any(member.flag_bits & _LOCKED for member in members):
        raise ValueError("it has a password")
    if len(members) > MOST_MEMBERS:
        raise ValueError(f"it has {len(members)} parts, at most {MOST_MEMBERS} are read")
    if (size := sum(member.file_size for member in members)) > largest:
        raise ValueError(f"it unpacks to {size} bytes, at most {largest} are read")
    for member in members:
        if member.filename.endswith((".xml", ".rels")):
            content = archive.read(member)
            if any(sign in content for sign in _GROWING):
                raise ValueError(f"{member.filename} defines XML entities")


BOOK, RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_CELL = re.compile(
    rb'<c\b[^>]*?\br="([A-Z]{1,3}[0-9]{1,7})"[^>]*>'
    rb"<f(?:\s[^>]*)?(?:/>|>[^<]*</f>)(?:<v\s*/>|<v></v>)?</c>"
)


def uncomputed(archive: zipfile.ZipFile) -> frozenset[str]:
    """The cells with such a formula, as "Tab!B5"."""
    return frozenset(
        f"{title}!{cell[1].decode()}"
        for title, part in _sheets(archive)
        if part in archive.namelist()
        for cell in _CELL.finditer(archive.read(part))
    )


def _sheets(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """The title of each sheet and where it is packed."""
    if not {BOOK, RELATIONS} <= set(archive.namelist()):
        return
    relations = fromstring(archive.read(RELATIONS)).findall(f"{{{PKG_REL_NS}}}Relationship")
    targets = {one.get("Id"): one.get("Target", "") for one in relations}
    for sheet in fromstring(archive.read(BOOK)).iter(f"{{{SHEET_MAIN_NS}}}sheet"):
        target = targets.get(sheet.get(f"{{{REL_NS}}}id"), "")
        yield sheet.get("name", ""), normpath(join("xl", target)).lstrip("/")


# What zipfile and openpyxl raise on files that somebody edited or that were damaged.
BROKEN = (BadZipFile, KeyError, ValueError, TypeError, IndexError, AttributeError, OSError)


def lines_of(content: bytes) -> list[tuple[object, ...]]:
    """The lines of all tabs below their headings; one of `BROKEN` for what is no such table."""
    book = load_workbook(io.BytesIO(content), read_only=True)
    return [line for page in book.worksheets for line in page.iter_rows(2, values_only=True)]
