"""What sheet generate says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Step, Trace
from generator.insight.claims import Claim
from generator.notation.shown import shown_values
from generator.sheets.filling import fills
from generator.sheets.sheetgenerate.plan import PlanGenerate


def shares_change(trace: Trace, plan: PlanGenerate) -> bool:
    """Whether attention sees more tokens in round 2, and probabilities differ as printed."""
    if "block1.head1.weights" not in trace:
        return False
    one, two = (_shares(trace[f"draw{n}.share"]) for n in (1, 2))
    return one != two


def _shares(step: Step) -> dict[str, float]:
    """The shares of a table by word, as printed, but those of 0: a table may leave them out."""
    shares = shown_values(step)[0].tolist()
    return {word: share for word, share in zip(step.columns, shares, strict=True) if share}


CLAIMS = {
    "sheetgenerate.next.learning": Claim(fills("7a")),
    "sheetgenerate.answer.why": Claim(shares_change, "sheetgenerate.answer.why.general"),
}
