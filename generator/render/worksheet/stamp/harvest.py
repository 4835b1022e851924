"""What WeasyPrint laid out, taken apart: where each text stands and which operators draw it."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from generator.render.worksheet.stamp.html_page import NUMBER, DoesNotFit

_GLYPHS = re.compile(r"<([0-9a-f]*)>|(-?[0-9.]+)")
Glyph = tuple[int, float]  # its number in the font, and by how much the next one moves closer


@dataclass(frozen=True)
class GlyphText:
    """Glyphs in one font at a place; `group` counts the inline elements of its block."""

    x: float
    y: float
    font: str
    size: float
    glyphs: tuple[Glyph, ...]
    group: int
    style: str = ""

    def width(self, fonts: "dict[str, Font]") -> float:
        """How far it reaches, in CSS pixels."""
        widths = fonts[self.font].widths
        return math.fsum(widths[glyph] - kern for glyph, kern in self.glyphs) * self.size / 1000


@dataclass(frozen=True)
class DrawnSpot:
    """Where a text is drawn: its marked content, its operators from `start` to `end`."""

    mcid: int
    start: int
    end: int


Place = tuple[int, int]
Drawn = dict[Place, list[tuple[DrawnSpot, list[GlyphText]]]]


@dataclass(frozen=True)
class TextBlock:
    """A block of text: its box in CSS pixels, how it is aligned, its texts and their spots.

    `loose`: it is out of the flow, so that its height moves nothing; `whole`: it is one box.
    `copies` are those in the margins of further pages.
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
    texts: list[GlyphText] = field(default_factory=list)
    spots: list[DrawnSpot] = field(default_factory=list)
    elements: list[Any] = field(default_factory=list)
    copies: list["TextBlock"] = field(default_factory=list)


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


@dataclass(frozen=True)
class Font:
    """An embedded font: characters to glyphs, and the glyphs' widths in thousandths."""

    glyphs: dict[str, int]
    characters: dict[int, str]
    widths: dict[int, float]


@dataclass(frozen=True)
class Harvest:
    """A laid out document: operators by page, blocks and bars by the number of their element."""

    operators: list[list[bytes]]
    blocks: dict[int, TextBlock]
    bars: dict[int, Bar]
    fonts: dict[str, Font]


def harvest(document: Any, pdf: Any) -> Harvest:
    """Everything, from the hook in which WeasyPrint shows the document and its PDF."""
    fonts = _fonts(document)
    streams = [_operators(pdf, page) for page in pages_of(pdf)]
    blocks: dict[int, TextBlock] = {}
    bars: dict[int, Bar] = {}
    for number, (page, operators) in enumerate(zip(document.pages, streams, strict=True)):
        drawn = _drawn(operators, fonts)
        for block, box in _texts(page._page_box, None, SoFar(number, blocks, bars)):
            if not _add(block, box, drawn):
                blocks[block.number] = replace(blocks[block.number], whole=False)
    return Harvest(streams, blocks, bars, fonts)


def pages_of(pdf: Any) -> list[Any]:
    """The pages of a PDF that is about to be written."""
    return [one for one in pdf.objects if isinstance(one, dict) and one.get("Type") == "/Page"]


def _fonts(document: Any) -> dict[str, Font]:
    by_hash: dict[str, Font] = {}
    for font in document.fonts.values():
        one = by_hash.setdefault(font.hash, Font({}, {}, {}))
        one.characters.update(font.to_unicode)
        one.widths.update(font.widths)
        one.glyphs.update({text: glyph for glyph, text in font.to_unicode.items()})
    return by_hash


def _operators(pdf: Any, page: Any) -> list[bytes]:
    stream = pdf.objects[int(page["Contents"].split()[0])].stream
    return [_bytes(one) for one in stream]


def _bytes(one: Any) -> bytes:
    return (
        one if isinstance(one, bytes) else one.data if hasattr(one, "data") else str(one).encode()
    )


def _drawn(operators: list[bytes], fonts: dict[str, Font]) -> Drawn:
    """The texts of a page by their place."""
    texts_at: Drawn = defaultdict(list)
    start, mcid = 0, -1
    for k, one in enumerate(operators):
        if one.startswith(b"<</MCID"):
            mcid = int(one[7:-2])
        elif one == b"BT":
            start = k
        elif one == b"ET":
            for texts in _runs(operators[start + 1 : k], fonts):
                place = _place(texts[0].x, texts[0].y)
                texts_at[place].append((DrawnSpot(mcid, start, k), texts))
    return texts_at


def _runs(operators: list[bytes], fonts: dict[str, Font]) -> list[list[GlyphText]]:
    """The runs of each text between BT and ET, one for each font; without tags texts share them."""
    runs: list[list[GlyphText]] = []
    font, size, x, y = "", 0.0, 0.0, 0.0
    for one in operators:
        if one.endswith(b" Tm"):
            x, y = (float(number) for number in one.split()[4:6])
            runs.append([])
        elif one.endswith(b" Tf"):
            font, size = one.split()[0][1:].decode(), float(one.split()[1])
        elif one.endswith(b" TJ"):
            runs[-1].append(GlyphText(x, y, font, size, _glyphs(one.decode()), 0))
            x += runs[-1][-1].width(fonts)
        elif not one.endswith((b" rg", b" gs")):
            raise DoesNotFit(f"a text is drawn in a way that is not known: {one!r}")
    return [texts for texts in runs if texts]


def _place(x: float, y: float) -> Place:
    return round(x * 1000), round(y * 1000)


def _near(drawn: Drawn, x: float, y: float) -> list[tuple[DrawnSpot, list[GlyphText]]]:
    """The texts at a place; the PDF has its numbers rounded, to one side or the other."""
    a, b = _place(x, y)
    places = ((a + i, b + j) for i in (0, -1, 1) for j in (0, -1, 1))
    return next((drawn[place] for place in places if drawn.get(place)), [])


def _glyphs(shown: str) -> tuple[Glyph, ...]:
    glyphs: list[list[float]] = []
    for run, kern in _GLYPHS.findall(shown):
        if kern and glyphs:
            glyphs[-1][1] += float(kern)
        glyphs += [[int(run[k : k + 4], 16), 0.0] for k in range(0, len(run), 4)]
    return tuple((int(glyph), kern) for glyph, kern in glyphs)


class SoFar(NamedTuple):
    """What was taken apart up to a page."""

    page: int
    blocks: dict[int, TextBlock]
    bars: dict[int, Bar]


def _texts(
    box: Any, block: TextBlock | None, taken: SoFar, loose: bool = False, margin: bool = False
) -> Iterator[tuple[TextBlock, Any]]:
    """The text boxes below a box, each with its block; blocks and bars are noted on the way.

    `loose`: it is out of the flow; `margin`: it is in the margin, once for each page.
    """
    box = getattr(box, "_box", box)  # of something placed absolutely
    loose = loose or box.style["position"] == "absolute"
    margin = margin or type(box).__name__ == "MarginBox"
    if box.element is not None and "fill" in (box.element.get("class") or "").split():
        taken.bars[int(box.element.get(NUMBER))] = _bar(box, taken.page)
    if _holds_lines(box):
        block = _block(box, taken, loose, margin)
    if hasattr(box, "pango_layout"):
        if block is not None and box.text.strip() and "::" not in box.element_tag:
            yield block, box
        return
    for child in getattr(box, "children", ()):
        yield from _texts(child, block, taken, loose, margin)


def _holds_lines(box: Any) -> bool:
    return any(type(child).__name__ == "LineBox" for child in getattr(box, "children", ()))


def _block(box: Any, taken: SoFar, loose: bool, margin: bool) -> TextBlock | None:
    number = None if box.element is None else box.element.get(NUMBER)
    if number is None:
        return None
    made = _boxed(box, int(number), taken.page, loose)
    before = taken.blocks.setdefault(int(number), made)
    if before is made:
        return made
    if margin and before.page != taken.page:
        before.copies.append(made)
        return made
    taken.blocks[int(number)] = replace(before, whole=False)
    return before


def _boxed(box: Any, number: int, page: int, loose: bool) -> TextBlock:
    return TextBlock(
        number, page, box.content_box_x(), box.content_box_y(), box.width, box.height,
        box.style["text_align_all"], loose, box.element_tag,
    )  # fmt: skip


def _bar(box: Any, page: int) -> Bar:
    fill, line = (_colour(box.style, f"{key}_color") for key in ("background", "border_top"))
    return Bar(
        page, box.border_box_x(), box.border_box_y(), box.border_height(), box.border_width(),
        box.border_top_width, fill, line,
    )  # fmt: skip


def _colour(style: Any, key: str) -> tuple[float, ...]:
    value = style["color"] if style[key] == "currentcolor" else style[key]
    return tuple(value.to("srgb"))[:3]


def _add(block: TextBlock, box: Any, drawn: Drawn) -> bool:
    here = _near(drawn, box.position_x, box.position_y + box.baseline)
    if not here:
        return False
    spot, texts = here.pop(0)
    if not block.elements or block.elements[-1] is not box.element:
        block.elements.append(box.element)
    style = "; ".join(f"font-{key}: {_css(box.style, key)}" for key in ("size", "weight", "style"))
    for text in texts:
        x, y, group = text.x - block.x, text.y - block.y, len(block.elements)
        block.texts.append(replace(text, x=x, y=y, group=group, style=style))
        block.spots.append(spot)
    return True


def _css(style: Any, key: str) -> str:
    value = style[f"font_{key}"]
    return f"{value}px" if key == "size" else str(value)
