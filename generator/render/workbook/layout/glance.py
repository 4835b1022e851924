"""The tab "At a glance": one head in Falk's scheme on one screen, and where its cells stand.

Also here:

* Lays out the tab "At a glance": what fits on one screen, or why there is no such tab.
* The map of the whole model: its stages from token to next token, and the tab of each.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, NamedTuple

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.formats import look
from generator.render.workbook.layout.tabs import DIGIT, Tab, tokens_of

MOST_HEADS = 8  # more of them make formulas that nobody reads; then the first one is shown
SMALL = 6.2  # pixels of a letter of small type
ROLES = ("query", "key", "value")
TOP = (30, 18, 24)  # pixels of the title, of what happens here, of what is chosen
FIRST_ROW = len(TOP) + 1  # of the map
CHOICES, OWN, FOCUS, WORD = 3, "B3", "$C$3", "D3"  # the row of what is chosen; the focus token


class GlanceHead(NamedTuple):
    """A head that can be shown: what its steps begin with, and the title of its tab."""

    prefix: str
    title: str


class Panel(NamedTuple):
    """Cells that show a part of a head: all of it, the focus token's row, or turned from here."""

    part: str
    row: int
    column: int
    height: int
    width: int
    shows: Literal["all", "focus", "turned"] = "all"

    @property
    def right(self) -> int:
        """The last column."""
        return self.column + self.width - 1

    @property
    def bottom(self) -> int:
        """The last row."""
        return self.row + self.height - 1

    @property
    def span(self) -> str:
        """The whole panel on its own sheet: "B3:E8"."""
        return f"{at(self.row, self.column)}:{at(self.bottom, self.right)}"

    def cells(self) -> Iterator[tuple[int, int, int | None, int]]:
        """Each cell's row and column on the sheet, and in the step; None is the focus token's."""
        for k in range(self.height):
            for m in range(self.width):
                i, j = (m, k) if self.shows == "turned" else (k, m)
                yield self.row + k, self.column + m, None if self.shows == "focus" else i, j


class GlanceColumns(NamedTuple):
    """The first column of each part, and the widths of all columns in pixels."""

    x: int
    query: int
    key: int
    total: int
    value: int
    map: int
    widths: tuple[int, ...]


class GlanceRows(NamedTuple):
    """The first row of each part, and the heights of all rows in pixels."""

    weights: int
    tags: int
    tokens: int
    names: int
    turned: int
    scores: int
    bars: int
    bars_end: int
    heights: tuple[int, ...]


class Sizes(NamedTuple):
    """What the size of the picture depends on."""

    tokens: int
    d_model: int
    d_head: int


class Variant(NamedTuple):
    """What there is room for: X, W, tokens above the scores; pixels around a number, of a row."""

    inputs: bool
    weighted: bool
    named: bool
    padding: int
    line: int


class MapStage(NamedTuple):
    """A stage: what it is called, the step it leads to, and the block and head it stands for.

    A head of 0 means all heads of the block; a block of 0 no attention at all.
    """

    title: str
    step: str
    block: int = 0
    head: int = 0


@dataclass(frozen=True)
class Glance:
    """The tab, laid out; `lines` are the rows of the focus token from scores to shares.

    `captions` say what is done: first with all of X, then in each of the `lines`.
    """

    sheet: str
    heads: tuple[GlanceHead, ...]
    of_all: int
    sizes: Sizes
    lines: tuple[str, ...]
    captions: tuple[str, ...]
    map: tuple[MapStage, ...]
    variant: Variant
    columns: GlanceColumns
    rows: GlanceRows
    panels: tuple[Panel, ...]

    @property
    def head(self) -> str:
        """The cell with the number of the head in force; its own value stands left of it."""
        return at(CHOICES, self.columns.key + 2, fixed=True)

    @property
    def own_head(self) -> str:
        """The cell in which the number of a head is typed, where there are several."""
        return at(CHOICES, self.columns.key + 1)

    def panel(self, part: str, shows: str = "all") -> Panel:
        """The panel of a part."""
        return next(p for p in self.panels if p.part == part and p.shows == shows)

    def expected(self, trace: Trace, focus: int, head: int) -> Iterator[tuple[str, str, int, int]]:
        """Each cell's address with the step and the place that it shows, all counted from 0."""
        for panel in self.panels:
            step = step_of(trace, self.heads[head].prefix, panel.part).name
            for row, column, i, j in panel.cells():
                yield at(row, column), step, focus if i is None else i, j


def step_of(trace: Trace, prefix: str, part: str) -> Step:
    """The step of a head that a part shows; "input" is what its query is computed from."""
    query = trace[f"{prefix}.query"]
    return trace[query.inputs[0]] if part == "input" else trace[f"{prefix}.{part}"]


SCREEN_WIDE, SCREEN_HIGH = 1300, 500  # pixels of cells on a screen of 1366 × 768 at 100 %
LINES = (18, 17, 16)  # of a row: as high as there is room for
PADDINGS = (12, 4)  # around a number
GAP, SIGN, NARROWEST = 22, 18, 28
LEAST_BARS, MOST_BARS, LEAST_ROWS = 39, 120, 3  # pixels of the bars, and rows they cover
CHOICES_X, CHOICES_S = 3, 4  # columns that the choice of a token and that of a head take


def plan_glance(trace: Trace, tabs: tuple[Tab, ...], catalogue: Catalogue) -> Glance | Sizes | None:
    """The tab for a trace; where it does not fit on one screen its sizes; None without a head."""
    heads = _heads(trace, tabs)
    if not heads:
        return None
    planner = Planner(trace, tabs, heads, catalogue)
    for variant in planner.variants():
        columns, rows = planner.columns(variant), planner.rows(variant)
        if math.fsum(columns.widths) <= SCREEN_WIDE and math.fsum(rows.heights) <= SCREEN_HIGH:
            return planner.glance(variant, columns, rows, len(heads))
    return planner.sizes


def _heads(trace: Trace, tabs: tuple[Tab, ...]) -> tuple[GlanceHead, ...]:
    """The heads of the first round of which all is computed, in the order of their tabs."""
    heads = []
    for tab in tabs:
        names = [step.name for step in tab.steps if step.place.kind == "query"]
        whole = tab.kind == "head" and tab.round == 1 and names
        if whole and trace[names[0]].kind == "computed":
            heads.append(GlanceHead(names[0].removesuffix(".query"), tab.title))
    return tuple(heads)


class Planner:
    """The measures of one trace, from which each variant gets its columns and rows."""

    def __init__(
        self,
        trace: Trace,
        tabs: tuple[Tab, ...],
        heads: tuple[GlanceHead, ...],
        catalogue: Catalogue,
    ) -> None:
        self.trace = trace
        self.catalogue = catalogue
        self.heads = heads[:1] if len(heads) > MOST_HEADS else heads
        self.first = heads[0].prefix
        tokens, d_model = step_of(trace, self.first, "input").shape
        self.sizes = Sizes(tokens, d_model, trace[f"{self.first}.query"].shape[1])
        self.lines = self._lines()
        self.captions = self._captions()
        self.map = stages(trace, tabs, catalogue)
        parts = ("input", "weight.query", *ROLES, *self.lines, "sum", "output")
        self._known = {part: self._longest_number(part) for part in parts}

    def variants(self) -> Iterator[Variant]:
        """From the one that shows most to the one that shows least."""
        biased = any(
            f"{head.prefix}.bias.{role}" in self.trace for head in self.heads for role in ROLES
        )
        for inputs, named, padding in product((True, False), (True, False), PADDINGS):
            for weighted in (True, False) if inputs and not biased else (False,):
                yield from (Variant(inputs, weighted, named, padding, line) for line in LINES)

    def columns(self, variant: Variant) -> GlanceColumns:
        """Wide enough for the numbers, the tokens at the left and, if named, above the scores."""

        def wide(*parts: str) -> int:
            letters = DIGIT * self._characters(*parts)
            return max(NARROWEST + variant.padding, letters + variant.padding)

        d_model, d_head = self.sizes.d_model, self.sizes.d_head
        across = max(self.sizes.tokens, d_head, CHOICES_S)
        block = max(d_model if variant.inputs else 0, CHOICES_X)
        x = wide("input") if variant.inputs else NARROWEST + variant.padding
        each = wide("key", *self.lines)
        each = max(each, DIGIT * self._longest + 10) if variant.named else each
        widths = [self._left(block * x), *[x] * block]
        widths += [GAP, *[wide("query", "weight.query")] * d_head, GAP, *[each] * across]
        widths += [wide("sum"), GAP, *[wide("value", "output")] * d_head]
        widths += [GAP, SIGN, int(SMALL * max(len(stage.title) for stage in self.map)) + 22]
        query = 3 + block
        key = query + d_head + 1
        total = key + across
        return GlanceColumns(2, query, key, total, total + 2, len(widths), tuple(widths))

    def rows(self, variant: Variant) -> GlanceRows:
        """From top to bottom; the bars take what the screen leaves beside the map."""
        line, lines = variant.line, len(self.lines)
        heights = [*TOP, line, *[line] * (self.sizes.d_model if variant.weighted else 0), line + 2]
        tags = len(heights)
        heights += [line] * (self.sizes.tokens + 2)
        names = len(heights)
        heights += [*[line] * (self.sizes.d_head + lines - 1), line + 2]
        bars = len(heights) + 1
        left = min(max(SCREEN_HIGH - sum(heights), LEAST_BARS), MOST_BARS)
        number = max(LEAST_ROWS, left // line)
        heights += [left // number] * number
        heights += [line] * (len(TOP) + len(self.map) + 1 - len(heights))  # the map and its end
        first = len(TOP) + 2
        return GlanceRows(
            *(first, tags, tags + 1, names, names + 1, bars - lines),
            *(bars, bars + number - 1),
            tuple(heights),
        )

    def glance(
        self, variant: Variant, columns: GlanceColumns, rows: GlanceRows, of_all: int
    ) -> Glance:
        """The tab."""
        return Glance(
            sheet=self.catalogue.t("workbook.tab.glance"),
            heads=self.heads,
            of_all=of_all,
            sizes=self.sizes,
            lines=self.lines,
            captions=self.captions,
            map=self.map,
            variant=variant,
            columns=columns,
            rows=rows,
            panels=tuple(self._panels(variant, columns, rows)),
        )

    def _lines(self) -> tuple[str, ...]:
        """The rows from scores to shares, as the model computes them; a masked one is scaled."""
        has = [part for part in ("masked", "scaled") if f"{self.first}.{part}" in self.trace][:1]
        has += ["shifted"] if f"{self.first}.shifted" in self.trace else []
        return ("scores", *has, "exp", "weights")

    def _captions(self) -> tuple[str, ...]:
        base = self.trace.preset.softmax_base
        scaled = f"{self.first}.scaled" in self.trace
        names = {"masked": "masked" if scaled else "masked.alone"}
        keys = ["each", *(names.get(part, part) for part in self.lines)]
        named = {"base": f"{base:g}" if base else "e"}
        return tuple(
            self.catalogue.t(f"workbook.glance.{key}", number=number, **named)
            for number, key in enumerate(keys, start=1)
        )

    def _longest_number(self, part: str) -> int:
        """Its characters, in any head."""
        steps = {step_of(self.trace, head.prefix, part).name for head in self.heads}
        return max(look(self.trace[name]).characters for name in steps)

    @property
    def _longest(self) -> int:
        """The characters of the longest token with its number."""
        return max(len(f"{k + 1} {token}") for k, token in enumerate(tokens_of(self.trace, "")))

    def _left(self, beside: int) -> int:
        """The first column; captions run on over the empty columns beside it."""
        caption = int(SMALL * max(map(len, self.captions))) - beside - GAP
        choice = int(SMALL * len(self.catalogue.t("workbook.focus", last=self.sizes.tokens)))
        return max(DIGIT * self._longest + 10, caption, choice) + 10

    def _characters(self, *parts: str) -> int:
        """Those of the longest number of these parts of any head."""
        return max(map(self._known.__getitem__, parts))

    def _panels(
        self, variant: Variant, columns: GlanceColumns, rows: GlanceRows
    ) -> Iterator[Panel]:
        n, d_model, d_head = self.sizes
        at_column = dict(zip(ROLES, (columns.query, columns.key, columns.value), strict=True))
        if variant.inputs:
            yield Panel("input", rows.tokens, columns.x, n, d_model)
        for role, column in at_column.items():
            yield Panel(role, rows.tokens, column, n, d_head)
            if variant.weighted:
                yield Panel(f"weight.{role}", rows.weights, column, d_model, d_head)
        yield Panel("key", rows.turned, columns.key, d_head, n, "turned")
        yield Panel("query", rows.scores, columns.query, 1, d_head, "focus")
        for k, part in enumerate(self.lines):
            yield Panel(part, rows.scores + k, columns.key, 1, n, "focus")
        exp = rows.scores + self.lines.index("exp")
        yield Panel("sum", exp, columns.total, 1, 1, "focus")
        yield Panel("output", rows.bars - 1, columns.value, 1, d_head, "focus")


MOST_HEADS_DRAWN = 4  # of one block, each with a line of its own
MOST_STAGES = 20


def stages(trace: Trace, tabs: tuple[Tab, ...], catalogue: Catalogue) -> tuple[MapStage, ...]:
    """The stages of the first round that this workbook has, from top to bottom."""
    known = {step.name for tab in tabs if tab.round == 1 for step in tab.steps}
    blocks = trace.preset.blocks
    for heads in (MOST_HEADS_DRAWN, 0):
        for brief in (False, True):
            shown_stages = tuple(_stages(trace, catalogue, heads, brief or blocks > 2))
            shown_stages = tuple(stage for stage in shown_stages if stage.step in known)
            if len(shown_stages) <= MOST_STAGES:
                return shown_stages
    return shown_stages


def _stages(trace: Trace, catalogue: Catalogue, most: int, brief: bool) -> Iterator[MapStage]:
    def named(key: str, **names: int) -> str:
        return catalogue.t(f"workbook.glance.map.{key}", **names)

    for step in ("tokens", "embedding", "position"):
        yield MapStage(named(step), step)
    for block in range(1, trace.preset.blocks + 1):
        yield from _block(trace, catalogue, block, most, brief)
    yield MapStage(named("norm"), "final.mean")
    yield MapStage(named("norm"), "final.square")
    yield MapStage(named("output"), "output.logits")
    yield MapStage(named("next"), "sampling.next")


def _block(
    trace: Trace, catalogue: Catalogue, block: int, most: int, brief: bool
) -> Iterator[MapStage]:
    """The stages of one block; `brief` shows its attention and its network in a line each."""
    preset = trace.preset
    one = preset.blocks == 1

    def named(key: str, **names: int) -> str:
        text = catalogue.t(f"workbook.glance.map.{key}", **names)
        return text if one else catalogue.t("workbook.tab.block", block=block, name=text)

    pre = preset.norm == "pre" and not brief
    if pre:
        yield from _first(trace, named("norm"), block, "mean1", "square1")
    if preset.heads > most or brief:
        yield MapStage(named("attention"), f"block{block}.head1.query", block)
    else:
        for head in range(1, preset.heads + 1):
            name = named("head" if one else "head.short", head=head)
            yield MapStage(name, f"block{block}.head{head}.query", block, head)
    if not brief and preset.heads > 1:
        yield MapStage(named("concat"), f"block{block}.concat")
    if not brief:
        key = "add.norm" if preset.norm == "post" else "add"
        yield MapStage(named(key), f"block{block}.residual1")
    if pre:
        yield from _first(trace, named("norm"), block, "mean2", "square2")
    yield MapStage(named("feedforward"), f"block{block}.hidden")
    if not brief:
        key = "add.norm" if preset.norm == "post" else "add"
        yield MapStage(named(key), f"block{block}.residual2")


def _first(trace: Trace, title: str, block: int, *names: str) -> Iterator[MapStage]:
    """A stage that leads to the first of the steps that there is."""
    known = [f"block{block}.{name}" for name in names if f"block{block}.{name}" in trace]
    yield from (MapStage(title, name) for name in known[:1])
