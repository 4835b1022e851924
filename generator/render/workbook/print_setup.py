"""Screen and paper of the tabs: widths, heights, frozen panes, A4 with header and footer.

A tab is cut into pages between bands, a little smaller where that saves a page. Start takes one
page upright; a longer one takes pages across, cut at its tables.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from openpyxl.worksheet.pagebreak import Break

from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.checks import LEVELS
from generator.render.workbook.layout.layout import FIRST_ROW, Band
from generator.render.workbook.layout.start_layout import HEAD_ROW, LAST_COLUMN, WIDTH
from generator.render.workbook.layout.tabs import DIGIT, POINTS
from generator.render.workbook.pen import Pen, TabPen

LINE, HEADING, SMALL = 13.5, 16.0, 12.5  # points of a line of numbers, of a heading, of functions
CHECKS_WIDTH, HINTS_WIDTH = 7.0, 36.0  # characters of a column of checks, of texts of hints
HEAD = (30.0, 16.0, 18.0)  # points of the rows above the first band
LEFT, RIGHT, PAPER = 0.6, 0.4, 11.69  # inches of the margins and of A4 landscape
BORDER = 5  # pixels at the sides of a column
PAGE_WIDTH, PAGE_HEIGHT = 768.0, 510.0  # points of A4 landscape inside the margins
SHRUNK = (1.0, 0.96, 0.92, 0.88, 0.85)  # of the size at which a tab is as wide as the page
SMALLEST = 0.68  # of the size on the screen: below that the small type cannot be read
SIDE = 0.4  # inches of the left and the right margin of Start
UPRIGHT, START_SMALLEST = (537.0, 758.0), 0.6  # points inside them; size of type of 6 points


class TabFit(TabPen):
    """Shapes the tab of some steps for screen and paper."""

    def measure(self) -> None:
        """Widths and heights from the contents; checks and copy are never printed."""
        bottom = self.sheet.bands[-1].bottom
        self.shape(self.grid.widths, [*HEAD, *[LINE] * (bottom - len(HEAD))])
        if checks := self.draft.checks.get(self.title):
            texts = checks.hint(0)
            self.aside(checks.first, texts - 1, CHECKS_WIDTH, hidden=False)
            self.aside(texts, checks.hint(LEVELS[-1]), HINTS_WIDTH, hidden=False)
            self.page.print_area = f"A1:{at(bottom, checks.wide)}"
        if kept := self.kept:
            self.aside(kept.first, kept.last)
            self.page.print_area = f"A1:{at(kept.bottom, kept.wide)}"
        for band in self.sheet.bands:
            self._heights(band)
        self.page.freeze_panes = self.page.cell(FIRST_ROW, 2)
        self.page.sheet_view.zoomScale = self.grid.zoom

    def _heights(self, band: Band) -> None:
        """Headings get their lines, wrapped labels as many as their longest text needs."""
        rows, widths = self.page.row_dimensions, self.grid.widths
        for line in band.lines:
            rows[line.row].height = HEADING
            for row in {*line.functions, line.live} - {0}:
                rows[row].height = SMALL
        texts = [
            (label.row, label.shown(self.draft.catalogue), widths[label.column - 1])
            for label in band.labels
            if (label.across or label.column == 1) and not label.heading
        ]
        for box in (box for box in band.boxes if box.column == 1):
            words = enumerate(self.trace[box.step].values[:, 0], start=box.row)
            texts += [(row, text, widths[0]) for row, text in words]
        for row, text, width in texts:
            lines = _lines(text, max(1, int(0.9 * width - 0.7)))
            if lines > 1:
                rows[row].height = max(rows[row].height or 0, LINE * lines)

    def cut(self) -> None:
        """A new page before each band that would be cut, wider margins where that saves a page.

        The line of the focus token stands on each page, the title on the first one only: the header
        has it.
        """
        rows, page = self.page.row_dimensions, self.page
        heights = [
            math.fsum(rows[row].height or LINE for row in range(band.top, band.bottom + 2))
            for band in self.sheet.bands
        ]
        whole = min(1.0, PAGE_WIDTH / math.fsum(map(points_of, self.grid.widths)))
        sizes = [size for size in SHRUNK if size == 1 or whole * size >= SMALLEST]
        cuts = {size: list(_first(PAGE_HEIGHT / (whole * size), heights)) for size in sizes}
        shrunk = min(cuts, key=lambda size: (len(cuts[size]), -size))  # fewest pages, largest type
        for k in cuts[shrunk]:
            page.row_breaks.append(Break(id=self.sheet.bands[k].top - 1))
        more = (1 - shrunk) * (PAPER - LEFT - RIGHT) / 2
        page.page_margins.left, page.page_margins.right = LEFT + more, RIGHT + more
        page.print_title_rows = f"{FIRST_ROW - 1}:{FIRST_ROW - 1}"


def fit(draft: Draft) -> None:
    """All tabs for screen and paper; those without steps have their own widths and heights."""
    for title in draft.workbook.sheetnames:
        _paper(Pen(draft, title))
    for tab in (TabFit(draft, sheet) for sheet in draft.layout.sheets):
        tab.measure()
        tab.cut()


def protect(draft: Draft) -> None:
    """Only unlocked cells take entries; without a password, so that a teacher can open it."""
    for page in draft.workbook.worksheets:
        page.protection.sheet = True
        page.protection.formatColumns = page.protection.formatRows = False  # False: it is allowed


def _paper(pen: Pen) -> None:
    """A4 landscape, as wide as the page, with title rows, header and footer."""
    page, draft = pen.page, pen.draft
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
    heading = pen.trace.preset.heading(draft.catalogue.language)
    for part, text in (
        (page.oddHeader.left, heading.replace("&", "&&")),
        (page.oddHeader.right, "&A"),
        (page.oddFooter.left, f"{draft.code} · Paperformer".replace("&", "&&")),
        (page.oddFooter.right, pen.t("workbook.page")),
    ):
        part.text, part.size = text, 8


def fit_start(draft: Draft) -> None:
    """As wide as the page; upright where one page takes all of it in legible type."""
    start, page = draft.layout.start, draft.workbook.worksheets[0]
    last = int(page.print_area.rpartition("$")[2])
    heights = [page.row_dimensions[row].height for row in range(1, last + 1)]
    wide, used = LAST_COLUMN * points_of(WIDTH), 0.0
    if min(UPRIGHT[0] / wide, UPRIGHT[1] / math.fsum(heights)) >= START_SMALLEST:
        page.page_setup.orientation, page.page_setup.fitToHeight = "portrait", 1
        page.page_margins.left = page.page_margins.right = SIDE
        return
    for first, following in pairwise([1, start.tables_row, start.map_row, len(heights) + 1]):
        height = math.fsum(heights[first - 1 : following - 1])
        if used and used + height > PAGE_HEIGHT / min(1.0, PAGE_WIDTH / wide):
            page.row_breaks.append(Break(id=first - 1))
            used = math.fsum(heights[: HEAD_ROW - 1])
        used += height


def points_of(characters: float) -> float:
    """How wide a column of so many characters is on paper."""
    return (characters * DIGIT + BORDER) * POINTS


def _first(page: float, heights: Sequence[float]) -> Iterator[int]:
    """Which bands, from 0, begin a page; one that is longer than a page the program cuts.

    The head of the tab stands above the first band, its last row above each further page.
    """
    used, again = math.fsum(HEAD), HEAD[-1]
    for k, height in enumerate(heights):
        if k and used > again and used + height > page:
            yield k
            used = again
        used += height
        while used > page:  # the rest of a band that is longer than a page
            used += again - page


def _lines(text: str, width: int) -> int:
    """How many lines a text takes in a cell; a word that is too long begins on its own line."""
    lines, used = 1, 0
    for word in text.split():
        if used and used + 1 + len(word) > width:
            lines, used = lines + 1, 0
        used += len(word) + (used > 0)
        lines, used = lines + (used - 1) // width, (used - 1) % width + 1
    return lines
