"""What sheet 1 says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.sheets.filling import fills
from generator.sheets.sheet1.plan import Plan1


def goes_on(trace: Trace, plan: Plan1) -> bool:
    """Whether sheets BPE and 2 can be filled."""
    return fills("bpe")(trace, plan) and fills("2")(trace, plan)


CLAIMS = {
    "sheet1.next": Claim(goes_on, "sheet1.next.general"),
}
