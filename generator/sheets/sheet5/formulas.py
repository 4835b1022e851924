"""The formulas of sheet 5: how a norm comes about, and the feed-forward network."""

from dataclasses import dataclass

from markupsafe import Markup

from generator.engine.expr import Bin
from generator.notation.numbers import number
from generator.sheets.sheet5.checks import Checks
from generator.steps import Letter, kind_of


@dataclass(frozen=True)
class Formulated(Checks):
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
