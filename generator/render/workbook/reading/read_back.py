"""Reads what pupils typed out of a workbook that came back, as xlsx or as ods."""

import io
import math
import re
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.xml.constants import DCTERMS_NS
from openpyxl.xml.functions import fromstring

from generator.errors import UserError
from generator.render.workbook.reading import open_document
from generator.render.workbook.reading.open_document import Table, area_of
from generator.render.workbook.reading.tame import require_tame
from generator.render.workbook.reading.uncomputed import uncomputed

FORMAT = "1"
LARGEST = 500_000_000  # bytes, unpacked: a hundred times the largest workbook of ours

CORE = "docProps/core.xml"

_MARK = "paperformer/"
_IDENTIFIER = re.compile(
    r"paperformer/(\d+)\|([^|]+)\|([0-9a-f]{64})\|([^|]+?)(?:\|exercise\|[123](?:\|[^|]+)?)?"
)
_NUMBER = re.compile(r"([+-]?) ?((?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?) ?(%?)")
# What zipfile, the XML parsers and openpyxl raise on files with random bytes exchanged.
_BROKEN = (
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
class Entries:
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


def read_back(data: bytes) -> Entries:
    """The entries of a workbook of ours, saved by Excel, by LibreOffice or by us.

    Raises `UserError` for a file that is no workbook, is broken, or was not made by Paperformer.
    """
    content = contents(data)
    return Entries(content.identifier, *_parsed(content.identifier), content.tables)


def contents(data: bytes, largest: int = LARGEST) -> Contents:
    """What any workbook holds, whoever made it; `UserError` for what is none or is broken.

    No more than `largest` bytes are unpacked, and no XML that defines entities is read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of openpyxl, about looks that it drops
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                require_tame(archive, largest)
                if "content.xml" in archive.namelist():
                    return Contents("ods", *open_document.read(archive, _MARK))
                return Contents("xlsx", *_from_xlsx(data, archive), uncomputed(archive))
        except _BROKEN as error:
            raise UserError(
                f"this is no workbook that can be read ({type(error).__name__}: {error}); open it "
                "in the program that saved it and save it as .xlsx or .ods, without a password"
            ) from error


def _from_xlsx(data: bytes, archive: zipfile.ZipFile) -> tuple[str, str | None, dict[str, Table]]:
    book = load_workbook(io.BytesIO(data), data_only=True, keep_links=False)
    pages = {page.title: partial(_value, page) for page in book.worksheets}
    places = {
        name: area_of(defined.attr_text or "") for name, defined in book.defined_names.items()
    }
    tables = open_document.tables(places, pages)
    return book.properties.identifier or "", _changed(archive), tables


def _changed(archive: zipfile.ZipFile) -> str | None:
    """When the file says that it was saved; openpyxl would say now where it does not."""
    if CORE not in archive.namelist():
        return None
    modified: str | None = fromstring(archive.read(CORE)).findtext(f"{{{DCTERMS_NS}}}modified")
    return modified


def _value(page: Worksheet, row: int, column: int) -> object:
    cell = page._cells.get((row, column))  # page.cell would fill the page with empty ones
    return None if cell is None or cell.value == "" else cell.value


def _parsed(identifier: str) -> tuple[str, str, str]:
    match = _IDENTIFIER.fullmatch(identifier)
    if not match:
        raise UserError(
            f"this is no Paperformer workbook: found the identifier {identifier[:60]!r} in the "
            "file's properties, expected 'paperformer/1|preset|hash|version'; Excel and "
            "LibreOffice keep it, other programs may drop it: then the code on the first tab says "
            "which preset and version it is, and the entries can be copied into that workbook"
        )
    number, *rest = match.groups()
    if number != FORMAT:
        raise UserError(
            f"this workbook has format {number}, expected {FORMAT}: it was made by Paperformer "
            f"{rest[2]}; read it with that version"
        )
    preset, sha256, version = rest
    return preset, sha256, version


def to_number(value: object) -> float | None:
    """The number that a pupil meant, or None where that would be guessing.

    Understands "0,86", "−1.5", " 0.25 ", "= 0,5", "≈ 0,5", "50 %", "1e-3" and "−∞" as texts. A
    truth value, a date (what a spreadsheet makes of a decimal sign it does not know), "1.234,5" and
    "1/2" are None.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else None
    if not isinstance(value, str):
        return None
    text = " ".join(value.replace("−", "-").removeprefix("'").strip().lstrip("=≈").split())
    if text in ("-∞", "- ∞"):
        return -math.inf
    if not (match := _NUMBER.fullmatch(text)):
        return None
    sign, digits, percent = match.groups()
    number = float(sign + digits.replace(",", ".")) / (100 if percent else 1)
    return number if math.isfinite(number) else None
