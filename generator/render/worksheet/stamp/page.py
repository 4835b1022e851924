"""A page's operators with gaps in which texts and bars are put."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.render.worksheet.stamp.fit import DoesNotFit
from generator.render.worksheet.stamp.harvest import Bar, Harvest
from generator.render.worksheet.stamp.layout import PRIMER_COLOUR

Matrix = tuple[float, float, float, float, float, float]
Key = tuple[int, int, int]  # element, page, mark of content
NEAR = 0.01  # CSS pixels
BAR, SQUARE, FRAME = -1, -2, -3  # instead of marks of content; those of frames count down
PAINTS = frozenset({b"f", b"f*", b"S", b"B", b"n"})
Square = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Gap:
    """Where a block's text with this mark of content, or a bar, is put."""

    key: Key
    colour: bytes
    matrix: Matrix


@dataclass(frozen=True)
class Page:
    """Operators and gaps in turn: a gap after each piece but the last.

    `frames` are the drawings around texts that only the solution has, by their gap.
    """

    pieces: tuple[bytes, ...]
    gaps: tuple[Gap, ...]
    frames: dict[Key, bytes]

    def filled(self, put: dict[Key, bytes]) -> bytes:
        """The page's content; a gap for which nothing is put stays empty."""
        out = [self.pieces[0]]
        for gap, piece in zip(self.gaps, self.pieces[1:], strict=True):
            out += (put.get(gap.key, b""), piece)
        return b"\n".join(out)


class Drawing(NamedTuple):
    """A drawing's operators from `start` to `end`, and the box around its points."""

    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float

    def inside(self, x: float, y: float, width: float, height: float) -> bool:
        """Whether it lies in a box."""
        across = x - NEAR <= self.left and self.right <= x + width + NEAR
        return across and y - NEAR <= self.top and self.bottom <= y + height + NEAR


def pages(
    found: Harvest, live: frozenset[int], framed: frozenset[int], square: Square
) -> tuple[Page, ...]:
    """The pages, with gaps for blocks and bars, and for the frames that only the solution has.

    `square` are the dark places of the QR code that each page has, none where it has none.
    """
    streams = enumerate(found.operators)
    return tuple(_page(k, operators, found, live, framed, square) for k, operators in streams)


def _page(
    number: int,
    operators: list[bytes],
    found: Harvest,
    live: frozenset[int],
    framed: frozenset[int],
    square: Square,
) -> Page:
    cuts: dict[int, tuple[int, Gap]] = {}
    matrices, drawings = _matrices(operators), _drawings(operators)
    chosen = (found.blocks[k] for k in live)
    for one in (same for block in chosen for same in (block, *block.copies)):
        for spot in one.spots if one.page == number else ():
            key = one.number, number, spot.mcid
            cuts[spot.start] = (spot.end + 1, Gap(key, spot.colour, matrices[spot.start]))
    for element, bar in found.bars.items():
        if element in live and bar.page == number:
            cuts |= _bar_cuts(drawings, element, bar, matrices)
    frames: dict[Key, bytes] = {}
    for block in (found.blocks[k] for k in framed):
        if block.page != number or not block.frame:
            continue
        around = [one for one in drawings if one.inside(*block.frame)]
        for k, (start, end, *_) in enumerate(around):
            place = block.number, number, FRAME - k
            frames[place] = b"\n".join(operators[start:end])
            cuts[start] = (end, Gap(place, b"", matrices[start]))
    cuts |= _primer_cuts(operators) | _square_cuts(operators, number, square, matrices)
    return _cut(operators, cuts, frames)


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


def _bar_cuts(
    drawings: list[Drawing], key: int, bar: Bar, matrices: list[Matrix]
) -> dict[int, tuple[int, Gap]]:
    """The drawings inside the bar's box make room; the last of them, unclipped, is its gap."""
    box = bar.x, bar.y, bar.width, bar.height
    places = [(one.start, one.end) for one in drawings if one.inside(*box)]
    if not places:
        raise DoesNotFit(f"bar {key} is not drawn in its box")
    gap = Gap((key, bar.page, BAR), b"", matrices[places[-1][0]])
    cuts = {start: (end, NO_GAP) for start, end in places}
    return cuts | {places[-1][0]: (places[-1][1], gap)}


NO_GAP = Gap((-1, -1, -1), b"", (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))


def _drawings(operators: list[bytes]) -> list[Drawing]:
    """What is drawn beside texts and pictures: rules, boxes, bars."""
    found = []
    for start in (k for k, one in enumerate(operators) if one == b"/Artifact"):
        end = operators.index(b"EMC", start) + 1
        points = [point for one in operators[start:end] for point in _points(one)]
        if points:
            across, down = zip(*points, strict=True)
            box = min(across), min(down), max(across), max(down)
            found.append(Drawing(start, end, *box))
    return found


def _points(operator: bytes) -> list[tuple[float, float]]:
    parts = operator.split()
    if parts and parts[-1] in (b"m", b"l", b"c", b"re"):
        numbers = [float(one) for one in parts[:-1]]
        if parts[-1] == b"re":
            x, y, width, height = numbers
            return [(x, y), (x + width, y + height)]
        return list(zip(numbers[::2], numbers[1::2], strict=True))
    return []


def _primer_cuts(operators: list[bytes]) -> dict[int, tuple[int, Gap]]:
    starts = (k for k, one in enumerate(operators) if one == PRIMER_COLOUR)
    return {k: (operators.index(b"ET", k) + 1, NO_GAP) for k in starts}


def _square_cuts(
    operators: list[bytes], page: int, square: Square, matrices: list[Matrix]
) -> dict[int, tuple[int, Gap]]:
    """The path that draws the QR code, found by its beginning."""
    if not square:
        return {}
    starts = [k for k, one in enumerate(operators) if one.endswith(b" m")]
    for start in starts:
        end = next(k for k in range(start, len(operators)) if operators[k] in PAINTS)
        path = [one for one in operators[start:end] if one.endswith(b" m")]
        if len(path) == len(square) and _points(path[0]) == [square[0]]:
            gap = Gap((-1, page, SQUARE), b"0 0 0 rg", matrices[start])
            return {start: (end + 1, gap)}
    raise DoesNotFit(f"the QR code of page {page + 1} is not drawn as a path")


def _cut(
    operators: list[bytes],
    cuts: dict[int, tuple[int, Gap]],
    frames: dict[Key, bytes],
) -> Page:
    pieces, gaps, at = [], [], 0
    current: list[bytes] = []
    for start in sorted(cuts):
        end, gap = cuts[start]
        current += operators[at:start]
        at = end
        if gap is not NO_GAP:
            pieces.append(b"\n".join(current))
            gaps.append(gap)
            current = []
    pieces.append(b"\n".join((*current, *operators[at:])))
    return Page(tuple(pieces), tuple(gaps), frames)
