"""Places of drawings of given numbers: arrows in a plane, marks on a number line."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import NamedTuple, TypeAlias

import numpy as np

from generator.sheets.geometry import arrow_head

TYPE_MM, LARGE_MM = 3.4, 4.3  # large print is enlarged by 1.5 afterwards: 4.3 mm become 18 pt
LETTER, LINE = 0.574, 1.12  # a letter's mean width, a line's height, in units of the type
LEFT, RIGHT = -9.0, 69.0  # the edges of the drawing of arrows
TIP = 1.2  # half a tip with the room around it
NEAR = 2.5  # from a tip to its label, in mm
SHAFT = 1.0  # of the boxes along an arrow
MOST_LETTERS = 14
SHORTER = (MOST_LETTERS, 9, 6)  # letters of a word beside an arrow, one after the other tried
MOST_TICKS = 11
NICE = (1, 2, 5)
SIDES = (  # where a label of 3.4 mm may stand beside a tip right of the origin, best first
    (1.6, -0.8, "start"),
    (1.6, 3.4, "start"),
    (0.0, -2.2, "middle"),
    (0.0, 5.2, "middle"),
    (-1.6, -0.8, "end"),
    (-1.6, 3.4, "end"),
    (0.0, -6.0, "middle"),
    (-1.6, -5.0, "end"),
    (0.0, 9.2, "middle"),
    (1.6, -5.0, "start"),
    (1.6, 7.6, "start"),
)
MIRRORED = {"start": "end", "middle": "middle", "end": "start"}

Box: TypeAlias = tuple[float, float, float, float]


class WordLabel(NamedTuple):
    """A word at a place of the drawing, in type of `size` mm; `anchor` as in SVG."""

    text: str
    x: float
    y: float
    anchor: str
    size: float

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        width = LETTER * self.size * len(self.text)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return left, self.y - LINE * self.size + 0.8, left + width, self.y + 0.8


class Arrow(NamedTuple):
    """An arrow from the origin to its tip, with the words that share it; without length no head."""

    x: float
    y: float
    head: str
    label: WordLabel

    @property
    def lead(self) -> tuple[float, float] | None:
        """Where a line from the tip ends that leads to its label; None for one that is near."""
        left, top, right, bottom = self.label.box
        end = min(max(self.x, left), right), min(max(self.y, top), bottom)
        return end if np.hypot(end[0] - self.x, end[1] - self.y) > NEAR else None


class Tick(NamedTuple):
    """A tick of an axis: its number and its place in mm."""

    value: float
    at: float


@dataclass(frozen=True)
class Scale:
    """A number line of so many mm from `low` to `high`, a tick at every multiple of `step`."""

    low: float
    high: float
    step: float
    length: float

    def at(self, value: float) -> float:
        """The place of a number in mm from the left end."""
        return (value - self.low) / (self.high - self.low) * self.length

    def by(self, step: float) -> "Scale":
        """A tick at every multiple of `step`, the ends moved outwards to such ticks; 1 mm to 1."""
        low, high = (round(end / step, 9) for end in (self.low, self.high))
        ends = (float(np.floor(low)) * step, float(np.ceil(high)) * step)
        return Scale(*ends, step, ends[1] - ends[0])

    def times(self, unit: float) -> "Scale":
        """The same line, so many times as long."""
        return Scale(self.low, self.high, self.step, self.length * unit)

    def ticks(self) -> list[Tick]:
        """The ticks from left to right."""
        first, last = round(self.low / self.step), round(self.high / self.step)
        values = [round(k * self.step, 10) for k in range(first, last + 1)]
        return [Tick(value, self.at(value)) for value in values]


def scale(low: float, high: float, length: float, most: int = MOST_TICKS) -> Scale:
    """The scale with round ends around `low` and `high` and at most so many ticks."""
    steps = (round(nice * 10.0**power, 10) for power in count(-2) for nice in NICE)
    ends = ((np.floor(round(low / s, 9)), np.ceil(round(high / s, 9)), s) for s in steps)
    wide = ((first, max(last, first + 1), step) for first, last, step in ends)
    first, last, step = next(one for one in wide if one[1] - one[0] < most)
    return Scale(float(first * step), float(last * step), step, length)


def plane(table: np.ndarray, alike: Sequence[tuple[int, int]] = ()) -> tuple[int, int]:
    """The two dimensions in which rows [n, d] are drawn; the first of equals.

    Those in which no row is a mere point and the first of the pairs of rows `alike` is still
    nearest to its partner, then in which the pairs point in the most similar directions; where
    several are as good, to a tenth, those in which different rows lie furthest apart.
    """
    different = np.unique(table, axis=0)

    def seen(pair: tuple[int, int]) -> tuple[int, float, float, float, int, int]:
        flat = different[:, list(pair)]
        products = np.round(table[:, list(pair)] @ table[:, list(pair)].T, 9)
        nearest = all(products[a, b] >= np.delete(products[a], a).max() for a, b in alike[:1])
        gaps = [np.hypot(*(a - b)) for a, b in combinations(flat, 2)]
        least = round(float(min(gaps, default=0.0)), 9)
        turned = (cosine(*table[list(one)][:, list(pair)]) for one in alike)
        together = round(min(turned, default=0.0), 1)
        arrows = 2 * nearest + bool(flat.any(axis=1).all())
        return arrows, together, least, round(float((flat**2).sum()), 9), -pair[0], -pair[1]

    return max(combinations(range(table.shape[1]), 2), key=seen)


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    """That of the angle between two arrows; 0 where one has no length."""
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0


@dataclass(frozen=True)
class Plane:
    """A drawing of arrows: its scales across and upwards, and how many mm its type is high."""

    across: Scale
    up: Scale
    size: float = TYPE_MM

    @property
    def origin(self) -> tuple[float, float]:
        """Where the arrows begin, in mm, y downwards."""
        return self.tip(0.0, 0.0)

    def tip(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point in mm, y downwards."""
        return self.across.at(x), self.up.length - self.up.at(y)

    def arrows(self, words: Sequence[str], points: np.ndarray, joint: str) -> list[Arrow]:
        """Arrows to points [n, 2]; equal points share an arrow and their words are joined.

        No label leaves the drawing, lies on another one, on another tip, on a number or on the
        name of an axis, if there is a place without; nor on another arrow, if there is one that is
        so, too. Where there is none, long words are cut shorter.
        """
        shared: dict[tuple[float, float], list[str]] = defaultdict(list)
        for word, (x, y) in zip(words, points.tolist(), strict=True):
            shared[round(self.tip(x, y)[0], 2), round(self.tip(x, y)[1], 2)].append(word)
        drawn: list[Arrow] = []
        for (x, y), names in shared.items():
            others = [tip for tip in shared if tip != (x, y)]
            tips = [(a - TIP, b - TIP, a + TIP, b + TIP) for a, b in others]
            taken = [*self._written(), *tips, *(arrow.label.box for arrow in drawn)]
            lines = [box for tip in others for box in self._shaft(tip)]
            texts = [joint.join(short(name, most) for name in names) for most in SHORTER]
            places = [self._places(text, x, y) for text in texts]
            head = arrow_head(self.origin, (x, y))
            drawn.append(Arrow(x, y, head, _label(places, taken, lines)))
        return drawn

    def _shaft(self, tip: tuple[float, float]) -> list[Box]:
        """Small boxes along an arrow, so that what lies on one of them lies on the arrow."""
        (x, y), (a, b) = self.origin, tip
        boxes = int(np.hypot(a - x, b - y) / SHAFT) + 1
        places = ((x + k / boxes * (a - x), y + k / boxes * (b - y)) for k in range(boxes + 1))
        return [(s - SHAFT / 2, t - SHAFT / 2, s + SHAFT / 2, t + SHAFT / 2) for s, t in places]

    def _written(self) -> Iterator[Box]:
        """Where the numbers of the axes stand, and their names: d and its number, at the ends."""
        k, length, size = self.size / TYPE_MM, self.up.length, self.size
        for y in (length - tick.at for tick in self.up.ticks()):
            yield -7 * k, y - 2 * k, -1.0, y + 2 * k
        for tick in self.across.ticks():
            yield tick.at - 3 * k, length + k, tick.at + 3 * k, length + 5 * k
        (x, y), wide, right = self.origin, 1.1 * size, self.across.length + 4.0
        yield x + 1.4, -2.4 - 0.8 * size, x + 1.4 + wide, -1.6 + 0.2 * size
        yield right, y - 0.5 * size, right + wide, y + 0.35 * size + 1.5

    def _places(self, text: str, x: float, y: float) -> list[WordLabel]:
        """A label at each side of a tip, best first: within the drawing, if it fits there."""
        k, side = self.size / TYPE_MM, 1 if x >= round(self.origin[0], 2) else -1
        labels = [
            WordLabel(text, x + side * dx, y + k * dy, at if side > 0 else MIRRORED[at], self.size)
            for dx, dy, at in SIDES
        ]
        return [one for one in labels if one.box[0] >= LEFT and one.box[2] <= RIGHT] or labels


def short(word: str, most: int = MOST_LETTERS) -> str:
    """The word, its end cut off where it is too long for a drawing."""
    return word if len(word) <= most else word[: most - 1] + "…"


def rows_of_marks(
    places: list[tuple[str, float]], length: float, size: float = TYPE_MM
) -> list[WordLabel]:
    """Words of `size` mm above a number line; those that would touch go one line higher."""
    labels: list[WordLabel] = []
    for word, x in sorted(places, key=lambda place: place[1]):
        half = LETTER * size * len(word) / 2
        label = WordLabel(word, min(max(x, half), length - half), 0.0, "middle", size)
        while _touches(label, (other.box for other in labels)):
            label = label._replace(y=label.y - LINE * size)
        labels.append(label)
    return labels


def _label(places: list[list[WordLabel]], taken: list[Box], lines: list[Box]) -> WordLabel:
    """The first of the labels, the longest text first, that touches nothing.

    In case of need it may lie on the lines, and where no text has a place on everything.
    """
    for labels in places:
        if free := [one for one in labels if not _touches(one, taken)]:
            return next((one for one in free if not _touches(one, lines)), free[0])
    return places[0][0]


def _touches(label: WordLabel, boxes: Iterable[Box]) -> bool:
    left, top, right, bottom = label.box
    return any(left < c and a < right and top < d and b < bottom for a, b, c, d in boxes)
