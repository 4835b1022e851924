"""The Draw tab: settings, sorted probabilities, intervals, the word hit, twenty draws; all live.

It computes nothing that a step computes: words and numbers are looked up where they are at home,
and a draw asks the same expression as the next token does, with another random number.
"""

from openpyxl.utils import get_column_letter

from generator.engine.choices import STRATEGIES
from generator.render.workbook.draft import Draft
from generator.render.workbook.drawing import tables
from generator.render.workbook.layout.box import at, on
from generator.render.workbook.layout.draw_layout import (
    CHECKS,
    FIRST_ROW,
    PARTS,
    SET,
    WIDTHS,
    DrawLayout,
)
from generator.render.workbook.layout.start_layout import DRAWING
from generator.render.workbook.print_setup import HEAD, LINE
from generator.render.workbook.start.drop_downs import Lists
from generator.render.workbook.start.pen import Pen
from generator.render.workbook.start.rows import Rows

CHECK_WIDTH = 10.0
HIT_HEIGHT = 20.0  # points
LISTS = CHECKS + 2


def write(draft: Draft) -> None:
    """The Draw tab, where there is one."""
    if draw := draft.layout.start.draw:
        pen = Pen(draft, draft.workbook[draw.sheet])
        _head(pen, draw)
        lists = Lists(pen, LISTS)
        _settings(pen, draw, lists)
        tables.Tables(pen, draw, lists).write()
        _shape(pen, draw)


def _head(pen: Pen, draw: DrawLayout) -> None:
    """Title, what to do, link back, message, and the headings of the tables."""
    start, t = pen.draft.start_page.title, pen.t
    pen.text(1, 1, draw.sheet, "title")
    pen.text(2, 1, t("workbook.draw.about"), "subtitle")
    pen.link(1, PARTS[-1].first, start, "A1", f"← {start}")
    pen.formula(at(3, 1), f"={on(*pen.draft.layout.warning)}", "", "alarm")
    for part in PARTS:
        pen.band(FIRST_ROW, part.first, part.last, t(f"workbook.draw.{part.key}"))
    pen.text(FIRST_ROW, CHECKS, t("workbook.start.check"), "tag")


def _settings(pen: Pen, draw: DrawLayout, lists: Lists) -> None:
    """What is typed in, and below what the strategies do."""
    rows = Rows(pen, lists)
    rows.heads(FIRST_ROW + 1, DRAWING, (SET.first, SET.last), "name")
    for group in draw.groups:
        rows.group(group, DRAWING)
    rows.choices(draw.groups)
    rows.colour(DRAWING, [entry.row for group in draw.groups for entry in group.entries])
    for k, name in enumerate(STRATEGIES):
        row = draw.strategies_row + k
        says = pen.t(f"workbook.control.strategy.{name}")
        pen.text(row, 1, f"{name}: {says}", "words")


def _shape(pen: Pen, draw: DrawLayout) -> None:
    """Widths and heights for one screen, and what is printed."""
    page = pen.page
    for column, width in enumerate(WIDTHS, start=1):
        page.column_dimensions[get_column_letter(column)].width = width
    for column in range(CHECKS, tables.LAST_CHECK + 1):
        dimension = page.column_dimensions[get_column_letter(column)]
        dimension.width, dimension.outlineLevel = CHECK_WIDTH, 1
    for row in range(1, draw.bottom + 1):
        page.row_dimensions[row].height = HEAD[row - 1] if row <= len(HEAD) else LINE
    page.row_dimensions[draw.hit_row].height = HIT_HEIGHT
    page.freeze_panes = page.cell(FIRST_ROW, 2)
    page.print_area = f"A1:{at(draw.bottom, len(WIDTHS))}"
