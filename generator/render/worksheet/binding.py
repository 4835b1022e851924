"""One PDF out of written ones: their pages with running numbers, tags, links and bookmarks.

A sheet is laid out once; its booklet takes the finished pages over. Only the page number is set
anew, on a page of its own that is laid over the sheet's.

Also here:

* A bound file whose pages say which page of it they are, so that a printed stack has them too.
* Finished leaves bound into one file for the copier: each pupil begins on an odd page.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from generator.render.worksheet.pdf_libraries import pikepdf

LINK = "sheet:"  # how the front's links to the parts begin
NUMBERED = b"\n0.235294 0.278431 0.32549 rg\n"  # the colour of .furniture .right and of no other
_SHOWN = re.compile(rb"\[[^\]]*\] TJ")
_COLOUR = re.compile(rb"\n[\d.]+ [\d.]+ [\d.]+ rg\n")
_OVER = b"\nQ\n/Artifact\nBMC\n/%s Do\nEMC\n"


class BoundPart(NamedTuple):
    """One PDF to bind in: the name that the front's link has, its bookmark, its bytes."""

    name: str
    title: str
    pdf: bytes


def page_count(pdf: bytes) -> int:
    """How many pages a PDF has."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        return len(opened.pages)


def starts(first: int, parts: Sequence[BoundPart], *, odd: bool) -> list[int]:
    """The page on which each part begins, and the page after the last one.

    `first` is the page after the front; `odd` lets every part begin on an odd page, which adds no
    empty page behind the last one: pupils count the pages that there are.
    """
    first_pages, after = list[int](), first
    for part in parts:
        first_pages.append(after + (odd and after % 2 == 0))
        after = first_pages[-1] + page_count(part.pdf)
    return [*first_pages, after]


def bound(front: bytes, parts: Sequence[BoundPart], numbers: bytes, *, odd: bool = False) -> bytes:
    """The front's pages, then those of the parts, as one tagged PDF.

    `numbers` has the line with the page number for each page of the result, on a page of that
    place. Raises `ValueError` for a page whose own number cannot be told from its other text.
    """
    with pikepdf.open(io.BytesIO(front)) as book, pikepdf.open(io.BytesIO(numbers)) as lines:
        with book.open_outline() as outline:
            places = starts(len(book.pages) + 1, parts, odd=odd)
            for part, place in zip(parts, places[:-1], strict=True):
                fill_up(book, place - 1)
                with pikepdf.open(io.BytesIO(part.pdf)) as source:
                    outline.root.append(_bound_in(book, source, part, lines))
        known = dict(zip((part.name for part in parts), places, strict=False))
        _lead_links(book, LINK, known.__getitem__)
        return saved(book, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def joined(pdfs: Sequence[bytes]) -> bytes:
    """Tagged PDFs as one: the pages of the first, then those of each other one as an article."""
    first, *others = pdfs
    if not others:
        return first
    with pikepdf.open(io.BytesIO(first)) as book:
        for number, pdf in enumerate(others, start=2):
            with pikepdf.open(io.BytesIO(pdf)) as source:
                _take_tags(book, source, _take_pages(book, source), f"part{number}")
        return saved(book, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def saved(book: pikepdf.Pdf, **how: Any) -> bytes:
    """The bytes of a file, the same at any time; `how` as pikepdf calls it."""
    written = io.BytesIO()
    book.save(written, deterministic_id=True, **how)
    return written.getvalue()


def fill_up(book: pikepdf.Pdf, count: int) -> None:
    """Append empty pages, as large as the last one, until there are so many."""
    while len(book.pages) < count:
        _, _, width, height = map(float, book.pages[-1].mediabox.as_list())
        book.add_blank_page(page_size=(width, height))


def _bound_in(
    book: pikepdf.Pdf, source: pikepdf.Pdf, part: BoundPart, lines: pikepdf.Pdf
) -> pikepdf.OutlineItem:
    """Take a part's pages and tags over; gives its bookmark with its own ones below."""
    start, pages = len(book.pages), _take_pages(book, source)
    for k, page in enumerate(pages, start):
        _number(book, page, lines.pages[k], f"Line{k}")
    _take_tags(book, source, pages, part.name)
    with source.open_outline() as outline:
        below = [_moved(item, source, start) for item in outline.root]
    item = pikepdf.OutlineItem(
        part.title, start, "XYZ", left=0, top=float(pages[0].mediabox[3]), zoom=0
    )
    item.children.extend(below)
    return item


def _number(book: pikepdf.Pdf, page: pikepdf.Page, line: pikepdf.Page, name: str) -> None:
    """Replace the end of the page's last line; an empty page has no such line and no number."""
    content = page.Contents.read_bytes()
    before, mark, after = content.partition(NUMBERED)
    if not _SHOWN.search(content):
        return
    if not mark or NUMBERED in after:
        raise ValueError(f"expected 1 place for the page number, found {content.count(NUMBERED)}")
    _add_drawing(book, page, line, name)
    coloured = _COLOUR.search(after)  # what is drawn later, as a pupil's code is, stays
    end = coloured.start() if coloured else len(after)
    own = before + mark + _SHOWN.sub(b"[] TJ", after[:end]) + after[end:]
    page.Contents = book.make_stream(b"q\n" + own + _OVER % name.encode())


def _add_drawing(book: pikepdf.Pdf, page: pikepdf.Page, line: pikepdf.Page, name: str) -> None:
    drawn = book.copy_foreign(line.as_form_xobject())
    # Without a name of ours it would have a random one.
    page.add_resource(drawn, pikepdf.Name.XObject, pikepdf.Name(f"/{name}"))


def _take_pages(book: pikepdf.Pdf, source: pikepdf.Pdf) -> list[pikepdf.Page]:
    start = len(book.pages)
    book.pages.extend(source.pages)
    return [book.pages[k] for k in range(start, len(book.pages))]


def _take_tags(
    book: pikepdf.Pdf, source: pikepdf.Pdf, pages: Sequence[pikepdf.Page], name: str
) -> None:
    """Append the part's structure tree to the book's, as one article."""
    tree, root = source.Root.StructTreeRoot, book.Root.StructTreeRoot
    above = root.K[0]
    article = book.copy_foreign(tree.K[0])  # after the pages, else references to them are lost
    article.S, article.P, article.Pg = pikepdf.Name.Art, above, pages[0].obj
    above.K.append(article)
    for element in _below(article):
        _rename(element, name)
    numbers: Any = root.ParentTree.Nums
    offset = int(numbers[-2]) + 1
    flat: list[Any] = list(tree.ParentTree.Nums)
    for key, owners in zip(flat[::2], flat[1::2], strict=True):
        several = isinstance(owners, pikepdf.Array)
        copies = [book.copy_foreign(owner) for owner in (owners if several else [owners])]
        numbers.extend([int(key) + offset, pikepdf.Array(copies) if several else copies[0]])
    for page in pages:
        page.obj.StructParents = int(page.obj.StructParents) + offset
        for note in page.obj.get("/Annots", ()):
            note.StructParent = int(note.StructParent) + offset


def _below(element: Any) -> Iterator[Any]:
    for kid in element.K:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from _below(kid)


def _rename(element: Any, name: str) -> None:
    """Make the names of header cells, which count from 1 in each part, the part's own."""
    if "/ID" in element:
        element.ID = f"{name}-{element.ID}"
    if "/A" in element and "/Headers" in element.A:
        element.A.Headers = pikepdf.Array(
            pikepdf.String(f"{name}-{header}") for header in element.A.Headers
        )


def _moved(item: pikepdf.OutlineItem, source: pikepdf.Pdf, by: int) -> pikepdf.OutlineItem:
    """A bookmark with those below it, so many pages further on."""
    destination: Any = item.destination  # as WeasyPrint writes it: page, /XYZ, left, top, zoom
    page, _, left, top, _ = destination
    place = source.pages.index(pikepdf.Page(page)) + by
    moved = pikepdf.OutlineItem(item.title, place, "XYZ", left=float(left), top=float(top), zoom=0)
    moved.children.extend(_moved(child, source, by) for child in item.children)
    return moved


PAGE_LINK = "page:"  # how links to pages of the file begin


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
        _lead_links(opened, PAGE_LINK, int)
        return saved(opened)


def _mark(book: pikepdf.Pdf, page: pikepdf.Page, line: pikepdf.Page, number: int) -> None:
    if "/Contents" not in page or not page.Contents.read_bytes().strip():
        return
    _add_drawing(book, page, line, f"Mark{number}")
    page.contents_add(b"q\n", prepend=True)
    page.contents_add(f"\nQ\n/Mark{number} Do\n".encode())


def _lead_links(book: pikepdf.Pdf, begin: str, place_of: Callable[[str], int]) -> None:
    """Lead links that begin so to the pages, counted from 1, that the rest of them names."""
    for page in book.pages:
        for note in page.obj.get("/Annots", ()):
            address = str(note.A.URI) if "/A" in note and "/URI" in note.A else ""
            if address.startswith(begin):
                place = place_of(address.removeprefix(begin)) - 1
                top = float(book.pages[place].mediabox[3])
                note.Dest = pikepdf.make_page_destination(book, place, "XYZ", left=0, top=top)
                del note.A


class CopierLeaf(NamedTuple):
    """One pupil's pages: what the outline calls them if it does, the PDF, and from what it is made.

    Leaves made from the same have the same fonts and pictures, which the book then holds once.
    Those that are `alike` have all in common: the book holds one of them and shows it often.
    """

    title: str
    pdf: bytes
    made_from: Hashable = None
    alike: bool = False


def bound_for_copier(leaves: Iterable[CopierLeaf], title: str) -> bytes:
    """One PDF with an outline; an empty page stands where a leaf would begin on an even one.

    The tags of the leaves are lost: the file is for a copier, and its title says so.
    """
    known: dict[tuple[Hashable, int], pikepdf.Page] = {}
    with pikepdf.new() as book:
        with book.open_outline() as outline:
            for leaf in leaves:
                _to_odd(book)
                if leaf.title:
                    outline.root.append(pikepdf.OutlineItem(leaf.title, len(book.pages)))
                with pikepdf.open(io.BytesIO(leaf.pdf)) as opened:
                    for key, page in enumerate(opened.pages):
                        kind = leaf.made_from, key
                        if kind in known:
                            book.pages.append(_again(book, page, known[kind], leaf.alike))
                            continue
                        _untag(page)
                        book.pages.append(page)
                        if leaf.made_from is not None:
                            known[kind] = book.pages[-1]
        book.docinfo["/Title"] = title
        return saved(book)


def starts_of_book(book: bytes) -> list[int]:
    """The pages, from 1, on which the entries of a book's outline begin."""
    with pikepdf.open(io.BytesIO(book)) as opened, opened.open_outline() as outline:
        places = {page.obj.objgen: k for k, page in enumerate(opened.pages, start=1)}
        targets: list[Any] = [item.destination for item in outline.root]
        return [places[target[0].objgen] for target in targets]


def fronted(front: bytes, book: bytes) -> bytes:
    """The book behind the pages of another PDF; it begins on an odd page."""
    with pikepdf.open(io.BytesIO(book)) as opened, pikepdf.open(io.BytesIO(front)) as first:
        _to_odd(first)
        for place, page in enumerate(first.pages):
            _untag(page)
            opened.pages.insert(place, page)
        return saved(opened)


def _again(book: pikepdf.Pdf, page: pikepdf.Page, first: pikepdf.Page, alike: bool) -> pikepdf.Page:
    """A page with the fonts and pictures of the first of its kind; with its text if all alike."""
    text = first.obj.Contents
    if not alike:  # taken over as it is, it would keep the whole of its PDF in memory
        packed = zlib.compress(page.obj.Contents.read_bytes())
        text = book.make_stream(packed, Filter=pikepdf.Name.FlateDecode)
    copy = pikepdf.Dictionary(
        Type=pikepdf.Name.Page,
        # The page is another PDF's: its array may not stand in this one, its numbers may.
        MediaBox=pikepdf.Array(page.mediabox.as_list()),
        Contents=text,
        Resources=first.obj.Resources,
    )
    return pikepdf.Page(book.make_indirect(copy))


def _untag(page: pikepdf.Page) -> None:
    if "/StructParents" in page:
        del page["/StructParents"]


def _to_odd(book: pikepdf.Pdf) -> None:
    count = len(book.pages)
    fill_up(book, count + count % 2)
