"""The Start tab on paper: one page A4 upright; a longer one on pages across, cut at its tables."""

import math
from itertools import pairwise

from openpyxl.worksheet.pagebreak import Break

from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.paper import PAGE_HEIGHT, PAGE_WIDTH, points_of
from generator.render.workbook.layout.start_layout import HEAD_ROW, LAST_COLUMN
from generator.render.workbook.start.tab_map import WIDTH

SIDE = 0.4  # inches of the left and the right margin
UPRIGHT = 537.0, 758.0  # points inside the margins, across and down
SMALLEST = 0.6  # of the size on the screen: type of 6 points


def fit(draft: Draft) -> None:
    """As wide as the page; upright where one page takes all of it in legible type."""
    page = draft.start_page
    last = int(page.print_area.rpartition("$")[2])
    heights = [page.row_dimensions[row].height for row in range(1, last + 1)]
    wide = LAST_COLUMN * points_of(WIDTH)
    if min(UPRIGHT[0] / wide, UPRIGHT[1] / math.fsum(heights)) < SMALLEST:
        _breaks(draft, heights, PAGE_HEIGHT / min(1.0, PAGE_WIDTH / wide))
        return
    page.page_setup.orientation, page.page_setup.fitToHeight = "portrait", 1
    page.page_margins.left = page.page_margins.right = SIDE


def _breaks(draft: Draft, heights: list[float], page_height: float) -> None:
    """A new page before the tables or the map, where they would be cut."""
    start, page = draft.layout.start, draft.start_page
    used = 0.0
    for first, following in pairwise([1, start.tables_row, start.map_row, len(heights) + 1]):
        height = math.fsum(heights[first - 1 : following - 1])
        if used and used + height > page_height:
            page.row_breaks.append(Break(id=first - 1))
            used = math.fsum(heights[: HEAD_ROW - 1])
        used += height
