"""What survives two 1-bit copies: colours and widths of rules and text, pictures of pages."""

import io
import re
from collections.abc import Iterator

import numpy as np
import pypdfium2
import pytest
from PIL import Image, ImageFilter

from generator.resources import templates
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.covering import each
from tests.support.filled import filling
from tests.support.sheets import pdf, traces

DARKEST_TEXT, PALEST_RULE = 0x5A, 0x66  # the palest that is allowed, as grey
THINNEST_PT, MM_PT = 0.6, 72 / 25.4
DPI, BLUR, THRESHOLD = 300, 0.8, 128
FILLED = 5  # rows of dots above and below that make an area, whose outline has to stay
BESIDE = 3  # rows of dots: the soft edge of a rule
PAPER = 215  # from here on nobody sees a rule
PRINTED = [sheet for sheet in SHEETS if not SERIES[sheet].kind.screen]
LAID_OUT = [
    path
    for path in sorted(templates().rglob("*"))
    if path.suffix in (".css", ".j2") and "slides" not in str(path) and path.name != "html.css"
]
TEXT = re.compile(r"(?<![-\w])color: *(#[0-9a-f]{3,6})")
RULE = re.compile(
    r'(?:border[a-z-]*: *[\d.]+(?:pt|mm) \w+|border-color:|stroke="|stroke:) *(#[0-9a-f]{3,6})'
)
BORDER = re.compile(r"border[a-z-]*: *([\d.]+)(pt|mm)")
STROKE = re.compile(r'stroke-width="([\d.]+)"')


def grey(colour: str) -> float:
    """How light a colour is, 0 to 255, as a copier without colour sees it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    red, green, blue = (int(digits[k : k + 2], 16) for k in (0, 2, 4))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _said(pattern: re.Pattern[str]) -> Iterator[tuple[str, re.Match[str]]]:
    for path in LAID_OUT:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for match in pattern.finditer(line):
                yield f"{path.name}:{number}: {match[0]}", match


@pytest.mark.parametrize(
    ("pattern", "least", "palest"), [(TEXT, 20, DARKEST_TEXT), (RULE, 60, PALEST_RULE)]
)
def test_text_and_rules_are_dark_enough(pattern: re.Pattern[str], least: int, palest: int) -> None:
    said = [(where, grey(match[1])) for where, match in _said(pattern) if match[1] != "#fff"]
    assert len(said) > least
    assert not [where for where, light in said if light > palest]


def test_rules_are_wide_enough() -> None:
    unit = {"mm": MM_PT, "pt": 1.0}
    borders = [(where, float(match[1]) * unit[match[2]]) for where, match in _said(BORDER)]
    strokes = [(where, float(match[1]) * MM_PT) for where, match in _said(STROKE)]
    assert len(borders) > 60
    assert len(strokes) > 20
    thin = [where for where, width in borders + strokes if 0 < width < THINNEST_PT - 0.01]
    assert not thin


def copied(page: Image.Image) -> Image.Image:
    """A copy in black and white: slightly out of focus, each dot black or white."""
    blurred = page.filter(ImageFilter.GaussianBlur(BLUR))
    return blurred.point(lambda light: 255 if light >= THRESHOLD else 0)


def kept(page: Image.Image) -> float:
    """The smallest share of a straight rule of a page that two copies keep."""
    light = np.asarray(page)
    copy = np.asarray(copied(copied(page))) < THRESHOLD
    across = _shares(light < PAPER, copy)
    return min([1.0, *across, *_shares(light.T < PAPER, copy.T)])


def _shares(ink: np.ndarray, copy: np.ndarray) -> Iterator[float]:
    """Of each row of a rule of 8 mm or more the share that is black, in it or close beside it."""
    least = int(8 / 25.4 * DPI)
    for row in range(len(ink)):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], ink[row].view(np.int8), [0]))))
        for start, stop in edges.reshape(-1, 2).tolist():
            inside = ink[max(0, row - FILLED) : row + FILLED + 1, start:stop].all()
            if stop - start >= least and not inside:
                near = copy[max(0, row - BESIDE) : row + BESIDE + 1, start + 2 : stop - 2]
                yield float(near.any(axis=0).mean())


@pytest.mark.parametrize("sheet", each(7, PRINTED))
def test_rules_survive_two_copies(sheet: str) -> None:
    document = pdf(*traces(filling(sheet), "de"), SheetOptions(), "blank", sheet)
    pages = pypdfium2.PdfDocument(io.BytesIO(document))
    assert len(pages)
    for page in pages:
        assert kept(page.render(scale=DPI / 72, grayscale=True).to_pil().convert("L")) > 0.9


def test_a_pale_thin_rule_is_lost() -> None:
    page = Image.new("L", (900, 300), 255)
    for top, light, width in ((60, 0xAA, 2), (200, 0x55, 3)):
        page.paste(light, (100, top, 800, top + width))
    copy = np.asarray(copied(copied(page)))
    assert (copy[55:70] == 255).all()
    assert (copy[201, 110:790] == 0).all()
