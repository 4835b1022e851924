"""A self-check: each result chooses the pattern of a tile, and right ones make a picture.

A rule says which stretch of the number line has which pattern. Its borders keep away from every
right result, so that a difference that counts as right changes nothing, and lie where a usual slip
gives another pattern. Which tile is whose is mixed within a row: the picture tells no order.

Also here:

* The wrong numbers that usual slips give in a cell, and which of them a mosaic shows.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from generator.checks.exercise import Exercise
from generator.checks.usual_slips import Changes
from generator.engine.draws import draw
from generator.engine.evaluate import evaluate
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Trace
from generator.errors import require
from generator.notation.shown import shown_decimals
from generator.resources import table

SHEETS_WITH: Final = tuple(table("sheets/mosaic.toml")["sheets"])
PICTURES: Final = table("sheets/mosaic.toml")["pictures"]
FILES: Final = {"blank": "mosaic", "solution": "mosaic-solution"}  # in their names
PATTERNS: Final = ".o/x"
WIDE: Final = 8  # tiles in a row, and rows
HALF: Final = WIDE // 2
CLEAR: Final = 2  # units of the last decimal between a border and a right result, at least
STRETCH: Final = 15  # units of a stretch with a right result, at least: it tells no number
FEW: Final = 3  # cells that a row of tiles needs
TRIES: Final = 400  # ways to give out patterns
PARTS: Final = 12  # of the numbers' size: how far apart borders stand
AROUND: Final = 5  # borders below and above all right results: a single one is not in the middle
UNSIGNED: Final = frozenset(table("sheets/mosaic.toml")["unsigned"])
NEAR_BEST: Final = 0.97  # of the slips that the best picture shows, for one to be drawn


class Stretch(NamedTuple):
    """A part of the number line, up to a border (None: to its end), and its pattern."""

    until: float | None
    pattern: str


class MosaicRule(NamedTuple):
    """Which numbers of a row of a step have which pattern; tiles bear the letter."""

    letter: str
    step: str
    stretches: tuple[Stretch, ...]

    def pattern(self, value: float) -> str:
        """The pattern of a number; on a border it is the next stretch's."""
        return next(x for x in self.stretches if x.until is None or value < x.until).pattern


class MosaicTile(NamedTuple):
    """A tile with its pattern; printed where no cell decides about it, else with a name."""

    pattern: str
    name: str
    cell: Cell | None


class MosaicPicture(NamedTuple):
    """Rows of tiles, their rules in order, what the picture shows."""

    key: str
    rows: tuple[tuple[MosaicTile, ...], ...]
    rules: tuple[MosaicRule, ...]


@dataclass(frozen=True)
class Mosaic:
    """The pictures of a sheet's asked cells, which are given in the order of its page.

    `seed` draws what they show.
    """

    trace: Trace
    cells: tuple[Cell, ...]
    seed: str

    @cached_property
    def pictures(self) -> tuple[MosaicPicture, ...]:
        """As many as there are rows for, each drawn among those that show most slips."""
        rows, found = self._rows(), list[MosaicPicture]()
        count = -(-len(rows) // WIDE)
        for k in range(count):
            some = rows[k * len(rows) // count : (k + 1) * len(rows) // count]
            lots = {draw("mosaic", self.seed, key, k, 2**32): key for key in PICTURES}
            keys = [lots[lot] for lot in sorted(lots)]
            made = [self._picture(key, some) for key in keys if key not in {x.key for x in found}]
            least = NEAR_BEST * max(map(self._told, made))
            found.append(next(one for one in made if self._told(one) >= least))
        return tuple(found)

    @cached_property
    def wrong(self) -> dict[Cell, dict[str, float]]:
        """What usual slips give in place of each number, where they give one that is wrong."""
        exercise = Exercise(self.trace, self.cells)
        return {cell: dict(self._slips(exercise, cell)) for cell in self.cells}

    def seen(self, picture: MosaicPicture) -> dict[tuple[Cell, str], bool]:
        """For each slip in a cell of a picture, whether its tile shows another pattern."""
        rule = {one.letter: one for one in picture.rules}
        tiles = {tile.cell: tile for row in picture.rows for tile in row if tile.cell}
        return {(cell, key): rule[tile.name.rstrip("0123456789")].pattern(value) != tile.pattern
                for cell, tile in tiles.items()
                for key, value in self.wrong[cell].items()}  # fmt: skip

    def _told(self, picture: MosaicPicture) -> int:
        return sum(self.seen(picture).values())

    def unit(self, step: str) -> float:
        """One in the last decimal of a step."""
        return 10.0 ** -shown_decimals(self.trace[step])

    def value(self, cell: Cell) -> float:
        """The right result."""
        return float(self.trace[cell[0]].values[cell[1:]])

    def _slips(self, exercise: Exercise, cell: Cell) -> Iterator[tuple[str, float]]:
        step, right, meaning = self.trace[cell[0]], self.value(cell), exercise.meaning(cell)
        look = self.trace.values
        changes = Changes(exercise, step, lambda e: e.yes if evaluate(e.condition, look) else e.no)
        e = changes.taken(meaning)
        by_hand = {"sign": -right, "comma": right * 10, "comma_left": right / 10}
        for key, other in (*changes.others(e), *changes.operations(e)):
            try:
                by_hand[key] = float(evaluate(other, look))
            except (ArithmeticError, ValueError):
                continue  # what nobody can compute is no slip
        for key, value in by_hand.items():
            written = guarded_number(value, shown_decimals(step))
            if abs(written - right) > 1.5 * self.unit(cell[0]):
                yield key, written

    def _rows(self) -> list[list[Cell]]:
        """The cells of each row of tiles: a row of a step, short ones together with the next."""
        groups: dict[tuple[str, int], list[Cell]] = defaultdict(list)
        for cell in self.cells:
            if not self.trace[cell[0]].text:
                groups[cell[:2]].append(cell)
        rows, short = list[list[Cell]](), list[Cell]()
        for cells in groups.values():
            if len(cells) >= FEW:
                rows.append(cells[:WIDE])
                continue
            short += cells
            if len(short) >= FEW:
                rows.append(short)
                short = []
        return [*rows, short] if short else rows

    def _picture(self, key: str, rows: Sequence[Sequence[Cell]]) -> MosaicPicture:
        first, tiles, rules = (WIDE - len(rows) + 1) // 2, [], list[MosaicRule]()
        for r, half in enumerate(PICTURES[key]):
            whole = [MosaicTile(pattern, "", None) for pattern in half + half[::-1]]
            if 0 <= r - first < len(rows):
                made = MosaicRow(self, tuple(rows[r - first]), half, len(rules))
                rules += made.rules
                whole = made.tiles
            tiles.append(tuple(whole))
        return MosaicPicture(key, tuple(tiles), tuple(rules))


def require_some(asked: bool, sheets: Iterable[str]) -> None:
    """Raise a `UserError` where mosaics are asked for and none of the sheets has one."""
    known = ", ".join(SHEETS_WITH)
    require(not asked or {*SHEETS_WITH} & {*sheets}, "make.mosaic", known=known)


Cluster = tuple[Cell, ...]  # cells whose numbers lie too near each other for a border


@dataclass(frozen=True)
class MosaicRow:
    """A row of tiles: who has which, and the rules of its steps. `before` rules bear letters."""

    mosaic: Mosaic
    cells: tuple[Cell, ...]
    half: str
    before: int

    @property
    def places(self) -> list[tuple[int, ...]]:
        """The columns of each tile to give out: few cells have two each, one in either half."""
        if len(self.cells) <= HALF:
            return [(k, WIDE - 1 - k) for k in range(HALF - len(self.cells), HALF)]
        first = (WIDE - len(self.cells)) // 2
        return [(first + k,) for k in range(len(self.cells))]

    @property
    def whole(self) -> str:
        """The patterns of the row in the picture."""
        return self.half + self.half[::-1]

    @cached_property
    def groups(self) -> list[tuple[tuple[str, int], list[Cell]]]:
        """The cells by the row of the step that they belong to."""
        found: dict[tuple[str, int], list[Cell]] = defaultdict(list)
        for cell in self.cells:
            found[cell[:2]].append(cell)
        return list(found.items())

    @cached_property
    def lines(self) -> list["NumberLine"]:
        """The number line of each of them."""
        return [NumberLine(self.mosaic, tuple(cells)) for _, cells in self.groups]

    @cached_property
    def given(self) -> dict[Cell, str]:
        """The pattern of each cell that decides about a tile, so that most slips are seen."""
        clusters = [one for line in self.lines for one in line.clusters]
        room = Counter(self.whole[place[0]] for place in self.places)
        while True:
            ways = list(_ways([len(one) for one in clusters], dict(room)))
            if ways:
                best = min(ways, key=lambda way: self._missed(clusters, way))
                return {cell: pattern for cluster, pattern in zip(clusters, best, strict=True)
                        for cell in cluster}  # fmt: skip
            largest = max(range(len(clusters)), key=lambda k: len(clusters[k]))
            clusters[largest] = clusters[largest][:-1]  # its tile is printed

    def _missed(self, clusters: Sequence[Cluster], way: Sequence[str]) -> int:
        """How many slips end in another stretch of the same pattern."""
        pattern = {cell: p for cluster, p in zip(clusters, way, strict=True) for cell in cluster}
        return sum(line.missed(pattern) for line in self.lines)

    @cached_property
    def rules(self) -> list[MosaicRule]:
        """The rule of each step."""
        return [MosaicRule(chr(ord("A") + self.before + k), step, line.rule(self.given))
                for k, (((step, _), _), line) in enumerate(
                    zip(self.groups, self.lines, strict=True))]  # fmt: skip

    @property
    def tiles(self) -> list[MosaicTile]:
        """The tiles from left to right."""
        tiles = [MosaicTile(pattern, "", None) for pattern in self.whole]
        free = list(self.places)
        for rule, (_, cells) in zip(self.rules, self.groups, strict=True):
            for cell in (one for one in cells if one in self.given):
                fits = [place for place in free if self.whole[place[0]] == self.given[cell]]
                place = fits[draw("mosaic.tile", self.mosaic.seed, f"{cell}", 0, len(fits))]
                free.remove(place)
                wide = self.mosaic.trace[cell[0]].shape[1] > 1
                name = f"{rule.letter}{cell[2] + 1 if wide else ''}"
                for column in place:
                    tiles[column] = MosaicTile(self.given[cell], name, cell)
        return tiles


def _ways(sizes: Sequence[int], room: dict[str, int]) -> Iterator[tuple[str, ...]]:
    """Ways to give each cluster one pattern of which there are tiles enough, the first `TRIES`."""
    found = 0

    def give(k: int, way: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        nonlocal found
        if k == len(sizes):
            found += 1
            yield way
            return
        for pattern in sorted(room):
            if found < TRIES and room[pattern] >= sizes[k]:
                room[pattern] -= sizes[k]
                yield from give(k + 1, (*way, pattern))
                room[pattern] += sizes[k]

    yield from give(0, ())


@dataclass(frozen=True)
class NumberLine:
    """The right results of a row of a step, and the borders between and around them."""

    mosaic: Mosaic
    cells: Cluster

    @property
    def unit(self) -> float:
        """One in the last decimal."""
        return self.mosaic.unit(self.cells[0][0])

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Cells that share a stretch, from the smallest number on."""
        value = self.mosaic.value
        ordered = sorted(self.cells, key=lambda cell: (value(cell), cell))
        found, last = [[ordered[0]]], float("-inf")
        for a, b in pairwise(ordered):
            border = self._border(value(a), value(b))
            if border is None or border - last < STRETCH * self.unit:
                found[-1].append(b)
            else:
                found.append([b])
                last = border
        return [tuple(one) for one in found]

    @cached_property
    def borders(self) -> list[float]:
        """All borders, also those around what no right result reaches."""
        ends = [(self.mosaic.value(one[0]), self.mosaic.value(one[-1])) for one in self.clusters]
        low, high = ends[0][0], ends[-1][1]
        step = max(STRETCH * self.unit, max(high - low, abs(high), abs(low)) / PARTS)
        below = 1 + draw("mosaic.line", self.mosaic.seed, f"{self.cells[0]}", 0, AROUND - 1)
        end = 0.0 if self.cells[0][0].rpartition(".")[2] in UNSIGNED else float("-inf")
        found = [self._border(max(end, low - (k + 1) * step), low - k * step) for k in range(below)]
        for (_, a), (b, _) in pairwise(ends):
            wide = b - a > 2 * step
            cuts = [(a, a + step), (b - step, b)] if wide else [(a, b)]
            found += [self._border(*cut) for cut in cuts]
        above = range(AROUND - below)
        found += [self._border(high + k * step, high + (k + 1) * step) for k in above]
        return sorted({one for one in found if one is not None})

    def _border(self, low: float, high: float) -> float | None:
        """The shortest number between two, not near either; None where there is none."""
        unit = self.unit
        first, last = round(low / unit) + CLEAR, round(high / unit) - CLEAR
        size = 10 ** len(str(abs(last - first)))
        while size >= 1:
            for by in (size, size // 2, size // 5):
                fits = range(-(-first // by) * by, last + 1, by) if by else ()
                if fits:
                    return round(min(fits, key=lambda x: abs(2 * x - first - last)) * unit, 9)
            size //= 10
        return None

    def _at(self, value: float) -> int:
        return sum(border <= value for border in self.borders)

    @cached_property
    def owners(self) -> dict[int, Cluster]:
        """The stretches with right results."""
        return {self._at(self.mosaic.value(one[0])): one for one in self.clusters}

    @cached_property
    def ends(self) -> list[tuple[Cell, int]]:
        """Each slip's cell and the stretch that its number is in."""
        wrong = self.mosaic.wrong
        return [(cell, self._at(x)) for cell in self.cells for x in wrong[cell].values()]

    def missed(self, pattern: Mapping[Cell, str]) -> int:
        """How many slips end in another's stretch that has the same pattern."""
        own = {k: pattern.get(one[0], "") for k, one in self.owners.items()}
        return sum(k in own and own[k] == pattern.get(cell) for cell, k in self.ends)

    def rule(self, pattern: Mapping[Cell, str]) -> tuple[Stretch, ...]:
        """The stretches: those without a right result have the pattern that fewest slips want."""
        patterns = [""] * (len(self.borders) + 1)
        for k, cluster in self.owners.items():
            patterns[k] = pattern.get(cluster[0], "")
        for k, known in enumerate(patterns):
            if not known:
                beside = {*patterns[max(0, k - 1) : k], *patterns[k + 1 : k + 2]}
                reached = Counter(pattern.get(cell) for cell, at in self.ends if at == k)
                free = [one for one in PATTERNS if one not in beside]
                used = Counter(patterns)
                patterns[k] = min(free, key=lambda one: (reached[one], used[one]))
        return tuple(_joined(zip([*self.borders, None], patterns, strict=True)))


def _joined(stretches: Iterable[tuple[float | None, str]]) -> list[Stretch]:
    """Stretches without a border between two of one pattern."""
    found = list[Stretch]()
    for until, pattern in stretches:
        if found and found[-1].pattern == pattern:
            found.pop()
        found.append(Stretch(until, pattern))
    return found
