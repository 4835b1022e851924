"""What pupils typed is found again at its name, whichever program saved the workbook."""

import contextlib
import datetime
import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from generator.errors import UserError
from generator.render.workbook.reading.read_back import (
    UNPACKED,
    WorkbookContent,
    read_back,
    to_number,
)
from tests.support.office import INSTALL
from tests.support.workbook import played

FORMATS = ("xlsx", "ods")
TYPED = {
    "block1.head1.weight.query[1,1]": 0.25,
    "block1.head1.weight.query[2,2]": "0,86",
    "block1.head1.weight.key[1,2]": " 0.25 ",
    "block1.head1.weight.value[2,1]": None,
    "vocabulary.embedding[1,1]": "−1.5",
    "vocabulary.embedding[2,1]": "50 %",
    "vocabulary.embedding[3,2]": -3.0,
}
KINDS: list[list[object]] = [
    [1.5, "0,86", " two  spaces ", None],
    [True, datetime.datetime(2026, 5, 1), "line\nbreak", "=1+1"],
    [None, None, None, None],
    [None, None, "<&> 猫 −∞", -1e-20],
]
AREAS = {
    "kinds": "'Peter''s tab & more'!$AD$1000:$AG$1003",
    "one": "'Peter''s tab & more'!$AD$1000",
    "repeated": "'Peter''s tab & more'!$B$3:$C$5",
    "everything": "Sheet!$A$1:$XFD$1048576",  # a whole sheet is no table
    "lost": "#REF!",
    "column": "Sheet!$A:$A",
}
KEPT = ("kinds", "one", "repeated")
TABLES = dict(zip(AREAS, (KINDS, [[1.5]], [[7, 7]] * 3, [], None, None), strict=True))
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
    for name, area in AREAS.items():
        book.defined_names[name] = DefinedName(name, attr_text=area)
    for row in page["B3:C5"]:
        for cell in row:
            cell.value = 7
    book.properties.identifier = identifier
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def originals() -> dict[str, bytes]:
    return {"odd": odd(), "typed": played().edited(TYPED)}


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
    content = read_back(originals["odd"])
    assert content == WorkbookContent(IDENTIFIER, "katze", "0a" * 32, "1.2.3", content.tables)
    assert {name: content.tables.get(name) for name in AREAS} == TABLES


@pytest.mark.ci
@pytest.mark.parametrize("kind", FORMATS)
def test_every_kind_of_entry_survives_libreoffice(
    saved: dict[tuple[str, str], bytes], kind: str
) -> None:
    content = read_back(saved["odd", kind])
    assert content.identifier == IDENTIFIER
    assert [content.tables[name] for name in KEPT] == [TABLES[name] for name in KEPT]


@pytest.mark.parametrize("kind", FORMATS)
def test_every_entry_in_a_real_workbook_is_found_again(
    originals: dict[str, bytes], saved: dict[tuple[str, str], bytes], kind: str
) -> None:
    before, after = read_back(originals["typed"]), read_back(saved["typed", kind])
    assert replace(after, tables={}) == replace(before, tables={})
    assert after.tables.keys() == before.tables.keys()
    assert len(after.tables) > 50
    for address, value in TYPED.items():
        name, i, j = re.split("[\\[,]", address.rstrip("]"))
        assert after.tables[name][int(i) - 1][int(j) - 1] == value, address
        assert after.tables[name] == before.tables[name]


def packed(member: str) -> bytes:
    """A zip with one member."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(member, "<x/>")
    return out.getvalue()


NONE = {
    "empty": (lambda: b"", "no workbook that can be read"),
    "table": (lambda: b"token;number\nThe;1\n", "no workbook that can be read"),
    "cut off": (lambda: odd()[:-200], "no workbook that can be read"),
    "table of contents": (lambda: packed("content.xml"), "no workbook that can be read"),
    "book": (lambda: packed("xl/workbook.xml"), "no workbook that can be read"),
    "text": (lambda: packed("readme.txt"), "no workbook that can be read"),
    "unnamed": (lambda: odd(""), "no Paperformer workbook"),
    "a book's": (lambda: odd("urn:isbn:1"), "the code on the first tab"),
    "short hash": (lambda: odd("paperformer/1|katze|short|1.2.3"), "no Paperformer workbook"),
    "later": (lambda: odd(IDENTIFIER.replace("/1|", "/2|")), "format 2, expected 1"),
}


@pytest.mark.parametrize(("data", "said"), NONE.values(), ids=NONE)
def test_other_files_are_refused_in_one_sentence(data: Callable[[], bytes], said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_back(data())


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


def test_numbers_as_pupils_type_them(number: float, value: object) -> None:
    assert to_number(value) == number


def test_what_would_be_guessing_is_no_number(value: object) -> None:
    assert to_number(value) is None
