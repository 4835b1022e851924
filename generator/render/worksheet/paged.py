"""A bound file whose pages say which page of it they are, so that a printed stack has them too."""

from __future__ import annotations

import io
from collections.abc import Iterable

from generator.render.worksheet.pdf_libraries import pikepdf

LINK = "page:"  # how links to pages of the file begin


def paged(book: bytes, marks: Iterable[bytes]) -> bytes:
    """The book with the pages of `marks` over its own, one after the other, and links that lead.

    A page with nothing on it, which only fills up a sheet of paper, stays so.
    """
    with pikepdf.open(io.BytesIO(book)) as opened:
        number = 0
        for some in marks:
            with pikepdf.open(io.BytesIO(some)) as lines:
                for line in lines.pages:
                    _mark(opened, opened.pages[number], line, number + 1)
                    number += 1
        if number != len(opened.pages):
            raise ValueError(f"expected {len(opened.pages)} marks, found {number}")
        _link(opened)
        out = io.BytesIO()
        opened.save(out, deterministic_id=True)
        return out.getvalue()


def _mark(book: pikepdf.Pdf, page: pikepdf.Page, line: pikepdf.Page, number: int) -> None:
    if "/Contents" not in page or not page.Contents.read_bytes().strip():
        return
    drawn = book.copy_foreign(line.as_form_xobject())
    # Without a name of ours it would have a random one.
    page.add_resource(drawn, pikepdf.Name.XObject, pikepdf.Name(f"/Mark{number}"))
    page.contents_add(b"q\n", prepend=True)
    page.contents_add(f"\nQ\n/Mark{number} Do\n".encode())


def _link(book: pikepdf.Pdf) -> None:
    """Lead links such as "page:7" to that page."""
    for page in book.pages:
        for note in page.obj.get("/Annots", ()):
            address = str(note.A.URI) if "/A" in note and "/URI" in note.A else ""
            if address.startswith(LINK):
                place = int(address.removeprefix(LINK)) - 1
                top = float(book.pages[place].mediabox[3])
                note.Dest = pikepdf.make_page_destination(book, place, "XYZ", left=0, top=top)
                del note.A
