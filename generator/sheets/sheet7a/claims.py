"""What sheet 7a says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.leading import leaders
from generator.insight.output_layer import SHARES
from generator.sheets.sheet7a.plan import Plan7


def one_wrong_leads(trace: Trace, plan: Plan7) -> bool:
    """Whether one of the wrong words alone gets the most, as printed."""
    wrong = [j for j in range(trace[SHARES].shape[1]) if j != plan.right]
    return len(leaders(trace, SHARES, plan.at, wrong)) == 1


CLAIMS = {"sheet7a.answer.much": Claim(one_wrong_leads, "sheet7a.answer.much.general")}
