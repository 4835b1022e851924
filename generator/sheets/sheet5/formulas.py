"""The formulas of sheet 5: how a norm comes about, and the feed-forward network.

Also here:

* The checks that pupils do on sheet 5: what a sum must be, and by how much rounding moves it.
"""

import math
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from generator.engine.expr import Bin
from generator.engine.rounding import GUARD, guarded_number
from generator.insight.add_norm import Stage, check_sum
from generator.locales.locale import locale_of
from generator.notation.shown import number, shown_decimals
from generator.sheets.context import Context
from generator.sheets.sheet5.plan import Plan5
from generator.steps import Letter, kind_of


@dataclass(frozen=True)
class SumChecks(Context):
    """The part of sheet 5's view that its checks need."""

    plan: Plan5

    @property
    def width(self) -> int:
        """The numbers of a row, d_model."""
        return self.trace.preset.d_model

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


@dataclass(frozen=True)
class Formulated(SumChecks):
    """The part of sheet 5's view that its formulas need."""

    def epsilon(self) -> str:
        """What is added below the root; empty where nothing is."""
        added = self.trace.preset.epsilon
        return number(added, None, self.options.language) if added else ""

    def letter(self, step: str) -> Letter:
        """The letter of a step of a norm, without the prime of a block's second one."""
        found = kind_of(step).letter
        assert found is not None
        return found

    def formulas_of_norm(self) -> tuple[Markup, ...]:
        """How what is below the root, the root and the quotient come about; first the mean."""
        part, d = self.plan.first, self.width
        dots = "" if d == 2 else r" + \dots"
        plus = r" + \varepsilon" if self.trace.preset.epsilon else ""
        root = self.letter(part.root).latex
        square = f"{root}^2"
        minus, one, last = "", "r_1", f"r_{d}"
        if part.mean:
            minus, one, last = r" - \mu", r"(r_1 - \mu)", rf"(r_{d} - \mu)"
        squares = f"{one}^2{dots} + {last}^2"
        step = self.trace[part.square]
        if isinstance(step.op.cell(0, 0, *self.trace.operands(step)), Bin):  # a mean, no plain sum
            squares = rf"\dfrac{{{squares}}}{{{d}}}"
        mean = self.formula("5.mean", rf"\mu = \dfrac{{r_1{dots} + r_{d}}}{{{d}}}")
        return (
            *((mean,) if part.mean else ()),
            self.formula("5.variance", f"{square} = {squares}"),
            self.formula("5.deviation.more" if plus else "5.deviation",
                         rf"{root} = \sqrt{{{square}{plus}}}"),
            self._quotient(f"r{minus}", root),
        )  # fmt: skip

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


LEAST_SIGMA = 0.3  # for which the tolerances of the checks hold
