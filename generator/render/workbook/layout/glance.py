"""The tab "At a glance": one head in Falk's scheme on one screen, and where its cells stand.

Beside it the map of the whole model: its stages from token to next token, and the tab of each.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import accumulate, product
from typing import NamedTuple

from generator.engine.trace import Step, Trace
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import Box, at
from generator.render.workbook.layout.tabs import DIGIT, Tab, tokens_of
from generator.render.workbook.layout.texts import look
from generator.render.workbook.styles import PARTS as ROLES

MOST_HEADS = 8  # more of them make formulas that nobody reads; then the first one is shown
MOST_HEADS_DRAWN = 4  # of one block, each with a line of its own on the map
MOST_STAGES = 20
SMALL = 6.2  # pixels of a letter of small type
TOP = (30, 18, 24)  # pixels of the title, of what happens here, of what is chosen
FIRST_ROW = len(TOP) + 1  # of the map
CHOICES, WORD = 3, "D3"  # the row of what is chosen; the focus token's word
SCREEN_WIDE, SCREEN_HIGH = 1160, 500  # pixels of cells on 1366 × 768, LibreOffice's wider ones
ZOOMS = (100, 90, 80, 75)  # per cent: smaller before anything is left out
LINES = (18, 17, 16)  # of a row: as high as there is room for
PADDINGS = (12, 4)  # around a number
GAP, SIGN, NARROWEST = 22, 18, 28
LEAST_BARS, MOST_BARS, LEAST_ROWS = 39, 120, 3  # pixels of the bars, and rows they cover
CHOICES_X, CHOICES_S = 3, 4  # columns that the choice of a token and that of a head take


class GlanceHead(NamedTuple):
    """A head that can be shown: what its steps begin with, and the title of its tab."""

    prefix: str
    title: str


class Tracks:
    """Columns from left to right, or rows from top to bottom: where each begins, and all sizes.

    A part has a name, or none for a gap, how many columns or rows it takes, and their pixels.
    """

    def __init__(self, *parts: tuple[str, int, int]) -> None:
        self.sizes = [size for _, number, size in parts for _ in range(number)]
        starts = accumulate((number for _, number, _ in parts), initial=1)
        self._first = dict(zip((name for name, _, _ in parts), starts, strict=False))

    def __getitem__(self, name: str) -> int:
        """The first column or row of a part."""
        return self._first[name]


class Sizes(NamedTuple):
    """What the size of the picture depends on."""

    tokens: int
    d_model: int
    d_head: int


class Variant(NamedTuple):
    """What there is room for: X, W, tokens above the scores; pixels around a number, of a row.

    `zoom` is the per cent at which all of it is on the screen.
    """

    inputs: bool
    weighted: bool
    named: bool
    padding: int
    line: int
    zoom: int


class MapStage(NamedTuple):
    """A stage: what it is called, the step it leads to, the heads among those shown, from 1."""

    title: str
    step: str
    heads: Sequence[int] = ()


class Glance:
    """The tab, laid out: the richest variant that fits on one screen, if there is one.

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
        self.fits = any(map(self._fits, self._variants()))

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
        return at(CHOICES, self.columns["key"] + 2, fixed=True)

    @property
    def own_head(self) -> str:
        """The cell in which the number of a head is typed, where there are several."""
        return at(CHOICES, self.columns["key"] + 1)

    # What fits on one screen ----------------------------------------------------------------------

    def _variants(self) -> Iterator[Variant]:
        """From the one that shows most to the one that shows least."""
        biases = (f"{head.prefix}.bias.{role}" for head in self.heads for role in ROLES)
        biased = any(name in self.trace for name in biases)
        for inputs, named in product((True, False), (True, False)):
            for weighted in (True, False) if inputs and not biased else (False,):
                for sizes in product(PADDINGS, ZOOMS, LINES):
                    padding, zoom, line = sizes
                    yield Variant(inputs, weighted, named, padding, line, zoom)

    def _fits(self, variant: Variant) -> bool:
        """Lays a variant out; whether it fits."""
        self.variant = variant
        self.columns, self.rows = self._columns(variant), self._rows(variant)
        wide, high = sum(self.columns.sizes), sum(self.rows.sizes)
        size = variant.zoom / 100
        return wide * size <= SCREEN_WIDE and high * size <= SCREEN_HIGH

    def _columns(self, variant: Variant) -> Tracks:
        """Wide enough for the numbers, the tokens at the left and, if named, above the scores."""

        def wide(*parts: str) -> int:
            letters = DIGIT * max(self._digits[part] for part in parts)
            return max(NARROWEST, letters) + variant.padding

        tokens, d_model, d_head = self.sizes
        block = max(d_model if variant.inputs else 0, CHOICES_X)
        x = wide("input") if variant.inputs else NARROWEST + variant.padding
        each = max(wide("key", *self.lines), (DIGIT * self._longest + 10) * variant.named)
        caption = int(SMALL * max(map(len, self.captions))) - block * x - GAP  # runs on over x
        choice = DIGIT * len(self.t("workbook.focus", last=tokens))
        stage = int(SMALL * max(len(stage.title) for stage in self.map)) + 22
        return Tracks(
            ("token", 1, max(DIGIT * self._longest + 10, caption, choice) + 10),
            *(("input", block, x), ("", 1, GAP)),
            *(("query", d_head, wide("query", "weight.query")), ("", 1, GAP)),
            *(("key", max(tokens, d_head, CHOICES_S), each), ("sum", 1, wide("sum")), ("", 1, GAP)),
            *(("value", d_head, wide("value", "output")), ("", 1, GAP)),
            *(("", 1, SIGN), ("map", 1, stage)),
        )

    def _rows(self, variant: Variant) -> Tracks:
        """From top to bottom; the bars take what the screen leaves beside the map."""
        line, tokens, d_head = variant.line, self.sizes.tokens, self.sizes.d_head
        parts = [*(("", 1, size) for size in TOP), ("", 1, line)]
        parts += [("weights", self.sizes.d_model if variant.weighted else 0, line)]
        parts += [("tags", 1, line + 2), ("tokens", tokens, line), ("", 1, line)]
        parts += [("names", 1, line), ("turned", d_head, line)]
        parts += [("scores", len(self.lines) - 1, line), ("weighted", 1, line + 2)]
        left = int(100 * SCREEN_HIGH / variant.zoom)
        left -= sum(number * size for _, number, size in parts)
        left = min(max(left, LEAST_BARS), MOST_BARS)
        bars = max(LEAST_ROWS, left // line)
        parts += [("bars", bars, left // bars)]
        rest = len(TOP) + len(self.map) + 1 - sum(number for _, number, _ in parts)
        return Tracks(*parts, ("end", rest, line))  # the map and its end

    @cached_property
    def panels(self) -> Mapping[str, Box]:
        """Where which part of a head is shown: all of it, the focus token's row, or turned."""
        tokens, d_model, d_head = self.sizes
        rows, columns, panels = self.rows, self.columns, dict[str, Box]()

        def panel(part: str, row: int, column: str, high: int, wide: int, shows: str = "") -> None:
            turned, whole = shows == " turned", shows != " focus"
            place = row, columns[column], high, wide
            panels[part + shows] = Box(part, self.sheet, *place, turned, home=whole)

        if self.variant.inputs:
            panel("input", rows["tokens"], "input", tokens, d_model)
        for role in ROLES:
            panel(role, rows["tokens"], role, tokens, d_head)
            if self.variant.weighted:
                panel(f"weight.{role}", rows["weights"], role, d_model, d_head)
        panel("key", rows["turned"], "key", d_head, tokens, " turned")
        panel("query", rows["scores"], "query", 1, d_head, " focus")
        for row, part in enumerate(self.lines, start=rows["scores"]):
            panel(part, row, "key", 1, tokens, " focus")
        panel("sum", panels["exp focus"].row, "sum", 1, 1, " focus")
        panel("output", rows["weighted"], "value", 1, d_head, " focus")
        return panels

    # The map of the model, from token to next token -----------------------------------------------

    def _map(self, known: Set[str]) -> list[MapStage]:
        """The stages of the first round that this workbook has, from top to bottom."""
        stages, preset = list[MapStage](), self.trace.preset
        ways = product((preset.heads > MOST_HEADS_DRAWN, True), (preset.blocks > 2, True))
        for together, brief in ways:
            stages = [stage for stage in self._stages(together, brief) if stage.step in known]
            if len(stages) <= MOST_STAGES:
                break
        return stages

    def _stages(self, together: bool, brief: bool) -> Iterator[MapStage]:
        """Each stage leads to the first of its steps that there is.

        `together` shows the heads of a block in one line, `brief` its network too.
        """
        preset, trace = self.trace.preset, self.trace
        add = "add.norm" if preset.norm == "post" else "add"
        one = "head" if preset.blocks == 1 else "head.short"
        heads = range(1, preset.heads + 1)
        norms, all_heads = preset.norm == "pre" and not brief, not (together or brief)
        rows = [
            (norms, "norm", 0, "mean1 square1"),
            (not all_heads, "attention", 0, "head1.query"),
            *((all_heads, one, head, f"head{head}.query") for head in heads),
            (preset.heads > 1 and not brief, "concat", 0, "concat"),
            (not brief, add, 0, "residual1"),
            (norms, "norm", 0, "mean2 square2"),
            (True, "feedforward", 0, "hidden"),
            (not brief, add, 0, "residual2"),
        ]
        parts = [row[1:] for row in rows if row[0]]
        for step in ("tokens", "embedding", "position"):
            yield MapStage(self.said(f"map.{step}"), step)
        for block, (key, head, steps) in product(range(1, preset.blocks + 1), parts):
            text = self.said(f"map.{key}", head=head)
            if preset.blocks > 1:
                text = self.t("workbook.tab.block", block=block, name=text)
            names = [f"block{block}.{x}" for x in steps.split()]
            for name in [x for x in names if x in trace][:1]:
                of = f"block{block}." + (f"head{head}." if head else "")
                shown = enumerate((f"{x.prefix}.query" for x in self.heads), start=1)
                lit = [k for k, x in shown if name.endswith(".query") and x.startswith(of)]
                yield MapStage(text, name, lit)
        for key, step in (
            *(("norm", "final.mean"), ("norm", "final.square")),
            *(("output", "output.logits"), ("next", "sampling.next")),
        ):
            yield MapStage(self.said(f"map.{key}"), step)


def plan_glance(trace: Trace, tabs: tuple[Tab, ...], catalogue: Catalogue) -> Glance | None:
    """The tab for a trace; None without a head of the first round of which all is computed."""
    heads = []
    for tab in tabs:
        names = [step.name for step in tab.steps if step.place.kind == "query"]
        whole = tab.kind == "head" and tab.round == 1 and names
        if whole and trace[names[0]].kind == "computed":
            heads.append(GlanceHead(names[0].removesuffix(".query"), tab.title))
    return Glance(trace, catalogue, tabs, heads) if heads else None
