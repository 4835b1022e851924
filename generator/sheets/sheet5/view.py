"""What the template of sheet 5 may ask: stages, zeros, checks, drawn places, slips."""

# ruff: noqa: D102 (what every view answers is described in Context)

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from markupsafe import Markup

from generator.engine.rounding import GUARD, guarded_number
from generator.engine.step import Cell
from generator.insight.add_norm import Stage, check_sum
from generator.insight.claims import Claims
from generator.insight.heads import CONCAT, only_joined
from generator.insight.norm_slips import furthest, no_relu, slips, without_old
from generator.insight.slips import Slip
from generator.locales.locale import locale_of
from generator.notation.numbers import number
from generator.notation.shown import shown_decimals, shown_value
from generator.sheets.asked_before import has
from generator.sheets.context import Context, Help
from generator.sheets.geometry import Grid, Scheme
from generator.sheets.sheet3 import plan as sheet3
from generator.sheets.sheet4b import plan as sheet4b
from generator.sheets.sheet5 import drawing
from generator.sheets.sheet5.claims import CLAIMS
from generator.sheets.sheet5.plan import MOST_SQUARES, Plan5

AXIS = 3  # the empty axis reaches from −3 to 3: d numbers whose squares have mean 1 lie within √d
LEAST_SIGMA = 0.3  # for which the tolerances of the checks hold


class Spot(NamedTuple):
    """A number on an axis: its label, its value and the height of its label, in lines."""

    label: str
    value: float
    line: int


@dataclass(frozen=True)
class View(Context):
    """The view of sheet 5 that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: Plan5

    @property
    def width(self) -> int:
        """The numbers of a row, d_model."""
        return self.trace.preset.d_model

    @property
    def pre(self) -> bool:
        """Whether the norm stands before each part."""
        return self.trace.preset.norm == "pre"

    @cached_property
    def brings_old(self) -> bool:
        """Whether pupils have the old row from sheet 3."""
        return self.plan.first.old == "input" and has(sheet3, self.trace, self.plan, ("input",))

    @cached_property
    def brings_new(self) -> bool:
        """Whether pupils have the new row from sheet 4b: W_O must leave what stands there."""
        joined = self.trace[CONCAT].name
        return only_joined(self.trace) and has(sheet4b, self.trace, self.plan, (joined,))

    def bringing(self) -> str:
        """What pupils are told to bring along; "" for nothing."""
        which = {(True, True): "", (True, False): ".old", (False, True): ".new"}
        key = which.get((self.brings_old, self.brings_new))
        return "" if key is None else self.catalogue.t(f"sheet5.carry{key}")

    def tall(self) -> bool:
        """Whether the tables are taller than those of four columns without gain and bias."""
        plan = self.plan
        biased = any(len(self.inputs(name)) > 2 for name in (plan.hidden, plan.output))
        return self.width > MOST_SQUARES or bool(plan.first.scaled) or biased

    def block(self) -> drawing.Block:
        """The block from left to right; parts by their number, 0 for those of another sheet."""
        attention = [("norm", 0), ("attention", 0)] if self.pre else [("attention", 0)]
        again = [("add", 3)] + ([("norm", 3)] if self.plan.second.normalised else [])
        middle = [("add", 1), ("norm", 1), ("network", 2)]
        nodes = (*attention, *middle, *again)
        return drawing.block(nodes, self.pre, self.options.large_print)

    def stage_columns(self) -> Grid:
        """The columns of an add & norm."""
        return drawing.stage(self.width, self.options.large_print)

    def expanding(self) -> Scheme:
        """The columns of the network's first product."""
        return drawing.expanding(self.width, len(self.halves()[0]))

    def shrinking(self) -> Scheme:
        """The columns of the network's second product."""
        return drawing.shrinking(self.trace.preset.d_ff, self.width)

    def board_columns(self) -> Grid:
        """The columns of the board."""
        return drawing.board(self.width)

    def open_axis(self) -> drawing.Axis:
        """The axis to draw on: it reaches equally far to both sides of 0."""
        return drawing.Axis(8, 13, -AXIS, AXIS, 150)

    def shows_squares(self, part: Stage, row: int) -> bool:
        """Whether a stage's table has a row of squares: the example where there is room."""
        if row == self.plan.own:
            return self.asks(part.squares(row), 0, 0)
        return self.width <= MOST_SQUARES

    def shows_scaled(self, part: Stage, row: int) -> bool:
        """Whether a stage's table has rows for gain and shift."""
        return bool(part.scaled) and (row != self.plan.own or self.asks(part.scaled, row, 0))

    def zero(self, step: str, i: int, j: int) -> str:
        """The class of a weight that is 0."""
        return "zero" if not self.trace[step].values[i, j] else ""

    def crossed(self, i: int, j: int) -> str:
        """The class of a hidden value that ReLU crosses out; an answer's only in solutions."""
        if self.blank and self.asks(self.plan.hidden, i, j):
            return ""
        return "out" if self.trace[self.plan.hidden].values[i, j] < 0 else ""

    def halves(self) -> tuple[range, ...]:
        """The columns of the first matrix, at most four together."""
        d_ff = self.trace.preset.d_ff
        half = d_ff if d_ff <= 4 else (d_ff + 1) // 2
        return tuple(range(a, min(a + half, d_ff)) for a in range(0, d_ff, half))

    def inputs(self, name: str) -> tuple[str, ...]:
        """The steps that a step is computed from."""
        return self.trace[name].inputs

    def least(self) -> str:
        """The least σ for which the printed tolerances hold."""
        return number(LEAST_SIGMA, None, self.options.language)

    def deviations_tolerance(self, part: Stage) -> str:
        """By how much the deviations may miss 0: the mean was rounded by half a digit."""
        return self._plain(self.width * self._half(part.mean)) if part.mean else ""

    def normalised_tolerance(self, part: Stage) -> str:
        """By how much Σ y may miss 0; empty where no mean is subtracted."""
        if not part.mean:
            return ""
        each = self._half(part.mean) / LEAST_SIGMA + self._half(part.normalised)
        return self._ceiled(self.width * each)

    def square_tolerance(self, part: Stage) -> str:
        """By how much Σ y² may miss d: σ² and σ were rounded, and ε was added."""
        varied = (self._half(part.square) + self.trace.preset.epsilon) / LEAST_SIGMA**2
        rooted = 2 * self._half(part.root) / LEAST_SIGMA
        return self._ceiled(self.width * (varied + rooted + 2 * self._half(part.normalised)))

    def product_tolerance(self, name: str) -> str:
        """By how much the sum of a rounded product may miss its check; empty where it cannot."""
        x, weight, *bias = self.inputs(name)
        needed = shown_decimals(self.trace[x]) + shown_decimals(self.trace[weight])
        digits = shown_decimals(self.trace[name])
        if max(needed, *(shown_decimals(self.trace[b]) for b in bias), 0) <= digits:
            return ""
        return self._plain(self.size(name)[1] * self._half(name))

    def product_check(self, name: str, letter: str) -> Markup:
        """What the sum of a product must be: each factor times the sum of its row of W."""
        _, weight, *bias = self.inputs(name)
        sums = self.trace[weight].values.sum(axis=1)
        terms = [self._term(float(s), f"<i>{letter}</i><sub>{k + 1}</sub>") for k, s in
                 enumerate(sums)]  # fmt: skip
        constant = guarded_number(sum(float(self.trace[b].values.sum()) for b in bias), GUARD)
        terms += [number(constant, None, self.options.language)] if constant else []
        text = " + ".join(t for t in terms if t).replace("+ −", "− ")
        return Markup(text or "0")

    def check_sum(self, part: Stage, step: str) -> str:
        """What belongs into a row's box of the check. Only for solutions."""
        return self.show(step, check_sum(self.trace, part, step, self.plan.own))

    def spots(self, step: str, row: int) -> tuple[Spot, ...]:
        """The numbers of a row for an axis, labels of near ones on different lines."""
        values = [shown_value(self.trace[step], row, j) for j in range(self.width)]
        order = sorted(range(self.width), key=lambda j: (values[j], j))
        line = {j: k % 2 for k, j in enumerate(order)}
        return tuple(Spot(self.indexed("d", j), values[j], line[j]) for j in range(self.width))

    def axis(self, part: Stage, row: int) -> drawing.Axis:
        """An axis with room for a row before and after the norm."""
        names = (part.total, part.normalised)
        values = [shown_value(self.trace[n], row, j) for n in names for j in range(self.width)]
        low, high = math.floor(min(*values, -1.0)), math.ceil(max(*values, 1.0))
        return drawing.Axis(26, 30, low, high, 136)

    @property
    def line_mm(self) -> float:
        """The height of a line of labels above an axis."""
        return 4.6 if self.options.large_print else 4

    def whole(self, value: int) -> str:
        """A whole number below an axis."""
        return number(value, 0, self.options.language)

    def epsilon(self) -> str:
        """What is added below the root; empty where nothing is."""
        added = self.trace.preset.epsilon
        return number(added, None, self.options.language) if added else ""

    def formulas_of_norm(self) -> tuple[Markup, ...]:
        """Mean, variance, standard deviation and quotient; with RMSNorm all but the mean."""
        if not self.plan.first.mean:
            return self._formulas_of_rms()
        d = self.width
        dots = "" if d == 2 else r" + \dots"
        plus = r" + \varepsilon" if self.trace.preset.epsilon else ""
        return (
            self.formula("5.mean", rf"\mu = \dfrac{{r_1{dots} + r_{d}}}{{{d}}}"),
            self.formula(
                "5.variance",
                rf"\sigma^2 = \dfrac{{(r_1 - \mu)^2{dots} + (r_{d} - \mu)^2}}{{{d}}}",
            ),
            self.formula(
                "5.deviation.more" if plus else "5.deviation",
                rf"\sigma = \sqrt{{\sigma^2{plus}}}",
            ),
            self._quotient(r"r - \mu", r"\sigma"),
        )

    def _formulas_of_rms(self) -> tuple[Markup, ...]:
        d, dots = self.width, "" if self.width == 2 else r" + \dots"
        plus = r" + \varepsilon" if self.trace.preset.epsilon else ""
        root = "5.deviation.more" if plus else "5.deviation"
        return (
            self.formula(
                "5.variance", rf"\mathrm{{RMS}}^2 = \dfrac{{r_1^2{dots} + r_{d}^2}}{{{d}}}"
            ),
            self.formula(root, rf"\mathrm{{RMS}} = \sqrt{{\mathrm{{RMS}}^2{plus}}}"),
            self._quotient("r", r"\mathrm{RMS}"),
        )

    def _quotient(self, above: str, below: str) -> Markup:
        """The normalised row: the result y, or ŷ where gain and shift follow."""
        key, y = ("5.quotient.hat", r"\hat{y}") if self.plan.first.scaled else ("5.quotient", "y")
        return self.formula(key, rf"{y} = \dfrac{{{above}}}{{{below}}}")

    def network_formula(self) -> Markup:
        """Vaswani et al. 2017, equation 2, with the biases that the preset has."""
        first, second = (
            f" + b_{k}" if len(self.inputs(name)) > 2 else ""
            for k, name in ((1, self.plan.hidden), (2, self.plan.output))
        )
        key = "5.network.bias" if first or second else "5.network"
        latex = rf"f = \mathrm{{ReLU}}(y \cdot W_1{first}) \cdot W_2{second}"
        return self.formula(key, latex)

    def crossed_out(self) -> int:
        """How many of the own hidden values ReLU crosses out. Only for solutions."""
        return int((self.trace[self.plan.hidden].values[self.plan.own] < 0).sum())

    def slips(self) -> list[Slip]:
        plan = self.plan
        found = slips(self.trace, plan.first, plan.own)
        if plan.network:
            found += no_relu(self.trace, plan.hidden, plan.output, plan.own)
        return found

    def named(self, slip: Slip) -> dict[str, str]:
        return {"dimension": self.indexed("d", slip.j)}

    def telling(self) -> dict[str, str]:
        first, own = self.plan.first, self.plan.own
        j = furthest(self.trace, first, own)
        alone = without_old(self.trace, first, own)
        right = float(self.trace[first.normalised].values[own, j])
        wrong = right if alone is None else float(alone[j])
        return {
            "dimension": self.indexed("d", j),
            "right": self.show(first.normalised, right),
            "wrong": self.show(first.normalised, wrong),
            "crossed": str(self.crossed_out()),
            "hidden": str(self.trace.preset.d_ff),
            "width": str(self.width),
        }

    def ends(self) -> Iterator[tuple[str, Cell]]:
        """The last row that the level asks."""
        plan = self.plan
        last = plan.output if plan.network else plan.first.normalised
        if plan.again:
            last = plan.second.normalised or plan.second.total
        yield from ((self.indexed("d", j), (last, plan.own, j)) for j in range(self.width))

    def hints(self) -> tuple[str, ...]:
        return ("spread", "norm", *(("network", "output") if self.plan.network else ()))

    def helps(self) -> tuple[Help, ...]:
        first, own = self.plan.first, self.plan.own
        *_, variance, _, quotient = self.formulas_of_norm()
        return (
            Help("spread", variance, first.square, own, 0),
            Help("norm", quotient, first.normalised, own, 0),
        )

    def pressed(self) -> dict[str, str]:
        return {"width": str(self.width)}

    def _term(self, factor: float, symbol: str) -> str:
        factor = guarded_number(factor, GUARD)
        if not factor:
            return ""
        sign = "−" if factor < 0 else ""
        if abs(factor) == 1.0:
            return sign + symbol
        shown = number(abs(factor), None, self.options.language)
        times = locale_of(self.options.language).signs.times
        return f"{sign}{shown} {times} {symbol}"

    def _half(self, name: str) -> float:
        return float(0.5 * np.power(10.0, -shown_decimals(self.trace[name])))

    def _plain(self, value: float) -> str:
        return number(guarded_number(value, GUARD), None, self.options.language)

    def _ceiled(self, value: float) -> str:
        """The next tenth, for a tolerance that is easy to keep in mind."""
        return number(math.ceil(guarded_number(value * 10, 6)) / 10, 1, self.options.language)
