"""The answer key of a class: a line for each asked cell of each pupil, to search and to filter."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from lxml.etree import LxmlError
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from generator.checks.answer import Answer
from generator.errors import NO_ROOM, UserError
from generator.locales.catalogue import load
from generator.render.workbook.file.spelling import readable
from generator.render.workbook.file.stream import streamed
from generator.render.workbook.styles import ACCENT, FONT, INK

COLUMNS = ("code", "id", "sheet", "step", "row", "column", "value", "tolerance", "address")
WIDTHS = (16, 14, 8, 38, 18, 12, 14, 12, 28)
LETTERS = "ABCDEFGHI"
LONGEST = 1_000_000  # lines of a tab; a sheet of Excel ends soon after


def render(answers: Iterable[Answer], language: str) -> bytes:
    """`answer-key.xlsx`; memory does not grow with the class.

    Beyond a million lines the key goes on in a further tab. Lines wait in a temporary file: raises
    `UserError` where there is no room for it.
    """
    workbook = Workbook(write_only=True)
    try:
        _write(workbook, answers, language)
        return streamed(workbook)
    except UserError:  # an answer could not be found
        _close(workbook)
        raise
    except (OSError, LxmlError) as error:  # the latter from lxml, which writes the file
        _close(workbook)
        raise UserError(
            f"no room for a temporary file in {tempfile.gettempdir()} ({error}); {NO_ROOM}"
        ) from error


def _close(workbook: Workbook) -> None:
    """Close the pages; else they would try again, and complain, when they are thrown away."""
    for page in workbook:
        with suppress(OSError, LxmlError, StopIteration):
            page.close()


def _write(workbook: Workbook, answers: Iterable[Answer], language: str) -> None:
    catalogue = load(language)
    workbook.properties.title = catalogue.t("class.key.title")
    workbook.properties.creator = workbook.properties.lastModifiedBy = "Paperformer"
    workbook.properties.language = language
    looks = _Looks()
    heading = [catalogue.t(f"class.key.{name}") for name in COLUMNS]
    for number, lines in enumerate(_tabs(answers), start=1):
        title = catalogue.t("class.key.tab", number=number)
        _fill(workbook.create_sheet(title), heading, lines, looks)


def _tabs(answers: Iterable[Answer]) -> Iterator[Iterable[Answer]]:
    left = iter(answers)
    for first in left:
        yield chain([first], islice(left, LONGEST - 1))


class _Looks:
    """The looks of the key's cells, made once."""

    head = Font(name=FONT, size=10, bold=True, color=ACCENT)
    plain = Font(name=FONT, size=10, color=INK)
    left = Alignment(horizontal="left")


def _fill(page: Any, heading: list[str], answers: Iterable[Answer], looks: _Looks) -> None:
    page.freeze_panes, page.print_title_rows = "A2", "1:1"
    page.page_setup.orientation, page.page_setup.paperSize = "landscape", Worksheet.PAPERSIZE_A4
    page.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    page.page_setup.fitToHeight = 0  # as many pages as it takes
    for letter, width in zip(LETTERS, WIDTHS, strict=True):
        page.column_dimensions[letter].width = width
    page.append([_text(page, title, looks.head, looks) for title in heading])
    last = 1  # counted here: a write-only page does not know how many rows it has
    for last, answer in enumerate(answers, start=2):  # noqa: B007
        page.append(_line(page, answer, looks))
    page.auto_filter.ref = f"A1:{LETTERS[-1]}{last}"


def _line(page: Any, answer: Answer, looks: _Looks) -> list[Any]:
    words = (answer.code, answer.key, answer.sheet, answer.title, answer.row, answer.column)
    numbers = [_value(page, one, answer, looks) for one in (answer.value, answer.tolerance)]
    *texts, address = (_text(page, word, looks.plain, looks) for word in (*words, answer.step))
    return [*texts, *numbers, address]


def _value(page: Any, value: float | str | None, answer: Answer, looks: _Looks) -> Any:
    if value is None or isinstance(value, str):
        return _text(page, value or "", looks.plain, looks)
    cell = WriteOnlyCell(page, value)
    cell.font = looks.plain
    cell.number_format = "0" if not answer.decimals else f"0.{'0' * answer.decimals}"
    return cell


def _text(page: Any, text: str, font: Font, looks: _Looks) -> Any:
    cell = WriteOnlyCell(page)
    cell._value, cell.data_type = readable(text), "s"  # a word that begins with "=" stays a word
    cell.font, cell.alignment = font, looks.left
    return cell
