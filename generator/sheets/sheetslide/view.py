"""What the template of the slides' hand-out may ask: as sheet 4a, with projections and helps."""

# ruff: noqa: D102 (what every view answers is described in Context)

from dataclasses import dataclass
from typing import ClassVar

from generator.insight.claims import Claims
from generator.locales.locale import locale_of
from generator.notation.latex import OPERATORS
from generator.sheets.context import Help
from generator.sheets.maths import written_sum
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheetslide.claims import CLAIMS
from generator.sheets.sheetslide.plan import CHECKS, EXAMPLE, KEY_SUMS, PlanSlide

MOST_TERMS = 2  # of a sum that a help card has room for


@dataclass(frozen=True)
class View(sheet4a.View):
    """The view of sheet slide that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: PlanSlide

    def seen(self) -> str:
        """The catalogue's word for who sees whom: "none", "causal" or "strict"."""
        return self.trace.preset.mask

    @property
    def key_sums(self) -> str:
        """The step of the sums of the key columns."""
        return KEY_SUMS

    def checks(self, name: str) -> str:
        """The step of what the check of the own scores or shares gives. Only for solutions."""
        return f"{CHECKS}.{name}"

    def by_share(self) -> list[int]:
        """The tokens that the worked one sees, the largest share above."""
        shares = self.trace[self.at("weights")].values[self.plan.worked].tolist()
        return sorted(self.plan.worked_visible, key=lambda j: (-shares[j], j))

    def of_example(self, name: str) -> str:
        """A step of the worked token over the tokens that it sees."""
        return f"{EXAMPLE}.{name}"

    def contributions(self) -> str:
        """The step of what each token adds to the output of the own one."""
        return self.at(f"contribution{self.plan.own + 1}")

    def power(self) -> int:
        """The first token whose power is asked."""
        return self.plan.powers[0]

    def helps(self) -> tuple[Help, ...]:
        times = self.latex_times
        share, power = (self.catalogue.t(f"sheetslide.formula.{k}") for k in ("share", "power"))
        over = OPERATORS[locale_of(self.options.language).signs.divided]
        width = self.size(self.at("key"))[1]
        score = written_sum([f"q_{k} {times} k_{k}" for k in range(1, width + 1)], MOST_TERMS)
        j = self.partner()
        return (
            self._help("score", f"\\mathrm{{Score}} = {score}", "scores", j),
            self._help(
                "power", f"e^{{\\,\\mathrm{{Score}} \\,{over}\\, \\sqrt{{d_k}}}}", "scaled", j
            ),
            self._help("share", f"{share} = \\frac{{{power}}}{{\\Sigma}}", "sum", 0),
            self._help("output", f"o_1 = \\sum {share} {times} v_1", "output", 0),
        )

    def _help(self, key: str, latex: str, step: str, j: int) -> Help:
        return Help(
            key,
            self.formula(f"slide.{key}", latex, inline=False),
            self.at(step),
            self.plan.worked,
            j,
        )
