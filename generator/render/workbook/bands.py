"""Arranges the steps of one tab in bands: lists, tables side by side, products after Falk."""

from collections.abc import Sequence

from generator.engine.ops import MatMul
from generator.engine.trace import Step, Trace
from generator.render.workbook import falk
from generator.render.workbook.canvas import Canvas
from generator.render.workbook.layout import Band, Layout, Sheet
from generator.render.workbook.tables import WIDEST, Tables
from generator.render.workbook.tabs import Tab, tabs
from generator.text.catalogue import Catalogue, step_place

_LINES = ("scale", "sampling.k", "sampling.p", "sampling.random", "sampling.next")
_PLACED_WITH_OTHERS = ("temperature", "output.matrix", "output.bias", "output.sum", "output.max")
_LEFT = ("activation", "concat")  # shown as the left factor of the product that follows


def lay_out(trace: Trace, catalogue: Catalogue) -> Layout:
    """Tabs, bands and boxes for every step of a trace."""
    found = tabs(trace, catalogue)
    return Layout(trace, [Sheet(tab, Composer(trace, tab).bands()) for tab in found])


class Composer:
    """Goes through the steps of one tab in order and gives each its box."""

    def __init__(self, trace: Trace, tab: Tab) -> None:
        self.steps = tab.steps
        self.canvas = Canvas(trace, tab)
        self.tables = Tables(self.canvas)
        multiplied = [step for step in tab.steps if isinstance(step.op, MatMul)]
        self.factors = {
            name
            for step in multiplied
            for k, name in enumerate(step.inputs)
            if name in self.canvas.mine and _is_factor(name, k)
        }

    def bands(self) -> tuple[Band, ...]:
        """The bands of the tab, from top to bottom."""
        for scalar in self._scalars():
            self.tables.line(scalar)
        steps = sorted(self.steps, key=lambda step: step.name.startswith("sampling.") + _late(step))
        while steps:
            del steps[: self._next(steps)]
        self.tables.flush()
        return tuple(self.canvas.done)

    def _scalars(self) -> list[Step]:
        """Single numbers of other tabs that this one computes with."""
        trace, mine = self.canvas.trace, self.canvas.mine
        names = dict.fromkeys(x for step in self.steps for x in step.inputs if x not in mine)
        return [trace[x] for x in names if trace[x].shape == (1, 1) and not trace[x].text]

    def _next(self, steps: Sequence[Step]) -> int:
        """Place the first of the steps; gives how many are dealt with."""
        step, rest = steps[0], step_place(steps[0].name)[2]
        if step.name in self.factors or rest in _PLACED_WITH_OTHERS:
            return 1
        if isinstance(step.op, MatMul):
            return self._products(steps)
        if rest == "scores":
            self.tables.flush()
            falk.products(self.canvas, [step], turned=True)
        elif rest == "output.logits":
            self.tables.flush()
            falk.logits(self.canvas, step)
        elif rest == "output.tempered":
            self.tables.flush()
            self.tables.tempered(step)
        elif rest in _LINES or (rest.startswith("count.") and rest != "count.size"):
            self.tables.flush()
            self.tables.line(step)
        else:
            self.tables.add(step)
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


def _late(step: Step) -> bool:
    """Within the sampling, the numbers to be set come first."""
    return step.name.startswith("sampling.") and step.kind == "computed"


def _is_factor(name: str, position: int) -> bool:
    rest = step_place(name)[2]
    return rest in _LEFT if position == 0 else rest.startswith(("weight.", "bias."))
