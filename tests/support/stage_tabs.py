"""The stage tabs of a workbook as openpyxl reads them, and where labels stand."""

import io
from functools import cache

from openpyxl import load_workbook
from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.checks import Checks
from generator.render.workbook.layout.layout import Sheet
from tests.support.workbook import Book


@cache
def pages(xlsx: bytes) -> Workbook:
    return load_workbook(io.BytesIO(xlsx))


def stage_pages(one: Book) -> list[tuple[Sheet, Worksheet]]:
    return [(sheet, pages(one.xlsx)[sheet.tab.title]) for sheet in one.layout.sheets]


def label_at(row: int, column: int) -> str:
    return f"{chr(64 + column)}{row}" if column <= 26 else f"A{chr(64 + column - 26)}{row}"


def drafted_tabs(draft: Draft) -> list[tuple[Worksheet, Sheet, Checks | None]]:
    """The tabs of steps of a workbook in the making, each with its page and its checks."""
    titles = [(sheet.tab.title, sheet) for sheet in draft.layout.sheets]
    return [(draft.workbook[title], sheet, draft.checks.get(title)) for title, sheet in titles]
