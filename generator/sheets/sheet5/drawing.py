"""Where the tables and drawings of sheet 5 have their columns, ticks and boxes, in millimetres."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from generator.sheets.geometry import PAGE, Grid, Scheme, grid

GAP = 6.4  # an arrow between two boxes of the block
FIRST, START, END = 13.5, 6.5, 14  # the first box, the first skip, the room for both ends
PLUS, AFTER_PLUS, AFTER_NORM = 4.5, 10.4, 2.6
PAPER = 170


def stage(width: int, large: bool) -> Grid:
    """The table of one add & norm."""
    label = 47 if large else 36
    return grid(label, width, 128 - label, 26, rest=42)


def expanding(width: int, columns: int) -> Scheme:
    """The first product of the network, with so many of its columns side by side."""
    given = min(14, 78 / width)
    return Scheme(width, columns, given, min(22, (PAGE - width * given) / columns))


def shrinking(hidden: int, width: int) -> Scheme:
    """The second product of the network."""
    result = min(16, 58 / width) if width < 5 else 11.6
    return Scheme(hidden, width, min(16, (PAGE - width * result) / hidden), result)


def board(width: int) -> Grid:
    """The rows of all tokens, twice."""
    return Grid(36, 2 * width, min(12, 66 / width))


class Axis(NamedTuple):
    """A horizontal axis with whole numbers from low to high; `long` is how far it reaches."""

    x: int
    y: int
    low: int
    high: int
    long: int

    def at(self, value: float) -> float:
        """The place of a number."""
        return self.x + (value - self.low) * self.unit

    @property
    def unit(self) -> float:
        """The length of 1."""
        return self.long / (self.high - self.low)

    @property
    def wholes(self) -> range:
        """The numbers below it."""
        return range(self.low, self.high + 1)

    def ticks(self) -> Iterator[tuple[float, float]]:
        """The place and the height of each small tick."""
        parts = 10 if self.high - self.low <= 7 else 2
        for k in range((self.high - self.low) * parts + 1):
            yield self.x + k * self.unit / parts, 1.2 if 2 * k % parts == 0 else 0.8


class Part(NamedTuple):
    """A box of the block diagram: its phrase, its number on the sheet, its place and width."""

    key: str
    part: int
    x: float
    width: float

    @property
    def middle(self) -> float:
        """Where its text stands."""
        return self.x + (PLUS if self.key == "add" else self.width / 2)


class Block(NamedTuple):
    """The block diagram: its boxes, where the last arrow begins, the skips from tap to plus."""

    parts: tuple[Part, ...]
    end: float
    skips: tuple[tuple[float, float], ...]

    @property
    def width(self) -> float:
        """The width of the drawing."""
        return max(END + math.fsum(part.width + GAP for part in self.parts), PAPER)


def block(nodes: tuple[tuple[str, int], ...], pre: bool, large: bool) -> Block:
    """The boxes from left to right; before each part of a pre-norm block the old row is tapped."""
    wide = {"attention": 33 if large else 29, "network": 33, "norm": 17, "add": 9}
    parts, x = [], FIRST
    for key, number in nodes:
        parts.append(Part(key, number, x, wide[key]))
        x = x + wide[key] + GAP
    plus = [part.middle for part in parts if part.key == "add"]
    if pre:
        taps = [part.x + AFTER_PLUS for part in parts if part.key == "add"]
    else:
        taps = [part.x + part.width + AFTER_NORM for part in parts if part.key == "norm"]
    return Block(tuple(parts), x, tuple(zip([START, *taps], plus, strict=False)))
