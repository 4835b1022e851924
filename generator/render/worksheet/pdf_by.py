"""Who makes a PDF: WeasyPrint where Pango is installed, else the browser that is there."""

from dataclasses import replace
from functools import cache

from generator.render.worksheet import browser
from generator.sheets.options import PDF_BY, SheetOptions

AUTO, WEASYPRINT, CHROMIUM = PDF_BY
LESS_GOOD = (
    "PDF files are made by {browser}, as Pango is not installed: with the same text, tags, links "
    "and bookmarks. What is less good: they do not claim PDF/UA, a line may stand half a "
    "millimetre elsewhere, each file takes a second, another version of the browser gives other "
    "bytes, and there are no fillable forms, no exams and no booklet of all sheets"
)


def in_browser(options: SheetOptions) -> bool:
    """Whether a PDF with these choices is made by a browser."""
    return (_usual() if options.pdf_by == AUTO else options.pdf_by) == CHROMIUM


def named(options: SheetOptions) -> SheetOptions:
    """The same choices with the program named that makes PDFs here.

    So a batch is made by one program, whoever computes, and again by the same one.
    """
    return replace(options, pdf_by=_usual()) if options.pdf_by == AUTO else options


@cache
def _usual() -> str:
    """WeasyPrint where it works and where no browser is, which its message then says."""
    from generator.render.worksheet.pdf_engine import PangoMissing, load_engine

    try:
        load_engine()
    except PangoMissing:
        return CHROMIUM if browser.found() else WEASYPRINT
    return WEASYPRINT


def browser_notes(options: SheetOptions) -> list[str]:
    """What to say of PDFs that a browser makes because nothing better is there."""
    if options.pdf_by == AUTO and in_browser(options):
        return [LESS_GOOD.format(browser=browser.require())]
    return []
