"""A sheet laid out once for all pupils whose pages differ in texts only, and stamped for each.

Also here:

* PDF files from ready objects: those that all pupils share are packed once.
* The structure for screen readers of a PDF that is about to be written.
"""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from generator.engine.trace import Trace
from generator.render.worksheet.pdf import PdfDocument
from generator.render.worksheet.stamp.difference import DoesNotFit, Said, StampTree
from generator.render.worksheet.stamp.laid_out import (
    BAR,
    SQUARE,
    Bar,
    LaidOut,
    Put,
    StampPage,
    TextBlock,
    pages_of,
    square_drawn,
)
from generator.render.worksheet.stamp.wordings import SIMPLE, Wordings
from generator.render.worksheet.worksheet import PrintedSheet, css_of, planned, render, zoom_of
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan
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


class StampedSeat(NamedTuple):
    """One pupil's computation, as on paper and without rounding; code, name, number in the list."""

    trace: Trace
    exact: Trace
    code: str = ""
    name: str = ""
    number: int = 0

    def options(self, of_all: SheetOptions) -> SheetOptions:
        """The choices for the pupil's pages."""
        return replace(of_all, code=self.code, pupil=self.name, number=self.number)


@dataclass(frozen=True)
class Template:
    """A laid out work leaf, blank or solution; make it with `Template.lay_out`.

    `own` is the sheet that it was laid out from: which one, asking what, with which options.
    `blocks` are those that can be put anew, by the places of their texts. `silent` says, by block,
    which object changes how where a block says nothing.
    """

    own: PrintedSheet
    blank: bool
    page: StampTree
    blocks: dict[int, TextBlock]
    bars: dict[int, Bar]
    pages: list[StampPage]
    shared: "SharedObjects"
    silent: dict[int, tuple[int, bytes]]
    wordings: Wordings

    @classmethod
    def lay_out(
        cls,
        sheet: str,
        trace: Trace,
        exact: Trace,
        options: SheetOptions,
        variant: str,
        plan: Plan | None = None,
    ) -> "Template":
        """The template for all pupils whose pages have the same tags as this one's.

        `options` are those of the pupils; only code, name and number may differ. `plan` says what
        is asked where it is not what this one would be; the sheet's own steps stay this one's.
        Raises `DoesNotFit` where the sheet cannot be stamped, and what `render` raises.
        """
        if options.part != "work" or options.teacher:
            raise DoesNotFit("only work leaves without the teacher's page are stamped")
        own = PrintedSheet.of(sheet, trace, exact, options)
        own = own if plan is None else replace(own, plan=replace(plan, extra=own.plan.extra))
        blank, where = variant == "blank", f"sheet {sheet}, {trace.sentence!r}"
        page = StampTree.of(own.page(blank=blank), answered=not blank)
        css, zoom = css_of(SERIES[sheet].css, options), zoom_of(options)
        seen, html = LaidOut(), page.numbered()
        PdfDocument(
            html, (*css, primer()), own.formulas, where, zoom=zoom, watch=seen.look
        ).to_pdf()
        blocks = seen.movable(page)
        different = {one.number: one for one in blocks.values()}.values()
        return cls(
            own, blank, page, blocks, seen.bars, seen.pages(different, page.dark),
            SharedObjects.of(seen.pdf, frozenset(seen.contents)), silent(seen.pdf, different),
            Wordings(page, seen.fonts, css, own.formulas, options.language, zoom),
        )  # fmt: skip

    def planned(self, trace: Trace) -> Plan:
        """What a pupil is asked on this sheet."""
        return _planned(self.own.plan.sheet, trace, self.own.options)

    def stamp(self, seat: StampedSeat) -> bytes:
        """The pupil's PDF, tagged; `DoesNotFit` where the page differs in more than its texts."""
        return self.filling(seat).file()

    def filling(self, seat: StampedSeat) -> "Filling":
        """What is put into the template for a pupil; `DoesNotFit` as `stamp`."""
        options, plan = seat.options(self.own.options), self.planned(seat.trace)
        sheet = PrintedSheet(plan, seat.trace, seat.exact, options, self.own.formulas)
        own = StampTree.of(sheet.page(blank=self.blank))
        changed: dict[int, TextBlock] = {}
        for k in self.page.changed(own):
            if k not in self.blocks:
                raise DoesNotFit(f"{own.texts[k]!r} does not stand in a block of its own")
            changed[self.blocks[k].number] = self.blocks[k]
        texts = [(block, block.said(own)) for block in changed.values()]
        for block, said in texts:
            if said != ("",):
                self.wordings.expect(block, said)
            elif block.number not in self.silent:
                raise DoesNotFit(f"block {block.number} says nothing")
        beside = {(n, b.page, BAR): b.drawn(own.bars[n]) for n, b in self.bars.items()}
        if own.dark:
            code = square_drawn(own.dark)
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


@lru_cache(maxsize=4)
def _planned(sheet: str, trace: Trace, options: SheetOptions) -> Plan:
    """The plan, which a pupil's blank and solution share."""
    return planned(sheet, trace, options)


def stamped_or_rendered(
    template: Template | None, sheet: str, seat: StampedSeat, options: SheetOptions, variant: str
) -> bytes:
    """The pupil's PDF: stamped where it fits the template, else rendered in full."""
    if template is not None:
        try:
            return template.stamp(seat)
        except DoesNotFit:
            pass
    own = seat.options(options)
    return render(sheet, seat.trace, seat.exact, own, kind="pdf", variant=variant)


HEADER = b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n"
ENTRY = 7  # bytes of a cross-reference: kind, place, place in an object stream
LEVEL = 1  # of compression: a class's files are many, and quickly made


@dataclass(frozen=True)
class SharedObjects:
    """The objects that all pupils share, as bytes by number, and the trailer's references.

    `free` are the numbers kept for those that each pupil has.
    """

    packed: Mapping[int, bytes]
    whole: Mapping[int, bytes]
    root: int
    info: int
    free: frozenset[int] = frozenset()

    @classmethod
    def of(cls, pdf: Any, leave_out: frozenset[int]) -> "SharedObjects":
        """The finished objects of a PDF, without those that differ from pupil to pupil."""
        if pdf.info and pdf.info.number is None:
            pdf.add_object(pdf.info)
        kept = [one for one in pdf.objects if one.free != "f" and one.number not in leave_out]
        packed = {one.number: one.data for one in kept if one.compressible}
        whole = {one.number: one.data for one in kept if not one.compressible}
        return cls(packed, whole, pdf.catalog.number, pdf.info.number, leave_out)

    @cached_property
    def size(self) -> int:
        """The first number that is free for the object stream."""
        return max((*self.packed, *self.whole, *self.free)) + 1

    @cached_property
    def head(self) -> tuple[bytes, bytes, bytes]:
        """The file's beginning, the cross-references of what is in it, a digest of it."""
        out, entries = bytearray(HEADER), {0: bytes(ENTRY)}
        for number, data in (*self.whole.items(), (self.size, object_stream(self.packed))):
            entries[number] = _at(len(out))
            out += indirect(number, data)
        for k, number in enumerate(self.packed):
            entries[number] = b"\x02" + self.size.to_bytes(4, "big") + k.to_bytes(2, "big")
        table = b"".join(entries.get(number, bytes(ENTRY)) for number in range(self.size + 1))
        return bytes(out), table, _digest(out)

    def file(self, own: Mapping[int, bytes]) -> bytes:
        """A file with these further objects; they come in place of shared ones of their number."""
        head, shared_table, digest = self.head
        out, table, end = bytearray(head), bytearray(shared_table), self.size + 1
        for number, data in (*own.items(), (end, b"")):
            table[ENTRY * number : ENTRY * (number + 1)] = _at(len(out))
            out += indirect(number, data) if data else b""
        ids = digest, _digest(b"".join(own.values()))
        trailer = b"/Type /XRef /W [1 4 2] /Size %d /Root %d 0 R /Info %d 0 R /ID [<%s> <%s>]"
        start = len(out)
        out += indirect(end, stream(bytes(table), trailer % (end + 1, self.root, self.info, *ids)))
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
