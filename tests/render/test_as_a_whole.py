"""A document laid out leaf by leaf has the pages that it has when it is laid out as a whole.

Laid out as a whole, WeasyPrint makes the first page of a later leaf twice: what stands out of the
flow must not remember where it was the other time.
"""

import pytest

from generator.render.worksheet.pdf import PdfDocument, document_css
from generator.render.worksheet.worksheet import option_css, planned, style
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.filled import filling
from tests.support.sheets import traces
from tests.support.views import page

OPTIONS = SheetOptions(points=True, code="K7QX2MPD", qr=True)  # all that is put beside the tasks
QUICK = "7c"  # its signs had left their tasks, and it is short


def as_both(sheet: str) -> tuple[bytes, bytes]:
    """The blank sheet, leaf by leaf and as a whole."""
    trace, exact = traces(filling(sheet), "de")
    formulas = Formulas()
    html = page(planned(sheet, trace, OPTIONS), trace, exact, OPTIONS, formulas, blank=True)
    sheets = ("worksheet.css", *SERIES[sheet].css, *option_css(OPTIONS, "pdf"))
    css = (document_css(), *map(style, sheets))
    by_leaf, whole = (
        PdfDocument(html, css, formulas, where=sheet, leaves=k).to_pdf() for k in ({}, None)
    )
    return by_leaf, whole


def test_signs_stay_with_their_tasks():
    by_leaf, whole = as_both(QUICK)
    assert by_leaf == whole


@pytest.mark.ci
@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet != QUICK])
def test_each_sheet_has_the_same_pages(sheet):
    by_leaf, whole = as_both(sheet)
    assert by_leaf == whole
