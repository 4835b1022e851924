"""What is wrong with a class list: one message each, with the line and never with a name."""

import time

import pytest

from generator.classroom.pupils.roster import Pupil, RefusedLine, read
from generator.errors import UserError
from generator.render.workbook.reading.read_back import UNPACKED
from tests.support.classes import SHEET, archive, bomb, one_line, workbook, written


def test_lines_that_are_refused(tmp_path, heading, line, message):
    found = one_line(tmp_path, line.replace("LONG", "x" * 140_000), heading)
    own = "" if "LONG" in line else line.partition(";")[0]
    assert isinstance(found, RefusedLine)
    assert message in found.message
    assert found.line == 2
    assert found.id in (own, f"{own[:39]}…")
    assert "Mia" not in found.message + found.id
    assert "Muster" not in found.message


def test_ids_that_can_be_used(tmp_path, pupil_id):
    found = one_line(tmp_path, f"{pupil_id};Mia")
    assert isinstance(found, Pupil)
    assert found.id == pupil_id


def test_the_others_still_get_theirs(tmp_path):
    content = "id;name;Satz\n1;Mia;\nCON;Max;\n;Ada;\n2;Eve;\ue000\n3;Bob;\n1;Tom;\n4;Kim;\n"
    found = list(read(written(tmp_path, content)))
    assert [one.id for one in found if isinstance(one, Pupil)] == ["1", "3", "4"]
    refused = [one for one in found if isinstance(one, RefusedLine)]
    assert [(one.line, one.id) for one in refused] == [(3, "CON"), (4, ""), (5, "2"), (7, "1")]
    assert "the id '1' is already in line 2" in refused[-1].message
    assert [one.read for one in refused][:2] == ["CON · Max", "Ada"]  # for whoever sent the list
    told = " ".join(one.message for one in refused)
    assert not [name for name in ("Mia", "Max", "Ada", "Eve", "Bob", "Tom") if name in told]


def test_one_id_in_two_spellings(tmp_path, pair):
    first, second = read(written(tmp_path, f"id\n{pair[0]}\n{pair[1]}\n"))
    assert isinstance(first, Pupil)
    assert isinstance(second, RefusedLine)
    assert "already in line 2" in second.message


def test_a_refused_id_does_not_take_the_place_of_another(tmp_path):
    content = "id;Satz\n1;\ue000\n2;Hallo\n"
    assert [type(one) for one in read(written(tmp_path, content))] == [RefusedLine, Pupil]


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


def test_what_is_no_list(tmp_path, content, member, message):
    content = content.replace("LONG", "x" * 140_000).encode("latin-1")
    path = archive(tmp_path, member, "8b.csv") if member else written(tmp_path, content)
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
    with pytest.raises(UserError, match=r"8c\.csv: there is no such file; expected a CSV, X"):
        read(tmp_path / "8c.csv")
    with pytest.raises(UserError, match="this is a folder; expected a file in it"):
        read(tmp_path)


def test_further_columns_of_one_heading_keep_what_each_holds(tmp_path):
    found = one_line(tmp_path, "1;window;door", heading="id;seat;seat")
    assert isinstance(found, Pupil)
    assert found.extra == (("seat", "window"), ("seat (2)", "door"))
