"""A document laid out leaf by leaf has the pages that it has when it is laid out as a whole.

Laid out as a whole, WeasyPrint makes the first page of a later leaf twice: what stands out of the
flow must not remember where it was the other time.
"""

import pytest

from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.filled import filling
from tests.support.sheets import traces

OPTIONS = SheetOptions(points=True, code="K7QX2MPD", qr=True)  # all that is put beside the tasks
QUICK = "7c"  # its signs had left their tasks, and it is short


def as_both(sheet: str) -> tuple[bytes, bytes]:
    """The blank sheet, leaf by leaf and as a whole."""
    own = PrintedSheet(sheet, *traces(filling(sheet), "de"), OPTIONS)
    html, css = own.page(blank=True), SERIES[sheet].css
    by_leaf, whole = (own.document(html, css, sheet, leaves=k).to_pdf() for k in ({}, None))
    return by_leaf, whole


def test_signs_stay_with_their_tasks():
    by_leaf, whole = as_both(QUICK)
    assert by_leaf == whole


@pytest.mark.ci
@pytest.mark.parametrize("sheet", [sheet for sheet in SHEETS if sheet != QUICK])
def test_each_sheet_has_the_same_pages(sheet):
    by_leaf, whole = as_both(sheet)
    assert by_leaf == whole
