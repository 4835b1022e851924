"""How a tab is cut into pages: between bands, a little smaller where that saves a page."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.render.workbook.layout.tabs import DIGIT, POINTS

BORDER = 5  # pixels at the sides of a column
PAGE_WIDTH, PAGE_HEIGHT = 768.0, 510.0  # points of A4 landscape inside the margins
SHRUNK = (1.0, 0.96, 0.92, 0.88, 0.85)  # of the size at which a tab is as wide as the page
SMALLEST = 0.68  # of the size on the screen: below that the small type cannot be read


class Pages(NamedTuple):
    """A tab on pages: how much smaller than page-wide, and which bands, from 0, begin a page."""

    shrunk: float
    first: tuple[int, ...]


def pages(wide: float, head: float, again: float, heights: Sequence[float]) -> Pages:
    """The fewest pages for bands of these heights, in points, on a tab of that width.

    `head` stands above the first band, `again` above each further page. Of equally few pages the
    largest type is taken. A band longer than a page is cut by the program.
    """
    whole = min(1.0, PAGE_WIDTH / wide)
    sizes = [size for size in SHRUNK if size == 1 or whole * size >= SMALLEST]
    cuts = [Pages(size, tuple(_first(PAGE_HEIGHT / (whole * size), head, again, heights)))
            for size in sizes]  # fmt: skip
    return min(cuts, key=lambda cut: (len(cut.first), -cut.shrunk))


def points_of(characters: float) -> float:
    """How wide a column of so many characters is on paper."""
    return (characters * DIGIT + BORDER) * POINTS


def _first(page: float, head: float, again: float, heights: Sequence[float]) -> Iterator[int]:
    used = head
    for k, height in enumerate(heights):
        if k and used > again and used + height > page:
            yield k
            used = again
        used += height
        while used > page:  # the rest of a band that is longer than a page
            used += again - page
