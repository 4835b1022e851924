"""What sheet 7d says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.class_step import AFTER, BEFORE, own, renewed
from generator.insight.output_step import LOSS
from generator.notation.shown import shown_value
from generator.sheets.sheet7d.plan import Plan7d


def mean_falls(trace: Trace, plan: Plan7d) -> bool:
    """Whether the mean loss of the class is smaller after the step, as printed."""
    after, before = (shown_value(trace[f"{at}.mean"], 0, 0) for at in (AFTER, BEFORE))
    return after < before


def someone_loses(trace: Trace, plan: Plan7d) -> bool:
    """Whether the loss of some group is larger after the step, as printed."""
    return any(
        shown_value(trace[renewed(k, LOSS)], 0, 0) > shown_value(trace[own(k, LOSS)], 0, 0)
        for k in range(len(plan.groups))
    )


CLAIMS = {
    "sheet7d.answer.learned": Claim(mean_falls),
    "sheet7d.answer.each": Claim(someone_loses, "sheet7d.answer.each.general"),
}
