"""The tools that other tests trust: edits, stripped values, error cells, a missing LibreOffice."""

import pytest
from openpyxl import Workbook

from generator.render.workbook.file.cells import put
from generator.render.workbook.file.package import CellFormula, to_bytes
from tests.render.workbook.test_package import POISON, sample
from tests.support.office import ERROR, Office
from tests.support.recalculate import (
    cached_values,
    edit_cells,
    formula_cells,
    ironcalc_values,
    libreoffice_values,
    strip_caches,
)


def test_stripping_leaves_formulas_and_constants() -> None:
    xlsx = to_bytes(sample())
    bare = strip_caches(xlsx)
    assert cached_values(bare)["Sum & more"] == {}
    assert cached_values(bare)["Given"] == cached_values(xlsx)["Given"]
    assert formula_cells(bare) == formula_cells(xlsx)


def test_edits_reach_what_depends_on_them(office: Office) -> None:
    edits = {("Given", "A1"): 5.0, ("Given", "A5"): 3.0, ("Given", "B5"): "text"}
    edited = edit_cells(to_bytes(sample()), edits)
    (by_office,) = libreoffice_values([edited], office)
    for found in (ironcalc_values(edited), by_office):
        assert found["Given"]["B5"] == "text"
        assert found["Sum & more"]["A1"] == pytest.approx(5.2)
        assert found["Sum & more"]["A4"] == 3.0
        assert found["Sum & more"]["A6"] == 1.0


def test_edits_of_missing_or_computed_cells_are_refused() -> None:
    xlsx = to_bytes(sample())
    with pytest.raises(KeyError, match="Z99"):
        edit_cells(xlsx, {("Given", "Z99"): 1.0})
    with pytest.raises(ValueError, match="computes"):
        edit_cells(xlsx, {("Sum & more", "A1"): 1.0})


def test_errors_are_reported_as_errors(office: Office) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    for row, text in enumerate(("=1/0", "=NOSUCH(1)", "=LN(-1)", "=A1+1", "=2"), start=1):
        put(sheet.cell(row, 1), CellFormula(text, POISON))
    want = {"A1": ERROR, "A2": ERROR, "A3": ERROR, "A4": ERROR, "A5": 2.0}
    assert ironcalc_values(to_bytes(book))["Sheet"] == want
    assert libreoffice_values([to_bytes(book)], office)[0]["Sheet"] == want


def test_a_missing_libreoffice_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="apt-get install libreoffice-calc-nogui python3-uno"):
        Office()
