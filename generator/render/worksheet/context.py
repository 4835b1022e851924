"""What a worksheet's template may ask: places of cells, labels, symbols, facts. Never a number."""

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from generator.engine.trace import Trace
from generator.insight.attention import Attention, attention
from generator.insight.slips import Slip, slips
from generator.notation.numbers import number
from generator.notation.shown import shown_decimals, shown_value
from generator.plans.plan import Plan
from generator.render.worksheet.maths import Formulas
from generator.render.worksheet.options import SheetOptions
from generator.render.worksheet.slots import slot
from generator.text.catalogue import Catalogue
from generator.version import __version__

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
AXIS_MM = 100  # the empty axis: 1 mm is 1 per cent


@dataclass(frozen=True)
class Context:
    """The view of one worksheet that its template has."""

    plan: Plan
    trace: Trace
    exact: Trace
    options: SheetOptions
    catalogue: Catalogue
    formulas: Formulas
    blank: bool

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence's tokens."""
        return self.trace.tokens

    @property
    def own(self) -> str:
        """The token that pupils compute."""
        return self.tokens[self.plan.own]

    @property
    def example(self) -> str:
        """The token of the worked example."""
        return self.tokens[self.plan.worked]

    @property
    def stamp(self) -> str:
        """Preset, content, version: what a sheet was made from."""
        preset = self.trace.preset
        return f"{preset.name} · {preset.sha256[:6]} · v{__version__}"

    def at(self, name: str) -> str:
        """The full name of a step of the sheet's head."""
        return f"{self.plan.at}.{name}"

    def has(self, name: str) -> bool:
        """Whether the Trace has a step."""
        return name in self.trace

    def size(self, name: str) -> tuple[int, int]:
        """Rows and columns of a step."""
        return self.trace[name].shape

    def columns(self, name: str) -> tuple[str, ...]:
        """The column labels of a step: d1, d2, …"""
        return self.trace[name].columns

    def asks(self, step: str, i: int, j: int) -> bool:
        """Whether a cell is one to fill."""
        return (step, i, j) in self.plan.asked

    def sees(self, i: int, j: int) -> bool:
        """Whether token i may look at token j."""
        mask = self.at("mask")
        return not self.has(mask) or bool(self.trace[mask].values[i, j] == 0.0)

    def cell(self, step: str, i: int, j: int) -> Markup:
        """The slot of one number."""
        return slot("number", step, i, j)

    def percent(self, step: str, i: int, j: int) -> Markup:
        """The slot of one share as per cent."""
        return slot("percent", step, i, j)

    def line(self, step: str, i: int, j: int) -> Markup:
        """The slot of one line of arithmetic."""
        return slot("line", step, i, j)

    def formula(self, key: str, latex: str, inline: bool = True) -> Markup:
        """A formula with its spoken alternative from the catalogue (`spoken.<key>`)."""
        return self.formulas.image(latex, self.catalogue.t(f"spoken.{key}"), inline)

    def attention_formula(self) -> Markup:
        """Vaswani et al. 2017, equation 1, with the mask where the sheet has one."""
        masked = self.has(self.at("mask"))
        mask = " + \\mathrm{Mask}" if masked else ""
        inner = f"\\frac{{Q K^{{\\top}}}}{{\\sqrt{{d_k}}}}{mask}"
        head = "\\mathrm{Attention}(Q{,}\\,K{,}\\,V) = \\mathrm{softmax}"
        latex = f"{head}\\!\\left({inner}\\right)\\, V"
        return self.formula("attention.masked" if masked else "attention", latex, inline=False)

    def indexed(self, letter: str, k: int) -> str:
        """A letter with an index counted from 1: q₁ for 0."""
        return letter + str(k + 1).translate(SUBSCRIPTS)

    def picks(self, name: str) -> tuple[int, ...]:
        """The dimensions (from 1) that a weight matrix copies; empty where it does more."""
        weight = self.trace[self.at(f"weight.{name}")].values
        ones = bool(((weight == 0) | (weight == 1)).all() and (weight.sum(axis=0) == 1).all())
        return tuple((weight.argmax(axis=0) + 1).tolist()) if ones else ()

    def partner(self) -> int:
        """The token whose line the example writes out: its strongest, but never the own one."""
        shares = self.trace[self.at("weights")].values[self.plan.worked]
        others = [j for j in self.plan.worked_visible if j != self.plan.own]
        return max(others, key=lambda j: (shares[j], -j))

    def divisor(self) -> str:
        """√d_k as shown, with "=" or "≈" before it."""
        shown = shown_value(self.trace["scale"], 0, 0)
        true = float(np.sqrt(self.trace.preset.d_head))
        sign = "=" if abs(shown - true) < 1e-12 else "≈"
        return f"{sign} {self.divisor_number()}"

    def divisor_number(self) -> str:
        """√d_k as pupils divide by it."""
        step = self.trace["scale"]
        return number(shown_value(step, 0, 0), shown_decimals(step), self.options.language)

    def decimals(self, name: str) -> int:
        """How many decimals a step of the head shows."""
        return shown_decimals(self.trace[self.at(name)])

    def score_tolerance(self) -> str:
        """By how much the sum of the rounded scores may miss q·Σk: half a digit for each."""
        return self._tolerance("scores", self._exact_scores())

    def share_tolerance(self) -> str:
        """By how much the rounded shares may miss 1."""
        return self._tolerance("weights", exact=False)

    def key_sum(self, column: int) -> str:
        """The sum of a key column over the tokens that the own token sees."""
        step = self.trace[self.at("key")]
        values = [shown_value(step, j, column) for j in self.plan.visible]
        return number(sum(values), shown_decimals(step), self.options.language)

    def bar_mm(self, row: int, j: int) -> str:
        """The length of a bar, 1 mm for 1 per cent, for CSS."""
        return f"{self.trace[self.at('weights')].values[row, j] * AXIS_MM:.2f}mm"

    def facts(self) -> Attention:
        """Who gets most of the own token's attention, and why. Only for solutions."""
        return attention(self.trace, self.plan.at, self.plan.own, self.plan.visible)

    def slips(self) -> list[Slip]:
        """What usual slips give. Only for solutions."""
        best = self.facts().best
        return slips(self.trace, self.plan.at, self.plan.own, self.plan.visible, best)

    def show(self, step: str, value: float) -> str:
        """A number with the decimals of a step."""
        return number(value, shown_decimals(self.trace[step]), self.options.language)

    def differing(self) -> list[tuple[int, str, str]]:
        """Shares of the own token that end differently without rounding: token, paper, exact."""
        step = self.trace[self.at("weights")]
        found = []
        for j in self.plan.visible:
            paper = self.show(step.name, step.values[self.plan.own, j])
            exact = self.show(step.name, self.exact[step.name].values[self.plan.own, j])
            if paper != exact:
                found.append((j, paper, exact))
        return found

    def _exact_scores(self) -> bool:
        needed = self.decimals("query") + self.decimals("key")
        return needed <= self.decimals("scores")

    def _tolerance(self, name: str, exact: bool) -> str:
        if exact:
            return ""
        decimals = self.decimals(name)
        width = len(self.plan.visible) * 0.5 * 10.0**-decimals
        return number(round(width, decimals + 1), None, self.options.language)
