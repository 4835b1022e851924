"""Lays out the tab "At a glance": what fits on one screen, or why there is no such tab."""

import math
from collections.abc import Iterator
from itertools import product

from generator.engine.trace import Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.formats import look
from generator.render.workbook.layout.glance import (
    MOST_HEADS,
    ROLES,
    SMALL,
    TOP,
    Columns,
    Glance,
    Head,
    Panel,
    Rows,
    Sizes,
    Variant,
    step_of,
)
from generator.render.workbook.layout.measures import DIGIT
from generator.render.workbook.layout.model_map import stages
from generator.render.workbook.layout.tabs import Tab
from generator.render.workbook.layout.tokens import tokens_of

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


def _heads(trace: Trace, tabs: tuple[Tab, ...]) -> tuple[Head, ...]:
    """The heads of the first round of which all is computed, in the order of their tabs."""
    heads = []
    for tab in tabs:
        names = [step.name for step in tab.steps if step.place.kind == "query"]
        whole = tab.kind == "head" and tab.round == 1 and names
        if whole and trace[names[0]].kind == "computed":
            heads.append(Head(names[0].removesuffix(".query"), tab.title))
    return tuple(heads)


class Planner:
    """The measures of one trace, from which each variant gets its columns and rows."""

    def __init__(
        self, trace: Trace, tabs: tuple[Tab, ...], heads: tuple[Head, ...], catalogue: Catalogue
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

    def columns(self, variant: Variant) -> Columns:
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
        return Columns(2, query, key, total, total + 2, len(widths), tuple(widths))

    def rows(self, variant: Variant) -> Rows:
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
        return Rows(
            *(first, tags, tags + 1, names, names + 1, bars - lines),
            *(bars, bars + number - 1),
            tuple(heights),
        )

    def glance(self, variant: Variant, columns: Columns, rows: Rows, of_all: int) -> Glance:
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

    def _panels(self, variant: Variant, columns: Columns, rows: Rows) -> Iterator[Panel]:
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
