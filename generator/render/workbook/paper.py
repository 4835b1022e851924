"""Screen and paper of a tab: widths, heights, frozen panes, A4 with header, footer and breaks."""

from typing import NamedTuple

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.layout.layout import FIRST_ROW, Band, Sheet
from generator.render.workbook.write.boxes import Writer

LINE, HEADING, SMALL = 13.5, 16.0, 12.5  # points of a line of numbers, of a heading, of functions
PAGE_WIDTH, PAGE_HEIGHT = 768.0, 510.0  # points of A4 landscape inside the margins
HEAD = (30.0, 16.0, 18.0)  # points of the rows above the first band


class Marks(NamedTuple):
    """What stands in every header and footer."""

    title: str
    left: str
    page: str


def shape(page: Worksheet, sheet: Sheet, writer: Writer, marks: Marks) -> None:
    """Widths and heights from the contents, then the paper."""
    grid = writer.grid(sheet)
    for column, characters in enumerate(grid.widths, start=1):
        page.column_dimensions[get_column_letter(column)].width = characters
    for row, points in enumerate(HEAD, start=1):
        page.row_dimensions[row].height = points
    for row in range(FIRST_ROW, sheet.bands[-1].bottom + 1):
        page.row_dimensions[row].height = LINE
    for band in sheet.bands:
        _heights(page, band, writer, grid.widths)
    page.freeze_panes = page.cell(FIRST_ROW, 2)
    page.sheet_view.zoomScale = grid.zoom
    _breaks(page, sheet, min(1.0, PAGE_WIDTH / sum(map(_points, grid.widths))))
    paper(page, marks)


def paper(page: Worksheet, marks: Marks) -> None:
    """A4 landscape, as wide as the page, with title rows, header and footer."""
    page.sheet_view.showGridLines = False
    page.page_setup.orientation = "landscape"
    page.page_setup.paperSize = page.PAPERSIZE_A4
    page.page_setup.fitToWidth, page.page_setup.fitToHeight = 1, 0
    page.sheet_properties.pageSetUpPr.fitToPage = True
    page.print_options.horizontalCentered = False
    page.page_margins.left, page.page_margins.right = 0.6, 0.4
    page.page_margins.top, page.page_margins.bottom = 0.6, 0.55
    page.page_margins.header = page.page_margins.footer = 0.25
    page.print_title_rows = f"1:{FIRST_ROW - 1}"
    _protect(page)
    page.oddHeader.left.text = _plain(marks.title)
    page.oddHeader.right.text = "&A"
    page.oddFooter.left.text = _plain(marks.left)
    page.oddFooter.right.text = marks.page
    for part in (
        page.oddHeader.left,
        page.oddHeader.right,
        page.oddFooter.left,
        page.oddFooter.right,
    ):
        part.size = 8


def _protect(page: Worksheet) -> None:
    """Only unlocked cells take entries; without a password, so that a teacher can open it."""
    page.protection.sheet = True
    page.protection.formatColumns = page.protection.formatRows = False  # False: it is allowed


def _heights(page: Worksheet, band: Band, writer: Writer, widths: tuple[float, ...]) -> None:
    """Headings get their lines, wrapped labels as many as their longest text needs."""
    for line in band.lines:
        page.row_dimensions[line.row].height = HEADING
        for row in {*line.functions, line.live} - {0}:
            page.row_dimensions[row].height = SMALL
    for label in band.labels:
        if label.across or label.column == 1:
            _grow(page, label.row, writer.shown(label), widths[label.column - 1])
    for box in band.boxes:
        if box.column == 1:
            for k, text in enumerate(writer.trace[box.step].values[:, 0]):
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


def _breaks(page: Worksheet, sheet: Sheet, scale: float) -> None:
    """A new page before each band that would be cut; a band longer than a page is cut anyway."""
    room, used = PAGE_HEIGHT / scale - sum(HEAD), 0.0
    for band in sheet.bands:
        height = sum(
            page.row_dimensions[r].height or LINE for r in range(band.top, band.bottom + 2)
        )
        if used and used + height > room:
            page.row_breaks.append(Break(id=band.top - 1))
            used = 0.0
        used = (used + height) % room if used + height > room else used + height


def _plain(text: str) -> str:
    return text.replace("&", "&&")


def _points(characters: float) -> float:
    return (characters * 7 + 5) * 0.75
