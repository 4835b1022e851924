"""A sheet printed by a browser beside the same sheet by WeasyPrint: how far are they apart?"""

import io
from collections import Counter

import pypdfium2
import pytest
from PIL import ImageChops, ImageFilter
from PIL.Image import Image

from generator.render.worksheet import browser
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES
from tests.support.memo import once
from tests.support.sheets import pdf, traces
from tests.support.views import render

needs_a_browser = pytest.mark.skipif(
    browser.found() is None, reason="needs Chrome, Edge or Chromium: apt-get install chromium"
)
DPI, SOFT, SEEN = 60, 1.2, 48  # a point is half a millimetre; softened; a fifth of black is seen
HYPHENS = "\N{SOFT HYPHEN}\N{HYPHEN}-\ufffe\uffff"  # lines may end elsewhere
UNTOLD = {"2": 1}  # a minus sign at the axis of `nihao`, which a browser's PDF tells once less


def compared(
    sheet: str, preset: str, options: SheetOptions, variant: str, sentence: str | None = None
) -> tuple[float, float]:
    """How much text stands on another page, and how much of a page looks different, at most.

    As many pages and no sign lost: that must hold.
    """
    (variant,) = SERIES[sheet].kind.variants((variant,)) or (variant,)
    trace, exact = traces(preset, options.language, sentence)
    page = render(sheet, trace, exact, options, kind="html", variant=variant)
    ours = pdf(trace, exact, options, variant, sheet)
    printed = once(lambda: browser.to_pdf(page, sheet), "browser", page)
    return apart(ours, printed, UNTOLD.get(sheet, 0))


def apart(ours: bytes, printed: bytes, untold: int = 0) -> tuple[float, float]:
    """The share of text on other pages, the largest share of a page that looks different."""
    one, other = _pages(ours), _pages(printed)
    assert len(one) == len(other), (len(one), len(other))
    texts, printed_texts = ([_signs(page) for page in pages] for pages in (one, other))
    lost = sum(texts, Counter()) - sum(printed_texts, Counter())
    assert lost.total() <= untold, lost
    moved = sum((a - b).total() for a, b in zip(texts, printed_texts, strict=True))
    looks = [_different(_picture(a), _picture(b)) for a, b in zip(one, other, strict=True)]
    return moved / sum(texts, Counter()).total(), max(looks)


def _pages(document: bytes) -> list[pypdfium2.PdfPage]:
    return list(pypdfium2.PdfDocument(io.BytesIO(document)))


def _signs(page: pypdfium2.PdfPage) -> Counter[str]:
    """How often a page has each sign; their order differs, as their spaces do."""
    text = page.get_textpage().get_text_range()
    return Counter(sign for sign in text if sign.strip() and sign not in HYPHENS)


def _picture(page: pypdfium2.PdfPage) -> Image:
    picture = page.render(scale=DPI / 72).to_pil().convert("L")
    return picture.filter(ImageFilter.GaussianBlur(SOFT))


def _different(one: Image, other: Image) -> float:
    """The share of the points that are seen to differ."""
    size = min(one.width, other.width), min(one.height, other.height)
    both = (picture.crop((0, 0, *size)) for picture in (one, other))
    histogram = ImageChops.difference(*both).histogram()
    return sum(histogram[SEEN + 1 :]) / (size[0] * size[1])
