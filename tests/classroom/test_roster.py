"""The class list as schools write it: encodings, separators, headings, workbooks, size."""

import tracemalloc
import zipfile
from itertools import islice

import pytest
from openpyxl import Workbook

from generator.classroom.pupils.roster import Pupil, RefusedLine, numbered, read, same_id
from tests.support.classes import PUPILS, one_line, pupils, text, workbook, written

WITHOUT_PLANT = text().replace(" 🌱", "")  # Windows-1252 has no plant
MANY = {"csv": 100_000, "xlsx": 5_000}  # rows


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_every_separator_encoding_and_line_end(tmp_path, separator, code, end):
    found = pupils(written(tmp_path, text(separator, end), code=code))
    assert [(one.id, one.name, one.sentence or "") for one in found] == list(PUPILS)
    assert [one.line for one in found] == [2, 3, 4]
    assert all(not one.extra for one in found)


@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be"])
def test_both_orders_of_utf_16(tmp_path, code):
    content = b"\xff\xfe" if code.endswith("le") else b"\xfe\xff"
    found = pupils(written(tmp_path, content + text("\t").encode(code)))
    assert found[0].name == "Jörg Müßig"


@pytest.mark.parametrize("padding", [0, 1 << 16])
def test_windows_1252_with_umlauts_wherever_they_stand(tmp_path, padding):
    lines = "".join(f"x{k};;\r\n" for k in range(padding // 8))
    found = pupils(written(tmp_path, WITHOUT_PLANT + lines + "ü;ß €;\r\n", code="cp1252"))
    assert found[0].name == "Jörg Müßig"
    assert (found[-1].id, found[-1].name) == ("ü", "ß €")


def test_a_letter_of_several_bytes_across_the_pieces_that_are_read(tmp_path):
    body = "id;name\n1;" + "ä" * (1 << 16) + "\n"
    assert pupils(written(tmp_path, body))[0].name == "ä" * (1 << 16)


def test_excel_states_the_separator_first(tmp_path):
    found = pupils(written(tmp_path, "sep=,\r\n" + text(",")))
    assert [one.line for one in found] == [3, 4, 5]
    assert found[1].sentence == "Der Hund schläft auf der Matte"


def test_lists_as_administrations_write_them(tmp_path, content, found):
    listed = pupils(written(tmp_path, content))
    assert [[one.id, one.name, one.line, one.sentence or ""] for one in listed] == found
    known = "Klasse" in content or "Lfd" in content
    assert known or not any(one.extra for one in listed)


def test_a_list_of_names_alone_has_its_lines_numbered(tmp_path, content):
    mia, bo = pupils(written(tmp_path, content))
    assert mia == Pupil("1", "Mia Muster", 2, counted=True, number=1)
    assert bo == Pupil("2", "Bo Ng", 4, counted=True, number=2)


def test_a_refused_line_keeps_its_number_so_that_nobody_else_changes(tmp_path):
    found = list(read(written(tmp_path, "Name;level\nMia;9\nBo;2\n")))
    assert [(one.line, one.id) for one in found] == [(2, "1"), (3, "2")]
    assert isinstance(found[0], RefusedLine)


def test_optional_columns_and_those_that_are_not_known(tmp_path):
    content = (
        "Klasse;id;Satz;Preset;Stufe;Sprache;Bemerkung\n8b;1;Hallo;brille;3;EN;x\n;2;;;;;;tail\n"
    )
    first, second = pupils(written(tmp_path, content))
    extra = (("Klasse", "8b"), ("Bemerkung", "x"))
    assert first == Pupil("1", "", 2, "Hallo", "brille", 3, "en", extra, number=1)
    extra = (("Klasse", ""), ("Bemerkung", ""), ("column 8", "tail"))
    assert second == Pupil("2", "", 3, None, None, None, None, extra, number=2)


def test_languages_by_code_and_by_name(tmp_path, found, language):
    assert pupils(written(tmp_path, f"id;language\n1;{found}\n"))[0].language == language


def test_workbooks_show_ids_as_their_cells_do(tmp_path):
    rows = [("id", "name"), (7, "a"), (8.0, "b"), (9, "c"), (1.5, "d"), ("010", "e"), (True, "f")]
    found = pupils(workbook(tmp_path, rows, {"A4": "000"}))
    assert [one.id for one in found] == ["7", "8", "009", "1.5", "010", "TRUE"]
    assert [one.line for one in found] == [2, 3, 4, 5, 6, 7]


def test_workbooks_with_empty_rows_umlauts_and_further_columns(tmp_path):
    rows = [
        (),
        ("Nr.", "Name", "Level", "Klasse"),
        (1, "Jörg", 2, "8b"),
        (),
        (2, "Zoë", None, None),
    ]
    first, second = pupils(workbook(tmp_path, rows))
    assert first == Pupil("1", "Jörg", 3, level=2, extra=(("Klasse", "8b"),), number=1)
    assert (second.name, second.line, second.level) == ("Zoë", 5, None)


@pytest.mark.parametrize(
    ("written_by_us", "by_others"),
    [(b'ref="A1:B3"', b'ref="A1:A1"'), (b"<v>1</v>", b"<v>1.0</v>"), (b"<v>2</v>", b"<v>2E0</v>")],
)
def test_workbooks_of_other_programs(tmp_path, written_by_us, by_others):
    path = workbook(tmp_path, [("id", "name"), (1, "a"), (2, "b")])
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    page = members["xl/worksheets/sheet1.xml"]
    assert written_by_us in page
    members["xl/worksheets/sheet1.xml"] = page.replace(written_by_us, by_others)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    assert [(one.id, one.name) for one in pupils(path)] == [("1", "a"), ("2", "b")]


def test_the_content_decides_not_the_name(tmp_path):
    book = workbook(tmp_path, [("id",), (1,)])
    assert [one.id for one in pupils(book.rename(tmp_path / "list.csv"))] == ["1"]
    assert [one.id for one in pupils(written(tmp_path, "id\n1\n", "list.xlsx"))] == ["1"]


def test_a_list_streams_before_it_is_read_to_its_end(tmp_path):
    content = "id;name\n" + "".join(f"{k};N\n" for k in range(50_000)) + '"never closed;N\n'
    entries = read(written(tmp_path, content))
    assert [one.id for one in islice(entries, 3)] == ["0", "1", "2"]
    entries.close()


@pytest.mark.ci
@pytest.mark.parametrize(("kind", "many"), MANY.items())
def test_a_long_list_in_little_memory(tmp_path, kind, many):
    rows = [("id", "name", "note")]
    rows += ((f"pupil-{k:06}", f"Name {k}", "x" * 100) for k in range(many))
    content = "".join(";".join(row) + "\n" for row in rows)
    path = written(tmp_path, content) if kind == "csv" else workbook(tmp_path, rows)
    tracemalloc.start()
    count = sum(isinstance(one, Pupil) for one in read(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == many
    # The ids seen so far are all that grows: less than 300 bytes each, where a row has 140 signs.
    assert peak < 300 * many + 3_000_000, f"{peak:,} bytes"


def test_a_number_in_place_of_a_list():
    assert [one.id for one in numbered(3)] == ["01", "02", "03"]
    assert next(iter(numbered(28))) == Pupil("01", "", 1, number=1)
    assert [one.id for one in numbered(1200)][::400] == ["0001", "0401", "0801"]


def test_what_two_spellings_have_in_common():
    assert same_id("E\u0301va") == same_id("\u00e9VA")
    assert same_id("a") != same_id("b")


def test_cells_between_the_first_and_the_last_of_a_page_are_not_made(tmp_path):
    """They would be 17 billion, which no run's time limit allows."""
    book = Workbook()
    page = book.active
    for address, value in {"A1": "id", "A2": "1", "A1048576": "9", "XFD1048576": "x"}.items():
        page[address] = value
    book.save(tmp_path / "last.xlsx")
    found = [(one.id, one.line) for one in read(tmp_path / "last.xlsx")]
    assert found == [("1", 2), ("9", 1048576)]


@pytest.mark.parametrize("heading", ["group", "Gruppe"])
def test_a_group_is_a_letter_or_a_number(tmp_path, heading, text, group):
    assert one_line(tmp_path, f"7;{text}", f"id;{heading}").group == group
