"""A copier for tests: one bit a dot, twice, a little out of place; and how well text survives it.

Legible is measured, not read: of a piece of text the copy must keep a share of the contrast
between its strokes and the paper around them, both seen as the eye sees them from 40 cm, where
about 0.15 mm (one arc minute is 0.12 mm) run together. Text that a copier breaks into dots loses
that contrast.
"""

import io
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

DPI = 300  # what office copiers scan with
EYE = 0.15 / 25.4 * DPI  # dots that run together
SHIFT = 0.4  # dots that the second copy is out of place
STROKE, PAPER = 40, 235  # above the darkest dot of a box; from here on white


class Piece(NamedTuple):
    """A piece of text of one line, and the share of its contrast that the copy keeps."""

    text: str
    kept: float


def pieces(document: bytes) -> list[list[Piece]]:
    """For each page of a PDF its pieces of text after two copies."""
    return [list(_pieces(page)) for page in pypdfium2.PdfDocument(io.BytesIO(document))]


def copied(image: Image.Image) -> Image.Image:
    """A copy: dithered to black and white, then printed, where neighbouring dots touch."""
    return image.convert("1").convert("L").filter(ImageFilter.GaussianBlur(0.5))


def shifted(image: Image.Image) -> Image.Image:
    """The page laid on the glass a little out of place."""
    matrix = (1, 0, SHIFT, 0, 1, SHIFT)
    return image.transform(
        image.size, Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR, fillcolor=255
    )


def _pieces(page: pypdfium2.PdfPage) -> Iterator[Piece]:
    scale = DPI / 72
    original = page.render(scale=scale, grayscale=True).to_pil().convert("L")
    copy = copied(shifted(copied(original)))
    eye = ImageFilter.GaussianBlur(EYE / 2)
    seen = [np.asarray(one) for one in (original, original.filter(eye), copy.filter(eye))]
    text = page.get_textpage()
    height = page.get_height()
    for k in range(text.count_rects()):
        left, bottom, right, top = text.get_rect(k)
        content = text.get_text_bounded(left, bottom, right, top).strip()
        rows = slice(int((height - top) * scale), int((height - bottom) * scale) + 1)
        columns = slice(int(left * scale), int(right * scale) + 1)
        kept = _kept(*(picture[rows, columns].astype(float) for picture in seen))
        if content and kept is not None:
            yield Piece(content, kept)


def _kept(sharp: np.ndarray, before: np.ndarray, after: np.ndarray) -> float | None:
    """The contrast after, as a share of that of black strokes; None without paper or ink."""
    ink, paper = sharp < sharp.min(initial=255) + STROKE, sharp > PAPER
    if not paper.any() or paper.all():  # all white: the halo below a word of a drawing
        return None
    full = (before[paper].mean() - before[ink].mean()) / (255 - sharp[ink].mean()) * 255
    return float((after[paper].mean() - after[ink].mean()) / full)
