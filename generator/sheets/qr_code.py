"""A pupil's code as a QR code, drawn as outlines."""

from functools import lru_cache

import segno
from markupsafe import Markup

ERROR = "m"  # a sixth of the squares may be spoilt by the copier
QUIET = 2  # white squares around it


def qr_code(text: str) -> Markup:
    """The text as a QR code in SVG; it says nothing to a screen reader but what it is."""
    dark, size = squares(text)
    path = "".join(f"M{x} {y}h1v1h-1z" for x, y in dark)
    return Markup(
        '<svg class="qr" viewBox="0 0 {0} {0}"><title>QR</title><path d="{1}"/></svg>'
    ).format(size, path)


@lru_cache(maxsize=256)
def squares(text: str) -> tuple[tuple[tuple[int, int], ...], int]:
    """The dark squares of a QR code, row by row, and how many squares wide it is."""
    matrix = segno.make(text, error=ERROR, boost_error=False, micro=False).matrix
    dark = tuple(
        (x + QUIET, y + QUIET)
        for y, row in enumerate(matrix)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    return dark, len(matrix) + 2 * QUIET
