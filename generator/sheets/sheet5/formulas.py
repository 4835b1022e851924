"""The formulas of sheet 5: how a norm comes about, and the feed-forward network."""

from dataclasses import dataclass

from markupsafe import Markup

from generator.notation.numbers import number
from generator.sheets.sheet5.checks import Checks


@dataclass(frozen=True)
class Formulated(Checks):
    """The part of sheet 5's view that its formulas need."""

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
