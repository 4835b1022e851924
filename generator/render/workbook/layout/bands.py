"""Arranges the steps of one tab in bands: lists, tables side by side, products after Falk.

Also here:

* The tab of byte-pair encoding: the corpus, each round of training, a new word; all live.
* Products in Falk's scheme: left factor left, right factor above, product where they cross.
* The tab Learn: what is chosen and the loss above, below old weight, gradient and new weight.
"""

from collections.abc import Sequence, Set

from generator.engine.ops.learning import MatTMul
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.place import step_prefix
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.insight.claims import checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout.box import Box
from generator.render.workbook.layout.canvas import LETTERS, SPINE, Canvas
from generator.render.workbook.layout.controls import is_control
from generator.render.workbook.layout.glance import plan_glance
from generator.render.workbook.layout.layout import (
    Band,
    HeadingLine,
    Layout,
    Sheet,
    TabLabel,
    box_for,
)
from generator.render.workbook.layout.learn_layout import (
    CHANCE,
    CHART_ROWS,
    FIRST_ROW,
    LOSS,
    PASS,
    LearnLayout,
    WeightStrip,
    strips,
)
from generator.render.workbook.layout.start_layout import StartLayout, plan_start
from generator.render.workbook.layout.tables import WIDEST, TableBands
from generator.render.workbook.layout.tabs import learning, tabs, trainings
from generator.render.workbook.layout.texts import TabTexts
from generator.steps import kind_of

FACTORED = MatMul | MatMulT | MatTMul  # on the way back each is shown with both factors


def lay_out(trace: Trace, catalogue: Catalogue, asked: Set[Cell] = frozenset()) -> Layout:
    """Tabs, bands and boxes for every step of a trace.

    A band with an `asked` cell has one heading row more, its `help_row`; the tab at a glance,
    which would tell what is asked, is then left out.
    """
    catalogue = checked_catalogue(catalogue, trace)  # a tab is called as the model's norm is
    texts = TabTexts(trace, catalogue.language)
    names = {cell[0] for cell in asked}
    stages = tabs(trace, catalogue)
    start = plan_start(trace, catalogue, solved=not asked)
    sheets = tuple(_sheet(Canvas(trace, tab, texts, names), start) for tab in stages)
    glance = None if asked else plan_glance(trace, stages, catalogue)
    return Layout(trace, catalogue, texts, start, sheets, glance)


def _sheet(canvas: Canvas, start: StartLayout) -> Sheet:
    if canvas.tab.kind == "learn" and start.learn:
        return sheet(canvas, start.learn)
    own = bands(canvas) if canvas.tab.kind == "bpe" else Composer(canvas).bands()
    return Sheet(canvas.tab, own)


class Composer:
    """Goes through the steps of one tab in order and gives each its box."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.steps = sorted(canvas.steps, key=_place_in_table)
        self.tables = TableBands(canvas)
        multiplied = [step for step in self.steps if isinstance(step.op, MatMul)]
        self.factors = {
            name
            for step in multiplied
            for k, name in enumerate(step.inputs)
            if name in canvas.mine and _is_factor(name, k)
        }

    def bands(self) -> tuple[Band, ...]:
        """The bands of the tab, from top to bottom."""
        self._controls(before_sampling=True)
        steps = self.steps
        while steps:
            steps = steps[self._next(steps) :]
        self.tables.flush()
        return tuple(self.canvas.done)

    def _controls(self, before_sampling: bool) -> None:
        """Single numbers and switches of other tabs that this one computes with."""
        trace, mine = self.canvas.trace, self.canvas.mine
        names = dict.fromkeys(x for step in self.steps for x in step.inputs if x not in mine)
        for step in map(trace.__getitem__, names):
            early = kind_of(step.name).chapter != "choice"
            if early != before_sampling or step.name == "temperature":
                continue
            if step.shape == (1, 1):
                self.tables.line(step)
            elif is_control(step.name):
                self.tables.echo(step)

    def _next(self, steps: Sequence[Step]) -> int:
        """Place the first of the steps; gives how many are dealt with."""
        step, band = steps[0], kind_of(steps[0].name).shown.band
        if step.name in self.factors or band == "beside another":
            return 1
        if isinstance(step.op, FACTORED if step.place.of else MatMul):
            return self._on_the_way_back(step) if step.place.of else self._products(steps)
        if band in ("table", "labels"):
            self.tables.add(step)
            return 1
        self.tables.flush()
        match band:
            case "sampling":
                self._controls(before_sampling=False)
                self.tables.add(step)
            case "scores":
                products(self.canvas, [step], turned=True)
            case "logits":
                logits(self.canvas, step)
            case "tempered":
                self.tables.tempered(step)
            case "line":
                self.tables.line(step)
        return 1

    def _on_the_way_back(self, step: Step) -> int:
        """The product that carries a gradient back: W turned, or the numbers that came in."""
        self.tables.flush()
        right, left = isinstance(step.op, MatMulT), isinstance(step.op, MatTMul)
        products(self.canvas, [step], turned=right, columns=left)
        return 1

    def _products(self, steps: Sequence[Step]) -> int:
        """As many products of the same left factor as stand side by side on one screen."""
        self.tables.flush()
        left = steps[0].inputs[0]
        width = self.canvas.trace[left].shape[1]
        group: list[Step] = []
        taken = 0
        for k, step in enumerate(steps):
            if isinstance(step.op, MatMul) and step.inputs[0] == left:
                width += 1 + step.shape[1]
                if group and width > WIDEST:
                    break
                group.append(step)
                taken = k + 1
            elif step.name not in self.factors:
                break
        products(self.canvas, group)
        return taken


def _place_in_table(step: Step) -> int:
    return kind_of(step.name).shown.order


def _is_factor(name: str, position: int) -> bool:
    return kind_of(name).shown.factor == ("right" if position else "left")


LONG = ".pairs"  # a formula of a line for each word: read in its cell
COUNTS, ENCODING = "bpe.counts", "bpe.encoding"


def bands(canvas: Canvas) -> tuple[Band, ...]:
    """The bands of the tab, from top to bottom."""
    _corpus(canvas)
    _lengths(canvas, "bpe", True)
    rounds = sum(name.endswith(".winner") for name in canvas.mine)
    for m in range(1, rounds + 1):
        before = f"bpe.merge{m - 1}" if m > 1 else "bpe"
        _pairs(canvas, f"bpe.merge{m}", f"{before}.corpus", m == 1)
        _lengths(canvas, f"bpe.merge{m}", m == 1)
    _encoding(canvas, rounds)
    return tuple(canvas.done)


def _corpus(canvas: Canvas) -> None:
    band = _open(canvas, ("bpe.words", COUNTS), True)
    top = band.bottom + 1
    canvas.place(band, canvas.trace["bpe.words"], top + 1, SPINE, top)
    canvas.place(band, canvas.trace[COUNTS], top + 1, SPINE + 1, top, turned=True)
    canvas.close(band)


def _lengths(canvas: Canvas, at: str, explained: bool) -> None:
    """The corpus in pieces, how many they are, and all in all."""
    names = [f"{at}.{part}" for part in ("corpus", "sizes", "length")]
    band = _open(canvas, names, explained)
    corpus, sizes, length = (canvas.trace[name] for name in names)
    top = band.bottom + 1
    canvas.place(band, corpus, top + 1, SPINE, top)
    canvas.place(band, sizes, top + 1, SPINE + 1, top, turned=True)
    canvas.place(band, canvas.trace[COUNTS], top + 1, SPINE + 2, top, turned=True)
    canvas.place(band, length, top + 1, SPINE + 4, top)
    canvas.close(band)


def _pairs(canvas: Canvas, at: str, corpus: str, explained: bool) -> None:
    """The pairs at their places, beside them their counts, the best of each word, the winner."""
    names = [f"{at}.{part}" for part in ("places", "pairs", "most", "best", "winner")]
    band = _open(canvas, names, explained)
    places, pairs, most, best, winner = (canvas.trace[name] for name in names)
    top, wide = band.bottom + 1, places.shape[1]
    canvas.place(band, canvas.trace[corpus], top + 1, SPINE)
    column = SPINE + 1
    for step, after in ((places, 1), (pairs, 1), (most, 0), (best, 1), (winner, 0)):
        canvas.place(band, step, top + 1, column, top)
        column += (wide if step in (places, pairs) else 1) + after
    canvas.close(band)


def _encoding(canvas: Canvas, rounds: int) -> None:
    """The new word, rule by rule below each other; its letters and tokens beside it."""
    rules = [f"{ENCODING}.rule{m}" for m in range(1, rounds + 1)]
    listed = [f"{ENCODING}.{part}" for part in ("word", "spelled")]
    counted = [f"{ENCODING}.{part}" for part in ("letters", "tokens", "ratio")]
    band = _open(canvas, (*listed, rules[0], *counted), True)
    top = band.bottom + 2
    for k, name in enumerate((*listed, *rules)):
        box = box_for(canvas.trace[name], canvas.sheet, top + k, SPINE, False, True)
        band.boxes.append(box)
        canvas.here.add(name)
        if name in rules:
            winner = canvas.trace[f"bpe.merge{rules.index(name) + 1}.winner"]
            band.boxes.append(box_for(winner, canvas.sheet, top + k, SPINE + 1, False, home=False))
    band.bottom = top + 1 + rounds
    for k, name in enumerate(counted):
        canvas.place(band, canvas.trace[name], top + 1, SPINE + 3 + 2 * k, top)
    canvas.close(band)


def _open(canvas: Canvas, names: Sequence[str], explained: bool) -> Band:
    """A band with a heading line for each step; formulas in functions where they are explained."""
    band = Band(canvas.row, canvas.row - 1)
    for k, name in enumerate(names):
        if explained and not name.endswith(LONG):
            canvas.head(band, canvas.trace[name], LETTERS[k])
        else:
            band.bottom += 1
            band.lines.append(HeadingLine(band.bottom, name, LETTERS[k]))
    if any(name in canvas.asked for name in names):
        band.bottom += 1
        band.help_row = band.bottom
    return band


def products(
    canvas: Canvas, steps: Sequence[Step], turned: bool = False, columns: bool = False
) -> None:
    """A band of products with one left factor; `turned` shows the right factors transposed.

    With `columns` the left one is, for a product of columns with columns.
    """
    trace = canvas.trace
    left = trace[steps[0].inputs[0]]
    rights = [trace[step.inputs[1]] for step in steps]
    biases = [bias(canvas, step) for step in steps]
    band = canvas.open([*canvas.homes(left, *rights, *biases), *steps])
    top = band.bottom + 1  # tags, column labels, right factors, (biases,) then the lower half
    wide = left.shape[0 if columns else 1]
    below = top + 2 + wide + any(biases)
    canvas.place(band, left, below + 2, SPINE + 1, below, below + 1, columns)
    column = SPINE + 1 + wide
    for step, right, shift in zip(steps, rights, biases, strict=True):
        column += 1
        over = canvas.place(band, right, top + 2, column, top, top + 1, turned)
        _sides(canvas, band, over, right)
        if shift:
            canvas.place(band, shift, over.bottom + 1, column)
            band.labels.append(TabLabel(over.bottom + 1, column - 1, "b"))
        canvas.place(band, step, below + 2, column, below, below + 1)
        column += step.shape[1]
    canvas.spine(band, steps[0], below + 2)
    canvas.close(band)


def logits(canvas: Canvas, step: Step) -> None:
    """The vector above, one word per row below, each word's dot product at its right."""
    last, matrix = (canvas.trace[name] for name in step.inputs[:2])
    shift = bias(canvas, step)
    band = canvas.open([*canvas.homes(last, matrix, shift), step])
    top = band.bottom + 1
    canvas.place(band, last, top + 2, SPINE + 1, top, top + 1)
    band.labels.append(TabLabel(top + 2, SPINE, "x"))
    row, tag, column = top + 5, top + 3, SPINE + 2 + last.shape[1]
    canvas.place(band, matrix, row, SPINE + 1, tag, tag + 1)
    if shift:
        canvas.place(band, shift, row, column, tag, tag + 1, turned=True)
        column += 2
    canvas.place(band, step, row, column, tag, tag + 1, turned=True)
    canvas.spine(band, step, row, turned=True)
    canvas.close(band)


def bias(canvas: Canvas, step: Step) -> Step | None:
    """The bias that a product adds, where it adds one."""
    return canvas.trace[step.inputs[2]] if len(step.inputs) > 2 else None


def _sides(canvas: Canvas, band: Band, over: Box, right: Step) -> None:
    names = right.columns if over.turned else right.rows
    live = not over.turned and canvas.by_token(right)[0]
    for k, name in enumerate(names):
        row, column = over.row + k, over.column - 1
        band.labels.append(canvas.token(row, column, k) if live else TabLabel(row, column, name))


HEAD_ROWS = 4  # above the weights: heading, how to go on, the formula, names of the strips


def sheet(canvas: Canvas, learn: LearnLayout) -> Sheet:
    """The tab of one step of training; what is chosen stands on the first one only."""
    if canvas.tab.step == 1:
        _chosen(canvas, learn)
    head = Band(canvas.row, canvas.row + HEAD_ROWS - 1)
    canvas.done.append(head)
    canvas.row = head.bottom + 1
    top = canvas.row + 1  # of the first labels above columns, under the name of the weight
    kept = strips(canvas.trace, top, top)
    for name in learning(canvas.trace):
        _weight(canvas, learn, name, kept)
    bottom = canvas.done[-1].bottom
    return Sheet(canvas.tab, tuple(canvas.done), strips(canvas.trace, top, bottom))


def _chosen(canvas: Canvas, learn: LearnLayout) -> None:
    """A row for each entry; beside them P and loss of each pass, and their curve."""
    passes = trainings(canvas.trace) + 1
    rows = max(learn.rows, passes + (CHART_ROWS if passes > 2 else 0))
    band = Band(FIRST_ROW, learn.top + rows - 1)
    for k in range(passes):
        prefix = step_prefix(k + 1)
        band.labels.append(TabLabel(learn.top + k, PASS, f"pass{k + 1}"))
        for column, name in ((CHANCE, "loss.probability"), (LOSS, "loss.cross_entropy")):
            if f"{prefix}{name}" in canvas.trace:
                step = canvas.trace[f"{prefix}{name}"]
                box = box_for(step, canvas.sheet, learn.top + k, column, False, False)
                band.boxes.append(box)
    canvas.close(band)


def _weight(
    canvas: Canvas,
    learn: LearnLayout,
    name: str,
    kept: tuple[WeightStrip, ...],
) -> None:
    """A weight as it was, its gradient, and as it becomes, in one shape."""
    trace, prefix = canvas.trace, step_prefix(canvas.tab.step)
    weight, new = trace[name], trace[f"{prefix}update.{name}"]
    before, slope = trace[new.inputs[0]], trace[new.inputs[2]]
    asked = new.name in canvas.asked
    band = canvas.open([new]) if asked else Band(canvas.row, canvas.row)
    row = band.bottom + 2
    for step, strip in zip((before, slope, new), kept, strict=True):
        _box(canvas, band, step, weight, row, strip.left)
    if not asked:
        band.labels.append(TabLabel(band.top, SPINE, learn.titles[name]))
    canvas.spine(band, weight, row)
    canvas.done.append(band)
    canvas.row = band.bottom + 1


def _box(canvas: Canvas, band: Band, step: Step, shape: Step, row: int, column: int) -> None:
    """A table at home here if it belongs here, with labels above its columns."""
    home = step.name in canvas.mine and step.name not in canvas.here
    box = box_for(step, canvas.sheet, row, column, False, home)
    band.boxes.append(box)
    band.bottom = max(band.bottom, box.bottom)
    if home:
        canvas.here.add(step.name)
    canvas.heads(band, box, shape, row - 1)
