"""How the pages of results are printed: a class's overview and everybody's feedback alike."""

from typing import Final

from generator.render.worksheet.pdf import document_css, to_pdf
from generator.render.worksheet.styles import style
from generator.sheets.maths import Formulas

OWN_STYLES: Final = ("class.css", "marks.css")  # beside those of a worksheet


def printed(html: str, where: str) -> bytes:
    """A page of results as a PDF; `where` is what errors call it."""
    css = (document_css(), *map(style, ("worksheet.css", *OWN_STYLES)))
    # Each leaf by itself: as a whole WeasyPrint lays out twice the first page of all but the first.
    return to_pdf(html, css, Formulas(), where=where, leaves={})


def load() -> None:
    """Load fonts and styles, so that processes that are forked from this one begin with them."""
    printed('<html lang="en"><title>-</title><body>✓ <b>✗</b></body></html>', "nothing")
