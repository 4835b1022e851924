"""What sheet 7b says of its own result, each sentence with what must be true of it."""

from generator.engine.trace import Trace
from generator.insight.claims import Claim
from generator.insight.output_step import AFTER, CHANCE
from generator.insight.rates import OTHERS
from generator.notation.shown import shown_value
from generator.sheets.filling import fills
from generator.sheets.sheet7b.plan import Plan7b


def gains(trace: Trace, plan: Plan7b) -> bool:
    """Whether the right word is likelier after the step, as printed."""
    after, before = (shown_value(trace[name], 0, 0) for name in (f"{AFTER}{CHANCE}", CHANCE))
    return after > before


def others_suffer(trace: Trace, plan: Plan7b) -> bool:
    """Whether the huge rate makes the loss at the other places larger than it is otherwise."""
    if OTHERS not in trace:
        return False
    before, small, huge = trace[OTHERS].values[:, 0].tolist()
    return bool(huge > max(before, small))


CLAIMS = {
    "sheet7b.answer.learned": Claim(gains),
    "sheet7b.answer.huge": Claim(others_suffer, "sheet7b.answer.huge.general"),
    "sheet7b.task.huge.table": Claim(others_suffer, "sheet7b.task.huge"),
    "sheet7b.next": Claim(fills("8")),
}
