"""The copier's file: all pupils of a class in one PDF that holds what they share once."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.render.worksheet.stamp.objects import Shared, references, renumbered, stream
from generator.render.worksheet.stamp.page import Key
from generator.render.worksheet.stamp.template import Filling, Template

ROOT, TREE, OUTLINE, INFO, FIRST_FREE = 1, 2, 3, 4, 5


class Entry(NamedTuple):
    """One pupil's leaf in the book, and what the outline calls it; without a name it is not in."""

    filling: Filling
    name: str = ""


def class_pdf(entries: Sequence[Entry], title: str) -> bytes:
    """One PDF for the copier; each entry begins on an odd page, if need be after an empty one.

    It has no tags for screen readers, which the pupils' own files keep; say so in its `title`.
    Raises `DoesNotFit` where an entry cannot be stamped: then bind rendered leaves instead.
    """
    own: dict[int, set[Key]] = {}  # by template, the gaps that are not alike in all its entries
    for filling, _ in entries:
        own.setdefault(id(filling.template), set()).update(filling.put())
    book = _Book({key: frozenset(keys) for key, keys in own.items()})
    for entry in entries:
        book.add(entry)
    return book.file(title)


class _Book:
    """Objects by number, pages and outline."""

    def __init__(self, own: dict[int, frozenset[Key]]) -> None:
        self._own = own
        self._packed: dict[int, bytes] = {}
        self._whole: dict[int, bytes] = {}
        self._next = FIRST_FREE
        self._pages: list[int] = []
        self._marks: list[tuple[str, int]] = []
        self._known: dict[int, _Known] = {}
        self._size = b""

    def add(self, entry: Entry) -> None:
        """Adds an entry's pages."""
        template, put = entry.filling.template, entry.filling.put()
        own, known = self._own[id(template)], self._known_of(template)
        if len(self._pages) % 2:
            self._page(b"/MediaBox %b" % self._size)
        if entry.name:
            self._marks.append((entry.name, self._next + 1))
        for page, resources, static in zip(
            template.pages, known.resources, known.static, strict=True
        ):
            over = self._object(stream(page.own(put, own)))
            self._size = page.size
            self._page(
                b"/MediaBox %b /Resources %d 0 R /Contents [%d 0 R %d 0 R]"
                % (page.size, resources, static, over)
            )

    def file(self, title: str) -> bytes:
        """The finished file."""
        kids = b" ".join(b"%d 0 R" % number for number in self._pages)
        outline = self._outline()
        self._packed |= {
            ROOT: b"<</Type /Catalog /Pages %d 0 R%b>>" % (TREE, outline),
            TREE: b"<</Type /Pages /Count %d /Kids [%b]>>" % (len(self._pages), kids),
            INFO: b"<</Title %b>>" % _text(title),
        }
        return Shared(self._packed, self._whole, ROOT, INFO).file({})

    def _object(self, data: bytes) -> int:
        number, self._next = self._next, self._next + 1
        (self._packed if data.endswith(b">>") else self._whole)[number] = data
        return number

    def _page(self, entries: bytes) -> None:
        self._pages.append(self._object(b"<</Type /Page /Parent %d 0 R %b>>" % (TREE, entries)))

    def _known_of(self, template: Template) -> "_Known":
        if id(template) not in self._known:
            self._known[id(template)] = self._share(template)
        return self._known[id(template)]

    def _share(self, template: Template) -> "_Known":
        shared, own = template.shared, self._own[id(template)]
        objects = {**shared.packed, **shared.whole}
        numbers: dict[int, int] = {}
        waiting = [page.resources for page in template.pages]
        while waiting:
            number = waiting.pop()
            if number not in numbers:
                numbers[number], self._next = self._next, self._next + 1
                waiting += references(objects[number].partition(b"stream\n")[0])
        for old, new in numbers.items():
            kept = self._whole if old in shared.whole else self._packed
            kept[new] = renumbered(objects[old], numbers)
        static = tuple(
            self._object(stream(b"q\n%b\nQ" % page.without(own))) for page in template.pages
        )
        resources = tuple(numbers[page.resources] for page in template.pages)
        return _Known(resources, static, template)

    def _outline(self) -> bytes:
        if not self._marks:
            return b""
        first, count = self._next, len(self._marks)
        for k, (name, page) in enumerate(self._marks):
            near = b"" if k == 0 else b" /Prev %d 0 R" % (first + k - 1)
            near += b"" if k == count - 1 else b" /Next %d 0 R" % (first + k + 1)
            self._object(
                b"<</Title %b /Parent %d 0 R /Dest [%d 0 R /Fit]%b>>"
                % (_text(name), OUTLINE, page, near)
            )
        self._packed[OUTLINE] = b"<</Type /Outlines /First %d 0 R /Last %d 0 R /Count %d>>" % (
            first,
            first + count - 1,
            count,
        )
        return b" /Outlines %d 0 R" % OUTLINE


class _Known(NamedTuple):
    """What the book holds of a template, which is kept so that its identity stays its own."""

    resources: tuple[int, ...]
    static: tuple[int, ...]
    template: Template


def _text(text: str) -> bytes:
    return b"<feff%b>" % text.encode("utf-16-be").hex().encode()
