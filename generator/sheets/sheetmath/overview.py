"""The steps of a model in order, as the reference sheets list them: formula, shape, lane.

Also here:

* The geometry of the map of a model: lanes of boxes, arrows between them, in millimetres.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from generator.engine.trace import Step, Trace
from generator.resources import table
from generator.steps import kind_of
from generator.steps.variant import variant

LANES = ("input", "attention", "feedforward", "output")


TABLES = table("sheets/sheetmath/reference.toml")
LISTED: dict[str, dict[str, Any]] = {
    kind: {"lane": lane, **row} for lane in LANES for kind, row in TABLES["lanes"][lane].items()
}


class StepEntry(NamedTuple):
    """One step: its phrases' key (`sheetmath.short.<key>` …), its name, what it is read from.

    `form` is its shape in letters, `lane` the part of the model it belongs to.
    """

    key: str
    lane: str
    step: str
    form: str
    old: str = ""

    @property
    def kind(self) -> str:
        """The first part of its key: "query" for "query.bias"."""
        return self.key.partition(".")[0]


def overview(trace: Trace) -> list[StepEntry]:
    """The steps of this Trace's model, in order; of several blocks and heads the first."""
    first = (step for step in trace if step.place.round == 1 and not step.place.learning)
    entries = (
        _entry(trace, step)
        for step in first
        if step.place.block in (None, 1) and step.place.head in (None, 1)
    )
    return [entry for entry in entries if entry]


def norm_steps(trace: Trace) -> list[Step]:
    """The steps of the model's first norm that have one number for each row."""
    norms = [step for step in _of_norms(trace) if step.kind == "computed"]
    return [step for step in norms if _norm_of(step) == _norm_of(norms[0]) and is_of_row(step)]


def _of_norms(trace: Trace) -> list[Step]:
    """All steps of norms, without those that training computes again."""
    return [one for one in trace if kind_of(one.name).layer_norm and not one.place.learning]


def _norm_of(step: Step) -> tuple[object, ...]:
    """Which norm a step belongs to."""
    return step.place.block, step.place.number, step.place.final


def is_of_row(step: Step) -> bool:
    """Whether a step of a norm has one number for each row, such as its mean."""
    kind = kind_of(step.name)
    return kind.layer_norm and step.kind == "computed" and len(step.columns) == 1


def _entry(trace: Trace, step: Step) -> StepEntry | None:
    kind = kind_of(step.name)
    if kind.layer_norm:
        return _norm(trace, step)
    row = LISTED.get(kind.name)
    if row is None:
        known = step.kind == "given" or kind.name in TABLES["written_out"] or kind.tab == "count"
        if not known and not kind.name.startswith(("loss.", "bpe.")):
            raise LookupError(f"sheet math neither lists {kind.name!r} nor writes it out")
        return None
    ending = variant(step) if row.get("varies") else ""
    if step.place.kind == "output.logits" and "output.matrix" in step.inputs:
        ending = ".own"  # another step decides it
    key = f"{row['key']}{step.place.number or ''}{ending}"
    return StepEntry(key, row["lane"], step.name, row["form"], *step.inputs[:1])


def _norm(trace: Trace, step: Step) -> StepEntry | None:
    """A norm is listed once, by its last step."""
    mine = (one for one in _of_norms(trace) if _norm_of(one) == _norm_of(step))
    if step.kind == "given" or any(step.name in one.inputs for one in mine):
        return None
    number = step.place.number
    before = trace.preset.norm == "pre" and number == 1
    lane = "output" if step.place.final else "attention" if before else "feedforward"
    key = "norm.final" if step.place.final else f"norm{number}"
    return StepEntry(key, lane, step.name, "n × d_model")


def sizes(trace: Trace) -> dict[str, int]:
    """The numbers behind the letters of the shapes, as far as this model has them."""
    preset = trace.preset
    size_of = {"d_model": preset.d_model}
    if preset.start != "vector":
        size_of["n"] = len(trace.tokens)
    if "attention" in preset.parts:
        size_of |= {"n_heads": preset.heads, "d_k": preset.d_head}
        size_of["n_heads · d_k"] = preset.heads * preset.d_head
    if "feedforward" in preset.parts:
        size_of["d_ff"] = preset.d_ff
    if preset.start != "vector":
        size_of["n_blocks"] = preset.blocks
    if "vocabulary.words" in trace:
        size_of["n_vocab"] = int(np.size(trace["vocabulary.words"].values))
    return size_of


WIDTH = 170.0
GUTTER = 10.0
WIDE, NARROW = 52.0, 40.0  # the most for the attention lane, for the others
TOP = 15.0  # room for the lanes' titles and the line that feeds queries, keys and values
FEED = 3.6  # that line is so much above its boxes
FRAME = 3.8  # the frame of the block is so far from its lanes
BOX, GAP = 15.0, 6.2
CELL, GRID_HIGH, GRID_WIDE = 1.3, 7.2, 15.0
SIDE_BY_SIDE = ("query", "key", "value")
BESIDE_VALUE = ("scores", "mask", "weights")
INSIDE = ("attention", "feedforward")


Numbered: TypeAlias = tuple[int, StepEntry, tuple[int, int]]  # with its shape


class MapBox(NamedTuple):
    """One step: its place, its number in the list of steps, and a grid of its shape."""

    number: int
    entry: StepEntry
    x: float
    y: float
    width: float
    rows: int
    columns: int

    @property
    def cell(self) -> float:
        """The side of one cell of the grid; small enough for the box."""
        width = 4.0 if self.entry.kind in SIDE_BY_SIDE else GRID_WIDE
        return min(CELL, GRID_HIGH / self.rows, width / self.columns)

    @property
    def grid(self) -> tuple[float, float, float, float]:
        """The grid's place and size, at the lower right of the box: x, y, width, height."""
        wide, high = self.columns * self.cell, self.rows * self.cell
        return self.x + self.width - 1.6 - wide, self.y + 13.6 - high, wide, high

    @property
    def middle(self) -> float:
        """Where arrows arrive and leave."""
        return self.x + self.width / 2

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + BOX

    @property
    def level(self) -> float:
        """The height of its middle."""
        return self.y + BOX / 2

    @property
    def down(self) -> str:
        """The end of an arrow that arrives from above."""
        return f"V{self.y - 0.5:.1f}"

    def below(self, to: "MapBox") -> str:
        """An arrow downwards to another box."""
        return f"M{self.middle:.1f} {self.bottom:.1f}{to.down}"


class Lane(NamedTuple):
    """A column of the map."""

    key: str
    x: float
    width: float
    boxes: tuple[MapBox, ...]

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width


class ModelMap(NamedTuple):
    """The whole map: its lanes, its height, the frame around the repeated block, the arrows.

    `arrows` and `skips` are paths; a skip is a residual connection.
    """

    lanes: tuple[Lane, ...]
    height: float
    frame: tuple[float, float] | None
    arrows: tuple[str, ...]
    skips: tuple[str, ...]


def model_map(trace: Trace) -> ModelMap:
    """The map of the model; a lane that has no steps is left out."""
    steps = [(k, one, trace[one.step].shape) for k, one in enumerate(overview(trace), 1)]
    lanes = tuple(_lanes(steps))
    height = max(box.bottom for lane in lanes for box in lane.boxes) + 7
    inside = [lane for lane in lanes if lane.key in INSIDE]
    frame = (inside[0].x - FRAME, inside[-1].right + FRAME) if inside else None
    arrows = [path for lane in lanes for path in _within(lane)]
    arrows += [_between(*pair) for pair in pairwise(lanes)]
    return ModelMap(lanes, height, frame, tuple(arrows), tuple(_skips(lanes)))


def _lanes(steps: list[Numbered]) -> Iterator[Lane]:
    of_lane = {lane: [one for one in steps if one[1].lane == lane] for lane in LANES}
    keys = [lane for lane in LANES if of_lane[lane]]
    whole = WIDTH - GUTTER * (len(keys) - 1) - (WIDE if "attention" in keys else 0)
    narrow = min(NARROW, whole / max(1, len(keys) - ("attention" in keys)))
    x = 0.0
    for key in keys:
        width = WIDE if key == "attention" else narrow
        yield Lane(key, x, width, tuple(_boxes(of_lane[key], x, width)))
        x += width + GUTTER


def _boxes(steps: list[Numbered], x: float, width: float) -> Iterator[MapBox]:
    third, y = width / 3, TOP
    for number, entry, shape in steps:
        place = (x, y, width)
        if entry.kind in SIDE_BY_SIDE:
            place = (x + SIDE_BY_SIDE.index(entry.kind) * (third + 0.4), y, third - 0.8)
        elif entry.kind in BESIDE_VALUE:
            place = (x, y, 2 * third - 0.4)
        yield MapBox(number, entry, *place, *shape)
        if entry.kind not in SIDE_BY_SIDE[:-1]:
            y += BOX + GAP


def _within(lane: Lane) -> Iterator[str]:
    """From box to box downwards; queries, keys and values are fed by one line above them."""
    above = None
    three = [box for box in lane.boxes if box.entry.kind in SIDE_BY_SIDE]
    for box in lane.boxes:
        kind = box.entry.kind
        if kind in SIDE_BY_SIDE:
            feed = box.y - FEED if above is None else (above.bottom + box.y) / 2
            yield f"M{three[0].middle:.1f} {feed:.1f}H{box.middle:.1f}{box.down}"
        elif kind == "scores":
            yield from (one.below(box) for one in three[:2])
        elif above is not None:
            yield above.below(box)
        if kind == "head":
            yield three[2].below(box)
        above = above if kind in SIDE_BY_SIDE else box
    first = lane.boxes[0]
    if three and first not in three:
        stem = (first.bottom + three[0].y) / 2
        yield f"M{first.middle:.1f} {first.bottom:.1f}V{stem:.1f}"


def _between(left: Lane, right: Lane) -> str:
    """From the foot of a lane through the gutter to the head of the next."""
    start, end = left.boxes[-1], right.boxes[0]
    x = left.right + GUTTER / 2
    if right.key in INSIDE and left.key not in INSIDE:
        x = left.right + (GUTTER - FRAME) / 2
    elif left.key in INSIDE and right.key not in INSIDE:
        x = right.x - (GUTTER - FRAME) / 2
    path = f"M{start.right:.1f} {start.level:.1f}H{x:.1f}"
    if right.key != "attention":
        return f"{path}V{end.level:.1f}H{end.x - 0.5:.1f}"
    return f"{path}V{TOP - FEED:.1f}H{end.middle:.1f}{end.down}"


def _skips(lanes: tuple[Lane, ...]) -> Iterator[str]:
    """The ways of the old numbers past the attention and past the feed-forward network."""
    boxes = {box.entry.step: box for lane in lanes for box in lane.boxes}
    first, second = (boxes.get(f"block1.residual{n}") for n in "12")
    around = [lane.boxes[0].middle for lane in lanes if lane.key == "attention"]
    if first and around:
        yield f"M{around[0]:.1f} {TOP - FEED:.1f}H{first.middle:.1f}{first.down}"
    old = boxes.get(second.entry.old) if second else None
    if second and old and old.x == second.x:
        x, y = old.right + 2.2, second.level
        yield f"M{old.right:.1f} {old.level:.1f}H{x:.1f}V{y:.1f}H{old.right + 0.5:.1f}"
