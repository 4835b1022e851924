"""The list for typing from paper: everybody's cells, read back as they were typed."""

import csv
from itertools import zip_longest
from pathlib import Path

import pytest
from openpyxl import load_workbook

import generator
from generator.classroom.pupils.pupil_codes import code_of
from generator.errors import UserError
from generator.grading.grade import Grading
from generator.grading.marking.task import Batch, batch_in
from generator.grading.reading.entries import Collected
from generator.grading.reading.whose import (
    ABOUT,
    NOT_ASKED,
    TYPED,
    columns_of,
    list_rows,
    mark_of,
    template,
)
from generator.locales.catalogue import load
from tests.support.classes import ods, workbook
from tests.support.handed_in import collected
from tests.support.three import NAMES, SEED, SHEETS, three

CODES = {key: code_of(SEED, key) for key in NAMES}
EVERY = ("numbers", pytest.param("focus", marks=pytest.mark.ci))


def table(batch: Batch) -> list[list[str]]:
    return [*map(list, list_rows(batch))]


def asked(row: list) -> list[int]:
    """The places of a row that its pupil is asked for."""
    return [k for k, cell in enumerate(row) if k >= len(ABOUT) and cell != NOT_ASKED]


def handed_in(rows: list[list[str]], folder: Path, place: Path, delimiter: str = ";") -> Collected:
    with (folder / "list.csv").open("w", encoding="cp1252", errors="replace", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(zip_longest(*rows, fillvalue=""))
    return collected(folder, place, jobs=1)


@pytest.mark.parametrize("vary", EVERY)
def test_all_that_is_asked_can_be_typed_and_is_read_back(vary: str, tmp_path: Path):
    place = three(vary)
    batch = batch_in(place)
    rows = table(batch)
    assert [row[0] for row in rows[2:]] == list(batch.records)
    wanted: dict = {}
    for row in rows[2:]:
        row[:] = [cell or f"{row[0][:2]} {k},5" for k, cell in enumerate(row)]
        for task in batch.seat(row[0]).tasks:
            for column, _, cell in columns_of(task):
                cells = wanted.setdefault((row[0], (column.sheet,)), {})
                cells[cell] = row[rows[0].index(str(column))]
        assert len(asked(row)) == sum(len(task.asked) for task in batch.seat(row[0]).tasks)
    found = handed_in(rows, tmp_path, place)
    assert not found.stray
    assert {(one.source.code, one.source.sheets): one.typed for one in found.entries} == wanted
    assert {one.source.sheets for one in found.entries} == {(sheet,) for sheet in SHEETS}


def test_the_heading_tells_a_reader_what_to_type():
    batch = batch_in(three("numbers"))
    rows = table(batch)
    assert rows[1][: len(ABOUT)] == ["Code", "ID", "Nr."]
    assert rows[1][len(ABOUT)].startswith("4a Head 1: Scores")
    assert len(set(rows[1])) == len(rows[1])
    assert all(name not in str(rows) for name in NAMES.values())


def test_names_stand_first_where_they_are_wanted_and_nobody_is_known_by_them(tmp_path: Path):
    place = three("numbers")
    batch = batch_in(place)
    rows = [*map(list, list_rows(batch, dict.fromkeys(batch.records, "2")))]
    assert rows[1][: len(ABOUT) + 1] == ["Name", "Code", "ID", "Nr."]
    for row in rows[2:]:
        row[:] = [cell or "1" for cell in row]
    found = handed_in(rows, tmp_path, place)
    assert not found.stray
    assert {one.source.code for one in found.entries if one.typed} == set(batch.records)


def test_the_file_is_typed_downwards_a_column_for_each_pupil(tmp_path: Path):
    """As a sheet is read; what is typed stays what it is, for the boxes take texts."""
    place = three("numbers")
    batch = batch_in(place)
    names = dict.fromkeys(batch.records, "somebody")
    (tmp_path / TYPED).write_bytes(template(list_rows(batch, names), "de"))
    book = load_workbook(tmp_path / TYPED)
    assert book.active.freeze_panes == "C5"  # below name, code, id and number; beside what a box is
    first = next(row for row in book.active.iter_rows(min_row=5) if row[3].value is None)
    assert first[3].number_format == "@"
    first[3].value, first[2].value = "0,30", "1.2"
    book.active["D2"].value, book.active["D3"].value = "nobody", None  # the second pupil's code
    book.save(tmp_path / TYPED)
    found = collected(tmp_path, place, jobs=1)
    typed = {one.source.code: [*one.typed.values()] for one in found.entries if one.typed}
    assert typed == {next(iter(batch.records)): ["1.2"]}
    assert [one.file for one in found.stray] == [f"{TYPED}:D"]


def test_more_pupils_than_a_spreadsheet_has_columns_are_refused():
    rows = [["a 1", *"bcd"]] * 16_385
    with pytest.raises(UserError, match=r"--template: 16383 pupils.* 16382"):
        template(rows, "de")


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_list_that_was_saved_as_a_workbook_is_read(kind: str, tmp_path: Path):
    """Whoever opens it in a spreadsheet saves what that offers; numbers are numbers there."""
    place = three("numbers")
    rows: list[list] = [[cell or None for cell in row] for row in table(batch_in(place))]
    first, second, *_ = asked(rows[2])
    rows[2][first], rows[2][second] = 0.35, "1/3"
    rows = [*zip_longest(*rows)]
    rows.insert(3, [])
    if kind == "xlsx":
        workbook(tmp_path, rows)
    else:
        (tmp_path / "typed.ods").write_bytes(ods(map(tuple, rows), 9))
    found = collected(tmp_path, place, jobs=1)
    assert not found.stray
    assert [list(one.typed.values()) for one in found.entries if one.typed] == [["0.35", "1/3"]]


def test_pupils_of_different_sentences_have_each_ones_words_above_a_column(tmp_path: Path):
    listed = tmp_path / "class.csv"
    listed.write_text("id;sentence\n1;Die Katze sitzt\n2;Der Hund schläft\n", encoding="utf-8")
    options = {"sheets": ["7a"], "level": 1, "only": ["xlsx"], "seed": "s", "language": "de"}
    assert generator.batch(listed, tmp_path / "out", **options).made == 2
    keys, titles, *_ = table(batch_in(tmp_path / "out"))
    of = dict(zip(keys, titles, strict=True))
    assert of["7a grad.output.tempered 1 1"].endswith(": 1: Die/Der")
    assert of["7a grad.output.matrix 3 1"].endswith(": schläft, d1")


def test_pupils_are_known_by_code_id_or_number(tmp_path: Path):
    place = three("numbers")
    rows = table(batch_in(place))
    for row, about in zip(rows[2:], (["", "k-90417", ""], ["", "", "2"], []), strict=True):
        row[: len(about)] = about
        row[0] = row[0].lower()
        row[asked(row)[0]] = "'-0,35"
    rows += [["", "", ""], ["nobody", "", "", "1"]]
    found = handed_in(rows, tmp_path, place, "\t")
    typed = {one.source.code: list(one.typed.values()) for one in found.entries if one.typed}
    assert typed == {code: ["-0,35"] for code in CODES.values()}
    (stray,) = found.stray
    assert stray.file == "list.csv:G"
    assert "“nobody” does not name one pupil" in str(stray.reason)
    assert "„nobody“ ist kein Code" in stray.reason.said(load("de"))


def test_what_nobody_asked_for_is_named_and_the_rest_is_taken(tmp_path: Path):
    place = three("numbers")
    rows = table(batch_in(place))
    rows[0].append("4a block1.head1.scores own 99")
    rows[2] += ["0,5"]
    rows[2][asked(rows[2])[0]] = "0,1"
    found = handed_in(rows, tmp_path, place)
    (stray,) = found.stray
    assert stray.file == "list.csv:C"
    assert not stray.lost
    assert str(stray.named({rows[2][0]: "Mia"}).reason).startswith("Mia: 1× something")
    assert "'4a block1.head1.scores own 99'" in str(stray.reason)
    assert [list(one.typed.values()) for one in found.entries if one.typed] == [["0,1"]]


def test_a_pupil_cannot_hand_in_such_a_list(tmp_path: Path):
    place = three("numbers")
    rows = table(batch_in(place))
    rows[0][0] = mark_of(batch_in(place))[:-1] + "?"
    found = handed_in(rows, tmp_path, place)
    assert not found.entries
    assert "its first cell was changed" in str(found.stray[0].reason)


@pytest.mark.ci
def test_files_with_a_code_of_several_pupils_are_not_taken_for_one_pupils(tmp_path: Path):
    place = tmp_path / "lecture"
    options = {"sheets": ["1"], "level": 1, "only": ["html"], "seed": "s", "language": "de"}
    assert generator.batch(2, place, versions=2, **options).made == 2
    with pytest.raises(UserError, match=r"--versions 2.*--vary groups=N"):
        Grading(tmp_path, place).template()
    mark, titles, line, _ = table(batch_in(place))
    typed = [*line[:3], "7", *line[4:]]
    with pytest.raises(UserError, match="several pupils have: the batch was made with --versions"):
        handed_in([mark, titles, line, typed], tmp_path, place)
    assert len(handed_in([mark, titles, typed], tmp_path, place).entries) == 1


def test_a_list_in_which_nothing_was_typed_is_refused_and_nothing_written(tmp_path: Path):
    place = three("numbers")
    (made,) = Grading(tmp_path, place).template()
    assert made.name == TYPED
    with pytest.raises(UserError, match=r"typed\.xlsx: nothing was typed into any of its lines$"):
        generator.grade(tmp_path, batch=place)
    assert [path.name for path in tmp_path.iterdir()] == [TYPED]
