"""The tab "Warm-up": a dot product, a matrix product and a softmax, each entry judged at once.

The steps are computed by the engine's operations, so formulas and verdicts are its expressions.
"""

import numpy as np

from generator.checks.exercise import Exercise
from generator.checks.verdict import GATE, NOT_YET, RIGHT, TOLERANCE, verdict
from generator.engine.expr import Ref
from generator.engine.ops.attention import Power, RowShare, RowSum
from generator.engine.ops.linear import MatMul, MatMulT
from generator.engine.trace import Trace
from generator.notation.excel import Excel
from generator.render.workbook.draft import Draft
from generator.render.workbook.layout.box import Box, at, on
from generator.render.workbook.layout.tabs import POINTS
from generator.render.workbook.pen import Pen
from generator.render.workbook.print_setup import HEAD
from generator.render.workbook.verdicts import MARKS
from generator.resources import table

TABLES = table("render/workbook/tabs.toml")["warmup"]
GIVEN, PARTS = TABLES["given"], TABLES["parts"]
SPOTS = {name: (row, column) for name, (row, column) in TABLES["spots"].items()}
COUNT_ROW, LAST, LIMIT = 24, 14, 100
SIGN, HIDDEN = 4, 20  # columns from an entry to its sign, and to its verdict
FIRST, WIDTH = 20.0, 9.0  # characters of columns
LINE = 20  # pixels of a row


def warmed(trace: Trace) -> Trace:
    """A computation with the steps of the warm-up besides."""
    chain = trace.scratch()
    for name, values in GIVEN.items():
        chain.give(name, np.array(values))
    chain.apply("warmup.dot", MatMulT(), "warmup.a", "warmup.b", decimals=2)
    chain.apply("warmup.product", MatMul(), "warmup.left", "warmup.right", decimals=2)
    powers = chain.apply("warmup.exp", Power(None, masked=False), "warmup.scores", decimals=2)
    total = chain.apply("warmup.sum", RowSum(), powers, decimals=2)
    chain.apply("warmup.shares", RowShare(), powers, total, decimals=2)
    return trace.with_steps(chain.new)


class WarmUpTab(Pen):
    """The tab with its three parts; its numbers are everybody's, until somebody changes them."""

    def __init__(self, draft: Draft, title: str) -> None:
        super().__init__(draft, title)
        self.title = title
        trace = warmed(self.trace)
        steps = {name: trace[name] for name in SPOTS}
        self.boxes = {n: Box(n, title, *SPOTS[n], *step.shape) for n, step in steps.items()}
        names = (name for name in SPOTS if name not in GIVEN)
        self.asked = [(name, i, j) for name in names for i, j in self.boxes[name].cells()]
        self.exercise = Exercise(trace, {*self.asked})

    def write(self) -> None:
        """Headings and tasks, given numbers, empty cells, their verdicts, how many are right."""
        about = self.t("workbook.about.warmup")
        if self.draft.judging.judges:
            about += f" {self.t('workbook.about.warmup.judged')}"
        self.head(about, LAST)
        self.tell((3, 1))
        for part, row in PARTS.items():
            self.band(row, (1, LAST), self.t(f"workbook.warmup.{part}"))
            self.put((row + 1, 1), self.t(f"workbook.warmup.{part}.task"), "words")
        for name, box in self.boxes.items():
            across = box.column - 1 if box.column > 2 else 1
            if name != "warmup.product":
                called = self.t(f"workbook.warmup.of.{name.rpartition('.')[2]}")
                self.put((box.row, across), called, "label", align="right" if across > 1 else "")
            role = "input" if name in GIVEN else "entry"
            for i, j in box.cells():
                number = GIVEN[name][i][j] if name in GIVEN else None
                self.put(box.place(i, j), number, role, "General", "center")
        if self.draft.judging.judges:
            self._verdicts()

    def _verdicts(self) -> None:
        """Beside each entry its sign, in a hidden column what it is by; below of all how many."""
        excel = Excel(self._address)
        hidden = []
        for cell in self.asked:
            row, column = self.boxes[cell[0]].place(*cell[1:])
            judged, place = verdict(self.exercise, cell, Ref(GATE, 0, 0)), at(row, column + HIDDEN)
            self.live(place, excel.write(judged), float(NOT_YET))
            sign = '""'
            for state, look in MARKS.items():
                sign = f'IF({place}={state},"{look.sign}",{sign})'
            self.live((row, column + SIGN), sign, "", "strong", align="center")
            hidden.append(place)
        right = "+".join(f"({place}={RIGHT})" for place in hidden)
        count = self.phrase("workbook.warmup.count", number=(f"({right})", 0), most=len(hidden))
        self.live((COUNT_ROW, 1), *count, "strong")

    def _address(self, step: str, i: int, j: int) -> str:
        if step == GATE:
            return "1"  # judged at once
        if step == TOLERANCE:  # as strictly as the tabs of an exercise
            chosen = on(*self.layout.settings["tolerance"])
            return chosen if self.asks else str(self.draft.judging.tolerance)
        return self.boxes[step].cell(i, j)

    def dress(self) -> None:
        """What may be typed as a given number."""
        self.given(LIMIT, *(self.boxes[name].span() for name in GIVEN))

    def fit(self) -> None:
        """Widths and heights; the verdicts are hidden."""
        lines = [LINE * POINTS] * (COUNT_ROW - 1)
        self.shape([FIRST, *[WIDTH] * (LAST - 1)], [HEAD[0], *lines])
        self.aside(HIDDEN + 2, HIDDEN + 8)
        self.page.page_setup.fitToHeight = 1
