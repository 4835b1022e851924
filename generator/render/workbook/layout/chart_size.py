"""How large a chart is, and whether it stands beside or below its numbers."""

import math

from generator.render.workbook.layout.box import Box

ROW = 0.476  # centimetres of a line of numbers
ROWS_OF_SHARES, ROWS_OF_CURVES = 13, 17
CHARTED = ("bars", "curves")
LAST_BESIDE = 10  # the last column of numbers that leaves room for a chart on the screen


def rows_of_chart(chart: str, box: Box) -> int:
    """How many rows the chart of a step covers from the first row of its numbers on."""
    if chart == "curves":
        return ROWS_OF_CURVES
    return math.ceil(height_of_bars(box.height, box.width) / ROW)


def height_of_bars(words: int, temperatures: int) -> float:
    """Centimetres of a bar chart with a bar for each word and temperature."""
    return min(20.0, max(6.5, 0.2 * words * (temperatures + 1) + 2.5))


def beside(box: Box) -> bool:
    """Whether a chart has room at the right of its numbers; if not it stands below the band."""
    return box.right <= LAST_BESIDE
