"""What the template of the slides' hand-out may ask: as sheet 4a, with projections.

Also here:

* What the hand-out to the slides says of its own result, with what must be true of it.
"""

from typing import get_args

from generator.insight.attention import Sight
from generator.insight.claims import Claim
from generator.sheets.context import Help
from generator.sheets.sheet4a import view as sheet4a
from generator.sheets.sheet4a.view import decided, of_answers, of_own, sees
from generator.sheets.sheetslide.plan import KEY_SUMS, PlanSlide
from generator.sheets.slots import fills


def of_mask(sheet: str) -> dict[str, Claim]:
    """The claims about who sees whom that the hand-out and the slides have in common."""
    shown = {f"{sheet}.sees.{kind}": Claim(sees(kind)) for kind in get_args(Sight)}
    return {**shown, f"{sheet}.first_row": Claim(sees("strict"))}


CLAIMS = {
    **of_answers("sheetslide"),
    "sheetslide.answer.why": Claim(of_own(lambda row: row.leads), "sheetslide.answer.even"),
    "sheetslide.answer.even": Claim(of_own(lambda row: not row.leads)),
    "sheetslide.answer.factor": Claim(of_own(decided)),
    **of_mask("sheetslide"),
    "sheetslide.reality.strict": Claim(sees("strict")),
    "sheetslide.next": Claim(fills("4a"), "sheetslide.next.general"),
}


class ViewSlide(sheet4a.View4a):
    """The view of sheet slide that its template has."""

    claims = CLAIMS

    plan: PlanSlide
    key_sums = KEY_SUMS

    def helps(self) -> tuple[Help, ...]:
        return ()  # its numbers are small

    def hints(self) -> tuple[str, ...]:
        return ("score", "power", "share", "output")
