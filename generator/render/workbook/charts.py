"""The charts of the tabs: probabilities, attention shares of the focus token, positions, losses."""

from collections.abc import Callable, Mapping

from openpyxl.chart import BarChart, LineChart, Reference, Series
from openpyxl.chart._chart import ChartBase
from openpyxl.chart.data_source import StrData, StrRef, StrVal
from openpyxl.chart.layout import Layout as ChartLayout
from openpyxl.chart.layout import ManualLayout
from openpyxl.chart.series import SeriesLabel
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.drawing.text import CharacterProperties, ParagraphProperties

from generator.render.workbook.file.package import CellFormula, describe
from generator.render.workbook.layout.box import ROW, ROWS_OF_CURVES, ROWS_OF_SHARES, Box, at, on
from generator.render.workbook.layout.layout import FIRST_ROW
from generator.render.workbook.pen import Pen, TabPen
from generator.render.workbook.styles import ACCENT, SHARE
from generator.steps import kind_of

CHARACTER = 0.195  # centimetres of a character of a column
WIDEST = 14.0  # centimetres of a chart
MOST_NAMED, LONGEST_NAMED = 14, 14  # tokens below an axis, and their characters
MOST_CURVES = 8  # more of them nobody can tell apart
COLOURS = (ACCENT, "8A6D1F", "3F7A5C", "B5654A", "7A5C99")
PERCENT = "0%"
DASHES = ("solid", "dash", "sysDot", "dashDot", "lgDash")
SIGNS = ("circle", "square", "triangle", "diamond", "x")
GRID = GraphicalProperties(ln=LineProperties(solidFill="D5DBE1"))
LETTERS = CharacterProperties(sz=900, b=True, solidFill=ACCENT)


class Charts(TabPen):
    """Draws all charts of a tab; they follow the cells."""

    def draw(self) -> None:
        """What the kinds of its steps say; the loss is drawn by the tab Learn."""
        drawers: Mapping[str, Callable[[Box], ChartBase]]
        drawers = {"bars": self._probabilities, "curves": self._positions}
        for band in self.sheet.bands:
            if box := band.charted:
                chart = kind_of(box.step).shown.chart
                if chart not in drawers:
                    self._shares(box, band.top)
                    continue
                drawn = drawers[chart](box)
                column, row = box.right + 2, box.row - 1
                if not box.beside:
                    column, row = 2, band.bottom + 1 - box.rows_of_chart(chart)
                drawn.width = min(WIDEST, self.grid.span(column, self.grid.right) * CHARACTER)
                self.page.add_chart(drawn, at(row, column))

    def _probabilities(self, box: Box) -> BarChart:
        """One bar per word, one colour per temperature."""
        bars = BarChart()
        bars.type, bars.grouping, bars.gapWidth = "bar", "clustered", 60
        bars.x_axis.scaling.orientation = "maxMin"
        bars.y_axis.crosses = "max"
        bars.legend.position = "b"
        bars.y_axis.scaling.min, bars.y_axis.scaling.max = 0, 1
        bars.y_axis.number_format = PERCENT
        for k in range(box.width):
            series = self._series(box, k)
            series.graphicalProperties.solidFill = COLOURS[k % len(COLOURS)]
            bars.series.append(series)
        bars.set_categories(self._cells(box, 1))
        bars.height = box.height_of_bars
        self._finish(bars, "probabilities")
        return bars

    def _shares(self, box: Box, row: int) -> None:
        """One column per token, where the focus token looks; from a row on."""
        ends = {"min_col": box.column, "max_col": box.right}
        bars = upright(Reference(self.page, **ends, min_row=box.row), COLOURS[0], gap=60)
        bars.y_axis.number_format = PERCENT
        if self._short(box):
            bars.set_categories(Reference(self.page, **ends, min_row=box.row - 1))
        bars.width, bars.height = min(max(11.0, 1.7 * box.width), 26.0), ROW * (ROWS_OF_SHARES - 1)
        self._finish(bars, "shares")
        self.page.add_chart(bars, at(row, box.column))

    def _positions(self, box: Box) -> LineChart:
        """One curve per dimension over the places in the sentence, each with its dash and sign."""
        curves = LineChart()
        for k in range(min(box.width, MOST_CURVES)):
            series = self._series(box, k)
            line = LineProperties(solidFill=COLOURS[k % 5], prstDash=DASHES[k % 5], w=19050)
            series.graphicalProperties = GraphicalProperties(ln=line)
            series.marker.symbol, series.marker.size = SIGNS[(k + k // 5) % 5], 6
            series.marker.graphicalProperties = GraphicalProperties(solidFill=COLOURS[k % 5])
            series.smooth = False
            curves.series.append(series)
        if self._short(box):
            curves.set_categories(self._cells(box, 1))
        curves.y_axis.scaling.min, curves.y_axis.scaling.max = -1, 1
        curves.y_axis.majorUnit, curves.y_axis.number_format = 0.5, "0.0"
        curves.x_axis.tickLblPos = "low"
        curves.legend.position = "b"
        curves.height = ROW * (ROWS_OF_CURVES - 1)
        self._finish(curves, "positions")
        return curves

    def losses(self, box: Box, beside: int) -> None:
        """The loss of each pass, in these cells of the tab Learn, from the column `beside` on.

        Below the axis stand the numbers of the passes alone, so that the curve keeps its height.
        """
        curve = LineChart()
        series = self._series(box, 0)
        series.graphicalProperties.line.solidFill = COLOURS[0]
        series.marker.symbol, series.marker.size, series.smooth = "circle", 6, False
        curve.series.append(series)
        curve.legend = None
        wide = self.grid.span(beside, max(self.grid.right, beside + 4))
        curve.height, curve.width = ROW * (box.height + 2), min(WIDEST, wide * CHARACTER)
        self._finish(curve, "loss")
        self.page.add_chart(curve, at(FIRST_ROW, beside))

    def _short(self, box: Box) -> bool:
        """Whether the tokens fit below an axis; if not their numbers stand there alone."""
        tokens = self.trace[box.step].rows
        return len(tokens) <= MOST_NAMED and max(map(len, tokens)) <= LONGEST_NAMED

    def _cells(self, box: Box, column: int) -> Reference:
        """A column beside the numbers of a box."""
        return Reference(self.page, min_col=column, min_row=box.row, max_row=box.bottom)

    def _series(self, box: Box, k: int) -> Series:
        """A column of a table, called in the legend as the cell above it says."""
        row, column = box.row - 1, box.column + k
        series = Series(self._cells(box, column), title=None)
        head = self.page.cell(row, column).value
        text = head.cached if isinstance(head, CellFormula) else head
        cache = StrData(ptCount=1, pt=[StrVal(idx=0, v=str(text))])
        place = on(self.title, at(row, column, fixed=True))
        series.tx = SeriesLabel(strRef=StrRef(f=place, strCache=cache))
        return series

    def _finish(self, drawn: ChartBase, key: str) -> None:
        """Axes, letters and the words for who does not see it, the same for every chart."""
        drawn.title = title = self.t(f"workbook.chart.{key}")
        drawn.title.overlay = False
        drawn.title.tx.rich.p[0].pPr = ParagraphProperties(defRPr=LETTERS)
        drawn.title.tx.rich.p[0].r[0].rPr = LETTERS
        drawn.x_axis.delete = drawn.y_axis.delete = False
        drawn.y_axis.majorGridlines.spPr = GRID
        describe(drawn, title, self.t(f"workbook.chart.{key}.text"))


def below(pen: Pen, shares: Box, rows: tuple[int, int]) -> BarChart:
    """A bar in these rows below each share, as wide as its column; the numbers say how long."""
    cells = Reference(pen.page, shares.column, shares.row, shares.right, shares.row)
    bars = upright(cells, SHARE, gap=40)
    bars.title = bars.y_axis.majorGridlines = None
    bars.x_axis.delete = bars.y_axis.delete = True
    inner = {"layoutTarget": "inner", "xMode": "edge", "yMode": "edge"}
    bars.layout = ChartLayout(manualLayout=ManualLayout(**inner, x=0.0, y=0.02, w=1.0, h=0.96))
    bars.graphical_properties = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
    describe(bars, pen.t("workbook.chart.shares"), pen.t("workbook.chart.shares.text"))
    start = AnchorMarker(col=shares.column - 1, row=rows[0] - 1)
    bars.anchor = TwoCellAnchor(_from=start, to=AnchorMarker(col=shares.right, row=rows[1]))
    return bars


def upright(cells: Reference, colour: str, gap: int) -> BarChart:
    """A column from 0 to 1 for each cell, without a legend; the gap is in per cent of its width."""
    bars, series = BarChart(), Series(cells, title=None)
    bars.type, bars.gapWidth, bars.legend = "col", gap, None
    bars.y_axis.scaling.min, bars.y_axis.scaling.max = 0, 1
    series.graphicalProperties.solidFill = colour
    bars.series.append(series)
    return bars
