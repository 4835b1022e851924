"""A page laid out in five times its size, and the PDF of it made small again.

A browser sets lines, borders and the rows of tables at whole pixels, a quarter of a millimetre
each; on a page that adds up to one or two millimetres, and a table that just fits on paper no
longer does, or the other way round. Pixels that are a fifth as large leave nothing to be seen, and
each of our borders, multiples of 0.15 pt, is a whole number of them wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from generator.render.worksheet.pdf_libraries import pikepdf

FINE = 5
A4 = (210.0, 297.0)  # mm
STYLE, END = "<style>", "</style>"
_SIZE = re.compile(r"(?<=[{;\n])(\s*size: )(A4 landscape|A4|[\d.]+mm [\d.]+mm);")
_BOXES = ("/MediaBox", "/CropBox", "/TrimBox", "/BleedBox", "/ArtBox")
_PLACES = ("/Rect", "/QuadPoints")  # of a link


def enlarged(page: str) -> str:
    """An HTML file that stands alone, everything in it `FINE` times as large, its paper too."""
    before, begin, behind = page.partition(STYLE)
    css, end, body = behind.partition(END)
    css = _SIZE.sub(lambda match: f"{match[1]}{_paper(match[2])};", css)
    return f"{before}{begin}{css}\nhtml {{ zoom: {FINE}; }}\n{end}{body}"


def _paper(size: str) -> str:
    sides = [float(side) for side in re.findall(r"([\d.]+)mm", size)] or A4
    wide, high = reversed(sides) if size.endswith("landscape") else sides
    return f"{FINE * wide:g}mm {FINE * high:g}mm"


def reduced(book: pikepdf.Pdf) -> None:
    """Make the pages of such a file as large as they are meant, with their links and bookmarks."""
    for page in book.pages:
        page.contents_add(b"%g 0 0 %g 0 0 cm" % (1 / FINE, 1 / FINE), prepend=True)
        page.contents_coalesce()  # one text of a page, as those expect who write on it
        _shrink(page.obj, _BOXES)
        for link in page.obj.get("/Annots", ()):
            _shrink(link, _PLACES)
    for one in book.objects:
        _shrink_goals(one)


def _shrink_goals(one: Any) -> None:
    """Shrink the goals of links and bookmarks in an object, and in what lies directly in it."""
    if isinstance(one, pikepdf.Array) and len(one) == 5 and one[1] == pikepdf.Name.XYZ:
        one[2], one[3] = _small([one[2], one[3]])
    elif isinstance(one, pikepdf.Dictionary):
        for held in one.values():
            if isinstance(held, (pikepdf.Array, pikepdf.Dictionary)) and not held.is_indirect:
                _shrink_goals(held)


def _shrink(one: Any, names: Iterable[str]) -> None:
    for name in names:
        if name in one:
            one[name] = pikepdf.Array(_small(one[name]))


def _small(numbers: Iterable[Any]) -> list[float]:
    return [round(float(number) / FINE, 3) for number in numbers]
