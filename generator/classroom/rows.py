"""What every kind of class list is read as: rows of texts, each with its line; and which kind."""

import zipfile
from pathlib import Path
from typing import NamedTuple

from generator.errors import UserError
from generator.files import LARGEST_LIST, require_file


class Row(NamedTuple):
    """The texts of one row and the line where it begins, counted from 1."""

    line: int
    cells: tuple[str, ...]


class Broken(NamedTuple):
    """A row that cannot be told apart from its neighbours."""

    line: int
    why: str


SAVE = "save the list as CSV UTF-8 or as XLSX"
# How files begin that are sometimes taken for a list.
SIGNATURES = {
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "a file of old Excel or Word versions (.xls, .doc), or has a password",
    b"{\\rtf": "a text document (RTF)",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\xff\xfe\x00\x00": "text in UTF-32",
    b"\x00\x00\xfe\xff": "text in UTF-32",
}
INSIDE = {
    "xl/workbook.xml": "",
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation",
    "content.xml": "an OpenDocument file",
    "xl/workbook.bin": "a binary workbook (.xlsb)",
}


def kind_of(path: Path) -> str:
    """Either "csv" or "xlsx", told from what is in the file, not from its name.

    Raises `UserError` for a file that is missing, a folder or closed to the reader, and for one
    that is no list; it says what it is.
    """
    start = _start(path)
    for signature, what in SIGNATURES.items():
        if start.startswith(signature):
            raise UserError(f"class list {path}: this is {what}; {SAVE}")
    return _kind_of_archive(path) if start.startswith(b"PK") else "csv"


def _start(path: Path) -> bytes:
    require_file(path, "class list", LARGEST_LIST)
    try:
        with path.open("rb") as file:
            return file.read(8)
    except FileNotFoundError:
        raise UserError(
            f"class list {path}: there is no such file; expected a CSV or XLSX file, or a number "
            "of pupils, such as 28"
        ) from None
    except IsADirectoryError:
        raise UserError(f"class list {path}: this is a folder; expected a file in it") from None
    except OSError as error:
        raise UserError(f"class list {path}: cannot be read: {error.strerror}") from None


def _kind_of_archive(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            inside = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise UserError(
            f"class list {path}: the file is damaged; open it in the program that saved it and "
            f"{SAVE}"
        ) from None
    for member, what in INSIDE.items():
        if member in inside:
            if what:
                raise UserError(f"class list {path}: this is {what}; {SAVE}")
            return "xlsx"
    raise UserError(f"class list {path}: this is an archive without a workbook; {SAVE}")
