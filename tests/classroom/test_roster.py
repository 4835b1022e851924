"""The class list as schools write it: encodings, separators, headings, workbooks, size."""

import itertools
import tracemalloc
import zipfile
from itertools import islice
from random import Random

import pytest
from openpyxl import Workbook

from generator.classroom.pupils.roster import Pupil, RefusedLine, numbered, read, summary
from generator.errors import UserError
from tests.support.classes import PUPILS, ods, one_line, pupils, text, workbook, written

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


PLAIN = """Jonas Fuchs|Mia Muster|Emma Schmidt|Paul Weber|Anna Becker|Lukas Hoffmann|Max Klein
Tom Roth|Marie Koch|Felix Bauer|Sophie Richter|Laura Wolf|Ben Neumann|Lina Schwarz|Noah Lang
Clara Braun|Ida Hof|Nele Lange|Eva Maier|Oskar Vogel|Greta Busch|Hanna Kuhn|Nils Peters|Jana Beck"""
GERMAN = "Jörg Müßig|Änne Ärmel|Tim Weiß|Käthe Böhm|Uwe Übel|Ole Groß|Özil Krüger|Zoë Roth"
WEST = "Zoë Dupont|José García|João Gonçalves|Chloé Bérard|Iñigo Núñez|Søren Bæk|Åsa Lind"
TURKISH = "Ayşe Yılmaz|Elif Şahin|Çağla Öztürk|Mustafa Kılıç|İrem Çelik|Deniz Güneş|Ali Koç"
ICELANDIC = "Guðrún Þórsdóttir|Björk Guðmundsdóttir|Ásta Þorláksdóttir|Óðinn Sigurðarson"
POLISH = "Małgorzata Wiśniewska|Łukasz Wójcik|Agnieszka Dąbrowska|Paweł Kamiński|Żaneta Zając"
CZECH = "Jiří Novák|Lukáš Dvořák|Tereza Černá|Ondřej Procházka|Šárka Růžičková|Vojtěch Šťastný"
CROATIAN = "Đorđe Kovačević|Luka Perišić|Željka Šimić|Goran Jurić|Marija Živković|Ana Grgić"
HUNGARIAN = "Győző Szabó|Réka Kovács|Zoltán Szűcs|Bálint Fülöp|Csenge Erdős|Máté Nagy"
RUSSIAN = "Анна Иванова|Сергей Петров|Ольга Кузнецова|Дмитрий Соколов|Юлия Щербакова"
UKRAINIAN = "Олена Шевченко|Ігор Коваль|Їжак Ґалаґан|Тетяна Мельник|Юрій Лисенко"
TABLES = {
    "cp1252": (GERMAN, WEST, ICELANDIC), "cp1254": (TURKISH,), "cp850": (GERMAN, WEST),
    "cp1250": (POLISH, CZECH, CROATIAN, HUNGARIAN), "cp1251": (RUSSIAN, UKRAINIAN),
    "mac_roman": (GERMAN, WEST), "utf-16-le": (GERMAN, TURKISH), "utf-16-be": (WEST, TURKISH),
    "utf-8": (GERMAN, TURKISH),
}  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_old_tables_of_signs_are_told_apart_by_the_names_of_a_class(tmp_path, table):
    """Lists with few telling names, often one alone: libraries find 58 to 84 of 100 of such."""
    random, right = Random(f"lists {table}"), []
    for size, pool in itertools.product((6, 15, 28) * 12, TABLES[table]):
        own, plain = pool.split("|"), PLAIN.replace("\n", "|").split("|")
        telling = random.sample(own, min(len(own), max(1, size // 8)))
        names = sorted(telling + random.sample(plain, min(size, 26) - len(telling)))
        found = list(read(written(tmp_path, "".join(f"{one}\r\n" for one in names), code=table)))
        right.append([one.name for one in found] == names)
    assert len(right) >= 36
    assert sum(right) / len(right) >= 0.97, f"{sum(right)} of {len(right)}"


def test_what_a_list_was_read_as_is_shown_by_the_names_that_tell(tmp_path):
    names = [*PLAIN.split("|")[:6], "Elif Şahin", "Ay\x07la Öz"]
    listed = written(tmp_path, "\n".join(names), code="cp1254")
    assert str(summary(listed)) == (
        "8 people: Elif Şahin, Ay?la Öz, Jonas Fuchs, Mia Muster, Emma Schmidt, … (read as "
        "Windows-1254 (Turkish), as no mark says it: if a name looks wrong, save the list as CSV "
        "UTF-8)"
    )
    assert str(summary(written(tmp_path, "\n".join(names)))).endswith(", Anna Becker, …")
    assert str(summary(written(tmp_path, "id\n4711\n"))) == "1 person: 4711"
    book = workbook(tmp_path, [("Name",), ("Çağla",), ("Bo",)])
    assert str(summary(book)) == "2 people: Çağla, Bo"
    again = written(tmp_path, "Anna Müller\nBo\nAnna Müller\n")
    assert str(summary(again)).endswith(
        "3 people: Anna Müller, Bo, Anna Müller; twice: Anna Müller"
    )


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


def test_lists_without_heads_and_below_a_title(tmp_path, content, people, extra):
    found = [one for one in read(written(tmp_path, content)) if isinstance(one, Pupil)]
    assert [[one.id, one.name, one.line] for one in found] == people
    assert [[*pair] for pair in found[0].extra] == extra
    assert [one.number - found[0].number for one in found] == [*range(len(people))]


def test_a_workbook_shows_its_first_sheet_that_holds_something_and_no_errors(tmp_path):
    book = Workbook()
    page = book.create_sheet("8b")
    for row in (("id", "name"), (7, "#N/A"), (8, "Bo")):
        page.append(row)
    book.save(tmp_path / "8b.xlsx")
    assert [(one.id, one.name) for one in pupils(tmp_path / "8b.xlsx")] == [("7", ""), ("8", "Bo")]


def test_a_column_that_means_something_else_is_kept_and_not_used(tmp_path, heading, text, message):
    found = one_line(tmp_path, f"7;{text}", f"id;{heading}")
    assert found.extra == ((heading, text),)
    assert len(found.unread) == 1
    assert message in found.unread[0]
    assert (found.level, found.language, found.group) == (None, None, None)


def test_a_list_of_names_alone_has_its_lines_numbered(tmp_path, content):
    mia, bo = pupils(written(tmp_path, content))
    assert mia == Pupil("1", "Mia Muster", 2, counted=True, number=1)
    assert bo == Pupil("2", "Bo Ng", 4, counted=True, number=2)


@pytest.mark.parametrize("head", ["", "Name\n"])
def test_a_number_before_one_name_alone_is_no_id(tmp_path, head):
    people = "Mia Muster\nCem Öztürk\n3. Schmidt Anna\n- Bo Li\n"
    found = pupils(written(tmp_path, head + people))
    assert [one.name for one in found] == ["Mia Muster", "Cem Öztürk", "Schmidt Anna", "Bo Li"]
    assert [one.id for one in found] == ["1", "2", "3", "4"]


def test_a_line_parted_otherwise_is_said_by_its_tabs(tmp_path):
    people = "".join(f"{k}. Mia Muster\n" for k in range(1, 8))
    *_, last = read(written(tmp_path, f"{people}van der Berg\tJan-Luca\t9b\tm\n"))
    assert isinstance(last, RefusedLine)
    assert last.message.startswith("tabs stand where the id should be")
    assert last.read == "van der Berg\tJan-Luca\t9b\tm"


def test_a_refused_line_keeps_its_number_so_that_nobody_else_changes(tmp_path):
    found = list(read(written(tmp_path, "Name;level\nMia\ue000;\nBo;2\n")))
    assert [(one.line, one.id) for one in found] == [(2, "1"), (3, "2")]
    assert isinstance(found[0], RefusedLine)


def test_optional_columns_and_those_that_are_not_known(tmp_path):
    content = (
        "Klasse;id;Satz;Preset;Stufe;Sprache;Bemerkung\n8b;1;Hallo;brille;3;EN;x\n;2;;;;;;tail\n"
    )
    first, second = pupils(written(tmp_path, content))
    extra = (("Klasse", "8b"), ("Stufe", "3"), ("Sprache", "EN"), ("Bemerkung", "x"))
    assert first == Pupil("1", "", 2, "Hallo", "brille", 3, "en", extra, number=1)
    empty = (("Klasse", ""), ("Stufe", ""), ("Sprache", ""), ("Bemerkung", ""))
    extra = (*empty, ("column 8", "tail"))
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
    extra = (("Level", "2"), ("Klasse", "8b"))
    assert first == Pupil("1", "Jörg", 3, level=2, extra=extra, number=1)
    assert (second.name, second.line, second.level) == ("Zoë", 5, None)


def test_open_document_lists_are_read_as_workbooks_are(tmp_path):
    """Saved by LibreOffice: a title, noughts before a number, two of one name, a million rows."""
    rows = [
        ("Klasse 8b", None),
        ("Nr.", "Name", "Level", "Note"),
        ((7, "007"), "Jörg", 2, (2.5, "2,5")),
        (None, None, None),
        ((1000, "1.000"), "Zoë & Bo"),
    ]
    listed = written(tmp_path, ods(rows, 1_048_571), "8b.ods")
    found = [(one.id, one.name, one.line, one.level) for one in pupils(listed)]
    assert found == [("007", "Jörg", 3, 2), ("1000", "Zoë & Bo", 5, None)]
    assert dict(pupils(listed)[0].extra)["Note"] == "2.5"
    names = written(tmp_path, ods([("Bo",), ("Bo",), ("Ana",)]), "names.csv")
    assert [(one.name, one.line) for one in pupils(names)] == [("Bo", 1), ("Bo", 2), ("Ana", 3)]
    for rows, message in (([("x",) * 9] * 2_000_000, "damaged"), ([], "it is empty")):
        with pytest.raises(UserError, match=message):
            read(written(tmp_path, ods(rows), "large.ods"))


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
