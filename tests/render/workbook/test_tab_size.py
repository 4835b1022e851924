"""A workbook's stage tabs fit on a screen and fill their paper."""

import pytest
from openpyxl.worksheet.worksheet import Worksheet

from generator.engine.model import compute
from generator.render.workbook.print_setup import points_of
from tests.benchmarks import models
from tests.support.stage_tabs import label_at, stage_pages
from tests.support.workbook import Book, book, played

LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
THIRTY = " ".join(["Katze", LONG] * 15)
LEAST_CONTRAST = 4.5


def test_every_tab_fits_on_one_screen() -> None:
    for one in (played(), played("katze", THIRTY), played("random", rounds=2)):
        assert fits_on_one_screen(one) == {sheet.tab.kind for sheet in one.layout.sheets}


@pytest.mark.ci
def test_tabs_of_the_widest_workbook_fit_on_one_screen() -> None:
    wide = book(compute(models.large(), controls=True), "en")
    kinds = {sheet.tab.kind for sheet in wide.layout.sheets}
    assert fits_on_one_screen(wide) == kinds - {"feedforward"}  # 64 columns are too many


def fits_on_one_screen(one: Book) -> set[str]:
    """The kinds of tabs of which all fit; on none is the type too small."""
    kinds, wide = set(), set()
    for sheet, page in stage_pages(one):
        last = max(box.right for band in sheet.bands for box in band.boxes)
        total = sum(width_of(page, column) for column in range(1, last + 1))
        assert page.sheet_view.zoomScale >= 50
        kinds.add(sheet.tab.kind)
        if total * page.sheet_view.zoomScale / 100 > 176:
            wide.add(sheet.tab.kind)
        sizes = {c.font.sz for row in page for c in row if isinstance(c.value, int | float)}
        assert not sizes or min(sizes) >= 9
    return kinds - wide


def width_of(page: Worksheet, column: int) -> float:
    return float(page.column_dimensions[label_at(1, column)[:-1]].width)


def test_page_breaks_stand_between_blocks() -> None:
    for one in (
        played(),
        played("katze", THIRTY),
        played("random", rounds=2),
    ):
        for sheet, page in stage_pages(one):
            tops = {band.top - 1 for band in sheet.bands}
            assert {found.id for found in page.row_breaks.brk} <= tops
            assert page.print_title_rows == "$3:$3"
            assert not page.merged_cells.ranges


@pytest.mark.parametrize("name", ["katze", "nihao"])
def test_every_printed_page_but_the_last_is_filled_well(name: str) -> None:
    """As wide as the paper lets it; the heights of all rows of a page, at that size."""
    found = 0
    for sheet, page in stage_pages(played(name)):
        last = sheet.bands[-1].bottom
        printed = [d for d in page.column_dimensions.values() if not d.hidden]
        width = sum(points_of(d.width) for d in printed)
        margins = page.page_margins
        assert margins.left - margins.right == pytest.approx(0.2)
        size = min(1.0, 72 * (11.69 - margins.left - margins.right) / width)
        ends = [*(found.id for found in page.row_breaks.brk), last]
        firsts = [1, *(end + 1 for end in ends[:-1])]
        used = [
            size * sum(page.row_dimensions[row].height or 13.5 for row in range(first, end + 1))
            for first, end in zip(firsts, ends, strict=True)
        ]
        again = size * page.row_dimensions[3].height
        used = [used[0], *(height + again for height in used[1:])]
        assert max(used) <= 515, (page.title, used)
        assert min([515, *used[:-1]]) >= 0.45 * 515, (page.title, used)
        assert size >= 0.68
        found += len(used)
    assert found <= (17 if name == "katze" else 30)
