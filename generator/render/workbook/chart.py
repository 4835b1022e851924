"""The chart of the probabilities: one bar a word, one colour a temperature."""

import math

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import CharacterProperties, ParagraphProperties
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.box import Box
from generator.render.workbook.layout import Layout
from generator.text.catalogue import Catalogue

ROW = 0.53  # centimetres
COLOURS = ("1F4E79", "8A6D1F", "6FA287", "B5654A", "7A5C99")


def rows_of_chart(words: int, temperatures: int) -> int:
    """How many rows the chart covers from the first word's row on."""
    return math.ceil(_height(words, temperatures) / ROW) - 1


def probabilities(page: Worksheet, layout: Layout, catalogue: Catalogue) -> None:
    """Bars beside the probabilities; they follow the cells."""
    box = layout.home("output.probabilities")
    chart = BarChart()
    chart.type, chart.grouping, chart.gapWidth = "bar", "clustered", 60
    chart.title = catalogue.t("workbook.chart.probabilities")
    chart.title.tx.rich.p[0].pPr = ParagraphProperties(defRPr=_letters(1000, bold=True))
    chart.title.tx.rich.p[0].r[0].rPr = _letters(1000, bold=True)
    _axes(chart)
    for k in range(box.width):
        chart.series.append(_series(page, box, k, layout))
    chart.set_categories(Reference(page, min_col=1, min_row=box.row, max_row=box.bottom))
    chart.width, chart.height = 13, _height(box.height, box.width)
    page.add_chart(chart, f"{get_column_letter(box.right + 2)}{box.row - 2}")


def _height(words: int, temperatures: int) -> float:
    return min(20.0, max(6.5, 0.2 * words * (temperatures + 1) + 2.5))


def _axes(chart: BarChart) -> None:
    chart.x_axis.scaling.orientation = "maxMin"
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.scaling.min, chart.y_axis.scaling.max = 0, 1
    chart.y_axis.number_format, chart.y_axis.crosses = "0%", "max"
    chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill="D5DBE1"))
    chart.legend.position = "b"


def _series(page: Worksheet, box: Box, k: int, layout: Layout) -> Series:
    column = box.column + k
    values = Reference(page, min_col=column, min_row=box.row, max_row=box.bottom)
    series = Series(values, title=layout.trace["output.probabilities"].rows[k])
    series.graphicalProperties.solidFill = COLOURS[k % len(COLOURS)]
    return series


def _letters(size: int, bold: bool) -> CharacterProperties:
    return CharacterProperties(sz=size, b=bold, solidFill="1F4E79")
