"""What the template of the slides' hand-out may ask: as sheet 4a, with projections."""

from dataclasses import dataclass
from typing import ClassVar

from generator.insight.claims import Claims
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheetslide.claims import CLAIMS
from generator.sheets.sheetslide.plan import CHECKS, EXAMPLE, KEY_SUMS, PlanSlide


@dataclass(frozen=True)
class View(sheet4a.View):
    """The view of sheet slide that its template has."""

    claims: ClassVar[Claims] = CLAIMS

    plan: PlanSlide

    def mask(self) -> str:
        """The catalogue's word for who sees whom: "none", "causal" or "strict"."""
        return self.trace.preset.mask

    @property
    def key_sums(self) -> str:
        """The step of the sums of the key columns."""
        return KEY_SUMS

    def checks(self, name: str) -> str:
        """The step of what the check of the own scores or shares gives. Only for solutions."""
        return f"{CHECKS}.{name}"

    def of_example(self, name: str) -> str:
        """A step of the worked token over the tokens that it sees."""
        return f"{EXAMPLE}.{name}"

    def contributions(self) -> str:
        """The step of what each token adds to the output of the own one."""
        return self.at(f"contribution{self.plan.own + 1}")

    def power(self) -> int:
        """The first token whose power is asked."""
        return self.plan.powers[0]

    def hints(self) -> tuple[str, ...]:
        return ("score", "power", "share", "output")
