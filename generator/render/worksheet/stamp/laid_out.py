"""What WeasyPrint laid out, taken apart: where each text stands and which operators draw it.

Also here:

* A page's operators with gaps for texts, bars and the QR code; each gap knows what stood there.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from generator.render.worksheet.stamp.difference import (
    NUMBER,
    DoesNotFit,
    Said,
    Squares,
    StampTree,
    slots,
    zeros,
)

PRIMER_COLOUR = b"0.003922 0.007843 0.011765 rg"
BAR, SQUARE = -1, -2  # instead of marks of content
PAINTS = frozenset({b"f", b"f*", b"S", b"B", b"n"})
PIXELS_IN_MM = 96 / 25.4
NEAR = 0.01  # CSS pixels
GRID = 4096  # to a px
_GLYPHS = re.compile(r"<([0-9a-f]*)>|(-?[0-9.]+)")
Key = tuple[int, int, int]  # element, page, mark of content
Put = dict[Key, bytes]
Glyph = tuple[int, float]  # its number in the font, and by how much the next one moves closer


@dataclass(frozen=True)
class Font:
    """An embedded font: characters to glyphs, and the glyphs' widths in thousandths."""

    name: str
    glyphs: dict[str, int] = field(default_factory=dict)
    characters: dict[int, str] = field(default_factory=dict)
    widths: dict[int, float] = field(default_factory=dict)


class GlyphRun(NamedTuple):
    """Glyphs in one font at a place; `group` counts the inline elements of its block."""

    x: float
    y: float
    font: Font
    size: float
    glyphs: tuple[Glyph, ...]
    group: int = 0
    style: str = ""

    @property
    def width(self) -> float:
        """How far it reaches, in CSS pixels."""
        widths = self.font.widths
        return math.fsum(widths[glyph] - kern for glyph, kern in self.glyphs) * self.size / 1000

    def saying(self, text: str) -> "GlyphRun":
        """Another text in its place, without kerning."""
        return self._replace(glyphs=tuple((self.font.glyphs[one], 0.0) for one in text))


class DrawnSpot(NamedTuple):
    """Where a text is drawn: its marked content, its operators from `start` to `end`."""

    mcid: int
    start: int
    end: int


@dataclass
class TextBlock:
    """A block of text: its box in CSS pixels, how it is aligned, its texts and their spots.

    `loose`: it is out of the flow, so that its height moves nothing; `whole`: it is one box.
    `copies` are those in the margins of further pages. Of one that can be put anew `places` are
    those of its texts on the page, `zeros` these texts with each digit a 0; `line`: it is one text,
    which can be put anywhere on its line; `nested`: another block stands in its lines.
    """

    number: int
    page: int
    x: float
    y: float
    width: float
    height: float
    align: str
    loose: bool
    tag: str
    whole: bool = True
    line: bool = False
    nested: bool = False
    runs: list[GlyphRun] = field(default_factory=list)
    spots: list[DrawnSpot] = field(default_factory=list)
    elements: list[Any] = field(default_factory=list)
    copies: list["TextBlock"] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    zeros: Said = ()

    def said(self, page: StampTree) -> Said:
        """What it says on a page: its texts without the tags, which are the same everywhere."""
        texts = [page.texts[k] for k in self.places]
        return (texts[0].strip(),) if len(texts) == 1 else tuple(texts)

    @property
    def every(self) -> list["TextBlock"]:
        """It and its copies."""
        return [self, *self.copies]


@dataclass(frozen=True)
class Bar:
    """The box of a bar, its colours and the width of its border."""

    page: int
    x: float
    y: float
    height: float
    width: float
    border: float
    fill: tuple[float, ...]
    line: tuple[float, ...]

    def drawn(self, millimetres: float) -> bytes:
        """The operators of a bar of that length, nothing for 0.

        Its border lies inside, so that none is narrower than two borders.
        """
        if not millimetres:
            return b""
        b = self.border
        width = max(millimetres * PIXELS_IN_MM, 2 * b)
        outer = (self.x, self.y, width, self.height)
        inner = (self.x + b, self.y + b, width - 2 * b, self.height - 2 * b)
        lines = (
            b"/Artifact BMC q",
            b"%.6f %.6f %.6f rg" % self.fill,
            b"%.6f %.6f %.6f %.6f re f" % outer,
            b"%.6f %.6f %.6f rg" % self.line,
            b"%.6f %.6f %.6f %.6f re" % outer,
            b"%.6f %.6f %.6f %.6f re f*" % inner,
            b"Q EMC",
        )
        return b"\n".join(lines)

    def holds(self, points: list[tuple[float, float]]) -> bool:
        """Whether a drawing lies in its box."""
        return all(
            self.x - NEAR <= x <= self.x + self.width + NEAR
            and self.y - NEAR <= y <= self.y + self.height + NEAR
            for x, y in points
        )


class OperatorCut(NamedTuple):
    """Operators that are taken out, from `start` to `end`, and the key of the gap they leave."""

    start: int
    end: int
    key: Key | None = None


class StampPage:
    """A page's operators in parts, each a gap with what stood there or, without a key, the rest.

    `contents` is the number of the object that holds them.
    """

    def __init__(self, operators: list[bytes], cuts: list[OperatorCut], contents: int) -> None:
        self.contents, self.parts, at = contents, list[tuple[Key | None, bytes]](), 0
        between: list[bytes] = []
        for start, end, key in cuts:
            between += operators[at:start]
            at = end
            if key is not None:
                self.parts.append((None, b"\n".join(between)))
                self.parts.append((key, b"\n".join(operators[start:end])))
                between = []
        self.parts.append((None, b"\n".join((*between, *operators[at:]))))

    def filled(self, put: Put) -> bytes:
        """The page's content; where nothing is put stands what stood there."""
        return b"\n".join(put.get(key, first) if key else first for key, first in self.parts)


class LaidOut:
    """A laid out document: operators by page, blocks and bars by the number of their element.

    `look` is the hook in which WeasyPrint shows the document and its PDF.
    """

    def look(self, document: Any, pdf: Any) -> None:
        """Take everything; the file itself is not written, as nobody reads it."""
        self.pdf, self.fonts = pdf, dict[str, Font]()
        self.blocks, self.bars = dict[int, TextBlock](), dict[int, Bar]()
        for font in document.fonts.values():
            one = self.fonts.setdefault(font.hash, Font(font.hash))
            one.characters.update(font.to_unicode)
            one.widths.update(font.widths)
            one.glyphs.update({text: glyph for glyph, text in font.to_unicode.items()})
        self.contents = [int(page["Contents"].split()[0]) for page in pages_of(pdf)]
        self.operators = [list(map(_bytes, pdf.objects[k].stream)) for k in self.contents]
        for self.page, page in enumerate(document.pages):
            self.drawn = self._drawn(self.operators[self.page])
            for part in page._page_box.children:
                self.margin = hasattr(part, "at_keyword")  # as the boxes in the margins have
                self._read(part, None)
        pdf.write = lambda *_, **__: None

    def _drawn(self, operators: list[bytes]) -> dict[tuple[int, int], list[Any]]:
        """The texts of a page by their place, each with its spot."""
        texts_at = defaultdict(list)
        start, mcid = 0, -1
        for k, one in enumerate(operators):
            if one.startswith(b"<</MCID"):
                mcid = int(one[7:-2])
            elif one == b"BT":
                start = k
            elif one == b"ET":
                for runs in self._runs(operators[start + 1 : k]):
                    place = round(runs[0].x * 1000), round(runs[0].y * 1000)
                    texts_at[place].append((DrawnSpot(mcid, start, k), runs))
        return texts_at

    def _runs(self, operators: list[bytes]) -> list[list[GlyphRun]]:
        """The runs of each text between BT and ET, one a font; without tags texts share them."""
        runs: list[list[GlyphRun]] = []
        font, size, x, y = "", 0.0, 0.0, 0.0
        for one in operators:
            if one.endswith(b" Tm"):
                x, y = (float(number) for number in one.split()[4:6])
                runs.append([])
            elif one.endswith(b" Tf"):
                font, size = one.split()[0][1:].decode(), float(one.split()[1])
            elif one.endswith(b" TJ"):
                runs[-1].append(GlyphRun(x, y, self.fonts[font], size, _glyphs(one.decode())))
                x += runs[-1][-1].width
            elif not one.endswith((b" rg", b" gs")):
                raise DoesNotFit(f"a text is drawn in a way that is not known: {one!r}")
        return [texts for texts in runs if texts]

    def _read(self, box: Any, block: TextBlock | None, loose: bool = False) -> None:
        """Note the blocks, bars and texts below a box; `loose`: it is out of the flow."""
        box = getattr(box, "_box", box)  # of something placed absolutely
        loose = loose or box.style["position"] == "absolute"
        if box.element is not None and "fill" in (box.element.get("class") or "").split():
            self.bars[int(box.element.get(NUMBER))] = self._bar(box)
        children = getattr(box, "children", ())
        if any(hasattr(child, "text_overflow") for child in children):  # as lines have
            block = self._block(box, loose)
        if hasattr(box, "pango_layout"):
            if block is not None and box.text.strip() and "::" not in box.element_tag:
                self._add(block, box)
            return
        for child in children:
            self._read(child, block, loose)

    def _block(self, box: Any, loose: bool) -> TextBlock | None:
        """The block that holds lines; a second one of its element is a copy in a margin.

        Or it shows that the block is not one box.
        """
        number = None if box.element is None else box.element.get(NUMBER)
        if number is None:
            return None
        x, y, align = box.content_box_x(), box.content_box_y(), box.style["text_align_all"]
        made = TextBlock(
            int(number), self.page, x, y, box.width, box.height, align, loose, box.element_tag
        )
        before = self.blocks.setdefault(made.number, made)
        if before is made:
            return made
        if self.margin and before.page != self.page:
            before.copies.append(made)
            return made
        before.whole = False
        return before

    def _bar(self, box: Any) -> Bar:
        style = box.style
        colours = (style[f"{key}_color"] for key in ("background", "border_top"))
        fill, line = (
            tuple((style["color"] if one == "currentcolor" else one).to("srgb"))[:3]
            for one in colours
        )
        return Bar(
            self.page, box.border_box_x(), box.border_box_y(), box.border_height(),
            box.border_width(), box.border_top_width, fill, line,
        )  # fmt: skip

    def _add(self, block: TextBlock, box: Any) -> None:
        """Add a text box to its block, which is not whole where the text is not found."""
        # The PDF has its numbers rounded, to one side or the other.
        x, y = round(box.position_x * 1000), round((box.position_y + box.baseline) * 1000)
        places = ((x + i, y + j) for i in (0, -1, 1) for j in (0, -1, 1))
        here = next((self.drawn[place] for place in places if self.drawn.get(place)), [])
        if not here:
            self.blocks[block.number].whole = False
            return
        spot, runs = here.pop(0)
        if not block.elements or block.elements[-1] is not box.element:
            block.elements.append(box.element)
        size, weight, slant = (box.style[f"font_{key}"] for key in ("size", "weight", "style"))
        style = f"font-size: {size}px; font-weight: {weight}; font-style: {slant}"
        for run in runs:
            place = {"x": snapped(run.x - block.x), "y": snapped(run.y - block.y)}
            block.runs.append(run._replace(**place, group=len(block.elements), style=style))
            block.spots.append(spot)

    def movable(self, page: StampTree) -> dict[int, TextBlock]:
        """The blocks that can be put anew, by the places of their texts.

        A text that is split over two pages, or is mixed with others in one box, is in none of them.
        """
        number = {one: k for k, one in enumerate(page.elements)}
        around: dict[Any, TextBlock | None] = {None: None}
        for one, k in number.items():
            outer, own = around[one.getparent()], self.blocks.get(k)
            around[one] = own or outer
            if own and outer:
                outer.nested = True
        for one, where in slots(page.root):
            holder = around[one if where == "text" else one.getparent()]
            if holder:
                holder.places.append(2 * number[one] + (where == "tail"))
        for block in self.blocks.values():
            texts = [k for k in block.places if page.texts[k].strip()]
            block.line = len(texts) == len(block.runs) == 1
            block.places = texts if block.line else block.places
            block.zeros = zeros(block.said(page))
        kept = (block for block in self.blocks.values() if block.whole and block.runs)
        return {k: block for block in kept for k in block.places}

    def pages(self, blocks: Iterable[TextBlock], dark: Squares) -> list[StampPage]:
        """The pages, with gaps for these blocks, for all bars and, with dark squares, the code."""
        every = [same for block in blocks for same in block.every]
        out = []
        for number, operators in enumerate(self.operators):
            cuts = [
                OperatorCut(spot.start, spot.end + 1, (block.number, number, spot.mcid))
                for block in every
                if block.page == number
                for spot in dict.fromkeys(block.spots)
            ]
            cuts += self._bar_cuts(number)
            cuts += [
                OperatorCut(k, operators.index(b"ET", k) + 1)
                for k, one in enumerate(operators)
                if one == PRIMER_COLOUR
            ]
            if dark:
                cuts.append(_square(operators, number, dark))
            out.append(StampPage(operators, sorted(cuts), self.contents[number]))
        return out

    def _bar_cuts(self, page: int) -> Iterator[OperatorCut]:
        """The drawings inside each bar's box make room; the last one, unclipped, is its gap."""
        bars = {key: bar for key, bar in self.bars.items() if bar.page == page}
        drawings = list(_drawings(self.operators[page])) if bars else []
        for key, bar in bars.items():
            inside = [cut for cut, points in drawings if bar.holds(points)]
            if not inside:
                raise DoesNotFit(f"bar {key} is not drawn in its box")
            yield from inside[:-1]
            yield inside[-1]._replace(key=(key, page, BAR))


def pages_of(pdf: Any) -> list[Any]:
    """The pages of a PDF that is about to be written."""
    return [one for one in pdf.objects if isinstance(one, dict) and one.get("Type") == "/Page"]


def snapped(length: float) -> float:
    """The length in px on a grid that holds Pango's units (1/1024 px).

    A wording's place in its block is a difference of two places on a page: its last bits depend on
    what else was laid out on that page, and must not reach the file.
    """
    return round(length * GRID) / GRID


def _bytes(one: Any) -> bytes:
    if isinstance(one, bytes):
        return one
    data: bytes = one.data if hasattr(one, "data") else str(one).encode()
    return data


def _glyphs(shown: str) -> tuple[Glyph, ...]:
    glyphs: list[tuple[int, float]] = []
    for run, kern in _GLYPHS.findall(shown):
        if kern and glyphs:
            glyphs[-1] = glyphs[-1][0], glyphs[-1][1] + float(kern)
        glyphs += [(int(run[k : k + 4], 16), 0.0) for k in range(0, len(run), 4)]
    return tuple(glyphs)


def _drawings(operators: list[bytes]) -> Iterator[tuple[OperatorCut, list[tuple[float, float]]]]:
    """What is drawn beside texts and pictures (rules, boxes, bars), each with its points."""
    for start in (k for k, one in enumerate(operators) if one == b"/Artifact"):
        end = operators.index(b"EMC", start) + 1
        if points := [point for one in operators[start:end] for point in _points(one)]:
            yield OperatorCut(start, end), points


def _points(operator: bytes) -> list[tuple[float, float]]:
    *numbers, name = operator.split() or [b""]
    if name == b"re":
        x, y, width, height = map(float, numbers)
        return [(x, y), (x + width, y + height)]
    if name not in (b"m", b"l", b"c"):
        return []
    values = list(map(float, numbers))
    return list(zip(values[::2], values[1::2], strict=True))


def _square(operators: list[bytes], page: int, dark: Squares) -> OperatorCut:
    """The path that draws the QR code, found by its beginning."""
    for start in (k for k, one in enumerate(operators) if one.endswith(b" m")):
        end = next(k for k in range(start, len(operators)) if operators[k] in PAINTS)
        path = [one for one in operators[start:end] if one.endswith(b" m")]
        if len(path) == len(dark) and _points(path[0]) == [dark[0]]:
            return OperatorCut(start, end + 1, (-1, page, SQUARE))
    raise DoesNotFit(f"the QR code of page {page + 1} is not drawn as a path")
