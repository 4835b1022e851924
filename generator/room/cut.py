"""Who computes what: a table is a token, a pair does its row or half of its columns.

Only what a step's expression refers to is needed before it, so the cut asks the Trace and knows no
formula of its own.

Also here:

* What a cell is made from, as far as somebody in the room computes it: what is given, hidden by the
  mask, multiplied by a given 0 or only copied is passed over.
* Seconds for a cell, by its operation and by how many terms it has.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from generator.engine.activations import ACTIVATIONS
from generator.engine.evaluate import evaluate
from generator.engine.expr import Area, Dot, Expr, Ref, inside
from generator.engine.ops import attention, copying, feedforward, linear
from generator.engine.predict import drawing_row
from generator.engine.rounding import guarded_number
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.errors import require
from generator.insight.attention import is_identity
from generator.notation.shown import MOST_DECIMALS, shown_decimals
from generator.notation.worked import is_masked
from generator.resources import table
from generator.sheets.attending import visible_to
from generator.sheets.plan import seconds

ALL_LOGITS: Final = "output.all.logits"
LOGITS: Final = "output.logits"
PROBABILITIES: Final = "output.probabilities"
FINALE: Final = "finale"
HEARD: Final = ("key", "value")  # what other tables read off the wall
LETTERS: Final = "abc"
TINY: Final = 1e-9

Terms = list[tuple[Expr, Expr]]


class RoomPair(NamedTuple):
    """Two pupils, or one alone, who compute the same: their tables from 0, their share of a row."""

    name: str
    tables: tuple[int, ...]
    share: int
    shares: int


class Leg(NamedTuple):
    """What a pair computes in one go: cells of one row of one step, on one card."""

    pair: int
    row: int
    step: str
    cells: tuple[Cell, ...]


def stage_of(step: Step) -> str:
    """The part of the card and of the wall that a step belongs to, "" for one that is not shown."""
    place, stages = step.place, table("room/room.toml")["stages"]
    stage = next((name for name, kinds in stages.items() if place.kind in kinds), "")
    return "think" if stage == "mix" and place.number == 2 else stage


@dataclass(frozen=True, eq=False)
class RoomWork:
    """All that a room computes of a Trace: its cells, what each needs, seconds for each."""

    trace: Trace
    mental: bool = False

    def __post_init__(self) -> None:
        """Raise a `UserError` for a computation that no room can do."""
        trace, preset = self.trace, self.trace.preset
        most = table("room/room.toml")["most"]
        require(PROBABILITIES in trace, "room.word", preset=preset)
        plain = preset.blocks == 1 and preset.norm != "pre" and not preset.final_norm
        by_hand = ACTIVATIONS[preset.activation].crosses_out
        sees_back = "attention" in preset.parts and preset.mask == "causal"
        require(plain and sees_back and by_hand, "room.deep", preset=preset)
        require(not self.mental or preset.softmax_base, "room.head", preset=preset)
        sizes = {"tokens": len(trace.tokens), "words": len(trace["vocabulary.words"].values),
                 "d_model": preset.d_model, "d_ff": preset.d_ff, "heads": preset.heads}  # fmt: skip
        for name, size in sizes.items():
            require(size <= most[name], "room.wide", preset=preset, name=name, size=size,
                    most=most[name])  # fmt: skip
        require(sizes["tokens"] > 1, "room.tokens", preset=preset)

    @cached_property
    def last(self) -> int:
        """The table whose word is the room's."""
        return len(self.trace.tokens) - 1

    @cached_property
    def cells(self) -> dict[Cell, frozenset[Cell]]:
        """Every cell that somebody computes, in order, with those that it is made from."""
        return {cell: self._made_from(cell) for step in self.trace for cell in self._of(step)}

    @cached_property
    def steps(self) -> dict[str, str]:
        """The steps that somebody computes, in order, each with its stage."""
        return {name: stage_of(self.trace[name]) for name, _, _ in self.cells}

    def row(self, cell: Cell) -> int:
        """The table that a cell belongs to."""
        name, i, _ = cell
        return self.last if self.trace[name].place.tempered and name != ALL_LOGITS else i

    def row_of(self, name: str, i: int) -> list[Cell]:
        """The cells of a row of a step that somebody computes."""
        return self._rows_of.get((name, i), [])

    @cached_property
    def _rows_of(self) -> dict[tuple[str, int], list[Cell]]:
        found: dict[tuple[str, int], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(cell[:2], []).append(cell)
        return found

    def seconds(self, cells: Iterable[Cell]) -> float:
        """Seconds of the class's median for some cells."""
        return sum(map(self._practised, cells)) * seconds()["class_median"]

    def terms(self, cell: Cell) -> Terms:
        """The products of a cell that is a sum of such, without those that are 0 by what is given.

        Empty for any other cell.
        """
        return next((self._pairs(part) for part in inside(self.trace.cell(*cell))
                     if isinstance(part, Dot)), [])  # fmt: skip

    def is_cut(self, cell: Cell) -> bool:
        """Whether rounding can change a cell, by the decimals of what it is made from.

        Where all of that is printed on the card the exact number decides.
        """
        step = self.trace[cell[0]]
        if not step.rounded or step.decimals is None:
            return False
        refs = [ref for term in self.terms(cell) for ref in term if isinstance(ref, Ref)]
        if not refs:
            return not isinstance(step.op, linear.Plus)
        if not self.cells[cell]:
            whole = step.op.cell(*cell[1:], *self.trace.operands(step))
            exact = float(evaluate(whole, self.trace.values))
            return abs(exact - guarded_number(exact, step.decimals)) > TINY
        known = [sum(self._decimals(ref) for ref in term if isinstance(ref, Ref))
                 for term in self.terms(cell)]  # fmt: skip
        return max(known) > step.decimals

    def _decimals(self, ref: Ref) -> int:
        """Decimals of a factor: of a given one its own, of a computed one its step's."""
        step = self.trace[ref.step]
        if step.kind != "given" and step.place.kind != "input":
            return shown_decimals(step)
        text = f"{float(step.values[ref.i, ref.j]):.{MOST_DECIMALS}f}".rstrip("0")
        return len(text.partition(".")[2])

    def origin(self, ref: Ref) -> Ref:
        """Where a number that is only copied comes from: a head's output behind the joined row."""
        step = self.trace[ref.step]
        if step.kind == "given" or not self._is_free(step):
            return ref
        within = inside(self.trace.cell(step.name, ref.i, ref.j))
        pairs = next((self._pairs(part) for part in within if isinstance(part, Dot)), None)
        refs = [a for a, _ in pairs] if pairs is not None else [
            part for part in inside(self.trace.cell(step.name, ref.i, ref.j))
            if isinstance(part, Ref)
        ]  # fmt: skip
        return self.origin(refs[0]) if refs and isinstance(refs[0], Ref) else ref

    # Which cells there are.

    def _of(self, step: Step) -> Iterator[Cell]:
        if step.kind == "given" or step.text or step.place.round > 1 or step.place.learning:
            return
        if not stage_of(step) or self._is_free(step):
            return
        for i in self._rows(step):
            for j in range(step.shape[1]):
                if not self.is_hidden(step, i, j):
                    yield step.name, i, j

    def is_hidden(self, step: Step, i: int, j: int) -> bool:
        """Whether the mask hides a cell: a score that nobody needs is asked of nobody."""
        if step.place.kind in ("scores", "scaled"):
            return j not in visible_to(self.trace, i)
        return is_masked(self.trace, step.name, i, j)

    def _rows(self, step: Step) -> Iterable[int]:
        if step.name == ALL_LOGITS:
            return range(self.last)  # the last row stands as the room's own logits
        if step.place.tempered and step.name != LOGITS:
            return [self._temperature]
        return range(step.shape[0])

    def row_of_step(self, name: str) -> int:
        """The row of a step of the finale that is computed: that of the temperature drawn with."""
        return next(i for step, i, _ in self.cells if step == name)

    @cached_property
    def _temperature(self) -> int:
        return drawing_row(self.trace.preset)

    def _is_free(self, step: Step) -> bool:
        """Whether nobody computes it: it is copied, or taken times 1."""
        if isinstance(step.op, linear.OverEach):
            return float(self.trace["temperature"].values[self._temperature, 0]) == 1.0
        if isinstance(step.op, linear.MatMul) and step.place.kind == "attention":
            weight, *bias = step.inputs[1:]
            return is_identity(self.trace[weight].values) and not bias
        return isinstance(step.op, copying.Concat | attention.Masked | copying.SelectRow)

    # What they are made from.

    def _made_from(self, cell: Cell) -> frozenset[Cell]:
        return frozenset(self._sources(self.trace.cell(*cell)))

    def _sources(self, expression: Expr) -> Iterator[Cell]:
        if isinstance(expression, Dot):
            for pair in self._pairs(expression):
                for one in pair:
                    yield from self._sources(one)
            return
        within = [part for part in inside(expression) if part is not expression]
        dots = [part for part in within if isinstance(part, Dot)]
        covered = {id(part) for dot in dots for part in inside(dot)}
        for dot in dots:
            yield from self._sources(dot)
        for part in (expression, *within):
            if id(part) not in covered and isinstance(part, Ref | Area):
                for ref in part.cells():
                    yield from self._source(ref)

    def _source(self, ref: Ref) -> Iterator[Cell]:
        step = self.trace[ref.step]
        cell = (step.name, ref.i, ref.j)
        if step.kind == "given" or step.text or is_masked(self.trace, *cell):
            return
        if stage_of(step) and not self._is_free(step):
            yield cell
        elif not isinstance(step.op, attention.Mask) and step.place.kind not in GIVEN_HERE:
            yield from self._sources(self.trace.cell(*cell))

    def _pairs(self, dot: Dot) -> Terms:
        both = zip(dot.left.cells(), dot.right.cells(), strict=True)
        return [(a, b) for a, b in both if not (self.is_nothing(a) or self.is_nothing(b))]

    def is_nothing(self, ref: Ref) -> bool:
        """Whether a factor is 0 whatever anybody computes, or hidden by the mask."""
        step = self.trace[ref.step]
        cell = (step.name, ref.i, ref.j)
        if step.kind == "given" or step.place.kind in GIVEN_HERE:
            return bool(step.values[ref.i, ref.j] == 0)
        if is_masked(self.trace, *cell):
            return True
        if cell not in self._zeros:
            self._zeros[cell] = self._stays_zero(step, cell)
        return self._zeros[cell]

    @cached_property
    def _zeros(self) -> dict[Cell, bool]:
        return {}

    def _stays_zero(self, step: Step, cell: Cell) -> bool:
        """Whether all that is added in a cell is 0 by given numbers."""
        if isinstance(step.op, linear.MatMul | linear.MatMulT):
            bias = [Ref(name, 0, cell[2]) for name in step.inputs[2:]]
            return not self.terms(cell) and all(map(self.is_nothing, bias))
        if isinstance(step.op, linear.Plus | copying.SelectRow | copying.Concat):
            refs = [part for part in inside(self.trace.cell(*cell)) if isinstance(part, Ref)]
            return all(map(self.is_nothing, refs))
        return False

    # How long they take.

    def _practised(self, cell: Cell) -> float:
        step = self.trace[cell[0]]
        known = next((of for op, of in COSTS.items() if type(step.op) is op), None)
        require(known, "room.step", preset=self.trace.preset, step=step.name)
        return sum(self.second(kind) * count for kind, count in (known or _none)(self, cell))

    def second(self, kind: str) -> float:
        """Practised seconds for one of a kind, in the head where the form has no calculators."""
        mental = f"mental_{kind}"
        return seconds()[mental if self.mental and mental in seconds() else kind]

    def width(self, cell: Cell) -> int:
        """How many numbers of its own row a cell is made from, by what stands before it."""
        return len(self._made_from(cell)) or self.trace[cell[0]].shape[1]


GIVEN_HERE: Final = ("input", "embedding", "position", "ids", "onehot", "scale")  # on each card
Cost = Callable[[RoomWork, Cell], Iterable[tuple[str, float]]]


def _none(work: RoomWork, cell: Cell) -> Iterable[tuple[str, float]]:
    return ()


def _always(**kinds: float) -> Cost:
    return lambda work, cell: kinds.items()


def _sum_of_products(work: RoomWork, cell: Cell) -> Iterable[tuple[str, float]]:
    """A number that is only copied, one times a given one, several products added."""
    step, terms = work.trace[cell[0]], work.terms(cell)
    bias = [("add", 1.0)] if len(step.inputs) > 2 else []
    if step.inputs[0].endswith(".weights"):
        return [("weighted", len(terms)), *bias]
    given = work.trace[step.inputs[1]]
    if len(terms) < 2 and given.kind == "given":
        factors = [given.values[ref.i, ref.j] for _, ref in terms if isinstance(ref, Ref)]
        return [("copy" if factors in ([], [1.0]) else "scale", 1), *bias]
    return [("dot", len(terms)), ("dot_start", 1), *bias]


def _row_sum(work: RoomWork, cell: Cell) -> Iterable[tuple[str, float]]:
    return [("sum", work.width(cell))]


def _mean(work: RoomWork, cell: Cell) -> Iterable[tuple[str, float]]:
    return [("sum", work.width(cell)), ("scale", 1)]


def _variance(work: RoomWork, cell: Cell) -> Iterable[tuple[str, float]]:
    n = work.width(cell) - 1  # without the mean
    return [("add", n), ("square", n), ("sum", n), ("scale", 1)]


COSTS: Final[Mapping[type, Cost]] = {
    linear.MatMul: _sum_of_products,
    linear.MatMulT: _sum_of_products,
    linear.Plus: _always(add=1),
    linear.Over: _always(scale=1),
    linear.OverEach: _always(scale=1),
    attention.RowMax: _always(mark=1),
    attention.MinusRow: _always(add=1),
    attention.Power: _always(exp=1),
    attention.RowSum: _row_sum,
    attention.RowShare: _always(share=1),
    feedforward.RowMean: _mean,
    feedforward.Variance: _variance,
    feedforward.Deviation: _always(root=1),
    feedforward.Normalise: _always(add=1, share=1),
    feedforward.GainShift: _always(scale=1, add=1),
    feedforward.Activation: _always(copy=1),
}


@dataclass(frozen=True, eq=False)
class Room:
    """One room: its pupils in pairs at tables, and what each pair computes."""

    work: RoomWork
    pupils: int
    most: int = 3  # pairs at a table

    @cached_property
    def pairs(self) -> tuple[RoomPair, ...]:
        """The pairs; where there are fewer than tables a pair does several rows."""
        loads = dict.fromkeys(range(self.work.last + 1), 0.0)
        for cell in self.work.cells:
            if self.work.steps[cell[0]] != FINALE:
                loads[self.work.row(cell)] += self.work.seconds([cell])
        rows, count = range(self.work.last + 1), min(self.pupils // 2, self.most * len(loads))
        if count < len(rows):
            return tuple(_few(rows, loads, count))
        sizes = dict.fromkeys(rows, 1)
        for _ in range(count - len(rows)):
            open_rows = [row for row in rows if sizes[row] < self.most]
            sizes[max(open_rows, key=lambda row: (loads[row] / sizes[row], row))] += 1
        return tuple(
            RoomPair(f"{row + 1}{LETTERS[k] if size > 1 else ''}", (row,), k, size)
            for row, size in sizes.items()
            for k in range(size)
        )

    @property
    def left(self) -> int:
        """How many pupils are no pair's: they keep the wall."""
        return self.pupils - 2 * len(self.pairs)

    @cached_property
    def legs(self) -> tuple[Leg, ...]:
        """All that is computed, in an order in which every pair can work."""
        work, dealt = self.work, dict[tuple[int, int, str], list[Cell]]()
        for cell in work.cells:
            dealt.setdefault((self.owner(cell), work.row(cell), cell[0]), []).append(cell)
        stages = [*table("room/room.toml")["stages"]]
        steps = [*work.steps]

        def order(key: tuple[int, int, str]) -> tuple[int, int, int, int]:
            """Head beside head, so that a pair that has a part of two holds nobody up."""
            _, row, step = key
            place, stage = work.trace[step].place, stages.index(work.steps[step])
            first = steps.index(
                step if place.head is None else step.replace(f"head{place.head}.", "head1.")
            )
            return stage, row if len(self.pairs) <= work.last else 0, first, place.head or 0

        return tuple(Leg(*key, tuple(dealt[key])) for key in sorted(dealt, key=order))

    def owner(self, cell: Cell) -> int:
        """The pair on whose card a cell stands, as an index."""
        return self._owners[cell]

    @cached_property
    def _owners(self) -> dict[Cell, int]:
        """Each part of a row in shares of columns, the largest for whoever has least so far.

        Words of the finale go to those who have least in all, its sums to the next one.
        """
        parts: dict[tuple[int, str], list[Cell]] = {}
        for cell in self.work.cells:
            parts.setdefault((self.work.row(cell), self.work.steps[cell[0]]), []).append(cell)
        used, owners = dict.fromkeys(range(len(self.pairs)), 0.0), dict[Cell, int]()
        for (row, stage), cells in sorted(parts.items(), key=lambda part: part[0][1] == FINALE):
            here = [k for k in used if stage == FINALE or row in self.pairs[k].tables]
            shares = [0.0] * len(here)
            for cell in cells:
                shares[self._share(cell, len(here))] += self.work.seconds([cell])
            largest = sorted(range(len(here)), key=lambda k: (-shares[k], k))
            least = sorted(here, key=lambda k: (used[k], k))
            whose = dict(zip(range(len(here)) if stage == FINALE else largest, least, strict=True))
            owners |= {cell: whose[self._share(cell, len(here))] for cell in cells}
            for share, pair in whose.items():
                used[pair] += shares[share]
        return owners

    def _share(self, cell: Cell, count: int) -> int:
        """Which of so many shares a cell belongs to: by its column, behind those of other heads."""
        name, i, j = cell
        step = self.work.trace[name]
        columns = [c for _, _, c in self.work.row_of(name, i)]
        if self.work.steps[name] == FINALE:
            words = self.work.trace[PROBABILITIES].shape[1]
            return (j if step.shape[1] > 1 else words) % count
        heads = 1 if step.place.head is None else self.work.trace.preset.heads
        before = (step.place.head or 1) - 1
        if step.shape[1] == 1:
            return (before if heads > 1 else 1) * (count - 1) // max(1, heads - 1)
        return (before * len(columns) + columns.index(j)) * count // (heads * len(columns))

    @cached_property
    def second(self) -> tuple[Leg, ...]:
        """The last row and the finale once more, doubled by plan: for pairs that would wait.

        Keys and values are on the wall, so it starts from the query.
        """
        dealt: dict[str, list[Cell]] = {}
        for cell in self.work.cells:
            heard = self.work.trace[cell[0]].place.kind in HEARD
            if self.work.row(cell) == self.work.last and not heard:
                dealt.setdefault(cell[0], []).append(cell)
        return tuple(Leg(-1, self.work.last, name, tuple(some)) for name, some in dealt.items())

    def second_of(self, pair: int) -> tuple[Leg, ...]:
        """What of it a pair does: those of the last table have done its row, and do the finale."""
        done = self.work.last in self.pairs[pair].tables
        return tuple(leg._replace(pair=pair) for leg in self.second
                     if not done or self.work.steps[leg.step] == FINALE)  # fmt: skip


def _few(rows: Iterable[int], loads: Mapping[int, float], count: int) -> Iterator[RoomPair]:
    """So few pairs that some have several rows, the heavy ones first to whoever has least."""
    has: list[list[int]] = [[] for _ in range(count)]
    for row in sorted(rows, key=lambda row: (-loads[row], row)):
        min(has, key=lambda own: sum(loads[one] for one in own)).append(row)
    for own in sorted(map(sorted, has)):
        yield RoomPair("+".join(str(row + 1) for row in own), tuple(own), 0, 1)


def sizes(places: int, pupils: int) -> list[int]:
    """How many pupils each room of a class has, where one has so many places; as even as can be."""
    count = -(-pupils // places)
    return [pupils // count + (k < pupils % count) for k in range(count)]
