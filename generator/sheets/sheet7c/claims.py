"""What sheet 7c says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.notation.shown import shown_value
from generator.sheets.sheet7c.plan import Plan7c


def most_wanted(trace: Trace, plan: Plan7c) -> int | None:
    """The token whose larger score makes the loss fall most, as printed; None for none or a tie."""
    step = trace[plan.way.of("scores")]
    slopes = {j: shown_value(step, plan.way.row, j) for j in plan.way.looked_at}
    least = min(slopes.values())
    steepest = [j for j, slope in slopes.items() if slope == least]
    return steepest[0] if least < 0 and len(steepest) == 1 else None


def one_is_wanted(trace: Trace, plan: Plan7c) -> bool:
    """Whether there is one such token."""
    return most_wanted(trace, plan) is not None


def confirmed(trace: Trace, plan: Plan7c) -> bool:
    """Whether the measured slope is printed and confirms the gradient."""
    return plan.wiggles


CLAIMS = {
    "sheet7c.answer.wanted": Claim(one_is_wanted, "sheet7c.answer.wanted.general"),
    "sheet7c.answer.wiggle": Claim(confirmed),
}
