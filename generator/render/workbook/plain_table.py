"""A long table as a workbook, to search and to filter: one line per entry, headings that stay."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple

from lxml.etree import LxmlError
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from generator.errors import NO_ROOM, UserError, refused
from generator.render.workbook.file.package import readable, to_bytes
from generator.render.workbook.styles import ACCENT, FONT, FRAME, INK

BELOW_HEADINGS = "A2"  # the first cell that moves
LONGEST = 1_000_000  # lines of a tab; a sheet of Excel ends soon after


class Column(NamedTuple):
    """A column by its heading, with its width in characters; one without any is hidden."""

    heading: str
    width: int


class Figure(NamedTuple):
    """A number with the decimals that are shown; None shows what it has."""

    value: float
    decimals: int | None = None


Line = Sequence[str | Figure | None]  # None: a box to type into


def render(
    title: str,
    tab: Callable[[int], str],
    columns: Sequence[Column],
    lines: Iterable[Line],
    language: str,
    after: str = BELOW_HEADINGS,
) -> bytes:
    """The table as an xlsx file; memory does not grow with its lines. What is before `after` stays.

    Beyond a million lines it goes on in a further tab, which `tab` names by its number. Lines wait
    in a temporary file: raises `UserError` where there is no room for it.
    """
    workbook = Workbook(write_only=True)
    workbook.properties.title = title
    workbook.properties.creator = workbook.properties.lastModifiedBy = "Paperformer"
    workbook.properties.language = language
    try:
        for number, some in enumerate(_tabs(lines), start=1):
            _fill(workbook.create_sheet(tab(number)), columns, some, after)
        return to_bytes(workbook)
    except UserError:  # a line could not be found
        _close(workbook)
        raise
    except (OSError, LxmlError) as error:  # the latter from lxml, which writes the file
        _close(workbook)
        folder = tempfile.gettempdir()
        raise refused("workbook.room", folder=folder, error=error, mend=NO_ROOM) from error


def _close(workbook: Workbook) -> None:
    """Close the pages; else they would try again, and complain, when they are thrown away."""
    for page in workbook:
        with suppress(OSError, LxmlError, StopIteration):
            page.close()


def _tabs(lines: Iterable[Line]) -> Iterator[Iterable[Line]]:
    left = iter(lines)
    for first in left:
        yield chain([first], islice(left, LONGEST - 1))


class _Looks:
    """The looks of a page's cells, each found once: to find it for each cell takes longest."""

    def __init__(self, page: Any) -> None:
        self.page = page
        left = Alignment(horizontal="left")
        self.plain = Font(name=FONT, size=10, color=INK)
        self.head = self._look(Font(name=FONT, size=10, bold=True, color=ACCENT), alignment=left)
        self.words = self._look(self.plain, alignment=left)
        self._figures = dict[int | None, Any]()

    @cached_property
    def box(self) -> Any:
        """An empty cell. What is typed stays a text: else 1.2 becomes a date and 0,30 a number."""
        box = WriteOnlyCell(self.page)
        box._style = self._look(self.plain, number_format="@", border=FRAME)
        return box

    def cell(self, entry: str | Figure | None) -> Any:
        """A cell with a text, or with a number that shows so many decimals."""
        if entry is None:
            return self.box
        if isinstance(entry, str):
            return self.text(entry, self.words)
        if entry.decimals not in self._figures:
            shown = {} if entry.decimals is None else {"number_format": f"{0:.{entry.decimals}f}"}
            self._figures[entry.decimals] = self._look(self.plain, **shown)
        cell = WriteOnlyCell(self.page, entry.value)
        cell._style = self._figures[entry.decimals]
        return cell

    def text(self, text: str, look: Any) -> Any:
        """A cell with a text; a word that begins with "=" stays a word."""
        cell = WriteOnlyCell(self.page)
        cell._value, cell.data_type, cell._style = readable(text), "s", look
        return cell

    def _look(self, font: Font, **more: Any) -> Any:
        cell = WriteOnlyCell(self.page)
        for name, value in {"font": font, **more}.items():
            setattr(cell, name, value)
        return cell._style


def _fill(page: Any, columns: Sequence[Column], lines: Iterable[Line], after: str) -> None:
    looks = _Looks(page)
    page.freeze_panes, page.print_title_rows = after, "1:1"
    page.page_setup.orientation, page.page_setup.paperSize = "landscape", Worksheet.PAPERSIZE_A4
    page.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    page.page_setup.fitToHeight = 0  # as many pages as it takes
    for number, column in enumerate(columns, start=1):
        dimension = page.column_dimensions[get_column_letter(number)]
        dimension.width, dimension.hidden = column.width, not column.width
    page.append([looks.text(column.heading, looks.head) for column in columns])
    last = 1  # counted here: a write-only page does not know how many rows it has
    for line in lines:
        page.append(list(map(looks.cell, line)))
        last += 1
    if after == BELOW_HEADINGS:  # else what is above the lines would be filtered, too
        page.auto_filter.ref = f"A1:{get_column_letter(len(columns))}{last}"
