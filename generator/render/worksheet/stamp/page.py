"""A page's operators with gaps for texts, bars and the QR code; each gap knows what stood there."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.render.worksheet.stamp.harvest import Bar, Block, Harvest
from generator.render.worksheet.stamp.html_page import DoesNotFit, Squares
from generator.render.worksheet.stamp.layout import PRIMER_COLOUR

Matrix = tuple[float, float, float, float, float, float]
Key = tuple[int, int, int]  # element, page, mark of content
Put = dict[Key, bytes]
NEAR = 0.01  # CSS pixels
BAR, SQUARE = -1, -2  # instead of marks of content
PAINTS = frozenset({b"f", b"f*", b"S", b"B", b"n"})
PIXELS_IN_MM = 96 / 25.4


@dataclass(frozen=True)
class Gap:
    """Where a text with this mark of content, a bar or the QR code is put; `first`: what stood."""

    key: Key
    colour: bytes
    matrix: Matrix
    first: bytes


@dataclass(frozen=True)
class Page:
    """Operators and gaps in turn: a gap after each piece but the last.

    `size` is in points, `resources` and `contents` are the numbers of objects.
    """

    pieces: tuple[bytes, ...]
    gaps: tuple[Gap, ...]
    size: bytes
    resources: int
    contents: int

    def filled(self, put: Put) -> bytes:
        """The page's content; where nothing is put stands what stood there."""
        return self._joined(put.get(gap.key, gap.first) for gap in self.gaps)

    def without(self, own: frozenset[Key]) -> bytes:
        """The page's content without these gaps."""
        return self._joined(b"" if gap.key in own else gap.first for gap in self.gaps)

    def own(self, put: Put, own: frozenset[Key]) -> bytes:
        """The content of these gaps alone, to be drawn over the rest."""
        chosen = (gap for gap in self.gaps if gap.key in own)
        return b"\n".join(_alone(gap, put.get(gap.key, gap.first)) for gap in chosen)

    def _joined(self, put: Iterable[bytes]) -> bytes:
        out = [self.pieces[0]]
        for content, piece in zip(put, self.pieces[1:], strict=True):
            out += (content, piece)
        return b"\n".join(out)


def _alone(gap: Gap, operators: bytes) -> bytes:
    matrix = b" ".join(b"%.6f" % number for number in gap.matrix)
    return b"q %b cm %b\n%b\nQ" % (matrix, gap.colour, operators)


class Cut(NamedTuple):
    """Operators that are taken out, from `start` to `end`, and the key of the gap they leave."""

    start: int
    end: int
    key: Key | None = None
    colour: bytes = b""


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
    found: Harvest, frames: Sequence[tuple[bytes, int, int]], blocks: Iterable[Block], dark: Squares
) -> tuple[Page, ...]:
    """The pages, with gaps for these blocks, for all bars and, if it has dark squares, the code.

    `frames` are the size, resources and contents of each page.
    """
    every = [same for block in blocks for same in (block, *block.copies)]
    out = []
    for number, operators in enumerate(found.operators):
        here = (block for block in every if block.page == number)
        cuts = [
            Cut(spot.start, spot.end + 1, (block.number, number, spot.mcid), spot.colour)
            for block in here
            for spot in dict.fromkeys(block.spots)
        ]
        bars = {key: bar for key, bar in found.bars.items() if bar.page == number}
        cuts += [*_bars(operators, bars), *_primer(operators), *_square(operators, number, dark)]
        pieces, gaps = _cut(operators, sorted(cuts))
        out.append(Page(pieces, gaps, *frames[number]))
    return tuple(out)


def _cut(operators: list[bytes], cuts: Sequence[Cut]) -> tuple[tuple[bytes, ...], tuple[Gap, ...]]:
    matrices = _matrices(operators)
    pieces, gaps, at = [], [], 0
    current: list[bytes] = []
    for start, end, key, colour in cuts:
        current += operators[at:start]
        at = end
        if key is not None:
            pieces.append(b"\n".join(current))
            first = b"\n".join(operators[start:end])
            gaps.append(Gap(key, colour, matrices[start], first))
            current = []
    return (*pieces, b"\n".join((*current, *operators[at:]))), tuple(gaps)


def _matrices(operators: Sequence[bytes]) -> list[Matrix]:
    """The transformation at each operator."""
    found, stack, matrix = [], [], (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for one in operators:
        if one == b"q":
            stack.append(matrix)
        elif one == b"Q":
            matrix = stack.pop()
        elif one.endswith(b" cm"):
            matrix = product(tuple(map(float, one.split()[:6])), matrix)
        found.append(matrix)
    return found


def product(a: tuple[float, ...], b: Matrix) -> Matrix:
    """The transformation a, then b."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


# Bars and the QR code ---------------------------------------------------------------------------


def _bars(operators: list[bytes], bars: dict[int, Bar]) -> Iterator[Cut]:
    """The drawings inside each bar's box make room; the last of them, unclipped, is its gap."""
    drawings = list(_drawings(operators)) if bars else []
    for key, bar in bars.items():
        inside = [one for one in drawings if one.inside(bar)]
        if not inside:
            raise DoesNotFit(f"bar {key} is not drawn in its box")
        yield from (Cut(one.start, one.end) for one in inside[:-1])
        yield Cut(inside[-1].start, inside[-1].end, (key, bar.page, BAR))


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


def _primer(operators: list[bytes]) -> Iterator[Cut]:
    starts = (k for k, one in enumerate(operators) if one == PRIMER_COLOUR)
    return (Cut(k, operators.index(b"ET", k) + 1) for k in starts)


def _square(operators: list[bytes], page: int, dark: Squares) -> Iterator[Cut]:
    """The path that draws the QR code, found by its beginning."""
    if not dark:
        return
    for start in (k for k, one in enumerate(operators) if one.endswith(b" m")):
        end = next(k for k in range(start, len(operators)) if operators[k] in PAINTS)
        path = [one for one in operators[start:end] if one.endswith(b" m")]
        if len(path) == len(dark) and _points(path[0]) == [dark[0]]:
            yield Cut(start, end + 1, (-1, page, SQUARE), b"0 0 0 rg")
            return
    raise DoesNotFit(f"the QR code of page {page + 1} is not drawn as a path")


def square_drawn(dark: Squares) -> bytes:
    """The operators of a QR code."""
    return b"\n".join(b"%d %d 1 1 re" % place for place in dark) + b"\nf"


def bar_drawn(bar: Bar, millimetres: float) -> bytes:
    """The operators of a bar; its border lies inside, so that none is narrower than two borders."""
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
