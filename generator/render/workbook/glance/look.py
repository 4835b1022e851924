"""The tab "At a glance" on screen and paper: frames, bars, drop-downs, widths, one page."""

from itertools import groupby

from openpyxl.chart import BarChart, Reference, Series
from openpyxl.chart.layout import Layout as ChartLayout
from openpyxl.chart.layout import ManualLayout
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.rules import framed
from generator.render.workbook.file.package import describe
from generator.render.workbook.glance import model_map
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.glance import FOCUS, OWN, Glance
from generator.render.workbook.layout.measures import DIGIT, POINTS
from generator.render.workbook.styles import SHARE

FRAMED = ("input", "query")  # the parts of which the focus token's row matters


def dress(draft: Draft) -> None:
    """The focus token's row framed, its shares as bars, the place on the map lit."""
    glance = draft.layout.glance
    if glance is None:
        return
    page = draft.workbook[glance.sheet]
    labels = f"A{glance.rows.tokens}:A{glance.rows.tokens + glance.sizes.tokens - 1}"
    framed_parts = [x for x in glance.panels if x.part in FRAMED and x.shows == "all"]
    spans = [labels, *(panel.span for panel in framed_parts)]
    rule = framed(f"ROW()={FOCUS}+{glance.rows.tokens - 1}")
    page.conditional_formatting.add(" ".join(spans), rule)
    model_map.light(draft, glance)
    page.add_chart(_bars(draft, glance, page))


def _bars(draft: Draft, glance: Glance, page: Worksheet) -> BarChart:
    """A bar below each share, as wide as its column; the numbers above say how long."""
    shares = glance.panel("weights", "focus")
    bars = BarChart()
    bars.type, bars.gapWidth, bars.legend, bars.title = "col", 40, None, None
    cells = Reference(
        page, min_col=shares.column, max_col=shares.right, min_row=shares.row, max_row=shares.row
    )
    series = Series(cells, title=None)
    series.graphicalProperties.solidFill = SHARE
    bars.series.append(series)
    bars.y_axis.scaling.min, bars.y_axis.scaling.max = 0, 1
    bars.y_axis.majorGridlines = None
    bars.x_axis.delete = bars.y_axis.delete = True
    bars.layout = ChartLayout(
        manualLayout=ManualLayout(
            layoutTarget="inner", xMode="edge", yMode="edge", x=0.0, y=0.02, w=1.0, h=0.96
        )
    )
    none = GraphicalProperties(noFill=True, ln=LineProperties(noFill=True))
    bars.graphical_properties = none
    t = draft.catalogue.t
    describe(bars, t("workbook.chart.shares"), t("workbook.chart.shares.text"))
    top, left = glance.rows.bars - 1, shares.column - 1
    start = AnchorMarker(col=left, row=top)
    stop = AnchorMarker(col=left + shares.width, row=glance.rows.bars_end)
    bars.anchor = TwoCellAnchor(_from=start, to=stop)
    return bars


def guard(draft: Draft) -> None:
    """Drop-downs for the focus token and, where there are several, for the head."""
    glance = draft.layout.glance
    if glance is None:
        return
    page, t = draft.workbook[glance.sheet], draft.catalogue.t
    last = glance.sizes.tokens
    error = t("workbook.focus.error", last=last)
    _choose(page, OWN, last, t("workbook.focus.title"), error, t("workbook.setting.focus.note"))
    most = len(glance.heads)
    if most > 1:
        error = t("workbook.refused.whole", least=1, most=most)
        prompt = ", ".join(f"{k}: {head.title}" for k, head in enumerate(glance.heads, start=1))
        _choose(page, glance.own_head, most, t("workbook.refused.title"), error, prompt)


def _choose(page: Worksheet, cell: str, most: int, title: str, error: str, prompt: str) -> None:
    rule = DataValidation(type="list", allow_blank=True)
    rule.formula1 = '"' + ",".join(str(k + 1) for k in range(most)) + '"'
    rule.errorTitle, rule.error, rule.prompt = title, error, prompt
    rule.showErrorMessage = rule.showInputMessage = True
    rule.add(cell)
    page.add_data_validation(rule)


def fit(draft: Draft) -> None:
    """Widths and heights in pixels of the screen; one page on paper."""
    glance = draft.layout.glance
    if glance is None:
        return
    page = draft.workbook[glance.sheet]
    column = 1
    for pixels, alike in groupby(glance.columns.widths):
        dimension = page.column_dimensions[get_column_letter(column)]
        dimension.width, dimension.min = pixels / DIGIT, column
        column += len(list(alike))
        dimension.max = column - 1
    for row, pixels in enumerate(glance.rows.heights, start=1):
        page.row_dimensions[row].height = pixels * POINTS
    last = at(len(glance.rows.heights), len(glance.columns.widths))
    page.print_area = f"A1:{last}"
    page.page_setup.fitToHeight = 1
    page.print_title_rows = None
    page.sheet_view.zoomScale = 100
