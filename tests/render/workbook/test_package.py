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
import pandas
import pytest
from lxml import etree
from openpyxl import Workbook, load_workbook
from openpyxl.cell.rich_text import CellRichText
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula

from generator.render.workbook.file.package import (
    MEANT,
    CellFormula,
    SharedStyle,
    cell_at,
    describe,
    put,
    to_bytes,
)
from tests.support.office import Office
from tests.support.recalculate import (
    cached_values,
    formula_cells,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)
from tests.support.workbook import played

SHEET = "xl/worksheets/sheet1.xml"
POISON = 999.0
ODD_TEXTS = (
    *("=1+1", "=", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "#N/A", "#DIV/0!", "#ERR"),
    *("?", "*", "~", "TRUE", "1/2", "1e5", "0,5", "007", "<b>", "&amp;", '"', "'", "]]>"),
    *("{{ 7*7 }}", "{% x %}", "猫", "🙂", "👩‍👩‍👧", "שלום", "مرحبا", "é", "−∞"),
    *("  two leading", "trailing ", " ", "a\nb", "a\tb", "x" * 60, "a\u00a0b"),
)
GIVEN = {"A1": 0.1, "B1": 0.2, "A2": 1 / 3, "B2": -4.0, "A3": 2, "B3": 1e-20, "A5": "−∞"}
FORMULAS = {
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


def sample(poison: float | None = None) -> Workbook:
    """Two sheets whose formulas have known values, or `poison` where a number is cached."""
    book = Workbook()
    given, sums = book.worksheets[0], book.create_sheet("Sum & more")
    given.title = "Given"
    for name, value in GIVEN.items():
        put(given[name], value)
    given["B5"].font = Font(bold=True)
    for name, (text, cached) in FORMULAS.items():
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


def of_values(*values: object) -> bytes:
    """A workbook with these in its first column, and in the second formulas that repeat them."""
    book = Workbook()
    for row, value in enumerate(values, start=1):
        put(book.worksheets[0].cell(row, 1), value)
        put(book.worksheets[0].cell(row, 2), CellFormula(f"=A{row}", value))
    return to_bytes(book)


def part(content: bytes, name: str = SHEET) -> bytes:
    """One part of a packed workbook."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name)


def both(values: tuple) -> dict[str, object]:
    """What the sheet of `of_values` shows."""
    return {f"{letter}{row}": value for row, value in enumerate(values, 1) for letter in "AB"}


def test_the_same_workbook_gives_the_same_bytes_in_another_process_too() -> None:
    book = decorated()
    first = to_bytes(book)
    assert first == to_bytes(book) == to_bytes(decorated())
    program = (
        "import hashlib; from tests.render.workbook.test_package import decorated, to_bytes; "
        "print(hashlib.sha256(to_bytes(decorated())).hexdigest())"
    )
    env = {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "PYTHONPATH": ":".join(sys.path)}
    said = subprocess.run([sys.executable, "-c", program], env={**os.environ, **env},
                          capture_output=True, text=True, check=True).stdout  # fmt: skip
    assert said.strip() == hashlib.sha256(first).hexdigest()


def test_no_member_and_no_property_knows_the_clock() -> None:
    content = to_bytes(decorated())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {member.date_time for member in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    core = part(content, "docProps/core.xml").decode()
    assert core.count("2000-01-01T00:00:00Z") == 2
    assert str(datetime.datetime.now().year) not in core


def test_formulas_and_their_values_are_written_as_given() -> None:
    content = to_bytes(sample())
    stored = {name: cached for name, (_, cached) in FORMULAS.items() if cached != ""}
    assert cached_values(content) == {"Given": GIVEN, "Sum & more": stored}
    written = {name: formula for name, (formula, _) in FORMULAS.items()}
    assert formula_cells(content) == {"Given": {}, "Sum & more": written}
    assert b'fullCalcOnLoad="1"' in part(content, "xl/workbook.xml")
    assert b'<c r="B5" s="1"/>' in part(content)  # a styled cell without content


def test_look_and_furniture_survive() -> None:
    sheet = load_workbook(io.BytesIO(to_bytes(decorated())))["Sum & more"]
    assert sheet["A1"].comment.text == "note"
    assert sheet["C1"].hyperlink.location or sheet["C1"].hyperlink.target
    assert (sheet["C2"].value, sheet["C2"].number_format) == (True, "0.000")
    assert sheet["A1"].fill.fgColor.rgb == "00FFFF00"
    assert [str(area) for area in sheet.merged_cells.ranges] == ["E1:F2"]
    assert (sheet.row_dimensions[2].height, sheet.row_dimensions[20].hidden) == (30, True)
    assert len(sheet.data_validations.dataValidation) == 1


def test_odd_texts_survive_in_three_programs(office: Office) -> None:
    xlsx = of_values(*ODD_TEXTS)
    assert len(formula_cells(xlsx)["Sheet"]) == len(ODD_TEXTS)
    for found in (cached_values(xlsx), ironcalc_values(xlsx), *libreoffice_values([xlsx], office)):
        assert found["Sheet"] == both(ODD_TEXTS)
    for text in (b"  two leading", b"trailing ", b" "):  # marked for Excel
        assert b'<t xml:space="preserve">' + text + b"</t>" in part(xlsx)


def test_a_text_that_looks_encoded_is_not_decoded(office: Office) -> None:
    text = "_x0041_ and _x005F_"
    xlsx = of_values(text)
    assert part(xlsx).count(b"_x005F_x0041_ and _x005F_x005F_") == 2
    assert libreoffice_values([xlsx], office)[0]["Sheet"] == both((text,))


def test_poisoned_caches_are_overruled_by_both_programs(office: Office) -> None:
    honest, poisoned = to_bytes(sample()), to_bytes(sample(POISON))
    assert cached_values(poisoned)["Sum & more"]["A1"] == POISON
    programs = (
        ironcalc_values(poisoned),
        *libreoffice_values([poisoned, strip_caches(poisoned)], office),
    )
    for sheet, cells in cached_values(honest).items():
        for name, cached in cells.items():
            want = cached if isinstance(cached, str) else pytest.approx(float(cached), abs=1e-12)
            assert [values[sheet][name] for values in programs] == [want] * 3


def test_stripping_leaves_formulas_and_constants() -> None:
    """Else a program could repeat what is stored, wherever its numbers are proven."""
    xlsx = to_bytes(sample())
    bare = strip_caches(xlsx)
    assert cached_values(bare) == {"Sum & more": {}, "Given": cached_values(xlsx)["Given"]}
    assert formula_cells(bare) == formula_cells(xlsx)


def test_numbers_keep_every_digit_and_no_minus_zero() -> None:
    values = (0.1 + 0.2, 1e300, 5e-324, 2**53, -0.0, np.float64(1 / 3))
    xlsx = of_values(*values)
    assert cached_values(xlsx)["Sheet"] == both(values)
    assert b"-0" not in part(xlsx).split(b"<sheetData>")[1]


# What is refused ------------------------------------------------------------------------------


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


def stored(cached: object) -> CellFormula:
    return CellFormula("=A2", cached)


@pytest.mark.parametrize(
    "value",
    [
        *("=1+1", "#N/A"),  # a text that became a formula must not pass
        *(datetime.date(2000, 1, 1), ArrayFormula("A1:A2", "=B1:B2"), CellRichText("rich")),
        *(np.int64(3), float("inf"), float("nan")),
        *map(stored, (None, float("-inf"), float("nan"), np.int64(3), [1])),
    ],
)
def test_what_has_no_spelling_raises_with_its_place(
    value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And leaves nothing open: with lxml 5 a writer left open failed when it was cleared away."""
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    cell = Workbook().worksheets[0]["B3"]
    if isinstance(value, CellFormula):
        put(cell, value)
    else:
        cell.value = value
    wrong = ValueError if isinstance(getattr(value, "cached", value), float) else TypeError
    with pytest.raises(wrong, match="Sheet!B3: found"):
        to_bytes(cell.parent.parent)
    gc.collect()
    assert not told


@pytest.mark.parametrize("text", ["", "=", "1+1", "=" + "1+" * 4096 + "1"])
def test_what_is_no_formula_cannot_be_put(text: str) -> None:
    with pytest.raises(ValueError, match="expected a formula"):
        put(Workbook().worksheets[0]["A1"], CellFormula(text, 1.0))


@pytest.mark.parametrize(("title", "text"), [("", "text"), ("title", " "), ("title", "\x00")])
def test_a_chart_without_words_is_an_error(title: str, text: str) -> None:
    with pytest.raises(ValueError, match="found"):
        describe(BarChart(), title, text)
    book = Workbook()
    book.worksheets[0].add_chart(BarChart(), "A1")
    with pytest.raises(ValueError, match="Sheet: found a chart without a description"):
        to_bytes(book)


# What others read -----------------------------------------------------------------------------


def test_openpyxl_and_pandas_show_what_a_recalculation_gives() -> None:
    made = played(language="en")
    frames = pandas.read_excel(
        io.BytesIO(made.xlsx), sheet_name=None, header=None, dtype=object, keep_default_na=False
    )
    assert sum(map(len, made.formulas.values())) > 1000
    for sheet, cells in made.values().items():
        for name, value in cells.items():
            row, column = coordinate_to_tuple(name)
            by_openpyxl = made.cached[sheet].get(name, "")  # an empty text reads as an empty cell
            by_pandas = frames[sheet].iat[row - 1, column - 1] if by_openpyxl != "" else ""
            same = value if isinstance(value, (str, bool)) else pytest.approx(value, abs=1e-9)
            assert [by_openpyxl, by_pandas] == [same, same], (sheet, name)


def test_excel_marks_nothing_that_is_meant() -> None:
    made = played(language="en")
    for number in range(1, len(made.pages.worksheets) + 1):
        tree = etree.fromstring(part(made.xlsx, f"xl/worksheets/sheet{number}.xml"))
        (ignored,) = tree.iter("{*}ignoredError")
        assert {name for name, on in ignored.attrib.items() if on == "1"} == set(MEANT)
        cells = [coordinate_to_tuple(cell.get("r")) for cell in tree.iter("{*}c")]
        first, last = map(coordinate_to_tuple, ignored.get("sqref").split(":"))
        for k in (0, 1):
            assert first[k] <= min(x[k] for x in cells) <= max(x[k] for x in cells) <= last[k]


def test_a_chart_says_in_words_what_it_shows() -> None:
    drawing = etree.fromstring(part(to_bytes(decorated()), "xl/drawings/drawing1.xml"))
    (properties,) = drawing.iter("{*}cNvPr")
    said = {"name": "Sums", "title": "Sums", "descr": 'Four bars: "0.3" <- the first'}
    assert dict(properties.attrib) == {"id": "1", **said}


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
    found = load_workbook(io.BytesIO(to_bytes(book))).worksheets[0]
    assert [found.cell(row, 1).font.bold for row in range(1, 5)] == [True, True, False, True]
    assert [found.cell(row, 1).number_format for row in (2, 4)] == ["0.00", "General"]
    assert found["A2"].value == 0.5
