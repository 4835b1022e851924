"""Screen and paper of a tab: widths, heights, frozen panes, A4 with header, footer and breaks."""

import math
from typing import NamedTuple

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.layout import FIRST_ROW, Sheet
from generator.render.workbook.sheets import LAST_COLUMN, Writer

NARROWEST, WIDEST = 7.8, 17.0  # characters of a column of numbers
FIRST_NARROWEST, FIRST_WIDEST, LIST_WIDEST = 16.0, 26.0, 36.0
LINE, HEADING = 13.5, 16.0  # points of a line of numbers, of a heading line
PAGE_WIDTH, PAGE_HEIGHT = 768.0, 510.0  # points of A4 landscape inside the margins
HEAD = (30.0, 16.0, 9.0)  # points of the rows above the first band


class Marks(NamedTuple):
    """What stands in every header and footer."""

    title: str
    left: str
    page: str


def shape(page: Worksheet, sheet: Sheet, writer: Writer, marks: Marks) -> None:
    """Widths and heights from the contents, then the paper."""
    labels = [label for band in sheet.bands for label in band.labels if label.across]
    first, width = _widths(sheet, writer)
    last = max(box.right for band in sheet.bands for box in band.boxes)
    page.column_dimensions["A"].width = first
    columns = [width] * (last - 1) + [NARROWEST] * max(0, LAST_COLUMN - last)
    for column, characters in enumerate(columns, start=2):
        page.column_dimensions[get_column_letter(column)].width = characters
    for row in {label.row for label in labels}:
        longest = max(len(writer.shown(label)) for label in labels if label.row == row)
        _height(page, row, longest, width)
    for band in sheet.bands:
        for box in band.boxes:
            if box.column == 1:
                for k, text in enumerate(writer.trace[box.step].values[:, 0]):
                    _height(page, box.row + k, len(text), first)
    for row, points in enumerate(HEAD, start=1):
        page.row_dimensions[row].height = points
    for row in range(FIRST_ROW, sheet.bands[-1].bottom + 1):
        page.row_dimensions[row].height = max(page.row_dimensions[row].height or 0, LINE)
    for row in {line.row for band in sheet.bands for line in band.lines}:
        page.row_dimensions[row].height = HEADING
    page.freeze_panes = page.cell(FIRST_ROW, 2)
    total = sum(_points(characters) for characters in (first, *columns))
    _breaks(page, sheet, min(1.0, PAGE_WIDTH / total))
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


def _widths(sheet: Sheet, writer: Writer) -> tuple[float, float]:
    boxes = [box for band in sheet.bands for box in band.boxes]
    steps = {box.step: writer.trace[box.step] for box in boxes}
    names = [len(t) for s in steps.values() if s.text for t in s.values[:, 0]]
    names += [len(label.text) for band in sheet.bands for label in band.labels if label.column == 1]
    lines = [line.step for band in sheet.bands if band.rows for line in band.lines]
    titles = max((len(writer.catalogue.step(name)) for name in lines), default=0)
    digits = max(writer.look(step).characters for step in steps.values())
    first = min(max(FIRST_NARROWEST, max(names, default=0) + 3), FIRST_WIDEST)
    first = max(first, min(titles * 1.15 + 1, LIST_WIDEST))
    return first, min(max(NARROWEST, digits + 2.4), WIDEST)


def _height(page: Worksheet, row: int, characters: int, width: float) -> None:
    lines = math.ceil(characters / (width - 1.2))
    if lines > 1:
        known = page.row_dimensions[row].height or 0
        page.row_dimensions[row].height = max(known, LINE * lines)


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
