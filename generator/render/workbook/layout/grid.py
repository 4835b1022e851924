"""The columns of a tab: wide enough for its numbers, all of them on one screen."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.formats import NumberLook
from generator.render.workbook.layout.layout import Sheet

NARROWEST, WIDEST = 7.8, 17.0  # characters of a column of numbers
ENTRY = 11.0  # "dein Eintrag"
WIDEST_HEAD = 13.0  # for words above columns
SQUEEZED = 4.6  # the least, where a tab has more columns than a screen
FIRST_NARROWEST, FIRST_WIDEST, LIST_WIDEST = 18.0, 26.0, 36.0
SCREEN = 175.0  # characters that fit on a screen of 1366 pixels
SCREEN_COLUMNS = 17  # so many at least, all of them on the screen
SMALLEST_ZOOM = 50
LINK_COLUMN = 14  # of the way back, or the last one
WORDS_COLUMN = 6  # the formula in words, right of the step's title
PAGE_WIDE = 93.0  # characters from there to the page's end


class ColumnGrid(NamedTuple):
    """The widths of a tab's columns from the first on, the last one of headings, and the zoom."""

    widths: tuple[float, ...]
    right: int
    zoom: int

    @property
    def link(self) -> int:
        """The column of the way back, on the screen."""
        return min(LINK_COLUMN, len(self.widths))

    @property
    def numbers(self) -> float:
        """The width of a column of numbers."""
        return self.widths[1]

    def span(self, first: int, last: int) -> float:
        """The characters of the columns from `first` to `last`, counted from 1."""
        return math.fsum(self.widths[first - 1 : last])


class _Longest(NamedTuple):
    """The longest number, row label, title in a list and word above a column, in characters."""

    digits: int
    names: int
    titles: int
    heads: int


def grid(
    sheet: Sheet, trace: Trace, catalogue: Catalogue, looks: Mapping[str, NumberLook]
) -> ColumnGrid:
    """The grid of a tab from what stands in it."""
    longest = _longest(sheet, trace, catalogue, looks)
    boxes = [box for band in sheet.bands for box in (*band.boxes, band.picked) if box]
    last = max(2, *(box.right for box in boxes))
    first = min(max(FIRST_NARROWEST, longest.names + 3), FIRST_WIDEST)
    first = max(first, min(longest.titles * 1.15 + 1, LIST_WIDEST))
    each = (SCREEN - first) / (last - 1)
    width = min(max(NARROWEST, longest.digits + 2.4), WIDEST)
    if width > each:
        width = max(longest.digits + 0.4, SQUEEZED, each)
    width = max(width, min(longest.heads * 1.2 + 1, WIDEST_HEAD, each))
    widths = [first, *[width] * (last - 1)]
    right = _reach(widths, PAGE_WIDE)
    widths += [NARROWEST] * (right - len(widths))
    if sheet.strips and sheet.tab.step == 1:
        widths[0] = max(first, FIRST_WIDEST)
        widths[1:4] = [max(width, _word(trace)) for width in widths[1:4]]
    spare, spare_width = SCREEN_COLUMNS - len(widths), SCREEN - math.fsum(widths)
    if 0 < spare <= spare_width / SQUEEZED:
        widths += [min(NARROWEST, spare_width / spare)] * spare
    zoom = min(100, max(SMALLEST_ZOOM, int(100 * SCREEN / math.fsum(widths))))
    return ColumnGrid(tuple(widths), max(right, last), zoom)


def _word(trace: Trace) -> float:
    """The characters of a column in which a word is chosen, or that is called as a whole entry."""
    longest = max(map(len, trace["vocabulary.words"].values[:, 0]))
    return min(max(ENTRY, longest * 1.1 + 1.5), WIDEST_HEAD)


def _longest(
    sheet: Sheet, trace: Trace, catalogue: Catalogue, looks: Mapping[str, NumberLook]
) -> _Longest:
    steps = {box.step: trace[box.step] for band in sheet.bands for box in band.boxes}
    labels = [label for band in sheet.bands for label in band.labels]
    names = [len(text) for step in steps.values() if step.text for text in step.values[:, 0]]
    names += [len(label.shown(catalogue)) for label in labels if label.column == 1]
    heads = [len(x) for label in labels if label.across for x in label.shown(catalogue).split()]
    lines = [line.step for band in sheet.bands if band.rows for line in band.lines]
    titles = max((len(catalogue.step(name)) for name in lines), default=0)
    digits = max(looks[step.name].characters for step in steps.values())
    return _Longest(digits, max(names, default=0), titles, max(heads, default=0))


def _reach(widths: list[float], wide: float) -> int:
    """The column up to which the columns from that of the words on have so many characters."""
    column, reached = WORDS_COLUMN - 1, 0.0
    while reached < wide - 0.5:
        column += 1
        reached += widths[column - 1] if column <= len(widths) else NARROWEST
    return column
