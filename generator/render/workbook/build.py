"""A workbook in passes: write, dress, guard, fit to paper, protect, package.

Each pass reads the draft, in which everything is laid out, and changes the pages only.
"""

from generator.render.workbook import learn_tab, print_setup, verdicts
from generator.render.workbook.band_pen import BandPen
from generator.render.workbook.charts import Charts
from generator.render.workbook.draft import Draft
from generator.render.workbook.draw_tab import DrawTab
from generator.render.workbook.file.package import to_bytes
from generator.render.workbook.frames import Frames, hide_errors
from generator.render.workbook.glance import GlanceTab
from generator.render.workbook.pen import Pen
from generator.render.workbook.start_tab import StartTab
from generator.render.workbook.warm_up_tab import WarmUpTab
from generator.render.workbook.whole_tab import WholeTab


def build(draft: Draft) -> bytes:
    """The xlsx file of a draft."""
    write(draft)
    dress(draft)
    for sheet in draft.layout.sheets:  # what may be typed, with a message otherwise
        Frames(draft, sheet).guard()
        for pen in verdicts.pens_of(draft, sheet):
            pen.guard()
    print_setup.fit(draft)
    for tab in shows(draft):
        tab.fit()
    print_setup.fit_start(draft)
    print_setup.protect(draft)
    return to_bytes(draft.workbook)


def shows(draft: Draft) -> list[GlanceTab | WholeTab | WarmUpTab]:
    """The tabs beside those of steps that fill a screen or page, as far as there are."""
    layout, tabs = draft.layout, list[GlanceTab | WholeTab | WarmUpTab]()
    tabs += [WarmUpTab(draft, layout.warm_up)] if layout.warm_up else []
    tabs += [GlanceTab(draft, layout.glance)] if layout.glance else []
    tabs += [WholeTab(draft, layout.whole)] if layout.whole else []
    return tabs


def write(draft: Draft) -> None:
    """What stands in the cells: texts, given numbers, live formulas; in an exercise its checks."""
    StartTab(draft).write()
    for tab in shows(draft):
        tab.write()
    if draw := draft.layout.start.draw:
        DrawTab(draft, draw).write()
    for sheet in draft.layout.sheets:
        bands = BandPen(draft, sheet)
        checks = verdicts.pens_of(draft, sheet)
        bands.top()
        for band in sheet.bands:
            bands.write(band)
            for pen in checks:
                pen.write_block(band)
            bands.chosen(band)
        for learn in learn_tab.tabs_of(draft, sheet):
            learn.write()
        for pen in checks:
            pen.write()
        bands.copy()


def dress(draft: Draft) -> None:
    """Colours, frames and charts, which follow the cells; before them verdicts, then errors."""
    for title in draft.workbook.sheetnames:
        hide_errors(Pen(draft, title))
    for sheet in draft.layout.sheets:
        frames = Frames(draft, sheet)
        frames.write()
        Charts(draft, sheet).draw()
        for learn in learn_tab.tabs_of(draft, sheet):
            learn.dress()
        for pen in verdicts.pens_of(draft, sheet):
            pen.show()
        frames.calm()
    for tab in shows(draft):
        tab.dress()
