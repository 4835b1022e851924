"""Finished leaves bound into one file for the copier: each pupil begins on an odd page."""

from __future__ import annotations

import io
import zlib
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple, TypeAlias

from generator.render.worksheet.binding import fill_up
from generator.render.worksheet.pdf_libraries import pikepdf

Known: TypeAlias = "dict[tuple[Hashable, int], pikepdf.Page]"


class Leaf(NamedTuple):
    """One pupil's pages: what the outline calls them if it does, the PDF, and from what it is made.

    Leaves made from the same have the same fonts and pictures, which the book then holds once.
    Those that are `alike` have all in common: the book holds one of them and shows it often.
    """

    title: str
    pdf: bytes
    made_from: Hashable = None
    alike: bool = False


def bound(leaves: Iterable[Leaf], title: str) -> bytes:
    """One PDF with an outline; an empty page stands where a leaf would begin on an even one.

    The tags of the leaves are lost: the file is for a copier, and its title says so.
    """
    known: Known = {}
    with pikepdf.new() as book:
        with book.open_outline() as outline:
            for leaf in leaves:
                _to_odd(book)
                if leaf.title:
                    outline.root.append(pikepdf.OutlineItem(leaf.title, len(book.pages)))
                _append(book, leaf, known)
        book.docinfo["/Title"] = title
        return _saved(book)


def starts(book: bytes) -> list[int]:
    """The pages, from 1, on which the entries of a book's outline begin."""
    with pikepdf.open(io.BytesIO(book)) as opened, opened.open_outline() as outline:
        places = {page.obj.objgen: k for k, page in enumerate(opened.pages, start=1)}
        return [places[_page_of(item).objgen] for item in outline.root]


def fronted(front: bytes, book: bytes) -> bytes:
    """The book behind the pages of another PDF; it begins on an odd page."""
    with pikepdf.open(io.BytesIO(book)) as opened, pikepdf.open(io.BytesIO(front)) as first:
        _to_odd(first)
        for place, page in enumerate(first.pages):
            _untag(page)
            opened.pages.insert(place, page)
        return _saved(opened)


def _page_of(item: pikepdf.OutlineItem) -> pikepdf.Object:
    target: Any = item.destination
    page: pikepdf.Object = target[0]
    return page


def _saved(book: pikepdf.Pdf) -> bytes:
    out = io.BytesIO()
    book.save(out, deterministic_id=True)
    return out.getvalue()


def _append(book: pikepdf.Pdf, leaf: Leaf, known: Known) -> None:
    with pikepdf.open(io.BytesIO(leaf.pdf)) as opened:
        for number, page in enumerate(opened.pages):
            key = leaf.made_from, number
            if key in known:
                book.pages.append(_again(book, page, known[key], leaf.alike))
                continue
            _untag(page)
            book.pages.append(page)
            if leaf.made_from is not None:
                known[key] = book.pages[-1]


def _again(book: pikepdf.Pdf, page: pikepdf.Page, first: pikepdf.Page, alike: bool) -> pikepdf.Page:
    """A page with the fonts and pictures of the first of its kind; with its text if all alike."""
    copy = pikepdf.Dictionary(
        Type=pikepdf.Name.Page,
        MediaBox=page.mediabox,
        Contents=first.obj.Contents if alike else _packed(book, page),
        Resources=first.obj.Resources,
    )
    return pikepdf.Page(book.make_indirect(copy))


def _packed(book: pikepdf.Pdf, page: pikepdf.Page) -> pikepdf.Stream:
    """A page's text, packed anew: taken over, it would keep the whole of its PDF in memory."""
    packed = zlib.compress(page.obj.Contents.read_bytes())
    return book.make_stream(packed, Filter=pikepdf.Name.FlateDecode)


def _untag(page: pikepdf.Page) -> None:
    if "/StructParents" in page:
        del page["/StructParents"]


def _to_odd(book: pikepdf.Pdf) -> None:
    count = len(book.pages)
    fill_up(book, count + count % 2)
