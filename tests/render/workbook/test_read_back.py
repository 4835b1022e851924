"""What pupils typed is found again at its name, whichever program saved the workbook."""

import contextlib
import datetime
import io
import math
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

import generator
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.workbook.reading.read_back import (
    UNPACKED,
    WorkbookContent,
    read_back,
    to_number,
)
from tests.support.office import INSTALL
from tests.support.recalculate import edit_cells
from tests.support.workbook import solution as made_once

FORMATS = ("xlsx", "ods")
TYPED = {
    ("block1.head1.weight.query", 0, 0): 0.25,
    ("block1.head1.weight.query", 1, 1): "0,86",
    ("block1.head1.weight.key", 0, 1): " 0.25 ",
    ("block1.head1.weight.value", 1, 0): None,
    ("vocabulary.embedding", 0, 0): "−1.5",
    ("vocabulary.embedding", 1, 0): "50 %",
    ("vocabulary.embedding", 2, 1): -3.0,
}
KINDS: list[list[object]] = [
    [1.5, "0,86", " two  spaces ", None],
    [True, datetime.datetime(2026, 5, 1), "line\nbreak", "=1+1"],
    [None, None, None, None],
    [None, None, "<&> 猫 −∞", -1e-20],
]
IDENTIFIER = f"paperformer/1|katze|{'0a' * 32}|1.2.3"


def odd(identifier: str = IDENTIFIER) -> bytes:
    """A workbook with every kind of entry on a sheet of an odd name, far from its edge."""
    book = Workbook()
    page = book.create_sheet("Peter's tab & more")
    for i, row in enumerate(KINDS):
        for j, value in enumerate(row):
            cell = page.cell(1000 + i, 30 + j)
            cell.value = value
            cell.data_type = "s" if isinstance(value, str) else cell.data_type
    areas = {
        "kinds": "'Peter''s tab & more'!$AD$1000:$AG$1003",
        "one": "'Peter''s tab & more'!$AD$1000",
        "repeated": "'Peter''s tab & more'!$B$3:$C$5",
        "lost": "#REF!",
        "column": "Sheet!$A:$A",
        "everything": "Sheet!$A$1:$XFD$1048576",
    }
    for name, area in areas.items():
        book.defined_names[name] = DefinedName(name, attr_text=area)
    for row in page["B3:C5"]:
        for cell in row:
            cell.value = 7
    book.properties.identifier = identifier
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def typed_in() -> bytes:
    """The solution of katze after somebody typed into given cells."""
    xlsx = made_once(generator.compute(preset="katze", controls=True), load("de"))
    return edit_cells(xlsx, {place(xlsx, *where): value for where, value in TYPED.items()})


def place(xlsx: bytes, name: str, i: int, j: int) -> tuple[str, str]:
    book = openpyxl.load_workbook(io.BytesIO(xlsx))
    ((sheet, area),) = book.defined_names[name].destinations
    return sheet, book[sheet][area][i][j].coordinate


@pytest.fixture(scope="module")
def originals() -> dict[str, bytes]:
    return {"odd": odd(), "typed": typed_in()}


@pytest.fixture(scope="module")
def saved(
    originals: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str], bytes]:
    """Each original as LibreOffice saves it, in both formats."""
    folder = tmp_path_factory.mktemp("saved")
    sources = [folder / f"{name}.xlsx" for name in originals]
    for source, data in zip(sources, originals.values(), strict=True):
        source.write_bytes(data)
    for kind in FORMATS:
        convert(sources, kind, folder)
    return {
        (name, kind): (folder / kind / f"{name}.{kind}").read_bytes()
        for name in originals
        for kind in FORMATS
    }


def convert(sources: list[Path], kind: str, folder: Path) -> None:
    program = shutil.which("soffice")
    assert program, f"LibreOffice (soffice) was not found on the path; {INSTALL}"
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    subprocess.run(
        [
            *(program, profile, "--headless", "--norestore", "--nolockcheck"),
            *("--convert-to", kind, "--outdir", str(folder / kind), *map(str, sources)),
        ],
        capture_output=True,
        check=True,
        timeout=120,
    )


def test_our_own_file_is_read(originals: dict[str, bytes]) -> None:
    entries = read_back(originals["odd"])
    assert entries == WorkbookContent(IDENTIFIER, "katze", "0a" * 32, "1.2.3", entries.tables)
    assert entries.tables["kinds"] == KINDS
    assert entries.tables["one"] == [[1.5]]
    assert entries.tables["repeated"] == [[7, 7]] * 3
    assert "lost" not in entries.tables
    assert "column" not in entries.tables


def test_a_name_for_a_whole_sheet_is_no_table(originals: dict[str, bytes]) -> None:
    assert read_back(originals["odd"]).tables["everything"] == []


@pytest.mark.ci
@pytest.mark.parametrize("kind", FORMATS)
def test_every_kind_of_entry_survives_libreoffice(
    saved: dict[tuple[str, str], bytes], kind: str
) -> None:
    entries = read_back(saved["odd", kind])
    assert entries.identifier == IDENTIFIER
    assert entries.tables["kinds"] == KINDS
    assert entries.tables["one"] == [[1.5]]
    assert entries.tables["repeated"] == [[7, 7]] * 3


@pytest.mark.parametrize("kind", FORMATS)
def test_every_entry_in_a_real_workbook_is_found_again(
    originals: dict[str, bytes], saved: dict[tuple[str, str], bytes], kind: str
) -> None:
    before, after = read_back(originals["typed"]), read_back(saved["typed", kind])
    assert (after.preset, after.sha256, after.version) == (
        before.preset,
        before.sha256,
        before.version,
    )
    assert after.tables.keys() == before.tables.keys()
    for (name, i, j), value in TYPED.items():
        assert after.tables[name][i][j] == value, (name, i, j)
        assert after.tables[name] == before.tables[name]
    assert len(after.tables) > 50


NONE = {
    "empty": (lambda: b"", "no workbook that can be read"),
    "table": (lambda: b"token;number\nThe;1\n", "no workbook that can be read"),
    "cut off": (lambda: odd()[:-200], "no workbook that can be read"),
    "unnamed": (lambda: odd(""), "no Paperformer workbook"),
    "a book's": (lambda: odd("urn:isbn:1"), "the code on the first tab"),
    "short hash": (lambda: odd("paperformer/1|katze|short|1.2.3"), "no Paperformer workbook"),
    "later": (lambda: odd(IDENTIFIER.replace("/1|", "/2|")), "format 2, expected 1"),
}


@pytest.mark.parametrize(("data", "said"), NONE.values(), ids=NONE)
def test_other_files_are_refused_in_one_sentence(data: Callable[[], bytes], said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_back(data())


@pytest.mark.parametrize("member", ["content.xml", "xl/workbook.xml", "readme.txt"])
def test_a_zip_that_is_no_workbook_is_refused(member: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(member, "<x/>")
    with pytest.raises(UserError, match="no workbook that can be read"):
        read_back(out.getvalue())


def test_a_zip_that_unpacks_without_end_is_refused() -> None:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("content.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(UNPACKED // 10_000_000 + 1):
            member.write(bytes(10_000_000))
    with pytest.raises(UserError, match=f"at most {UNPACKED} are read"):
        read_back(out.getvalue())


def test_bytes_exchanged_at_random_never_end_in_a_traceback() -> None:
    data = odd()
    for k in range(0, len(data), len(data) // 60):
        broken = bytearray(data)
        broken[k] ^= 0x55
        with contextlib.suppress(UserError):
            read_back(bytes(broken))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0.25, 0.25),
        (3, 3.0),
        ("0,86", 0.86),
        ("−1.5", -1.5),
        ("- 1,5", -1.5),
        (" 0.25 ", 0.25),
        ("\u00a00.25\u202f", 0.25),
        ("'0.5", 0.5),
        ("50 %", 0.5),
        ("12,5%", 0.125),
        ("1e-3", 0.001),
        ("+2E2", 200.0),
        (".5", 0.5),
        ("= 0,5", 0.5),
        ("≈ −0.57", -0.57),
        ("7,", 7.0),
        ("−∞", -math.inf),
        ("-∞", -math.inf),
    ],
)
def test_numbers_as_pupils_type_them(value: object, number: float) -> None:
    assert to_number(value) == number


@pytest.mark.parametrize(
    "value",
    [
        *(None, "", " ", True, False, "?", "zwei", "1.234,5", "1 000", "1/2", "0.5.2026", "1e999"),
        *(math.nan, math.inf, datetime.datetime(2026, 5, 1), datetime.time(8), "=1+1", "#DIV/0!"),
        *("--1", "5 5", "%", ",", "0x10", "1_000", "nan", "٣", "= 1/2"),
    ],
)
def test_what_would_be_guessing_is_no_number(value: object) -> None:
    assert to_number(value) is None
