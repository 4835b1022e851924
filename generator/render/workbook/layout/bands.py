"""Arranges the steps of one tab in bands: lists, tables side by side, products after Falk."""

from collections.abc import Sequence, Set

from generator.engine.ops import MatMul, MatMulT, MatTMul
from generator.engine.step import Cell
from generator.engine.trace import Step, Trace
from generator.insight.general_claims import checked_catalogue
from generator.locales.catalogue import Catalogue
from generator.render.workbook.layout import bpe, falk, learn
from generator.render.workbook.layout.canvas import Canvas
from generator.render.workbook.layout.controls import is_control
from generator.render.workbook.layout.glance_plan import plan_glance
from generator.render.workbook.layout.layout import Band, Layout, Sheet
from generator.render.workbook.layout.start_layout import StartLayout, plan_start
from generator.render.workbook.layout.tables import WIDEST, Tables
from generator.render.workbook.layout.tabs import tabs
from generator.render.workbook.layout.texts import Texts
from generator.steps import kind_of

FACTORED = MatMul | MatMulT | MatTMul  # on the way back each is shown with both factors


def lay_out(trace: Trace, catalogue: Catalogue, asked: Set[Cell] = frozenset()) -> Layout:
    """Tabs, bands and boxes for every step of a trace.

    A band with an `asked` cell has one heading row more, its `help_row`; the tab at a glance,
    which would tell what is asked, is then left out.
    """
    catalogue = checked_catalogue(catalogue, trace)  # a tab is called as the model's norm is
    texts = Texts(trace, catalogue.language)
    names = {cell[0] for cell in asked}
    stages = tabs(trace, catalogue)
    start = plan_start(trace, catalogue, solved=not asked)
    sheets = [_sheet(Canvas(trace, tab, texts, names), start) for tab in stages]
    glance = None if asked else plan_glance(trace, stages, catalogue)
    return Layout(trace, sheets, start, glance)


def _sheet(canvas: Canvas, start: StartLayout) -> Sheet:
    if canvas.tab.kind == "learn" and start.learn:
        return learn.sheet(canvas, start.learn)
    own = bpe.bands(canvas) if canvas.tab.kind == "bpe" else Composer(canvas).bands()
    return Sheet(canvas.tab, own)


class Composer:
    """Goes through the steps of one tab in order and gives each its box."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.steps = sorted(canvas.steps, key=_place_in_table)
        self.tables = Tables(canvas)
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
                falk.products(self.canvas, [step], turned=True)
            case "logits":
                falk.logits(self.canvas, step)
            case "tempered":
                self.tables.tempered(step)
            case "line":
                self.tables.line(step)
        return 1

    def _on_the_way_back(self, step: Step) -> int:
        """The product that carries a gradient back: W turned, or the numbers that came in."""
        self.tables.flush()
        right, left = isinstance(step.op, MatMulT), isinstance(step.op, MatTMul)
        falk.products(self.canvas, [step], turned=right, columns=left)
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
        falk.products(self.canvas, group)
        return taken


def _place_in_table(step: Step) -> int:
    return kind_of(step.name).shown.order


def _is_factor(name: str, position: int) -> bool:
    return kind_of(name).shown.factor == ("right" if position else "left")
