"""Places of drawings of given numbers: arrows in a plane, marks on a number line."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

TYPE_MM, LARGE_MM = 3.4, 4.3  # large print is enlarged by 1.5 afterwards: 4.3 mm become 18 pt
LETTER, LINE = 0.574, 1.12  # a letter's mean width, a line's height, in units of the type
LEFT, RIGHT = -9.0, 69.0  # the edges of the drawing of arrows
TIP = 1.2  # half a tip with the room around it
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
    """An arrow from the origin to its tip, with the words that share it."""

    x: float
    y: float
    label: WordLabel


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

    def drawn(self, step: float, unit: float) -> "Scale":
        """The same ends, a tick at every multiple of `step`, so many mm to 1."""
        return Scale(self.low, self.high, step, (self.high - self.low) * unit)

    def ticks(self) -> list[Tick]:
        """The ticks from left to right."""
        first, last = round(self.low / self.step), round(self.high / self.step)
        values = [round(k * self.step, 10) for k in range(first, last + 1)]
        return [Tick(value, self.at(value)) for value in values]


def scale(low: float, high: float, length: float, most: int = MOST_TICKS) -> Scale:
    """The scale with round ends around `low` and `high` and at most so many ticks."""
    for step in _steps():
        first, last = np.floor(round(low / step, 9)), np.ceil(round(high / step, 9))
        last = max(last, first + 1)
        if last - first < most:
            return Scale(float(first * step), float(last * step), step, length)
    raise AssertionError("steps grow without end")


def _steps() -> Iterator[float]:
    power = -2
    while True:
        yield from (round(nice * 10.0**power, 10) for nice in NICE)
        power += 1


def plane(table: np.ndarray) -> tuple[int, int]:
    """The two dimensions in which different rows [n, d] lie furthest apart; the first of equals."""
    different = np.unique(table, axis=0)

    def apart(pair: tuple[int, int]) -> tuple[float, float, int, int]:
        flat = different[:, list(pair)]
        gaps = [np.hypot(*(a - b)) for a, b in combinations(flat, 2)]
        least = round(float(min(gaps, default=0.0)), 9)
        return least, round(float((flat**2).sum()), 9), -pair[0], -pair[1]

    return max(combinations(range(table.shape[1]), 2), key=apart)


def arrows(
    words: tuple[str, ...],
    points: np.ndarray,
    across: Scale,
    up: Scale,
    joint: str,
    size: float = TYPE_MM,
) -> list[Arrow]:
    """Arrows to points [n, 2] in mm (y downwards), words of `size` mm; equal points share an arrow.

    No label leaves the drawing, lies on another one, on another tip, on a number or on the name of
    an axis, if there is a place without; nor on another arrow, if there is one that is so, too.
    Where there is none, long words are cut shorter.
    """
    shared: dict[tuple[float, float], list[str]] = {}
    for word, (x, y) in zip(words, points.tolist(), strict=True):
        tip = (round(across.at(x), 2), round(up.length - up.at(y), 2))
        shared.setdefault(tip, []).append(word)
    drawn: list[Arrow] = []
    start = (across.at(0.0), up.length - up.at(0.0))
    written = [*_numbers(across, up, size / TYPE_MM), *_names(across, up, size)]
    for (x, y), names in shared.items():
        tips = [(a - TIP, b - TIP, a + TIP, b + TIP) for a, b in shared if (a, b) != (x, y)]
        taken = [*written, *tips, *(arrow.label.box for arrow in drawn)]
        side = 1 if x >= round(start[0], 2) else -1
        lines = [box for tip in shared if tip != (x, y) for box in _shaft(start, tip)]
        texts = [joint.join(short(name, most) for name in names) for most in SHORTER]
        drawn.append(Arrow(x, y, _label(texts, x, y, side, size, (taken, lines))))
    return drawn


def _shaft(start: tuple[float, float], tip: tuple[float, float]) -> list[Box]:
    """Small boxes along an arrow, so that what lies on one of them lies on the arrow."""
    (x, y), (a, b) = start, tip
    count = int(np.hypot(a - x, b - y) / SHAFT) + 1
    places = ((x + k / count * (a - x), y + k / count * (b - y)) for k in range(count + 1))
    return [(s - SHAFT / 2, t - SHAFT / 2, s + SHAFT / 2, t + SHAFT / 2) for s, t in places]


def _numbers(across: Scale, up: Scale, k: float) -> list[Box]:
    """Where the numbers of the axes stand, in type `k` times as large as usual."""
    left = [(-7 * k, y - 2 * k, -1.0, y + 2 * k) for y in (up.length - t.at for t in up.ticks())]
    below = [(t.at - 3 * k, up.length + k, t.at + 3 * k, up.length + 5 * k) for t in across.ticks()]
    return left + below


def _names(across: Scale, up: Scale, size: float) -> list[Box]:
    """Where the names of the axes stand: d and its number, beside the ends of the axes."""
    x, y, wide = across.at(0.0) + 1.4, up.length - up.at(0.0), 1.1 * size
    right = across.length + 4.0
    above = (x, -2.4 - 0.8 * size, x + wide, -1.6 + 0.2 * size)
    return [above, (right, y - 0.5 * size, right + wide, y + 0.35 * size + 1.5)]


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
        while any(_touch(label.box, other.box) for other in labels):
            label = label._replace(y=label.y - LINE * size)
        labels.append(label)
    return labels


def _label(
    texts: list[str], x: float, y: float, side: int, size: float, kept: tuple[list[Box], list[Box]]
) -> WordLabel:
    """Where a label stands: free of `kept`, with the first of the texts that has such a place.

    In case of need the second of `kept` are given up, and where no text has a place all.
    """
    taken, lines = kept
    for text in texts:
        free = [
            one
            for one in _places(text, x, y, side, size)
            if not any(_touch(one.box, other) for other in taken)
        ]
        if free:
            clear = (one for one in free if not any(_touch(one.box, other) for other in lines))
            return next(clear, free[0])
    return _places(texts[0], x, y, side, size)[0]


def _places(text: str, x: float, y: float, side: int, size: float) -> list[WordLabel]:
    """A label at each side of a tip, best first: within the drawing, if it fits there at all."""
    k = size / TYPE_MM
    labels = [
        WordLabel(text, x + side * dx, y + k * dy, anchor if side > 0 else MIRRORED[anchor], size)
        for dx, dy, anchor in SIDES
    ]
    return [one for one in labels if one.box[0] >= LEFT and one.box[2] <= RIGHT] or labels


def _touch(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
