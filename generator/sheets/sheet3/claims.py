"""What sheet 3 says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.general_claims import GENERAL
from generator.insight.position import most_different
from generator.notation.shown import shown_values
from generator.sheets.attending import attended
from generator.sheets.filling import fills
from generator.sheets.sheet3.plan import Plan3


def places_differ(trace: Trace, plan: Plan3) -> bool:
    """Whether the own word's two places have other codes and other inputs, as printed."""
    if len(plan.places) < 2:
        return False
    one, other = plan.places[:2]
    codes = [shown_values(trace[f"{at.prefix}position"])[at.row] for at in (one, other)]
    inputs = [shown_values(trace[f"{at.prefix}input"])[at.row] for at in (one, other)]
    k = most_different(*codes)
    return bool(codes[0][k] != codes[1][k] and (inputs[0] != inputs[1]).any())


def equals_differ(trace: Trace, plan: Plan3) -> bool:
    """Whether two equal embeddings of the sentence have other inputs, if there are two."""
    if plan.equal is None:
        return True  # the question is a general one
    one, other = plan.equal
    inputs = shown_values(trace["input"])
    return bool((inputs[one] != inputs[other]).any())


def attends_to_input(trace: Trace, plan: Plan3) -> bool:
    """Whether sheet 4a can be filled and begins with these rows x."""
    return fills("4a")(trace, plan) and attended(trace) == "input"


CLAIMS = {
    "sheet3.made_up": Claim(GENERAL["sheet.chosen"].holds),
    "sheet3.answer.equal.again": Claim(places_differ, "sheet3.answer.equal.rounded"),
    "sheet3.answer.equal": Claim(equals_differ, "sheet3.answer.equal.rounded"),
    "sheet3.next": Claim(attends_to_input, "sheet3.next.general"),
}
