"""What is wrong with a class list: one message each, with the line and never with a name."""

import time

import pytest

from generator.classroom.pupils.roster import Pupil, RefusedLine, read
from generator.errors import UserError
from generator.render.workbook.reading.read_back import UNPACKED
from tests.support.classes import SHEET, archive, bomb, one_line, workbook, written

UNUSABLE = {
    "../../x": "no file name may hold",
    "a/b": "no file name may hold",
    "a\\b": "no file name may hold",
    "C:x": "no file name may hold",
    "a|b": "no file name may hold",
    "..": "ends with a dot",
    "CON": "Windows keeps for a device",
    "nul": "Windows keeps for a device",
    "Com1.txt": "Windows keeps for a device",
    "LPT²": "Windows keeps for a device",
    "a\u0007b": "nobody can see",
    "a\u202eb": "nobody can see",
    "a\u200bb": "nobody can see",
    "a\ufffe": "nobody can see",
    "7.": "ends with a dot",
    "x" * 65: "has 65 characters; at most 64",
}


@pytest.mark.parametrize(("pupil_id", "message"), UNUSABLE.items())
def test_ids_that_cannot_be_used(tmp_path, pupil_id, message):
    found = one_line(tmp_path, f"{pupil_id};Mia Muster")
    assert isinstance(found, RefusedLine)
    assert message in found.message
    assert found.line == 2
    assert "Mia" not in found.message + found.id


@pytest.mark.parametrize(
    "pupil_id", ["x" * 64, "CONNY", "com10", "aux-1", "1.2", "Ä-7 b", "李明", ".x", "=1+1", "-1"]
)
def test_ids_that_can_be_used(tmp_path, pupil_id):
    found = one_line(tmp_path, f"{pupil_id};Mia")
    assert isinstance(found, Pupil)
    assert found.id == pupil_id


def test_an_empty_id(tmp_path):
    found = one_line(tmp_path, ";Mia Muster")
    assert found == RefusedLine(2, "", "the id is empty; give each pupil one, such as a number")


def test_the_others_still_get_theirs(tmp_path):
    content = "id;name;level\n1;Mia;\nCON;Max;\n;Ada;\n2;Eve;9\n3;Bob;\n1;Tom;\n4;Kim;2\n"
    found = list(read(written(tmp_path, content)))
    assert [one.id for one in found if isinstance(one, Pupil)] == ["1", "3", "4"]
    refused = [one for one in found if isinstance(one, RefusedLine)]
    assert [(one.line, one.id) for one in refused] == [(3, "CON"), (4, ""), (5, "2"), (7, "1")]
    assert "the id '1' is already in line 2" in refused[-1].message
    told = " ".join(one.message for one in refused)
    assert not [name for name in ("Mia", "Max", "Ada", "Eve", "Bob", "Tom") if name in told]


@pytest.mark.parametrize(
    "pair", [("anna", "ANNA"), ("e\u0301va", "\u00c9VA"), ("straße", "STRASSE")]
)
def test_one_id_in_two_spellings(tmp_path, pair):
    first, second = read(written(tmp_path, f"id\n{pair[0]}\n{pair[1]}\n"))
    assert isinstance(first, Pupil)
    assert isinstance(second, RefusedLine)
    assert "already in line 2" in second.message


@pytest.mark.parametrize(
    ("heading", "cell", "message"),
    [
        ("Stufe", "8", "column 'Stufe': found 8, expected 1, 2, 3 or nothing"),
        ("level", "0", "column 'level': found 0, expected 1, 2, 3 or nothing"),
        ("level", "Muster", "column 'level': found another text, expected 1, 2, 3 or nothing"),
        ("Sprache", "Muster", "column 'Sprache': found another text, expected de, en or nothing"),
    ],
)
def test_levels_and_languages_that_do_not_exist(tmp_path, heading, cell, message):
    found = one_line(tmp_path, f"1;{cell}", f"id;{heading}")
    assert isinstance(found, RefusedLine)
    assert message in found.message
    assert "Muster" not in found.message


def test_a_refused_id_does_not_take_the_place_of_another(tmp_path):
    content = "id;level\n1;9\n2;1\n"
    assert [type(one) for one in read(written(tmp_path, content))] == [RefusedLine, Pupil]


def test_a_cell_of_absurd_length_is_named_as_such(tmp_path):
    found = one_line(tmp_path, f"1;{'x' * 140_000}")
    assert isinstance(found, RefusedLine)
    assert found.message.startswith("a cell holds more than 131,072 characters")


def test_a_quotation_mark_that_is_never_closed(tmp_path):
    found = list(read(written(tmp_path, 'id;name\n1;Mia\n2;"Max\n3;Ada\n')))
    assert [one.id for one in found if isinstance(one, Pupil)] == ["1"]
    assert isinstance(found[-1], RefusedLine)
    assert found[-1].line == 3
    assert "is not closed" in found[-1].message


def test_a_quotation_mark_in_a_wrong_place_costs_its_line_only(tmp_path):
    found = list(read(written(tmp_path, 'id;name\n1;"Mia" M\n2;Max\n')))
    assert [(type(one), one.line) for one in found] == [(RefusedLine, 2), (Pupil, 3)]
    assert "Mia" not in found[0].message


FILES = {
    "pdf": (b"%PDF-1.7\n\xe2\xe3", "this is a PDF; save the list as CSV UTF-8 or as XLSX"),
    "old": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 90, "old Excel or Word versions"),
    "rtf": (b"{\\rtf1 id;name}", "a text document"),
    "utf-32": ("id;name".encode("utf-32"), "text in UTF-32"),
    "zeros": (b"id;name\n1;\0\0\n", "not text in UTF-8, UTF-16 or Windows-1252"),
    "bytes": (b"id;name\n1;\x81\xff\n", "not text in UTF-8, UTF-16 or Windows-1252"),
    "half": (b"\xff\xfei\0d\0\n\0\x31", "not text in UTF-8, UTF-16 or Windows-1252"),
    "cut archive": (b"PK\x03\x04 cut off", "the file is damaged"),
    "empty": (b"", "it is empty; expected a heading such as id;name;sentence"),
    "blank": (b"\r\n ; ;\r\n", "it is empty; expected a heading such as id;name;sentence"),
    "heading only": (b"id;name\n;\n", "it has 0 pupils, only a heading in line 1"),
    "no id, no name": (b"Satz;Klasse\nMia;8b\n", "found the columns Satz, Klasse, expected a col"),
    "no heading": (b"Mia Muster;8b\nMax;8b\n", "found 2 cells and no known heading at the top"),
    "open heading": (b'id;"name\n1;Mia\n', "line 1: a quotation mark"),
    "twice": (b"id;name;ID\n1;Mia;x\n", "two columns are called"),
    "twice, a name": (b"id;name;Name\n1;Mia;x\n", "two columns are called"),
    "twice, no name": (b"id;Satz;satz\n1;Mia;x\n", "two columns are called"),
    "word": ("word/document.xml", "this is a Word document"),
    "open document": ("content.xml", "this is an OpenDocument file"),
    "binary": ("xl/workbook.bin", "this is a binary workbook"),
    "photos": ("photo.jpg", "this is an archive without a workbook"),
    "no sheets": ("xl/workbook.xml", "the workbook is damaged"),
    "long heading": (b"id;" + b"x" * 140_000, "line 1: a cell holds more than 131,072 characters"),
}


@pytest.mark.parametrize("case", FILES)
def test_what_is_no_list(tmp_path, case):
    content, message = FILES[case]
    make = archive if isinstance(content, str) else written
    path = make(tmp_path, content, "8b.csv")
    with pytest.raises(UserError) as caught:
        read(path)
    assert message in str(caught.value)
    assert "8b.csv" in str(caught.value)
    assert "Mia" not in str(caught.value)


def test_a_workbook_that_breaks_off_in_its_middle(tmp_path):
    path = workbook(tmp_path, [("id", "name"), *((k, f"Name {k}") for k in range(5000))])
    content = bytearray(path.read_bytes())
    middle = content.find(b"xl/worksheets/sheet1.xml") + 5000
    content[middle : middle + 200] = bytes(200)
    path.write_bytes(content)
    with pytest.raises(UserError, match="the workbook is damaged"):
        list(read(path))


ROW = b"<row><c><v>1</v></c></row>"


@pytest.mark.parametrize(
    ("piece", "size", "message"),
    [
        (ROW, UNPACKED, f"it unpacks to 100[0-9]+ bytes, at most {UNPACKED} are read; copy the"),
        (b'<row><c r="XFD1"/></row>', 20_000, "more than 10000000 cells; copy the"),
        (b"<!DOCTYPE x>", 12, f"{SHEET} defines XML entities"),
    ],
    ids=["large", "wide", "growing"],
)
def test_a_small_workbook_that_grows_is_refused_before_it_is_read(tmp_path, piece, size, message):
    path = written(tmp_path, bomb(SHEET, piece, size), "8b.xlsx")
    assert path.stat().st_size < 300_000
    began = time.process_time()
    with pytest.raises(UserError, match=message):
        list(read(path))
    assert time.process_time() - began < 5  # to read 100 MB takes 12 s


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(UserError, match=r"8c\.csv: there is no such file; expected a CSV or XLSX"):
        read(tmp_path / "8c.csv")
    with pytest.raises(UserError, match="this is a folder; expected a file in it"):
        read(tmp_path)


def test_further_columns_of_one_heading_keep_what_each_holds(tmp_path):
    found = one_line(tmp_path, "1;window;door", heading="id;seat;seat")
    assert isinstance(found, Pupil)
    assert found.extra == (("seat", "window"), ("seat (2)", "door"))
