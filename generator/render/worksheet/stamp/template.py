"""A sheet laid out once for all pupils whose pages differ in texts only, and stamped for each.

Also here:

* PDF files from ready objects: those that all pupils share are packed once.
* The structure for screen readers of a PDF that is about to be written.
"""

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from generator.engine.trace import Trace
from generator.render.worksheet.stamp.harvest import Bar, Harvest, TextBlock, pages_of
from generator.render.worksheet.stamp.html_page import (
    DoesNotFit,
    HtmlPage,
    numbered,
    with_answers,
)
from generator.render.worksheet.stamp.layout import css, laid_out, primer
from generator.render.worksheet.stamp.page import (
    BAR,
    SQUARE,
    BlockForm,
    Put,
    StampPage,
    bar_drawn,
    forms,
    pages,
    square_drawn,
)
from generator.render.worksheet.stamp.wordings import Wordings
from generator.render.worksheet.worksheet import page as page_of
from generator.render.worksheet.worksheet import planned, render
from generator.sheets.maths import Formulas
from generator.sheets.options import SheetOptions
from generator.sheets.plan import Plan


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
class StampRequest:
    """Which page of which sheet is made; for each pupil with the pupil's code and name."""

    sheet: str
    options: SheetOptions
    variant: str
    formulas: Formulas
    plan: Plan = field(compare=False)

    def html(self, plan: Plan, seat: StampedSeat) -> str:
        """A pupil's page as full rendering has it; in a blank, answers are never looked up."""
        own = seat.options(self.options)
        blank = self.variant == "blank"
        return page_of(plan, seat.trace, seat.exact, own, self.formulas, blank=blank)


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

    @cached_property
    def size(self) -> int:
        """The first number that is free for the object stream."""
        return max((*self.packed, *self.whole, *self.free)) + 1

    @cached_property
    def head(self) -> tuple[bytes, bytes, bytes]:
        """The file's beginning, the cross-references of what is in it, a digest of it."""
        out, entries = bytearray(HEADER), {0: bytes(ENTRY)}
        for number, data in self.whole.items():
            entries[number] = _at(len(out))
            out += indirect(number, data)
        entries |= {
            number: b"\x02" + self.size.to_bytes(4, "big") + k.to_bytes(2, "big")
            for k, number in enumerate(self.packed)
        }
        entries[self.size] = _at(len(out))
        out += indirect(self.size, object_stream(self.packed))
        table = b"".join(entries.get(number, bytes(ENTRY)) for number in range(self.size + 1))
        digest = hashlib.md5(out, usedforsecurity=False).hexdigest().encode()
        return bytes(out), table, digest

    def file(self, own: Mapping[int, bytes]) -> bytes:
        """A file with these further objects; they come in place of shared ones of their number."""
        head, shared_table, digest = self.head
        out, table, end = bytearray(head), bytearray(shared_table), self.size + 1
        for number, data in (*own.items(), (end, b"")):
            table[ENTRY * number : ENTRY * (number + 1)] = _at(len(out))
            out += indirect(number, data) if data else b""
        same = hashlib.md5(b"".join(own.values()), usedforsecurity=False).hexdigest().encode()
        trailer = b"/Type /XRef /W [1 4 2] /Size %d /Root %d 0 R /Info %d 0 R /ID [<%s> <%s>]" % (
            end + 1,
            self.root,
            self.info,
            digest,
            same,
        )
        start = len(out)
        out += indirect(end, stream(bytes(table), trailer))
        out += b"startxref\n%d\n%%%%EOF\n" % start
        return bytes(out)


@dataclass(frozen=True)
class Template:
    """A laid out work leaf, blank or solution; make it with `Template.lay_out`.

    `silent` says, by block, which object changes how where a block says nothing.
    """

    request: StampRequest
    page: HtmlPage
    forms: dict[int, BlockForm]
    bars: tuple[tuple[int, Bar], ...]
    pages: tuple[StampPage, ...]
    shared: SharedObjects
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
        own = planned(sheet, trace, options)
        asked = own if plan is None else replace(plan, extra=own.extra)
        request = StampRequest(sheet, options, variant, Formulas(), asked)
        html = request.html(
            asked, StampedSeat(trace, exact, options.code, options.pupil, options.number)
        )
        if variant == "solution":
            html = with_answers(html)
        made: list[Template] = []

        def take(harvest: Harvest, pdf: Any) -> None:
            made.append(_template(request, HtmlPage.taken_apart(html), harvest, pdf))

        where, sheets = f"sheet {sheet}, {trace.sentence!r}", (*css(sheet, options), primer())
        laid_out(numbered(html), sheets, request.formulas, options, where, take, tagged=True)
        return made[0]

    def planned(self, trace: Trace) -> Plan:
        """What a pupil is asked on this sheet."""
        return _planned(self.request.sheet, trace, self.request.options)

    def stamp(self, seat: StampedSeat) -> bytes:
        """The pupil's PDF, tagged; `DoesNotFit` where the page differs in more than its texts."""
        return self.filling(seat).file()

    def filling(self, seat: StampedSeat) -> "Filling":
        """What is put into the template for a pupil; `DoesNotFit` as `stamp`."""
        own = HtmlPage.taken_apart(self.request.html(self.planned(seat.trace), seat))
        changed: dict[int, BlockForm] = {}
        for k in self.page.changed(own):
            if k not in self.forms:
                raise DoesNotFit(f"{own.parts[k]!r} does not stand in a block of its own")
            changed[self.forms[k].block.number] = self.forms[k]
        texts = tuple((form, form.html(own)) for form in changed.values())
        for form, html in texts:
            if html:
                self.wordings.expect(form, html)
            elif form.block.number not in self.silent:
                raise DoesNotFit(f"block {form.block.number} says nothing")
        widths = zip(self.bars, own.widths, strict=True)
        beside = {(n, bar.page, BAR): bar_drawn(bar, width) for (n, bar), width in widths}
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
    texts: tuple[tuple[BlockForm, str], ...]
    beside: Put

    def put(self) -> Put:
        """What is drawn otherwise than was laid out; `DoesNotFit` for a text without room."""
        put, wordings = dict(self.beside), self.template.wordings
        wordings.set_expected()
        for form, html in self.texts:
            put |= wordings.drawn(form, html)
        return put

    def file(self) -> bytes:
        """The pupil's PDF."""
        put, here = self.put(), self.template
        own = {one.contents: stream(one.filled(put)) for one in here.pages}
        own |= dict(here.silent[form.block.number] for form, html in self.texts if not html)
        return here.shared.file(own)


def _template(request: StampRequest, page: HtmlPage, harvest: Harvest, pdf: Any) -> Template:
    kept = forms(page, harvest.blocks)
    contents = [int(one["Contents"].split()[0]) for one in pages_of(pdf)]
    blocks = {form.block.number: form.block for form in kept.values()}.values()
    return Template(
        request,
        page,
        kept,
        tuple((number, harvest.bars[number]) for number in page.bars),
        pages(harvest, contents, blocks, page.dark),
        shared(pdf, frozenset(contents)),
        silent(pdf, (one for one in blocks if one.whole and len(one.spots) == 1)),
        Wordings(request.sheet, request.options, request.formulas, page, harvest.fonts),
    )


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


def _at(offset: int) -> bytes:
    return b"\x01" + offset.to_bytes(4, "big") + b"\0\0"


def indirect(number: int, data: bytes) -> bytes:
    """An object as it stands in a file."""
    return b"%d 0 obj\n%b\nendobj\n" % (number, data)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream object."""
    short = zlib.compress(data, LEVEL)
    return b"<</Filter /FlateDecode /Length %d %b>>\nstream\n%b\nendstream" % (
        len(short),
        entries,
        short,
    )


def object_stream(packed: Mapping[int, bytes]) -> bytes:
    """Objects packed into one."""
    places, position = [], 0
    for number, data in packed.items():
        places += [number, position]
        position += len(data) + 1
    first = " ".join(map(str, places)).encode() + b"\n"
    entries = b"/Type /ObjStm /N %d /First %d" % (len(packed), len(first))
    return stream(first + b"\n".join(packed.values()) + b"\n", entries)


def shared(pdf: Any, leave_out: frozenset[int]) -> SharedObjects:
    """The finished objects of a PDF, without those that differ from pupil to pupil."""
    packed: dict[int, bytes] = {}
    whole: dict[int, bytes] = {}
    if pdf.info and pdf.info.number is None:
        pdf.add_object(pdf.info)
    for one in pdf.objects:
        if one.free == "f" or one.number in leave_out:
            continue
        (packed if one.compressible else whole)[one.number] = one.data
    return SharedObjects(packed, whole, pdf.catalog.number, pdf.info.number, leave_out)


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
        leaf = leaves.get((block.page, block.spots[0].mcid))
        if leaf is None:
            continue
        parent = pdf.objects[int(leaf["P"].split()[0])]
        kids = type(parent["K"])(kid for kid in parent["K"] if kid != leaf.reference)
        objects[block.number] = parent.number, type(parent)(parent | {"K": kids}).data
    return objects
