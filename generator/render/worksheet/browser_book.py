"""Leaves of many as one file without Pango: HTML, or what a browser prints of it.

A browser cannot leave a page empty so that a leaf begins on the front of a sheet. So the file is
printed twice where that is wished: how many pages each leaf has stands in its bookmarks.
"""

import io
from collections.abc import Sequence
from typing import Any

from generator.errors import UserError
from generator.render.worksheet.browser import to_pdf
from generator.render.worksheet.edition import Page, joined
from generator.render.worksheet.pdf_libraries import pikepdf

EMPTY = (
    "<!DOCTYPE html><html><head></head><body>"
    '<section class="leaf"><p>\N{NO-BREAK SPACE}</p></section></body></html>'
)


def book(pages: Sequence[Page], titles: Sequence[str], title: str, *, odd: bool) -> bytes:
    """The pages as one tagged PDF, its outline these titles; with `odd` each begins on a front."""
    printed = to_pdf(joined(pages, title).encode(), title)
    lengths = _lengths(printed, pages, title)
    if odd and any(length % 2 for length in lengths[:-1]):
        filled: list[Page] = []
        for page, length in zip(pages, [*lengths[:-1], 0], strict=True):
            filled += [page, page._replace(html=EMPTY, anchor="")] if length % 2 else [page]
        printed = to_pdf(joined(filled, title).encode(), title)
    return _entitled(printed, _firsts(printed, pages, title), titles)


def _firsts(pdf: bytes, pages: Sequence[Page], what: str) -> list[int]:
    """The place, from 0, of each document's first page: that of its first heading."""
    with pikepdf.open(io.BytesIO(pdf)) as opened, opened.open_outline() as outline:
        places = {page.obj.objgen: k for k, page in enumerate(opened.pages)}
        targets: list[Any] = [item.destination for item in outline.root]
        first_pages = [places[target[0].objgen] for target in targets]
    counts = [page.html.count("<h1") for page in pages]
    if len(first_pages) != sum(counts):
        raise UserError(
            f"{what}: the browser names {len(first_pages)} leaves, expected {sum(counts)}"
        )
    return [first_pages[sum(counts[:k])] for k in range(len(counts))]


def _lengths(pdf: bytes, pages: Sequence[Page], what: str) -> list[int]:
    firsts = _firsts(pdf, pages, what)
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        ends = [*firsts[1:], len(opened.pages)]
    return [end - first for first, end in zip(firsts, ends, strict=True)]


def _entitled(pdf: bytes, places: Sequence[int], titles: Sequence[str]) -> bytes:
    """The PDF with an outline of these titles, in place of the headings."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        with opened.open_outline() as outline:
            outline.root[:] = [
                pikepdf.OutlineItem(title, place)
                for title, place in zip(titles, places, strict=True)
                if title
            ]
        out = io.BytesIO()
        opened.save(out, deterministic_id=True)
        return out.getvalue()
