"""A page's operators with gaps for texts, bars and the QR code; each gap knows what stood there.

Also here:

* The blocks of a laid out page: which texts are put into each, and how it is set.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.render.worksheet.stamp.harvest import Bar, Harvest, TextBlock
from generator.render.worksheet.stamp.html_page import DoesNotFit, HtmlPage, Squares, ends
from generator.render.worksheet.stamp.layout import PRIMER_COLOUR

Key = tuple[int, int, int]  # element, page, mark of content
Put = dict[Key, bytes]
Gap = tuple[Key, bytes]
NEAR = 0.01  # CSS pixels
BAR, SQUARE = -1, -2  # instead of marks of content
PAINTS = frozenset({b"f", b"f*", b"S", b"B", b"n"})
PIXELS_IN_MM = 96 / 25.4


@dataclass(frozen=True)
class StampPage:
    """Operators and gaps in turn: a gap after each piece but the last, with what stood in it.

    `contents` is the number of the object that holds them.
    """

    pieces: tuple[bytes, ...]
    gaps: tuple[Gap, ...]
    contents: int

    def filled(self, put: Put) -> bytes:
        """The page's content; where nothing is put stands what stood there."""
        out = [self.pieces[0]]
        for (key, first), piece in zip(self.gaps, self.pieces[1:], strict=True):
            out += (put.get(key, first), piece)
        return b"\n".join(out)


class OperatorCut(NamedTuple):
    """Operators that are taken out, from `start` to `end`, and the key of the gap they leave."""

    start: int
    end: int
    key: Key | None = None


class Drawing(NamedTuple):
    """A drawing's operators from `start` to `end`, and the box around its points."""

    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float

    def inside(self, bar: Bar) -> bool:
        """Whether it lies in the box of a bar."""
        across = bar.x - NEAR <= self.left and self.right <= bar.x + bar.width + NEAR
        return across and bar.y - NEAR <= self.top and self.bottom <= bar.y + bar.height + NEAR


def pages(
    harvest: Harvest, contents: Sequence[int], blocks: Iterable[TextBlock], dark: Squares
) -> tuple[StampPage, ...]:
    """The pages, with gaps for these blocks, for all bars and, if it has dark squares, the code.

    `contents` are the numbers of the objects that hold their operators.
    """
    every = [same for block in blocks for same in (block, *block.copies)]
    out = []
    for number, operators in enumerate(harvest.operators):
        here = (block for block in every if block.page == number)
        cuts = [
            OperatorCut(spot.start, spot.end + 1, (block.number, number, spot.mcid))
            for block in here
            for spot in dict.fromkeys(block.spots)
        ]
        bars = {key: bar for key, bar in harvest.bars.items() if bar.page == number}
        cuts += [*_bars(operators, bars), *_primer(operators), *_square(operators, number, dark)]
        pieces, gaps = _cut(operators, sorted(cuts))
        out.append(StampPage(pieces, gaps, contents[number]))
    return tuple(out)


def _cut(
    operators: list[bytes], cuts: Sequence[OperatorCut]
) -> tuple[tuple[bytes, ...], tuple[Gap, ...]]:
    pieces, gaps, at = [], [], 0
    current: list[bytes] = []
    for start, end, key in cuts:
        current += operators[at:start]
        at = end
        if key is not None:
            pieces.append(b"\n".join(current))
            gaps.append((key, b"\n".join(operators[start:end])))
            current = []
    return (*pieces, b"\n".join((*current, *operators[at:]))), tuple(gaps)


# Bars and the QR code ---------------------------------------------------------------------------


def _bars(operators: list[bytes], bars: dict[int, Bar]) -> Iterator[OperatorCut]:
    """The drawings inside each bar's box make room; the last of them, unclipped, is its gap."""
    drawings = list(_drawings(operators)) if bars else []
    for key, bar in bars.items():
        inside = [one for one in drawings if one.inside(bar)]
        if not inside:
            raise DoesNotFit(f"bar {key} is not drawn in its box")
        yield from (OperatorCut(one.start, one.end) for one in inside[:-1])
        yield OperatorCut(inside[-1].start, inside[-1].end, (key, bar.page, BAR))


def _drawings(operators: list[bytes]) -> Iterator[Drawing]:
    """What is drawn beside texts and pictures: rules, boxes, bars."""
    for start in (k for k, one in enumerate(operators) if one == b"/Artifact"):
        end = operators.index(b"EMC", start) + 1
        points = [point for one in operators[start:end] for point in _points(one)]
        if points:
            across, down = zip(*points, strict=True)
            yield Drawing(start, end, min(across), min(down), max(across), max(down))


def _points(operator: bytes) -> list[tuple[float, float]]:
    parts = operator.split()
    if parts and parts[-1] in (b"m", b"l", b"c", b"re"):
        numbers = [float(one) for one in parts[:-1]]
        if parts[-1] == b"re":
            x, y, width, height = numbers
            return [(x, y), (x + width, y + height)]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    return []


def _primer(operators: list[bytes]) -> Iterator[OperatorCut]:
    starts = (k for k, one in enumerate(operators) if one == PRIMER_COLOUR)
    return (OperatorCut(k, operators.index(b"ET", k) + 1) for k in starts)


def _square(operators: list[bytes], page: int, dark: Squares) -> Iterator[OperatorCut]:
    """The path that draws the QR code, found by its beginning."""
    if not dark:
        return
    for start in (k for k, one in enumerate(operators) if one.endswith(b" m")):
        end = next(k for k in range(start, len(operators)) if operators[k] in PAINTS)
        path = [one for one in operators[start:end] if one.endswith(b" m")]
        if len(path) == len(dark) and _points(path[0]) == [dark[0]]:
            yield OperatorCut(start, end + 1, (-1, page, SQUARE))
            return
    raise DoesNotFit(f"the QR code of page {page + 1} is not drawn as a path")


def square_drawn(dark: Squares) -> bytes:
    """The operators of a QR code."""
    return b"\n".join(b"%d %d 1 1 re" % place for place in dark) + b"\nf"


def bar_drawn(bar: Bar, millimetres: float) -> bytes:
    """The operators of a bar; its border lies inside, so that none is narrower than two borders.

    Nothing is drawn for 0.
    """
    if not millimetres:
        return b""
    b = bar.border
    width = max(millimetres * PIXELS_IN_MM, 2 * b)
    outer = (bar.x, bar.y, width, bar.height)
    inner = (bar.x + b, bar.y + b, width - 2 * b, bar.height - 2 * b)
    lines = (
        b"/Artifact BMC q",
        b"%.6f %.6f %.6f rg" % bar.fill,
        b"%.6f %.6f %.6f %.6f re f" % outer,
        b"%.6f %.6f %.6f rg" % bar.line,
        b"%.6f %.6f %.6f %.6f re" % outer,
        b"%.6f %.6f %.6f %.6f re f*" % inner,
        b"Q EMC",
    )
    return b"\n".join(lines)


FLOWING = frozenset({"p", "li", "div", "h1", "h2"})


@dataclass(frozen=True)
class BlockForm:
    """One block of text that may differ from pupil to pupil.

    `parts` are the texts and tags inside it, without other blocks; `line`: it is one text, which
    can be put anywhere on its line; `nested`: another block stands in its lines; `around` are the
    start tags around it, outermost first, and its own.
    """

    block: TextBlock
    parts: tuple[int, ...]
    line: bool
    nested: bool
    around: tuple[int, ...]

    def html(self, page: HtmlPage) -> str:
        """What the block says."""
        return "".join(page.parts[k] for k in self.parts).strip()


def forms(page: HtmlPage, blocks: dict[int, TextBlock]) -> dict[int, BlockForm]:
    """The blocks that can be put anew, by the places of their texts.

    A text that is split over two pages, or is mixed with others in one box, is in none of them.
    """
    inside: dict[int, list[int]] = defaultdict(list)
    chains: dict[int, tuple[int, ...]] = {}
    nested: set[int] = set()
    for k, holders, chain in _held(page.parts, blocks):
        if k in blocks:
            nested.update(holders[-2:-1])
            chains[k] = chain
        elif holders:
            inside[holders[-1]].append(k)
    movable: dict[int, BlockForm] = {}
    for number, parts in inside.items():
        block = blocks[number]
        if block.whole and block.texts:
            texts = [k for k in parts if k % 2 == 0 and page.parts[k].strip()]
            line = len(texts) == len(block.texts) == 1
            kept = tuple(texts if line else parts)
            form = BlockForm(block, kept, line, number in nested, chains[number])
            movable |= {k: form for k in kept if k % 2 == 0}
    return movable


def _held(
    parts: list[str], blocks: dict[int, TextBlock]
) -> Iterator[tuple[int, list[int], tuple[int, ...]]]:
    """Each place with the blocks and the tags around it, with its own if it starts one.

    The end tags of blocks are left out: they are in none.
    """
    ending = ends(parts)
    still_open: list[int] = []
    for k in range(len(parts)):
        if still_open and k == ending[still_open[-1]]:
            if still_open.pop() in blocks:
                continue
        elif k in ending:
            still_open.append(k)
        yield k, [one for one in still_open if one in blocks], tuple(still_open)
