"""The saved workbook: values are there and true, texts stay texts, bytes stay the same."""

import datetime
import gc
import hashlib
import io
import os
import subprocess
import sys
import zipfile
from copy import copy

import numpy as np
import openpyxl
import pandas
import pytest
from lxml import etree
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula

import generator
from generator.locales.catalogue import load
from generator.render.workbook.file.cells import SharedStyle, cell_at, put
from generator.render.workbook.file.package import MEANT, CellFormula, describe, to_bytes
from tests.support.office import Office
from tests.support.recalculate import (
    cached_values,
    formula_cells,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)
from tests.support.workbook import solution as made_once

POISON = 999.0
ODD_TEXTS = (
    *("=1+1", "=", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "#N/A", "#DIV/0!", "#ERR"),
    *("?", "*", "~", "TRUE", "1/2", "1e5", "0,5", "007", "<b>", "&amp;", '"', "'", "]]>"),
    *("{{ 7*7 }}", "{% x %}", "猫", "🙂", "👩‍👩‍👧", "שלום", "مرحبا", "é", "−∞"),
    *("  two leading", "trailing ", " ", "a\nb", "a\tb", "x" * 60, "a\u00a0b"),
)
ODD_VALUES = {f"{letter}{row}": text for row, text in enumerate(ODD_TEXTS, 1) for letter in "AB"}


def sample(poison: float | None = None) -> Workbook:
    """Two sheets whose formulas have known values, or `poison` where a number is cached."""
    book = Workbook()
    given = book.worksheets[0]
    given.title = "Given"
    for row, values in enumerate([[0.1, 0.2], [1 / 3, -4.0], [2, 1e-20]], start=1):
        for column, value in enumerate(values, start=1):
            given.cell(row, column).value = value
    put(given["A5"], "−∞")
    given["B5"].font = Font(bold=True)
    sums = book.create_sheet("Sum & more")
    formulas = {
        "A1": ("=Given!A1+Given!B1", 0.1 + 0.2),
        "A2": ("=Given!A2*Given!B2+Given!A1*Given!B1", 1 / 3 * -4.0 + 0.1 * 0.2),
        "A3": ("=ROUND(ROUND(Given!A2,10),2)", 0.33),
        "A4": ("=MAX(Given!A5:B5,-7)", -7.0),
        "A5": ('=IF(Given!A1<Given!B1,"−∞","<&>")', "−∞"),
        "A6": ("=Given!A1>Given!B1", False),
        "A7": ("=Given!A5", "−∞"),
        "A8": ('=IF(ISBLANK(Given!B5),"",1)', ""),
        "A9": ("=IF(ISNUMBER(Given!A5),EXP(Given!A5),0)", 0),
    }
    for name, (text, cached) in formulas.items():
        wrong = poison is not None and isinstance(cached, (int, float))
        put(sums[name], CellFormula(text, POISON if wrong else cached))
    return book


def decorated() -> Workbook:
    """The sample with one of everything that tabs use, where order could come from a hash."""
    book = sample()
    sheet = book["Sum & more"]
    sheet["A1"].comment = Comment("note", "author")
    sheet["C1"].hyperlink = "#Given!A1"
    sheet["C2"].value = True
    sheet["C2"].number_format = "0.000"
    sheet["A1"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet.merge_cells("E1:F2")
    sheet.row_dimensions[2].height = 30
    sheet.row_dimensions[20].hidden = True
    sheet.conditional_formatting.add("A1:A9", CellIsRule("equal", ["1"], font=Font(bold=True)))
    validation = DataValidation(type="decimal", operator="between", formula1="-9", formula2="9")
    validation.add("C3:C4")
    sheet.add_data_validation(validation)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=1, min_row=1, max_row=4))
    describe(chart, "Sums", 'Four bars: "0.3" <- the first')
    sheet.add_chart(chart, "H1")
    for name in ("d_k", "Temperature", "Q_1"):
        book.defined_names[name] = DefinedName(name, attr_text="Given!$A$1")
    return book


def odd_book() -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    for row, text in enumerate(ODD_TEXTS, start=1):
        put(sheet.cell(row, 1), text)
        put(sheet.cell(row, 2), CellFormula(f"=A{row}", text))
    return to_bytes(book)


def test_the_same_workbook_gives_the_same_bytes() -> None:
    book = decorated()
    first = to_bytes(book)
    assert first == to_bytes(book) == to_bytes(decorated())


def test_another_process_gives_the_same_bytes() -> None:
    program = (
        "import hashlib; from tests.render.workbook.test_package import decorated, to_bytes; "
        "print(hashlib.sha256(to_bytes(decorated())).hexdigest())"
    )
    said = subprocess.run(
        [sys.executable, "-c", program],
        env={
            **os.environ,
            "PYTHONHASHSEED": "2",
            "TZ": "Asia/Tokyo",
            "PYTHONPATH": ":".join(sys.path),
        },
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.strip() == hashlib.sha256(to_bytes(decorated())).hexdigest()


def test_no_member_and_no_property_knows_the_clock() -> None:
    with zipfile.ZipFile(io.BytesIO(to_bytes(decorated()))) as archive:
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = archive.read("docProps/core.xml").decode()
    assert core.count("2000-01-01T00:00:00Z") == 2
    assert str(datetime.datetime.now().year) not in core


def test_cached_values_are_read_without_computing() -> None:
    found = cached_values(to_bytes(sample()))
    assert found["Sum & more"] == {
        "A1": 0.1 + 0.2,
        "A2": 1 / 3 * -4.0 + 0.1 * 0.2,
        "A3": 0.33,
        "A4": -7.0,
        "A5": "−∞",
        "A6": False,
        "A7": "−∞",
        "A9": 0,
    }
    assert found["Given"]["A2"] == 1 / 3
    assert found["Given"]["B3"] == 1e-20


def test_formulas_are_written_as_given() -> None:
    formulas = formula_cells(to_bytes(sample()))
    assert formulas["Given"] == {}
    assert formulas["Sum & more"]["A5"] == '=IF(Given!A1<Given!B1,"−∞","<&>")'
    assert len(formulas["Sum & more"]) == 9


def test_programs_are_told_to_recalculate_on_loading() -> None:
    with zipfile.ZipFile(io.BytesIO(to_bytes(sample()))) as archive:
        assert b'fullCalcOnLoad="1"' in archive.read("xl/workbook.xml")


def test_look_and_furniture_survive() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(to_bytes(decorated())))["Sum & more"]
    assert sheet["A1"].comment.text == "note"
    assert sheet["C1"].hyperlink.location or sheet["C1"].hyperlink.target
    assert sheet["C2"].value is True
    assert sheet["C2"].number_format == "0.000"
    assert sheet["A1"].fill.fgColor.rgb == "00FFFF00"
    assert [str(area) for area in sheet.merged_cells.ranges] == ["E1:F2"]
    assert sheet.row_dimensions[2].height == 30
    assert sheet.row_dimensions[20].hidden
    assert len(sheet.data_validations.dataValidation) == 1


def test_empty_styled_cells_hold_nothing() -> None:
    with zipfile.ZipFile(io.BytesIO(to_bytes(sample()))) as archive:
        assert b'<c r="B5" s="1"/>' in archive.read("xl/worksheets/sheet1.xml")


def test_outer_spaces_are_marked_for_excel() -> None:
    with zipfile.ZipFile(io.BytesIO(odd_book())) as archive:
        rows = archive.read("xl/worksheets/sheet1.xml")
    for text in (b"  two leading", b"trailing ", b" "):
        assert b'<t xml:space="preserve">' + text + b"</t>" in rows


def test_odd_texts_survive_openpyxl_and_ironcalc() -> None:
    xlsx = odd_book()
    assert cached_values(xlsx)["Sheet"] == ODD_VALUES
    assert len(formula_cells(xlsx)["Sheet"]) == len(ODD_TEXTS)
    assert ironcalc_values(xlsx)["Sheet"] == ODD_VALUES


def test_odd_texts_survive_libreoffice(office: Office) -> None:
    (found,) = libreoffice_values([odd_book()], office)
    assert found["Sheet"] == ODD_VALUES


def test_a_text_that_looks_encoded_is_not_decoded(office: Office) -> None:
    book = Workbook()
    put(book.worksheets[0]["A1"], "_x0041_ and _x005F_")
    put(book.worksheets[0]["A2"], CellFormula("=A1", "_x0041_ and _x005F_"))
    xlsx = to_bytes(book)
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        assert (
            archive.read("xl/worksheets/sheet1.xml").count(b"_x005F_x0041_ and _x005F_x005F_") == 2
        )
    (found,) = libreoffice_values([xlsx], office)
    assert found["Sheet"] == {"A1": "_x0041_ and _x005F_", "A2": "_x0041_ and _x005F_"}


def test_poisoned_caches_are_overruled_by_both_programs(office: Office) -> None:
    honest, poisoned = to_bytes(sample()), to_bytes(sample(POISON))
    assert cached_values(poisoned)["Sum & more"]["A1"] == POISON
    by_ironcalc = ironcalc_values(poisoned)
    by_office, without = libreoffice_values([poisoned, strip_caches(poisoned)], office)
    for sheet, cells in cached_values(honest).items():
        for name, cached in cells.items():
            want = cached if isinstance(cached, str) else pytest.approx(float(cached), abs=1e-12)
            assert by_ironcalc[sheet][name] == want
            assert by_office[sheet][name] == want
            assert without[sheet][name] == want


@pytest.mark.parametrize(
    "text", ["\x00", "a\x0bb", "\x1f", "\ufffe", "\uffff", "\ud800", "x" * 32768]
)
def test_unwritable_texts_raise(text: str) -> None:
    cell = Workbook().worksheets[0]["A1"]
    with pytest.raises(ValueError, match="found"):
        put(cell, text)
    put(cell, CellFormula("=A2", text))
    with pytest.raises(ValueError, match="Sheet!A1"):
        to_bytes(cell.parent.parent)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("=1+1", TypeError),  # a text that became a formula must not pass
        ("#N/A", TypeError),
        (datetime.date(2000, 1, 1), TypeError),
        (ArrayFormula("A1:A2", "=B1:B2"), TypeError),
        (CellRichText("rich"), TypeError),
        (np.int64(3), TypeError),
        (float("inf"), ValueError),
        (float("nan"), ValueError),
    ],
)
def test_what_has_no_spelling_raises_with_its_place(value: object, error: type) -> None:
    book = Workbook()
    book.worksheets[0]["B3"].value = value
    with pytest.raises(error, match="Sheet!B3: found"):
        to_bytes(book)


def test_what_was_refused_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """With lxml 5 a writer left open failed when Python cleared it away, with a traceback."""
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    book = Workbook()
    book["Sheet"]["A1"] = datetime.date(2026, 5, 1)
    with pytest.raises(TypeError, match="Sheet!A1"):
        to_bytes(book)
    gc.collect()
    assert not told


@pytest.mark.parametrize("cached", [None, float("-inf"), float("nan"), np.int64(3), [1]])
def test_a_cached_value_must_be_a_number_truth_or_text(cached: object) -> None:
    cell = Workbook().worksheets[0]["A1"]
    put(cell, CellFormula("=A2", cached))
    with pytest.raises((TypeError, ValueError), match="Sheet!A1: found"):
        to_bytes(cell.parent.parent)


@pytest.mark.parametrize("text", ["", "=", "1+1", "=" + "1+" * 4096 + "1"])
def test_what_is_no_formula_cannot_be_put(text: str) -> None:
    with pytest.raises(ValueError, match="expected a formula"):
        put(Workbook().worksheets[0]["A1"], CellFormula(text, 1.0))


def test_numbers_keep_every_digit_and_no_minus_zero() -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    values = [0.1 + 0.2, 1e300, 5e-324, 2**53, -0.0, np.float64(1 / 3)]
    for row, value in enumerate(values, start=1):
        sheet.cell(row, 1).value = value
        put(sheet.cell(row, 2), CellFormula(f"=A{row}", value))
    xlsx = to_bytes(book)
    for row in sheet.iter_rows(max_col=1):
        (cell,) = row
        for letter in "AB":
            assert cached_values(xlsx)["Sheet"][f"{letter}{cell.row}"] == cell.value
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        assert b"-0" not in archive.read("xl/worksheets/sheet1.xml").split(b"<sheetData>")[1]


def katze() -> bytes:
    return made_once(generator.compute(preset="katze", controls=True), load("en"))


def test_openpyxl_and_pandas_show_what_a_recalculation_gives() -> None:
    xlsx = katze()
    read = cached_values(xlsx)
    frames = pandas.read_excel(
        io.BytesIO(xlsx), sheet_name=None, header=None, dtype=object, keep_default_na=False
    )
    computed = ironcalc_values(strip_caches(xlsx))
    formulas = formula_cells(xlsx)
    assert sum(map(len, formulas.values())) > 1000
    for sheet, cells in computed.items():
        for name, value in cells.items():
            row, column = coordinate_to_tuple(name)
            by_openpyxl = read[sheet].get(name, "")  # an empty text reads as an empty cell
            by_pandas = frames[sheet].iat[row - 1, column - 1] if by_openpyxl != "" else ""
            same = value if isinstance(value, (str, bool)) else pytest.approx(value, abs=1e-9)
            assert by_openpyxl == same, (sheet, name)
            assert by_pandas == same, (sheet, name)


def test_excel_marks_nothing_that_is_meant() -> None:
    with zipfile.ZipFile(io.BytesIO(katze())) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        trees = [etree.fromstring(archive.read(name)) for name in sheets]
    assert len(trees) >= 8
    for tree in trees:
        (ignored,) = tree.iter("{*}ignoredError")
        assert {name for name, on in ignored.attrib.items() if on == "1"} == set(MEANT)
        cells = [coordinate_to_tuple(cell.get("r")) for cell in tree.iter("{*}c")]
        first, last = map(coordinate_to_tuple, ignored.get("sqref").split(":"))
        for k in (0, 1):
            assert first[k] <= min(x[k] for x in cells) <= max(x[k] for x in cells) <= last[k]


def test_a_chart_says_in_words_what_it_shows() -> None:
    with zipfile.ZipFile(io.BytesIO(to_bytes(decorated()))) as archive:
        drawing = etree.fromstring(archive.read("xl/drawings/drawing1.xml"))
    (properties,) = drawing.iter("{*}cNvPr")
    assert dict(properties.attrib) == {
        "id": "1",
        "name": "Sums",
        "title": "Sums",
        "descr": 'Four bars: "0.3" <- the first',
    }


def test_a_chart_without_words_is_an_error() -> None:
    book = Workbook()
    book.worksheets[0].add_chart(BarChart(), "A1")
    with pytest.raises(ValueError, match="Sheet: found a chart without a description"):
        to_bytes(book)


@pytest.mark.parametrize(("title", "text"), [("", "text"), ("title", " "), ("title", "\x00")])
def test_a_description_must_say_something(title: str, text: str) -> None:
    with pytest.raises(ValueError, match="found"):
        describe(BarChart(), title, text)


def test_cells_can_share_a_style_that_nobody_changes() -> None:
    book = Workbook()
    page = book.worksheets[0]
    page["A1"].font = Font(bold=True)
    style = SharedStyle(page["A1"]._style)
    cell = cell_at(page, 2, 1, style)
    put(cell, 0.5)
    assert cell is page["A2"] is cell_at(page, 2, 1)
    assert cell_at(page, 3, 1).has_style is False
    with pytest.raises(TypeError, match="that cells share"):
        cell.font = Font(italic=True)
    cell._style = copy(style)
    cell.number_format = "0.00"
    cell_at(page, 4, 1, style)
    found = openpyxl.load_workbook(io.BytesIO(to_bytes(book))).worksheets[0]
    assert [found.cell(row, 1).font.bold for row in range(1, 5)] == [True, True, False, True]
    assert [found.cell(row, 1).number_format for row in (2, 4)] == ["0.00", "General"]
    assert found["A2"].value == 0.5


def test_a_write_only_workbook_is_refused() -> None:
    with pytest.raises(TypeError, match="write-only"):
        to_bytes(Workbook(write_only=True))
