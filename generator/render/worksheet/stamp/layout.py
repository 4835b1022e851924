"""WeasyPrint lays out a draft, or wordings that a draft has not met yet."""

from collections.abc import Callable, Iterable
from typing import Any

from generator.render.worksheet.pdf import document_css, to_pdf
from generator.render.worksheet.stamp.harvest import Harvest, harvest
from generator.render.worksheet.styles import style
from generator.render.worksheet.worksheet import LARGE, option_css
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES

SIMPLE = "0123456789−,.–%()∞:ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # set without kerning
LETTERS = "abcdefghijklmnopqrstuvwxyzäöüÄÖÜßéèáàâêîôûçñ„“‚‘”’'\"!?;·×÷=≈+-/ fi fl ff ft tt tf ✓"
SIGNS = "₀₁₂₃₄₅₆₇₈₉√Σ→²"
PRIMER_COLOUR = b"0.003922 0.007843 0.011765 rg"
_FACES = ((400, "normal"), (600, "normal"), (700, "normal"), (400, "italic"))
_CORNERS = ("top-left-corner", "top-left", "top-center", "top-right")


def css(sheet: str, options: SheetOptions) -> tuple[str, ...]:
    """The style sheets of a sheet."""
    further = (*SERIES[sheet].css, *option_css(options, "pdf"))
    return (document_css(), *map(style, ("worksheet.css", *further)))


def primer() -> str:
    """A rule that sets every common character once in each face, so that the fonts hold them.

    What it sets is never drawn: `PRIMER_COLOUR` tells it apart.
    """
    text = f"{SIMPLE} {LETTERS} {SIGNS}".replace('"', '\\"')
    boxes = (
        f'@{corner} {{ content: "{text}"; font: {slant} {weight} 1px "Source Sans 3"; '
        "color: #010203; white-space: nowrap; }"
        for corner, (weight, slant) in zip(_CORNERS, _FACES, strict=True)
    )
    return f"@page :first {{ {' '.join(boxes)} }}"


def laid_out(
    html: str,
    sheets: Iterable[str],
    formulas: Formulas,
    options: SheetOptions,
    where: str,
    then: Callable[[Harvest, Any], None],
    *,
    tagged: bool,
) -> None:
    """Lays the HTML out and shows what it takes apart, with the PDF's objects."""

    def watch(document: Any, pdf: Any) -> None:
        then(harvest(document, pdf), pdf)
        pdf.write = _unwritten  # nobody reads this file, and it takes a while to write

    zoom = LARGE if options.large_print else 1
    to_pdf(html, tuple(sheets), formulas, where=where, tagged=tagged, zoom=zoom, watch=watch)


def _unwritten(*_: object, **__: object) -> None:
    """Write no file."""
