"""Screen and paper of the tabs: widths, heights, frozen panes, A4 with header and footer."""

import math

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook import glance
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.checks import Checks
from generator.render.workbook.layout.kept import KeptTab
from generator.render.workbook.layout.layout import FIRST_ROW, Band, Sheet
from generator.render.workbook.layout.paper import pages, points_of
from generator.render.workbook.start import refusals

LINE, HEADING, SMALL = 13.5, 16.0, 12.5  # points of a line of numbers, of a heading, of functions
CHECKS_WIDTH, HINTS_WIDTH = 7.0, 36.0  # characters of a column of checks, of texts of hints
KEPT_WIDTH = 9.0  # of a hidden column
HEAD = (30.0, 16.0, 18.0)  # points of the rows above the first band
LEFT, RIGHT, PAPER = 0.6, 0.4, 11.69  # inches of the margins and of A4 landscape


def fit(draft: Draft) -> None:
    """All tabs for screen and paper; the first one has its own widths and heights already."""
    for page, sheet, checks in draft.tabs():
        if checks:
            _fold(page, checks)
        if kept := draft.kept.get(sheet.tab.title):
            _hide(page, kept)
        _shape(draft, page, sheet)
    for page in draft.workbook.worksheets:
        _paper(draft, page)
    for page, sheet, _ in draft.tabs():
        _breaks(draft, page, sheet)
    glance.fit(draft)
    refusals.fit(draft)


def protect(draft: Draft) -> None:
    """Only unlocked cells take entries; without a password, so that a teacher can open it."""
    for page in draft.workbook.worksheets:
        page.protection.sheet = True
        page.protection.formatColumns = page.protection.formatRows = False  # False: it is allowed


def _shape(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """Widths and heights from the contents."""
    grid = draft.grids[sheet.tab.title]
    for column, characters in enumerate(grid.widths, start=1):
        page.column_dimensions[get_column_letter(column)].width = characters
    for row, points in enumerate(HEAD, start=1):
        page.row_dimensions[row].height = points
    for row in range(FIRST_ROW, sheet.bands[-1].bottom + 1):
        page.row_dimensions[row].height = LINE
    for band in sheet.bands:
        _heights(draft, page, band, grid.widths)
    page.freeze_panes = page.cell(FIRST_ROW, 2)
    page.sheet_view.zoomScale = grid.zoom


def _fold(page: Worksheet, checks: Checks) -> None:
    """The check columns can be folded where a teacher takes the protection off; never printed."""
    columns = checks.columns
    texts = columns.hint(0)
    for first, last, width in (
        (columns.first, texts - 1, CHECKS_WIDTH),
        (texts, columns.last, HINTS_WIDTH),
    ):
        letter = get_column_letter(first)
        page.column_dimensions.group(letter, get_column_letter(last), outline_level=1)
        page.column_dimensions[letter].width = width
    page.print_area = f"A1:{at(checks.sheet.bands[-1].bottom, columns.wide)}"


def _hide(page: Worksheet, kept: KeptTab) -> None:
    """What a tab was delivered with is not in the way, and never printed."""
    first, last = (get_column_letter(column) for column in (kept.first, kept.last))
    page.column_dimensions.group(first, last, outline_level=1, hidden=True)
    page.column_dimensions[first].width = KEPT_WIDTH
    page.print_area = f"A1:{at(kept.bottom, kept.wide)}"


def _paper(draft: Draft, page: Worksheet) -> None:
    """A4 landscape, as wide as the page, with title rows, header and footer."""
    page.sheet_view.showGridLines = False
    page.page_setup.orientation = "landscape"
    page.page_setup.paperSize = page.PAPERSIZE_A4
    page.page_setup.fitToWidth, page.page_setup.fitToHeight = 1, 0
    page.sheet_properties.pageSetUpPr.fitToPage = True
    page.print_options.horizontalCentered = False
    page.page_margins.left, page.page_margins.right = LEFT, RIGHT
    page.page_margins.top, page.page_margins.bottom = 0.6, 0.55
    page.page_margins.header = page.page_margins.footer = 0.25
    page.print_title_rows = f"1:{FIRST_ROW - 1}"
    for part, text in (
        (page.oddHeader.left, _plain(draft.trace.preset.heading(draft.catalogue.language))),
        (page.oddHeader.right, "&A"),
        (page.oddFooter.left, _plain(f"{draft.code} · Paperformer")),
        (page.oddFooter.right, draft.catalogue.t("workbook.page")),
    ):
        part.text, part.size = text, 8


def _heights(draft: Draft, page: Worksheet, band: Band, widths: tuple[float, ...]) -> None:
    """Headings get their lines, wrapped labels as many as their longest text needs."""
    for line in band.lines:
        page.row_dimensions[line.row].height = HEADING
        for row in {*line.functions, line.live} - {0}:
            page.row_dimensions[row].height = SMALL
    for label in band.labels:
        if label.across or label.column == 1:
            _grow(page, label.row, label.shown(draft.catalogue), widths[label.column - 1])
    for box in band.boxes:
        if box.column == 1:
            for k, text in enumerate(draft.trace[box.step].values[:, 0]):
                _grow(page, box.row + k, text, widths[0])


def _grow(page: Worksheet, row: int, text: str, width: float) -> None:
    lines = _lines(text, max(1, int(0.9 * width - 0.7)))
    if lines > 1:
        dimension = page.row_dimensions[row]
        dimension.height = max(dimension.height or 0, LINE * lines)


def _lines(text: str, width: int) -> int:
    """How many lines a text takes in a cell; a word that is too long begins on its own line."""
    lines, used = 1, 0
    for word in text.split():
        if used and used + 1 + len(word) > width:
            lines, used = lines + 1, 0
        used += len(word) + (used > 0)
        lines, used = lines + (used - 1) // width, (used - 1) % width + 1
    return lines


def _breaks(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """A new page before each band that would be cut, wider margins where that saves a page.

    The line of the focus token stands on each page, the title on the first one only: the header
    has it.
    """
    heights = [
        math.fsum(
            page.row_dimensions[row].height or LINE for row in range(band.top, band.bottom + 2)
        )
        for band in sheet.bands
    ]
    wide = math.fsum(map(points_of, draft.grids[sheet.tab.title].widths))
    cut = pages(wide, math.fsum(HEAD), HEAD[-1], heights)
    for k in cut.first:
        page.row_breaks.append(Break(id=sheet.bands[k].top - 1))
    more = (1 - cut.shrunk) * (PAPER - LEFT - RIGHT) / 2
    page.page_margins.left, page.page_margins.right = LEFT + more, RIGHT + more
    page.print_title_rows = f"{FIRST_ROW - 1}:{FIRST_ROW - 1}"


def _plain(text: str) -> str:
    return text.replace("&", "&&")
