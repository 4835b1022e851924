"""The wall: a column a word, a band a step, as one poster and as A4 tiles that make it.

A tile is a window on the poster: what lies across a seam is drawn on both sides of it at the same
place, so that lines meet.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from generator.locales.catalogue import Catalogue
from generator.resources import table
from generator.room.cut import Room
from generator.room.spots import RoomNumbers, vector_step

WIDE: Final = 190.0  # mm of a column, and of a tile within its margins
HIGH: Final = 277.0
MARGIN: Final = 10.0
BANDS: Mapping[str, float] = table("room/room.toml")["bands"]
CROSSING: Final = ("key", "value")  # bands whose numbers go to other columns
LABEL: Final = 9.0
SIDE: Final = 12.0
MOST_BOX: Final = 41.0
RAIL: Final = 9.0  # of a line from the lower end of its band
DOWN: Final = 16.0
THICK: Final = 1.4
ARROW: Final = 6.0
BAR: Final = 100.0  # mm for a share of 1


class Item(NamedTuple):
    """Something on the wall: where, how large, its kind and text, the height of its type in mm."""

    x: float
    y: float
    w: float
    h: float
    kind: str
    text: str = ""
    size: float = 0.0


class WallTile(NamedTuple):
    """One sheet of A4: its row and column from 1, its offset on the poster, what is on it."""

    row: int
    column: int
    x: float
    y: float
    items: Sequence[Item]


@dataclass(frozen=True, eq=False)
class Wall:
    """The poster of a room, with numbers where solved."""

    room: Room
    numbers: RoomNumbers
    catalogue: Catalogue

    @property
    def width(self) -> float:
        """Of the whole poster, mm."""
        return WIDE * len(self.room.work.trace.tokens)

    @property
    def height(self) -> float:
        """Of the whole poster, mm."""
        return sum(BANDS.values())

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All that is on it."""
        return tuple(self._items())

    @cached_property
    def tiles(self) -> list[WallTile]:
        """The sheets of A4, row by row."""
        rows, columns = round(self.height / HIGH), round(self.width / WIDE)
        return [self._tile(r, c) for r in range(rows) for c in range(columns)]

    def _tile(self, r: int, c: int) -> WallTile:
        x, y = c * WIDE, r * HIGH
        inside = [
            one for one in self.items
            if one.x < x + WIDE and one.x + one.w > x and one.y < y + HIGH and one.y + one.h > y
        ]  # fmt: skip
        return WallTile(r + 1, c + 1, x, y, inside)

    def _items(self) -> Iterator[Item]:
        top, columns = 0.0, range(len(self.room.work.trace.tokens))
        for band, height in BANDS.items():
            yield Item(0, top, self.width, 0.6, "rule")
            for i in columns:
                label = self.catalogue.t(f"room.band.{band}")
                yield Item(WIDE * i + SIDE, top + 2, WIDE * 0.7, LABEL, "label", label, 6.5)
                yield from self._column(band, i, WIDE * i, top, height)
            if band in CROSSING:
                yield from self._rail(top + height - RAIL)
            top += height
        for i in columns[1:]:
            yield Item(WIDE * i, 0, 0.6, self.height, "rule")
        for i in columns:  # from each value down to the shares, over the seam
            x = WIDE * (i + 1) - DOWN
            yield Item(x, HIGH - RAIL, THICK, RAIL + 4, "rail")
            yield Item(x + (THICK - ARROW) / 2, HIGH + 4, ARROW, ARROW, "down")

    def _rail(self, y: float) -> Iterator[Item]:
        """The line on which keys and values go to the right, with an arrow into each column."""
        yield Item(WIDE / 2, y, self.width - WIDE, THICK, "rail")
        for i in range(1, len(self.room.work.trace.tokens)):
            yield Item(WIDE * i + 2, y + THICK / 2 - ARROW / 2, ARROW, ARROW, "right")

    def _column(self, band: str, i: int, left: float, top: float, high: float) -> Iterator[Item]:
        trace = self.room.work.trace
        heads = range(1, trace.preset.heads + 1)
        if band == "arcs":
            yield Item(left + WIDE / 2 - 2, top + high - 6, 4, 4, "dot")
        elif band == "words":
            size = min(26.0, 270.0 / max(6, len(trace.tokens[i])))
            yield Item(left + 4, top + 8, WIDE - 8, high - 10, "word", trace.tokens[i], size)
            yield Item(left + WIDE - 40, top + 2, 34, LABEL, "aside",
                       self.catalogue.t("room.table", table=i + 1), 7.0)  # fmt: skip
        elif band == "input":
            texts = [self.numbers.given("input", i, j) for j in range(trace.preset.d_model)]
            yield from self._boxes(texts, left, top + LABEL + 3, high - LABEL - 6, "given")
        elif band in CROSSING:
            each = (high - LABEL - 6) / len(heads)
            for h in heads:
                name = f"block1.head{h}.{band}"
                y = top + LABEL + 3 + (h - 1) * each
                texts = [self.numbers.answer((name, i, j)) for j in range(trace[name].shape[1])]
                yield from self._boxes(texts, left, y, min(44.0, each - RAIL - 2), "box",
                                       f"H{h}" if len(heads) > 1 else "")  # fmt: skip
        elif band == "weights":
            yield from self._weights(i, left, top, high)
        elif band == "vector":
            name = vector_step(trace)
            texts = [self.numbers.answer((name, i, j)) for j in range(trace[name].shape[1])]
            yield from self._boxes(texts, left, top + LABEL + 6, 30, "box")
        else:
            text = ""
            if self.numbers.solved:
                text = str(trace["output.all.next"].values[i, 0])
            yield Item(left + SIDE, top + LABEL + 6, WIDE - 2 * SIDE - 8, 34, "box", text, 16.0)

    def _weights(self, i: int, left: float, top: float, high: float) -> Iterator[Item]:
        """A line a token that is looked at: its share, and an axis for a bar of 10 cm."""
        work, tokens = self.room.work, self.room.work.trace.tokens
        heads = range(1, work.trace.preset.heads + 1)
        each = min(36.0, (high - LABEL - 4) / (len(tokens) * len(heads)))
        y = top + LABEL + 3
        for h in heads:
            for _, _, j in work.row_of(f"block1.head{h}.weights", i):
                cell = (f"block1.head{h}.weights", i, j)
                name = f"H{h} " * (len(heads) > 1) + tokens[j]
                yield Item(left + 5, y, 42, each - 3, "name", name, min(7.0, each * 0.42))
                text = self.numbers.answer(cell)
                yield Item(left + 48, y, 26, each - 3, "box", text, min(8.0, each * 0.45))
                yield Item(left + 78, y + each - 4, BAR, 0.8, "axis")
                if self.numbers.solved:
                    share = float(work.trace[cell[0]].values[i, j])
                    yield Item(left + 78, y + 1, BAR * share, each - 6, "bar")
                y += each

    def _boxes(
        self, texts: Sequence[str], left: float, y: float, h: float, kind: str, name: str = ""
    ) -> Iterator[Item]:
        w = min(MOST_BOX, (WIDE - 2 * SIDE) / len(texts))
        if name:
            yield Item(left + 3, y, 9, h, "name", name, 5.5)
        for k, text in enumerate(texts):
            yield Item(left + SIDE + k * w, y, w - 3, h, kind, text, min(12.0, w * 0.3))

    @cached_property
    def looks(self) -> list[tuple[int, int]]:
        """Who looks most at whom: for each column the column, where the room is solved."""
        trace = self.room.work.trace
        if not self.numbers.solved:
            return []
        shares = trace["block1.head1.weights"].values
        return [(i, int(shares[i].argmax())) for i in range(len(trace.tokens))]
