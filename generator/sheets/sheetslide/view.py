"""What the template of the slides' hand-out may ask: as sheet 4a, with projections.

Also here:

* What the hand-out to the slides says of its own result, with what must be true of it.
"""

from typing import get_args

from generator.insight.attention import Sight, is_identity
from generator.insight.claims import Claim, of_trace
from generator.sheets.attending import AT
from generator.sheets.context import Help
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheet4a.claims import decided, mixed, of_answers, of_own, sees
from generator.sheets.sheetslide.plan import PlanSlide
from generator.sheets.slots import fills


def of_mask(sheet: str) -> dict[str, Claim]:
    """The claims about who sees whom, and about digits, that hand-out and slides both make."""
    shown = {f"{sheet}.sees.{kind}": Claim(sees(kind)) for kind in get_args(Sight)}
    exact = of_trace(lambda trace: trace.rounding == "exact")
    return {**shown, f"{sheet}.first_row": Claim(sees("strict")), f"{sheet}.unrounded": exact}


CLAIMS = {
    **of_answers("sheetslide"),
    "sheetslide.answer.why": Claim(of_own(lambda row: row.leads), "sheetslide.answer.even"),
    "sheetslide.answer.even": Claim(of_own(lambda row: not row.leads)),
    "sheetslide.answer.factor": Claim(
        of_own(lambda row: decided(row) and row.facts.largest), "sheetslide.answer.factor.needed"
    ),
    "sheetslide.answer.factor.needed": Claim(of_own(decided)),
    "sheetslide.answer.mixed": Claim(of_own(mixed), "sheetslide.answer.mixed.general"),
    "sheetslide.finding": Claim(of_own(lambda row: row.leads), "sheetslide.finding.general"),
    "sheetslide.answer.mostly": Claim(of_own(lambda row: row.leads)),
    **of_mask("sheetslide"),
    "sheetslide.identity": of_trace(lambda trace: is_identity(trace[f"{AT}.weight.query"].values)),
    "sheetslide.reality.strict": Claim(sees("strict")),
    "sheetslide.next": Claim(fills("4a"), "sheetslide.next.general"),
    "sheetslide.next.general": Claim(
        lambda _, plan: plan.beside_it("4a"), "sheetslide.next.series"
    ),
}


class ViewSlide(sheet4a.View4a):
    """The view of sheet slide that its template has."""

    claims = CLAIMS

    plan: PlanSlide

    def helps(self) -> tuple[Help, ...]:
        return ()  # its numbers are small

    def hints(self) -> tuple[str, ...]:
        return ("score", "power", "share", "output")
