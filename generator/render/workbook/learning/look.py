"""How a tab Learn looks: large gradients shaded, the loss of each pass as a curve."""

from openpyxl.chart import LineChart, Reference, Series
from openpyxl.formatting.rule import ColorScaleRule
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from generator.render.workbook.draft import Draft
from generator.render.workbook.dress.charts import COLOURS, finish, named
from generator.render.workbook.layout.chart_size import ROW
from generator.render.workbook.layout.layout import Sheet
from generator.render.workbook.layout.learn_layout import CHART_ROWS, LOSS, PASS, Strip
from generator.render.workbook.layout.tabs import trainings
from generator.render.workbook.styles import HEAT

BELOW = "F2C9A0"  # a large gradient below 0: the number is to grow


def dress(draft: Draft, page: Worksheet, sheet: Sheet) -> None:
    """The shades of a tab; on the first one the curve of the losses, if they are several."""
    if sheet.strips is None:
        return
    _shade(page, sheet.strips[1])
    if sheet.tab.step == 1 and trainings(draft.trace) > 1:
        _curve(draft, page)


def _shade(page: Worksheet, slope: Strip) -> None:
    """Darker the larger a gradient is, in one colour above 0 and another below; it follows."""
    most = f"MAX(MAX({slope.fixed}),-MIN({slope.fixed}))"
    scale = ColorScaleRule(
        start_type="formula",
        start_value=f"-{most}",
        start_color=BELOW,
        mid_type="num",
        mid_value=0,
        mid_color=HEAT[0],
        end_type="formula",
        end_value=most,
        end_color=HEAT[1],
    )
    page.conditional_formatting.add(slope.span, scale)


def _curve(draft: Draft, page: Worksheet) -> None:
    """The loss before training and after each step."""
    learn = draft.layout.start.learn
    if learn is None:
        raise ValueError("found no training, expected a tab Learn")
    passes = trainings(draft.trace) + 1
    first, last = learn.top, learn.top + passes - 1
    curve = LineChart()
    series = Series(Reference(page, min_col=LOSS, min_row=first, max_row=last), title=None)
    named(page, series, first - 1, LOSS)
    series.graphicalProperties.line.solidFill = COLOURS[0]
    series.marker.symbol, series.marker.size, series.smooth = "circle", 6, False
    curve.series.append(series)
    curve.set_categories(Reference(page, min_col=PASS, min_row=first, max_row=last))
    curve.legend = None
    curve.height, curve.width = ROW * (CHART_ROWS - 1), 13.0
    finish(draft, curve, "loss")
    page.add_chart(curve, f"{get_column_letter(PASS)}{last + 2}")
