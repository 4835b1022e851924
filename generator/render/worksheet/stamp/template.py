"""A sheet laid out once for all pupils whose pages differ in texts only, and stamped for each.

Also here:

* PDF files from ready objects: those that all pupils share are packed once.
* The structure for screen readers of a PDF that is about to be written.
"""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from generator.render.worksheet.stamp.difference import DoesNotFit, Said, StampTree
from generator.render.worksheet.stamp.laid_out import BAR, SQUARE, LaidOut, Put, TextBlock, pages_of
from generator.render.worksheet.stamp.wordings import SIMPLE, Wordings
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.series import SERIES

LETTERS = "abcdefghijklmnopqrstuvwxyzäöüÄÖÜßéèáàâêîôûçñ„“‚‘”’'\"!?;·×÷=≈+-/ fi fl ff ft tt tf ✓"
SIGNS = "₀₁₂₃₄₅₆₇₈₉√Σ→²"
_FACES = ((400, "normal"), (600, "normal"), (700, "normal"), (400, "italic"))
_CORNERS = ("top-left-corner", "top-left", "top-center", "top-right")


def primer() -> str:
    """A rule that sets every common character once in each face, so that the fonts hold them.

    What it sets is never drawn: `laid_out.PRIMER_COLOUR` tells it apart.
    """
    text = f"{SIMPLE} {LETTERS} {SIGNS}".replace('"', '\\"')
    boxes = (
        f'@{corner} {{ content: "{text}"; font: {slant} {weight} 1px "Source Sans 3"; '
        "color: #010203; white-space: nowrap; }"
        for corner, (weight, slant) in zip(_CORNERS, _FACES, strict=True)
    )
    return f"@page :first {{ {' '.join(boxes)} }}"


class Template:
    """A laid out work leaf, blank or solution, for all pupils whose pages have the same tags.

    `own` is the sheet that it was laid out from: which one, asking what, with which options.
    `blocks` are those that can be put anew, by the places of their texts. `silent` says, by block,
    which object changes how where a block says nothing.
    """

    def __init__(self, own: PrintedSheet, variant: str) -> None:
        """Lay out a sheet with the options of the pupils; only code, name and number may differ.

        What it asks may be chosen; the sheet's own steps stay those of its computation. Raises
        `DoesNotFit` where the sheet cannot be stamped, and what `PrintedSheet.file` raises.
        """
        if own.options.part != "work" or own.options.teacher:
            raise DoesNotFit("only work leaves without the teacher's page are stamped")
        usual = replace(own, chosen=None).plan
        self.own = replace(own, chosen=replace(own.chosen or usual, extra=usual.extra))
        self.blank = variant == "blank"
        self.page = StampTree.of(self.own.page(blank=self.blank), answered=not self.blank)
        seen, css, html = LaidOut(), SERIES[own.sheet].css, self.page.numbered()
        document = self.own.document(html, css, f"sheet {own.sheet}")
        replace(document, css=(*document.css, primer()), watch=seen.look).to_pdf()
        self.blocks, self.bars = seen.movable(self.page), seen.bars
        different = {one.number: one for one in self.blocks.values()}.values()
        self.pages = seen.pages(different, self.page.dark)
        self.shared = SharedObjects(seen.pdf, frozenset(seen.contents))
        self.silent = silent(seen.pdf, different)
        self.wordings = Wordings(self.page, seen.fonts, document)

    def stamp(self, own: PrintedSheet) -> bytes:
        """A pupil's PDF, tagged; `DoesNotFit` where the page differs in more than its texts."""
        return self.filling(own).file()

    def filling(self, own: PrintedSheet) -> "Filling":
        """What is put into the template for a pupil; `DoesNotFit` as `stamp`."""
        sheet = replace(own, chosen=own.plan, formulas=self.own.formulas)
        page = StampTree.of(sheet.page(blank=self.blank))
        changed: dict[int, TextBlock] = {}
        for k in self.page.changed(page):
            if k not in self.blocks:
                raise DoesNotFit(f"{page.texts[k]!r} does not stand in a block of its own")
            changed[self.blocks[k].number] = self.blocks[k]
        texts = [(block, block.said(page)) for block in changed.values()]
        for block, said in texts:
            if said != ("",):
                self.wordings.expect(block, said)
            elif block.number not in self.silent:
                raise DoesNotFit(f"block {block.number} says nothing")
        beside = {(n, b.page, BAR): b.drawn(page.bars[n]) for n, b in self.bars.items()}
        if page.dark:
            code = b"\n".join(b"%d %d 1 1 re" % place for place in page.dark) + b"\nf"
            beside |= {(-1, number, SQUARE): code for number in range(len(self.pages))}
        return Filling(self, texts, beside)


class Filling(NamedTuple):
    """What the blocks of a pupil's page say that say something else; bars and QR code as drawn.

    Wordings that are new are set when the first filling of a template is put in: those of all
    fillings that were made until then at once, which is quicker than one after the other.
    """

    template: Template
    texts: list[tuple[TextBlock, Said]]
    beside: Put

    def file(self) -> bytes:
        """The pupil's PDF; `DoesNotFit` for a text without room."""
        put, here = dict(self.beside), self.template
        here.wordings.set_expected()
        for block, said in self.texts:
            put |= here.wordings.drawn(block, said)
        own = {one.contents: stream(one.filled(put)) for one in here.pages}
        own |= dict(here.silent[block.number] for block, said in self.texts if said == ("",))
        return here.shared.file(own)


def stamped_or_rendered(template: Template | None, own: PrintedSheet, variant: str) -> bytes:
    """A pupil's PDF: stamped where it fits the template, else rendered in full."""
    if template is not None:
        with suppress(DoesNotFit):
            return template.stamp(own)
    return own.file(variant=variant)


HEADER = b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n"
ENTRY = 7  # bytes of a cross-reference: kind, place, place in an object stream
LEVEL = 1  # of compression: a class's files are many, and quickly made


class SharedObjects:
    """The objects that all pupils share, packed once: the beginning of everybody's file."""

    def __init__(self, pdf: Any, leave_out: frozenset[int]) -> None:
        """Pack the finished objects of a PDF, without those that differ from pupil to pupil."""
        if pdf.info and pdf.info.number is None:
            pdf.add_object(pdf.info)
        kept = [one for one in pdf.objects if one.free != "f" and one.number not in leave_out]
        packed = {one.number: one.data for one in kept if one.compressible}
        whole = {one.number: one.data for one in kept if not one.compressible}
        # The first number that is free is that of the object stream.
        self.size = max((*packed, *whole, *leave_out)) + 1
        self.roots = pdf.catalog.number, pdf.info.number
        out, entries = bytearray(HEADER), {0: bytes(ENTRY)}
        for number, data in (*whole.items(), (self.size, object_stream(packed))):
            entries[number] = _at(len(out))
            out += indirect(number, data)
        for k, number in enumerate(packed):
            entries[number] = b"\x02" + self.size.to_bytes(4, "big") + k.to_bytes(2, "big")
        self.table = b"".join(entries.get(k, bytes(ENTRY)) for k in range(self.size + 1))
        self.head, self.digest = bytes(out), _digest(out)

    def file(self, own: Mapping[int, bytes]) -> bytes:
        """A file with these further objects; they come in place of shared ones of their number."""
        out, table, end = bytearray(self.head), bytearray(self.table), self.size + 1
        for number, data in (*own.items(), (end, b"")):
            table[ENTRY * number : ENTRY * (number + 1)] = _at(len(out))
            out += indirect(number, data) if data else b""
        ids = self.digest, _digest(b"".join(own.values()))
        trailer = b"/Type /XRef /W [1 4 2] /Size %d /Root %d 0 R /Info %d 0 R /ID [<%s> <%s>]"
        start = len(out)
        out += indirect(end, stream(bytes(table), trailer % (end + 1, *self.roots, *ids)))
        out += b"startxref\n%d\n%%%%EOF\n" % start
        return bytes(out)


def _at(offset: int) -> bytes:
    return b"\x01" + offset.to_bytes(4, "big") + b"\0\0"


def _digest(data: bytes | bytearray) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).hexdigest().encode()


def indirect(number: int, data: bytes) -> bytes:
    """An object as it stands in a file."""
    return b"%d 0 obj\n%b\nendobj\n" % (number, data)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream object."""
    short = zlib.compress(data, LEVEL)
    head = b"<</Filter /FlateDecode /Length %d %b>>" % (len(short), entries)
    return b"%b\nstream\n%b\nendstream" % (head, short)


def object_stream(packed: Mapping[int, bytes]) -> bytes:
    """Objects packed into one."""
    places, position = [], 0
    for number, data in packed.items():
        places += [number, position]
        position += len(data) + 1
    first = " ".join(map(str, places)).encode() + b"\n"
    entries = b"/Type /ObjStm /N %d /First %d" % (len(packed), len(first))
    return stream(first + b"\n".join(packed.values()) + b"\n", entries)


def silent(pdf: Any, blocks: Iterable[TextBlock]) -> dict[int, tuple[int, bytes]]:
    """For each block how a screen reader passes over it: an object's number and its bytes then."""
    at = {page.reference: k for k, page in enumerate(pages_of(pdf))}
    elements: list[Any] = [one for one in pdf.objects if isinstance(one, dict) and "Pg" in one]
    leaves = {
        (at[one["Pg"]], kid): one
        for one in elements
        for kid in one.get("K", ())
        if isinstance(kid, int)
    }
    objects = {}
    for block in blocks:
        leaf = leaves.get((block.page, block.spots[0].mcid)) if len(block.spots) == 1 else None
        if leaf is not None:
            parent = pdf.objects[int(leaf["P"].split()[0])]
            kids = type(parent["K"])(kid for kid in parent["K"] if kid != leaf.reference)
            objects[block.number] = parent.number, type(parent)(parent | {"K": kids}).data
    return objects
