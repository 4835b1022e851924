"""PDFs for tests: type sizes, the tree of tags, bookmarks, what PDF/UA asks for."""

import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import page as page_validation
import pdfua
import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

PUNCHED, OUTER, INCH, A4_ACROSS = 18.0, 10.0, 25.4, 298


def stays_within(document: bytes, *, duplex: bool = False) -> int:
    """White beside the type area of each page, whatever its size; gives the number of pages.

    18 mm at the punched edge (on even pages the right one with `duplex`), 10 mm at the other. A
    page for a screen, wider than A4, is not punched.
    """
    pages = pypdfium2.PdfDocument(io.BytesIO(document))
    for number, page in enumerate(pages, 1):
        shot = np.asarray(page.render(scale=50 / 72).to_pil().convert("L"))
        ink = shot < 250
        ink = ink[:, ::-1] if duplex and number % 2 == 0 else ink
        dots = 50 / INCH
        edge = OUTER if page.get_width() / 72 * INCH > A4_ACROSS else PUNCHED
        assert not ink[:, : round(edge * dots)].any(), f"page {number}: at the punched edge"
        assert not ink[:, -round(OUTER * dots) :].any(), f"page {number}: off the page"
    return len(pages)


class Tag(NamedTuple):
    """One structure element: its kind, its dictionary, the kinds above it."""

    kind: str
    element: pikepdf.Object
    above: tuple[str, ...]


def tags(document: pikepdf.Pdf) -> list[Tag]:
    """All structure elements of a PDF in reading order."""
    return list(below(document.Root.StructTreeRoot))


def below(element: pikepdf.Object, above: tuple[str, ...] = ()) -> Iterator[Tag]:
    """The structure elements below one, in reading order."""
    kids = element.get("/K", [])
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            kind = str(kid.S).removeprefix("/")
            yield Tag(kind, kid, above)
            yield from below(kid, (*above, kind))


def bookmarks(document: bytes) -> list[tuple[int, str]]:
    """The bookmarks of a PDF with their depth, in order."""
    with pikepdf.open(io.BytesIO(document)) as opened, opened.open_outline() as outline:
        return list(_titles(outline.root, 0))


def _titles(items: list[pikepdf.OutlineItem], depth: int) -> Iterator[tuple[int, str]]:
    for item in items:
        yield depth, item.title
        yield from _titles(item.children, depth + 1)


def type_sizes(document: bytes) -> set[float]:
    """The sizes of all drawn characters in points; white space that PDFium adds is left out."""
    found = set()
    for page in pypdfium2.PdfDocument(io.BytesIO(document)):
        text = page.get_textpage()
        for place in range(text.count_chars()):
            if pdfium.FPDFText_IsGenerated(text, place):
                continue
            matrix = pdfium.FS_MATRIX()
            pdfium.FPDFText_GetMatrix(text, place, matrix)
            size = pdfium.FPDFText_GetFontSize(text, place) * math.hypot(matrix.b, matrix.d)
            found.add(round(size, 1))
    return found


def conforms(document: bytes, folder: Path) -> None:
    """Neither checker of PDF/UA-1 finds anything."""
    report = page_validation.validate_pdf_bytes(document, profile="ua1")
    assert report.rules.total > 100
    assert report.is_compliant, [f"{one.rule_id}: {one.message}" for one in report.failures]
    file = folder / "sheet.pdf"
    file.write_bytes(document)
    assert not [str(found) for found in pdfua.validate(str(file)).findings]
