"""What sheet generate says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.notation.shown import shown_values
from generator.sheets.filling import fills
from generator.sheets.sheetgenerate.plan import PlanGenerate


def shares_change(trace: Trace, plan: PlanGenerate) -> bool:
    """Whether attention sees more tokens in round 2, and probabilities differ as printed."""
    one, two = (shown_values(trace[f"draw{n}.share"]) for n in (1, 2))
    return "block1.head1.weights" in trace and bool((one != two).any())


CLAIMS = {
    "sheetgenerate.next.learning": Claim(fills("7a")),
    "sheetgenerate.answer.why": Claim(shares_change, "sheetgenerate.answer.why.general"),
}
