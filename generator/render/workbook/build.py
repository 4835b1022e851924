"""A workbook in passes: write, dress, guard, fit to paper, protect, package.

Each pass reads the draft, in which everything is laid out, and changes the pages only.
"""

from generator.render.workbook import glance, guards
from generator.render.workbook.checking import hints, marks
from generator.render.workbook.draft import Draft
from generator.render.workbook.drawing import draw_tab
from generator.render.workbook.dress import charts, frames
from generator.render.workbook.file.package import to_bytes
from generator.render.workbook.learning import learn_tab
from generator.render.workbook.print_setup import fit, protect
from generator.render.workbook.start import first_tab
from generator.render.workbook.write import boxes, headings, kept


def build(draft: Draft) -> bytes:
    """The xlsx file of a draft."""
    write(draft)
    dress(draft)
    guard(draft)
    fit(draft)
    protect(draft)
    return to_bytes(draft.workbook)


def write(draft: Draft) -> None:
    """What stands in the cells: texts, given numbers, live formulas; in an exercise its checks."""
    first_tab.write(draft)
    glance.write(draft)
    draw_tab.write(draft)
    for page, sheet, checks in draft.tabs():
        headings.tab_head_write(draft, page, sheet)
        for band in sheet.bands:
            headings.write(draft, page, sheet, band)
            boxes.write(draft, page, band)
            if checks and (block := checks.block(band)):
                hints.write_help(draft, page, checks, block)
            boxes.chosen_write(draft, page, band)
        learn_tab.write(draft, page, sheet)
        if checks:
            hints.write_verdicts(draft, page, checks)
            marks.write(draft, page, checks)
        marks.write_waiting(draft, page, sheet)
        kept.write(draft, page, sheet)


def dress(draft: Draft) -> None:
    """Colours, frames and charts, which follow the cells; before them verdicts, then errors."""
    for page in draft.workbook.worksheets:
        frames.hide_errors(page)
    for page, sheet, checks in draft.tabs():
        frames.mark_refused(draft, page, sheet)
        frames.changed(draft, page, sheet)  # LibreOffice takes the first that is true
        frames.changed_rule(draft, page, sheet)
        frames.colour(draft, page, sheet)
        frames.draw(draft, page, sheet)
        charts.draw(draft, page, sheet)
        learn_tab.dress(draft, page, sheet)
        if checks:
            marks.letter(draft, page, checks)
            marks.show(draft, page, checks)
        marks.calm(draft, page, sheet)
    glance.dress(draft)


def guard(draft: Draft) -> None:
    """What may be typed, with a message otherwise."""
    for page, sheet, checks in draft.tabs():
        guards.focus(draft, page, sheet)
        guards.numbers(draft, page, sheet)
        guards.new_words(draft, page, sheet)
        if checks:
            marks.guard(draft, page, checks)
