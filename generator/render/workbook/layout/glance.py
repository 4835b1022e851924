"""The tab "At a glance": one head in Falk's scheme on one screen, and where its cells stand.

Beside it the map of the whole model: its stages from token to next token, and the tab of each.
"""

import math
from collections.abc import Iterator, Set
from itertools import product
from typing import Literal, NamedTuple

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import at
from generator.render.workbook.layout.formats import look
from generator.render.workbook.layout.tabs import DIGIT, Tab, tokens_of
from generator.render.workbook.styles import PARTS as ROLES

MOST_HEADS = 8  # more of them make formulas that nobody reads; then the first one is shown
MOST_HEADS_DRAWN = 4  # of one block, each with a line of its own on the map
MOST_STAGES = 20
SMALL = 6.2  # pixels of a letter of small type
TOP = (30, 18, 24)  # pixels of the title, of what happens here, of what is chosen
FIRST_ROW = len(TOP) + 1  # of the map
CHOICES, WORD = 3, "D3"  # the row of what is chosen; the focus token's word
SCREEN_WIDE, SCREEN_HIGH = 1300, 500  # pixels of cells on a screen of 1366 × 768 at 100 %
LINES = (18, 17, 16)  # of a row: as high as there is room for
PADDINGS = (12, 4)  # around a number
GAP, SIGN, NARROWEST = 22, 18, 28
LEAST_BARS, MOST_BARS, LEAST_ROWS = 39, 120, 3  # pixels of the bars, and rows they cover
CHOICES_X, CHOICES_S = 3, 4  # columns that the choice of a token and that of a head take


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


class Glance:
    """The tab, laid out: the richest variant that fits on one screen, None where there is none.

    `lines` are the rows of the focus token from scores to shares. `captions` say what is done:
    first with all of X, then in each of the `lines`.
    """

    def __init__(
        self, trace: Trace, catalogue: Catalogue, tabs: tuple[Tab, ...], heads: list[GlanceHead]
    ) -> None:
        self.trace, self.t = trace, catalogue.t
        self.sheet = self.t("workbook.tab.glance")
        self.of_all, self.heads = len(heads), heads[:1] if len(heads) > MOST_HEADS else heads
        self.words, first = tokens_of(trace, ""), heads[0].prefix
        self.sizes = Sizes(*self.steps("input")[0].shape, self.steps("query")[0].shape[1])
        has = [part for part in ("masked", "scaled") if f"{first}.{part}" in trace][:1]
        has += ["shifted"] if f"{first}.shifted" in trace else []
        self.lines = ("scores", *has, "exp", "weights")
        base, scaled = trace.preset.softmax_base, f"{first}.scaled" in trace
        keys = {"masked": "masked" if scaled else "masked.alone"}
        named = {"base": f"{base:g}" if base else "e"}
        captions = enumerate(("each", *self.lines), start=1)
        self.captions = [self.said(keys.get(x, x), number=k, **named) for k, x in captions]
        known = {step.name for tab in tabs if tab.round == 1 for step in tab.steps}
        self.map = self._map(known)
        self._longest = max(len(f"{k} {token}") for k, token in enumerate(self.words, start=1))
        self._digits = {
            part: max(look(step).characters for step in self.steps(part))
            for part in ("input", "weight.query", *ROLES, *self.lines, "sum", "output")
        }
        self.variant = next(filter(self._fits, self._variants()), None)

    def steps(self, part: str) -> list[Step]:
        """The step of each head that a part shows; "input" is what its query is computed from."""
        queries = [self.trace[f"{head.prefix}.query"] for head in self.heads]
        if part == "input":
            return [self.trace[query.inputs[0]] for query in queries]
        return [self.trace[f"{head.prefix}.{part}"] for head in self.heads]

    def said(self, key: str, **names: object) -> str:
        """A phrase of this tab."""
        return self.t(f"workbook.glance.{key}", **names)

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

    # What fits on one screen ----------------------------------------------------------------------

    def _variants(self) -> Iterator[Variant]:
        """From the one that shows most to the one that shows least."""
        biases = (f"{head.prefix}.bias.{role}" for head in self.heads for role in ROLES)
        biased = any(name in self.trace for name in biases)
        for inputs, named, padding in product((True, False), (True, False), PADDINGS):
            for weighted in (True, False) if inputs and not biased else (False,):
                yield from (Variant(inputs, weighted, named, padding, line) for line in LINES)

    def _fits(self, variant: Variant) -> bool:
        """Lays a variant out; whether it fits."""
        self.columns, self.rows = self._columns(variant), self._rows(variant)
        self.panels = tuple(self._panels(variant))
        wide, high = math.fsum(self.columns.widths), math.fsum(self.rows.heights)
        return wide <= SCREEN_WIDE and high <= SCREEN_HIGH

    def _columns(self, variant: Variant) -> GlanceColumns:
        """Wide enough for the numbers, the tokens at the left and, if named, above the scores."""

        def wide(*parts: str) -> int:
            letters = DIGIT * max(self._digits[part] for part in parts)
            return max(NARROWEST, letters) + variant.padding

        tokens, d_model, d_head = self.sizes
        block = max(d_model if variant.inputs else 0, CHOICES_X)
        x = wide("input") if variant.inputs else NARROWEST + variant.padding
        each = max(wide("key", *self.lines), (DIGIT * self._longest + 10) * variant.named)
        caption = int(SMALL * max(map(len, self.captions))) - block * x - GAP  # runs on over x
        choice = int(SMALL * len(self.t("workbook.focus", last=tokens)))
        widths = [max(DIGIT * self._longest + 10, caption, choice) + 10, *[x] * block]
        widths += [GAP, *[wide("query", "weight.query")] * d_head, GAP]
        query, key = 3 + block, len(widths) + 1
        total = key + max(tokens, d_head, CHOICES_S)
        widths += [*[each] * (total - key), wide("sum"), GAP, *[wide("value", "output")] * d_head]
        widths += [GAP, SIGN, int(SMALL * max(len(stage.title) for stage in self.map)) + 22]
        return GlanceColumns(2, query, key, total, total + 2, len(widths), tuple(widths))

    def _rows(self, variant: Variant) -> GlanceRows:
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
        ends = bars - lines, bars, bars + number - 1
        return GlanceRows(len(TOP) + 2, tags, tags + 1, names, names + 1, *ends, tuple(heights))

    def _panels(self, variant: Variant) -> Iterator[Panel]:
        n, d_model, d_head = self.sizes
        rows, columns = self.rows, self.columns
        if variant.inputs:
            yield Panel("input", rows.tokens, columns.x, n, d_model)
        at_columns = (columns.query, columns.key, columns.value)
        for role, column in zip(ROLES, at_columns, strict=True):
            yield Panel(role, rows.tokens, column, n, d_head)
            if variant.weighted:
                yield Panel(f"weight.{role}", rows.weights, column, d_model, d_head)
        yield Panel("key", rows.turned, columns.key, d_head, n, "turned")
        yield Panel("query", rows.scores, columns.query, 1, d_head, "focus")
        for row, part in enumerate(self.lines, start=rows.scores):
            yield Panel(part, row, columns.key, 1, n, "focus")
        exp = rows.scores + self.lines.index("exp")
        yield Panel("sum", exp, columns.total, 1, 1, "focus")
        yield Panel("output", rows.bars - 1, columns.value, 1, d_head, "focus")

    # The map of the model, from token to next token -----------------------------------------------

    def _map(self, known: Set[str]) -> list[MapStage]:
        """The stages of the first round that this workbook has, from top to bottom."""
        stages: list[MapStage] = []
        for most, brief in product((MOST_HEADS_DRAWN, 0), (False, True)):
            brief = brief or self.trace.preset.blocks > 2
            stages = [stage for stage in self._stages(most, brief) if stage.step in known]
            if len(stages) <= MOST_STAGES:
                break
        return stages

    def _stages(self, most: int, brief: bool) -> Iterator[MapStage]:
        for step in ("tokens", "embedding", "position"):
            yield MapStage(self.said(f"map.{step}"), step)
        for block in range(1, self.trace.preset.blocks + 1):
            yield from self._block(block, most, brief)
        for key, step in (
            *(("norm", "final.mean"), ("norm", "final.square")),
            *(("output", "output.logits"), ("next", "sampling.next")),
        ):
            yield MapStage(self.said(f"map.{key}"), step)

    def _block(self, block: int, most: int, brief: bool) -> Iterator[MapStage]:
        """The stages of one block; `brief` shows its attention and its network in a line each.

        A stage leads to the first of its steps that there is.
        """
        preset = self.trace.preset
        add = "add.norm" if preset.norm == "post" else "add"
        heads = [("head" if preset.blocks == 1 else "head.short", f"head{k}.query")
                 for k in range(1, preset.heads + 1)]  # fmt: skip
        together = preset.heads > most or brief
        norms = preset.norm == "pre" and not brief
        rows = [
            *([("norm", "mean1", "square1")] if norms else []),
            *([("attention", "head1.query")] if together else heads),
            *([("concat", "concat")] if preset.heads > 1 and not brief else []),
            *([(add, "residual1")] if not brief else []),
            *([("norm", "mean2", "square2")] if norms else []),
            ("feedforward", "hidden"),
            *([(add, "residual2")] if not brief else []),
        ]
        for key, *steps in rows:
            names = [f"block{block}.{step}" for step in steps]
            of_head = steps[0].endswith(".query")
            head = int(steps[0].removesuffix(".query")[4:]) if of_head and not together else 0
            text = self.said(f"map.{key}", head=head)
            if preset.blocks > 1:
                text = self.t("workbook.tab.block", block=block, name=text)
            for name in [name for name in names if name in self.trace][:1]:
                yield MapStage(text, name, block * of_head, head)


def plan_glance(trace: Trace, tabs: tuple[Tab, ...], catalogue: Catalogue) -> Glance | None:
    """The tab for a trace; None without a head of the first round of which all is computed."""
    heads = []
    for tab in tabs:
        names = [step.name for step in tab.steps if step.place.kind == "query"]
        whole = tab.kind == "head" and tab.round == 1 and names
        if whole and trace[names[0]].kind == "computed":
            heads.append(GlanceHead(names[0].removesuffix(".query"), tab.title))
    return Glance(trace, catalogue, tabs, heads) if heads else None
