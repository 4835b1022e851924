"""The charts of the tabs: probabilities, attention shares of the focus token, positions."""

from openpyxl.chart import BarChart, LineChart, Reference, Series
from openpyxl.chart._chart import ChartBase
from openpyxl.chart.data_source import StrData, StrRef, StrVal
from openpyxl.chart.series import SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import CharacterProperties, ParagraphProperties
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.file.package import CellFormula, describe
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.draw_layout import (
    ROW,
    ROWS_OF_CURVES,
    ROWS_OF_SHARES,
    beside,
    height_of_bars,
    rows_of_chart,
)
from generator.render.workbook.layout.layout import Sheet
from generator.steps import kind_of

CHARACTER = 0.195  # centimetres of a character of a column
WIDEST = 14.0  # centimetres of a chart
MOST_NAMED, LONGEST_NAMED = 14, 14  # tokens below an axis, and their characters
MOST_CURVES = 8  # more of them nobody can tell apart
COLOURS = ("1F4E79", "8A6D1F", "3F7A5C", "B5654A", "7A5C99")
DASHES = ("solid", "dash", "sysDot", "dashDot", "lgDash")
SIGNS = ("circle", "square", "triangle", "diamond", "x")
GRID = GraphicalProperties(ln=LineProperties(solidFill="D5DBE1"))


def draw(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """All charts of a tab; they follow the cells."""
    drawers = {"bars": _probabilities, "curves": _positions}
    grid = draft.grids[sheet.tab.title]
    for band in sheet.bands:
        for box in (box for box in band.boxes if box.home):
            chart = kind_of(box.step).shown.chart
            if chart in drawers:
                drawn = drawers[chart](draft, page, box)
                column, row = box.right + 2, box.row - 1
                if not beside(box):
                    column, row = 2, band.bottom + 1 - rows_of_chart(chart, box)
                drawn.width = min(WIDEST, grid.span(column, grid.right) * CHARACTER)
                page.add_chart(drawn, f"{get_column_letter(column)}{row}")
        if band.picked:
            _shares(draft, page, band.picked)


def _probabilities(draft: Draft, page: Worksheet, box: Box) -> BarChart:
    """One bar per word, one colour per temperature."""
    bars = BarChart()
    bars.type, bars.grouping, bars.gapWidth = "bar", "clustered", 60
    bars.x_axis.scaling.orientation = "maxMin"
    bars.y_axis.crosses = "max"
    bars.legend.position = "b"
    _percent(bars)
    for k in range(box.width):
        series = _series(page, box, k)
        series.graphicalProperties.solidFill = COLOURS[k % len(COLOURS)]
        bars.series.append(series)
    bars.set_categories(Reference(page, min_col=1, min_row=box.row, max_row=box.bottom))
    bars.height = height_of_bars(box.height, box.width)
    finish(draft, bars, "probabilities")
    return bars


def _shares(draft: Draft, page: Worksheet, box: Box) -> None:
    """One column per token: where the focus token looks."""
    bars = BarChart()
    bars.type, bars.gapWidth, bars.legend = "col", 60, None
    _percent(bars)
    values = Reference(page, min_col=box.column, max_col=box.right, min_row=box.row)
    series = Series(values, title=None)
    series.graphicalProperties.solidFill = COLOURS[0]
    bars.series.append(series)
    if _short(draft, box.step):
        names = Reference(page, min_col=box.column, max_col=box.right, min_row=box.row - 1)
        bars.set_categories(names)
    bars.width, bars.height = min(max(11.0, 1.7 * box.width), 26.0), ROW * (ROWS_OF_SHARES - 1)
    finish(draft, bars, "shares")
    page.add_chart(bars, f"{get_column_letter(box.column)}{box.row + 1}")


def _positions(draft: Draft, page: Worksheet, box: Box) -> LineChart:
    """One curve per dimension over the places in the sentence, told apart by dashes and signs."""
    curves = LineChart()
    for k in range(min(box.width, MOST_CURVES)):
        series = _series(page, box, k)
        line = LineProperties(solidFill=COLOURS[k % 5], prstDash=DASHES[k % 5], w=19050)
        series.graphicalProperties = GraphicalProperties(ln=line)
        series.marker.symbol, series.marker.size = SIGNS[(k + k // 5) % 5], 6
        series.marker.graphicalProperties = GraphicalProperties(solidFill=COLOURS[k % 5])
        series.smooth = False
        curves.series.append(series)
    if _short(draft, box.step):
        names = Reference(page, min_col=1, min_row=box.row, max_row=box.bottom)
        curves.set_categories(names)
    curves.y_axis.scaling.min, curves.y_axis.scaling.max = -1, 1
    curves.y_axis.majorUnit, curves.y_axis.number_format = 0.5, "0.0"
    curves.x_axis.tickLblPos = "low"
    curves.legend.position = "b"
    curves.height = ROW * (ROWS_OF_CURVES - 1)
    finish(draft, curves, "positions")
    return curves


def _short(draft: Draft, step: str) -> bool:
    """Whether the tokens fit below an axis; if not their numbers stand there alone."""
    tokens = draft.trace[step].rows
    return len(tokens) <= MOST_NAMED and max(map(len, tokens)) <= LONGEST_NAMED


def _series(page: Worksheet, box: Box, k: int) -> Series:
    """A column of a table, called in the legend as the cell above it says."""
    column = box.column + k
    values = Reference(page, min_col=column, min_row=box.row, max_row=box.bottom)
    series = Series(values, title=None)
    named(page, series, box.row - 1, column)
    return series


def named(page: Worksheet, series: Series, above: int, column: int) -> None:
    """Calls a series in the legend as a cell says."""
    head = page.cell(above, column).value
    text = head.cached if isinstance(head, CellFormula) else head
    cache = StrData(ptCount=1, pt=[StrVal(idx=0, v=str(text))])
    place = on(page.title, at(above, column, fixed=True))
    series.tx = SeriesLabel(strRef=StrRef(f=place, strCache=cache))


def _percent(bars: BarChart) -> None:
    bars.y_axis.scaling.min, bars.y_axis.scaling.max = 0, 1
    bars.y_axis.number_format = "0%"


def finish(draft: Draft, drawn: ChartBase, key: str) -> None:
    """Axes, letters and the words for who does not see it, the same for every chart."""
    title = draft.catalogue.t(f"workbook.chart.{key}")
    drawn.title = title
    drawn.title.overlay = False
    drawn.title.tx.rich.p[0].pPr = ParagraphProperties(defRPr=_letters(900))
    drawn.title.tx.rich.p[0].r[0].rPr = _letters(900)
    drawn.x_axis.delete = drawn.y_axis.delete = False
    drawn.y_axis.majorGridlines.spPr = GRID
    describe(drawn, title, draft.catalogue.t(f"workbook.chart.{key}.text"))


def _letters(size: int) -> CharacterProperties:
    return CharacterProperties(sz=size, b=True, solidFill="1F4E79")
